//! Connect Four: four discs in a row win, and discs fall.

mod position;
mod shapes;

use papan_core::edit::{self, Edit};
use papan_core::error::Subject;
use papan_core::scene::{Look, PlayerLook};
use papan_core::{
    AtEnd, Evaluation, Game, GameInfo, Move as _, ParseError, Place, Player, Position as _, Score, Settings, Text,
    grid, scene,
};
pub use position::ConnectFourPosition;
use position::{COLUMNS, ROWS, STRIDE};

/// The game; it has no options.
#[derive(Clone, Debug)]
pub struct ConnectFour;

/// The position itself if no disc hangs in the air and at most one player has
/// four in a row.
fn checked(position: ConnectFourPosition) -> Result<ConnectFourPosition, ParseError> {
    let wrong = |message| Err(ParseError::new(Subject::Position, message));
    match position {
        _ if position.has_gaps() => wrong("a disc hangs over an empty cell"),
        _ if position.points() == [1, 1] => wrong("both players have four in a row"),
        _ => Ok(position),
    }
}

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
        checked(ConnectFourPosition { discs: Player::BOTH.map(discs), to_move: board.to_move })
    }

    fn write_position(&self, position: &ConnectFourPosition) -> String {
        grid::write(ROWS, COLUMNS, |row, column| position.owner_at(row, column), position.to_move)
    }

    fn read_move(&self, text: &str) -> Result<Place, ParseError> {
        let (row, column) = grid::read_cell(text, ROWS, COLUMNS)?;
        Ok(Place((STRIDE * row + column) as u8))
    }

    fn write_move(&self, mv: Place) -> String {
        scene::cell_name(mv.index() / STRIDE, mv.index() % STRIDE)
    }

    fn longest(&self) -> u32 {
        (ROWS * COLUMNS) as u32
    }

    fn info() -> GameInfo {
        GameInfo {
            about: Text::new(
                "Drop discs into seven columns; four of yours in a row win.",
                "Jatuhkan cakram ke tujuh kolom; empat cakram sebaris menang.",
            ),
            rules: Text::new(include_str!("rules.en.md"), include_str!("rules.id.md")),
            ..GameInfo::named(Self::NAME)
        }
    }

    fn players(&self) -> [PlayerLook; 2] {
        [
            PlayerLook { name: Text::new("Dark", "Gelap"), symbol: 'X', look: Look::Dark },
            PlayerLook { name: Text::new("Light", "Terang"), symbol: 'O', look: Look::Light },
        ]
    }

    fn edited(&self, position: &ConnectFourPosition, edit: Edit<'_>) -> Result<ConnectFourPosition, ParseError> {
        let mut edited = *position;
        match edit {
            Edit::Put { place, content } => {
                let cell = self.read_move(edit::name_of(place, "cell-")?)?;
                edited.discs = edit::put(position.discs, cell.index(), content)?;
            }
            Edit::Turn(player) => edited.to_move = player,
        }
        checked(edited)
    }

    fn evaluations() -> Vec<Evaluation<ConnectFourPosition>> {
        vec![Evaluation {
            name: "lines",
            about: Text::new(
                "Lines of four still open, the fuller the better.",
                "Garis empat yang masih terbuka, makin penuh makin baik.",
            ),
            at_end: AtEnd::Outcome,
            estimate: |position, chair, _ply| Score(position.open_lines(chair) - position.open_lines(chair.other())),
        }]
    }

    /// The middle column first: most lines go through it.
    fn preference(&self, mv: Place) -> i32 {
        let column = (mv.index() % STRIDE) as i32;
        -(column - COLUMNS as i32 / 2).abs()
    }

    /// The board and its mirror image.
    fn symmetries(&self) -> usize {
        2
    }

    fn symmetric_position(&self, symmetry: usize, position: &ConnectFourPosition) -> ConnectFourPosition {
        if symmetry == 0 { *position } else { position.mirrored() }
    }

    fn symmetric_move(&self, symmetry: usize, mv: Place) -> Place {
        let (row, column) = (mv.index() / STRIDE, mv.index() % STRIDE);
        if symmetry == 0 { mv } else { Place((STRIDE * row + COLUMNS - 1 - column) as u8) }
    }
}

#[cfg(test)]
mod tests {
    use papan_core::{MoveSet as _, Position as _, conformance, perft};

    use super::*;

    #[test]
    fn every_promise_is_kept_and_nothing_is_missing() {
        conformance::check(&ConnectFour, 100, 1).unwrap();
        assert_eq!(conformance::missing(&ConnectFour), []);
    }

    /// The numbers of positions by ply that are known of this game.
    #[test]
    fn perft_is_as_published() {
        let leaves = |depth| perft(&ConnectFour.start(), depth);
        assert_eq!([1, 2, 3, 4, 5, 6, 7].map(leaves), [7, 49, 343, 2_401, 16_807, 117_649, 823_536]);
    }

    #[test]
    fn four_in_any_direction_win() {
        let moves = ["a6 b6 a5 b5 a4 b4 a3", "a6 a5 b6 b5 c6 c5 d6", "a6 b6 b5 c6 d6 c5 c4 d5 e6 d4 d3"];
        for line in moves {
            let play = |position: ConnectFourPosition, mv| position.play(ConnectFour.read_move(mv).unwrap()).unwrap();
            let position = line.split(' ').fold(ConnectFour.start(), play);
            assert_eq!((position.points(), position.legal_moves().len()), ([1, 0], 0), "{line}");
        }
    }

    #[test]
    fn a_disc_needs_something_under_it() {
        let error = ConnectFour.read_position("X....../......./......./......./......./....... O").unwrap_err();
        assert_eq!(error.to_string(), "position: a disc hangs over an empty cell");
    }
}
