//! Bounds of positions by key.

/// What is known of a value: -1 lost, 0 drawn, 1 won, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) low: i8,
    pub(super) high: i8,
}

impl Bounds {
    pub(super) const UNKNOWN: Self = Self { low: -1, high: 1 };
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    bounds: Bounds,
    /// Free cells: the more, the more work it took.
    left: u8,
}

const WAYS: usize = 4;
const NOTHING: Entry = Entry { key: 0, bounds: Bounds::UNKNOWN, left: 0 };

/// A table of fixed size; the entry with the fewest free cells makes room.
pub(super) struct Table {
    entries: Vec<Entry>,
}

impl Table {
    pub(super) fn new(megabytes: usize) -> Self {
        let groups = ((megabytes << 20) / (WAYS * size_of::<Entry>())).max(1);
        Self { entries: vec![NOTHING; groups * WAYS] }
    }

    fn group(&self, key: u64) -> usize {
        let groups = self.entries.len() / WAYS;
        ((u128::from(key) * groups as u128) >> 64) as usize * WAYS
    }

    pub(super) fn probe(&self, key: u64) -> Bounds {
        let group = self.group(key);
        let found = self.entries[group..group + WAYS].iter().find(|entry| entry.key == key && entry.left > 0);
        found.map_or(Bounds::UNKNOWN, |entry| entry.bounds)
    }

    pub(super) fn store(&mut self, key: u64, left: usize, bounds: Bounds) {
        let group = self.group(key);
        let entries = &mut self.entries[group..group + WAYS];
        let same = entries.iter().position(|entry| entry.key == key && entry.left > 0);
        let victim = same.unwrap_or_else(|| (0..WAYS).min_by_key(|&way| entries[way].left).unwrap_or(0));
        entries[victim] = Entry { key, bounds, left: left as u8 };
    }

    /// Share of entries in use.
    pub(super) fn used(&self) -> f64 {
        let sample = &self.entries[..self.entries.len().min(4096)];
        sample.iter().filter(|entry| entry.left > 0).count() as f64 / sample.len() as f64
    }
}
