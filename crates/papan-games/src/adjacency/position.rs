//! The position: two words of marks, the mover, and the plies left.
//!
//! ```text
//!      a  b  c  d  e  f  g  h        bit = 8 * row + column
//!  1   0  1  2  3  4  5  6  7        a1 is the top left cell
//!  2   8  9 10 11 12 13 14 15
//!  …                                 O starts on g1 h1 g2 h2,
//!  8  56 57 58 59 60 61 62 63        X on a7 b7 a8 b8
//! ```

use papan_core::{Move as _, Place, Places, Player, Position, mix};

/// Rows and columns of the board.
pub const SIDE: usize = 8;
/// Cells of the board.
pub const CELLS: u32 = 64;
/// Where X starts: the bottom left corner.
pub(super) const X_START: u64 = 0x0303_0000_0000_0000;
/// Where O starts: the top right corner.
pub(super) const O_START: u64 = 0x0000_0000_0000_c0c0;

const NOT_COLUMN_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_COLUMN_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Which cells around a new mark turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Neighbourhood {
    /// Left, right, above and below.
    Four,
    /// The diagonal ones too.
    Eight,
}

impl Neighbourhood {
    /// The neighbours of every cell of `cells` in each direction of this
    /// neighbourhood: one word per direction, unused words empty.
    #[inline(always)]
    pub(super) const fn shifts(self, cells: u64) -> [u64; 8] {
        let (west, east) = ((cells & NOT_COLUMN_A) >> 1, (cells & NOT_COLUMN_H) << 1);
        let orthogonal = [west, east, cells >> 8, cells << 8];
        let [west, east, north, south] = orthogonal;
        match self {
            Self::Four => [west, east, north, south, 0, 0, 0, 0],
            Self::Eight => [west, east, north, south, west >> 8, west << 8, east >> 8, east << 8],
        }
    }

    /// Every cell that has a neighbour among `cells`.
    #[inline(always)]
    pub(super) fn of(self, cells: u64) -> u64 {
        self.shifts(cells).into_iter().fold(0, |all, shifted| all | shifted)
    }
}

/// The neighbours of each cell: for four and for eight directions.
static NEIGHBOURS: [[u64; 64]; 2] = [neighbour_table(Neighbourhood::Four), neighbour_table(Neighbourhood::Eight)];

const fn neighbour_table(neighbourhood: Neighbourhood) -> [u64; 64] {
    let mut table = [0; 64];
    let mut cell = 0;
    while cell < 64 {
        let shifts = neighbourhood.shifts(1 << cell);
        let mut direction = 0;
        while direction < 8 {
            table[cell] |= shifts[direction];
            direction += 1;
        }
        cell += 1;
    }
    table
}

/// A position of the Adjacency Strategy Game.
///
/// Kept from the mover's side, so that a move is the same few operations for
/// both players. `plies_left` never exceeds the number of empty cells and has
/// its parity: the game is over exactly when it is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AdjacencyPosition {
    own: u64,
    other: u64,
    to_move: Player,
    plies_left: u8,
    neighbourhood: Neighbourhood,
}

impl AdjacencyPosition {
    /// The position with the marks of First and Second (which must not
    /// overlap) and `rounds` left. Where the number of empty cells is odd, one
    /// ply of the current round has been made; rounds that do not fit on the
    /// board are dropped.
    #[must_use]
    pub fn new(marks: [u64; 2], to_move: Player, rounds: u32, neighbourhood: Neighbourhood) -> Self {
        debug_assert_eq!(marks[0] & marks[1], 0);
        let empties = CELLS - (marks[0] | marks[1]).count_ones();
        let plies_left = (2 * rounds).saturating_sub(empties % 2).min(empties) as u8;
        let [own, other] = by_mover(marks, to_move);
        Self { own, other, to_move, plies_left, neighbourhood }
    }

    /// The marks of First and Second, one bit a cell.
    #[inline(always)]
    #[must_use]
    pub fn marks(&self) -> [u64; 2] {
        by_mover([self.own, self.other], self.to_move)
    }

    /// The cells without a mark.
    #[inline(always)]
    #[must_use]
    pub fn empties(&self) -> u64 {
        !(self.own | self.other)
    }

    /// How many moves are still to be made, by both together.
    #[inline(always)]
    #[must_use]
    pub fn plies_left(&self) -> u32 {
        u32::from(self.plies_left)
    }

    /// How many rounds are left, a begun one counted.
    #[must_use]
    pub fn rounds_left(&self) -> u32 {
        self.plies_left().div_ceil(2)
    }

    /// The position with both players' marks moved to other cells; `map` must
    /// keep the number of cells.
    #[must_use]
    pub(super) fn mapped(&self, map: impl Fn(u64) -> u64) -> Self {
        Self { own: map(self.own), other: map(self.other), ..*self }
    }

    /// Which neighbours turn.
    #[inline(always)]
    #[must_use]
    pub fn neighbourhood(&self) -> Neighbourhood {
        self.neighbourhood
    }
}

