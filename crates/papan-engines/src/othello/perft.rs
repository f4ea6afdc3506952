//! Counts of move sequences: the test of the move generator, and its speed.

use super::board::{Board, Shape};

use super::cpu::{Cpu, Task, dispatch};
use crate::common::bits::SetBits;

/// Leaves at `depth` plies; a pass is a ply and a finished game is a leaf. Leaves of the last ply are counted
/// without being made.
#[must_use]
pub fn perft(board: Board, shape: Shape, depth: u32) -> u64 {
    dispatch(Perft { board, playable: shape.playable(), depth })
}

struct Perft {
    board: Board,
    playable: u64,
    depth: u32,
}

impl Task for Perft {
    type Output = u64;

    #[inline(always)]
    fn work<C: Cpu>(self, cpu: C) -> u64 {
        if self.depth == 0 {
            return 1;
        }
        let Board { player, opponent } = self.board;
        let moves = cpu.moves(player, opponent) & self.playable;
        if moves == 0 {
            let game_over = cpu.moves(opponent, player) & self.playable == 0;
            return if game_over {
                1
            } else {
                cpu.run(Self { board: self.board.passed(), depth: self.depth - 1, ..self })
            };
        }
        if self.depth == 1 {
            return u64::from(moves.count_ones());
        }
        SetBits(moves)
            .map(|square| {
                let flips = cpu.flips(square, player, opponent);
                cpu.run(Self { board: self.board.after(square, flips), depth: self.depth - 1, ..self })
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_from_the_start_are_the_published_ones() {
        let published = [4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288, 24_571_284];
        for (depth, expected) in (1..).zip(published) {
            assert_eq!(perft(Shape::STANDARD.start(), Shape::STANDARD, depth), expected);
        }
    }
}
