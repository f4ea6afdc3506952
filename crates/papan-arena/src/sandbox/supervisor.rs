//! The supervisor: one small process for each bot, outside the bot's sandbox.
//! It starts the sandbox's first process and passes the arena's words on to
//! it. Everything that the bot starts and leaves behind becomes the
//! supervisor's child, so that nothing gets away. It ends all of it when the
//! bot ends, when the arena closes the bot's input, or when the arena itself
//! dies.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::num::NonZeroU64;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, getpid, pidfd_open, set_child_subreaper};
use rustix::stdio::{dup2_stderr, dup2_stdout};
use rustix::thread::set_current_timer_slack;

use super::cgroup::Cgroup;
use super::control::{BEGIN, Offence};
use super::launcher::{FAILED, next_step};
use super::level::SandboxLevel;
use super::link::Link;
use super::plan::{Group, Plan, ResourceLimits, Walls};
use super::stderr::StderrKeeper;
use super::{descriptors, limits, namespaces, tree};

/// How often the dead are buried, whatever else happens.
const LOOK_EVERY: Duration = Duration::from_millis(250);

const STDIN: i32 = 0;
const STDOUT: i32 = 1;

/// Runs the plan's program to its end; gives its exit code.
pub(super) fn run(plan: &Plan) -> io::Result<i32> {
    // 1. Nothing that happens to be open gets any further. The arena's words
    //    come in where standard error would be.
    //    A key pressed at the arena's terminal is not for us: we end with it.
    descriptors::close_on_exec(&[])?;
    let _ = rustix::process::setsid();
    let arena = if plan.probe { None } else { Some(take_stderr()?) };
    let mut stderr = StderrKeeper::new(plan);
    // 2. Run it.
    let result = supervise(plan, arena, &mut stderr);
    // 3. Leave nothing behind.
    tree::kill_all(getpid().as_raw_nonzero().get());
    stderr.drain();
    remove_folder(plan);
    match result {
        Err(error) if !plan.probe => {
            stderr.note(&error.to_string());
            Ok(FAILED)
        }
        result => result,
    }
}

fn supervise(plan: &Plan, arena: Option<UnixStream>, stderr: &mut StderrKeeper) -> io::Result<i32> {
    // Become the parent of whatever the bot leaves behind.
    set_child_subreaper(Some(getpid()))?;
    if let Some(core) = plan.core {
        limits::bind_to(core)?;
    }
    let group = if plan.level == SandboxLevel::None { None } else { group(plan) };
    if plan.walls == Walls::Own {
        namespaces::separate_processes()?;
    }
    let (own, theirs) = UnixStream::pair()?;
    let mut first = start(plan, group.as_ref(), theirs.into())?;
    if !plan.probe {
        stderr.listen(first.stderr.take());
    }
    // Short waits are to be short.
    let _ = set_current_timer_slack(NonZeroU64::new(1));
    let mut link = Link { arena, first: own, group };
    link.first.write_all(&[BEGIN])?;
    let code = watch(&first, &mut link, stderr);
    if link.ran_out_of_memory(plan, &code) {
        stderr.note(Offence::Memory.words());
    }
    let _ = first.kill();
    code
}

/// A control group, in which the sandbox's own processes are counted too.
fn group(plan: &Plan) -> Option<Cgroup> {
    let own = if matches!(plan.walls, Walls::Bubblewrap(_)) { 2 } else { 1 };
    Cgroup::for_bot(&ResourceLimits { processes: plan.limits.processes + own, ..plan.limits })
}

fn words_for(group: &Cgroup) -> Group {
    let holds =
        [("freezer", group.has_freezer()), ("memory", group.has_memory()), ("processes", group.has_processes())];
    let holds: Vec<_> = holds.into_iter().filter_map(|(name, has)| has.then_some(name)).collect();
    Group { folder: group.folder().to_owned(), holds: format!("cgroup with {}", holds.join(" and ")) }
}

/// Starts the sandbox's first process, with our own standard input and output
/// handed down, and lets go of the output: its end must be the bot's.
fn start(plan: &Plan, group: Option<&Cgroup>, control: OwnedFd) -> io::Result<Child> {
    let pipes = [descriptors::hand_down(STDIN)?, descriptors::hand_down(STDOUT)?];
    // Nothing in there needs to know where standard error is kept.
    let plan = Plan { pipes, stderr: None, group: group.map(words_for), ..plan.clone() };
    let step = if matches!(plan.walls, Walls::Bubblewrap(_)) { "wrap" } else { "init" };
    let words = next_step(step, &plan)?;
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).env_clear().stdin(control).stdout(Stdio::null());
    command.stderr(if plan.probe { Stdio::inherit() } else { Stdio::piped() });
    let child = command.spawn()?;
    pipes.into_iter().for_each(descriptors::let_go);
    dup2_stdout(File::options().write(true).open("/dev/null")?)?;
    Ok(child)
}

/// The arena's end of the control.
fn take_stderr() -> io::Result<UnixStream> {
    let own = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stderr(), 3)?;
    dup2_stderr(File::options().write(true).open("/dev/null")?)?;
    Ok(UnixStream::from(own))
}

/// Waits for the bot's end or for a reason to end it; gives the exit code.
fn watch(first: &Child, link: &mut Link, stderr: &mut StderrKeeper) -> io::Result<i32> {
    let pid = i32::try_from(first.id()).map_err(io::Error::other)?;
    let handle = Pid::from_raw(pid).ok_or_else(|| io::Error::other("the bot has no process id"))?;
    let handle = pidfd_open(handle, PidfdFlags::empty())?;
    let pause = Timespec { tv_sec: 0, tv_nsec: LOOK_EVERY.subsec_nanos().into() };
    let (stdin, nothing) = (io::stdin(), File::open("/dev/null")?);
    loop {
        // No event is asked for on the input: its end is reported unasked.
        let mut events = [
            PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::empty()),
            PollFd::new(&handle, PollFlags::IN),
            PollFd::new(&link.first, PollFlags::IN),
            link.arena
                .as_ref()
                .map_or(PollFd::new(&nothing, PollFlags::empty()), |end| PollFd::new(end, PollFlags::IN)),
            stderr
                .source
                .as_ref()
                .map_or(PollFd::new(&nothing, PollFlags::empty()), |end| PollFd::new(end, PollFlags::IN)),
        ];
        match poll(&mut events, Some(&pause)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let [input_closed, _, answered, told, said] = events.map(|event| !event.revents().is_empty());
        if said {
            stderr.drain();
        }
        if answered && let Some(offence) = link.hear() {
            stderr.note(offence.words());
            return Ok(FAILED);
        }
        let mut ended = None;
        tree::reap(|child, code| ended = if child == pid { Some(code) } else { ended });
        if let Some(code) = ended {
            return Ok(code);
        }
        if input_closed || (told && !link.obey()?) {
            return Ok(0);
        }
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
