//! Control groups (version 2) where they can be had: all of a bot's processes
//! at once are frozen, killed and held to limits, whatever they did to get
//! away from each other. A group needs no trust in the bot: it cannot leave.
//!
//! There are none for an ordinary user without a subtree of their own, nor in
//! most containers; then [`Cgroup::for_bot`] gives `None`, and the other layers
//! stand alone. On machines where the controllers are still with version 1,
//! groups of version 2 can freeze and kill but count nothing.

mod place;

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::plan::ResourceLimits;
use place::Place;

/// How long all processes of a group may take to stop. The kernel stops each
/// at its next step outside a system call, so this is for a crowded machine.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// A control group for one bot. It is removed, with everything that still runs
/// in it, when it goes out of scope.
#[derive(Debug)]
pub struct Cgroup {
    folder: PathBuf,
    freezer: bool,
    memory: bool,
    processes: bool,
}

impl Cgroup {
    /// A new, empty group with these limits, as far as its controllers go.
    /// `None` where no group may be made or none would be of use.
    #[must_use]
    pub fn for_bot(limits: &ResourceLimits) -> Option<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        static SWEEP: Once = Once::new();
        let place = Place::find()?;
        SWEEP.call_once(|| place.leftovers().iter().for_each(|folder| remove(folder)));
        let folder = place.make(NEXT.fetch_add(1, Ordering::Relaxed))?;
        let mut group = Self { folder, freezer: false, memory: false, processes: false };
        group.freezer = group.has("cgroup.freeze");
        group.memory = group.limit_memory(limits.memory).is_ok();
        group.processes = group.write("pids.max", limits.processes).is_ok();
        (group.freezer || group.memory || group.processes).then_some(group)
    }

    /// Where the group is, for a process that is to [`join`](Self::join) it.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Can its processes be frozen?
    #[must_use]
    pub fn has_freezer(&self) -> bool {
        self.freezer
    }

    /// Is the memory of all its processes together limited?
    #[must_use]
    pub fn has_memory(&self) -> bool {
        self.memory
    }

    /// Is the number of its processes and threads limited?
    #[must_use]
    pub fn has_processes(&self) -> bool {
        self.processes
    }

    /// Moves a process into the group; what it starts from then on is born
    /// there.
    pub fn add(&self, pid: u32) -> io::Result<()> {
        self.write("cgroup.procs", pid)
    }

    /// Moves the calling process into the group at `folder`: for the launcher,
    /// before it gives up its rights.
    pub fn join(folder: &Path) -> io::Result<()> {
        write(folder, "cgroup.procs", 0)
    }

    /// Holds the group to one core, whatever its processes ask for. An error
    /// where the controller is missing.
    pub fn bind_to(&self, core: usize) -> io::Result<()> {
        self.write("cpuset.cpus", core)
    }

    /// Stops every process of the group, and returns when all stand still. A
    /// process that is added or born meanwhile stands still as well.
    pub fn freeze(&self) -> io::Result<()> {
        self.write("cgroup.freeze", 1)?;
        self.wait_for("frozen 1")
    }

    /// Lets all go on.
    pub fn thaw(&self) -> io::Result<()> {
        self.write("cgroup.freeze", 0)
    }

    /// Kills every process of the group, frozen ones too and those that fork
    /// away meanwhile, and returns when none is left.
    pub fn kill(&self) -> io::Result<()> {
        kill(&self.folder)
    }

    /// The most memory in bytes that the group ever used together; `None` where
    /// it is not counted.
    #[must_use]
    pub fn memory_peak(&self) -> Option<u64> {
        fs::read_to_string(self.folder.join("memory.peak")).ok()?.trim().parse().ok()
    }

    fn limit_memory(&self, most: u64) -> io::Result<()> {
        self.write("memory.max", most)?;
        // Missing where the kernel was built without swap.
        let _ = self.write("memory.swap.max", 0);
        self.write("memory.oom.group", 1)
    }

    fn wait_for(&self, event: &str) -> io::Result<()> {
        wait_for(&self.folder, event)
    }

    fn has(&self, file: &str) -> bool {
        self.folder.join(file).exists()
    }

    fn write(&self, file: &str, value: impl std::fmt::Display) -> io::Result<()> {
        write(&self.folder, file, value)
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        remove(&self.folder);
    }
}

