//! What a search may cost, when it must end, and what it tells on the way.

use papan_core::observer::{Progress, UNWATCHED};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

const MILLION: f64 = 1e6;
/// What is kept back of the time for unwinding the search.
const RESERVE: Duration = Duration::from_millis(8);
/// A thread tells of so many nodes at once: the count is shared, and most subtrees are small.
const PORTION: u64 = 1 << 12;

thread_local! {
    /// Nodes of this thread that nobody has been told of.
    static UNTOLD: Cell<u64> = const { Cell::new(0) };
}

/// What one question may cost.
#[derive(Clone, Copy, Debug)]
pub struct SearchLimits<'a> {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// The time meant for the move, where some may be saved for harder ones; `time` stays the limit.
    pub soft: Option<Duration>,
    /// Plies; searches that reach the end of the game may look further.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Positions with at most so many empties are solved, however small the depth; `None` lets the time decide.
    pub solve_from: Option<u32>,
    /// Set from outside to end the search.
    pub stop: &'a AtomicBool,
    /// Told of nodes and depth on the way.
    pub progress: &'a Progress,
}

impl<'a> SearchLimits<'a> {
    /// No limit but the token.
    #[must_use]
    pub const fn until(stop: &'a AtomicBool) -> Self {
        Self { time: None, soft: None, depth: None, nodes: None, solve_from: None, stop, progress: &UNWATCHED }
    }
}

/// What a search has found by now, for whoever watches it from another thread.
#[derive(Debug)]
pub(crate) struct SolverStatus {
    nodes: AtomicU64,
    lower: AtomicI32,
    upper: AtomicI32,
    /// Millionths of the hash table.
    table_used: AtomicU32,
}

impl Default for SolverStatus {
    fn default() -> Self {
        Self {
            nodes: AtomicU64::new(0),
            lower: AtomicI32::new(-64),
            upper: AtomicI32::new(64),
            table_used: AtomicU32::new(0),
        }
    }
}

impl SolverStatus {
    /// Nodes visited, at least.
    #[must_use]
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Proved bounds of the score of the position that is searched.
    #[must_use]
    pub(crate) fn bounds(&self) -> (i32, i32) {
        (self.lower.load(Relaxed), self.upper.load(Relaxed))
    }

    /// The share of the hash table in use, 0 to 1.
    #[must_use]
    pub(crate) fn table_use(&self) -> f64 {
        f64::from(self.table_used.load(Relaxed)) / MILLION
    }
}

/// A stop token from outside, a deadline and a number of nodes.
#[derive(Debug)]
pub(super) struct StopCondition<'a> {
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
    nodes: u64,
    expired: AtomicBool,
    status: Option<&'a SolverStatus>,
    progress: Option<&'a Progress>,
}

impl<'a> StopCondition<'a> {
    /// Stops at the token, the time (from now on) or so many nodes, whichever comes first. Nodes are counted by each
    /// thread for itself: who limits them searches with one thread. The status is told of nodes and bounds.
    pub(super) fn new(limits: SearchLimits<'a>, status: Option<&'a SolverStatus>) -> Self {
        Self {
            stop: limits.stop,
            deadline: limits.time.and_then(|time| Instant::now().checked_add(time.saturating_sub(RESERVE))),
            nodes: limits.nodes.unwrap_or(u64::MAX),
            expired: AtomicBool::new(false),
            status,
            progress: limits.progress.is_watched().then_some(limits.progress),
        }
    }

    /// So many more nodes were visited by this thread.
    #[inline(always)]
    pub(super) fn count(&self, nodes: u64) {
        if let Some(progress) = self.progress {
            let untold = UNTOLD.get() + nodes;
            if untold >= PORTION {
                progress.add_nodes(untold);
            }
            UNTOLD.set(if untold >= PORTION { 0 } else { untold });
        }
    }

    /// The search now looks so many plies ahead.
    pub(super) fn tell_depth(&self, depth: u32) {
        if let Some(progress) = self.progress {
            progress.set_depth(depth);
        }
    }

    /// Tells the watcher of nodes and of the share of the table in use. A thread knows only the nodes of its own
    /// subtree: the largest number counts.
    #[inline]
    pub(super) fn tell_nodes(&self, nodes: u64, table_use: impl FnOnce() -> f64) {
        if let Some(status) = self.status {
            status.nodes.fetch_max(nodes, Relaxed);
            status.table_used.store((table_use() * MILLION) as u32, Relaxed);
        }
    }

    /// Tells the watcher of proved bounds.
    pub(super) fn tell_bounds(&self, (lower, upper): (i32, i32)) {
        if let Some(status) = self.status {
            status.lower.store(lower, Relaxed);
            status.upper.store(upper, Relaxed);
        }
    }

    /// Whether the search has been ended; reads no clock.
    #[inline(always)]
    #[must_use]
    pub(super) fn stopped(&self) -> bool {
        self.stop.load(Relaxed) || self.expired.load(Relaxed)
    }

    /// Whether a thread that has visited so many nodes must end; reads no clock.
    #[inline(always)]
    #[must_use]
    pub(super) fn ended(&self, nodes: u64) -> bool {
        nodes >= self.nodes || self.stopped()
    }

    /// Reads the clock, then answers as [`StopCondition::ended`].
    #[inline]
    pub(super) fn check(&self, nodes: u64) -> bool {
        if nodes >= self.nodes || self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.expired.store(true, Relaxed);
        }
        self.stopped()
    }
}

/// A chain of flags: a subtree is given up when any search above it has found a cut.
#[derive(Default)]
pub(super) struct Cancel<'a> {
    /// Set when the subtree is no longer wanted.
    pub flag: AtomicBool,
    /// The subtree around this one.
    pub parent: Option<&'a Cancel<'a>>,
}

impl Cancel<'_> {
    /// Whether this subtree or one around it has been given up.
    #[inline]
    #[must_use]
    pub(super) fn cancelled(&self) -> bool {
        self.flag.load(Relaxed) || self.parent.is_some_and(Cancel::cancelled)
    }
}
