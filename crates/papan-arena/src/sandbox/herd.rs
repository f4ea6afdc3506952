//! All processes of a program, as its first process sees them: they are
//! stopped, let go on, and what they use is added up.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::tree;

/// How long to wait before looking again whether all have stopped, at first
/// and at most. Waiting, not spinning: they may need this very core to stop.
const SHORTEST_WAIT: Duration = Duration::from_micros(20);
const LONGEST_WAIT: Duration = Duration::from_millis(2);

/// What one socket's buffers may hold that no process is charged for: the
/// kernel's usual limit, doubled by its own bookkeeping.
const SOCKET: u64 = 2 * 212_992;

/// The processes of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Herd {
    /// Everything in our namespace but ourselves: we are its first process.
    Namespace,
    /// Everything that was started below this process.
    Below(i32),
}

impl Herd {
    fn pids(self) -> Vec<i32> {
        match self {
            Self::Namespace => tree::numbers("/proc").into_iter().filter(|&pid| pid != 1).collect(),
            Self::Below(root) => tree::descendants(root),
        }
    }

    /// In a namespace all get it in the same moment: none forks past it.
    fn signal(self, signal: Signal) {
        match self {
            Self::Namespace => {
                let _ = kill(Pid::from_raw(-1), signal);
            }
            Self::Below(_) => {
                for pid in self.pids() {
                    let _ = kill(Pid::from_raw(pid), signal);
                }
            }
        }
    }

    /// Stops every process and waits until none runs any more; false if that
    /// takes longer than `patience`.
    pub(super) fn stop(self, patience: Duration) -> bool {
        let started = Instant::now();
        let mut wait = SHORTEST_WAIT;
        self.signal(Signal::SIGSTOP);
        while !self.is_still() {
            if started.elapsed() > patience {
                return false;
            }
            sleep(wait);
            wait *= 2;
            if wait > LONGEST_WAIT {
                wait = LONGEST_WAIT;
                self.signal(Signal::SIGSTOP);
            }
        }
        true
    }

    /// Lets every process go on.
    pub(super) fn go_on(self) {
        self.signal(Signal::SIGCONT);
    }

    /// Does no thread of any process run, nor would if it could?
    pub(super) fn is_still(self) -> bool {
        self.pids().into_iter().all(|pid| threads_are(pid, STILL))
    }

    /// Do all threads wait for something from outside?
    pub(super) fn is_waiting(self) -> bool {
        self.pids().into_iter().all(|pid| threads_are(pid, WAITING))
    }

    /// Bytes of memory that all running processes use together, with `files`
    /// bytes in their files. Pages that several of them share are counted once,
    /// but only looked for if it matters: that takes long, and they stand still
    /// meanwhile, so that they cannot take more than is seen.
    pub(super) fn memory(self, files: u64, limit: u64) -> u64 {
        let pids = self.pids();
        let sockets = if self == Self::Namespace { sockets() * SOCKET } else { 0 };
        let [own, swapped, shared, tables, huge] = sum(&pids, "status", ROUGH);
        let all = |[own, swapped, shared]: [u64; 3]| own + swapped + shared.max(files) + tables + huge + sockets;
        let rough = all([own, swapped, shared]);
        if rough <= limit {
            return rough;
        }
        self.signal(Signal::SIGSTOP);
        let exact = all(sum(&self.pids(), "smaps_rollup", EXACT));
        self.go_on();
        exact
    }
}

/// States of a thread that is stopped, dead, or waiting for a disk or for a
/// process that is: what waits in the kernel stops before it runs on.
const STILL: &str = "TtZXxD";

/// States of a thread that sleeps, or never wakes again.
const WAITING: &str = "STtZXx";

/// Is every thread of a process in one of these states? One that has ended is
/// in all of them.
fn threads_are(pid: i32, states: &str) -> bool {
    let is = |file: &str| match tree::text_of(file) {
        Some(stat) => tree::fields(&stat).is_none_or(|fields| states.contains(fields[0])),
        None => true,
    };
    let Some(stat) = tree::text_of(&format!("/proc/{pid}/stat")) else { return true };
    let Some(fields) = tree::fields(&stat) else { return true };
    if fields.get(tree::THREADS).is_none_or(|&count| count == "0" || count == "1") {
        return states.contains(fields[0]);
    }
    let folder = format!("/proc/{pid}/task");
    tree::numbers(&folder).into_iter().all(|thread| is(&format!("{folder}/{thread}/stat")))
}

/// Pages of a process, roughly: those that it shares count in full. Then what
/// is its own besides: the tables of its pages, and huge pages, which the
/// kernel does not count with the others.
const ROUGH: [&str; 5] = ["RssAnon:", "VmSwap:", "RssShmem:", "VmPTE:", "HugetlbPages:"];

/// The first three with its share of what is shared.
const EXACT: [&str; 3] = ["Pss_Anon:", "SwapPss:", "Pss_Shmem:"];

/// The sums of some fields, given in kB, over a file of each process. One
/// that cannot be looked at in detail counts in full.
fn sum<const N: usize>(pids: &[i32], file: &str, names: [&str; N]) -> [u64; N] {
    let mut sums = [0; N];
    for pid in pids {
        let Some(text) = tree::text_of(&format!("/proc/{pid}/{file}")) else {
            if file != "status" {
                let whole = sum(&[*pid], "status", ROUGH);
                sums.iter_mut().zip(whole).for_each(|(sum, whole)| *sum += whole);
            }
            continue;
        };
        for (sum, name) in sums.iter_mut().zip(names) {
            *sum += 1024 * number_after(&text, name);
        }
    }
    sums
}

/// The first number after `name` at the start of a line.
fn number_after(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// How many sockets there are in our network namespace.
fn sockets() -> u64 {
    fs::read_to_string("/proc/self/net/sockstat").map_or(0, |text| number_after(&text, "sockets: used"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_by_their_names() {
        let text = "Name:\tbash\nVmSwap:\t       8 kB\nRssAnon:\t    1234 kB\n";
        assert_eq!(number_after(text, "RssAnon:"), 1234);
        assert_eq!(number_after(text, "VmSwap:"), 8);
        assert_eq!(number_after(text, "RssShmem:"), 0);
        assert_eq!(number_after("sockets: used 17\nTCP: inuse 3", "sockets: used"), 17);
    }

    #[test]
    fn a_stopped_process_is_still_and_a_running_one_is_not() {
        let mut child = std::process::Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        let herd = Herd::Below(i32::try_from(std::process::id()).unwrap());
        let pid = i32::try_from(child.id()).unwrap();
        assert!(!threads_are(pid, STILL));
        kill(Pid::from_raw(pid), Signal::SIGSTOP).unwrap();
        let deadline = Instant::now() + Duration::from_secs(10);
        while !threads_are(pid, STILL) {
            assert!(Instant::now() < deadline);
        }
        assert!(herd.pids().contains(&pid) && herd.memory(0, u64::MAX) > 0);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
