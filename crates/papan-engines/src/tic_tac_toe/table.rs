//! Bounds of positions by key.

use std::io::{self, Read, Write};

/// What is known of a value: -1 lost, 0 drawn, 1 won, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) low: i8,
    pub(super) high: i8,
}

impl Bounds {
    pub(super) const UNKNOWN: Self = Self { low: -1, high: 1 };
}

const WAYS: usize = 4;
/// No table that anyone saves is larger: 64 GB.
const MOST_ENTRIES: usize = 1 << 32;

/// A key and what is known of its position; all zero if empty, so that a large table costs only what is
/// used of it.
///
/// ```text
///  15       8 7    4 3    0
/// +----------+------+------+
/// |   left   | high | low  |   bounds plus one; left: free cells, the more the more work it took
/// +----------+------+------+
/// ```
type Entry = [u64; 2];

fn left(entry: Entry) -> u64 {
    entry[1] >> 8
}

/// A table of fixed size; the entry with the fewest free cells makes room.
pub(super) struct Table {
    entries: Vec<Entry>,
}

impl Table {
    pub(super) fn new(megabytes: usize) -> Self {
        let groups = ((megabytes << 20) / (WAYS * size_of::<Entry>())).max(1);
        Self { entries: vec![[0; 2]; groups * WAYS] }
    }

    fn group(&self, key: u64) -> usize {
        let groups = self.entries.len() / WAYS;
        ((u128::from(key) * groups as u128) >> 64) as usize * WAYS
    }

    pub(super) fn probe(&self, key: u64) -> Bounds {
        let group = self.group(key);
        let found = self.entries[group..group + WAYS].iter().find(|entry| entry[0] == key && left(**entry) > 0);
        found.map_or(Bounds::UNKNOWN, |entry| Bounds {
            low: (entry[1] & 15) as i8 - 1,
            high: (entry[1] >> 4 & 15) as i8 - 1,
        })
    }

    pub(super) fn store(&mut self, key: u64, free: usize, bounds: Bounds) {
        let group = self.group(key);
        let entries = &mut self.entries[group..group + WAYS];
        let same = entries.iter().position(|entry| entry[0] == key && left(*entry) > 0);
        let victim = same.unwrap_or_else(|| (0..WAYS).min_by_key(|&way| left(entries[way])).unwrap_or(0));
        let packed = (free as u64) << 8 | ((bounds.high + 1) as u64) << 4 | (bounds.low + 1) as u64;
        entries[victim] = [key, packed];
    }

    /// The table's size.
    pub(super) fn megabytes(&self) -> usize {
        (self.entries.len() * size_of::<Entry>()) >> 20
    }

    /// Writes the number of entries, then each entry.
    pub(super) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&(self.entries.len() as u64).to_le_bytes())?;
        let mut words = self.entries.iter().flatten();
        words.try_for_each(|word| out.write_all(&word.to_le_bytes()))
    }

    /// The table that `save` wrote.
    pub(super) fn load(input: &mut dyn Read) -> io::Result<Self> {
        let mut word = [0; 8];
        input.read_exact(&mut word)?;
        let count = u64::from_le_bytes(word) as usize;
        if count == 0 || !count.is_multiple_of(WAYS) || count > MOST_ENTRIES {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the size of the saved table makes no sense"));
        }
        let mut table = Self { entries: vec![[0; 2]; count] };
        for entry in &mut table.entries {
            for half in entry {
                input.read_exact(&mut word)?;
                *half = u64::from_le_bytes(word);
            }
        }
        Ok(table)
    }

    /// Share of entries in use, from a sample.
    pub(super) fn used(&self) -> f64 {
        let sample = &self.entries[..self.entries.len().min(4096)];
        sample.iter().filter(|entry| left(**entry) > 0).count() as f64 / sample.len() as f64
    }
}
