//! A board of the m,n,k family: its cells, rows of `k` and symmetries.

/// What does not change during a game. Cells are numbered row by row from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    rows: usize,
    cols: usize,
    k: usize,
    misere: bool,
    /// The cells of each row of `k`.
    lines: Vec<Vec<u8>>,
    /// The rows of `k` through each cell.
    through: Vec<Vec<u16>>,
    /// Where each symmetry takes each cell; the first one leaves all in place.
    symmetries: Vec<Vec<u8>>,
}

impl Board {
    /// A board of up to 15 x 15 cells on which `k` in a row win, or lose in misère.
    ///
    /// # Panics
    /// If a side is not within 1 to 15, or `k` is 0.
    #[must_use]
    pub fn new(rows: usize, cols: usize, k: usize, misere: bool) -> Self {
        assert!((1..=15).contains(&rows) && (1..=15).contains(&cols) && k > 0, "{rows}x{cols}, {k} in a row");
        let lines = lines(rows, cols, k);
        let mut through = vec![Vec::new(); rows * cols];
        for (number, line) in lines.iter().enumerate() {
            line.iter().for_each(|&cell| through[cell as usize].push(number as u16));
        }
        Self { rows, cols, k, misere, lines, through, symmetries: symmetries(rows, cols) }
    }

    /// Cells from top to bottom.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Cells from left to right.
    #[must_use]
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// How many in a row decide the game.
    #[must_use]
    pub fn in_a_row(&self) -> usize {
        self.k
    }

    /// Does a row lose?
    #[must_use]
    pub fn is_misere(&self) -> bool {
        self.misere
    }

    /// Number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.rows * self.cols
    }

    /// The cells of every row of `k`.
    #[must_use]
    pub fn lines(&self) -> &[Vec<u8>] {
        &self.lines
    }

    pub(super) fn through(&self, cell: usize) -> &[u16] {
        &self.through[cell]
    }

    pub(super) fn symmetries(&self) -> &[Vec<u8>] {
        &self.symmetries
    }

    /// Cells from the most to the fewest rows of `k` through them, then from the centre out.
    #[must_use]
    pub fn by_rows_through(&self) -> Vec<u8> {
        let mut cells: Vec<u8> = (0..self.cells() as u8).collect();
        let off_centre = |cell: usize| {
            let (row, col) = (cell / self.cols, cell % self.cols);
            (2 * row + 1).abs_diff(self.rows).pow(2) + (2 * col + 1).abs_diff(self.cols).pow(2)
        };
        cells.sort_by_key(|&cell| {
            (std::cmp::Reverse(self.through(cell as usize).len()), off_centre(cell as usize), cell)
        });
        cells
    }
}

fn lines(rows: usize, cols: usize, k: usize) -> Vec<Vec<u8>> {
    // Right, down, down-right, down-left; a row of one cell is one line, not four.
    let all = [(0, 1), (1, 0), (1, 1), (1, -1)];
    let directions = if k == 1 { &all[..1] } else { &all[..] };
    let mut lines = Vec::new();
    for row in 0..rows as i32 {
        for col in 0..cols as i32 {
            for (down, right) in directions {
                let reach = k as i32 - 1;
                let (last_row, last_col) = (row + down * reach, col + right * reach);
                if last_row < rows as i32 && (0..cols as i32).contains(&last_col) {
                    let cell = |step: i32| ((row + down * step) * cols as i32 + col + right * step) as u8;
                    lines.push((0..k as i32).map(cell).collect());
                }
            }
        }
    }
    lines
}

fn symmetries(rows: usize, cols: usize) -> Vec<Vec<u8>> {
    let mut found: Vec<Vec<u8>> = Vec::new();
    for variant in 0..8 {
        let (flip_rows, flip_cols, transpose) = (variant & 1 != 0, variant & 2 != 0, variant & 4 != 0);
        if transpose && rows != cols {
            continue;
        }
        let image = |cell: usize| {
            let (mut row, mut col) = (cell / cols, cell % cols);
            if flip_rows {
                row = rows - 1 - row;
            }
            if flip_cols {
                col = cols - 1 - col;
            }
            if transpose {
                (row, col) = (col, row);
            }
            (row * cols + col) as u8
        };
        let map: Vec<u8> = (0..rows * cols).map(image).collect();
        if !found.contains(&map) {
            found.push(map);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_right() {
        assert_eq!(Board::new(3, 3, 3, false).lines().len(), 8);
        assert_eq!(Board::new(6, 6, 4, false).lines().len(), 54);
        assert_eq!(Board::new(15, 15, 5, false).lines().len(), 572);
        assert_eq!(Board::new(3, 4, 5, false).lines().len(), 0);
        assert_eq!(Board::new(3, 3, 1, false).lines().len(), 9);
    }

    #[test]
    fn symmetries_take_rows_to_rows() {
        for board in [Board::new(4, 4, 3, false), Board::new(3, 5, 3, false)] {
            assert_eq!(board.symmetries().len(), if board.rows() == board.cols() { 8 } else { 4 });
            let sorted = |line: &[u8]| {
                let mut line = line.to_vec();
                line.sort_unstable();
                line
            };
            let lines: Vec<Vec<u8>> = board.lines().iter().map(|line| sorted(line)).collect();
            for map in board.symmetries() {
                for line in board.lines() {
                    let image: Vec<u8> = line.iter().map(|&cell| map[cell as usize]).collect();
                    assert!(lines.contains(&sorted(&image)));
                }
            }
        }
    }
}
