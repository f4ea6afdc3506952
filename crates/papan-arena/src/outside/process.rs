//! One run of a program: its supervisor, its pipes, and its certain end.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use papan_core::StopToken;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::OutsideProgram;
use super::pipes::{Lines, NoLine, never_wait, send};
use crate::sandbox::control::{FREEZE, FROZEN, SETTLE, SETTLED, THAW, THAWED};
use crate::sandbox::launcher::FAILED;

/// How long a supervisor may take to stop everything, or to let it go on.
const OBEYING: Duration = Duration::from_secs(10);

/// How long a supervisor may take to end everything.
const ENDING: Duration = Duration::from_secs(10);

/// A program that is running.
pub(super) struct Process {
    supervisor: Child,
    control: UnixStream,
    frozen: bool,
    input: Option<ChildStdin>,
    pub(super) output: Lines<ChildStdout>,
    temporary: PathBuf,
}

impl Process {
    /// Starts a program; nobody waits for it once `stop` is thrown.
    pub(super) fn start(
        program: &OutsideProgram,
        stderr: Option<&Path>,
        core: Option<usize>,
        stop: &StopToken,
    ) -> io::Result<Self> {
        let (mut supervisor, control, temporary) =
            program.sandbox.start(&program.words, &program.folder, &program.readable, stderr, core)?;
        let (input, output) = (supervisor.stdin.take(), supervisor.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err(io::Error::other("the program has no pipes"));
        };
        never_wait(&input)?;
        never_wait(&output)?;
        control.set_read_timeout(Some(OBEYING))?;
        Ok(Self {
            supervisor,
            control,
            frozen: false,
            input: Some(input),
            output: Lines::new(output, stop.clone()),
            temporary,
        })
    }

    pub(super) fn send(&mut self, text: &str, deadline: Option<Instant>) -> Result<(), NoLine> {
        self.input.as_mut().map_or(Err(NoLine::Closed), |input| send(input, text, deadline))
    }

    /// Waits until the program has started, which is not its own time: until
    /// it waits for its input, but not for long.
    pub(super) fn settle(&mut self) {
        self.command(SETTLE, SETTLED);
    }

    /// Stops the program and all that it started, until [`Process::thaw`].
    /// Returns when nothing of it runs any more. One that has ended, or that
    /// is ended because it cannot be stopped, is found out when it is asked.
    pub(super) fn freeze(&mut self) {
        if !self.frozen {
            self.frozen = self.command(FREEZE, FROZEN);
        }
    }

    /// Lets the program go on.
    pub(super) fn thaw(&mut self) {
        if self.frozen {
            self.frozen = !self.command(THAW, THAWED);
        }
    }

    /// Tells the supervisor something and waits for its answer.
    fn command(&mut self, word: u8, expected: u8) -> bool {
        let mut answer = [0];
        self.control.write_all(&[word]).is_ok()
            && matches!(self.control.read(&mut answer), Ok(1))
            && answer == [expected]
    }

    /// Ends the program and all that it started; says how it had ended if it
    /// had already.
    pub(super) fn end(&mut self) -> String {
        // A program that has closed its output has mostly ended: its supervisor
        // needs a moment, on a busy machine a long one, to clear up and to tell
        // with which code.
        let ended = wait_for(&mut self.supervisor, Duration::from_secs(1));
        self.close();
        if ended.is_none() && wait_for(&mut self.supervisor, ENDING).is_none() {
            let _ = self.supervisor.kill();
            let _ = self.supervisor.wait();
        }
        let _ = fs::remove_dir_all(&self.temporary);
        match ended {
            None => "it closed its standard output".to_owned(),
            Some(FAILED) => "it could not be started, or used more than allowed; see its standard error".to_owned(),
            Some(code) if code > 128 => format!("it was ended by signal {}", code - 128),
            Some(code) => format!("it ended with exit code {code}"),
        }
    }

    /// The sign to the supervisor. The end of the input alone is not enough: a
    /// program that runs as our own user can open the other end of it as well.
    fn close(&mut self) {
        self.input = None;
        let _ = self.control.shutdown(Shutdown::Both);
    }

    /// Ends the program at once, however it is.
    pub(super) fn kill(&mut self) {
        self.close();
        if wait_for(&mut self.supervisor, ENDING).is_none() {
            let _ = self.supervisor.kill();
            let _ = self.supervisor.wait();
        }
        let _ = fs::remove_dir_all(&self.temporary);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Waits for a child's end; gives its exit code.
fn wait_for(child: &mut Child, longest: Duration) -> Option<i32> {
    let deadline = Instant::now() + longest;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw)?;
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status.code().unwrap_or(FAILED));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
        let handle = pidfd_open(pid, PidfdFlags::empty()).ok()?;
        let _ = poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&timeout));
    }
}
