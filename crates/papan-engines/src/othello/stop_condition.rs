//! When a search must end.

use papan_core::observer::Progress;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

const MILLION: f64 = 1e6;
/// A thread tells of so many nodes at once: the count is shared, and most subtrees are small.
const PORTION: u64 = 1 << 12;

thread_local! {
    /// Nodes of this thread that nobody has been told of.
    static UNTOLD: Cell<u64> = const { Cell::new(0) };
}

/// What a search has found by now, for whoever watches it from another thread.
#[derive(Debug)]
pub struct SolverStatus {
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
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Proved bounds of the score of the position that is searched.
    #[must_use]
    pub fn bounds(&self) -> (i32, i32) {
        (self.lower.load(Relaxed), self.upper.load(Relaxed))
    }

    /// The share of the hash table in use, 0 to 1.
    #[must_use]
    pub fn table_use(&self) -> f64 {
        f64::from(self.table_used.load(Relaxed)) / MILLION
    }
}

/// A stop token from outside, a deadline and a number of nodes.
#[derive(Debug)]
pub struct StopCondition<'a> {
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
    nodes: u64,
    expired: AtomicBool,
    status: Option<&'a SolverStatus>,
    progress: Option<&'a Progress>,
}

impl<'a> StopCondition<'a> {
    /// Stops at the token, the deadline or so many nodes, whichever comes first. Nodes are counted by each thread
    /// for itself: who limits them searches with one thread.
    #[must_use]
    pub const fn new(stop: &'a AtomicBool, deadline: Option<Instant>, nodes: Option<u64>) -> Self {
        let nodes = match nodes {
            Some(nodes) => nodes,
            None => u64::MAX,
        };
        Self { stop, deadline, nodes, expired: AtomicBool::new(false), status: None, progress: None }
    }

    /// Lets someone watch.
    #[must_use]
    pub const fn watched_by(self, status: Option<&'a SolverStatus>) -> Self {
        Self { status, ..self }
    }

    /// Says how far the search is.
    #[must_use]
    pub fn telling(self, progress: &'a Progress) -> Self {
        Self { progress: progress.is_watched().then_some(progress), ..self }
    }

    /// So many more nodes were visited by this thread.
    #[inline(always)]
    pub fn count(&self, nodes: u64) {
        if let Some(progress) = self.progress {
            let untold = UNTOLD.get() + nodes;
            if untold >= PORTION {
                progress.add_nodes(untold);
            }
            UNTOLD.set(if untold >= PORTION { 0 } else { untold });
        }
    }

    /// The search now looks so many plies ahead.
    pub fn tell_depth(&self, depth: u32) {
        if let Some(progress) = self.progress {
            progress.set_depth(depth);
        }
    }

    /// Tells the watcher of nodes and of the share of the table in use. A thread knows only the nodes of its own
    /// subtree: the largest number counts.
    #[inline]
    pub fn tell_nodes(&self, nodes: u64, table_use: impl FnOnce() -> f64) {
        if let Some(status) = self.status {
            status.nodes.fetch_max(nodes, Relaxed);
            status.table_used.store((table_use() * MILLION) as u32, Relaxed);
        }
    }

    /// Tells the watcher of proved bounds.
    pub fn tell_bounds(&self, (lower, upper): (i32, i32)) {
        if let Some(status) = self.status {
            status.lower.store(lower, Relaxed);
            status.upper.store(upper, Relaxed);
        }
    }

    /// Whether the search has been ended; reads no clock.
    #[inline(always)]
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed) || self.expired.load(Relaxed)
    }

    /// Whether a thread that has visited so many nodes must end; reads no clock.
    #[inline(always)]
    #[must_use]
    pub fn ended(&self, nodes: u64) -> bool {
        nodes >= self.nodes || self.stopped()
    }

    /// Reads the clock, then answers as [`StopCondition::ended`].
    #[inline]
    pub fn check(&self, nodes: u64) -> bool {
        if nodes >= self.nodes || self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.expired.store(true, Relaxed);
        }
        self.stopped()
    }
}

/// A chain of flags: a subtree is given up when any search above it has found a cut.
#[derive(Default)]
pub struct Cancel<'a> {
    /// Set when the subtree is no longer wanted.
    pub flag: AtomicBool,
    /// The subtree around this one.
    pub parent: Option<&'a Cancel<'a>>,
}

impl Cancel<'_> {
    /// Whether this subtree or one around it has been given up.
    #[inline]
    #[must_use]
    pub fn cancelled(&self) -> bool {
        self.flag.load(Relaxed) || self.parent.is_some_and(Cancel::cancelled)
    }
}