/// Writes into a file that must be there: a missing one is never made.
fn write(folder: &Path, file: &str, value: impl std::fmt::Display) -> io::Result<()> {
    let mut file = File::options().write(true).open(folder.join(file))?;
    io::Write::write_all(&mut file, value.to_string().as_bytes())
}

/// Waits until the group's events have this line. The kernel announces a
/// change at most every ten milliseconds, which is too slow for every move of
/// a game: so it is looked for, at first again and again.
fn wait_for(folder: &Path, event: &str) -> io::Result<()> {
    let mut events = File::open(folder.join("cgroup.events"))?;
    let end = Instant::now() + LONGEST_WAIT;
    let mut pause = Duration::from_micros(10);
    loop {
        let mut text = String::new();
        events.rewind()?;
        events.read_to_string(&mut text)?;
        if text.lines().any(|line| line == event) {
            return Ok(());
        }
        if Instant::now() >= end {
            return Err(io::Error::new(io::ErrorKind::TimedOut, format!("a control group did not reach {event:?}")));
        }
        std::thread::sleep(pause);
        pause = (2 * pause).min(Duration::from_millis(2));
    }
}

fn kill(folder: &Path) -> io::Result<()> {
    if write(folder, "cgroup.kill", 1).is_err() {
        kill_one_by_one(folder)?;
    }
    wait_for(folder, "populated 0")
}

/// For kernels before 5.14: frozen first, so that nobody forks meanwhile.
fn kill_one_by_one(folder: &Path) -> io::Result<()> {
    use rustix::process::{Pid, Signal, kill_process};
    let _ = write(folder, "cgroup.freeze", 1).and_then(|()| wait_for(folder, "frozen 1"));
    for pid in fs::read_to_string(folder.join("cgroup.procs"))?.lines() {
        if let Some(pid) = pid.parse().ok().and_then(Pid::from_raw) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
    write(folder, "cgroup.freeze", 0)
}

/// Ends what runs in a group and removes it. What cannot be removed now is a
/// leftover for the next arena.
fn remove(folder: &Path) {
    let _ = kill(folder);
    let end = Instant::now() + Duration::from_secs(1);
    // Busy for a moment after its last process has gone.
    while fs::remove_dir(folder).is_err_and(|error| error.kind() == io::ErrorKind::ResourceBusy) && Instant::now() < end
    {
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The name of this process's group number `number`, and whose it is: process
/// ids mean something only in one namespace, and are given again.
fn name(number: u64) -> Option<String> {
    Some(format!("{}-{number}", owner(process::id())?))
}

/// `papan-NAMESPACE-PID-START` of a process that runs.
fn owner(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let started = stat[stat.rfind(')')? + 1..].split_whitespace().nth(19)?;
    Some(format!("{}{pid}-{started}", prefix()?))
}

/// What the names of groups of this process id namespace begin with.
fn prefix() -> Option<String> {
    let namespace = fs::read_link("/proc/self/ns/pid").ok()?;
    let number: String = namespace.to_str()?.chars().filter(char::is_ascii_digit).collect();
    Some(format!("papan-{number}-"))
}

/// Was the group with this name made here by a process that has ended?
fn is_leftover(name: &str) -> bool {
    let Some(rest) = prefix().and_then(|prefix| name.strip_prefix(&prefix).map(str::to_owned)) else { return false };
    let Some(pid) = rest.split('-').next().and_then(|pid| pid.parse().ok()) else { return false };
    owner(pid).is_none_or(|owner| !name.starts_with(&format!("{owner}-")))
}
