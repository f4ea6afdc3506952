//! The transposition table: bounds by fingerprint, shared by all threads.
//!
//! One cache line holds eight entries of eight bytes. Threads read and write without locks: an entry is
//! one word, so it is whole or not there.
//!
//! ```text
//!  63              20 19    13 12     6 5      0
//! +------------------+--------+--------+--------+
//! | tag (44 bits)    |  high  |  low   |  size  |   size: links left, 0 = empty entry
//! +------------------+--------+--------+--------+   bounds: (bound + 128) / 2, parity from the boxes
//! ```
//!
//! Memory that is touched for the first time costs more than the search that touches it, so a table begins
//! small and grows as it fills. The tag is the upper half of the key, the lower half chooses the line: until
//! the table has its full size, lines hold four entries and beside each the lower half of its key, by which
//! it finds its place in a larger table.
//!
//! ```text
//!  word  0         3 4         7
//!       +-----------+-----------+
//!       |  entries  | lower     |   while it grows
//!       |           | halves    |
//!       +-----------+-----------+
//!       |        entries        |   at full size
//!       +-----------------------+
//! ```

use super::canonical::Key;
use crate::common::solving::Bounds;
use crate::common::table_memory::{Buckets, prefetch};
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const WORDS: usize = 8;
const GROWING_WAYS: usize = 4;
const LINE_BYTES: usize = WORDS * size_of::<AtomicU64>();
/// No table that anyone saves is larger: 64 GB.
const MOST_LINES: usize = 1 << 30;
/// 512 KB: 3x3 fits.
const FIRST_LINES: usize = 1 << 13;
const GROWTH: usize = 4;
/// 128 MB. What does not fit there is a long solve, which gets the full size at once.
const MOST_GROWING_LINES: usize = 1 << 21;
/// Lines looked at to see how full the table is.
const SAMPLE_LINES: usize = 1 << 12;
const TAG_SHIFT: u32 = 20;
const SIZE_MASK: u64 = 0x3F;

/// Bounds by fingerprint.
pub(super) struct TranspositionTable {
    lines: Buckets<WORDS>,
    /// The size to which it grows.
    full_lines: usize,
    /// Entries per line.
    ways: usize,
}

type Line = [AtomicU64; WORDS];

fn pack(bound: i32) -> u64 {
    ((bound + 128) / 2) as u64
}

fn unpack(code: u64, odd: i32) -> i32 {
    (code as i32) * 2 - 128 + odd
}

impl TranspositionTable {
    /// A table that grows to at most `megabytes`, at least one line.
    pub(super) fn new(megabytes: usize) -> Self {
        let full_lines = ((megabytes << 20) / LINE_BYTES).max(1);
        Self::with_lines(size_below(FIRST_LINES, full_lines), full_lines)
    }

    fn with_lines(lines: usize, full_lines: usize) -> Self {
        let ways = if lines < full_lines { GROWING_WAYS } else { WORDS };
        Self { lines: Buckets::for_growth(lines), full_lines, ways }
    }

    /// Whether there is a larger size.
    pub(super) fn can_grow(&self) -> bool {
        self.lines.count() < self.full_lines
    }

    /// The same table in the next size.
    pub(super) fn grown(&self) -> Self {
        let lines = size_below(self.lines.count() * GROWTH, self.full_lines);
        let larger = Self::with_lines(lines, self.full_lines);
        for line in self.all_lines().filter(|_| self.can_grow()) {
            let (entries, lower_halves) = line.split_at(GROWING_WAYS);
            for (entry, low) in entries.iter().zip(lower_halves) {
                // Two threads that stored at once may have left an entry with the other's lower half. It
                // moves to a line where nobody looks for it, which only loses it.
                let (word, low) = (entry.load(Relaxed), low.load(Relaxed));
                if word & SIZE_MASK != 0 {
                    larger.put(low, word);
                }
            }
        }
        larger
    }

    #[inline]
    fn line(&self, low: u64) -> &Line {
        let index = (u128::from(low) * self.lines.count() as u128) >> 64;
        self.lines.at(index as usize)
    }

    fn all_lines(&self) -> impl Iterator<Item = &Line> {
        self.lines.words().as_chunks().0.iter()
    }

