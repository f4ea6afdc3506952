//! The exact score from null windows alone.

use super::Endgame;
use super::fastest_first::solve_fast;
use crate::othello::board::Board;
use crate::othello::move_generation::Cpu;

/// The exact score of a position with few empties, without evaluation; `guess` is where the first window is put.
#[inline(always)]
pub(crate) fn exact_score<C: Cpu>(cpu: C, endgame: &Endgame<'_>, nodes: &mut u64, board: Board, guess: i32) -> i32 {
    let cells = endgame.shape.playable().count_ones() as i32;
    let count = endgame.shape.empties(board).count_ones();
    let (mut lower, mut upper) = (-cells, cells);
    let mut bound = guess.clamp(-cells, cells);
    while lower < upper {
        // Scores of full boards are even, but those of games that end early need not differ by two.
        let alpha = if bound == lower { bound } else { bound - 1 };
        let found = solve_fast(cpu, endgame, nodes, board, alpha, count);
        if found > alpha {
            lower = lower.max(found);
        } else {
            upper = upper.min(found);
        }
        bound = found;
    }
    lower
}
