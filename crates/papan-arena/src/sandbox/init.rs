//! The first process inside a program's namespaces. It starts the program and
//! buries what dies; it stops all processes while it is not the program's turn
//! and lets them go on when it is; it adds up what they use. When it ends, the
//! kernel ends everything else in there.

use std::io::{self, Read as _, Write as _};
use std::num::NonZeroU64;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::statvfs;
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, Signal, getpid, pidfd_open, set_child_subreaper, set_dumpable_behavior,
    set_parent_process_death_signal,
};
use rustix::thread::set_current_timer_slack;

use super::control::{BEGIN, FREEZE, FROZEN, Offence, SETTLE, SETTLED, THAW, THAWED};
use super::herd::Herd;
use super::launcher::{FAILED, join_group, next_step};
use super::level::SandboxLevel;
use super::plan::{MOST_FILES, Plan, Walls};
use super::{descriptors, namespaces, privileges, root, tree, usage};

/// How often what all processes use together is added up while they run.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Looking takes at most one part in so many of the time.
const LOOK_SHARE: u32 = 20;

/// How long the next look is put off at most. In namespaces only the program's
/// own processes make looking slow, and must gain nothing by it; elsewhere all
/// of the machine's are gone through.
const LATEST_LOOK: Duration = Duration::from_millis(40);
const LATEST_LOOK_AT_ALL: Duration = Duration::from_millis(500);

/// How often it is made sure that nothing runs while it is stopped.
const CHECK_EVERY: Duration = Duration::from_millis(20);

/// How long stopping may take.
const STOPPING: Duration = Duration::from_secs(2);

/// How long a program that starts is waited for, how often it is looked at,
/// and how often in a row it must be found waiting.
const SETTLING: Duration = Duration::from_secs(2);
const SETTLE_EVERY: Duration = Duration::from_millis(4);
const SETTLED_LOOKS: u32 = 4;

/// How often a program may be found running while it is stopped.
const FORGIVEN: u32 = 1;

/// Runs the plan's program to its end; gives its exit code.
pub(super) fn run(plan: &Plan) -> io::Result<i32> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    set_child_subreaper(Some(getpid()))?;
    if !matches!(plan.walls, Walls::Bubblewrap(_)) {
        join_group(plan)?;
    }
    if plan.walls == Walls::Own {
        namespaces::separate_the_rest()?;
        root::build(plan)?;
        privileges::pass_nothing_on(plan.uid.is_some())?;
    }
    // Our memory and our files are not the program's, even where we share a
    // user with it.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let mut control = UnixStream::from(take_stdin()?);
    let mut byte = [0];
    control.read_exact(&mut byte)?;
    if byte != [BEGIN] {
        return Err(io::Error::other("the first process was not told to begin"));
    }
    let mut keeper =
        Keeper { plan, control, herd: herd(plan), frozen: false, settling: None, restless: 0, pause: LOOK_EVERY };
    let pid = start(plan)?;
    if plan.walls == Walls::Own {
        privileges::keep_watching()?;
    }
    // Short waits are to be short.
    let _ = set_current_timer_slack(NonZeroU64::new(1));
    keeper.watch(pid)
}

fn herd(plan: &Plan) -> Herd {
    if plan.walls == Walls::None { Herd::Below(getpid().as_raw_nonzero().get()) } else { Herd::Namespace }
}

/// Our own end of the control, with nothing left in its place.
fn take_stdin() -> io::Result<OwnedFd> {
    let own = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?;
    Ok(own)
}

/// Starts the next step and lets go of what it was handed.
fn start(plan: &Plan) -> io::Result<i32> {
    let words = next_step("confine", plan)?;
    descriptors::close_on_exec(&plan.pipes)?;
    // The path of our own program need not exist in here.
    let mut command = Command::new("/proc/self/exe");
    command.args(&words[1..]).env_clear().stdin(Stdio::null()).stdout(Stdio::null());
    let child = command.spawn()?;
    plan.pipes.into_iter().for_each(descriptors::let_go);
    i32::try_from(child.id()).map_err(io::Error::other)
}

/// A program that has just started.
struct Settling {
    since: Instant,
    /// How often in a row it was found waiting.
    quiet: u32,
}

struct Keeper<'a> {
    plan: &'a Plan,
    control: UnixStream,
    herd: Herd,
    frozen: bool,
    settling: Option<Settling>,
    /// How often something ran while it was stopped.
    restless: u32,
    pause: Duration,
}