    #[inline]
    fn tag(key: Key) -> u64 {
        key.high >> TAG_SHIFT
    }

    /// Brings the line of a key closer, so that a later probe does not wait for memory.
    #[inline]
    pub(super) fn prefetch(&self, key: Key) {
        prefetch(self.line(key.low));
    }

    /// The bounds of a position with `boxes` boxes to come.
    #[inline]
    pub(super) fn probe(&self, key: Key, boxes: i32) -> Bounds {
        let tag = Self::tag(key);
        for entry in self.line(key.low).iter().take(self.ways) {
            let word = entry.load(Relaxed);
            if word >> TAG_SHIFT == tag && word & SIZE_MASK != 0 {
                let odd = boxes & 1;
                return Bounds { low: unpack(word >> 6 & 0x7F, odd), high: unpack(word >> 13 & 0x7F, odd) };
            }
        }
        Bounds { low: -boxes, high: boxes }
    }

    /// Remembers bounds; the entry with the fewest links left makes room.
    #[inline]
    pub(super) fn store(&self, key: Key, boxes: i32, links: usize, bounds: Bounds) {
        let (tag, odd) = (Self::tag(key), boxes & 1);
        let size = links.clamp(1, SIZE_MASK as usize) as u64;
        self.put(key.low, tag << TAG_SHIFT | pack(bounds.high - odd) << 13 | pack(bounds.low - odd) << 6 | size);
    }

    #[inline]
    fn put(&self, low: u64, word: u64) {
        let line = self.line(low);
        let mut victim = 0;
        let mut smallest = u64::MAX;
        for (index, entry) in line.iter().enumerate().take(self.ways) {
            let old = entry.load(Relaxed);
            let old_size = old & SIZE_MASK;
            if old >> TAG_SHIFT == word >> TAG_SHIFT && old_size != 0 {
                victim = index;
                break;
            }
            if old_size < smallest {
                smallest = old_size;
                victim = index;
            }
        }
        line[victim].store(word, Relaxed);
        if self.ways == GROWING_WAYS {
            line[GROWING_WAYS + victim].store(low, Relaxed);
        }
    }

    /// Entries that there is room for in the present size.
    pub(super) fn capacity(&self) -> u64 {
        (self.lines.count() * self.ways) as u64
    }

    /// Share of used entries in the present size, from a sample.
    pub(super) fn used(&self) -> f64 {
        let entries = || self.all_lines().take(SAMPLE_LINES).flat_map(|line| &line[..self.ways]);
        let used = entries().filter(|entry| entry.load(Relaxed) != 0).count();
        used as f64 / entries().count() as f64
    }

    /// Share of used entries of the full size, from a sample.
    pub(super) fn used_of_full(&self) -> f64 {
        self.used() * self.capacity() as f64 / (self.full_lines * WORDS) as f64
    }

    /// The size to which it grows.
    pub(super) fn megabytes(&self) -> usize {
        (self.full_lines * LINE_BYTES) >> 20
    }

    /// Writes the number of lines at full size, the number now, then all words.
    pub(super) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&(self.full_lines as u64).to_le_bytes())?;
        out.write_all(&(self.lines.count() as u64).to_le_bytes())?;
        self.lines.words().iter().try_for_each(|word| out.write_all(&word.load(Relaxed).to_le_bytes()))
    }

    /// The table that `save` wrote.
    pub(super) fn load(input: &mut dyn Read) -> io::Result<Self> {
        let mut next = || -> io::Result<u64> {
            let mut word = [0; 8];
            input.read_exact(&mut word)?;
            Ok(u64::from_le_bytes(word))
        };
        let (full_lines, lines) = (next()? as usize, next()? as usize);
        if lines == 0 || lines > full_lines || full_lines > MOST_LINES {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the size of the saved table makes no sense"));
        }
        // Memory is taken for what is there, not for what the file promises.
        let mut table = Self::with_lines(lines.min(FIRST_LINES), full_lines);
        let mut read = 0;
        loop {
            for word in &table.lines.words()[read..] {
                put(word, next()?);
            }
            read = table.lines.words().len();
            if table.lines.count() == lines {
                return Ok(table);
            }
            let larger = Self::with_lines(lines.min(table.lines.count() * GROWTH), full_lines);
            for (word, known) in larger.lines.words().iter().zip(table.lines.words()) {
                put(word, known.load(Relaxed));
            }
            table = larger;
        }
    }
}

