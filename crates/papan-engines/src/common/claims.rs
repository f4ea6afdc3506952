//! Which positions are being searched: threads put off what another one is at and share the moves of a position
//! instead of repeating each other (simplified ABDADA: Weill 1996).

use crate::common::table_memory::zeroed_words;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A small set of positions under search, by hash. Mistakes cost time, never correctness.
pub(crate) struct Claims(Box<[AtomicU64]>);

impl Claims {
    /// Room for so many positions.
    pub(crate) fn new(slots: usize) -> Self {
        Self(zeroed_words(slots))
    }

    fn slot(&self, hash: u64) -> &AtomicU64 {
        &self.0[hash as usize % self.0.len()]
    }

    /// Is a thread at the position with this hash and this mark, which is not 0?
    pub(crate) fn is_claimed(&self, hash: u64, mark: u64) -> bool {
        self.slot(hash).load(Relaxed) == mark
    }

    /// This thread is at the position.
    pub(crate) fn claim(&self, hash: u64, mark: u64) {
        self.slot(hash).store(mark, Relaxed);
    }

    /// Nobody is at the position any more.
    pub(crate) fn release(&self, hash: u64) {
        self.slot(hash).store(0, Relaxed);
    }

    /// Claims the position: what to release, or nothing if another thread is at it.
    pub(crate) fn enter(&self, hash: u64) -> Option<u64> {
        if self.is_claimed(hash, hash) {
            return None;
        }
        self.claim(hash, hash);
        Some(hash)
    }
}
