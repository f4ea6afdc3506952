//! GGF, the game format of the Generic Game Server: `(;GM[Othello]PC[…]PB[…]PW[…]…BO[8 …64… *]B[F5//1.2]W[D6]…;)`.

use super::FormatError;
use super::transcript::State;
use crate::othello::board::{NO_SQUARE, Shape, parse_square};
use papan_core::error::quoted;

/// A game read from GGF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GgfGame {
    /// Names of black and white.
    pub players: [String; 2],
    /// Where the game starts.
    pub start: State,
    /// The moves, passes as [`NO_SQUARE`].
    pub moves: Vec<u8>,
    /// The state after the moves.
    pub end: State,
}

/// The tags of the text's first game, in order.
fn tags(text: &str) -> impl Iterator<Item = (String, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let open = rest.find('[')?;
        if rest[..open].contains(')') {
            return None;
        }
        let close = open + rest[open..].find(']')?;
        let name = rest[..open].chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_uppercase();
        let value = &rest[open + 1..close];
        rest = &rest[close + 1..];
        Some((name, value))
    })
}

/// Reads the first game of a text.
///
/// # Errors
/// If there is no board, the board cannot be read, or a move is not legal. Places are those of the tags.
pub fn read(text: &str) -> Result<GgfGame, FormatError> {
    let mut players = [String::new(), String::new()];
    let mut start = None;
    let mut moves = Vec::new();
    let mut end: Option<State> = None;
    for (place, (name, value)) in tags(text).enumerate() {
        match name.as_str() {
            "PB" => players[0] = value.to_owned(),
            "PW" => players[1] = value.to_owned(),
            "BO" if start.is_some() => return Err(FormatError::at(place + 1, "a second board".to_owned())),
            "BO" => {
                start = Some(read_board(value, place + 1)?);
                end = start;
            }
            "B" | "W" => {
                let state = end.ok_or_else(|| FormatError::at(place + 1, "a move before the board".to_owned()))?;
                let square = read_move(value, place + 1)?;
                let black = name == "B";
                // Some writers leave passes out: whose move it is tells.
                let state = if state.black == black || square == NO_SQUARE {
                    state
                } else {
                    pass(state, &mut moves, place + 1)?
                };
                let illegal = || FormatError::at(place + 1, format!("{} is not a legal move", quoted(value)));
                end = Some(state.after(square).ok_or_else(illegal)?);
                moves.push(square);
            }
            _ => (),
        }
    }
    match (start, end) {
        (Some(start), Some(end)) => Ok(GgfGame { players, start, moves, end }),
        _ => Err(FormatError::at(1, "there is no board (BO)".to_owned())),
    }
}

fn pass(state: State, moves: &mut Vec<u8>, place: usize) -> Result<State, FormatError> {
    let passed = state.after(NO_SQUARE);
    moves.push(NO_SQUARE);
    passed.ok_or_else(|| FormatError::at(place, "the other side is to move".to_owned()))
}

/// `8 ---…--- *`: the size, the squares row by row, the side to move.
fn read_board(value: &str, place: usize) -> Result<State, FormatError> {
    let refuse = |what: &str| FormatError::at(place, what.to_owned());
    let (size, squares) = value.trim().split_once(' ').ok_or_else(|| refuse("the board has no size"))?;
    let size =
        size.parse().ok().and_then(Shape::new).map(Shape::size).ok_or_else(|| refuse("the size is not 4, 6 or 8"))?;
    let shape = Shape::new(size).ok_or_else(|| refuse("the size is not 4, 6 or 8"))?;
    let marks: Vec<char> = squares.chars().filter(|mark| !mark.is_whitespace()).collect();
    let count = (size * size) as usize;
    if marks.len() != count + 1 {
        return Err(refuse("the board has the wrong number of squares"));
    }
    let (mut black, mut white) = (0_u64, 0_u64);
    for (index, mark) in (0..).zip(&marks[..count]) {
        let bit = 1 << (index / size * 8 + index % size);
        match mark {
            '*' | 'X' | 'x' => black |= bit,
            'O' | 'o' => white |= bit,
            '-' | '.' => (),
            _ => return Err(refuse("a square is none of * O -")),
        }
    }
    let board = crate::othello::board::Board { player: black, opponent: white };
    match marks[count] {
        '*' | 'X' | 'x' => Ok(State { board, black: true, shape }),
        'O' | 'o' => Ok(State { board: board.passed(), black: false, shape }),
        _ => Err(refuse("the side to move is neither * nor O")),
    }
}

/// A move is a square or a pass, before an optional evaluation and time: `F5/-1.2/3.4`.
fn read_move(value: &str, place: usize) -> Result<u8, FormatError> {
    let name = value.split('/').next().unwrap_or_default().trim().to_ascii_lowercase();
    if name.starts_with("pa") {
        return Ok(NO_SQUARE);
    }
    parse_square(&name).ok_or_else(|| FormatError::at(place, format!("{} is not a move", quoted(value))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::formats::transcript;

    const START: &str = "BO[8 ---------------------------O*------*O--------------------------- *]";

    #[test]
    fn a_game_of_the_server_is_read() {
        let text =
            format!("(;GM[Othello]PC[GGS/os]PB[one]PW[two]RE[?]TI[5:00]TY[8r]{START}B[F5//2.1]W[d6/1.00]B[c3];)");
        let game = read(&text).unwrap();
        assert_eq!(game.players, ["one", "two"]);
        assert_eq!(transcript::write(&game.moves), "f5d6c3");
        assert_eq!(game.end, transcript::read("f5d6c3", Shape::STANDARD).unwrap().1);
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert!(read("(;GM[Othello];)").unwrap_err().message.contains("no board"));
        assert!(read(&format!("(;{START}B[A1];)")).unwrap_err().message.contains("legal"));
        assert!(read(&format!("(;{START}{START};)")).unwrap_err().message.contains("second board"));
    }

    #[test]
    fn of_several_games_the_first_is_read() {
        let game = read(&format!("2 (;{START}B[F5];)(;{START}B[D3]W[C3];)")).unwrap();
        assert_eq!(transcript::write(&game.moves), "f5");
        assert_eq!(game.end, transcript::read("f5", Shape::STANDARD).unwrap().1);
    }

    #[test]
    fn an_error_about_a_move_of_two_lines_is_one_line() {
        for mv in ["A1\n=== F5", "zz\u{1b}[2J"] {
            let message = read(&format!("(;{START}B[{mv}];)")).unwrap_err().message;
            assert!(!message.contains(char::is_control), "{message:?}");
        }
    }
}
