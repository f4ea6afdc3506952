//! Which line is which number, and which boxes it touches.
//!
//! ```text
//! 2 rows, 3 columns:   •  0 •  1 •  2 •
//!                      9   10   11   12      horizontal lines first, row by
//!                      •  3 •  4 •  5 •      row from the top, then vertical
//!                     13   14   15   16      lines row by row
//!                      •  6 •  7 •  8 •
//! ```
//! Boxes are numbered row by row from the top left.

use std::fmt;

use papan_core::Bits;

use crate::intern::interned;

/// The most boxes a board can have.
pub(super) const MOST_BOXES: usize = 100;
/// In place of a box: nothing lies on that side of a border line.
pub(super) const OUTSIDE: u8 = u8::MAX;

/// Which border lines are drawn at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Border {
    /// No line.
    None,
    /// The left and the bottom border.
    Icelandic,
    /// The whole border.
    Swedish,
}

impl Border {
    /// The words of the option, in the order of the variants.
    pub(super) const WORDS: &'static [&'static str] = &["none", "icelandic", "swedish"];

    /// The border that one of [`Border::WORDS`] names.
    pub(super) fn from_word(word: &str) -> Self {
        match word {
            "icelandic" => Self::Icelandic,
            "swedish" => Self::Swedish,
            _ => Self::None,
        }
    }
}

/// Where a line is. A horizontal line is the top of the box in its row and
/// column (or the bottom border), a vertical line the left side of its box (or
/// the right border).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// Horizontal or vertical?
    pub horizontal: bool,
    /// The row, from 0 at the top.
    pub row: usize,
    /// The column, from 0 at the left.
    pub col: usize,
}

/// What drawing one line can complete: for each of the two boxes beside it all
/// its lines, and the box itself as a bit. Outside the board the lines are
/// ones that are never all drawn.
#[derive(Clone, Copy)]
pub(super) struct Completion<B> {
    pub(super) lines: [B; 2],
    pub(super) boxes: [B; 2],
}

/// Everything about a board that does not change during a game.
pub(super) struct Geometry<B: Bits> {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) border: Border,
    pub(super) all_lines: B,
    pub(super) drawn_at_start: B,
    /// Boxes that the border completes at the start: nobody's.
    pub(super) complete_at_start: u32,
    /// By line: the two boxes beside it, or [`OUTSIDE`].
    pub(super) beside: Box<[[u8; 2]]>,
    /// By box: its lines (top, bottom, left, right).
    pub(super) sides: Box<[[u8; 4]]>,
    /// By box: its lines as a set.
    pub(super) side_sets: Box<[B]>,
    /// By line.
    pub(super) completions: Box<[Completion<B>]>,
    /// By line: higher in the middle of the board.
    pub(super) preference: Box<[i32]>,
}

