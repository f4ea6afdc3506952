//! The codes of all patterns of a position, kept up to date move by move.

use super::patterns::{LANES, patterns};
use crate::common::bits::SetBits;
use crate::othello::board::Board;
use std::sync::LazyLock;

/// Codes of the 46 patterns, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub(crate) struct Features(pub [i16; LANES]);

/// `PLACE_VALUES[square]`: what a disc of the side to move on the square adds to each code.
pub(crate) static PLACE_VALUES: LazyLock<Box<[Features; 64]>> = LazyLock::new(|| {
    let mut table = Box::new([Features([0; LANES]); 64]);
    for (lane, pattern) in patterns().iter().enumerate() {
        let mut value = 1;
        for &square in &pattern.squares {
            table[usize::from(square)].0[lane] = value;
            value = value.wrapping_mul(3);
        }
    }
    table
});

impl Features {
    /// The codes of a board, from nothing.
    #[must_use]
    pub(crate) fn of(board: Board) -> Self {
        let mut codes = [0_i16; LANES];
        for (set, sign) in [(board.player, 1), (board.opponent, -1)] {
            for square in SetBits(set) {
                for (code, value) in codes.iter_mut().zip(&PLACE_VALUES[square as usize].0) {
                    *code += sign * value;
                }
            }
        }
        Self(codes)
    }

    /// The codes after a move, seen by the side that is then to move.
    #[inline(always)]
    #[must_use]
    pub(crate) fn after(&self, places: &[Self; 64], square: u32, flips: u64) -> Self {
        // Plain loops become a few vector adds; iterators may be compiled apart, without the caller's instructions.
        let mut turned = [0_i16; LANES];
        let mut rest = flips;
        while rest != 0 {
            let values = &places[rest.trailing_zeros() as usize & 63].0;
            let mut lane = 0;
            while lane < LANES {
                turned[lane] = turned[lane].wrapping_add(values[lane]);
                lane += 1;
            }
            rest &= rest - 1;
        }
        let placed = &places[square as usize & 63].0;
        let mut codes = [0_i16; LANES];
        let mut lane = 0;
        while lane < LANES {
            let change = turned[lane].wrapping_add(turned[lane]).wrapping_add(placed[lane]);
            codes[lane] = 0_i16.wrapping_sub(self.0[lane]).wrapping_sub(change);
            lane += 1;
        }
        Self(codes)
    }

    /// The codes after a pass.
    #[inline(always)]
    #[must_use]
    pub(crate) fn passed(&self) -> Self {
        Self(self.0.map(i16::wrapping_neg))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Shape;
    use crate::othello::move_generation::{Cpu, Portable};
    use crate::othello::testing::random_boards;

    #[test]
    fn updated_codes_are_those_made_from_nothing() {
        for board in random_boards(3_000, 21, Shape::STANDARD) {
            let features = Features::of(board);
            assert_eq!(features.passed(), Features::of(board.passed()));
            for square in SetBits(Portable.moves(board.player, board.opponent)) {
                let flips = Portable.flips(square, board.player, board.opponent);
                assert_eq!(features.after(&PLACE_VALUES, square, flips), Features::of(board.after(square, flips)));
            }
        }
    }
}
