//! The transposition table of the solver: bounds of positions by key.

use crate::common::solving::Bounds;
use std::io::{self, Read, Write};

/// What is known of any value: -1 lost, 0 drawn, 1 won, for the side to move.
pub(super) const UNKNOWN: Bounds = Bounds { low: -1, high: 1 };

const WAYS: usize = 4;
/// No table that anyone saves is larger: 64 GB.
const MOST_ENTRIES: u64 = 1 << 32;

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

/// A table that grows up to a given size as it fills, so that short solves stay in the processor's caches;
/// at full size the entry with the fewest free cells makes room.
pub(super) struct TranspositionTable {
    entries: Vec<Entry>,
    used: usize,
    most_entries: usize,
}

/// 2 MB.
const FIRST_ENTRIES: usize = 1 << 17;
const GROWTH: usize = 4;

impl TranspositionTable {
    pub(super) fn new(megabytes: usize) -> Self {
        let groups = ((megabytes << 20) / (WAYS * size_of::<Entry>())).max(1);
        let most_entries = groups * WAYS;
        Self { entries: vec![[0; 2]; FIRST_ENTRIES.min(most_entries)], used: 0, most_entries }
    }

    /// Makes room if half of it is used and it may still grow.
    fn grow(&mut self) {
        if self.used * 2 < self.entries.len() || self.entries.len() == self.most_entries {
            return;
        }
        let larger = vec![[0; 2]; (self.entries.len() * GROWTH).min(self.most_entries)];
        let entries = std::mem::replace(&mut self.entries, larger);
        self.used = 0;
        entries.into_iter().filter(|&entry| left(entry) > 0).for_each(|entry| self.put(entry));
    }

    fn put(&mut self, entry: Entry) {
        let group = self.group(entry[0]);
        let entries = &mut self.entries[group..group + WAYS];
        let same = entries.iter().position(|old| old[0] == entry[0] && left(*old) > 0);
        let victim = same.unwrap_or_else(|| (0..WAYS).min_by_key(|&way| left(entries[way])).unwrap_or(0));
        self.used += usize::from(left(entries[victim]) == 0);
        entries[victim] = entry;
    }

    fn group(&self, key: u64) -> usize {
        let groups = self.entries.len() / WAYS;
        ((u128::from(key) * groups as u128) >> 64) as usize * WAYS
    }

    pub(super) fn probe(&self, key: u64) -> Bounds {
        let group = self.group(key);
        let found = self.entries[group..group + WAYS].iter().find(|entry| entry[0] == key && left(**entry) > 0);
        found.map_or(UNKNOWN, |entry| Bounds { low: (entry[1] & 15) as i32 - 1, high: (entry[1] >> 4 & 15) as i32 - 1 })
    }

    pub(super) fn store(&mut self, key: u64, free: usize, bounds: Bounds) {
        self.grow();
        let packed = (free as u64) << 8 | ((bounds.high + 1) as u64) << 4 | (bounds.low + 1) as u64;
        self.put([key, packed]);
    }

    /// The size to which the table grows.
    pub(super) fn megabytes(&self) -> usize {
        (self.most_entries * size_of::<Entry>()) >> 20
    }

    /// Writes the most entries, the number of entries, then each entry.
    pub(super) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&(self.most_entries as u64).to_le_bytes())?;
        out.write_all(&(self.entries.len() as u64).to_le_bytes())?;
        let mut words = self.entries.iter().flatten();
        words.try_for_each(|word| out.write_all(&word.to_le_bytes()))
    }

    /// The table that `save` wrote.
    pub(super) fn load(input: &mut dyn Read) -> io::Result<Self> {
        let mut word = [0; 8];
        let mut count = || -> io::Result<usize> {
            input.read_exact(&mut word)?;
            Ok(u64::from_le_bytes(word) as usize)
        };
        let (most_entries, count) = (count()?, count()?);
        if count == 0 || !count.is_multiple_of(WAYS) || count > most_entries || most_entries as u64 > MOST_ENTRIES {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the size of the saved table makes no sense"));
        }
        // Memory is taken for what is there, not for what the file promises.
        let mut entries = Vec::new();
        for _ in 0..count {
            let mut entry = [0; 2];
            for half in &mut entry {
                input.read_exact(&mut word)?;
                *half = u64::from_le_bytes(word);
            }
            entries.push(entry);
        }
        let used = entries.iter().filter(|&&entry| left(entry) > 0).count();
        Ok(Self { entries, used, most_entries })
    }

    /// Share of the full size in use.
    pub(super) fn used(&self) -> f64 {
        self.used as f64 / self.most_entries as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_stored_is_still_known_after_growing_and_after_loading() {
        let mut table = TranspositionTable::new(16);
        let first_size = table.entries.len();
        let key = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let stored = 1..=first_size as u64;
        stored.clone().for_each(|number| table.store(key(number), 9, Bounds { low: 0, high: 1 }));
        assert!(table.entries.len() > first_size);
        let known = |table: &TranspositionTable| {
            stored.clone().filter(|&n| table.probe(key(n)) == Bounds { low: 0, high: 1 }).count()
        };
        // A full group of four drops one now and then, nothing else is lost.
        assert!(known(&table) * 100 > first_size * 95, "{} of {first_size}", known(&table));
        assert_eq!(table.used, known(&table));
        let mut saved = Vec::new();
        table.save(&mut saved).unwrap();
        let loaded = TranspositionTable::load(&mut saved.as_slice()).unwrap();
        assert_eq!((known(&loaded), loaded.used, loaded.megabytes()), (known(&table), table.used, 16));
        assert!(TranspositionTable::load(&mut &saved[..saved.len() - 1]).is_err(), "half an entry is missing");
    }

    #[test]
    fn a_file_of_sixteen_bytes_that_promises_64_gb_gets_no_memory() {
        let promised = MOST_ENTRIES.to_le_bytes();
        assert!(TranspositionTable::load(&mut [promised, promised].concat().as_slice()).is_err());
    }
}
