//! A position that is changed by playing and taking back, with everything about rows kept up to date.

use super::board::Board;
use super::evaluation::{row_change, row_weight};
use crate::common::random::SplitMix;

/// The two sides.
pub(super) const SIDES: usize = 2;
/// Nobody has marked the cell.
const EMPTY: u8 = 2;

/// A position during a search.
#[derive(Clone, Debug)]
pub struct State<'a> {
    board: &'a Board,
    cells: Vec<u8>,
    to_move: usize,
    left: usize,
    /// Marks of each side in each row of `k`.
    counts: [Vec<u8>; SIDES],
    /// The numbers of the empty cells of each row, combined with "exclusive or": the last one by itself.
    last_empty: Vec<u8>,
    /// Rows that would be complete with one more mark of the side, per cell.
    completing: [Vec<u8>; SIDES],
    /// Cells that would complete a row.
    winning_cells: [usize; SIDES],
    /// Rows the opponent has no mark in.
    live: [usize; SIDES],
    /// Who has completed a row.
    row_owner: Option<usize>,
    /// How promising the rows are for the first side, less the same for the second.
    score: i32,
    keys: Vec<u64>,
    random: Vec<[u64; SIDES]>,
}

pub(super) fn random_words(cells: usize) -> Vec<[u64; SIDES]> {
    let mut random = SplitMix::new(0x7E57_AB1E_0000_0001);
    (0..cells).map(|_| [random.next(), random.next()]).collect()
}

impl<'a> State<'a> {
    /// An empty board with the first side to move.
    #[must_use]
    pub fn new(board: &'a Board) -> Self {
        let lines = board.lines();
        let mut state = Self {
            board,
            cells: vec![EMPTY; board.cells()],
            to_move: 0,
            left: board.cells(),
            counts: [vec![0; lines.len()], vec![0; lines.len()]],
            last_empty: lines.iter().map(|line| line.iter().fold(0, |all, cell| all ^ cell)).collect(),
            completing: [vec![0; board.cells()], vec![0; board.cells()]],
            winning_cells: [0; SIDES],
            live: [lines.len(); SIDES],
            row_owner: None,
            score: 0,
            keys: vec![0; board.symmetries().len()],
            random: random_words(board.cells()),
        };
        if board.in_a_row() == 1 {
            state.completing = [vec![1; board.cells()], vec![1; board.cells()]];
            state.winning_cells = [board.cells(); SIDES];
        }
        state
    }

    /// A position from the marks of both sides. Marks come in any number.
    #[must_use]
    pub fn with_marks(board: &'a Board, first: &[usize], second: &[usize], to_move: usize) -> Self {
        let mut state = Self::new(board);
        for (side, marks) in [first, second].into_iter().enumerate() {
            for &cell in marks {
                state.to_move = side;
                state.play(cell);
            }
        }
        state.to_move = to_move;
        state
    }

