//! When a search ends, and who hears how far it is.

use papan_core::Budget;
use papan_core::observer::{Progress, UNWATCHED};
use papan_core::solver::SolveProgress;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Ends a search from outside or at a moment.
#[derive(Clone, Copy, Debug)]
pub struct Deadline<'a> {
    /// Set by anyone to end the search.
    pub stop: &'a AtomicBool,
    /// The search ends at this moment.
    pub at: Option<Instant>,
    /// Hears of nodes and depths.
    pub progress: &'a Progress,
}

impl<'a> Deadline<'a> {
    /// Ends only when told to, and tells nobody.
    #[must_use]
    pub fn until_stopped(stop: &'a AtomicBool) -> Self {
        Self { stop, at: None, progress: &UNWATCHED }
    }

    /// The stop token and the watcher of a budget, and a moment of its own.
    pub(crate) fn of(budget: &'a Budget, at: Option<Instant>) -> Self {
        Self { stop: budget.stop.flag(), at, progress: &budget.progress }
    }

    /// The same search until another moment.
    pub(crate) fn until(self, at: Option<Instant>) -> Self {
        Self { at, ..self }
    }

    /// Reads stop token and clock.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.load(Relaxed) || self.at.is_some_and(|at| Instant::now() >= at)
    }

    /// Tells of the nodes of one thread and reads the clock, both only at every `interval`-th node.
    #[inline(always)]
    pub(crate) fn is_over_at(&self, nodes: u64, interval: u64) -> bool {
        if !nodes.is_multiple_of(interval) {
            return false;
        }
        self.progress.add_nodes(interval);
        self.is_over()
    }
}

/// The search was stopped before it knew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// What a solver may use, and whom it tells how it goes.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// When to end.
    pub deadline: Deadline<'a>,
    /// Ends when the solver has counted so many nodes since it was made.
    pub nodes: Option<u64>,
    /// Called now and then by the thread that asked.
    pub report: Option<&'a dyn Fn(&SolveProgress)>,
}

impl<'a> Control<'a> {
    /// Ends only when told to.
    #[must_use]
    pub fn until_stopped(stop: &'a AtomicBool) -> Self {
        Deadline::until_stopped(stop).into()
    }

    /// The same without reports, and with at most so many nodes.
    #[must_use]
    pub fn up_to(&self, nodes: u64) -> Self {
        Self { nodes: Some(self.nodes.map_or(nodes, |most| most.min(nodes))), report: None, ..*self }
    }

    /// Has a solver with so many nodes to end?
    pub(crate) fn is_over(&self, nodes: u64) -> bool {
        self.nodes.is_some_and(|most| nodes >= most) || self.deadline.is_over()
    }
}

impl<'a> From<Deadline<'a>> for Control<'a> {
    fn from(deadline: Deadline<'a>) -> Self {
        Self { deadline, nodes: None, report: None }
    }
}

/// Kept back of the time for a move, so that the answer is out in time.
const RESERVE: Duration = Duration::from_millis(5);
/// Time for a move if nobody sets any limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// What one move may cost.
#[derive(Clone, Copy)]
pub(crate) struct MoveBudget<'a> {
    pub(crate) budget: &'a Budget,
    pub(crate) started: Instant,
    /// The time for thinking.
    pub(crate) time: Option<Duration>,
}

impl<'a> MoveBudget<'a> {
    /// The clock starts now.
    pub(crate) fn new(budget: &'a Budget) -> Self {
        let time = match (budget.time, budget.nodes, budget.depth) {
            (Some(time), _, _) => Some(time.saturating_sub(RESERVE)),
            (None, None, None) => Some(DEFAULT_TIME),
            _ => None,
        };
        Self { budget, started: Instant::now(), time }
    }

    /// Until a share of the time is over, from a moment on.
    pub(crate) fn deadline(&self, from: Instant, share: f64) -> Deadline<'a> {
        Deadline::of(self.budget, self.time.map(|time| from + time.mul_f64(share)))
    }

    /// Until a share of the time that is left is over.
    pub(crate) fn rest(&self, share: f64) -> Deadline<'a> {
        let (now, whole) = (Instant::now(), self.deadline(self.started, 1.0));
        whole.until(whole.at.map(|at| now + at.saturating_duration_since(now).mul_f64(share)))
    }

    /// For a solver that has counted so many nodes: a share of the time, from a moment on, and of the nodes.
    pub(crate) fn control(&self, from: Instant, share: f64, counted: u64) -> Control<'a> {
        let nodes = self.budget.nodes.map(|nodes| counted + (nodes as f64 * share) as u64);
        Control { nodes, ..self.deadline(from, share).into() }
    }

    /// The most plies to look ahead.
    pub(crate) fn depth(&self) -> u8 {
        self.budget.depth.map_or(u8::MAX, |depth| depth.min(u8::MAX.into()) as u8)
    }
}
