//! Eight to eleven empties: fastest-first order (fewest replies), a small cache, stability; no evaluation.

use super::Endgame;
use super::last_empties::MINUS_INFINITY;
use super::parity::solve_few;
use crate::common::bits::SetBits;
use crate::othello::board::{Board, NO_SQUARE};
use crate::othello::move_generation::{Cpu, Task};
use crate::othello::move_list::MoveList;
use crate::othello::stability;

/// Positions with at most so many empties are left to [`solve_few`].
pub(crate) const FEW: u32 = 7;

/// Positions with at least so many empties look at the clock: one with fewer takes well below a millisecond.
const CLOCK_FROM: u32 = 9;

/// A null-window search `(alpha, alpha + 1)` of a position with more than [`FEW`] empties.
pub(crate) struct FastestFirst<'a> {
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

/// A null-window search with any number of empties, without evaluation or the large transposition table. A result
/// `<= alpha` is an upper bound of the score, a result `> alpha` a lower bound; once the endgame's limits are reached
/// it means nothing.
#[inline(always)]
pub(crate) fn solve_fast<C: Cpu>(
    cpu: C,
    endgame: &Endgame<'_>,
    nodes: &mut u64,
    board: Board,
    alpha: i32,
    count: u32,
) -> i32 {
    if count <= FEW {
        solve_few(cpu, endgame, nodes, board, alpha, count)
    } else {
        cpu.run(FastestFirst { board, alpha, count, endgame, nodes })
    }
}

impl Endgame<'_> {
    /// The moves, those with the fewest replies first (corners count twice), then by parity; the cache brings the
    /// children's slots near. Nothing if a move leaves the opponent no disc.
    #[inline(always)]
    fn fastest_first<C: Cpu>(&self, cpu: C, board: Board, moves: u64, hash_move: u8, count: u32) -> Option<MoveList> {
        let empties = self.shape.empties(board);
        let odd = self.quadrants.odd(empties);
        let corners = self.shape.corners();
        let mut list = MoveList::new();
        for square in SetBits(moves) {
            let flips = cpu.flips(square, board.player, board.opponent);
            let child = board.after(square, flips);
            if child.player == 0 {
                return None;
            }
            let replies = cpu.moves(child.player, child.opponent) & empties;
            let mobility = (replies.count_ones() + (replies & corners).count_ones()) as i32;
            let bit = 1_u64 << square;
            let mut order = -16 * mobility;
            order += 4 * i32::from(odd & bit != 0) + 6 * i32::from(corners & bit != 0);
            if count > FEW + 1 {
                self.cache.prefetch(child);
            }
            if square == u32::from(hash_move) {
                order = i32::MAX;
            }
            list.push(square as u8, flips, order);
        }
        Some(list)
    }
}

impl Task for FastestFirst<'_> {
    type Output = i32;

    #[inline(always)]
    fn work<C: Cpu>(self, cpu: C) -> i32 {
        let Self { board, alpha, count, endgame, nodes } = self;
        *nodes += 1;
        // A search that must end gives a value that means nothing; who asked sees that the limits are reached.
        let stop = endgame.stop;
        if if count >= CLOCK_FROM { stop.check(*nodes) } else { stop.ended(*nodes) } {
            return alpha;
        }
        // Step 1: moves, passes, the end; meanwhile the cache brings its slot near.
        endgame.cache.prefetch(board);
        let empties = endgame.shape.empties(board);
        let moves = cpu.moves(board.player, board.opponent) & empties;
        if moves == 0 {
            if !endgame.shape.passing() || cpu.moves(board.opponent, board.player) & empties == 0 {
                return board.final_score(count);
            }
            return -cpu.run(FastestFirst { board: board.passed(), alpha: -alpha - 1, count, endgame, nodes });
        }
        // Step 2: bounds from stable discs.
        if alpha >= STABILITY_FROM[count as usize & 15] {
            let bound = stability::upper_bound(board, endgame.shape);
            if bound <= alpha {
                return bound;
            }
        }
        // Step 3: what the cache knows.
        let (mut lower, mut upper, mut hash_move) = (-64, 64, NO_SQUARE);
        if let Some((low, high, best)) = endgame.cache.probe(board) {
            if low > alpha {
                return low;
            }
            if high <= alpha {
                return high;
            }
            (lower, upper, hash_move) = (low, high, best);
        }
        // Step 4: move ordering.
        let Some(mut list) = endgame.fastest_first(cpu, board, moves, hash_move, count) else {
            return 64.min(endgame.shape.playable().count_ones() as i32);
        };
        // Step 5: search.
        let mut best = MINUS_INFINITY;
        let mut best_move = NO_SQUARE;
        while let Some((square, flips)) = list.next_best() {
            let child = board.after(u32::from(square), flips);
            let score = -solve_fast(cpu, endgame, nodes, child, -alpha - 1, count - 1);
            if stop.ended(*nodes) {
                return alpha;
            }
            if score > best {
                best = score;
                best_move = square;
                if score > alpha {
                    break;
                }
            }
        }
        // Step 6: remember.
        if best > alpha {
            lower = lower.max(best);
        } else {
            upper = upper.min(best);
        }
        endgame.cache.store(board, lower, upper, best_move);
        best
    }
}

/// Lower ends of windows from which looking for stable discs pays, by empties.
const STABILITY_FROM: [i32; 16] = [99, 99, 99, 99, 99, 99, 99, 99, 22, 24, 26, 28, 30, 32, 34, 36];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Shape;
    use crate::othello::endgame::leaf_cache::LeafCache;
    use crate::othello::endgame::quadrants::Quadrants;
    use crate::othello::limits::{SearchLimits, StopCondition};
    use crate::othello::move_generation::Portable;
    use crate::othello::testing::{negamax, random_boards_with_empties};
    use std::sync::atomic::AtomicBool;

    /// Every window tells on which side of it the true score lies.
    fn check<C: Cpu>(cpu: C, shape: Shape, empties: u32, boards: usize) {
        let (cache, never) = (LeafCache::new(10), AtomicBool::new(false));
        let stop = StopCondition::new(SearchLimits::until(&never), None);
        let endgame = Endgame { shape, quadrants: Quadrants::new(shape), cache: &cache, stop: &stop };
        for board in random_boards_with_empties(boards, u64::from(empties), shape, empties) {
            let truth = negamax(board, shape);
            for alpha in [-21, -8, -2, -1, 0, 1, 7, 30, truth - 1, truth, truth + 1] {
                let found = solve_fast(cpu, &endgame, &mut 0, board, alpha, empties);
                if found > alpha {
                    assert!(found <= truth, "{board:?}: {found} > {truth}");
                } else {
                    assert!(found >= truth, "{board:?}: {found} < {truth}");
                }
            }
        }
    }

    #[test]
    fn agrees_with_plain_negamax_without_special_instructions() {
        for empties in 0..=7 {
            check(Portable, Shape::STANDARD, empties, 40);
        }
        check(Portable, Shape::STANDARD, 8, 8);
        for size in [4, 6] {
            for empties in 1..=8 {
                check(Portable, Shape::square(size), empties, 25);
                check(Portable, Shape::square(size).without_passing(), empties, 25);
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn agrees_with_plain_negamax_on_this_cpu() {
        if let Some(cpu) = crate::common::cpu::Avx2::detect() {
            for empties in 0..=7 {
                check(cpu, Shape::STANDARD, empties, 60);
            }
            check(cpu, Shape::STANDARD, 9, 6);
            check(cpu, Shape::square(6), 9, 10);
        }
    }
}
