//! The search of boards on which cells may stay empty.

use std::marker::PhantomData;
use std::time::Instant;

use super::evaluation::{UNIT, Weights, evaluate, fitted};
use super::iterative_deepening::{Node, deepen};
use super::transposition::{TranspositionTable, hash};
use crate::adjacency::rule::Rule;
use crate::common::deadline::Deadline;

/// How long and how deep to search.
#[derive(Clone, Copy)]
pub(crate) struct SearchLimits<'a> {
    /// When to stop.
    pub(crate) deadline: Deadline<'a>,
    /// The most nodes, of the first thread.
    pub(crate) nodes: Option<u64>,
    /// The greatest depth in plies.
    pub(crate) depth: u32,
    /// Threads.
    pub(crate) threads: usize,
    /// Give every root move its own value at every depth, not only a bound.
    pub(crate) all_moves: bool,
    /// Once the search is over, value the moves that have only a bound within these limits: for analysis.
    pub(crate) rating: Option<RatingLimits>,
}

impl<'a> SearchLimits<'a> {
    /// One thread to a depth.
    pub(super) fn to_depth(deadline: Deadline<'a>, depth: u32) -> Self {
        Self { deadline, nodes: None, depth, threads: 1, all_moves: false, rating: None }
    }
}

/// How long to value moves at the depth of the best one, counted from the beginning of the search.
#[derive(Clone, Copy)]
pub(crate) struct RatingLimits {
    /// When to stop.
    pub(crate) deadline: Option<Instant>,
    /// The most nodes, of the first thread.
    pub(crate) nodes: Option<u64>,
}

/// A root move with its score in [`UNIT`]s; an upper bound unless `full`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scored {
    /// The cell.
    pub(crate) cell: u32,
    /// Score for the side to move.
    pub(crate) score: i32,
    /// Whether the score is a value rather than an upper bound.
    pub(crate) full: bool,
    /// The depth of the search behind the score.
    pub(crate) depth: u32,
}

/// The outcome of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// Root moves, best first; never empty.
    pub(crate) moves: Vec<Scored>,
    /// The depth that was finished.
    pub(crate) depth: u32,
    /// Nodes of all threads.
    pub(crate) nodes: u64,
}

/// The playing search with its table.
pub(crate) struct Searcher {
    table: TranspositionTable,
    weights: Option<Box<Weights>>,
}

impl Searcher {
    /// A search with a table of so many MiB.
    #[must_use]
    pub(crate) fn new(megabytes: usize) -> Self {
        Self { table: TranspositionTable::new(megabytes), weights: None }
    }

    /// As [`Searcher::new`], with other weights than the fitted ones.
    #[cfg(any(test, feature = "training"))]
    #[must_use]
    pub(crate) fn with_weights(megabytes: usize, weights: Weights) -> Self {
        Self { table: TranspositionTable::new(megabytes), weights: Some(Box::new(weights)) }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.table.clear();
    }

    /// Searches a position with at least one ply left. `report` hears of each finished depth.
    pub(crate) fn search<R: Rule>(
        &self,
        own: u64,
        opp: u64,
        plies: u32,
        limits: &SearchLimits<'_>,
        report: &mut dyn FnMut(&Found),
    ) -> Found {
        let weights = self.weights.as_deref().unwrap_or(fitted::<R>());
        let root = Board::<R> { own, opp, plies, rule: PhantomData };
        deepen(&self.table, weights, root, limits, report)
    }
}

/// The board after a move, from the other side's chair.
#[inline(always)]
#[must_use]
pub(crate) fn after<R: Rule>(own: u64, opp: u64, cell: u32) -> (u64, u64) {
    let flipped = R::neighbours(cell) & opp;
    (opp & !flipped, own | 1 << cell | flipped)
}

/// Marks of both sides and the plies left.
#[derive(Clone, Copy)]
struct Board<R> {
    own: u64,
    opp: u64,
    plies: u32,
    rule: PhantomData<R>,
}

impl<R: Rule> Node for Board<R> {
    type Evaluation = Weights;
    type Ready = ();

    #[inline(always)]
    fn open(&self) -> u64 {
        !(self.own | self.opp)
    }

    /// Captures.
    #[inline(always)]
    fn promising(&self, (): ()) -> u64 {
        self.open() & R::spread(self.opp)
    }

    #[inline(always)]
    fn plies(&self) -> u32 {
        self.plies
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        hash(self.own, self.opp, self.plies)
    }

    #[inline(always)]
    fn ready(&self) {}

    /// All marks are in the value already.
    #[inline(always)]
    fn earned((): (), _: u32) -> i32 {
        0
    }

    #[inline(always)]
    fn after(&self, cell: u32) -> Self {
        let (own, opp) = after::<R>(self.own, self.opp, cell);
        Self { own, opp, plies: self.plies - 1, ..*self }
    }

    #[inline(always)]
    fn value(&self, weights: &Weights) -> i32 {
        evaluate::<R>(weights, self.own, self.opp, self.plies)
    }

    #[inline(always)]
    fn is_exact(&self) -> bool {
        self.plies <= 1
    }
}

/// A score as a margin, rounded.
#[must_use]
pub(crate) fn as_margin(score: i32) -> i32 {
    (score + UNIT / 2).div_euclid(UNIT)
}
