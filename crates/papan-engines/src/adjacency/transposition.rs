//! The transposition table of the playing search: shared by all threads without locks.
//!
//! ```text
//! word 0   hash of board and plies ^ word 1
//! word 1   bits 0..16 score, 16..24 depth, 24..26 kind of bound, 26..33 move
//! ```

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use papan_core::mix;

/// What a stored score says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::adjacency) enum Bound {
    Lower,
    Upper,
    Exact,
}

/// A remembered search result.
#[derive(Clone, Copy, Debug)]
pub(in crate::adjacency) struct Entry {
    pub(in crate::adjacency) score: i32,
    pub(in crate::adjacency) depth: u32,
    pub(in crate::adjacency) bound: Bound,
    pub(in crate::adjacency) mv: u32,
}

/// A fixed-size table of search results.
pub(in crate::adjacency) struct TranspositionTable {
    /// Two words a slot.
    words: Box<[AtomicU64]>,
}

/// The hash of a board with the plies left.
#[inline(always)]
pub(in crate::adjacency) fn hash(own: u64, opp: u64, plies: u32) -> u64 {
    mix(own ^ mix(opp ^ mix(u64::from(plies) + 1)))
}

impl TranspositionTable {
    pub(in crate::adjacency) fn new(megabytes: usize) -> Self {
        Self { words: crate::common::table_memory::zeroed_words(2 * (megabytes << 16).max(1)) }
    }

    #[inline(always)]
    fn slot(&self, hash: u64) -> &[AtomicU64; 2] {
        let index = ((u128::from(hash) * (self.words.len() / 2) as u128) >> 64) as usize;
        self.words[2 * index..2 * index + 2].try_into().expect("a slot has two words")
    }

    #[inline(always)]
    pub(in crate::adjacency) fn probe(&self, hash: u64) -> Option<Entry> {
        let [check, data] = self.slot(hash);
        let data = data.load(Relaxed);
        if check.load(Relaxed) ^ data != hash || data == 0 {
            return None;
        }
        Some(Entry {
            score: i32::from(data as u16 as i16),
            depth: (data >> 16 & 255) as u32,
            bound: [Bound::Lower, Bound::Upper, Bound::Exact][(data >> 24 & 3) as usize],
            mv: (data >> 26 & 127) as u32,
        })
    }

    #[inline(always)]
    pub(in crate::adjacency) fn store(&self, hash: u64, memo: Entry) {
        let word = u64::from(memo.score as i16 as u16)
            | u64::from(memo.depth) << 16
            | (memo.bound as u64) << 24
            | u64::from(memo.mv) << 26
            | 1 << 40;
        let [check, data] = self.slot(hash);
        check.store(hash ^ word, Relaxed);
        data.store(word, Relaxed);
    }

    pub(in crate::adjacency) fn clear(&mut self) {
        self.words = crate::common::table_memory::zeroed_words(self.words.len());
    }
}
