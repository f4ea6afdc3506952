//! The search above the last dozen empties: one principal variation search for the middle game (to a depth, then
//! the evaluation) and for the end (to the last disc), selective or exact.

pub mod node;
pub mod order;
pub mod parallel;
pub mod probcut;
pub mod root;
pub mod solve;
pub mod tip;
pub mod visit;

use super::board::Board;
use super::cpu::Cpu;
use super::endgame::shallow::Ground;
use super::evaluation::features::Features;
use super::evaluation::weights::{UNIT, Weights};
use super::table::{LeafCache, Table};
use node::Node;
use probcut::ErrorModel;

/// All that the threads of one search share.
pub struct Searcher<'a, C: Cpu> {
    /// The instructions to use.
    pub cpu: C,
    /// The endgame's ground: shape, quadrants, cache.
    pub ground: Ground<'a>,
    /// The hash table.
    pub table: &'a Table,
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
    pub fn moves(&self, board: Board) -> u64 {
        self.cpu.moves(board.player, board.opponent) & self.ground.shape.playable()
    }

    /// The evaluation for the side to move in parts of [`UNIT`].
    #[inline(always)]
    pub fn evaluate(&self, node: &Node) -> i32 {
        if self.ground.shape.is_standard() {
            self.weights.phase(64 - node.empties).evaluate(&node.features)
        } else {
            self.plain_evaluation(node.board)
        }
    }

    /// Mobility and corners: the evaluation of the boards that no weights were trained for.
    fn plain_evaluation(&self, board: Board) -> i32 {
        let corners = self.ground.shape.corners();
        let count = |set: u64| set.count_ones() as i32;
        let mobility = count(self.moves(board)) - count(self.moves(board.passed()));
        UNIT * (mobility + 4 * (count(board.player & corners) - count(board.opponent & corners)))
    }
}
