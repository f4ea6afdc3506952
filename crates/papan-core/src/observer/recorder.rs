//! The observer that keeps what it hears, within a bound.

use super::{BestSoFar, Cut, Generation, LeafReason, LocalStep, Observer, Tally, Visit};
use crate::{Player, Position, Score, Window};

/// A cut as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CutRecord<M> {
    /// The move whose value caused the cut.
    pub by: M,
    /// The moves that were not looked at.
    pub skipped: Vec<M>,
    /// The window when it closed, for the player to move.
    pub window: Window,
}

/// A position of the search tree as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeRecord<P: Position> {
    /// The number of the position above; `None` at a root.
    pub parent: Option<usize>,
    /// The position.
    pub position: P,
    /// The move that led here.
    pub mv: Option<P::Move>,
    /// Plies from the root.
    pub ply: u32,
    /// The window on entry, for the player to move.
    pub window: Window,
    /// The value for the player to move; `None` if the search was stopped here.
    pub score: Option<Score>,
    /// Why this is a leaf, if it is one.
    pub leaf: Option<LeafReason>,
    /// The cut, if there was one.
    pub cut: Option<CutRecord<P::Move>>,
    /// Positions below that were counted but not kept.
    pub unkept: u64,
}

/// One look of a local search at its neighbours as it is kept.
#[derive(Clone, PartialEq, Debug)]
pub struct StepRecord<M> {
    /// Which step of the restart this is.
    pub step: u32,
    /// Counts the restarts from 0.
    pub restart: u32,
    /// Each neighbour with its value.
    pub neighbours: Vec<(M, Score)>,
    /// The neighbour taken; `None` at a local optimum.
    pub taken: Option<M>,
    /// The value after the step.
    pub score: Score,
    /// The temperature, for annealing.
    pub temperature: Option<f64>,
}

/// Keeps the first `limit` tree positions, local steps, generations and
/// improvements each; counts all of them in `tally`.
#[derive(Clone, Debug)]
pub struct Recorder<P: Position> {
    /// The counts of everything, kept or not.
    pub tally: Tally,
    /// Tree positions in the order of their entry: parents before children.
    pub nodes: Vec<NodeRecord<P>>,
    /// Improvements over time.
    pub best: Vec<BestSoFar<P::Move>>,
    /// Local steps.
    pub steps: Vec<StepRecord<P::Move>>,
    /// Generations.
    pub generations: Vec<Generation>,
    limit: usize,
    /// The kept positions that the search is in: number and ply.
    path: Vec<(usize, u32)>,
    /// How many positions below the end of `path` the search is in.
    below: u32,
}

impl<P: Position> Recorder<P> {
    /// Keeps at most `limit` entries of each kind.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            tally: Tally::default(),
            nodes: Vec::new(),
            best: Vec::new(),
            steps: Vec::new(),
            generations: Vec::new(),
            limit,
            path: Vec::new(),
            below: 0,
        }
    }

    /// The entered position, if it is kept.
    fn current(&mut self) -> Option<&mut NodeRecord<P>> {
        if self.below > 0 {
            return None;
        }
        self.path.last().map(|&(number, _)| &mut self.nodes[number])
    }
}

impl<P: Position> Observer<P> for Recorder<P> {
    fn enter(&mut self, visit: &Visit<'_, P>) {
        self.tally.enter(visit);
        // A search that was stopped and began anew left its path open.
        while self.path.last().is_some_and(|&(_, ply)| ply >= visit.ply) {
            self.path.pop();
            self.below = 0;
        }
        if self.nodes.len() >= self.limit {
            self.below += 1;
            if let Some(&(number, _)) = self.path.last() {
                self.nodes[number].unkept += 1;
            }
            return;
        }
        let number = self.nodes.len();
        self.nodes.push(NodeRecord {
            parent: self.path.last().map(|&(parent, _)| parent),
            position: *visit.position,
            mv: visit.mv,
            ply: visit.ply,
            window: visit.window,
            score: None,
            leaf: None,
            cut: None,
            unkept: 0,
        });
        self.path.push((number, visit.ply));
    }

    fn leaf(&mut self, score: Score, reason: LeafReason) {
        Observer::<P>::leaf(&mut self.tally, score, reason);
        if let Some(node) = self.current() {
            node.leaf = Some(reason);
        }
    }

    fn cut(&mut self, cut: &Cut<'_, P::Move>) {
        Observer::<P>::cut(&mut self.tally, cut);
        if let Some(node) = self.current() {
            node.cut = Some(CutRecord { by: cut.by, skipped: cut.skipped.to_vec(), window: cut.window });
        }
    }

    fn exit(&mut self, _to_move: Player, score: Score) {
        if self.below > 0 {
            self.below -= 1;
        } else if let Some((number, _)) = self.path.pop() {
            self.nodes[number].score = Some(score);
        }
    }

    fn best(&mut self, best: &BestSoFar<P::Move>) {
        Observer::<P>::best(&mut self.tally, best);
        if self.best.len() < self.limit {
            self.best.push(*best);
        }
    }

    fn local_step(&mut self, step: &LocalStep<'_, P::Move>) {
        Observer::<P>::local_step(&mut self.tally, step);
        if self.steps.len() < self.limit {
            self.steps.push(StepRecord {
                step: step.step,
                restart: step.restart,
                neighbours: step.neighbours.to_vec(),
                taken: step.taken,
                score: step.score,
                temperature: step.temperature,
            });
        }
    }

    fn generation(&mut self, generation: &Generation) {
        Observer::<P>::generation(&mut self.tally, generation);
        if self.generations.len() < self.limit {
            self.generations.push(*generation);
        }
    }
}
