//! Namespaces of the program's own: it sees no process, no file, no network
//! and no shared memory but its own. Root makes them as it is; an ordinary
//! user inside a namespace for users, in which it is nobody but itself.

use std::fs;
use std::io;

use nix::sched::{CloneFlags, unshare};
use rustix::process::{getgid, getuid};

use super::privileges;

/// Makes the next process that is started from here the first one of a
/// namespace of its own: all that are left in it end with it.
pub(super) fn separate_processes() -> io::Result<()> {
    if !privileges::can_build() {
        let (uid, gid) = (getuid().as_raw(), getgid().as_raw());
        unshare(CloneFlags::CLONE_NEWUSER).map_err(|error| failed("user", error))?;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{uid} {uid} 1"))?;
        fs::write("/proc/self/gid_map", format!("{gid} {gid} 1"))?;
        privileges::pass_on()?;
    }
    unshare(CloneFlags::CLONE_NEWPID).map_err(|error| failed("process", error))
}

/// Gives this process mounts, a network, shared memory, a host name and a view
/// of control groups of its own.
pub(super) fn separate_the_rest() -> io::Result<()> {
    let rest = CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS
        | CloneFlags::CLONE_NEWCGROUP;
    unshare(rest).map_err(|error| failed("mount, network, IPC, host name or cgroup", error))
}

fn failed(what: &str, error: nix::Error) -> io::Error {
    io::Error::other(format!("no {what} namespace: {error}"))
}
