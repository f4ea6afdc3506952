//! The search above the last dozen empties: one principal variation search for the middle game (to a depth, then
//! the evaluation) and for the end (to the last disc), selective or exact.

pub mod leaf;
pub mod move_ordering;
pub mod node;
pub mod parallel;
pub mod probcut;
pub mod pvs;
pub mod root;
pub mod solve;

use super::board::Board;
use super::cpu::Cpu;
use super::endgame::parity::Endgame;
use super::evaluation::features::Features;
use super::evaluation::weights::{UNIT, Weights};
use super::leaf_cache::LeafCache;
use super::transposition::TranspositionTable;
use node::Node;
use probcut::ErrorModel;

/// All that the threads of one search share.
pub struct Searcher<'a, C: Cpu> {
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
    pub fn moves(&self, board: Board) -> u64 {
        self.cpu.moves(board.player, board.opponent) & self.endgame.shape.playable()
    }

    /// The evaluation for the side to move in parts of [`UNIT`].
    #[inline(always)]
    pub fn evaluate(&self, node: &Node) -> i32 {
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
