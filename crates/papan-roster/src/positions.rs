//! The one way from a text to a position: the game's own spelling, a list of
//! moves from the start, or a record of another program.

use papan_core::error::{Subject, quoted};
use papan_core::table::read_legal_move;
use papan_core::{ParseError, Position as _};

use crate::Rostered;

/// Reads a position of `game` in any spelling: its own, the moves that lead to
/// it (`h8 i8 h7`, `f5d6c3`), or a record such as GGF for Othello.
pub fn read_position<G: Rostered>(game: &G, text: &str) -> Result<G::Position, ParseError> {
    if let Some(record) = game.foreign_record(text) {
        let record = record?;
        return played(game, game.read_position(&record.start)?, &record.moves);
    }
    match (game.read_position(text), move_list(game, text)) {
        (Err(_), Some(moves)) if !G::READS_TRANSCRIPTS => played(game, game.start(), &moves),
        (read, _) => read,
    }
}

/// The words of a list of moves; `None` if the text does not begin with a move.
fn move_list<'a, G: Rostered>(game: &G, text: &'a str) -> Option<Vec<&'a str>> {
    let begins_with_a_move = |words: &[&str]| words.first().is_some_and(|word| game.read_move(word).is_ok());
    let words: Vec<&str> = text.split_whitespace().collect();
    let moves = if begins_with_a_move(&words) { words } else { joined_moves(text.trim()) };
    begins_with_a_move(&moves).then_some(moves)
}

/// `a1b2c3` in pieces: a move begins where a letter follows a digit.
fn joined_moves(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let starts = (1..bytes.len()).filter(|&at| bytes[at].is_ascii_alphabetic() && bytes[at - 1].is_ascii_digit());
    let ends: Vec<usize> = starts.chain([text.len()]).collect();
    let mut from = 0;
    ends.into_iter().map(|to| &text[std::mem::replace(&mut from, to)..to]).collect()
}

fn played<G: Rostered>(game: &G, start: G::Position, moves: &[impl AsRef<str>]) -> Result<G::Position, ParseError> {
    let mut position = start;
    for (number, word) in moves.iter().enumerate() {
        let word = word.as_ref();
        let mv = read_legal_move(game, &position, word).map_err(|error| {
            ParseError::new(Subject::Position, format!("move {} is {}: {}", number + 1, quoted(word), error.message()))
        })?;
        position = position.after(mv);
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use crate::table;

    fn position(spec: &str, text: &str) -> Result<String, String> {
        table(spec, Some(text)).map(|table| table.position()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_moves_from_the_start_are_a_position_in_every_game() {
        for (spec, moves) in [
            ("tic-tac-toe:rows=15,cols=15,k=5", "h8 i8 h7 i7 h9"),
            ("adjacency", "a1 b2 h8"),
            ("dots-and-boxes", "h0,0 v0,0 h1,0 v0,1 h0,1"),
            ("othello", "f5 d6 c3"),
        ] {
            let mut played = table(spec, None).unwrap();
            moves.split(' ').for_each(|mv| played.play(mv).unwrap());
            assert_eq!(position(spec, moves), Ok(played.position()), "{spec}");
            let joined = moves.replace(' ', "");
            assert_eq!(position(spec, &joined), Ok(played.position()), "{spec} {joined}");
        }
        assert_eq!(position("dots-and-boxes", "a1-b1 a1-a2"), position("dots-and-boxes", "h0,0 v0,0"));
    }

    #[test]
    fn a_wrong_move_is_named_with_its_number() {
        let error = position("tic-tac-toe", "a1 b2 a1").unwrap_err();
        assert!(error.starts_with("position: move 3 is 'a1': a1 is not legal here; legal: b1"), "{error}");
        let error = position("tic-tac-toe", "a1 b2 z9").unwrap_err();
        assert!(error.starts_with("position: move 3 is 'z9': "), "{error}");
        let error = position("dots-and-boxes", "h0,0 zz").unwrap_err();
        assert!(error.starts_with("position: move 2 is 'zz': 'zz' is no line"), "{error}");
    }

    #[test]
    fn a_position_stays_a_position() {
        assert_eq!(position("tic-tac-toe", "X.O/.X./..O X").as_deref(), Ok("X.O/.X./..O X"));
        assert!(position("tic-tac-toe", "XQ").unwrap_err().starts_with("position: "));
        assert!(position("tic-tac-toe", "").is_err());
    }
}
