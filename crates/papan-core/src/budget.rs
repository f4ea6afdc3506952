//! How long a bot may think, and the meter that tells it to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::observer::Progress;

/// A switch that anyone who holds a clone can throw to end a search.
#[derive(Clone, Debug, Default)]
pub struct StopToken(Arc<Switch>);

#[derive(Debug, Default)]
struct Switch {
    /// The search shall end.
    stopped: AtomicBool,
    /// Nobody wants what it found so far.
    unwanted: AtomicBool,
}

impl StopToken {
    /// A token that has not been thrown.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every search with this token to stop: nobody waits for it.
    pub fn stop(&self) {
        self.0.unwanted.store(true, Ordering::Relaxed);
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// Asks every search with this token to stop with the best it has found.
    pub fn enough(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// Has it been thrown?
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Has it been thrown by someone who wants nothing more, not even what was
    /// found so far?
    #[must_use]
    pub fn is_unwanted(&self) -> bool {
        self.0.unwanted.load(Ordering::Relaxed)
    }

    /// The flag itself, for engines that poll it in their own loops.
    #[must_use]
    pub fn flag(&self) -> &AtomicBool {
        &self.0.stopped
    }
}

/// What a bot may spend on one move. What is `None` is not limited.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Wall-clock time, measured from the call.
    pub time: Option<Duration>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Plies of look-ahead.
    pub depth: Option<u32>,
    /// Value every move as far as that can be done alike, not only the best:
    /// for analysis. A bot that can only choose ignores it.
    pub every_move: bool,
    /// Ends the search from outside.
    pub stop: StopToken,
    /// Where the search says how far it is.
    pub progress: Progress,
}

impl Budget {
    /// Nothing is limited.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// Only time is limited.
    #[must_use]
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// Only depth is limited.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Only nodes are limited.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// This budget with each limit lowered to `other`'s where that is lower.
    #[must_use]
    pub fn capped(&self, time: Option<Duration>, nodes: Option<u64>, depth: Option<u32>) -> Self {
        fn lower<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
            match (a, b) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            }
        }
        Self {
            time: lower(self.time, time),
            nodes: lower(self.nodes, nodes),
            depth: lower(self.depth, depth),
            every_move: self.every_move,
            stop: self.stop.clone(),
            progress: self.progress.clone(),
        }
    }

    /// Starts the clock.
    #[must_use]
    pub fn start(&self) -> Meter {
        let started = Instant::now();
        Meter {
            started,
            // A time too long to add to the clock is no limit at all.
            deadline: self.time.and_then(|time| started.checked_add(time)),
            node_limit: self.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            next_look: 0,
            stop: self.stop.clone(),
            progress: self.progress.clone(),
            told: 0,
            spent: false,
        }
    }
}

/// Counts a search's nodes and tells it when its budget is spent.
#[derive(Clone, Debug)]
pub struct Meter {
    started: Instant,
    deadline: Option<Instant>,
    node_limit: u64,
    nodes: u64,
    next_look: u64,
    stop: StopToken,
    progress: Progress,
    /// The nodes that `progress` has heard of.
    told: u64,
    spent: bool,
}

impl Meter {
    /// Nodes between two looks at the clock: at the slowest search's 100,000
    /// nodes a second this is 5 ms.
    const LOOK_EVERY: u64 = 512;

    /// Counts one node. True once the budget is spent: the search must return
    /// at once and ignore what it has not finished.
    #[inline(always)]
    pub fn visit(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes > self.next_look {
            self.look();
        }
        self.spent
    }

    /// Says how far the search is, where the clock is looked at.
    fn tell(&mut self) {
        self.progress.add_nodes(self.nodes.saturating_sub(self.told));
        self.told = self.nodes.max(self.told);
    }

    /// The search now looks so many plies ahead.
    pub fn set_depth(&self, depth: u32) {
        self.progress.set_depth(depth);
    }

    #[cold]
    fn look(&mut self) {
        self.tell();
        self.next_look = (self.nodes + Self::LOOK_EVERY).min(self.node_limit);
        self.spent |= self.nodes > self.node_limit
            || self.stop.is_stopped()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if self.spent {
            // A visit that is refused is none; look again at the next.
            self.nodes -= 1;
            self.next_look = self.nodes;
        }
    }

    /// Has [`Meter::visit`] said that the budget is spent? Does not look at
    /// the clock: the question to ask after each child of a search.
    #[inline(always)]
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.spent
    }

    /// Looks at the clock now, for searches whose steps are long.
    pub fn is_spent(&mut self) -> bool {
        self.tell();
        self.spent |= self.nodes >= self.node_limit
            || self.stop.is_stopped()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if self.spent {
            self.next_look = self.next_look.min(self.nodes);
        }
        self.spent
    }

    /// Counts many nodes at once.
    pub fn add(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// Nodes counted so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// When the time is over, if it is limited.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_limit_is_obeyed_to_the_node() {
        for limit in [1, 2, 511, 512, 513, 5000] {
            let mut meter = Budget::nodes(limit).start();
            let mut allowed = 0;
            while !meter.visit() {
                allowed += 1;
            }
            assert_eq!(allowed, limit);
            assert!(meter.visit(), "once spent, always spent");
            assert_eq!(meter.nodes(), limit, "a refused visit is not counted");
        }
    }

    #[test]
    fn a_thrown_token_and_a_zero_time_are_seen_at_the_first_node() {
        let budget = Budget::unlimited();
        budget.stop.stop();
        assert!(budget.start().visit());
        assert!(Budget::time(Duration::ZERO).start().visit());
        assert!(!Budget::time(Duration::MAX).start().visit());
    }

    #[test]
    fn enough_ends_a_search_whose_answer_is_still_wanted() {
        let budget = Budget::unlimited();
        budget.stop.enough();
        assert!(budget.start().visit() && !budget.stop.is_unwanted());
        budget.stop.stop();
        assert!(budget.stop.is_unwanted());
    }

    #[test]
    fn capping_takes_the_lower_limit() {
        let budget = Budget { depth: Some(4), ..Budget::default() }.capped(None, Some(10), Some(6));
        assert_eq!((budget.nodes, budget.depth), (Some(10), Some(4)));
    }
}
