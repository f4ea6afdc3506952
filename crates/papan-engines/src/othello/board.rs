//! The board as two words, and the shapes (8×8, 6×6, 4×4) that it can take.
//!
//! ```text
//!      a  b  c  d  e  f  g  h
//!  1   0  1  2  3  4  5  6  7        bit = 8 * row + column, a1 is bit 0
//!  2   8  9 10 11 12 13 14 15
//!  …                                 A smaller board is the top left corner of this one:
//!  8  56 57 58 59 60 61 62 63        the squares outside belong to nobody and are never playable.
//! ```
//!
//! A run of discs that is closed by an own disc lies between two playable squares, and a square board is convex,
//! so the 8×8 code for flips and mobility is right for the smaller boards too once its moves are masked.

use papan_games::othello::OthelloPosition;

/// Marks "no square", for a hash move that is not known or a pass.
pub(super) const NO_SQUARE: u8 = 64;

/// The discs as seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Board {
    /// Discs of the side to move.
    pub player: u64,
    /// Discs of the other side.
    pub opponent: u64,
}

impl Board {
    /// The board and the shape of a position.
    pub(crate) fn of(position: &OthelloPosition) -> (Self, Shape) {
        let [player, opponent] = position.own_and_other();
        let rules = position.rules();
        let shape = Shape::square(u32::from(rules.size));
        (Self { player, opponent }, if rules.passing { shape } else { shape.without_passing() })
    }

    /// Every occupied square.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn occupied(self) -> u64 {
        self.player | self.opponent
    }

    /// The board after the side to move has played on `square` and turned `flips`; the other side is to move.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn after(self, square: u32, flips: u64) -> Self {
        Self { player: self.opponent ^ flips, opponent: self.player | flips | (1 << square) }
    }

    /// The board after a pass.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn passed(self) -> Self {
        Self { player: self.opponent, opponent: self.player }
    }

    /// Discs of the side to move minus those of the other side.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn difference(self) -> i32 {
        self.player.count_ones() as i32 - self.opponent.count_ones() as i32
    }

    /// The result of a finished game for the side to move: `empties` squares go to the winner.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn final_score(self, empties: u32) -> i32 {
        let difference = self.difference();
        difference + difference.signum() * empties as i32
    }

    /// The eight pictures of the board under rotation and reflection of the 8×8 square.
    #[must_use]
    pub(crate) fn symmetries(self) -> [Self; 8] {
        std::array::from_fn(|symmetry| Self {
            player: transform(self.player, symmetry),
            opponent: transform(self.opponent, symmetry),
        })
    }

    /// The least of the eight pictures: the same for all positions that differ by a symmetry of the 8×8 square.
    #[must_use]
    pub(crate) fn canonical(self) -> Self {
        self.symmetries().into_iter().min_by_key(|board| (board.player, board.opponent)).unwrap_or(self)
    }
}

/// One of the eight symmetries (`0..8`) applied to a set of squares: bit 0 mirrors the columns, bit 1 the rows,
/// bit 2 the main diagonal, in this order.
#[must_use]
pub(super) fn transform(squares: u64, symmetry: usize) -> u64 {
    let mut result = squares;
    if symmetry & 1 != 0 {
        result = result.reverse_bits().swap_bytes();
    }
    if symmetry & 2 != 0 {
        result = result.swap_bytes();
    }
    if symmetry & 4 != 0 {
        result = transpose(result);
    }
    result
}

/// Mirrors on the diagonal a1–h8 by three rounds of block swaps.
#[must_use]
pub(super) const fn transpose(squares: u64) -> u64 {
    let mut x = squares;
    let mut swap = (x ^ (x >> 7)) & 0x00AA_00AA_00AA_00AA;
    x ^= swap ^ (swap << 7);
    swap = (x ^ (x >> 14)) & 0x0000_CCCC_0000_CCCC;
    x ^= swap ^ (swap << 14);
    swap = (x ^ (x >> 28)) & 0x0000_0000_F0F0_F0F0;
    x ^ swap ^ (swap << 28)
}

/// A board size with its playable squares, and what happens to a side that cannot move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    size: u32,
    playable: u64,
    passing: bool,
}

impl Shape {
    /// The 8×8 board.
    pub(crate) const STANDARD: Self = Self::square(8);