/// Turns `[First's, Second's]` into `[mover's, other's]`, and back.
#[inline(always)]
fn by_mover([a, b]: [u64; 2], to_move: Player) -> [u64; 2] {
    if to_move == Player::First { [a, b] } else { [b, a] }
}

/// The cells reflected in the diagonal from a8 to h1: row r, column c goes to
/// row 7 − c, column 7 − r.
#[must_use]
pub(super) fn reflected(cells: u64) -> u64 {
    // Reversing all bits turns the board by 180°; the other reflection then
    // swaps ever smaller blocks across the diagonal from a1 to h8.
    let swapped = |board: u64, distance: u32, block: u64| {
        let difference = (board ^ (board >> distance)) & block;
        board ^ difference ^ (difference << distance)
    };
    let turned = cells.reverse_bits();
    let turned = swapped(turned, 28, 0x0000_0000_f0f0_f0f0);
    let turned = swapped(turned, 14, 0x0000_cccc_0000_cccc);
    swapped(turned, 7, 0x00aa_00aa_00aa_00aa)
}

impl Position for AdjacencyPosition {
    type Move = Place;
    type Moves = Places<u64>;

    #[inline(always)]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline(always)]
    fn legal_moves(&self) -> Places<u64> {
        Places(if self.plies_left == 0 { 0 } else { self.empties() })
    }

    #[inline(always)]
    fn after(&self, mv: Place) -> Self {
        let cell = mv.index() % 64;
        let turned = NEIGHBOURS[self.neighbourhood as usize][cell] & self.other;
        Self {
            own: self.other ^ turned,
            other: self.own | turned | 1 << cell,
            to_move: self.to_move.other(),
            plies_left: self.plies_left - 1,
            neighbourhood: self.neighbourhood,
        }
    }

    #[inline(always)]
    fn points(&self) -> [i32; 2] {
        self.marks().map(|marks| marks.count_ones() as i32)
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        let turn = u64::from(self.plies_left) << 1 | self.to_move as u64;
        mix(self.own ^ mix(self.other ^ mix(turn + 1)))
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.plies_left == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(rounds: u32, neighbourhood: Neighbourhood) -> AdjacencyPosition {
        AdjacencyPosition::new([X_START, O_START], Player::First, rounds, neighbourhood)
    }

    #[test]
    fn a_move_turns_the_four_neighbours_and_nothing_else() {
        // f2 touches g2; g3 touches g2 again, from below.
        let position = start(8, Neighbourhood::Four).after(Place(13));
        assert_eq!(position.points(), [6, 3]);
        let position = position.after(Place(22));
        assert_eq!(position.points(), [5, 5], "g2 turns back, h1 h2 g1 stay");
    }

    #[test]
    fn turned_marks_turn_no_further_marks() {
        let position = start(8, Neighbourhood::Four).after(Place(13));
        let [first, second] = position.marks();
        assert_eq!(first & O_START, 1 << 14, "only g2, not the marks beside it");
        assert_eq!(second, O_START & !(1 << 14));
    }

    #[test]
    fn diagonal_neighbours_turn_only_if_asked_for() {
        // f3 touches g2 only across the corner.
        assert_eq!(start(8, Neighbourhood::Four).after(Place(21)).points(), [5, 4]);
        assert_eq!(start(8, Neighbourhood::Eight).after(Place(21)).points(), [6, 3]);
    }

    #[test]
    fn a_round_is_two_plies() {
        let position = start(1, Neighbourhood::Four);
        assert_eq!(position.plies_left(), 2);
        let over = position.after(Place(0)).after(Place(1));
        assert!(over.is_over() && over.legal_moves().0 == 0);
    }

    #[test]
    fn rounds_beyond_the_board_are_dropped() {
        let full = AdjacencyPosition::new([!1, 0], Player::Second, 28, Neighbourhood::Four);
        assert_eq!((full.plies_left(), full.rounds_left()), (1, 1));
        assert!(full.after(Place(0)).is_over());
        assert!(start(0, Neighbourhood::Four).is_over());
    }

    #[test]
    fn reflection_moves_each_cell_across_the_diagonal() {
        for row in 0..8 {
            for column in 0..8 {
                let there = 8 * (7 - column) + (7 - row);
                assert_eq!(reflected(1 << (8 * row + column)), 1 << there);
            }
        }
        assert_eq!((reflected(X_START), reflected(O_START)), (X_START, O_START));
    }

    #[test]
    fn the_key_tells_side_and_plies_apart() {
        let marks = [X_START, O_START];
        let a = AdjacencyPosition::new(marks, Player::First, 8, Neighbourhood::Four);
        let b = AdjacencyPosition::new(marks, Player::Second, 8, Neighbourhood::Four);
        let c = AdjacencyPosition::new(marks, Player::First, 7, Neighbourhood::Four);
        assert!(a.key() != b.key() && a.key() != c.key() && b.key() != c.key());
    }
}
