//! The last three plies: no table and no scores, captures by level and then the virtual moves.

use super::leaves::{Proof, prove_2};
use crate::adjacency::rule::{Levels, Rule};
use crate::common::bits::SetBits;

/// Three plies left: does the mover gain at least `t`? `anyway` holds the cells that the mover,
/// and the cells that his opponent, need in any case if they are to win.
pub(super) fn prove_3<R: Rule>(own: u64, opp: u64, t: i32, anyway: [u64; 2], limit: u32) -> Proof {
    let empty = !(own | opp);
    let attack = R::levels(opp);
    let mut needed = 0;
    let mut open = empty;
    let try_move = |cell: u32, needed: u64| {
        let bit = 1u64 << cell;
        let flipped = R::neighbours(cell) & opp;
        let gain = 1 + 2 * flipped.count_ones() as i32;
        let (next_own, next_opp) = (opp & !flipped, own | bit | flipped);
        prove_2::<R>(next_own, next_opp, gain - t + 2, anyway[1] | needed, limit)
    };
    let virtual_move = |flipped: u64| {
        let gain = 1 + 2 * flipped.count_ones() as i32;
        prove_2::<R>(opp & !flipped, own | flipped, gain - t + 2, anyway[1], limit)
    };

    // Step 1: a capture of the highest level, and the virtual move with its flips.
    let captures = empty & attack.at_least(1);
    let mut covered_flips = 0;
    if captures != 0 {
        let mut level = R::MAX;
        while empty & attack.at_least(level) == 0 {
            level -= 1;
        }
        let cell = (empty & attack.at_least(level)).trailing_zeros();
        let reply = try_move(cell, 0);
        if !reply.wins {
            return Proof::won(reply.needed | 1 << cell);
        }
        needed |= reply.needed;
        open &= !(1 << cell);
        covered_flips = R::neighbours(cell) & opp;
    }
    let mut reply = virtual_move(covered_flips);
    if !reply.wins && covered_flips != 0 {
        covered_flips = 0;
        reply = virtual_move(0);
    }
    if reply.wins {
        needed |= reply.needed;
        let sparing = open & !reply.needed;
        open &= !(sparing & !R::spread(opp & !covered_flips));
    }

    // Step 2: what the virtual move did not cover, captures first.
    for cells in [open & captures, open & !captures] {
        for cell in SetBits(cells) {
            let reply = try_move(cell, needed);
            if !reply.wins {
                return Proof::won(reply.needed | 1 << cell);
            }
            needed |= reply.needed;
        }
    }
    Proof::lost(needed)
}
