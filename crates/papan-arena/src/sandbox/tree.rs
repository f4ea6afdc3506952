//! The processes that a process has started, directly or not.

use std::collections::HashMap;
use std::fs;

use rustix::process::{Pid, Signal, WaitOptions, kill_process, wait};

/// Parent and resident pages of every process that can be seen.
fn processes() -> HashMap<i32, (i32, u64)> {
    let mut found = HashMap::new();
    let Ok(entries) = fs::read_dir("/proc") else { return found };
    for entry in entries.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        if let Some(facts) = parent_and_pages(&stat) {
            found.insert(pid, facts);
        }
    }
    found
}

/// Reads `PID (name) state parent … pages …`; the name may hold anything,
/// brackets included, so the fields are counted from its last bracket.
fn parent_and_pages(stat: &str) -> Option<(i32, u64)> {
    let fields: Vec<_> = stat[stat.rfind(')')? + 1..].split_whitespace().collect();
    Some((fields.get(1)?.parse().ok()?, fields.get(21)?.parse().ok()?))
}

/// Everything below `root`, with its resident pages; `root` is not included.
pub(super) fn descendants(root: i32) -> Vec<(i32, u64)> {
    let all = processes();
    let below = |mut pid: i32| {
        while let Some(&(parent, _)) = all.get(&pid) {
            if parent == root {
                return true;
            }
            pid = parent;
        }
        false
    };
    all.iter().filter(|&(&pid, _)| below(pid)).map(|(&pid, &(_, pages))| (pid, pages)).collect()
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
        for (pid, _) in left {
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
        assert_eq!(parent_and_pages(stat), Some((4, 321)));
        assert_eq!(parent_and_pages("nothing"), None);
    }
}
