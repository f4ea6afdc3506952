//! Five to seven empties: moves in order of parity alone, made straight from bit sets.

use super::Endgame;
use super::last_empties::{MINUS_INFINITY, last_1, last_2, last_3, last_4};
use crate::common::bits::SetBits;
use crate::othello::board::Board;
use crate::othello::move_generation::{Cpu, Task};
use crate::othello::stability;

/// A null-window search `(alpha, alpha + 1)` of a position with five to seven empties.
pub(super) struct ByParity<'a> {
    /// The board.
    pub board: Board,
    /// The window's lower end.
    pub alpha: i32,
    /// Number of empty squares.
    pub count: u32,
    /// What every endgame node needs.
    pub endgame: &'a Endgame<'a>,
    /// Node counter.
    pub nodes: &'a mut u64,
}

impl Task for ByParity<'_> {
    type Output = i32;

    /// Fail-soft: a result `<= alpha` is an upper bound of the score, a result `> alpha` a lower bound; once the
    /// endgame's limits are reached it means nothing.
    #[inline(always)]
    fn work<C: Cpu>(self, cpu: C) -> i32 {
        let Self { board, alpha, count, endgame, nodes } = self;
        *nodes += 1;
        if count == LIMITS_AT && endgame.stop.ended(*nodes) {
            return alpha;
        }
        let empties = endgame.shape.empties(board);
        let moves = cpu.moves(board.player, board.opponent) & empties;
        if moves == 0 {
            if !endgame.shape.passing() || cpu.moves(board.opponent, board.player) & empties == 0 {
                return board.final_score(count);
            }
            return -cpu.run(ByParity { board: board.passed(), alpha: -alpha - 1, count, endgame, nodes });
        }
        if alpha >= STABILITY_FROM[count as usize & 7] {
            let bound = stability::upper_bound(board, endgame.shape);
            if bound <= alpha {
                return bound;
            }
        }
        let odd = endgame.quadrants.odd(empties);
        let mut best = MINUS_INFINITY;
        for set in [moves & odd, moves & !odd] {
            for square in SetBits(set) {
                let flips = cpu.flips(square, board.player, board.opponent);
                let child = board.after(square, flips);
                let score = if count == 5 {
                    let rest = empties & !(1 << square);
                    -last_4(cpu, nodes, endgame, child, -alpha - 1, rest)
                } else {
                    -cpu.run(ByParity {
                        board: child,
                        alpha: -alpha - 1,
                        count: count - 1,
                        endgame,
                        nodes: &mut *nodes,
                    })
                };
                if score > best {
                    best = score;
                    if score > alpha {
                        return best;
                    }
                }
            }
        }
        best
    }
}

/// The number of empties at which limits are looked at: often enough for a limit of nodes to be kept closely, seldom
/// enough to cost nothing.
const LIMITS_AT: u32 = 7;

/// Lower ends of windows from which looking for stable discs pays, by empties.
const STABILITY_FROM: [i32; 8] = [99, 99, 99, 99, 99, 16, 18, 20];

/// A null-window search of a position with at most seven empties.
#[inline(always)]
pub(super) fn solve_few<C: Cpu>(
    cpu: C,
    endgame: &Endgame<'_>,
    nodes: &mut u64,
    board: Board,
    alpha: i32,
    count: u32,
) -> i32 {
    let empties = endgame.shape.empties(board);
    if count >= 5 {
        return cpu.run(ByParity { board, alpha, count, endgame, nodes });
    }
    cpu.run(Last { board, alpha, empties, endgame, nodes })
}

struct Last<'a> {
    board: Board,
    alpha: i32,
    empties: u64,
    endgame: &'a Endgame<'a>,
    nodes: &'a mut u64,
}

impl Task for Last<'_> {
    type Output = i32;

    #[inline(always)]
    fn work<C: Cpu>(self, cpu: C) -> i32 {
        let Self { board, alpha, empties, endgame, nodes } = self;
        let mut list = SetBits(empties);
        let mut next = || list.next().unwrap_or(0);
        match empties.count_ones() {
            0 => board.final_score(0),
            1 => last_1(cpu, endgame, board, next()),
            2 => last_2(cpu, nodes, endgame, board, alpha, [next(), next()]),
            3 => last_3(cpu, nodes, endgame, board, alpha, endgame.quadrants.three_by_parity([next(), next(), next()])),
            _ => last_4(cpu, nodes, endgame, board, alpha, empties),
        }
    }
}
