//! Virtual lines: the boards of a virtual line beside the real line.
//!
//! After the loser's real move `m` was searched first as a virtual move (its flips made, the cell
//! left empty), every position of the real line has a counterpart in the virtual line: the same moves,
//! with `m` still empty and at least the same marks of the loser. A proof against the loser that
//! did not need `m` holds for the real position too.

use super::leaves::Proof;
use super::prover::{Question, Shared};
use super::transposition::Key;
use crate::adjacency::rule::Rule;

/// The most virtual positions that a line carries along.
pub(super) const MOST: usize = 4;

/// A virtual counterpart of the position at hand.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct VirtualPosition {
    own: u64,
    opp: u64,
    /// Cells that the loser has really taken and that are empty in the virtual line.
    extra: u64,
    /// Whether the side to move is the one that lost the virtual line.
    loser_moves: bool,
}

/// A short list of virtual positions, newest last.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct VirtualLines {
    list: [VirtualPosition; MOST],
    count: usize,
}

impl VirtualLines {
    /// The virtual positions after a move on `cell`.
    pub(super) fn after_move<R: Rule>(&self, cell: u32) -> Self {
        let mut next = *self;
        for there in &mut next.list[..self.count] {
            let flipped = R::neighbours(cell) & there.opp;
            (there.own, there.opp) = (there.opp & !flipped, there.own | 1 << cell | flipped);
            there.loser_moves = !there.loser_moves;
        }
        next
    }

    /// The boards of the virtual positions after a move on `cell`, from the chair of the side to move there.
    #[inline(always)]
    pub(super) fn boards_after<R: Rule>(&self, cell: u32) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.list[..self.count].iter().map(move |there| {
            let flipped = R::neighbours(cell) & there.opp;
            (there.opp & !flipped, there.own | 1 << cell | flipped)
        })
    }

    /// The virtual positions after a virtual move that flips `set`.
    pub(super) fn after_virtual(&self, set: u64) -> Self {
        let mut next = *self;
        for there in &mut next.list[..self.count] {
            let flipped = set & !there.extra;
            (there.own, there.opp) = (there.opp & !flipped, there.own | flipped);
            there.loser_moves = !there.loser_moves;
        }
        next
    }

    /// Adds the counterpart of a real move on `cell`: `(own, opp)` is the board after the virtual move,
    /// seen by the side to move there, whose opponent made the move.
    pub(super) fn push(&mut self, own: u64, opp: u64, cell: u32) {
        if self.count == MOST {
            self.list.copy_within(1.., 0);
            self.count -= 1;
        }
        self.list[self.count] = VirtualPosition { own, opp, extra: 1 << cell, loser_moves: false };
        self.count += 1;
    }

    /// A proof from the table for some virtual position that holds for the real position as well.
    pub(super) fn probe(
        &self,
        shared: &Shared<'_>,
        Question { own, opp, plies, t, .. }: Question,
        key_of: impl Fn(u64, u64, u32) -> (Key, bool),
        reflect: impl Fn(u64) -> u64,
        hint: &mut u32,
    ) -> Option<Proof> {
        // All buckets are asked for before the first is read, so that the waits overlap.
        let mut keys = [(Key::default(), false); MOST];
        for (there, key) in self.list[..self.count].iter().zip(&mut keys) {
            *key = key_of(there.own, there.opp, plies);
            shared.table.prefetch(key.0);
        }
        for (there, (key, mirrored)) in self.list[..self.count].iter().zip(keys).rev() {
            let Some(entry) = shared.table.probe(key) else { continue };
            if entry.limit < shared.limit || entry.wins == there.loser_moves {
                continue;
            }
            if entry.wins && entry.mv != 64 {
                let bit = if mirrored { reflect(1 << entry.mv) } else { 1 << entry.mv };
                if bit & there.extra == 0 {
                    *hint = bit.trailing_zeros();
                }
            }
            let needed = if mirrored { reflect(entry.needed) } else { entry.needed };
            if needed & there.extra != 0 {
                continue;
            }
            // The real gain of the loser exceeds the virtual one by at most `slack`: what the
            // virtual board shows more now, plus one for each extra mark at the end.
            let margin = |own: u64, opp: u64| own.count_ones() as i32 - opp.count_ones() as i32;
            let ahead = margin(there.own, there.opp) - margin(own, opp);
            let marks = there.extra.count_ones() as i32;
            if there.loser_moves {
                if entry.bound + ahead + marks <= t {
                    return Some(Proof::lost(needed));
                }
            } else if entry.bound + ahead - marks >= t {
                return Some(Proof::won(needed));
            }
        }
        None
    }
}
