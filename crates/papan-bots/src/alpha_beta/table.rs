//! The hash table of alpha-beta.
//!
//! Keys are salted with the ply, and a value is used only if it comes from the
//! same root search (so it looked exactly as deep as the search would now) or
//! rests on no estimate at all. With that the table changes how fast a value
//! is found, never which: evaluations that depend on the ply or on the chair
//! at the root are safe too.

use papan_core::{Bound, Score, StopToken, Window, mix};

#[derive(Clone, Copy, Debug)]
struct Entry<M> {
    key: u64,
    score: Score,
    /// The root search that stored it; 0 for an empty slot.
    era: u32,
    depth: u16,
    /// What the score says of the value.
    bound: Bound,
    is_complete: bool,
    best: Option<M>,
}

/// What a probe found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<M> {
    /// The value, if it settles the node.
    pub(super) score: Option<Score>,
    /// The value rests on no estimate.
    pub(super) is_complete: bool,
    /// The move to try first.
    pub(super) best: Option<M>,
}

/// What is to be stored of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored<M> {
    pub(super) score: Score,
    /// The window on entry.
    pub(super) window: Window,
    pub(super) depth: u32,
    pub(super) is_complete: bool,
    pub(super) best: Option<M>,
}

/// Slots in pairs: the first keeps the deeper entry, the second the newer.
#[derive(Clone, Debug)]
pub(super) struct Table<M> {
    slots: Vec<[Entry<M>; 2]>,
    era: u32,
    /// Entries of earlier eras belong to another root position.
    first_era: u32,
}

impl<M: Copy> Table<M> {
    /// Pairs that are laid out between two looks at the stop token: some
    /// megabytes.
    const AT_ONCE: usize = 1 << 16;

    /// A table of about `megabytes`, `None` for 0 and if it is stopped before
    /// it is laid out.
    pub(super) fn new(megabytes: usize, stop: &StopToken) -> Option<Self> {
        let empty =
            Entry { key: 0, score: Score(0), era: 0, depth: 0, bound: Bound::Exact, is_complete: false, best: None };
        let pairs = (megabytes << 20) / size_of::<[Entry<M>; 2]>();
        let mut slots = Vec::new();
        slots.reserve_exact(pairs);
        while slots.len() < pairs {
            if stop.is_stopped() {
                return None;
            }
            slots.resize(pairs.min(slots.len() + Self::AT_ONCE), [empty; 2]);
        }
        (pairs > 0).then_some(Self { slots, era: 0, first_era: 1 })
    }

    /// A new root position: nothing stored before counts.
    pub(super) fn new_position(&mut self) {
        self.first_era = self.era + 1;
    }

    /// A new search from the same root.
    pub(super) fn new_search(&mut self) {
        self.era += 1;
    }

    /// The key of a position `ply` plies below the root.
    pub(super) fn key(position_key: u64, ply: u32) -> u64 {
        position_key ^ mix(u64::from(ply) + 1)
    }

    /// The pair of slots for a key: its high bits scaled to their number.
    fn pair(&self, key: u64) -> usize {
        ((u128::from(key) * self.slots.len() as u128) >> 64) as usize
    }

    pub(super) fn probe(&self, key: u64, window: Window) -> Option<Found<M>> {
        let pair = &self.slots[self.pair(key)];
        let entry = pair.iter().find(|entry| entry.key == key && entry.era >= self.first_era)?;
        let is_usable = entry.is_complete || entry.era == self.era;
        let settles = match entry.bound {
            Bound::Exact => true,
            Bound::AtLeast => entry.score >= window.beta,
            Bound::AtMost => entry.score <= window.alpha,
        };
        Some(Found {
            score: (is_usable && settles).then_some(entry.score),
            is_complete: entry.is_complete,
            best: entry.best,
        })
    }

    pub(super) fn store(&mut self, key: u64, stored: &Stored<M>) {
        let bound = stored.window.bound(stored.score);
        let era = self.era;
        let pair = self.pair(key);
        let pair = &mut self.slots[pair];
        let depth = stored.depth as u16;
        let keeps_first = pair[0].era == era && pair[0].key != key && pair[0].depth > depth;
        pair[usize::from(keeps_first)] =
            Entry { key, score: stored.score, era, depth, bound, is_complete: stored.is_complete, best: stored.best };
    }
}
