//! The processes that a process has started, directly or not.

use std::collections::HashMap;
use std::fs;

use rustix::process::{Pid, Signal, WaitOptions, kill_process, wait};

/// Where the number of threads stands among [`fields`].
pub(super) const THREADS: usize = 17;

/// The fields of `PID (name) state parent …` from the state on; the name may
/// hold anything, brackets included, so they are counted from its last bracket.
pub(super) fn fields(stat: &str) -> Option<Vec<&str>> {
    let fields: Vec<_> = stat[stat.rfind(')')? + 1..].split_whitespace().collect();
    (!fields.is_empty()).then_some(fields)
}

/// The text of a file of `/proc`. A process chooses its own name, which stands
/// in some of them, and it need not be UTF-8: that must hide nothing.
pub(super) fn text_of(file: &str) -> Option<String> {
    fs::read(file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The numbers among the names in a folder: processes, threads.
pub(super) fn numbers(folder: &str) -> Vec<i32> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// The parent of every process that can be seen.
fn parents() -> HashMap<i32, i32> {
    let parent = |pid: i32| {
        let stat = text_of(&format!("/proc/{pid}/stat"))?;
        Some((pid, fields(&stat)?.get(1)?.parse().ok()?))
    };
    numbers("/proc").into_iter().filter_map(parent).collect()
}

/// Everything below `root`, which is not included.
pub(super) fn descendants(root: i32) -> Vec<i32> {
    let parents = parents();
    let below = |mut pid: i32| {
        while let Some(&parent) = parents.get(&pid) {
            if parent == root {
                return true;
            }
            pid = parent;
        }
        false
    };
    parents.keys().copied().filter(|&pid| below(pid)).collect()
}

/// Kills everything below this process until nothing is left: a process that
/// forks while it is being killed leaves a child for the next round.
pub(super) fn kill_all(root: i32) {
    const ROUNDS: usize = 2000;
    for _ in 0..ROUNDS {
        let left = descendants(root);
        if left.is_empty() {
            return;
        }
        for pid in left {
            if let Some(pid) = Pid::from_raw(pid) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        reap(|_, _| {});
        std::thread::yield_now();
    }
}

/// Buries every child that has ended, telling `ended` its id and exit code
/// (128 + signal for a killed one).
pub(super) fn reap(mut ended: impl FnMut(i32, i32)) {
    while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
        let code = status.exit_status().or_else(|| status.terminating_signal().map(|signal| 128 + signal));
        ended(pid.as_raw_nonzero().get(), code.unwrap_or(255));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_does_not_confuse() {
        let stat = "17 (a) b (c)) S 4 17 17 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 5 1000 321 18446744073709551615";
        let fields = fields(stat).unwrap();
        assert_eq!((fields[0], fields[1], fields[THREADS]), ("S", "4", "1"));
        assert_eq!(super::fields("nothing"), None);
    }
}
