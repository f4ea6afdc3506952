//! Reading records in any notation. No game is known here: what a word means
//! is tried on the table.

use papan_core::ParseError;
use papan_core::table::Table;

use crate::error::ApiError;
use crate::roster;

/// The table at the end of the pasted record. Tried in this order:
/// 1. a record of another program, such as GGF,
/// 2. headers as [`super::write`] gives them,
/// 3. moves: one a word, with or without numbers, or run together,
/// 4. a position.
pub(crate) fn read(game: &str, text: &str) -> Result<Box<dyn Table>, ApiError> {
    let text = text.trim();
    if let Some(record) = papan_roster::foreign_record(game, text) {
        let record = record?;
        let table = roster::table(game, Some(&record.start))?;
        return play_all(table, &record.moves.join(" "));
    }
    if let Some(moves) = header(text, "moves") {
        let start = header(text, "start").filter(|start| !start.is_empty());
        let table = roster::table(header(text, "game").unwrap_or(game), start)?;
        return play_all(table, moves);
    }
    let mut table = roster::table(game, None)?;
    let Err(error) = play_words(&mut *table, text) else { return Ok(table) };
    match roster::table(game, Some(text)) {
        Ok(table) => Ok(table),
        Err(_) if table.ply() > 0 => Err(error),
        Err(as_position) => Err(ApiError::bad_record(&error, &as_position)),
    }
}

/// The rest of the line that begins with `name:`.
fn header<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(':')).map(str::trim)
}

fn play_all(mut table: Box<dyn Table>, text: &str) -> Result<Box<dyn Table>, ApiError> {
    play_words(&mut *table, text)?;
    Ok(table)
}

/// Plays the moves of `text`; those before a wrong one stay played.
fn play_words(table: &mut dyn Table, text: &str) -> Result<(), ApiError> {
    let words: Vec<_> = text.split(|c: char| c.is_whitespace() || c == ';').filter(|word| !word.is_empty()).collect();
    let mut rest = &words[..];
    while !rest.is_empty() {
        let used = play_next(table, rest).map_err(|error| ApiError::bad_move_at(table.ply() + 1, &error))?;
        rest = &rest[used..];
    }
    Ok(())
}

/// Plays what the first of `words` says, together with the next two if it
/// says nothing alone (`h 0 2`). Gives the number of words used.
fn play_next(table: &mut dyn Table, words: &[&str]) -> Result<usize, ParseError> {
    let word = without_number(words[0]);
    if word.is_empty() {
        return Ok(1);
    }
    let Err(error) = play_or_pass(table, word) else { return Ok(1) };
    if words.len() >= 3 && play_or_pass(table, &format!("{word} {} {}", words[1], words[2])).is_ok() {
        return Ok(3);
    }
    let parts = run_together(word);
    if parts.len() < 2 {
        return Err(error);
    }
    for part in parts {
        play_or_pass(table, part)?;
    }
    Ok(1)
}

/// `12.f5` without its number; a bare `12.` is empty.
fn without_number(word: &str) -> &str {
    match word.split_once('.') {
        Some((number, rest)) if number.chars().all(|c| c.is_ascii_digit()) => rest.trim_start_matches('.'),
        _ => word,
    }
}

/// Plays a move; where only one move is possible and it has no place on the
/// board, such as a forced pass, records may leave it out.
fn play_or_pass(table: &mut dyn Table, mv: &str) -> Result<(), ParseError> {
    let Err(error) = table.play(mv) else { return Ok(()) };
    let (legal, other) = (table.legal_moves(), table.scene().other_moves);
    if legal.len() != 1 || other.len() != 1 {
        return Err(error);
    }
    table.play(&other[0].0)?;
    if table.play(mv).is_err() {
        table.undo();
        return Err(error);
    }
    Ok(())
}

/// The moves of `f5d6c3` or `f5,d6,c3`: a new one begins with a letter after
/// a digit, or after a comma.
fn run_together(word: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for piece in word.split([',', '-']) {
        let mut start = 0;
        let mut after_digit = false;
        for (index, c) in piece.char_indices() {
            if after_digit && c.is_alphabetic() {
                parts.push(&piece[start..index]);
                start = index;
            }
            after_digit = c.is_ascii_digit();
        }
        parts.push(&piece[start..]);
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(game: &str, text: &str) -> Vec<String> {
        read(game, text).unwrap().moves()
    }

    #[test]
    fn moves_are_read_with_numbers_commas_or_run_together() {
        let expected = ["b2", "a1", "c3"];
        for text in ["b2 a1 c3", "1. b2 2. a1 3. c3", "1.b2 a1\n2.c3", "b2,a1,c3", "b2a1c3", " B2A1 c3 "] {
            assert_eq!(moves("tic-tac-toe", text), expected, "{text}");
        }
        assert!(moves("tic-tac-toe", "").is_empty());
    }

    #[test]
    fn a_position_and_our_own_format_are_read() {
        let table = read("tic-tac-toe", "X.O/.X./..O X").unwrap();
        assert_eq!((table.ply(), table.start_position()), (0, "X.O/.X./..O X".to_owned()));
        let mut table = roster::table("tic-tac-toe:rows=4,cols=4", None).unwrap();
        table.play("b2").unwrap();
        table.play("d4").unwrap();
        let names = ["Ana".to_owned(), "Budi".to_owned()];
        let text = super::super::write(&*table, &names, super::super::Format::Papan).unwrap();
        let again = read("tic-tac-toe", &text).unwrap();
        assert_eq!((again.spec(), again.position(), again.moves()), (table.spec(), table.position(), table.moves()));
    }

    #[test]
    fn an_error_says_which_move_and_why() {
        let error = read("tic-tac-toe", "b2 a1 b2").err().unwrap();
        assert_eq!(error.code, "bad_move");
        assert!(error.message.en.starts_with("Move 3: b2 is not legal"), "{}", error.message.en);
        assert_eq!(read("tic-tac-toe", "b2 zebra").err().unwrap().code, "bad_move");
        assert_eq!(read("no-such-game", "b2").err().unwrap().code, "bad_game");
        let neither = read("tic-tac-toe", "X.O/.Q./..O X").err().unwrap();
        assert_eq!(neither.code, "bad_position");
        assert!(neither.message.en.contains("cell b2 is 'Q'"), "{}", neither.message.en);
        assert!(neither.message.id.contains("petak b2 berisi 'Q'"), "{}", neither.message.id);
    }
}
