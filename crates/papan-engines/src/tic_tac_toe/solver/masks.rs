//! Boards of up to 64 cells as bits: one word of cells for each side.

use crate::common::bits::SetBits;
use crate::tic_tac_toe::board::Board;
use crate::tic_tac_toe::evaluation::row_weight;

/// A set of cells; bit `n` is cell `n`.
pub(super) type Cells = u64;

/// The rows of a board as sets of cells.
#[derive(Clone, Debug)]
pub(super) struct Masks {
    pub(super) rows: Vec<Cells>,
    /// The rows that a cell is in.
    through: Vec<Vec<Cells>>,
    pub(super) all: Cells,
    pub(super) k: u32,
}

/// What one look at every row tells, from the chair of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Look {
    /// Cells that complete a row of the side to move.
    pub(super) wins: Cells,
    /// Cells that complete a row of the other side.
    pub(super) losses: Cells,
    /// Rows that the side to move could still complete.
    pub(super) live: u32,
    /// Rows that the other side could still complete.
    pub(super) other_live: u32,
}

impl Masks {
    /// The masks of a board, or nothing if it is too large, or its rows are too short for threats.
    pub(super) fn new(board: &Board) -> Option<Self> {
        if board.cells() > 64 || board.in_a_row() < 2 {
            return None;
        }
        let mask = |row: &Vec<u8>| row.iter().fold(0, |mask, &cell| mask | 1 << cell);
        let all = if board.cells() == 64 { Cells::MAX } else { (1 << board.cells()) - 1 };
        let rows: Vec<Cells> = board.lines().iter().map(mask).collect();
        let rows_of = |cell: usize| rows.iter().copied().filter(|row| row >> cell & 1 == 1).collect();
        let through = (0..board.cells()).map(rows_of).collect();
        Some(Self { rows, through, all, k: board.in_a_row() as u32 })
    }

    /// Looks at every row.
    pub(super) fn look(&self, own: Cells, other: Cells) -> Look {
        let mut look = Look::default();
        for &row in &self.rows {
            let (mine, theirs) = (own & row, other & row);
            if theirs == 0 {
                look.live += 1;
                if is_one(row ^ mine) {
                    look.wins |= row ^ mine;
                }
            }
            if mine == 0 {
                look.other_live += 1;
                if is_one(row ^ theirs) {
                    look.losses |= row ^ theirs;
                }
            }
        }
        look
    }

    /// Cells that complete a row of `own`.
    pub(super) fn wins(&self, own: Cells, other: Cells) -> Cells {
        completing(&self.rows, own, other)
    }

    /// Cells that complete a row of `own` through a cell.
    pub(super) fn wins_through(&self, cell: Cells, own: Cells, other: Cells) -> Cells {
        completing(&self.through[cell.trailing_zeros() as usize], own, other)
    }

    /// How promising each free cell is for either side.
    pub(super) fn orders(&self, own: Cells, other: Cells) -> [i32; 64] {
        let mut orders = [0; 64];
        for &row in &self.rows {
            let (mine, theirs) = (own & row, other & row);
            let order = match (mine, theirs) {
                (_, 0) => 2 * row_weight(mine.count_ones() as u8 + 1),
                (0, _) => 2 * row_weight(theirs.count_ones() as u8 + 1) - 1,
                _ => continue,
            };
            for cell in cells_of(row & !mine & !theirs) {
                orders[cell] += order;
            }
        }
        orders
    }
}

fn completing(rows: &[Cells], own: Cells, other: Cells) -> Cells {
    let lacks_one = |row: &&Cells| other & **row == 0 && is_one(**row & !own);
    rows.iter().filter(lacks_one).fold(0, |wins, row| wins | (row & !own))
}

/// Whether a set has one cell. Not counted: without an instruction for it counting is slow.
#[inline]
pub(super) fn is_one(cells: Cells) -> bool {
    cells != 0 && is_one_at_most(cells)
}

/// Whether a set has one cell or none.
#[inline]
pub(super) fn is_one_at_most(cells: Cells) -> bool {
    cells & cells.wrapping_sub(1) == 0
}

/// The numbers of the cells of a set, in ascending order.
pub(super) fn cells_of(cells: Cells) -> impl Iterator<Item = usize> {
    SetBits(cells).map(|cell| cell as usize)
}
