//! The transposition table: whole boards as keys, lower and upper bounds, shared by all threads without locks.
//!
//! ```text
//! bucket, 128 bytes: five entries of three words, one word spare
//! entry:  player ^ data | opponent ^ data | data
//! data:   byte 0 lower bound   byte 2 depth         byte 4 best move     byte 6 generation
//!         byte 1 upper bound   byte 3 selectivity   byte 5 second move   byte 7 log2 of the nodes it cost
//! ```
//!
//! Two threads may write an entry at the same time and leave words of both. A reader undoes the exclusive or with
//! the data it reads: a mixed entry does not give its board back and is taken for an empty one.

use super::board::{Board, NO_SQUARE};
use crate::common::table_memory::GrowingBuckets;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

const WAYS: usize = 5;
/// Buckets that a table begins with, 4 MiB of them: the positions of a short search stay in the processor's caches,
/// and few pages of memory are touched for the first time, which takes longer than anything else in such a search.
const FIRST_BUCKETS: usize = 1 << 15;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The score is at least this.
    pub lower: i8,
    /// The score is at most this.
    pub upper: i8,
    /// Depth of the search that gave the bounds; the number of empties if it went to the end.
    pub depth: u8,
    /// Selectivity level of that search.
    pub selectivity: u8,
    /// The best move and the best one before it, or [`NO_SQUARE`].
    pub moves: [u8; 2],
    /// Binary logarithm of the nodes that were spent: dear entries are kept longer.
    pub cost: u8,
}

impl Entry {
    const fn pack(self, generation: u8) -> u64 {
        u64::from_le_bytes([
            self.lower as u8,
            self.upper as u8,
            self.depth,
            self.selectivity,
            self.moves[0],
            self.moves[1],
            generation,
            self.cost,
        ])
    }

    const fn unpack(data: u64) -> Self {
        let [lower, upper, depth, selectivity, best, second, _, cost] = data.to_le_bytes();
        Self { lower: lower as i8, upper: upper as i8, depth, selectivity, moves: [best, second], cost }
    }
}

/// Words of a bucket: two cache lines, which come together.
const BUCKET: usize = 16;
type Bucket = [AtomicU64; BUCKET];

/// A transposition table that any number of threads may use at once. It grows as it fills, up to a given size.
pub(super) struct TranspositionTable {
    buckets: GrowingBuckets<BUCKET>,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// A table of at most `megabytes`, and at least one bucket.
    #[must_use]
    pub(super) fn new(megabytes: usize) -> Self {
        let wanted = (megabytes << 20) / size_of::<Bucket>();
        let count = if wanted.is_power_of_two() { wanted } else { (wanted.max(1) + 1).next_power_of_two() / 2 };
        Self { buckets: GrowingBuckets::new(FIRST_BUCKETS, count.max(1)), generation: AtomicU8::new(1) }
    }

    /// Forgets everything; what the table has grown to it keeps.
    pub(super) fn clear(&self) {
        self.buckets.clear();
    }

    /// Forgets everything by taking fresh memory.
    pub(super) fn renew(&mut self) {
        self.buckets.renew();
        self.generation = AtomicU8::new(1);
    }