    pub(super) fn board(&self) -> &'a Board {
        self.board
    }

    /// The side to move, 0 or 1.
    #[must_use]
    pub fn to_move(&self) -> usize {
        self.to_move
    }

    /// The cells that a side has marked, on a board of at most 64 cells.
    pub(super) fn mask(&self, side: usize) -> u64 {
        let marked = |(cell, &mark): (usize, &u8)| if mark as usize == side { 1 << cell } else { 0 };
        self.cells.iter().enumerate().map(marked).sum()
    }

    /// Is the cell free?
    #[must_use]
    pub fn is_empty(&self, cell: usize) -> bool {
        self.cells[cell] == EMPTY
    }

    /// The free cells in ascending order.
    pub fn free_cells(&self) -> impl Iterator<Item = usize> {
        (0..self.cells.len()).filter(|&cell| self.is_empty(cell))
    }

    /// How many free cells there are.
    #[must_use]
    pub fn left(&self) -> usize {
        self.left
    }

    /// Who has completed a row, if anyone.
    #[must_use]
    pub fn row_owner(&self) -> Option<usize> {
        self.row_owner
    }

    /// Is the game over?
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.row_owner.is_some() || self.left == 0
    }

    /// Would this cell complete a row of the side?
    #[must_use]
    pub fn completes(&self, side: usize, cell: usize) -> bool {
        self.is_empty(cell) && self.completing[side][cell] > 0
    }

    /// How many free cells complete a row of the side.
    pub(super) fn winning_cells(&self, side: usize) -> usize {
        self.winning_cells[side]
    }

    /// A free cell that completes a row of the side.
    pub(super) fn winning_cell(&self, side: usize) -> Option<usize> {
        if self.winning_cells[side] == 0 {
            return None;
        }
        (0..self.cells.len()).find(|&cell| self.completes(side, cell))
    }

    /// Rows the side could still complete.
    pub(super) fn live(&self, side: usize) -> usize {
        self.live[side]
    }

    /// How promising the rows are for the side to move, less the same for the other.
    pub(super) fn score(&self) -> i32 {
        if self.to_move == 0 { self.score } else { -self.score }
    }

    /// The same for positions that are mirror images or rotations of each other.
    pub(super) fn key(&self) -> u64 {
        let smallest = self.keys.iter().copied().min().unwrap_or(0);
        smallest ^ (self.to_move as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// The rows through a cell in which the other side has no mark, with the number of marks of `side`.
    pub(super) fn own_rows(&self, side: usize, cell: usize) -> impl Iterator<Item = (usize, u8)> {
        let free = move |&line: &usize| self.counts[1 - side][line] == 0;
        let lines = self.board.through(cell).iter().map(|&line| line as usize);
        lines.filter(free).map(move |line| (line, self.counts[side][line]))
    }

    /// How much a mark of `side` in the cell adds to its rows and takes from the other's.
    pub(super) fn order_of(&self, side: usize, cell: usize) -> i32 {
        let mut sum = 0;
        for &line in self.board.through(cell) {
            let line = line as usize;
            match (self.counts[side][line], self.counts[1 - side][line]) {
                (own, 0) => sum += 2 * row_weight(own + 1),
                (0, other) => sum += 2 * row_weight(other + 1) - 1,
                _ => {}
            }
        }
        sum
    }

    /// The free cell that would complete a row after `cell` is marked, for a row with two free cells.
    pub(super) fn other_empty(&self, line: usize, cell: usize) -> usize {
        self.last_empty[line] as usize ^ cell
    }

    fn set_completing(&mut self, side: usize, cell: usize, more: bool) {
        let count = &mut self.completing[side][cell];
        let was = *count > 0;
        *count = if more { *count + 1 } else { *count - 1 };
        let is = *count > 0;
        self.winning_cells[side] = self.winning_cells[side] + usize::from(is) - usize::from(was);
    }

    /// Marks a free cell for the side to move.
    pub fn play(&mut self, cell: usize) {
        let (side, k) = (self.to_move, self.board.in_a_row() as u8);
        self.hide(cell);
        for &line in self.board.through(cell) {
            let line = line as usize;
            let (own, other) = (self.counts[side][line], self.counts[1 - side][line]);
            self.counts[side][line] += 1;
            self.last_empty[line] ^= cell as u8;
            if own == 0 {
                self.live[1 - side] -= 1;
                if other == k - 1 && k > 1 {
                    self.completing[1 - side][cell] -= 1;
                }
            }
            if other == 0 {
                if own + 2 == k {
                    self.set_completing(side, self.last_empty[line] as usize, true);
                } else if own + 1 == k {
                    self.row_owner = Some(side);
                }
            }
            self.score += sign(side) * row_change(own, other);
        }
        self.cells[cell] = side as u8;
        self.left -= 1;
        self.change_keys(cell, side);
        self.to_move = 1 - side;
    }

    /// Takes back the last mark, which is in `cell`.
    pub fn take_back(&mut self, cell: usize) {
        let (side, k) = (1 - self.to_move, self.board.in_a_row() as u8);
        self.to_move = side;
        self.change_keys(cell, side);
        self.left += 1;
        self.cells[cell] = EMPTY;
        for &line in self.board.through(cell) {
            let line = line as usize;
            self.counts[side][line] -= 1;
            let (own, other) = (self.counts[side][line], self.counts[1 - side][line]);
            self.score -= sign(side) * row_change(own, other);
            if other == 0 {
                if own + 2 == k {
                    self.set_completing(side, self.last_empty[line] as usize, false);
                } else if own + 1 == k {
                    self.row_owner = None;
                }
            }
            if own == 0 {
                self.live[1 - side] += 1;
                if other == k - 1 && k > 1 {
                    self.completing[1 - side][cell] += 1;
                }
            }
            self.last_empty[line] ^= cell as u8;
        }
        self.show(cell);
    }

    /// A marked cell completes nothing any more.
    fn hide(&mut self, cell: usize) {
        for side in 0..SIDES {
            self.winning_cells[side] -= usize::from(self.completing[side][cell] > 0);
        }
    }

    fn show(&mut self, cell: usize) {
        for side in 0..SIDES {
            self.winning_cells[side] += usize::from(self.completing[side][cell] > 0);
        }
    }

    fn change_keys(&mut self, cell: usize, side: usize) {
        for (key, map) in self.keys.iter_mut().zip(self.board.symmetries()) {
            *key ^= self.random[map[cell] as usize][side];
        }
    }
}

fn sign(side: usize) -> i32 {
    if side == 0 { 1 } else { -1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything the state keeps, worked out again from the marks.
    fn check(state: &State) {
        let board = state.board();
        let k = board.in_a_row();
        let mut score = 0;
        for side in 0..SIDES {
            let marks = |line: &[u8], who: usize| {
                line.iter().filter(|&&cell| state.cells[cell as usize] as usize == who).count()
            };
            let free = |line: &&Vec<u8>| marks(line, 1 - side) == 0;
            let live: Vec<&Vec<u8>> = board.lines().iter().filter(free).collect();
            assert_eq!(state.live(side), live.len());
            let completes = |cell: usize| {
                state.is_empty(cell)
                    && live.iter().any(|line| line.contains(&(cell as u8)) && marks(line, side) == k - 1)
            };
            let winning: Vec<usize> = (0..board.cells()).filter(|&cell| completes(cell)).collect();
            assert_eq!(state.winning_cells(side), winning.len());
            assert!((0..board.cells()).all(|cell| state.completes(side, cell) == winning.contains(&cell)));
            score += sign(side) * live.iter().map(|line| row_weight(marks(line, side) as u8)).sum::<i32>();
        }
        assert_eq!(state.score, score);
    }

    #[test]
    fn what_is_kept_equals_what_is_counted() {
        let mut seed = 1_u64;
        for board in [
            Board::new(3, 3, 3, false),
            Board::new(5, 4, 3, false),
            Board::new(6, 6, 4, true),
            Board::new(3, 4, 1, false),
            Board::new(4, 3, 2, false),
        ] {
            for _ in 0..40 {
                let mut state = State::new(&board);
                let start = format!("{state:?}");
                let mut played = Vec::new();
                while !state.is_over() {
                    let free: Vec<usize> = (0..board.cells()).filter(|&cell| state.is_empty(cell)).collect();
                    seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                    let cell = free[(seed >> 33) as usize % free.len()];
                    state.play(cell);
                    played.push(cell);
                    check(&state);
                }
                while let Some(cell) = played.pop() {
                    state.take_back(cell);
                }
                assert_eq!(format!("{state:?}"), start);
            }
        }
    }
}
