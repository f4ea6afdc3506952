//! What Othello players want to be told of a position besides values: the names of well-known openings, found in any
//! of the symmetric ways to play them.

use std::collections::HashMap;
use std::sync::LazyLock;

use papan_core::{Insight, Position as _, Text};
use papan_games::othello::{OthelloMove, OthelloPosition, Rules};

use super::board::{Board, Shape};

/// One opening a line: moves, two spaces, names.
static OPENINGS: &str = include_str!("openings.txt");

/// Names by position: a position that several lines reach has the name of the last line that ends there.
static NAMES: LazyLock<HashMap<Board, &'static str>> = LazyLock::new(|| {
    let lines = OPENINGS.lines().filter_map(|line| line.split_once("  "));
    lines.filter_map(|(moves, name)| Some((Board::of(&played(moves)?).0.canonical(), name))).collect()
});

/// The position after moves such as `f5d6c3`; `None` if one of them is not legal.
fn played(moves: &str) -> Option<OthelloPosition> {
    let mut squares = moves.as_bytes().chunks(2).map(|name| OthelloMove::read(str::from_utf8(name).ok()?, 8));
    squares.try_fold(OthelloPosition::start(Rules::STANDARD), |position, mv| position.play(mv?))
}

/// The name of the opening, if the position is one of the well-known ones.
#[must_use]
pub fn insights(position: &OthelloPosition) -> Vec<Insight> {
    let (board, shape) = Board::of(position);
    let name = (shape == Shape::STANDARD).then(|| NAMES.get(&board.canonical())).flatten();
    let insight = |name| Insight {
        kind: "opening",
        label: Text::owned(format!("Opening: {name}"), format!("Pembukaan: {name}")),
        player: None,
        shapes: Vec::new(),
        moves: Vec::new(),
    };
    name.map(insight).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_core::Language;

    fn label(moves: &str) -> Option<String> {
        insights(&played(moves).unwrap()).pop().map(|insight| insight.label.get(Language::En).to_owned())
    }

    #[test]
    fn every_line_of_the_list_is_legal_and_known() {
        for line in OPENINGS.lines().filter(|line| !line.is_empty()) {
            assert!(label(line.split_once("  ").unwrap().0).is_some(), "{line}");
        }
    }

    #[test]
    fn symmetric_lines_have_the_same_name() {
        for moves in ["c4c3", "f5f6", "d3c3", "e6f6"] {
            assert_eq!(label(moves).as_deref(), Some("Opening: Diagonal Opening"));
        }
        assert_eq!(label("d3c3c4"), None);
    }
}