    /// Starts a new search: entries of earlier ones are replaced first.
    pub(super) fn new_generation(&self) {
        // Zero is kept for "never written".
        let next = self.generation.load(Relaxed).checked_add(1).unwrap_or(1);
        self.generation.store(next, Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, board: Board) -> &Bucket {
        self.buckets.at(self.buckets.index(hash(board)))
    }

    /// The share of entries in use at full size, 0 to 1.
    #[must_use]
    pub(super) fn used(&self) -> f64 {
        self.buckets.used(WAYS)
    }

    /// What the table knows of a board.
    #[inline]
    #[must_use]
    pub(super) fn probe(&self, board: Board) -> Option<Entry> {
        let words = self.bucket(board);
        for way in 0..WAYS {
            let data = words[3 * way + 2].load(Relaxed);
            if words[3 * way].load(Relaxed) ^ data == board.player
                && words[3 * way + 1].load(Relaxed) ^ data == board.opponent
                && data != 0
            {
                return Some(Entry::unpack(data));
            }
        }
        None
    }

    /// Stores what a search found out. Bounds of the same depth and selectivity are joined with those known; a
    /// shallower result for a known board replaces it only if the known one is of an earlier search.
    #[inline]
    pub(super) fn store(&self, board: Board, mut entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let index = self.buckets.index(hash(board));
        let words = self.buckets.at(index);
        let (mut victim, mut least) = (0, u32::MAX);
        for way in 0..WAYS {
            let data = words[3 * way + 2].load(Relaxed);
            if words[3 * way].load(Relaxed) ^ data == board.player
                && words[3 * way + 1].load(Relaxed) ^ data == board.opponent
                && data != 0
            {
                entry = joined(entry, Entry::unpack(data));
                victim = way;
                break;
            }
            let [_, _, depth, _, _, _, age, cost] = data.to_le_bytes();
            let priority = u32::from(age == generation) << 16 | u32::from(cost) << 8 | u32::from(depth);
            if priority < least {
                (victim, least) = (way, priority);
            }
        }
        if GrowingBuckets::<BUCKET>::is_watched(index) && words[3 * victim + 2].load(Relaxed) == 0 {
            self.buckets.count_new_entry(|used, buckets| used * 2 > buckets * WAYS, split);
        }
        let data = entry.pack(generation);
        words[3 * victim].store(board.player ^ data, Relaxed);
        words[3 * victim + 1].store(board.opponent ^ data, Relaxed);
        words[3 * victim + 2].store(data, Relaxed);
    }
}

/// The new entry with what the old one still adds to it.
#[inline]
fn joined(new: Entry, old: Entry) -> Entry {
    let mut result = new;
    if new.moves[0] == NO_SQUARE {
        result.moves = old.moves;
    } else if new.moves[0] != old.moves[0] {
        result.moves[1] = old.moves[0];
    } else {
        result.moves[1] = old.moves[1];
    }
    if new.depth == old.depth && new.selectivity == old.selectivity {
        let (lower, upper) = (new.lower.max(old.lower), new.upper.min(old.upper));
        // Selective searches may contradict each other: then the newer one stands.
        if lower <= upper {
            (result.lower, result.upper) = (lower, upper);
        }
        result.cost = new.cost.max(old.cost);
    }
    result
}

/// Spreads a board over the table by one wide multiplication.
#[inline(always)]
pub(super) fn hash(board: Board) -> u64 {
    let product = u128::from(board.player ^ 0x9E37_79B9_7F4A_7C15) * u128::from(board.opponent ^ 0xD1B5_4A32_D192_ED03);
    (product >> 64) as u64 ^ product as u64
}

/// Moves the entries of `old` whose hash has `bit` to `new`.
fn split(old: &Bucket, new: &Bucket, bit: usize) {
    for way in 0..WAYS {
        let [player, opponent, data] = [0, 1, 2].map(|word| old[3 * way + word].load(Relaxed));
        let board = Board { player: player ^ data, opponent: opponent ^ data };
        if data != 0 && hash(board) as usize & bit != 0 {
            new[3 * way].store(player, Relaxed);
            new[3 * way + 1].store(opponent, Relaxed);
            new[3 * way + 2].store(data, Relaxed);
            old[3 * way + 2].store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Shape;
    use crate::othello::testing::{random_boards, start};

    fn entry(lower: i8, upper: i8, depth: u8) -> Entry {
        Entry { lower, upper, depth, selectivity: 5, moves: [3, 4], cost: 1 }
    }

    #[test]
    fn what_was_stored_comes_back() {
        let table = TranspositionTable::new(1);
        let boards = random_boards(500, 3, Shape::STANDARD);
        for &board in &boards {
            table.store(board, entry(-4, 6, 9));
        }
        let known = boards.iter().filter(|&&board| table.probe(board) == Some(entry(-4, 6, 9))).count();
        assert!(known > 480, "{known}");
    }

    #[test]
    fn a_table_that_grows_keeps_what_it_holds() {
        let table = TranspositionTable::new(16);
        let boards = random_boards(6000, 5, Shape::STANDARD);
        let started_with = table.buckets.in_use();
        for &board in &boards {
            table.store(board, entry(-4, 6, 9));
        }
        table.buckets.double(split);
        let known = |table: &TranspositionTable| {
            boards.iter().filter(|&&board| table.probe(board) == Some(entry(-4, 6, 9))).count()
        };
        assert!(known(&table) > 5990, "{}", known(&table));
        assert_eq!(table.buckets.in_use(), 2 * started_with);
    }

    /// Three times as many positions as the first buckets hold, stored by two threads at once.
    #[test]
    fn a_table_grows_as_it_fills_while_threads_use_it() {
        let table = TranspositionTable::new(64);
        let board = |number: u64| {
            let player = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            Board { player, opponent: number.wrapping_mul(0xD1B5_4A32_D192_ED03) & !player }
        };
        let count = (3 * FIRST_BUCKETS * WAYS) as u64;
        std::thread::scope(|scope| {
            for lane in 0..2 {
                let table = &table;
                scope.spawn(move || (lane..count).step_by(2).for_each(|n| table.store(board(n), entry(-4, 6, 9))));
            }
        });
        let buckets = table.buckets.in_use();
        assert!(buckets >= 4 * FIRST_BUCKETS && buckets <= table.buckets.full(), "{buckets}");
        // What one thread stores while the other moves entries may be lost: more of it if that one is held up.
        let known = (0..count).filter(|&n| table.probe(board(n)) == Some(entry(-4, 6, 9))).count() as f64;
        assert!(known > 0.5 * count as f64, "{known} of {count}");
        let stored = count as f64 / (table.buckets.full() * WAYS) as f64;
        assert!((0.5 * stored..1.1 * stored).contains(&table.used()), "{} of {stored}", table.used());
        table.clear();
        assert_eq!(table.used(), 0.0);
    }

    #[test]
    fn new_and_renewed_tables_know_nothing() {
        let mut table = TranspositionTable::new(1);
        let board = start(Shape::STANDARD);
        assert!(table.probe(board).is_none());
        table.store(board, Entry { lower: 1, upper: 2, depth: 3, selectivity: 0, moves: [4, 5], cost: 6 });
        assert!(table.probe(board).is_some());
        table.renew();
        assert!(table.probe(board).is_none());
    }

    #[test]
    fn bounds_of_the_same_depth_are_joined() {
        let table = TranspositionTable::new(1);
        let board = start(Shape::STANDARD);
        table.store(board, entry(-64, 6, 9));
        table.store(board, entry(2, 64, 9));
        let found = table.probe(board).unwrap();
        assert_eq!((found.lower, found.upper), (2, 6));
        table.store(board, entry(-64, 0, 10));
        assert_eq!(table.probe(board).map(|found| found.lower), Some(-64));
    }

    #[test]
    fn an_empty_table_knows_nothing() {
        let board = Board { player: 0, opponent: 0 };
        assert_eq!(TranspositionTable::new(1).probe(board), None);
    }
}
