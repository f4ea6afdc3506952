//! Who thinks where: the lanes, what each may have, and whose turn it is.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::time::{Duration, Instant};

use papan_core::StopToken;

use super::memory::Held;

/// What a search is for. Each lane has threads of its own, so that no other
/// kind of work can take them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Lane {
    /// Moves of live games.
    Moves,
    /// Hints for players.
    Hints,
    /// Analyses and reviews.
    Looks,
    /// Recorded searches.
    Lab,
    /// Experiments, and what a tournament prepares.
    Long,
}

impl Lane {
    pub(crate) const ALL: [Self; 5] = [Self::Moves, Self::Hints, Self::Looks, Self::Lab, Self::Long];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Moves => "moves",
            Self::Hints => "hints",
            Self::Looks => "looks",
            Self::Lab => "lab",
            Self::Long => "long",
        }
    }

    /// Threads, on a machine with so many cores.
    pub(super) fn threads(self, cores: usize) -> usize {
        match self {
            Self::Moves => (2 * cores).max(4),
            Self::Hints | Self::Looks | Self::Lab => cores.clamp(2, 4),
            Self::Long => 2,
        }
    }

    /// How far the system puts its threads behind those that answer requests.
    pub(crate) const fn niceness(self) -> i32 {
        match self {
            Self::Moves => 4,
            Self::Hints => 8,
            Self::Looks => 12,
            Self::Lab => 15,
            Self::Long => 19,
        }
    }

    /// The share of the memory that may be in use when one of its searches
    /// begins: the rest is for moves.
    pub(crate) const fn share(self) -> f64 {
        match self {
            Self::Moves => 1.0,
            Self::Hints => 0.75,
            Self::Looks | Self::Lab | Self::Long => 0.5,
        }
    }

    /// How long a search may think while another waits for its thread; after
    /// that it must do with what it has found. Others go on: what they find
    /// would not be the same.
    pub(super) const fn least_time(self) -> Option<Duration> {
        match self {
            Self::Moves => Some(Duration::from_millis(100)),
            Self::Hints => Some(Duration::from_millis(1000)),
            Self::Looks => Some(Duration::from_secs(3)),
            Self::Lab | Self::Long => None,
        }
    }
}

/// Who asks: one address, or one game for the moves in it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Visitor {
    Address(IpAddr),
    Game(String),
}

/// What a thread shall do, with the memory that it holds meanwhile.
pub(super) type Work = Box<dyn FnOnce(Option<Held>) + Send>;

/// Work that waits.
pub(super) struct Job {
    pub(super) visitor: Visitor,
    pub(super) memory: u64,
    /// Over in a moment: it goes before all others.
    pub(super) light: bool,
    pub(super) may_be_cut: bool,
    pub(super) stop: StopToken,
    pub(super) work: Work,
}

/// Work under way.
pub(super) struct Running {
    pub(super) visitor: Visitor,
    pub(super) since: Instant,
    pub(super) light: bool,
    pub(super) may_be_cut: bool,
    pub(super) stop: StopToken,
}

/// One lane's queues and what runs in it.
#[derive(Default)]
pub(super) struct Traffic {
    light: VecDeque<Job>,
    /// The visitors take turns; each has a queue of its own.
    turns: VecDeque<Visitor>,
    queues: HashMap<Visitor, VecDeque<Job>>,
    waiting: usize,
    pub(super) running: HashMap<u64, Running>,
}

impl Traffic {
    /// All that wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting + self.light.len()
    }

    /// How many of this visitor's wait.
    pub(super) fn waiting_of(&self, visitor: &Visitor) -> usize {
        self.queues.get(visitor).map_or(0, VecDeque::len)
    }

    pub(super) fn push(&mut self, job: Job) {
        if job.light {
            return self.light.push_back(job);
        }
        self.waiting += 1;
        let queue = self.queues.entry(job.visitor.clone()).or_insert_with(|| {
            self.turns.push_back(job.visitor.clone());
            VecDeque::new()
        });
        queue.push_back(job);
    }

    /// How many run that are not over in a moment.
    pub(super) fn heavy(&self) -> usize {
        self.running.values().filter(|running| !running.light).count()
    }

    /// The next job for a thread: what nobody wants any more first, then the
    /// light ones, then the visitors in turn, unless one of theirs runs
    /// already. `hold` gives the memory, if it is there.
    pub(super) fn next(&mut self, room: bool, hold: impl Fn(u64) -> Option<Held>) -> Option<(Job, Option<Held>)> {
        if let Some(job) = self.unwanted() {
            return Some((job, None));
        }
        if let Some(job) = self.light.pop_front() {
            let held = hold(job.memory);
            return Some((job, held));
        }
        for _ in 0..if room { self.turns.len() } else { 0 } {
            let visitor = self.turns.pop_front()?;
            self.turns.push_back(visitor.clone());
            if self.running.values().any(|running| !running.light && running.visitor == visitor) {
                continue;
            }
            let memory = self.queues.get(&visitor).and_then(|queue| queue.front()).map_or(0, |job| job.memory);
            if let Some(held) = hold(memory) {
                return self.pop(&visitor).map(|job| (job, Some(held)));
            }
        }
        None
    }

    fn unwanted(&mut self) -> Option<Job> {
        let (visitor, place) = self.queues.iter().find_map(|(visitor, queue)| {
            Some((visitor.clone(), queue.iter().position(|job| job.stop.is_unwanted())?))
        })?;
        let job = self.queues.get_mut(&visitor)?.remove(place)?;
        self.waiting -= 1;
        self.tidy(&visitor);
        Some(job)
    }

    fn pop(&mut self, visitor: &Visitor) -> Option<Job> {
        let job = self.queues.get_mut(visitor)?.pop_front()?;
        self.waiting -= 1;
        self.tidy(visitor);
        Some(job)
    }

    fn tidy(&mut self, visitor: &Visitor) {
        if self.queues.get(visitor).is_some_and(VecDeque::is_empty) {
            self.queues.remove(visitor);
            self.turns.retain(|other| other != visitor);
        }
    }

    /// Makes room for those that wait: a visitor's own search that has run
    /// long enough ends for the visitor's next one, else the one that has run
    /// longest of all. The more wait, the shorter is what everyone gets.
    pub(super) fn make_room(&self, threads: usize, least: Duration, now: Instant) {
        let waiting = self.turns.len();
        let least = least / (1 + waiting / threads.max(1)) as u32;
        let long_enough = |running: &&Running| {
            running.may_be_cut && !running.light && now.saturating_duration_since(running.since) >= least
        };
        let mut longest: Vec<_> = self.running.values().filter(long_enough).collect();
        longest.sort_by_key(|running| running.since);
        let mut others = longest.iter();
        for visitor in &self.turns {
            let own = self.running.values().any(|running| running.visitor == *visitor);
            let ended = if own { longest.iter().find(|running| running.visitor == *visitor) } else { others.next() };
            if let Some(running) = ended {
                running.stop.enough();
            }
        }
    }
}