/// Stores a word of a saved table. Empty ones stay untouched, and with them the memory they are in.
fn put(word: &AtomicU64, value: u64) {
    if value != 0 {
        word.store(value, Relaxed);
    }
}

/// The size asked for, or the full one where growing on would save little.
fn size_below(lines: usize, full_lines: usize) -> usize {
    if lines <= MOST_GROWING_LINES.min(full_lines / GROWTH) { lines } else { full_lines }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_come_back_and_the_smallest_position_makes_room() {
        let table = TranspositionTable::new(0);
        let key = |high: u64| Key { low: 0, high: high << TAG_SHIFT };
        for number in 1..=8 {
            let bounds = Bounds { low: -3, high: number as i32 * 2 - 1 };
            table.store(key(number), 25, 10 + number as usize, bounds);
            assert_eq!(table.probe(key(number), 25), bounds);
        }
        table.store(key(9), 24, 30, Bounds { low: -24, high: 24 });
        assert_eq!(table.probe(key(9), 24), Bounds { low: -24, high: 24 });
        // The first had the fewest links.
        assert_eq!(table.probe(key(1), 25), Bounds { low: -25, high: 25 });
        assert_eq!(table.probe(key(2), 25).high, 3);
        // The same position is updated in place.
        table.store(key(2), 25, 12, Bounds { low: 1, high: 3 });
        assert_eq!(table.probe(key(2), 25), Bounds { low: 1, high: 3 });
        assert!((table.used() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_saved_table_is_the_same_when_loaded() {
        let table = TranspositionTable::new(0);
        let key = Key { low: 5, high: 77 << TAG_SHIFT };
        table.store(key, 4, 3, Bounds { low: -2, high: 2 });
        let mut saved = Vec::new();
        table.save(&mut saved).unwrap();
        let other = TranspositionTable::load(&mut saved.as_slice()).unwrap();
        assert_eq!(other.probe(key, 4), Bounds { low: -2, high: 2 });
        assert!(TranspositionTable::load(&mut &saved[..saved.len() - 1]).is_err(), "an entry is missing");
        assert!(TranspositionTable::load(&mut [0xFF; 16].as_slice()).is_err(), "no table is that large");
    }

    #[test]
    fn a_file_of_sixteen_bytes_that_promises_64_gb_gets_no_memory() {
        let promised = (MOST_LINES as u64).to_le_bytes();
        assert!(TranspositionTable::load(&mut [promised, promised].concat().as_slice()).is_err());
    }

    #[test]
    fn nothing_is_lost_by_growing_to_the_full_size() {
        let scattered = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let key = |number: u64| Key { low: scattered(number), high: scattered(!number) };
        let mut table = TranspositionTable::new(16);
        let stored = 1..=table.capacity() / 4;
        let bounds = |number: u64| Bounds { low: -3, high: (number % 3) as i32 * 2 - 1 };
        for number in stored.clone() {
            table.store(key(number), 25, 20, bounds(number));
        }
        let known =
            |table: &TranspositionTable| stored.clone().filter(|&n| table.probe(key(n), 25) == bounds(n)).count();
        let (before, mut sizes) = (known(&table), 1);
        while table.can_grow() {
            let used = table.used_of_full();
            table = table.grown();
            sizes += 1;
            assert_eq!(known(&table), before);
            // The first full lines, and with them the sample, may lie a little above or below the rest.
            assert!((table.used_of_full() / used - 1.0).abs() < 0.2);
            let mut saved = Vec::new();
            table.save(&mut saved).unwrap();
            assert_eq!(known(&TranspositionTable::load(&mut saved.as_slice()).unwrap()), before);
        }
        // A line of four drops one now and then.
        assert!(before as u64 * 100 > stored.end() * 99, "{before} of {}", stored.end());
        assert_eq!((sizes, table.megabytes()), (3, 16));
    }
}
