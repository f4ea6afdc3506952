//! The optional layer: bubblewrap's namespaces, where it is installed.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::launcher;
use super::plan::Plan;

/// System folders that exist in the new root, as they are outside.
const SYSTEM: &[&str] = &["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/etc", "/sys"];

/// Where bubblewrap is installed.
pub(super) fn find() -> Option<PathBuf> {
    launcher::PATH.split(':').map(|folder| Path::new(folder).join("bwrap")).find(|path| path.is_file())
}

/// Becomes bubblewrap, which goes on with the launcher's `confine` inside.
/// Returns only if that fails. Bubblewrap itself gets an empty environment:
/// the one it clears for the program can still be read from its own process.
pub(super) fn become_inside(program: &Path, plan: &Plan) -> io::Error {
    let inner = match launcher::next_step("confine", plan) {
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