impl Keeper<'_> {
    /// Obeys the supervisor until the program ends or has to be ended.
    fn watch(&mut self, pid: i32) -> io::Result<i32> {
        let pid = Pid::from_raw(pid).ok_or_else(|| io::Error::other("the program has no process id"))?;
        let handle = pidfd_open(pid, PidfdFlags::empty())?;
        let mut looked = Instant::now();
        loop {
            let left = self.pause.saturating_sub(looked.elapsed());
            let timeout = Timespec { tv_sec: 0, tv_nsec: left.subsec_nanos().into() };
            let control = self.control.as_fd();
            let mut events = [PollFd::from_borrowed_fd(control, PollFlags::IN), PollFd::new(&handle, PollFlags::IN)];
            match poll(&mut events, Some(&timeout)) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            let told = !events[0].revents().is_empty();
            let mut ended = None;
            tree::reap(|child, code| ended = if child == pid.as_raw_nonzero().get() { Some(code) } else { ended });
            if let Some(code) = ended {
                return Ok(code);
            }
            if told && !self.obey()? {
                return Ok(0);
            }
            if looked.elapsed() >= self.pause {
                let began = Instant::now();
                if let Some(offence) = self.look() {
                    return self.end(offence);
                }
                looked = Instant::now();
                let usual = match (&self.settling, self.frozen) {
                    (Some(_), _) => SETTLE_EVERY,
                    (None, true) => CHECK_EVERY,
                    (None, false) => LOOK_EVERY,
                };
                let latest = if self.herd == Herd::Namespace { LATEST_LOOK } else { LATEST_LOOK_AT_ALL };
                self.pause = usual.max((looked - began) * LOOK_SHARE).min(latest);
            }
        }
    }

    /// Does what the supervisor says; false once it is gone.
    fn obey(&mut self) -> io::Result<bool> {
        let mut byte = [0];
        if self.control.read(&mut byte)? == 0 {
            return Ok(false);
        }
        match byte[0] {
            SETTLE => {
                self.settling = Some(Settling { since: Instant::now(), quiet: 0 });
                self.pause = SETTLE_EVERY;
            }
            FREEZE => {
                let stopped = self.herd.stop(STOPPING);
                self.frozen = true;
                self.control.write_all(&[if stopped { FROZEN } else { Offence::Unstoppable.byte() }])?;
            }
            THAW => {
                self.frozen = false;
                self.herd.go_on();
                self.control.write_all(&[THAWED])?;
            }
            _ => {}
        }
        Ok(true)
    }

    /// Makes sure that the limits hold and that what is stopped stays so.
    fn look(&mut self) -> Option<Offence> {
        if self.frozen {
            if !self.herd.is_still() {
                self.restless += 1;
                self.herd.stop(STOPPING);
            }
            return (self.restless > FORGIVEN).then_some(Offence::Restless);
        }
        self.settle();
        if self.plan.level == SandboxLevel::None {
            return None;
        }
        let limits = &self.plan.limits;
        let Some(files) = self.files() else { return Some(Offence::Disk) };
        (self.herd.memory(files, limits.memory) > limits.memory).then_some(Offence::Memory)
    }

    /// Says so if a program that was started has come to wait.
    fn settle(&mut self) {
        let Some(settling) = &mut self.settling else { return };
        settling.quiet = if self.herd.is_waiting() { settling.quiet + 1 } else { 0 };
        if settling.quiet >= SETTLED_LOOKS || settling.since.elapsed() > SETTLING {
            self.settling = None;
            // Where the supervisor is gone, that is found out by reading.
            let _ = self.control.write_all(&[SETTLED]);
        }
    }

    /// Bytes in the program's files that are in memory; nothing if there are
    /// too many files.
    fn files(&self) -> Option<u64> {
        let (place, limits) = (self.plan.writable(), &self.plan.limits);
        if self.plan.walls == Walls::None {
            return usage::fits(place, limits.temporary).then_some(0);
        }
        let used = statvfs(place).ok()?;
        (used.f_files - used.f_ffree <= MOST_FILES).then(|| (used.f_blocks - used.f_bfree) * used.f_frsize)
    }

    /// Says why, and ends everything by ending.
    fn end(&mut self, offence: Offence) -> io::Result<i32> {
        self.control.write_all(&[offence.byte()])?;
        Ok(FAILED)
    }
}
