//! `X.O/.X./..O X` for positions, `a1` (top left) for moves.

use papan_core::error::Subject;
use papan_core::scene::cell_name;
use papan_core::{Bits, Move as _, ParseError, Place, Player, Position as _, Settings, grid};

use super::geometry::Geometry;
use super::position::TicTacToePosition;

/// Reads rows with or without slashes, then the side to move.
pub(super) fn read_position<B: Bits>(
    geometry: &'static Geometry<B>,
    text: &str,
) -> Result<TicTacToePosition<B>, ParseError> {
    let board = grid::read(text, geometry.rows, geometry.cols)?;
    let marks = Player::BOTH.map(|player| {
        let places = board.cells_of(player).map(|(row, col)| geometry.place(row, col));
        places.fold(B::EMPTY, |set, place| set | B::bit(place.index()))
    });
    checked_position(geometry, marks, board.to_move)
}

/// A position in which at most one player has a row.
pub(super) fn checked_position<B: Bits>(
    geometry: &'static Geometry<B>,
    marks: [B; 2],
    to_move: Player,
) -> Result<TicTacToePosition<B>, ParseError> {
    TicTacToePosition::with_marks(geometry, marks, to_move).ok_or_else(|| {
        let message = format!("both players have {} in a row, expected at most one", geometry.k);
        ParseError::new(Subject::Position, message)
    })
}

pub(super) fn write_position<B: Bits>(position: &TicTacToePosition<B>) -> String {
    let geometry = position.geometry();
    let mark_at = |row, col| position.mark_at(geometry.place(row, col));
    grid::write(geometry.rows, geometry.cols, mark_at, position.to_move())
}

pub(super) fn read_move<B: Bits>(geometry: &Geometry<B>, text: &str) -> Result<Place, ParseError> {
    let (row, col) = grid::read_cell(text, geometry.rows, geometry.cols)?;
    Ok(geometry.place(row, col))
}

pub(super) fn write_move<B: Bits>(geometry: &Geometry<B>, mv: Place) -> String {
    debug_assert!(geometry.cells.has(mv.index()));
    let (row, col) = geometry.row_and_col(mv);
    cell_name(row, col)
}

/// Lets the board in a position's text settle its size. Without slashes the
/// given side, or else a square, decides.
pub(super) fn suit_settings(settings: &mut Settings, text: &str) {
    let Some(board) = text.split_whitespace().next() else { return };
    let length = board.chars().count();
    let (rows, cols) = if let Some((first, _)) = board.split_once('/') {
        (board.split('/').count(), first.chars().count())
    } else if length as i64 == settings.integer("rows") * settings.integer("cols") {
        return;
    } else if settings.is_given("rows") {
        let rows = settings.integer("rows") as usize;
        (rows, length / rows)
    } else if settings.is_given("cols") {
        let cols = settings.integer("cols") as usize;
        (length / cols, cols)
    } else {
        (length.isqrt(), length.isqrt())
    };
    for (name, size) in [("rows", rows), ("cols", cols)] {
        if (3..=15).contains(&size) {
            settings.suggest_integer(name, size as i64);
        }
    }
}

#[cfg(test)]
mod tests {
    use papan_core::Spec;

    use super::*;
    use crate::tic_tac_toe::options;

    fn line(text: &str) -> String {
        read_position(Geometry::<u64>::interned(3, 3, 3, false), text).unwrap_err().to_string()
    }

    #[test]
    fn every_spelling_of_a_position_is_read_as_one() {
        let geometry = Geometry::<u64>::interned(3, 3, 3, false);
        for text in ["X.O/.X./..O X", "x-o/_x_/..o x", "X.O.X...O X", "  X.O/.X./..O\tX "] {
            assert_eq!(write_position(&read_position(geometry, text).unwrap()), "X.O/.X./..O X");
        }
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        assert_eq!(line(""), "position: nothing is given, expected rows such as X.O/.X./... and a side");
        assert_eq!(line("X.O/.X./..O"), "position: the side to move is missing, expected X or O after the board");
        assert_eq!(line("X.O/.X./..O Q"), "position: the side to move is 'Q', expected X or O");
        assert_eq!(line("X.O/.Q./..O X"), "position: cell b2 is 'Q', expected . X O");
        assert_eq!(line("X.O/.X. X"), "position: the board has 2 rows, expected 3");
        assert_eq!(line("X.O/.X./.. X"), "position: row 3 has 2 cells, expected 3");
        assert_eq!(line("X.O.X X"), "position: the board has 5 cells, expected 9 (3 rows of 3)");
        assert_eq!(line("XXX/.../OOO X"), "position: both players have 3 in a row, expected at most one");
        assert_eq!(line("X.O/.X./..O X 3"), "position: there is '3' after the side to move, expected nothing");
        let error = read_move(Geometry::<u64>::interned(3, 4, 3, false), "e1").unwrap_err();
        assert_eq!(error.to_string(), "move: 'e1' is no cell, expected a1 to d3");
    }

    fn suited(spec: &str, text: &str) -> (i64, i64, i64) {
        let mut settings = Settings::read(Subject::Game, &Spec::split(spec), &options()).unwrap();
        suit_settings(&mut settings, text);
        (settings.integer("rows"), settings.integer("cols"), settings.integer("k"))
    }

    #[test]
    fn a_position_settles_the_size_that_nobody_gave() {
        assert_eq!(suited("t", "..../..../.... X"), (3, 4, 3));
        assert_eq!(suited("t:rows=5,k=4", "..../..../.... X"), (5, 4, 4));
        assert_eq!(suited("t", "................ X"), (4, 4, 3));
        assert_eq!(suited("t:cols=5", "................... X"), (3, 5, 3));
        assert_eq!(suited("t:rows=4", "............ X"), (4, 3, 3));
        assert_eq!(suited("t", "./. X"), (3, 3, 3));
        assert_eq!(suited("t", ""), (3, 3, 3));
    }
}
