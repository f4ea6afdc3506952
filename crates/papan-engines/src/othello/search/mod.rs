//! The search above the last dozen empties: one principal variation search for the middle game (to a depth, then
//! the evaluation) and for the end (to the last disc), selective or exact.
//!
//! A question enters by [`Search`], which makes a [`Searcher`] for the CPU. From there it goes down:
//! [`iterative_deepening`] or [`solve`] (which iterations), [`root`] (the moves of the root, aspiration windows),
//! [`pvs`] (one node, in numbered steps, with [`probcut`], [`move_ordering`] and [`parallel`]), and at the bottom
//! [`leaf`] in the middle game, [`super::endgame`] near the end.

pub(super) mod iterative_deepening;
mod leaf;
mod move_ordering;
mod node;
mod parallel;
pub(super) mod probcut;
pub(super) mod pvs;
pub(super) mod root;
pub(super) mod solve;

use super::board::{Board, Shape};
use super::endgame::Endgame;
use super::endgame::leaf_cache::LeafCache;
use super::endgame::quadrants::Quadrants;
use super::evaluation::features::{Features, PLACE_VALUES};
use super::evaluation::weights::{UNIT, Weights};
use super::limits::StopCondition;
use super::move_generation::{Cpu, Task};
use super::transposition::TranspositionTable;
pub(super) use node::Node;
use probcut::ErrorModel;

/// A question that is answered with a searcher.
pub(super) trait Question: Send {
    /// What the answer is.
    type Answer: Send;
    /// Answers it.
    fn answer<C: Cpu>(self, searcher: &Searcher<'_, C>) -> Self::Answer;
}

/// A question with all that a searcher is made of.
pub(super) struct Search<'a, Q> {
    /// The board's shape.
    pub shape: Shape,
    /// When to stop.
    pub stop: &'a StopCondition<'a>,
    /// The transposition table.
    pub table: &'a TranspositionTable,
    /// Caches of the last plies, one for each thread.
    pub caches: &'a [LeafCache],
    /// The evaluation's weights.
    pub weights: &'a Weights,
    /// Whether idle threads may be given work.
    pub parallel: bool,
    /// The question.
    pub question: Q,
}

impl<Q: Question> Task for Search<'_, Q> {
    type Output = Q::Answer;

    fn work<C: Cpu>(self, cpu: C) -> Q::Answer {
        let Self { shape, stop, table, caches, weights, parallel, question } = self;
        let endgame = Endgame { shape, quadrants: Quadrants::new(shape), cache: &caches[0], stop };
        let (places, errors) = (&PLACE_VALUES, ErrorModel::FITTED);
        question.answer(&Searcher { cpu, endgame, table, weights, places, errors, caches, parallel })
    }
}

/// A window of scores: a search finds the exact value only of what lies strictly inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// Lower end.
    pub alpha: i32,
    /// Upper end.
    pub beta: i32,
}

impl Window {
    /// Every score.
    pub(super) const FULL: Self = Self { alpha: -65, beta: 65 };

    /// The null window that asks whether a value is more than `alpha`.
    #[inline(always)]
    pub(super) const fn above(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The window as the other side sees it.
    #[inline(always)]
    pub(super) const fn turned(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// Whether no value lies inside, so that only a bound can be found.
    #[inline(always)]
    pub(super) const fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }
}

/// How far a search looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    /// Plies; the number of empties if to the end.
    pub depth: u32,
    /// Level of selectivity.
    pub level: u8,
}

impl Effort {
    /// The effort for what comes after a move.
    #[inline(always)]
    pub(super) const fn after_a_move(self) -> Self {
        Self { depth: self.depth - 1, level: self.level }
    }
}

/// All that the threads of one search share.
pub(super) struct Searcher<'a, C: Cpu> {
    /// The instructions to use.
    pub cpu: C,
    /// What every endgame node needs.
    pub endgame: Endgame<'a>,
    /// The transposition table.
    pub table: &'a TranspositionTable,
    /// The evaluation's weights.
    pub weights: &'a Weights,
    /// What a disc adds to the codes of the patterns.
    pub places: &'a [Features; 64],
    /// How far shallow searches are from deep ones.
    pub errors: ErrorModel,
    /// Caches of the last plies, one for each thread of a parallel search.
    pub caches: &'a [LeafCache],
    /// Whether idle threads may be given work.
    pub parallel: bool,
}

impl<C: Cpu> Searcher<'_, C> {
    /// The legal moves of a board.
    #[inline(always)]
    pub(super) fn moves(&self, board: Board) -> u64 {
        self.cpu.moves(board.player, board.opponent) & self.endgame.shape.playable()
    }

    /// The evaluation for the side to move in parts of [`UNIT`].
    #[inline(always)]
    pub(super) fn evaluate(&self, node: &Node) -> i32 {
        if self.endgame.shape.is_standard() {
            self.weights.phase(64 - node.empties).evaluate(&node.features)
        } else {
            self.plain_evaluation(node.board)
        }
    }

    /// Moves, empty squares beside the other side's discs, and corners: the evaluation of the boards that no weights
    /// were trained for. The parts were chosen by the nodes that solving 6×6 positions takes.
    fn plain_evaluation(&self, board: Board) -> i32 {
        let empties = self.endgame.shape.empties(board);
        let corners = self.endgame.shape.corners();
        let side = |own: u64, other: u64, moves: u64| {
            let frontier = neighbours(other) & empties;
            2 * moves.count_ones() as i32 + frontier.count_ones() as i32 + 16 * (own & corners).count_ones() as i32
        };
        let Board { player, opponent } = board;
        let ahead = side(player, opponent, self.moves(board)) - side(opponent, player, self.moves(board.passed()));
        UNIT / 2 * ahead
    }
}

/// The squares beside a set, and the set.
const fn neighbours(set: u64) -> u64 {
    const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let wide = set | set << 1 & NOT_A | set >> 1 & NOT_H;
    wide | wide << 8 | wide >> 8
}
