//! A position as the search carries it.

use crate::othello::board::{Board, Shape};
use crate::othello::evaluation::features::Features;

/// A board with what is kept up to date along with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The board.
    pub board: Board,
    /// The codes of its patterns.
    pub features: Features,
    /// Number of empty squares.
    pub empties: u32,
}

impl Node {
    /// A node from nothing.
    #[must_use]
    pub(crate) fn new(board: Board, shape: Shape) -> Self {
        Self { board, features: Features::of(board), empties: shape.empties(board).count_ones() }
    }

    /// The node after a move.
    #[inline(always)]
    #[must_use]
    pub(crate) fn after(&self, places: &[Features; 64], square: u32, flips: u64) -> Self {
        Self {
            board: self.board.after(square, flips),
            features: self.features.after(places, square, flips),
            empties: self.empties - 1,
        }
    }

    /// The node after a pass.
    #[inline(always)]
    #[must_use]
    pub(crate) fn passed(&self) -> Self {
        Self { board: self.board.passed(), features: self.features.passed(), empties: self.empties }
    }
}
