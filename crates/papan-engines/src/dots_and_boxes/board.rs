//! Sizes, line numbers and sets of lines.
//!
//! Lines are numbered horizontal first, row by row from the top, then vertical, row by row.
//! On a board of 2 x 2 boxes:
//!
//! ```text
//!  +  0 +  1 +
//!  6    7    8
//!  +  2 +  3 +
//!  9   10   11
//!  +  4 +  5 +
//! ```

use crate::common::bits::SetBits;

/// The most boxes a side may have.
pub const MAX_SIDE: usize = 10;
/// The most boxes a board may have.
pub const MAX_BOXES: usize = MAX_SIDE * MAX_SIDE;
/// The most lines a board may have.
pub const MAX_LINES: usize = 2 * MAX_SIDE * (MAX_SIDE + 1);

/// Which border lines are drawn before the game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Border {
    /// An empty board.
    None,
    /// The left and the bottom border are drawn.
    Icelandic,
    /// The whole border is drawn.
    Swedish,
}

/// A size in boxes; knows where each line and each box is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    rows: u8,
    cols: u8,
}

impl Board {
    /// A board of `rows` x `cols` boxes, or nothing if a side is not within 1 to 10.
    #[must_use]
    pub fn new(rows: usize, cols: usize) -> Option<Self> {
        let fits = |side: usize| (1..=MAX_SIDE).contains(&side);
        (fits(rows) && fits(cols)).then_some(Self { rows: rows as u8, cols: cols as u8 })
    }

    /// Boxes from top to bottom.
    #[must_use]
    pub fn rows(self) -> usize {
        self.rows as usize
    }

    /// Boxes from left to right.
    #[must_use]
    pub fn cols(self) -> usize {
        self.cols as usize
    }

    /// Number of boxes.
    #[must_use]
    pub fn boxes(self) -> usize {
        self.rows() * self.cols()
    }

    /// Number of horizontal lines.
    #[must_use]
    pub fn horizontal_lines(self) -> usize {
        (self.rows() + 1) * self.cols()
    }

    /// Number of lines.
    #[must_use]
    pub fn lines(self) -> usize {
        self.horizontal_lines() + self.rows() * (self.cols() + 1)
    }

    /// The horizontal line above row `row` (`row == rows` is the bottom border) in column `col`.
    #[must_use]
    pub fn horizontal(self, row: usize, col: usize) -> usize {
        row * self.cols() + col
    }

    /// The vertical line left of column `col` (`col == cols` is the right border) in row `row`.
    #[must_use]
    pub fn vertical(self, row: usize, col: usize) -> usize {
        self.horizontal_lines() + row * (self.cols() + 1) + col
    }

    /// The four lines of a box: top, bottom, left, right.
    #[must_use]
    pub fn sides(self, cell: usize) -> [usize; 4] {
        let (row, col) = (cell / self.cols(), cell % self.cols());
        [self.horizontal(row, col), self.horizontal(row + 1, col), self.vertical(row, col), self.vertical(row, col + 1)]
    }

    /// The boxes on both sides of a line; `None` stands for the outside.
    #[must_use]
    pub fn beside(self, line: usize) -> [Option<usize>; 2] {
        let cols = self.cols();
        if line < self.horizontal_lines() {
            let (row, col) = (line / cols, line % cols);
            let above = (row > 0).then(|| (row - 1) * cols + col);
            let below = (row < self.rows()).then(|| row * cols + col);
            [above, below]
        } else {
            let index = line - self.horizontal_lines();
            let (row, col) = (index / (cols + 1), index % (cols + 1));
            let left = (col > 0).then(|| row * cols + col - 1);
            let right = (col < cols).then(|| row * cols + col);
            [left, right]
        }
    }

    /// Squared distance of a line's middle from the board's centre, in units that keep it whole.
    #[must_use]
    pub fn distance_from_centre(self, line: usize) -> usize {
        let (rows, cols) = (self.rows(), self.cols());
        let (y, x) = if line < self.horizontal_lines() {
            (2 * (line / cols), 2 * (line % cols) + 1)
        } else {
            let index = line - self.horizontal_lines();
            (2 * (index / (cols + 1)) + 1, 2 * (index % (cols + 1)))
        };
        y.abs_diff(rows).pow(2) + x.abs_diff(cols).pow(2)
    }

    /// All lines of the board.
    #[must_use]
    pub fn all(self) -> Lines {
        (0..self.lines()).collect()
    }

    /// The lines that are drawn before the first move.
    #[must_use]
    pub fn drawn_at_start(self, border: Border) -> Lines {
        let (rows, cols) = (self.rows(), self.cols());
        let mut drawn = Lines::default();
        if border != Border::None {
            (0..cols).for_each(|col| drawn.insert(self.horizontal(rows, col)));
            (0..rows).for_each(|row| drawn.insert(self.vertical(row, 0)));
        }
        if border == Border::Swedish {
            (0..cols).for_each(|col| drawn.insert(self.horizontal(0, col)));
            (0..rows).for_each(|row| drawn.insert(self.vertical(row, cols)));
        }
        drawn
    }
}

/// A set of lines of a board of any size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lines([u64; 4]);

impl Lines {
    /// The set whose lower 64 lines are the bits of `bits`.
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        Self([bits, 0, 0, 0])
    }

    /// Whether the line is in the set.
    #[must_use]
    pub fn contains(self, line: usize) -> bool {
        self.0[line / 64] >> (line % 64) & 1 == 1
    }

    /// Adds a line.
    pub fn insert(&mut self, line: usize) {
        self.0[line / 64] |= 1 << (line % 64);
    }

    /// Removes a line.
    pub fn remove(&mut self, line: usize) {
        self.0[line / 64] &= !(1 << (line % 64));
    }

    /// The set with one more line.
    #[must_use]
    pub fn with(mut self, line: usize) -> Self {
        self.insert(line);
        self
    }

    /// Number of lines in the set.
    #[must_use]
    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no line is in the set.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    /// The lines of `self` that are not in `other`.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// The lines in ascending order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let words = self.0.into_iter().enumerate();
        words.flat_map(|(index, word)| SetBits(word).map(move |bit| index * 64 + bit as usize))
    }
}

impl FromIterator<usize> for Lines {
    fn from_iter<I: IntoIterator<Item = usize>>(lines: I) -> Self {
        let mut set = Self::default();
        lines.into_iter().for_each(|line| set.insert(line));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_and_beside_agree() {
        for (rows, cols) in [(1, 1), (2, 5), (3, 3), (10, 10)] {
            let board = Board::new(rows, cols).unwrap();
            for line in 0..board.lines() {
                for cell in board.beside(line).into_iter().flatten() {
                    assert!(board.sides(cell).contains(&line));
                }
            }
            let sides: usize = (0..board.lines()).map(|line| board.beside(line).iter().flatten().count()).sum();
            assert_eq!(sides, 4 * board.boxes());
        }
    }

    #[test]
    fn sets_of_lines_remember_their_members() {
        let set: Lines = [0, 63, 64, 130, 219].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 130, 219]);
        assert_eq!(set.len(), 5);
    }

    #[test]
    fn sides_out_of_range_are_refused() {
        assert!(Board::new(0, 3).is_none());
        assert!(Board::new(3, 11).is_none());
    }
}
