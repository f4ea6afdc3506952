//! Connect Four: four discs in a row win, and discs fall.

mod position;

use papan_core::{Game, ParseError, Place, Player, Settings, grid, scene};
pub use position::ConnectFourPosition;
use position::{COLUMNS, ROWS, STRIDE};

/// The game; it has no options.
#[derive(Clone, Debug)]
pub struct ConnectFour;

impl Game for ConnectFour {
    type Position = ConnectFourPosition;

    const NAME: &'static str = "connect-four";

    fn from_settings(_settings: &Settings) -> Result<Self, ParseError> {
        Ok(Self)
    }

    fn start(&self) -> ConnectFourPosition {
        ConnectFourPosition { discs: [0; 2], to_move: Player::First }
    }

    fn read_position(&self, text: &str) -> Result<ConnectFourPosition, ParseError> {
        let board = grid::read(text, ROWS, COLUMNS)?;
        let discs = |player| board.cells_of(player).map(|(row, column)| 1 << (STRIDE * row + column)).sum();
        Ok(ConnectFourPosition { discs: Player::BOTH.map(discs), to_move: board.to_move })
    }

    fn write_position(&self, position: &ConnectFourPosition) -> String {
        grid::write(ROWS, COLUMNS, |row, column| position.owner_at(row, column), position.to_move)
    }

    fn read_move(&self, text: &str) -> Result<Place, ParseError> {
        let (row, column) = grid::read_cell(text, ROWS, COLUMNS)?;
        Ok(Place((STRIDE * row + column) as u8))
    }

    fn write_move(&self, mv: Place) -> String {
        scene::cell_name(usize::from(mv.0) / STRIDE, usize::from(mv.0) % STRIDE)
    }
}

#[cfg(test)]
mod tests {
    use papan_core::conformance;

    use super::*;

    #[test]
    fn every_promise_is_kept() {
        conformance::check(&ConnectFour, 100, 1).unwrap();
        for gap in conformance::missing(&ConnectFour) {
            println!("still missing: {gap}");
        }
    }
}
