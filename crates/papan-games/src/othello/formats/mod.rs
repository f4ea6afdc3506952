//! The files that Othello players keep games in. Black is the first player in all of them; positions in OBF and
//! transcripts of moves are the game's own notation.

pub mod ggf;
pub mod wthor;

use super::notation::Notation;
use super::{OthelloPosition, Rules};

/// The notation of a game in which black is the first player.
fn notation(rules: Rules) -> Notation {
    Notation { rules, symbols: ['X', 'O'], start: OthelloPosition::start(rules) }
}

/// A position in OBF: squares of `X` (black), `O` and `-`, and the side to move.
#[must_use]
pub fn obf(position: &OthelloPosition) -> String {
    notation(position.rules()).write_position(position)
}
