//! The optional layer: bubblewrap's namespaces, where it is installed.

use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::stdio::dup2_stdout;

use super::launcher;
use super::plan::Plan;

/// System folders that exist in the new root, as they are outside.
const SYSTEM: &[&str] = &["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/etc", "/sys"];

const STDOUT: i32 = 1;

/// Where bubblewrap is installed.
pub(super) fn find() -> Option<PathBuf> {
    launcher::PATH.split(':').map(|folder| Path::new(folder).join("bwrap")).find(|path| path.is_file())
}

/// Becomes bubblewrap, which goes on with the launcher's `confine` inside.
/// Returns only if that fails. Bubblewrap itself gets an empty environment:
/// the one it clears for the program can still be read from its own process.
pub(super) fn become_inside(program: &Path, plan: &Plan) -> io::Error {
    let inner = match hand_over(plan) {
        Ok(inner) => inner,
        Err(error) => return error,
    };
    let mut command = Command::new(program);
    command.env_clear();
    command.args(["--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"]);
    for folder in SYSTEM {
        command.args(["--ro-bind-try", folder, folder]);
    }
    command.args(["--proc", "/proc", "--dev", "/dev"]);
    for path in plan.readable.iter().map(PathBuf::as_path).chain([Path::new(&inner[0])]) {
        command.arg("--ro-bind").arg(path).arg(path);
    }
    command.arg("--bind").arg(&plan.temporary).arg(&plan.temporary);
    command.arg("--chdir").arg(&plan.folder).arg("--").args(&inner);
    command.exec()
}

/// The inner step, with the standard output under another number. Bubblewrap
/// keeps a process outside that holds its first three files open, but no
/// others: the end of the output must be the program's own.
fn hand_over(plan: &Plan) -> io::Result<Vec<String>> {
    let output = nix::unistd::dup(STDOUT)?;
    dup2_stdout(File::options().write(true).open("/dev/null")?)?;
    launcher::next_step("confine", &Plan { output: Some(output), ..plan.clone() })
}

/// Takes the standard output back inside.
pub(super) fn take_output(plan: &Plan) -> io::Result<()> {
    if let Some(output) = plan.output {
        nix::unistd::dup2(output, STDOUT)?;
        nix::unistd::close(output)?;
    }
    Ok(())
}
