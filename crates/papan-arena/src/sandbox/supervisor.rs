//! The supervisor: one small process for each bot, outside the bot's sandbox.
//! Everything that the bot starts and leaves behind becomes the supervisor's
//! child, so that nothing gets away. It ends all of it when the bot ends, when
//! the arena closes the bot's input, or when the arena itself dies.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::process::{ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::process::{Pid, PidfdFlags, getpid, pidfd_open, set_child_subreaper};
use rustix::stdio::dup2_stdout;

use super::launcher::{FAILED, next_step};
use super::level::SandboxLevel;
use super::plan::Plan;
use super::{tree, usage};

/// How often what all the bot's processes use together is added up.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Runs the plan's program to its end; gives its exit code.
pub(super) fn run(plan: &Plan) -> io::Result<i32> {
    // 1. Become the parent of whatever the bot leaves behind.
    set_child_subreaper(Some(getpid()))?;
    // 2. Start the bot on our own standard input and output, and let go of the
    //    output: its end must be the bot's.
    let words = next_step("enter", plan)?;
    let stdin = io::stdin();
    let mut bot = Command::new(&words[0]).args(&words[1..]).env_clear().stderr(Stdio::piped()).spawn()?;
    let pid = i32::try_from(bot.id()).map_err(io::Error::other)?;
    dup2_stdout(File::options().write(true).open("/dev/null")?)?;
    // 3. Watch until the bot ends or its input is closed.
    let mut stderr = StderrKeeper::new(plan, bot.stderr.take());
    let code = watch(plan, pid, stdin.as_fd(), &mut stderr)?;
    // 4. Leave nothing behind.
    tree::kill_all(getpid().as_raw_nonzero().get());
    stderr.drain();
    remove_folder(plan);
    Ok(code)
}

/// Waits for the bot's end or for a reason to end it; gives the exit code.
fn watch(plan: &Plan, pid: i32, stdin: BorrowedFd<'_>, stderr: &mut StderrKeeper) -> io::Result<i32> {
    let handle = Pid::from_raw(pid).ok_or_else(|| io::Error::other("the bot has no process id"))?;
    let handle = pidfd_open(handle, PidfdFlags::empty())?;
    let pause = Timespec { tv_sec: 0, tv_nsec: LOOK_EVERY.subsec_nanos().into() };
    let mut looked = Instant::now();
    loop {
        // No event is asked for on the input: its end is reported unasked.
        let mut events = vec![PollFd::from_borrowed_fd(stdin, PollFlags::empty()), PollFd::new(&handle, PollFlags::IN)];
        events.extend(stderr.source.as_ref().map(|source| PollFd::new(source, PollFlags::IN)));
        match poll(&mut events, Some(&pause)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let input_closed = !events[0].revents().is_empty();
        if events.get(2).is_some_and(|event| !event.revents().is_empty()) {
            stderr.drain();
        }
        let mut ended = None;
        tree::reap(|child, code| ended = if child == pid { Some(code) } else { ended });
        if let Some(code) = ended {
            return Ok(code);
        }
        if input_closed {
            return Ok(0);
        }
        if plan.level != SandboxLevel::None && looked.elapsed() >= LOOK_EVERY {
            looked = Instant::now();
            if memory_in_use() > plan.limits.memory {
                stderr.note("papan: sandbox: ended, all its processes together used more memory than allowed\n");
                return Ok(FAILED);
            }
            if !usage::fits(&plan.temporary, plan.limits.temporary) {
                stderr.note("papan: sandbox: ended, its temporary folder held more than allowed\n");
                return Ok(FAILED);
            }
        }
    }
}

fn memory_in_use() -> u64 {
    let pages: u64 = tree::descendants(getpid().as_raw_nonzero().get()).iter().map(|&(_, pages)| pages).sum();
    pages * rustix::param::page_size() as u64
}

/// Keeps the first bytes of the bot's standard error and drops the rest.
struct StderrKeeper {
    source: Option<ChildStderr>,
    file: Option<File>,
    room: usize,
}

impl StderrKeeper {
    fn new(plan: &Plan, source: Option<ChildStderr>) -> Self {
        if let Some(source) = &source {
            // Reading must never wait: the bot may hold its end open for ever.
            let _ = fcntl_setfl(source, OFlags::NONBLOCK);
        }
        let file = plan.stderr.as_ref().and_then(|path| File::options().create(true).append(true).open(path).ok());
        Self { source, file, room: usize::try_from(plan.limits.stderr).unwrap_or(usize::MAX) }
    }

    /// Takes what there is now, but not for ever: a flood is taken in parts.
    fn drain(&mut self) {
        let mut buffer = [0; 16 << 10];
        for _ in 0..64 {
            let Some(source) = &mut self.source else { return };
            match source.read(&mut buffer) {
                Ok(0) => self.source = None,
                Ok(length) => self.keep(&buffer[..length]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        let kept = bytes.len().min(self.room);
        self.room -= kept;
        if let Some(file) = &mut self.file {
            let _ = file.write_all(&bytes[..kept]);
        }
    }

    fn note(&mut self, line: &str) {
        self.drain();
        self.room = self.room.max(line.len());
        self.keep(line.as_bytes());
    }
}

/// Removes the temporary folder; a bot may have made parts of it unreadable.
fn remove_folder(plan: &Plan) {
    if fs::remove_dir_all(&plan.temporary).is_err() {
        open_up(&plan.temporary);
        let _ = fs::remove_dir_all(&plan.temporary);
    }
}

fn open_up(folder: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}
