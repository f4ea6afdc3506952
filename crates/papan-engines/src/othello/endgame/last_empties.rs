//! The last four empty squares, where half of the solver's time goes: no move lists, no transposition table.
//!
//! These are fail-soft null-window searches of `(alpha, alpha + 1)`: a result `<= alpha` is an upper bound of the
//! score of the side to move, a result `> alpha` is a lower bound.

use super::Endgame;
use crate::othello::board::Board;
use crate::othello::move_generation::Cpu;
use crate::othello::move_generation::rays::NEIGHBOURS;

/// Less than every score.
pub(crate) const MINUS_INFINITY: i32 = -127;

/// The exact score with one empty square left.
#[inline(always)]
pub(crate) fn last_1<C: Cpu>(cpu: C, endgame: &Endgame<'_>, board: Board, x: u32) -> i32 {
    let difference = board.difference();
    let own = cpu.last_flips(x, board.player) as i32;
    if own > 0 {
        return difference + 2 * own + 1;
    }
    let other = cpu.last_flips(x, board.opponent) as i32;
    if other > 0 && endgame.shape.passing() {
        return difference - 2 * other - 1;
    }
    difference + difference.signum()
}

/// Two empty squares left.
#[inline(always)]
pub(crate) fn last_2<C: Cpu>(
    cpu: C,
    nodes: &mut u64,
    endgame: &Endgame<'_>,
    board: Board,
    alpha: i32,
    x: [u32; 2],
) -> i32 {
    *nodes += 1;
    let own = best_of_2(cpu, endgame, board, alpha, x);
    if own > MINUS_INFINITY {
        return own;
    }
    let other = best_of_2(cpu, endgame, board.passed(), -alpha - 1, x);
    if other > MINUS_INFINITY && endgame.shape.passing() {
        return -other;
    }
    board.final_score(2)
}

/// The best score by a move on one of two squares; [`MINUS_INFINITY`] if none is legal.
#[inline(always)]
fn best_of_2<C: Cpu>(cpu: C, endgame: &Endgame<'_>, board: Board, alpha: i32, [x1, x2]: [u32; 2]) -> i32 {
    let mut best = MINUS_INFINITY;
    if let Some(child) = try_move(cpu, board, x1) {
        best = -last_1(cpu, endgame, child, x2);
        if best > alpha {
            return best;
        }
    }
    if let Some(child) = try_move(cpu, board, x2) {
        best = best.max(-last_1(cpu, endgame, child, x1));
    }
    best
}

/// Three empty squares left; the caller has put the square to try first in front.
#[inline(always)]
pub(crate) fn last_3<C: Cpu>(
    cpu: C,
    nodes: &mut u64,
    endgame: &Endgame<'_>,
    board: Board,
    alpha: i32,
    x: [u32; 3],
) -> i32 {
    *nodes += 1;
    let own = best_of_3(cpu, nodes, endgame, board, alpha, x);
    if own > MINUS_INFINITY {
        return own;
    }
    let other = best_of_3(cpu, nodes, endgame, board.passed(), -alpha - 1, x);
    if other > MINUS_INFINITY && endgame.shape.passing() {
        return -other;
    }
    board.final_score(3)
}

#[inline(always)]
fn best_of_3<C: Cpu>(cpu: C, nodes: &mut u64, endgame: &Endgame<'_>, board: Board, alpha: i32, x: [u32; 3]) -> i32 {
    let mut best = MINUS_INFINITY;
    for [first, a, b] in [[x[0], x[1], x[2]], [x[1], x[0], x[2]], [x[2], x[0], x[1]]] {
        if let Some(child) = try_move(cpu, board, first) {
            best = best.max(-last_2(cpu, nodes, endgame, child, -alpha - 1, [a, b]));
            if best > alpha {
                return best;
            }
        }
    }
    best
}

/// Four empty squares left.
#[inline(always)]
pub(crate) fn last_4<C: Cpu>(
    cpu: C,
    nodes: &mut u64,
    endgame: &Endgame<'_>,
    board: Board,
    alpha: i32,
    empties: u64,
) -> i32 {
    *nodes += 1;
    let x = endgame.quadrants.four_by_parity(empties);
    let own = best_of_4(cpu, nodes, endgame, board, alpha, x);
    if own > MINUS_INFINITY {
        return own;
    }
    let other = best_of_4(cpu, nodes, endgame, board.passed(), -alpha - 1, x);
    if other > MINUS_INFINITY && endgame.shape.passing() {
        return -other;
    }
    board.final_score(4)
}

#[inline(always)]
fn best_of_4<C: Cpu>(cpu: C, nodes: &mut u64, endgame: &Endgame<'_>, board: Board, alpha: i32, x: [u32; 4]) -> i32 {
    let mut best = MINUS_INFINITY;
    for place in 0..4 {
        if let Some(child) = try_move(cpu, board, x[place]) {
            let rest = match place {
                0 => [x[1], x[2], x[3]],
                1 => [x[0], x[2], x[3]],
                2 => [x[0], x[1], x[3]],
                _ => [x[0], x[1], x[2]],
            };
            let rest = endgame.quadrants.three_by_parity(rest);
            best = best.max(-last_3(cpu, nodes, endgame, child, -alpha - 1, rest));
            if best > alpha {
                return best;
            }
        }
    }
    best
}

/// The board after a move on `x` if it is legal. A square without a neighbour of the opponent never is.
#[inline(always)]
fn try_move<C: Cpu>(cpu: C, board: Board, x: u32) -> Option<Board> {
    if NEIGHBOURS[x as usize & 63] & board.opponent == 0 {
        return None;
    }
    let flips = cpu.flips(x, board.player, board.opponent);
    (flips != 0).then(|| board.after(x, flips))
}
