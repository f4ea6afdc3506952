//! The shared table of bounds.
//!
//! Eight entries of eight bytes fill one cache line. Threads read and write without locks: an entry is
//! one word, so it is whole or not there.
//!
//! ```text
//!  63              20 19    13 12     6 5      0
//! +------------------+--------+--------+--------+
//! | tag (44 bits)    |  high  |  low   |  size  |   size: links left, 0 = empty entry
//! +------------------+--------+--------+--------+   bounds: (bound + 128) / 2, parity from the boxes
//! ```

use super::canon::Key;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const WAYS: usize = 8;
/// No table that anyone saves is larger: 64 GB.
const MOST_LINES: usize = 1 << 30;
const TAG_SHIFT: u32 = 20;
const SIZE_MASK: u64 = 0x3F;

/// What is known of a position's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) low: i32,
    pub(super) high: i32,
}

/// Bounds by fingerprint.
pub(super) struct Table {
    words: Box<[AtomicU64]>,
    /// Words before the first whole cache line.
    offset: usize,
    lines: usize,
}

const LINE_BYTES: usize = WAYS * size_of::<AtomicU64>();

fn pack(bound: i32) -> u64 {
    ((bound + 128) / 2) as u64
}

fn unpack(code: u64, odd: i32) -> i32 {
    (code as i32) * 2 - 128 + odd
}

impl Table {
    /// A table of at most `megabytes`, at least one line.
    pub(super) fn new(megabytes: usize) -> Self {
        Self::with_lines(((megabytes << 20) / LINE_BYTES).max(1))
    }

    fn with_lines(lines: usize) -> Self {
        let words = crate::pages::zeroed_words((lines + 1) * WAYS);
        let misaligned = words.as_ptr() as usize % LINE_BYTES;
        let offset = (LINE_BYTES - misaligned) % LINE_BYTES / size_of::<AtomicU64>();
        Self { words, offset, lines }
    }

    #[inline]
    fn line(&self, key: Key) -> &[AtomicU64; WAYS] {
        let index = (u128::from(key.low) * self.lines as u128) >> 64;
        let start = self.offset + index as usize * WAYS;
        self.words[start..start + WAYS].try_into().expect("a line has eight words")
    }

    fn entries(&self) -> &[AtomicU64] {
        &self.words[self.offset..self.offset + self.lines * WAYS]
    }

    #[inline]
    fn tag(key: Key) -> u64 {
        key.high >> TAG_SHIFT
    }

    /// Brings the line of a key closer, so that a later probe does not wait for memory.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "measured: probes wait for memory without it"))]
    pub(super) fn prefetch(&self, key: Key) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let line = self.line(key).as_ptr();
            // SAFETY: prefetching is a hint that reads nothing; the address is that of a live line.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// The bounds of a position with `boxes` boxes to come.
    #[inline]
    pub(super) fn probe(&self, key: Key, boxes: i32) -> Bounds {
        let tag = Self::tag(key);
        for entry in self.line(key) {
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
        let word = tag << TAG_SHIFT | pack(bounds.high - odd) << 13 | pack(bounds.low - odd) << 6 | size;
        let line = self.line(key);
        let mut victim = 0;
        let mut smallest = u64::MAX;
        for (index, entry) in line.iter().enumerate() {
            let old = entry.load(Relaxed);
            let old_size = old & SIZE_MASK;
            if old >> TAG_SHIFT == tag && old_size != 0 {
                victim = index;
                break;
            }
            if old_size < smallest {
                smallest = old_size;
                victim = index;
            }
        }
        line[victim].store(word, Relaxed);
    }

    /// Share of used entries, from a sample.
    pub(super) fn used(&self) -> f64 {
        let sample = &self.entries()[..self.entries().len().min(1 << 15)];
        let used = sample.iter().filter(|entry| entry.load(Relaxed) != 0).count();
        used as f64 / sample.len() as f64
    }

    /// The table's size.
    pub(super) fn megabytes(&self) -> usize {
        (self.lines * LINE_BYTES) >> 20
    }

    /// Writes the number of lines, then all entries.
    pub(super) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&(self.lines as u64).to_le_bytes())?;
        self.entries().iter().try_for_each(|entry| out.write_all(&entry.load(Relaxed).to_le_bytes()))
    }

    /// The table that `save` wrote.
    pub(super) fn load(input: &mut dyn Read) -> io::Result<Self> {
        let mut word = [0; 8];
        input.read_exact(&mut word)?;
        let lines = u64::from_le_bytes(word) as usize;
        if lines == 0 || lines > MOST_LINES {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the size of the saved table makes no sense"));
        }
        let table = Self::with_lines(lines);
        for entry in table.entries() {
            input.read_exact(&mut word)?;
            // Empty entries stay untouched, and with them the memory they are in.
            if word != [0; 8] {
                entry.store(u64::from_le_bytes(word), Relaxed);
            }
        }
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_come_back_and_the_smallest_position_makes_room() {
        let table = Table::new(0);
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
        let table = Table::new(0);
        let key = Key { low: 5, high: 77 << TAG_SHIFT };
        table.store(key, 4, 3, Bounds { low: -2, high: 2 });
        let mut saved = Vec::new();
        table.save(&mut saved).unwrap();
        let other = Table::load(&mut saved.as_slice()).unwrap();
        assert_eq!(other.probe(key, 4), Bounds { low: -2, high: 2 });
        assert!(Table::load(&mut &saved[..saved.len() - 1]).is_err(), "an entry is missing");
        assert!(Table::load(&mut [0xFF; 16].as_slice()).is_err(), "no table is that large");
    }
}
