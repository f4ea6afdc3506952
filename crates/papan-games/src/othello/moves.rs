//! Othello's moves: a square, or the forced pass.

use std::fmt;

use papan_core::scene::{cell_name, read_cell_name};
use papan_core::{Bits as _, Move, MoveSet, PlaceIter, Places};

/// A disc on a square, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OthelloMove(u8);

impl OthelloMove {
    /// The move of a player who has no square to move to.
    pub const PASS: Self = Self(64);

    /// A disc on the square with this number (8 × row + column, below 64).
    #[inline(always)]
    #[must_use]
    pub const fn square(number: usize) -> Self {
        Self((number % 64) as u8)
    }

    /// The number of the square, `None` for a pass.
    #[inline(always)]
    #[must_use]
    pub const fn as_square(self) -> Option<usize> {
        if self.0 < 64 { Some(self.0 as usize) } else { None }
    }

    /// The move that `f5` or `F5` names on a board of so many rows and columns, or a pass in any of its spellings.
    #[must_use]
    pub fn read(text: &str, size: u8) -> Option<Self> {
        if PASSES.iter().any(|pass| pass.eq_ignore_ascii_case(text)) {
            return Some(Self::PASS);
        }
        let size = usize::from(size);
        read_cell_name(text, size, size).map(|(row, column)| Self::square(8 * row + column))
    }
}

/// The spellings of a pass, the longer before those that they begin with.
pub(super) const PASSES: [&str; 4] = ["pass", "pa", "ps", "--"];

/// The square's name, or `pass`.
impl fmt::Display for OthelloMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_square() {
            Some(square) => f.write_str(&cell_name(square / 8, square % 8)),
            None => f.write_str("pass"),
        }
    }
}

impl Move for OthelloMove {
    const LIMIT: usize = 65;

    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self.0)
    }

    #[inline(always)]
    fn from_index(index: usize) -> Self {
        Self(index as u8)
    }
}

/// The legal moves: some squares, or only a pass, or nothing once it is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OthelloMoves {
    squares: u64,
    pass: bool,
}

impl OthelloMoves {
    /// The set of these squares; `pass` only where there are none.
    #[inline(always)]
    #[must_use]
    pub(super) const fn new(squares: u64, pass: bool) -> Self {
        Self { squares, pass }
    }

    /// The squares among the moves.
    #[inline(always)]
    #[must_use]
    pub const fn squares(self) -> u64 {
        self.squares
    }
}

impl MoveSet<OthelloMove> for OthelloMoves {
    #[inline(always)]
    fn len(&self) -> usize {
        self.squares.count() as usize + usize::from(self.pass)
    }

    #[inline(always)]
    fn contains(&self, mv: OthelloMove) -> bool {
        mv.as_square().map_or(self.pass, |square| self.squares.has(square))
    }

    #[inline(always)]
    fn nth(&self, n: usize) -> OthelloMove {
        if self.pass { OthelloMove::PASS } else { OthelloMove::square(self.squares.nth(n)) }
    }

    #[inline(always)]
    fn pick(&self, random: u64) -> Option<OthelloMove> {
        match self.squares.pick(random) {
            Some(square) => Some(OthelloMove::square(square)),
            None => self.pass.then_some(OthelloMove::PASS),
        }
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.squares == 0 && !self.pass
    }
}

impl IntoIterator for OthelloMoves {
    type Item = OthelloMove;
    type IntoIter = OthelloMoveIter;

    #[inline(always)]
    fn into_iter(self) -> OthelloMoveIter {
        OthelloMoveIter { squares: Places(self.squares).into_iter(), pass: self.pass }
    }
}

/// The squares from a1 on, then the pass.
#[derive(Clone, Copy, Debug)]
pub struct OthelloMoveIter {
    squares: PlaceIter<u64>,
    pass: bool,
}

impl Iterator for OthelloMoveIter {
    type Item = OthelloMove;

    #[inline(always)]
    fn next(&mut self) -> Option<OthelloMove> {
        match self.squares.next() {
            Some(place) => Some(OthelloMove(place.0)),
            None => std::mem::take(&mut self.pass).then_some(OthelloMove::PASS),
        }
    }
}
