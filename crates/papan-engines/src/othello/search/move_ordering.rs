//! Move ordering: hash moves, then a shallow search and mobility.

use super::leaf::LeafSearch;
use super::{Node, Searcher, Window};
use crate::othello::board::NO_SQUARE;
use crate::othello::evaluation::weights::UNIT;
use crate::othello::move_generation::Cpu;
use crate::othello::move_list::MoveList;
use crate::othello::transposition::Entry;

/// Above every order that an evaluation can give.
const HASH_MOVE: i32 = 1 << 30;
const SECOND_HASH_MOVE: i32 = 1 << 29;
const WINS_ALL: i32 = i32::MAX;

/// What the order of a node's moves depends on besides the node.
#[derive(Clone, Copy)]
pub(super) struct Ordering {
    /// What the transposition table knows of the node.
    pub known: Option<Entry>,
    /// Plies of the node's search.
    pub depth: u32,
    /// Lower end of its window.
    pub alpha: i32,
}

impl<C: Cpu> Searcher<'_, C> {
    /// Gives every move of the list its order: those of the transposition table first, then by a shallow search of what
    /// they lead to and by the number of replies.
    #[inline(always)]
    pub(super) fn order(&self, node: &Node, list: &mut MoveList, by: Ordering, nodes: &mut u64) {
        let Ordering { known, depth, alpha } = by;
        let hash_moves = known.map_or([NO_SQUARE; 2], |entry| entry.moves);
        let solving = depth == node.empties;
        let look_ahead = look_ahead(depth, solving);
        let reply_cost = if solving { SOLVING_REPLY } else { MIDDLE_REPLY };
        let corners = self.endgame.shape.corners();
        // Scores beyond this cannot matter to the order: the move cuts anyway.
        let bound = -(alpha + 12).min(63);
        for one in list.rest_mut() {
            if one.square == hash_moves[0] {
                one.order = HASH_MOVE;
                continue;
            }
            if one.square == hash_moves[1] {
                one.order = SECOND_HASH_MOVE;
                continue;
            }
            let child = node.after(self.places, u32::from(one.square), one.flips);
            if child.board.player == 0 {
                one.order = WINS_ALL;
                continue;
            }
            let replies = self.moves(child.board);
            let mobility = (replies.count_ones() + (replies & corners).count_ones()) as i32;
            let value = if look_ahead == 0 {
                *nodes += 1;
                self.evaluate(&child)
            } else {
                let window = Window { alpha: bound, beta: 64 };
                let (node, depth, nodes) = (&child, look_ahead, &mut *nodes);
                UNIT * self.cpu.run(LeafSearch { searcher: self, node, window, depth, nodes })
            };
            one.order = -value - reply_cost * mobility;
        }
    }
}

/// What one more reply costs a move, in parts of a disc, when the search goes to the end and when it does not.
const SOLVING_REPLY: i32 = 4 * UNIT;
const MIDDLE_REPLY: i32 = UNIT / 2;

/// Plies of the shallow search that orders moves.
#[inline(always)]
const fn look_ahead(depth: u32, solving: bool) -> u32 {
    match (solving, depth) {
        (true, 0..=14) => 0,
        (true, 15..=18) => 1,
        (true, _) => 2,
        (false, 0..=6) => 0,
        (false, 7..=12) => 1,
        (false, _) => 2,
    }
}
