//! The board as bits: row after row, with one cell that is never marked at the
//! end of each row, so that a shifted row never runs into the next.
//!
//! ```text
//! 3 rows, 3 columns:   0  1  2 (3)
//!                      4  5  6 (7)
//!                      8  9 10 (11)
//! ```

use std::fmt;

use papan_core::{Bits, Move as _, Place};

use crate::intern::interned;

/// Everything about a board that does not change during a game.
pub(super) struct Geometry<B: Bits> {
    pub(super) rows: usize,
    pub(super) cols: usize,
    /// How many in a row decide the game.
    pub(super) k: usize,
    /// Does a row lose?
    pub(super) misere: bool,
    /// Every cell.
    pub(super) cells: B,
    /// The distances between neighbours: across, down-left, down, down-right.
    pub(super) steps: [usize; 4],
    /// For each of `steps`, the cells from which `k` in a row stay on the board.
    pub(super) starts: [B; 4],
    /// How good a cell is on an empty board, by bit.
    pub(super) preference: Box<[i32]>,
    /// The rows of `k` through each cell, by bit, where no cell has more than
    /// four, as on 3x3; empty on other boards. Places without a row hold one
    /// that nobody can complete.
    rows_through: Box<[[B; 4]]>,
}

impl<B: Bits> Geometry<B> {
    /// The shared geometry of these options.
    ///
    /// # Panics
    /// If the board does not fit `B`.
    pub(super) fn interned(rows: u8, cols: u8, k: u8, misere: bool) -> &'static Self {
        interned([rows, cols, k, u8::from(misere)], || Self::new(rows.into(), cols.into(), k.into(), misere))
    }

    fn new(rows: usize, cols: usize, k: usize, misere: bool) -> Self {
        let stride = cols + 1;
        assert!(rows * stride <= B::CAPACITY, "a {rows}x{cols} board needs wider position words");
        let cells = (0..rows)
            .fold(B::EMPTY, |cells, row| (0..cols).fold(cells, |cells, col| cells | B::bit(row * stride + col)));
        let steps = [1, stride - 1, stride, stride + 1];
        let starts = steps.map(|step| (0..k).fold(cells, |starts, along| starts & cells.shifted_down(along * step)));
        let (preference, rows_through) = (Box::default(), Box::default());
        let mut geometry = Self { rows, cols, k, misere, cells, steps, starts, preference, rows_through };
        let bits = 0..rows * stride;
        geometry.preference = bits.clone().map(|bit| geometry.worth(bit)).collect();
        geometry.rows_through =
            bits.map(|bit| geometry.few_rows_through(bit)).collect::<Option<_>>().unwrap_or_default();
        geometry
    }

    /// The rows of `k` through the cell at `bit`, `None` if there are more than
    /// four.
    fn few_rows_through(&self, bit: usize) -> Option<[B; 4]> {
        let mut found = [!B::EMPTY; 4];
        let mut free = found.iter_mut();
        for (&step, starts) in self.steps.iter().zip(self.starts) {
            for first in
                (0..self.k).filter_map(|along| bit.checked_sub(along * step)).filter(|&first| starts.has(first))
            {
                *free.next()? = (0..self.k).fold(B::EMPTY, |row, along| row | B::bit(first + along * step));
            }
        }
        Some(found)
    }

    /// Has the mark just made at `place` brought `k` of `marks` in a row?
    #[inline(always)]
    pub(super) fn completes_row(&self, marks: B, place: Place) -> bool {
        match self.rows_through.get(place.index()) {
            Some(rows) => rows.iter().fold(false, |found, &row| found | (marks & row == row)),
            None => self.has_row(marks),
        }
    }

    /// The number of rows of `k` through a cell, then nearness to the centre:
    /// on 3x3 the centre, the corners, the edges.
    fn worth(&self, bit: usize) -> i32 {
        let through: usize = (self.steps.iter().zip(self.starts))
            .map(|(step, starts)| {
                (0..self.k).filter(|along| bit.checked_sub(along * step).is_some_and(|first| starts.has(first))).count()
            })
            .sum();
        let (row, col) = self.row_and_col(Place(bit as u8));
        let from_middle = |at: usize, length: usize| (2 * at as i32 - (length as i32 - 1)).pow(2);
        through as i32 * 1024 - from_middle(row, self.rows) - from_middle(col, self.cols)
    }

    pub(super) fn place(&self, row: usize, col: usize) -> Place {
        debug_assert!(row < self.rows && col < self.cols);
        Place((row * (self.cols + 1) + col) as u8)
    }

    pub(super) fn row_and_col(&self, place: Place) -> (usize, usize) {
        (place.index() / (self.cols + 1), place.index() % (self.cols + 1))
    }

    /// Are `k` of `marks` in a row?
    #[inline(always)]
    pub(super) fn has_row(&self, marks: B) -> bool {
        // Rows of three, by far the most played, need no loop over lengths.
        let found = self.steps.map(|step| match self.k {
            3 => marks & marks.shifted_down(step) & marks.shifted_down(2 * step),
            k => runs_of(k, marks, step),
        });
        let [a, b, c, d] = found;
        !(a | b | c | d).is_empty()
    }

    pub(super) fn symmetries(&self) -> usize {
        if self.rows == self.cols { 8 } else { 4 }
    }

    /// Where a cell goes: bit 0 of `symmetry` turns the rows upside down, bit 1
    /// the columns, and bit 2 then swaps rows with columns.
    pub(super) fn turned(&self, symmetry: usize, place: Place) -> Place {
        let (mut row, mut col) = self.row_and_col(place);
        if symmetry & 1 != 0 {
            row = self.rows - 1 - row;
        }
        if symmetry & 2 != 0 {
            col = self.cols - 1 - col;
        }
        if symmetry & 4 != 0 {
            (row, col) = (col, row);
        }
        self.place(row, col)
    }
}

