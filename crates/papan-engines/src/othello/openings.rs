//! The names of well-known openings, found in any of the symmetric ways to play them.

use super::board::{Board, Shape};
use super::formats::transcript::{self, State};
use std::collections::HashMap;
use std::sync::LazyLock;

/// One opening a line: moves, two spaces, names.
static LIST: &str = include_str!("openings.txt");

/// Names by position: a position that several lines reach has the name of the longest-known line that ends there.
static BY_POSITION: LazyLock<HashMap<Board, &'static str>> = LazyLock::new(|| {
    LIST.lines()
        .filter_map(|line| line.split_once("  "))
        .filter_map(|(moves, name)| {
            let (_, state) = transcript::read(moves, Shape::STANDARD).ok()?;
            Some((state.board.canonical(), name))
        })
        .collect()
});

/// The name of the last named position that a game passed through; `None` outside the list, and on other shapes.
#[must_use]
pub fn name_of(moves: &[u8]) -> Option<&'static str> {
    let mut state = State::start(Shape::STANDARD);
    let mut name = None;
    for &square in moves {
        let Some(next) = state.after(square) else { break };
        state = next;
        name = name_at(state.board).or(name);
    }
    name
}

/// The name of a position of the standard game, whichever way it was reached.
#[must_use]
pub fn name_at(board: Board) -> Option<&'static str> {
    BY_POSITION.get(&board.canonical()).copied()
}

/// All openings as moves and names.
pub fn all() -> impl Iterator<Item = (Vec<u8>, &'static str)> {
    LIST.lines()
        .filter_map(|line| line.split_once("  "))
        .filter_map(|(moves, name)| Some((transcript::read(moves, Shape::STANDARD).ok()?.0, name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::bits::SetBits;

    fn named(text: &str) -> Option<&'static str> {
        name_of(&transcript::read(text, Shape::STANDARD).unwrap().0)
    }

    #[test]
    fn every_line_of_the_list_is_legal_and_known() {
        assert_eq!(all().count(), LIST.lines().filter(|line| !line.is_empty()).count());
        for (moves, _) in all() {
            assert!(name_of(&moves).is_some());
        }
    }

    #[test]
    fn symmetric_lines_have_the_same_name() {
        assert_eq!(named("c4c3"), Some("Diagonal Opening"));
        assert_eq!(named("f5f6"), Some("Diagonal Opening"));
        assert_eq!(named("d3c3"), Some("Diagonal Opening"));
        assert_eq!(named("e6f6"), Some("Diagonal Opening"));
    }

    #[test]
    fn a_position_has_the_name_of_the_lines_that_end_there() {
        let (_, state) = transcript::read("d3c3", Shape::STANDARD).unwrap();
        assert_eq!(name_at(state.board), Some("Diagonal Opening"));
        assert_eq!(name_at(state.passed().board), None, "it is not that side's turn");
    }

    #[test]
    fn a_game_keeps_the_name_of_where_it_left_the_list() {
        let (moves, state) = transcript::read("f5f6e6f4g3", Shape::STANDARD).unwrap();
        assert_eq!(name_of(&moves), Some("Rocket"));
        let names: Vec<_> = SetBits(state.moves())
            .filter_map(|square| name_of(&[moves.as_slice(), &[square as u8]].concat()))
            .collect();
        assert_eq!(names.len(), state.moves().count_ones() as usize);
        assert!(names.contains(&"Rocket") && names.contains(&"Lollipop"));
    }
}