impl<B: Bits> Geometry<B> {
    /// The shared geometry of these options.
    ///
    /// # Panics
    /// If the lines do not fit `B`.
    pub(super) fn interned(rows: u8, cols: u8, border: Border) -> &'static Self {
        interned([rows, cols, border as u8, 0], || Self::new(rows.into(), cols.into(), border))
    }

    fn new(rows: usize, cols: usize, border: Border) -> Self {
        let line_count = 2 * rows * cols + rows + cols;
        // One number is left over: a line that is never drawn.
        assert!(line_count < B::CAPACITY, "a {rows}x{cols} board needs wider position words");
        let mut geometry = Self {
            rows,
            cols,
            border,
            all_lines: B::first(line_count),
            drawn_at_start: B::EMPTY,
            complete_at_start: 0,
            beside: Box::default(),
            sides: Box::default(),
            side_sets: Box::default(),
            completions: Box::default(),
            preference: Box::default(),
        };
        geometry.sides = (0..rows * cols).map(|number| geometry.sides_of(number)).collect();
        geometry.side_sets = geometry.sides.iter().map(|sides| set_of(sides.iter().copied())).collect();
        geometry.beside = (0..line_count).map(|line| geometry.boxes_beside(line)).collect();
        geometry.completions = geometry.beside.iter().map(|boxes| geometry.completion(*boxes)).collect();
        geometry.preference = (0..line_count).map(|line| geometry.nearness(line)).collect();
        geometry.drawn_at_start = set_of((0..line_count as u8).filter(|&line| geometry.is_drawn_at_start(line)));
        geometry.complete_at_start = geometry.complete_boxes(geometry.drawn_at_start).count();
        geometry
    }

    pub(super) fn box_count(&self) -> usize {
        self.rows * self.cols
    }

    pub(super) fn horizontal_count(&self) -> usize {
        (self.rows + 1) * self.cols
    }

    pub(super) fn line_count(&self) -> usize {
        self.beside.len()
    }

    pub(super) fn line(&self, index: usize) -> Line {
        match index.checked_sub(self.horizontal_count()) {
            None => Line { horizontal: true, row: index / self.cols, col: index % self.cols },
            Some(v) => Line { horizontal: false, row: v / (self.cols + 1), col: v % (self.cols + 1) },
        }
    }

    pub(super) fn index(&self, line: Line) -> usize {
        let Line { horizontal, row, col } = line;
        debug_assert!(self.has(line));
        if horizontal { row * self.cols + col } else { self.horizontal_count() + row * (self.cols + 1) + col }
    }

    /// Is there such a line?
    pub(super) fn has(&self, line: Line) -> bool {
        line.row < self.rows + usize::from(line.horizontal) && line.col < self.cols + usize::from(!line.horizontal)
    }

    /// The boxes whose four lines are all in `lines`.
    pub(super) fn complete_boxes(&self, lines: B) -> B {
        let complete = (0..self.box_count()).filter(|&number| lines & self.side_sets[number] == self.side_sets[number]);
        complete.fold(B::EMPTY, |set, number| set | B::bit(number))
    }

    fn sides_of(&self, number: usize) -> [u8; 4] {
        let (row, col) = (number / self.cols, number % self.cols);
        [(true, row, col), (true, row + 1, col), (false, row, col), (false, row, col + 1)]
            .map(|(horizontal, row, col)| self.index(Line { horizontal, row, col }) as u8)
    }

    fn boxes_beside(&self, line: usize) -> [u8; 2] {
        let mut found = (0..self.box_count()).filter(|&number| self.sides[number].contains(&(line as u8)));
        [(); 2].map(|()| found.next().map_or(OUTSIDE, |number| number as u8))
    }

    fn completion(&self, boxes: [u8; 2]) -> Completion<B> {
        let inside = |number: u8| number != OUTSIDE;
        Completion {
            lines: boxes.map(|number| if inside(number) { self.side_sets[usize::from(number)] } else { !B::EMPTY }),
            boxes: boxes.map(|number| if inside(number) { B::bit(number.into()) } else { B::EMPTY }),
        }
    }

    /// Measured in half boxes from the middle of the board to that of the line.
    fn nearness(&self, line: usize) -> i32 {
        let Line { horizontal, row, col } = self.line(line);
        let down = 2 * row + usize::from(!horizontal);
        let right = 2 * col + usize::from(horizontal);
        -((down.abs_diff(self.rows).pow(2) + right.abs_diff(self.cols).pow(2)) as i32)
    }

    fn is_drawn_at_start(&self, line: u8) -> bool {
        let Line { horizontal, row, col } = self.line(line.into());
        let left_or_bottom = if horizontal { row == self.rows } else { col == 0 };
        let right_or_top = if horizontal { row == 0 } else { col == self.cols };
        match self.border {
            Border::None => false,
            Border::Icelandic => left_or_bottom,
            Border::Swedish => left_or_bottom || right_or_top,
        }
    }

    pub(super) fn symmetries(&self) -> usize {
        if self.rows == self.cols { 8 } else { 4 }
    }

    /// Where a line goes: bit 0 of `symmetry` turns the rows upside down, bit 1
    /// the columns, and bit 2 then swaps rows with columns.
    pub(super) fn turned_line(&self, symmetry: usize, index: usize) -> usize {
        let mut line = self.line(index);
        if symmetry & 1 != 0 {
            line.row = self.rows - usize::from(!line.horizontal) - line.row;
        }
        if symmetry & 2 != 0 {
            line.col = self.cols - usize::from(line.horizontal) - line.col;
        }
        if symmetry & 4 != 0 {
            line = Line { horizontal: !line.horizontal, row: line.col, col: line.row };
        }
        self.index(line)
    }

    /// Where a box goes under the same symmetry.
    pub(super) fn turned_box(&self, symmetry: usize, number: usize) -> usize {
        let (mut row, mut col) = (number / self.cols, number % self.cols);
        if symmetry & 1 != 0 {
            row = self.rows - 1 - row;
        }
        if symmetry & 2 != 0 {
            col = self.cols - 1 - col;
        }
        if symmetry & 4 != 0 {
            (row, col) = (col, row);
        }
        row * self.cols + col
    }
}

