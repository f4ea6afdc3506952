//! From a game's solver to [`papan_core::solver::Solver`]: limits on the way in, answers on the way out.

use crate::common::deadline::{Control, Deadline};
use papan_core::observer::UNWATCHED;
use papan_core::solver::{Solution, SolveLimits, SolveProgress};
use papan_core::{Exactness, MoveValue, Place, Score};
use std::cell::RefCell;
use std::cmp::Reverse;
use std::time::Instant;

/// Lets a solver work within the caller's limits. `ahead` is what the side to move has won already: the solver's
/// values are of what is to come.
pub(crate) fn solve_within<T>(
    limits: &SolveLimits,
    ahead: i32,
    progress: &mut dyn FnMut(&SolveProgress),
    solve: impl FnOnce(&Control) -> T,
) -> T {
    // A time too long to add to the clock is no limit at all.
    let at = limits.time.and_then(|time| Instant::now().checked_add(time));
    let progress = RefCell::new(progress);
    let report = |known: &SolveProgress| {
        let (lower, upper) = (Score(ahead + known.lower.0), Score(ahead + known.upper.0));
        (progress.borrow_mut())(&SolveProgress { lower, upper, ..*known });
    };
    let deadline = Deadline { stop: limits.stop.flag(), at, progress: &UNWATCHED };
    solve(&Control { deadline, nodes: None, report: Some(&report) })
}

/// Bounds of a value for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// At least this.
    pub low: i32,
    /// At most this.
    pub high: i32,
}

impl Bounds {
    /// A value that is known.
    pub(crate) const fn exactly(value: i32) -> Self {
        Self { low: value, high: value }
    }

    /// Nothing is known but that it is no more than this.
    pub(crate) const fn at_most(value: i32) -> Self {
        Self { low: i32::MIN, high: value }
    }

    /// The value if both bounds meet.
    #[must_use]
    pub fn exact(self) -> Option<i32> {
        (self.low == self.high).then_some(self.low)
    }
}

/// What a solver has found, moves being numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Solved {
    pub(crate) value: Bounds,
    pub(crate) moves: Vec<(usize, Bounds)>,
    /// Best moves, and whether that is every one of them.
    pub(crate) best: Vec<usize>,
    pub(crate) best_complete: bool,
    /// The principal variation.
    pub(crate) line: Vec<usize>,
    pub(crate) nodes: u64,
}

impl Solved {
    /// A value, or bounds of it, and nothing about the moves.
    pub(crate) fn bounded(value: Bounds, nodes: u64) -> Self {
        Self { value, moves: Vec::new(), best: Vec::new(), best_complete: false, line: Vec::new(), nodes }
    }

    /// The answer, with `ahead` as in [`solve_within`].
    pub(crate) fn solution(&self, ahead: i32, place: impl Fn(usize) -> Place) -> Solution<Place> {
        let places = |moves: &[usize]| moves.iter().map(|&mv| place(mv)).collect::<Vec<Place>>();
        let mut best = places(&self.best);
        best.sort_unstable();
        let rate = |&(mv, bounds): &(usize, Bounds)| MoveValue {
            mv: place(mv),
            score: Score(ahead + bounds.high),
            exactness: if bounds.exact().is_some() { Exactness::Exact } else { Exactness::AtMost },
        };
        let mut moves: Vec<MoveValue<Place>> = self.moves.iter().map(rate).collect();
        moves.sort_by_key(|mv| (Reverse(mv.score), mv.exactness != Exactness::Exact, mv.mv));
        Solution {
            lower: Score(ahead + self.value.low),
            upper: Score(ahead + self.value.high),
            best,
            best_complete: self.best_complete,
            moves,
            pv: places(&self.line),
            nodes: self.nodes,
        }
    }
}
