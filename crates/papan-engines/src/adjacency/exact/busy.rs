//! Who works on what: lets threads put off a position that another thread is searching, so that
//! they share the moves of a position instead of repeating each other.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const SLOTS: usize = 1 << 12;

/// A small set of positions under search, by hash. Mistakes cost time, never correctness.
pub(super) struct Busy(Vec<AtomicU64>);

impl Busy {
    pub(super) fn new() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    /// Claims a position: a ticket to hand back, or nothing if somebody else has claimed it.
    pub(super) fn enter(&self, hash: u64) -> Option<u64> {
        let slot = &self.0[hash as usize % SLOTS];
        if slot.load(Relaxed) == hash {
            return None;
        }
        slot.store(hash, Relaxed);
        Some(hash)
    }

    pub(super) fn leave(&self, ticket: u64) {
        self.0[ticket as usize % SLOTS].store(0, Relaxed);
    }
}
