//! Games as squares in a row, `f5d6c3…`: either case, passes left out or written `pa`, `ps`, `--`.

use super::FormatError;
use crate::othello::board::{Board, NO_SQUARE, Shape, parse_square, square_name};
use crate::othello::cpu::{Cpu, Portable};

/// A position with whose turn it is, to play moves on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The board, seen by the side to move.
    pub board: Board,
    /// Whether black is to move.
    pub black: bool,
    /// Its shape.
    pub shape: Shape,
}

impl State {
    /// The start of a game.
    #[must_use]
    pub const fn start(shape: Shape) -> Self {
        Self { board: shape.start(), black: true, shape }
    }

    /// The legal squares.
    #[must_use]
    pub fn moves(&self) -> u64 {
        Portable.moves(self.board.player, self.board.opponent) & self.shape.playable()
    }

    /// Whether neither side can move.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.moves() == 0 && (!self.shape.passing() || self.passed().moves() == 0)
    }

    /// The state after a pass.
    #[must_use]
    pub const fn passed(self) -> Self {
        Self { board: self.board.passed(), black: !self.black, ..self }
    }

    /// The state after a move, or a pass for [`NO_SQUARE`]; `None` if it is not legal.
    #[must_use]
    pub fn after(self, square: u8) -> Option<Self> {
        if square == NO_SQUARE {
            return (self.moves() == 0 && !self.is_over()).then(|| self.passed());
        }
        (self.moves() >> square & 1 == 1).then(|| {
            let flips = Portable.flips(u32::from(square), self.board.player, self.board.opponent);
            Self { board: self.board.after(u32::from(square), flips), black: !self.black, ..self }
        })
    }
}

/// Reads a transcript: the moves, with the forced passes put in as [`NO_SQUARE`], and the state after them.
///
/// # Errors
/// At the first move that is no square or not legal.
pub fn read(text: &str, shape: Shape) -> Result<(Vec<u8>, State), FormatError> {
    let letters: Vec<char> = text.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-').collect();
    let mut state = State::start(shape);
    let mut moves = Vec::new();
    for (place, pair) in letters.chunks(2).enumerate() {
        let name: String = pair.iter().collect();
        if ["pa", "ps", "--", "p"].contains(&name.to_ascii_lowercase().as_str()) {
            continue;
        }
        let refuse = |what: &str| FormatError::at(place + 1, format!("{name} {what}"));
        let square = parse_square(&name).ok_or_else(|| refuse("is not a square"))?;
        if state.moves() == 0 && !state.is_over() {
            moves.push(NO_SQUARE);
            state = state.passed();
        }
        state = state.after(square).ok_or_else(|| refuse("is not a legal move"))?;
        moves.push(square);
    }
    Ok((moves, state))
}

/// Writes moves, passes left out.
#[must_use]
pub fn write(moves: &[u8]) -> String {
    moves.iter().filter(|&&square| square != NO_SQUARE).map(|&square| square_name(square)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_case_and_spaces_are_read() {
        let (moves, state) = read("F5 d6 C3", Shape::STANDARD).unwrap();
        assert_eq!(write(&moves), "f5d6c3");
        assert!(!state.black);
        assert_eq!(state.board.discs(), 7);
    }

    #[test]
    fn the_first_illegal_move_is_named() {
        let error = read("f5f5", Shape::STANDARD).unwrap_err();
        assert_eq!((error.place, error.message.as_str()), (2, "f5 is not a legal move"));
        assert_eq!(read("f5x9", Shape::STANDARD).unwrap_err().place, 2);
    }
}
