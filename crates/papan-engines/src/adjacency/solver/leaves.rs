//! The last plies, decided without moving pieces about: one ply by counting bits, two plies by
//! scanning capture levels.
//!
//! Every routine answers "does the mover gain at least `t`?" and names the cells that the winner
//! of this question needed. `limit` is the number of equally good last replies from which on
//! none of them has to be named: it exceeds the number of moves that the loser has on any path,
//! so some reply is always left.

use crate::adjacency::rule::{Levels, Rule};
use crate::common::bits::SetBits;

/// The answer to "does the mover gain at least `t`?".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proof {
    /// Whether he does.
    pub(super) wins: bool,
    /// Z: the cells that the winner of the question needed.
    pub(super) needed: u64,
}

impl Proof {
    #[inline(always)]
    pub(super) const fn won(needed: u64) -> Self {
        Self { wins: true, needed }
    }

    #[inline(always)]
    pub(super) const fn lost(needed: u64) -> Self {
        Self { wins: false, needed }
    }
}

#[inline(always)]
fn lowest(set: u64) -> u64 {
    set & set.wrapping_neg()
}

/// One of the choices, by preference one that is needed anyway; none if there are plenty.
#[inline(always)]
pub(super) fn pick(choices: u64, anyway: u64, limit: u32) -> u64 {
    if choices.count_ones() >= limit {
        return 0;
    }
    let shared = choices & anyway;
    lowest(if shared != 0 { shared } else { choices })
}

/// One ply left.
#[inline(always)]
pub(super) fn prove_1<R: Rule>(own: u64, opp: u64, t: i32, anyway: u64, limit: u32) -> Proof {
    let empty = !(own | opp);
    let choices = empty & R::levels(opp).at_least((t - 1) >> 1);
    if choices == 0 {
        return Proof::lost(0);
    }
    Proof::won(pick(choices, anyway, limit))
}

/// Two plies left: a move that flips `f` wins if no reply flips more than `f - t / 2`.
pub(super) fn prove_2<R: Rule>(own: u64, opp: u64, t: i32, anyway: u64, limit: u32) -> Proof {
    let empty = !(own | opp);
    let attack = R::levels(opp);
    let reply = R::levels(own);
    let half = t >> 1;
    let mut needed = 0;
    let mut flips = R::MAX;
    while flips >= 0 {
        let candidates = empty & attack.at_least(flips) & !attack.at_least(flips + 1);
        if candidates == 0 {
            flips -= 1;
            continue;
        }
        let allowed = flips - half;
        if allowed < 0 {
            // Any reply will do against this level and all lower ones.
            return Proof::lost(needed | two_of(empty, needed | anyway, limit));
        }
        let too_good = empty & reply.at_least(allowed + 1);
        if too_good != 0 && too_good & (too_good - 1) != 0 {
            // One move cannot stop two replies; both are still there at lower levels.
            return Proof::lost(needed | two_of(too_good, needed | anyway, limit));
        }
        let mut rest = candidates;
        if too_good != 0 {
            if candidates != too_good {
                needed |= too_good;
            }
            rest &= too_good;
        }
        if flips == 0 && too_good == 0 {
            return quiet_2::<R>(empty & reply.at_least(allowed), rest, needed, anyway, limit);
        }
        for cell in SetBits(rest) {
            let bit = 1u64 << cell;
            let near = R::neighbours(cell);
            let after = R::levels(own | bit | (near & opp));
            let refuting = empty & !bit & after.at_least(allowed + 1);
            if refuting == 0 {
                return Proof::won(bit);
            }
            needed |= pick(refuting, needed | anyway, limit);
        }
        flips -= 1;
    }
    Proof::lost(needed)
}

/// The quiet moves of two plies, when no reply is too good yet: a move loses only if it lies
/// beside a cell of the brink, whose reply flips just the allowed number, and thus one more with it.
fn quiet_2<R: Rule>(brink: u64, candidates: u64, mut needed: u64, anyway: u64, limit: u32) -> Proof {
    let safe = candidates & !R::spread(brink);
    if safe != 0 {
        return Proof::won(pick(safe, anyway, limit));
    }
    let mut rest = candidates & !R::spread(needed & brink);
    while rest != 0 {
        let refuting = brink & R::neighbours(rest.trailing_zeros());
        let chosen = pick(refuting, anyway, u32::MAX);
        needed |= chosen;
        rest &= !R::neighbours(chosen.trailing_zeros());
    }
    Proof::lost(needed)
}

/// Two different cells of `choices` (one, if there is but one): whichever the loser takes, the
/// other is left. None if there are plenty.
fn two_of(choices: u64, anyway: u64, limit: u32) -> u64 {
    if choices.count_ones() > limit {
        return 0;
    }
    let first = pick(choices, anyway, u32::MAX);
    first | pick(choices & !first, anyway, u32::MAX)
}