fn set_of<B: Bits>(numbers: impl Iterator<Item = u8>) -> B {
    numbers.fold(B::EMPTY, |set, number| set | B::bit(number.into()))
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
        write!(f, "{}x{} {:?}", self.rows, self.cols, self.border)
    }
}

#[cfg(test)]
mod tests {
    use papan_core::Bits256;

    use super::*;

    #[test]
    fn lines_and_numbers_belong_together() {
        let geometry = Geometry::<u64>::interned(2, 3, Border::None);
        assert_eq!(geometry.line_count(), 17);
        assert_eq!(geometry.line(5), Line { horizontal: true, row: 1, col: 2 });
        assert_eq!(geometry.line(13), Line { horizontal: false, row: 1, col: 0 });
        assert_eq!(geometry.sides[4], [4, 7, 14, 15]);
        assert_eq!(geometry.beside[4], [1, 4]);
        assert_eq!(geometry.beside[16], [5, OUTSIDE]);
        assert!((0..17).all(|index| geometry.index(geometry.line(index)) == index));
    }

    #[test]
    fn borders_at_the_start() {
        let drawn = |border| Geometry::<u64>::interned(2, 3, border).drawn_at_start.iter().collect::<Vec<_>>();
        assert_eq!(drawn(Border::None), [0; 0]);
        assert_eq!(drawn(Border::Icelandic), [6, 7, 8, 9, 13]);
        assert_eq!(drawn(Border::Swedish), [0, 1, 2, 6, 7, 8, 9, 12, 13, 16]);
        assert_eq!(Geometry::<u64>::interned(1, 1, Border::Swedish).complete_at_start, 1);
        assert_eq!(Geometry::<u64>::interned(1, 4, Border::Swedish).complete_at_start, 0);
    }

    /// A turned box has the turned lines.
    #[test]
    fn boxes_turn_with_their_lines() {
        for (rows, cols) in [(3, 3), (2, 4), (10, 10)] {
            let geometry = Geometry::<Bits256>::interned(rows, cols, Border::None);
            for symmetry in 0..geometry.symmetries() {
                for number in 0..geometry.box_count() {
                    let turned = geometry.sides[number].map(|line| geometry.turned_line(symmetry, line.into()) as u8);
                    let expected = geometry.side_sets[geometry.turned_box(symmetry, number)];
                    assert_eq!(set_of::<Bits256>(turned.into_iter()), expected);
                }
            }
        }
    }

    #[test]
    fn the_middle_is_preferred() {
        let geometry = Geometry::<u64>::interned(3, 4, Border::None);
        let best = (0..geometry.line_count()).max_by_key(|&line| geometry.preference[line]).unwrap();
        assert_eq!(geometry.line(best), Line { horizontal: false, row: 1, col: 2 });
    }
}
