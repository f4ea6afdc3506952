//! The proof table: shared by all threads without locks.
//!
//! An entry is four words. The key is the whole of what matters of a board, so a hit is never a
//! guess: the empty cells and the mover's marks beside them (marks without an empty neighbour
//! are permanent and cannot change the gain).
//!
//! ```text
//! word 0   empty cells            ^ seal
//! word 1   mover's exposed marks  ^ rotated seal
//! word 2   Z, the cells that the winner needed
//! word 3   bits 0..8 plies, 8..16 bound (signed), 16 the mover wins, 17..24 move, 24..30 limit
//! ```
//!
//! The seal mixes words 2 and 3: if two threads write at once, the torn entry matches no key.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a proof says about a position: `gain >= bound` for the mover, or the contrary.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The threshold that was asked.
    pub(super) bound: i32,
    /// Whether the mover gains at least `bound`.
    pub(super) wins: bool,
    /// Cells that the winner of the question needed.
    pub(super) needed: u64,
    /// The move that won or looked best; 64 if there is none.
    pub(super) mv: u32,
    /// The reply limit under which `needed` was found (see `leaves`): it serves searches of this
    /// or a lower limit.
    pub(super) limit: u32,
}

/// What identifies a question: the part of the board that matters, and the plies left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Key {
    /// Empty cells.
    pub(super) empty: u64,
    /// The mover's marks with an empty neighbour.
    pub(super) exposed: u64,
    /// Plies left.
    pub(super) plies: u32,
}

impl Key {
    /// A well-mixed hash of the key.
    #[inline(always)]
    #[must_use]
    pub(super) fn hash(&self) -> u64 {
        let a = (self.empty ^ u64::from(self.plies) << 57).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let b = (self.exposed ^ a.rotate_left(31)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let c = (b ^ (b >> 32) ^ a).wrapping_mul(0xff51_afd7_ed55_8ccd);
        c ^ (c >> 29)
    }
}

/// Words of a bucket: two entries, one cache line.
const BUCKET: usize = 8;
const LINE_BYTES: usize = BUCKET * size_of::<AtomicU64>();

/// A fixed-size table of proofs.
pub(super) struct Table {
    words: Box<[AtomicU64]>,
    /// Words before the first whole cache line.
    offset: usize,
    buckets: usize,
}

#[inline(always)]
fn seal(needed: u64, data: u64) -> u64 {
    needed.wrapping_mul(0x9fb2_1c65_1e98_df25) ^ data.wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
}

impl Table {
    /// A table of at most `megabytes` MiB, and at least one bucket.
    #[must_use]
    pub(super) fn new(megabytes: usize) -> Self {
        Self::with_buckets(((megabytes << 20) / LINE_BYTES).max(1))
    }

    fn with_buckets(buckets: usize) -> Self {
        let words = crate::pages::zeroed_words((buckets + 1) * BUCKET);
        let misaligned = words.as_ptr() as usize % LINE_BYTES;
        let offset = (LINE_BYTES - misaligned) % LINE_BYTES / size_of::<AtomicU64>();
        Self { words, offset, buckets }
    }

    #[inline(always)]
    fn start_of(&self, hash: u64) -> usize {
        let index = (u128::from(hash) * self.buckets as u128) >> 64;
        self.offset + index as usize * BUCKET
    }

    #[inline(always)]
    fn bucket(&self, key: Key) -> &[AtomicU64; BUCKET] {
        let start = self.start_of(key.hash());
        self.words[start..start + BUCKET].try_into().expect("a bucket has eight words")
    }

    /// Brings the bucket of a key closer, so that a later probe does not wait for memory.
    #[inline(always)]
    #[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "measured: probes wait for memory without it"))]
    pub(super) fn prefetch(&self, key: Key) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let line = self.bucket(key).as_ptr();
            // SAFETY: prefetching is a hint that reads nothing; the address is that of a live bucket.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// The entry for a key, if there is one.
    #[inline(always)]
    #[must_use]
    pub(super) fn probe(&self, key: Key) -> Option<Entry> {
        let words = self.bucket(key);
        for slot in [0, 4] {
            let data = words[slot + 3].load(Relaxed);
            if data & 0xff != u64::from(key.plies) {
                continue;
            }
            let needed = words[slot + 2].load(Relaxed);
            let seal = seal(needed, data);
            if words[slot].load(Relaxed) ^ seal == key.empty
                && words[slot + 1].load(Relaxed) ^ seal.rotate_left(23) == key.exposed
            {
                return Some(Entry {
                    bound: i32::from((data >> 8) as u8 as i8),
                    wins: data >> 16 & 1 == 1,
                    needed,
                    mv: (data >> 17 & 127) as u32,
                    limit: (data >> 24 & 63) as u32,
                });
            }
        }
        None
    }

    /// Stores a proof. The first slot of a bucket keeps the deeper entry, the second the newer.
    pub(super) fn store(&self, key: Key, entry: Entry) {
        let words = self.bucket(key);
        let data = u64::from(key.plies)
            | u64::from(entry.bound as i8 as u8) << 8
            | u64::from(entry.wins) << 16
            | u64::from(entry.mv) << 17
            | u64::from(entry.limit) << 24;
        let first = words[3].load(Relaxed);
        let slot = if first & 0xff <= u64::from(key.plies) { 0 } else { 4 };
        if slot == 0 && first != 0 {
            self.demote(words, key);
        }
        let seal = seal(entry.needed, data);
        words[slot].store(key.empty ^ seal, Relaxed);
        words[slot + 1].store(key.exposed ^ seal.rotate_left(23), Relaxed);
        words[slot + 2].store(entry.needed, Relaxed);
        words[slot + 3].store(data, Relaxed);
    }

    /// Moves the first entry to the second slot, unless it is the one to be replaced.
    fn demote(&self, words: &[AtomicU64; 8], key: Key) {
        let old: [u64; 4] = std::array::from_fn(|i| words[i].load(Relaxed));
        let seal = seal(old[2], old[3]);
        if old[0] ^ seal == key.empty && old[1] ^ seal.rotate_left(23) == key.exposed {
            return;
        }
        for (word, value) in words[4..].iter().zip(old) {
            word.store(value, Relaxed);
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Self::with_buckets(self.buckets);
    }

    /// The share of used entries, from a sample.
    #[must_use]
    pub(super) fn fill(&self) -> f64 {
        let sample = self.buckets.min(4096);
        let words = &self.words[self.offset..self.offset + sample * BUCKET];
        let used = words.chunks_exact(BUCKET / 2).filter(|entry| entry[3].load(Relaxed) != 0).count();
        used as f64 / (2 * sample) as f64
    }
}
