//! The board of Connect Four: who has which cell, and who moves.

use papan_core::{Place, Places, Player, Position, mix};

pub(super) const ROWS: usize = 6;
pub(super) const COLUMNS: usize = 7;
/// A row takes eight bits, and the last stays free, so that no line of four
/// goes on at the other side. Bit = 8 × row + column, the top row first:
///
/// ```text
///  0  1  2  3  4  5  6
///  8  9 10 11 12 13 14
///          …
/// 40 41 42 43 44 45 46
/// ```
pub(super) const STRIDE: usize = 8;
pub(super) const BOARD: u64 = 0x7f7f_7f7f_7f7f;
const BOTTOM_ROW: u64 = 0x7f << (STRIDE * (ROWS - 1));

/// Discs of both players, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConnectFourPosition {
    pub(super) discs: [u64; 2],
    pub(super) to_move: Player,
}

impl ConnectFourPosition {
    /// Whose disc lies in a cell.
    pub(super) fn owner_at(&self, row: usize, column: usize) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.discs[player.index()] >> (STRIDE * row + column) & 1 == 1)
    }

    /// The free cells with a disc or the floor under them.
    pub(super) fn landings(&self) -> u64 {
        let taken = self.discs[0] | self.discs[1];
        BOARD & !taken & (taken >> STRIDE | BOTTOM_ROW)
    }
}

/// Are there four in a row, in any of the four directions?
fn has_four(discs: u64) -> bool {
    [1, STRIDE - 1, STRIDE, STRIDE + 1].into_iter().any(|step| {
        let pairs = discs & discs >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

impl Position for ConnectFourPosition {
    type Move = Place;
    type Moves = Places<u64>;

    fn to_move(&self) -> Player {
        self.to_move
    }

    /// A disc falls as far as it can; nobody moves once there are four.
    fn legal_moves(&self) -> Places<u64> {
        Places(if self.points() == [0, 0] { self.landings() } else { 0 })
    }

    fn after(&self, mv: Place) -> Self {
        let mut next = Self { to_move: self.to_move.other(), ..*self };
        next.discs[self.to_move.index()] |= 1 << mv.0;
        next
    }

    /// A point for whoever has four.
    fn points(&self) -> [i32; 2] {
        self.discs.map(|discs| i32::from(has_four(discs)))
    }

    fn key(&self) -> u64 {
        mix(mix(self.discs[0]) ^ self.discs[1] << 1 ^ self.to_move as u64)
    }
}
