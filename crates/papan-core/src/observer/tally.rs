//! The observer that only counts.

use serde::Serialize;

use super::{BestSoFar, Cut, Generation, LeafReason, LocalStep, Observer, Visit};
use crate::{Position, Score};

/// The counts of one search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// Positions entered, the root and the leaves among them.
    pub nodes: u64,
    /// Leaves where the game is over.
    pub over: u64,
    /// Leaves at the depth limit.
    pub horizon: u64,
    /// Leaves whose stored value sufficed.
    pub table: u64,
    /// Positions whose remaining moves were skipped.
    pub cuts: u64,
    /// The deepest ply entered.
    pub max_depth: u32,
    /// How often a better move was reported.
    pub improvements: u64,
    /// Looks of a local search at its neighbours.
    pub local_steps: u64,
    /// Generations of a genetic search.
    pub generations: u64,
}

impl Tally {
    /// Leaves of every kind.
    #[must_use]
    pub const fn leaves(&self) -> u64 {
        self.over + self.horizon + self.table
    }
}

impl<P: Position> Observer<P> for Tally {
    fn enter(&mut self, visit: &Visit<'_, P>) {
        self.nodes += 1;
        self.max_depth = self.max_depth.max(visit.ply);
    }

    fn leaf(&mut self, _score: Score, reason: LeafReason) {
        *match reason {
            LeafReason::Over => &mut self.over,
            LeafReason::Horizon => &mut self.horizon,
            LeafReason::Table => &mut self.table,
        } += 1;
    }

    fn cut(&mut self, _cut: &Cut<'_, P::Move>) {
        self.cuts += 1;
    }

    fn best(&mut self, _best: &BestSoFar<P::Move>) {
        self.improvements += 1;
    }

    fn local_step(&mut self, _step: &LocalStep<'_, P::Move>) {
        self.local_steps += 1;
    }

    fn generation(&mut self, _generation: &Generation) {
        self.generations += 1;
    }
}
