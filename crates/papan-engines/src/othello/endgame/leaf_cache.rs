//! A small cache for the last plies, one for each thread.

use crate::common::table_memory::prefetch;
use crate::othello::board::Board;
use crate::othello::transposition::hash;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A small direct-mapped table for the last plies that stays in the CPU's own cache: bounds and best move of
/// exact searches.
pub(crate) struct LeafCache {
    slots: Box<[Slot]>,
}

#[repr(align(32))]
#[derive(Default)]
struct Slot([AtomicU64; 3]);

impl LeafCache {
    /// A cache of `1 << log2` positions of 32 bytes each.
    #[must_use]
    pub(crate) fn new(log2: u32) -> Self {
        Self { slots: (0..1_usize << log2).map(|_| Slot::default()).collect() }
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        for word in self.slots.iter().flat_map(|slot| &slot.0) {
            word.store(0, Relaxed);
        }
    }

    #[inline(always)]
    fn slot(&self, board: Board) -> &Slot {
        &self.slots[hash(board) as usize & (self.slots.len() - 1)]
    }

    /// Asks for a board's slot to be brought near.
    #[inline(always)]
    pub(crate) fn prefetch(&self, board: Board) {
        prefetch(self.slot(board));
    }

    /// Lower bound, upper bound and best move of a board.
    #[inline(always)]
    #[must_use]
    pub(crate) fn probe(&self, board: Board) -> Option<(i32, i32, u8)> {
        let words = &self.slot(board).0;
        let data = words[2].load(Relaxed);
        let found = words[0].load(Relaxed) ^ data == board.player
            && words[1].load(Relaxed) ^ data == board.opponent
            && data != 0;
        found.then(|| {
            let [lower, upper, best, ..] = data.to_le_bytes();
            (i32::from(lower as i8), i32::from(upper as i8), best)
        })
    }

    /// Remembers bounds of a board, over whatever was there.
    #[inline(always)]
    pub(crate) fn store(&self, board: Board, lower: i32, upper: i32, best: u8) {
        let words = &self.slot(board).0;
        // The last byte tells an entry from an empty slot.
        let data = u64::from_le_bytes([lower as u8, upper as u8, best, 0, 0, 0, 0, 1]);
        words[0].store(board.player ^ data, Relaxed);
        words[1].store(board.opponent ^ data, Relaxed);
        words[2].store(data, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::othello::board::Shape;
    use crate::othello::testing::random_boards;

    #[test]
    fn an_empty_cache_knows_nothing() {
        assert_eq!(LeafCache::new(4).probe(Board { player: 0, opponent: 0 }), None);
    }

    #[test]
    fn the_last_board_of_a_slot_is_known_until_the_cache_is_cleared() {
        let cache = LeafCache::new(4);
        let boards = random_boards(64, 3, Shape::STANDARD);
        for (bound, &board) in (0..64).zip(&boards) {
            cache.store(board, -bound, bound, 5);
            assert_eq!(cache.probe(board), Some((-bound, bound, 5)));
        }
        let known: HashSet<Board> = boards.iter().copied().filter(|&board| cache.probe(board).is_some()).collect();
        assert!((1..=16).contains(&known.len()), "sixteen slots know {}", known.len());
        cache.clear();
        assert!(boards.iter().all(|&board| cache.probe(board).is_none()));
    }
}
