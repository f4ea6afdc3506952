//! Bubblewrap's namespaces, where we may not make our own but it is installed
//! and may.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::plan::{BOX, Plan};
use super::{files, launcher};

/// Where bubblewrap is installed.
pub(super) fn find() -> Option<PathBuf> {
    launcher::PATH.split(':').map(|folder| Path::new(folder).join("bwrap")).find(|path| path.is_file())
}

/// Becomes bubblewrap, which goes on with the launcher's `init` inside, as the
/// first process there. Returns only if that fails. Bubblewrap itself gets an
/// empty environment: the one it clears for the program can still be read from
/// its own process. It keeps a process outside that holds the first three
/// files open, but no others: that is why the program's are handed down under
/// other numbers.
pub(super) fn become_inside(program: &Path, plan: &Plan) -> io::Error {
    let inner = match launcher::next_step("init", plan) {
        Ok(inner) => inner,
        Err(error) => return error,
    };
    let mut command = Command::new(program);
    command.env_clear();
    command.args(["--unshare-all", "--unshare-user", "--disable-userns"]);
    command.args(["--die-with-parent", "--new-session", "--as-pid-1"]);
    for path in files::system() {
        command.arg("--ro-bind-try").arg(&path).arg(&path);
    }
    command.args(["--proc", "/proc", "--dev", "/dev"]);
    command.args(["--size", &plan.limits.temporary.to_string(), "--tmpfs", BOX]);
    command.arg("--dir").arg(&plan.folder);
    for path in plan.readable.iter().map(PathBuf::as_path).chain([Path::new(&inner[0])]) {
        command.arg("--ro-bind").arg(path).arg(path);
    }
    command.args(["--remount-ro", "/", "--chdir", "/", "--"]).args(&inner);
    command.exec()
}
