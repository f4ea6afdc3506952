//! The transposition table of proofs: shared by all threads without locks.
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
//!
//! The table begins small and doubles as it fills: memory that is touched for the first time costs more than
//! anything else in a short proof.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::common::table_memory::{GrowingBuckets, prefetch};

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

/// Words of an entry.
const ENTRY: usize = 4;
/// Words of a bucket: two entries, one cache line.
const BUCKET: usize = 2 * ENTRY;
type Bucket = [AtomicU64; BUCKET];
/// Buckets that a table begins with: 4 MiB.
const FIRST_BUCKETS: usize = 1 << 16;

/// A table of proofs that grows as it fills, up to a given size.
pub(super) struct TranspositionTable {
    buckets: GrowingBuckets<BUCKET>,
}

#[inline(always)]
fn seal(needed: u64, data: u64) -> u64 {
    needed.wrapping_mul(0x9fb2_1c65_1e98_df25) ^ data.wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
}

/// The key of an entry, as it was if no thread has torn it.
fn key_of(entry: [u64; ENTRY]) -> Key {
    let [empty, exposed, needed, data] = entry;
    let seal = seal(needed, data);
    Key { empty: empty ^ seal, exposed: exposed ^ seal.rotate_left(23), plies: (data & 0xff) as u32 }
}

impl TranspositionTable {
    /// A table that grows to at most `megabytes` MiB, and has at least one bucket.
    #[must_use]
    pub(super) fn new(megabytes: usize) -> Self {
        let most = ((megabytes << 20) / size_of::<Bucket>()).max(1);
        Self { buckets: GrowingBuckets::new(FIRST_BUCKETS, 1 << most.ilog2()) }
    }

    #[inline(always)]
    fn bucket(&self, key: Key) -> &Bucket {
        self.buckets.at(self.buckets.index(key.hash()))
    }

    /// Brings the bucket of a key closer, so that a later probe does not wait for memory.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: Key) {
        prefetch(self.bucket(key));
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
        let index = self.buckets.index(key.hash());
        let words = self.buckets.at(index);
        let is_watched = GrowingBuckets::<BUCKET>::is_watched(index);
        let used_before = if is_watched { used_entries(words) } else { BUCKET };
        let data = u64::from(key.plies)
            | u64::from(entry.bound as i8 as u8) << 8
            | u64::from(entry.wins) << 16
            | u64::from(entry.mv) << 17
            | u64::from(entry.limit) << 24;
        let first = words[3].load(Relaxed);
        let slot = if first & 0xff <= u64::from(key.plies) { 0 } else { 4 };
        if slot == 0 && first != 0 {
            Self::demote(words, key);
        }
        let seal = seal(entry.needed, data);
        words[slot].store(key.empty ^ seal, Relaxed);
        words[slot + 1].store(key.exposed ^ seal.rotate_left(23), Relaxed);
        words[slot + 2].store(entry.needed, Relaxed);
        words[slot + 3].store(data, Relaxed);
        if used_entries(words) > used_before {
            self.buckets.count_new_entry(|used, buckets| used >= buckets, split);
        }
    }

    /// Moves the first entry to the second slot, unless it is the one to be replaced.
    fn demote(words: &Bucket, key: Key) {
        let old: [u64; ENTRY] = std::array::from_fn(|i| words[i].load(Relaxed));
        let Key { empty, exposed, .. } = key_of(old);
        if (empty, exposed) == (key.empty, key.exposed) {
            return;
        }
        for (word, value) in words[ENTRY..].iter().zip(old) {
            word.store(value, Relaxed);
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.buckets.renew();
    }

    /// The share of entries in use at full size.
    #[must_use]
    pub(super) fn fill(&self) -> f64 {
        self.buckets.used(2)
    }
}

/// Moves the entries of `old` whose hash has `bit` to `new`.
fn split(old: &Bucket, new: &Bucket, bit: usize) {
    for slot in [0, ENTRY] {
        let entry: [u64; ENTRY] = std::array::from_fn(|word| old[slot + word].load(Relaxed));
        if entry[3] != 0 && key_of(entry).hash() as usize & bit != 0 {
            for (word, value) in new[slot..].iter().zip(entry) {
                word.store(value, Relaxed);
            }
            old[slot + 3].store(0, Relaxed);
        }
    }
}

#[inline(always)]
fn used_entries(words: &Bucket) -> usize {
    [3, ENTRY + 3].iter().filter(|&&word| words[word].load(Relaxed) != 0).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adjacency::reference::SplitMix;

    fn entry(number: u64) -> Entry {
        Entry { bound: (number % 20) as i32 - 10, wins: number.is_multiple_of(3), needed: number, mv: 5, limit: 6 }
    }

    fn keys(number: usize, seed: u64) -> Vec<Key> {
        let mut random = SplitMix::new(seed);
        let mut key = || {
            let empty = random.next();
            Key { empty, exposed: random.next() & !empty, plies: 4 + random.below(12) }
        };
        (0..number).map(|_| key()).collect()
    }

    fn known(table: &TranspositionTable, keys: &[Key]) -> usize {
        let is_known = |&(number, key): &(usize, &Key)| {
            table.probe(*key).is_some_and(|found| {
                let stored = entry(number as u64);
                // A hit that is not what was stored would be a wrong proof.
                assert_eq!((found.bound, found.wins, found.needed), (stored.bound, stored.wins, stored.needed));
                true
            })
        };
        keys.iter().enumerate().filter(is_known).count()
    }

    #[test]
    fn nothing_is_lost_by_growing() {
        let table = TranspositionTable::new(16);
        let keys = keys(FIRST_BUCKETS / 8, 3);
        keys.iter().enumerate().for_each(|(number, &key)| table.store(key, entry(number as u64)));
        let before = known(&table, &keys);
        assert!(before > keys.len() * 9 / 10, "{before}");
        table.buckets.double(split);
        assert_eq!(known(&table, &keys), before);
        assert_eq!(table.buckets.in_use(), 2 * FIRST_BUCKETS);
    }

    #[test]
    fn a_table_grows_as_it_fills_while_threads_use_it_and_no_further_than_it_may() {
        let table = TranspositionTable::new(16);
        let keys = keys(8 * FIRST_BUCKETS, 4);
        std::thread::scope(|scope| {
            for lane in 0..2 {
                let (table, keys) = (&table, &keys);
                let mine = keys.iter().enumerate().skip(lane).step_by(2);
                scope.spawn(move || mine.for_each(|(number, &key)| table.store(key, entry(number as u64))));
            }
        });
        assert_eq!(table.buckets.in_use(), 4 * FIRST_BUCKETS);
        assert_eq!(table.buckets.full(), 4 * FIRST_BUCKETS);
        // As many entries as there is room for, of which some share a bucket with more than one other.
        let known = known(&table, &keys);
        assert!(known > keys.len() / 3, "{known} of {}", keys.len());
        assert!((0.5..=1.0).contains(&table.fill()), "{}", table.fill());
    }

    #[test]
    fn a_small_table_has_a_bucket_and_a_cleared_one_knows_nothing() {
        let mut table = TranspositionTable::new(0);
        let key = keys(1, 5)[0];
        assert!(table.probe(key).is_none());
        table.store(key, entry(0));
        assert!(table.probe(key).is_some());
        table.clear();
        assert!(table.probe(key).is_none());
    }
}
