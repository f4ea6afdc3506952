//! The server as a process of its own, with limits and signals.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::support::TempDb;

/// A running server.
pub(crate) struct Process {
    pub(crate) child: Child,
    pub(crate) addr: SocketAddr,
}

impl Process {
    pub(crate) fn start(db: &TempDb) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_papan-server"));
        Self::spawn(command.arg("127.0.0.1:0").arg(db.path()).arg("--no-rate-limits"))
    }

    /// With so many descriptors and not one more.
    pub(crate) fn with_descriptors(db: &TempDb, most: u32) -> Self {
        let program = env!("CARGO_BIN_EXE_papan-server");
        let script = format!("ulimit -n {most} && exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.arg("-c").arg(script).arg(program).arg("127.0.0.1:0").arg(db.path()).arg("--no-rate-limits");
        Self::spawn(&mut command)
    }

    fn spawn(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let addr = line.trim().trim_end_matches('/').rsplit('/').next().unwrap();
        let addr = addr.parse().unwrap_or_else(|_| panic!("no address: {line} {}", stderr(&mut child)));
        Self { child, addr }
    }

    pub(crate) fn kill(&mut self) {
        // On Unix this is signal 9.
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, signal).unwrap();
    }

    /// How it ended, and how long that took.
    pub(crate) fn wait(&mut self) -> (ExitStatus, Duration) {
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(30) {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, began.elapsed());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("it does not end");
    }

    /// What it said, once it has ended.
    pub(crate) fn stderr(&mut self) -> String {
        stderr(&mut self.child)
    }

    pub(crate) fn descriptors(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap().count()
    }
}

/// The time that a process has used of all cores.
pub(crate) fn used(child: &Child) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
    let ticks: u64 = fields[11..13].iter().map(|ticks| ticks.parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 10)
}

fn stderr(child: &mut Child) -> String {
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    said
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A start that must fail: the one line that says why.
pub(crate) fn refusal(db: &Path) -> String {
    let program = env!("CARGO_BIN_EXE_papan-server");
    let mut child =
        Command::new(program).arg("127.0.0.1:0").arg(db).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let said = stderr(&mut child);
    assert_eq!(child.wait().unwrap().code(), Some(2), "{said}");
    assert_eq!(said.trim().lines().count(), 1, "{said}");
    said
}
