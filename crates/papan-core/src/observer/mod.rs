//! Looking into a search while it runs.
//!
//! [`Silent`] hears nothing, [`Tally`] counts, [`Recorder`] counts everything
//! and keeps as much of it as it is allowed to. [`Progress`] says how far a
//! search is while it has nothing else to tell.

mod progress;
mod recorder;
mod tally;

pub use progress::{Progress, UNWATCHED};
pub use recorder::{BestRecord, ChildRecord, CutRecord, NodeRecord, PlyCount, Recorder, StepRecord, VisitsRecord};
pub use tally::Tally;

use serde::Serialize;

use crate::{Player, Position, Score, Window};

/// A position that a search enters.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'a, P: Position> {
    /// The position.
    pub position: &'a P,
    /// The move that led here, `None` at the root.
    pub mv: Option<P::Move>,
    /// Plies from the root.
    pub ply: u32,
    /// The window on entry, from the chair of the player to move.
    pub window: Window,
}

/// Why a search looked no further at a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LeafReason {
    /// The game is over.
    Over,
    /// The depth limit is reached; the value is an estimate.
    Horizon,
    /// A stored value sufficed.
    Table,
}

/// Moves that a search skips, and the bound that allows it.
#[derive(Clone, Copy, Debug)]
pub struct Cut<'a, M> {
    /// The move whose value caused the cut.
    pub by: M,
    /// The moves that are not looked at.
    pub skipped: &'a [M],
    /// The window when it closed, from the chair of the player to move:
    /// `alpha >= beta`.
    pub window: Window,
}

/// The best move so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BestSoFar<M> {
    /// The move.
    pub mv: M,
    /// Its value for the player to move at the root.
    pub score: Score,
    /// Plies of look-ahead behind it.
    pub depth: u32,
    /// Positions visited so far.
    pub nodes: u64,
}

/// One look at the neighbours of a local search.
#[derive(Clone, Copy, Debug)]
pub struct LocalStep<'a, M> {
    /// Which step of which restart this is.
    pub step: u32,
    /// Counts the restarts from 0.
    pub restart: u32,
    /// The value before the step.
    pub before: Score,
    /// Each neighbour with its value.
    pub neighbours: &'a [(M, Score)],
    /// The neighbour taken; `None` at a local optimum.
    pub taken: Option<M>,
    /// The value after the step.
    pub score: Score,
    /// The temperature, for annealing.
    pub temperature: Option<f64>,
}

/// One generation of a genetic search.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Generation {
    /// Counts from 0.
    pub number: u32,
    /// The best fitness in it.
    pub best: Score,
    /// The mean fitness.
    pub mean: f64,
    /// The share of distinct chromosomes, 0 to 1.
    pub diversity: f64,
}

/// Why a move of a plan was drawn anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Redrawn {
    /// By chance: a mutation.
    Mutated,
    /// The move that stood there was not legal: a repair.
    Repaired,
    /// The plan was too short.
    Added,
}

/// A plan of a genetic search, and how it came to be.
#[derive(Clone, Copy, Debug)]
pub struct Child<'a, M> {
    /// The generation that it belongs to.
    pub generation: u32,
    /// The places of its parents in the generation before, the fittest being
    /// 0: none in the first generation, one for a copy.
    pub parents: &'a [u32],
    /// How many moves are the first parent's; the rest are the second's.
    pub cut: Option<u32>,
    /// The moves before mutation and repair.
    pub inherited: &'a [M],
    /// The moves in the end.
    pub plan: &'a [M],
    /// The places that were drawn anew, and why.
    pub redrawn: &'a [(u32, Redrawn)],
    /// Its fitness.
    pub fitness: Score,
}

/// How often a Monte Carlo search visited each root move so far.
#[derive(Clone, Copy, Debug)]
pub struct Visits<'a, M> {
    /// Simulations so far.
    pub simulations: u64,
    /// Each root move with its visits and its mean for the player to move,
    /// from −1 to 1.
    pub moves: &'a [(M, u64, f64)],
}

/// Receives what a search does. Every method has an empty default; with
/// [`Silent`] the calls vanish from the machine code.
///
/// A tree search calls `enter` and `exit` in pairs, with `leaf` in between at
/// a leaf and at most one `cut` elsewhere. Only a search whose budget runs out
/// leaves the positions that it was in without `exit`.
pub trait Observer<P: Position> {
    /// False only where nobody listens: lets a search skip preparing reports.
    fn is_active(&self) -> bool {
        true
    }
    /// Does anyone hear of the best move so far? True also for [`Watching`],
    /// who hears of nothing else.
    fn hears_best(&self) -> bool {
        true
    }
    /// A position is entered.
    fn enter(&mut self, _visit: &Visit<'_, P>) {}
    /// The entered position is a leaf with this value, for its player to move.
    fn leaf(&mut self, _score: Score, _reason: LeafReason) {}
    /// The rest of the entered position's moves are skipped.
    fn cut(&mut self, _cut: &Cut<'_, P::Move>) {}
    /// The entered position is left with this value for its player to move.
    fn exit(&mut self, _to_move: Player, _score: Score) {}
    /// A better move was found, or the same one at a greater depth.
    fn best(&mut self, _best: &BestSoFar<P::Move>) {}
    /// A local search looked at its neighbours.
    fn local_step(&mut self, _step: &LocalStep<'_, P::Move>) {}
    /// A genetic search finished a generation.
    fn generation(&mut self, _generation: &Generation) {}
    /// A genetic search made a plan.
    fn child(&mut self, _child: &Child<'_, P::Move>) {}
    /// A Monte Carlo search has visited its root moves so often.
    fn visits(&mut self, _visits: &Visits<'_, P::Move>) {}
}

/// The observer that nobody is behind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl<P: Position> Observer<P> for Silent {
    #[inline(always)]
    fn is_active(&self) -> bool {
        false
    }
    #[inline(always)]
    fn hears_best(&self) -> bool {
        false
    }
}

/// Hears only of the best move so far: a search that is watched runs as fast
/// as one that is not.
pub struct Watching<'a, P: Position>(pub &'a mut dyn FnMut(&BestSoFar<P::Move>));

impl<P: Position> Observer<P> for Watching<'_, P> {
    #[inline(always)]
    fn is_active(&self) -> bool {
        false
    }
    fn best(&mut self, best: &BestSoFar<P::Move>) {
        (self.0)(best);
    }
}

impl<P: Position> Observer<P> for &mut dyn Observer<P> {
    fn is_active(&self) -> bool {
        (**self).is_active()
    }
    fn hears_best(&self) -> bool {
        (**self).hears_best()
    }
    fn enter(&mut self, visit: &Visit<'_, P>) {
        (**self).enter(visit);
    }
    fn leaf(&mut self, score: Score, reason: LeafReason) {
        (**self).leaf(score, reason);
    }
    fn cut(&mut self, cut: &Cut<'_, P::Move>) {
        (**self).cut(cut);
    }
    fn exit(&mut self, to_move: Player, score: Score) {
        (**self).exit(to_move, score);
    }
    fn best(&mut self, best: &BestSoFar<P::Move>) {
        (**self).best(best);
    }
    fn local_step(&mut self, step: &LocalStep<'_, P::Move>) {
        (**self).local_step(step);
    }
    fn generation(&mut self, generation: &Generation) {
        (**self).generation(generation);
    }
    fn child(&mut self, child: &Child<'_, P::Move>) {
        (**self).child(child);
    }
    fn visits(&mut self, visits: &Visits<'_, P::Move>) {
        (**self).visits(visits);
    }
}