    /// A board of 4, 6 or 8 squares on a side.
    pub(crate) const fn square(size: u32) -> Self {
        let row = (1_u64 << size) - 1;
        let mut playable = 0;
        let mut index = 0;
        while index < size {
            playable |= row << (8 * index);
            index += 1;
        }
        Self { size, playable, passing: true }
    }

    /// The same board by the rule that the game ends where a side cannot move.
    #[must_use]
    pub(crate) const fn without_passing(self) -> Self {
        Self { passing: false, ..self }
    }

    /// Whether a side that cannot move passes; if not, the game is over.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn passing(self) -> bool {
        self.passing
    }

    /// Squares on a side.
    #[must_use]
    pub(crate) const fn size(self) -> u32 {
        self.size
    }

    /// The set of squares that exist.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn playable(self) -> u64 {
        self.playable
    }

    /// Whether this is the 8×8 board, the only one that the evaluation was trained for.
    #[must_use]
    pub(crate) const fn is_standard(self) -> bool {
        self.size == 8
    }

    /// The eight pictures of a board under rotation and reflection of this shape.
    #[must_use]
    pub(crate) fn pictures(self, board: Board) -> [Board; 8] {
        let spare = 8 - self.size;
        std::array::from_fn(|symmetry| {
            // The squares that exist lie at the top left; mirrored, at the other end of the rows and columns.
            let [mirrored, turned_over, diagonal] = [1, 2, 4].map(|bit| symmetry & bit != 0);
            let (right, down) = if diagonal { (turned_over, mirrored) } else { (mirrored, turned_over) };
            let shift = spare * (u32::from(right) + 8 * u32::from(down));
            let picture = |squares| transform(squares, symmetry) >> shift;
            Board { player: picture(board.player), opponent: picture(board.opponent) }
        })
    }

    /// The empty squares of a board of this shape.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn empties(self, board: Board) -> u64 {
        self.playable & !board.occupied()
    }

    /// The set of the four corner squares.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn corners(self) -> u64 {
        let last = self.size - 1;
        1 | 1 << last | 1 << (8 * last) | 1 << (9 * last)
    }

    /// The four quadrants, whose parity of empties orders moves near the end.
    #[must_use]
    pub(crate) const fn quadrants(self) -> [u64; 4] {
        let half = self.size / 2;
        let corner = Self::square(half).playable;
        [corner, corner << half, corner << (8 * half), corner << (9 * half)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::move_generation::{Cpu as _, Portable};
    use crate::othello::testing::{random_boards_with_empties, start};

    #[test]
    fn transposing_swaps_rows_and_columns() {
        for square in 0..64_u32 {
            let mirrored = (square % 8) * 8 + square / 8;
            assert_eq!(transpose(1 << square), 1 << mirrored);
        }
    }

    #[test]
    fn symmetries_share_one_canonical_board() {
        let board = Board { player: 0x0000_1008_1224_0001, opponent: 0x0001_0010_2000_0480 };
        for picture in board.symmetries() {
            assert_eq!(picture.canonical(), board.canonical());
        }
    }

    /// Whatever the picture, a position has as many moves, and its board lies on the squares that exist.
    #[test]
    fn pictures_stay_on_the_board() {
        for size in [4, 6, 8] {
            let shape = Shape::square(size);
            for board in random_boards_with_empties(20, 9, shape, 6) {
                let moves =
                    |board: Board| (Portable.moves(board.player, board.opponent) & shape.playable()).count_ones();
                let pictures = shape.pictures(board);
                assert_eq!(pictures[0], board);
                for picture in pictures {
                    assert_eq!((picture.player | picture.opponent) & !shape.playable(), 0);
                    assert_eq!(shape.empties(picture).count_ones(), 6);
                    assert_eq!(moves(picture), moves(board));
                    assert!(shape.pictures(picture).contains(&board));
                }
            }
            assert_eq!(shape.pictures(start(shape)).iter().filter(|&&picture| picture == start(shape)).count(), 4);
        }
    }

    #[test]
    fn quadrants_partition_every_shape() {
        for size in [4, 6, 8] {
            let shape = Shape::square(size);
            let [a, b, c, d] = shape.quadrants();
            assert_eq!(a | b | c | d, shape.playable());
            assert_eq!(a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones(), size * size);
        }
    }
}