/// The cells from which `k` of `marks` follow each other at distance `step`:
/// the runs of a known length are doubled while that is not too much.
#[inline(always)]
fn runs_of<B: Bits>(k: usize, marks: B, step: usize) -> B {
    let mut runs = marks;
    let mut length = 1;
    while length < k {
        let longer = length.min(k - length);
        runs = runs & runs.shifted_down(longer * step);
        length += longer;
    }
    runs
}

/// Interned: one geometry for each option set, so identity is equality.
impl<B: Bits> PartialEq for Geometry<B> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl<B: Bits> Eq for Geometry<B> {}

impl<B: Bits> fmt::Debug for Geometry<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let misere = if self.misere { ", misere" } else { "" };
        write!(f, "{}x{}, k={}{misere}", self.rows, self.cols, self.k)
    }
}

#[cfg(test)]
mod tests {
    use papan_core::Bits256;

    use super::*;

    fn order<B: Bits>(geometry: &Geometry<B>) -> Vec<(usize, usize)> {
        let mut bits: Vec<_> = geometry.cells.iter().collect();
        bits.sort_by_key(|&bit| -geometry.preference[bit]);
        bits.into_iter().map(|bit| geometry.row_and_col(Place(bit as u8))).collect()
    }

    #[test]
    fn centre_then_corners_then_edges() {
        let geometry = Geometry::<u64>::interned(3, 3, 3, false);
        assert_eq!(order(geometry), [(1, 1), (0, 0), (0, 2), (2, 0), (2, 2), (0, 1), (1, 0), (1, 2), (2, 1)]);
    }

    #[test]
    fn the_centre_comes_first_on_large_boards() {
        assert_eq!(order(Geometry::<Bits256>::interned(15, 15, 5, false))[0], (7, 7));
        assert_eq!(order(Geometry::<u64>::interned(5, 7, 4, false))[0], (2, 3));
        assert_eq!(order(Geometry::<u64>::interned(3, 5, 9, false))[0], (1, 2));
    }

    #[test]
    fn listed_rows_and_shifted_rows_agree() {
        for (rows, cols, k) in [(3, 3, 3), (4, 4, 4), (3, 3, 2), (5, 4, 3), (3, 5, 5)] {
            let geometry = Geometry::<u64>::interned(rows, cols, k, false);
            let mut random = papan_core::Random::new(1);
            for _ in 0..2000 {
                let marks = random.bits() & random.bits() & geometry.cells;
                for bit in marks.iter() {
                    let before = geometry.has_row(marks & !u64::bit(bit));
                    if !before {
                        assert_eq!(geometry.completes_row(marks, Place(bit as u8)), geometry.has_row(marks));
                    }
                }
            }
        }
    }

    #[test]
    fn rows_do_not_run_over_the_edge() {
        let geometry = Geometry::<u64>::interned(3, 3, 3, false);
        let marks = |cells: &[(usize, usize)]| {
            cells.iter().fold(0, |set, &(row, col)| set | u64::bit(geometry.place(row, col).index()))
        };
        assert!(geometry.has_row(marks(&[(0, 0), (0, 1), (0, 2)])));
        assert!(geometry.has_row(marks(&[(0, 2), (1, 1), (2, 0)])));
        assert!(!geometry.has_row(marks(&[(0, 1), (0, 2), (1, 0)])));
        assert!(!geometry.has_row(marks(&[(0, 2), (1, 0), (2, 1)])));
        assert!(!geometry.has_row(0));
    }
}
