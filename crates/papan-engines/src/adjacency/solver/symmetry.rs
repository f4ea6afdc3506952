//! The reflection in the anti-diagonal, the one symmetry of the start that keeps the colours.

/// Reflects a set of cells: (row, column) goes to (7 - column, 7 - row).
#[must_use]
pub fn reflect(mut set: u64) -> u64 {
    // Exchange 4x4 blocks, then 2x2 blocks, then cells across the anti-diagonal.
    let mut t = set ^ (set << 36);
    set ^= 0xf0f0_f0f0_0f0f_0f0f & (t ^ (set >> 36));
    t = 0xcccc_0000_cccc_0000 & (set ^ (set << 18));
    set ^= t ^ (t >> 18);
    t = 0xaa00_aa00_aa00_aa00 & (set ^ (set << 9));
    set ^ t ^ (t >> 9)
}

#[cfg(test)]
mod tests {
    use super::reflect;

    #[test]
    fn reflects_every_cell() {
        for cell in 0..64 {
            let (row, column) = (cell / 8, cell % 8);
            assert_eq!(reflect(1 << cell), 1 << (8 * (7 - column) + 7 - row));
        }
    }
}
