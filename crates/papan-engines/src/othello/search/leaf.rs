//! The last two plies of the middle game search, where nearly all of its nodes are: no transposition table, no lists.

use super::{Node, Searcher, Window};
use crate::common::bits::SetBits;
use crate::othello::endgame::last_empties::MINUS_INFINITY;
use crate::othello::evaluation::weights::{MAX_EVALUATION, UNIT};
use crate::othello::move_generation::{Cpu, Task};

/// Searches of at most so many plies are done here.
pub(super) const LEAF_DEPTH: u32 = 2;

/// A search of at most [`LEAF_DEPTH`] plies in a window of discs, fail-soft.
pub(super) struct LeafSearch<'a, C: Cpu> {
    /// The search.
    pub searcher: &'a Searcher<'a, C>,
    /// Where.
    pub node: &'a Node,
    /// The window.
    pub window: Window,
    /// Plies.
    pub depth: u32,
    /// Node counter.
    pub nodes: &'a mut u64,
}

/// Parts of a disc rounded to discs.
#[inline(always)]
#[must_use]
pub(super) fn to_discs(parts: i32) -> i32 {
    ((parts + UNIT / 2) >> UNIT.ilog2()).clamp(-MAX_EVALUATION, MAX_EVALUATION)
}

impl<D: Cpu> Task for LeafSearch<'_, D> {
    type Output = i32;

    #[inline(always)]
    fn work<C: Cpu>(self, cpu: C) -> i32 {
        let Self { searcher, node, mut window, depth, nodes } = self;
        *nodes += 1;
        if depth == 0 {
            return to_discs(searcher.evaluate(node));
        }
        let board = node.board;
        let playable = searcher.endgame.shape.playable();
        let moves = cpu.moves(board.player, board.opponent) & playable;
        if moves == 0 {
            if !searcher.endgame.shape.passing() || cpu.moves(board.opponent, board.player) & playable == 0 {
                return board.final_score(node.empties);
            }
            let passed = node.passed();
            return -searcher.cpu.run(LeafSearch { searcher, node: &passed, window: window.turned(), depth, nodes });
        }
        let mut best = MINUS_INFINITY;
        // Corners first, then squares that open none: half of the cuts for none of the cost of sorting.
        let corners = searcher.endgame.shape.corners();
        for set in [moves & corners, moves & !corners & !X_AND_C, moves & !corners & X_AND_C] {
            for square in SetBits(set) {
                let flips = cpu.flips(square, board.player, board.opponent);
                let child = node.after(searcher.places, square, flips);
                let score = if child.board.player == 0 {
                    playable.count_ones() as i32
                } else if depth == 1 {
                    *nodes += 1;
                    -to_discs(searcher.evaluate(&child))
                } else {
                    let next = LeafSearch {
                        searcher,
                        node: &child,
                        window: window.turned(),
                        depth: depth - 1,
                        nodes: &mut *nodes,
                    };
                    -searcher.cpu.run(next)
                };
                if score > best {
                    best = score;
                    if score >= window.beta {
                        return best;
                    }
                    window.alpha = window.alpha.max(score);
                }
            }
        }
        best
    }
}

/// The squares next to the corners.
const X_AND_C: u64 = 0x42C3_0000_0000_C342;
