//! Tables that give each square a weight, summed a row at a time.

use super::position::Rules;

/// One weight a square. The weights of every pattern of a row are summed
/// beforehand, so that a board costs eight look-ups.
pub(super) struct SquareTable {
    rows: [[i16; 256]; 8],
}

impl SquareTable {
    /// The sum of the weights of `discs`.
    #[inline(always)]
    pub(super) fn sum(&self, discs: u64) -> i32 {
        let bytes = discs.to_le_bytes();
        self.rows.iter().zip(bytes).map(|(row, byte)| i32::from(row[usize::from(byte)])).sum()
    }

    /// The table of weights that depend on the distances to the nearest edges:
    /// `weights[row][column]` from the corner, for a board of `2 * HALF` a side.
    const fn folded<const HALF: usize>(weights: [[i16; HALF]; HALF]) -> Self {
        let mut rows = [[0; 256]; 8];
        let mut row = 0;
        while row < 2 * HALF {
            let mut pattern = 0;
            while pattern < 1 << (2 * HALF) {
                let mut column = 0;
                while column < 2 * HALF {
                    if pattern >> column & 1 == 1 {
                        rows[row][pattern] += weights[from_edge(row, HALF)][from_edge(column, HALF)];
                    }
                    column += 1;
                }
                pattern += 1;
            }
            row += 1;
        }
        Self { rows }
    }
}

const fn from_edge(line: usize, half: usize) -> usize {
    if line < half { line } else { 2 * half - 1 - line }
}

/// One table for each size of board.
pub(super) struct SizedTables([SquareTable; 3]);

impl SizedTables {
    /// The table for this board.
    #[inline(always)]
    pub(super) fn of(&self, rules: Rules) -> &SquareTable {
        match rules.size {
            4 => &self.0[0],
            6 => &self.0[1],
            _ => &self.0[2],
        }
    }
}

/// 5 in a corner, 3 on an edge, 1 inside.
pub(super) static CORNERS_AND_EDGES: SizedTables = SizedTables([
    SquareTable::folded([[5, 3], [3, 1]]),
    SquareTable::folded([[5, 3, 3], [3, 1, 1], [3, 1, 1]]),
    SquareTable::folded([[5, 3, 3, 3], [3, 1, 1, 1], [3, 1, 1, 1], [3, 1, 1, 1]]),
]);

/// Corners are worth most, the squares that give them away cost most. On 4×4
/// every inner square touches a corner, so that the penalty says little there.
pub(super) static WEIGHTED: SizedTables = SizedTables([
    SquareTable::folded([[60, -8], [-8, -2]]),
    SquareTable::folded([[90, -20, 10], [-20, -35, -3], [10, -3, 1]]),
    SquareTable::folded([[100, -22, 10, 5], [-22, -45, -3, -2], [10, -3, 4, 1], [5, -2, 1, 0]]),
]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_weights_add_up_to_the_weights_of_the_squares() {
        let rules = |size| Rules { size, passing: true };
        for size in [4u8, 6, 8] {
            let last = usize::from(size) - 1;
            let mut whole = 0;
            for (row, column) in (0..=last).flat_map(|row| (0..=last).map(move |column| (row, column))) {
                let edges = [row, column].into_iter().filter(|&line| line == 0 || line == last).count();
                let weight = CORNERS_AND_EDGES.of(rules(size)).sum(1 << (8 * row + column));
                assert_eq!(weight, [1, 3, 5][edges]);
                whole += weight;
            }
            assert_eq!(CORNERS_AND_EDGES.of(rules(size)).sum(rules(size).board()), whole);
        }
        let eight = WEIGHTED.of(rules(8));
        assert_eq!([0, 7, 56, 63].map(|corner| eight.sum(1 << corner)), [100; 4]);
        assert_eq!([9, 14, 49, 54].map(|square| eight.sum(1 << square)), [-45; 4]);
    }
}
