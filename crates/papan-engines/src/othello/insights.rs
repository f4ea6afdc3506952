//! What Othello players want to be told of a position besides values.

use papan_core::{Insight, Text};
use papan_games::othello::OthelloPosition;

use super::board::Shape;
use super::bot::board_of;
use super::openings;

/// The name of the opening, if the position is one of the well-known ones.
#[must_use]
pub fn insights(position: &OthelloPosition) -> Vec<Insight> {
    let (board, shape) = board_of(position);
    let name = (shape == Shape::STANDARD).then(|| openings::name_at(board)).flatten();
    let insight = |name| Insight {
        kind: "opening",
        label: Text::owned(format!("Opening: {name}"), format!("Pembukaan: {name}")),
        player: None,
        shapes: Vec::new(),
        moves: Vec::new(),
    };
    name.map(insight).into_iter().collect()
}
