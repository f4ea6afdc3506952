//! Open files: a program gets its standard input, output and error, and
//! nothing that whoever started the arena had open.

use std::fs;
use std::io;
use std::os::fd::RawFd;

use nix::fcntl::{FcntlArg, FdFlag, fcntl};

/// The first number after standard input, output and error.
const FIRST: RawFd = 3;

/// Closes every open file but the first three and `kept` as soon as this
/// process becomes another program.
pub(super) fn close_on_exec(kept: &[RawFd]) -> io::Result<()> {
    for number in open()? {
        if number >= FIRST && !kept.contains(&number) {
            // What was open for listing the numbers is closed by now.
            let _ = fcntl(number, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC));
        }
    }
    Ok(())
}

/// A second number for an open file, which stays open in programs that are
/// started from here.
pub(super) fn hand_down(number: RawFd) -> io::Result<RawFd> {
    Ok(nix::unistd::dup(number)?)
}

/// Makes what `from` stands for known as `to`, and closes `from`.
pub(super) fn take_over(from: RawFd, to: RawFd) -> io::Result<()> {
    nix::unistd::dup2(from, to)?;
    Ok(nix::unistd::close(from)?)
}

/// Closes what was handed down to a program that is now running.
pub(super) fn let_go(number: RawFd) {
    let _ = nix::unistd::close(number);
}

fn open() -> io::Result<Vec<RawFd>> {
    let entries = fs::read_dir("/proc/self/fd")?;
    Ok(entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect())
}
