//! GGF, the game format of the Generic Game Server: `(;GM[Othello]PC[…]PB[…]PW[…]…BO[8 …64… *]B[F5//1.2]W[D6]…;)`.

use std::fmt;

use papan_core::error::quoted;
use papan_core::{Player, Position as _};

use super::notation;
use crate::othello::{OthelloMove, OthelloPosition, Rules};

/// A game read from GGF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GgfGame {
    /// Names of black and white.
    pub players: [String; 2],
    /// Where the game starts.
    pub start: OthelloPosition,
    /// The moves, with every pass.
    pub moves: Vec<OthelloMove>,
    /// The position after the moves.
    pub end: OthelloPosition,
}

/// Why a record was refused; `tag` is the place among its tags, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GgfError {
    /// There is neither a board nor a move.
    NoGame,
    /// A board after the game has begun.
    LateBoard {
        /// Where.
        tag: usize,
    },
    /// A board that is none of 4×4, 6×6 or 8×8 squares and a side to move.
    Board {
        /// Where.
        tag: usize,
    },
    /// A move that is neither a square nor a pass.
    NotAMove {
        /// Where.
        tag: usize,
        /// What stands there.
        text: String,
    },
    /// A move that is not legal.
    Illegal {
        /// Where.
        tag: usize,
        /// What stands there.
        text: String,
    },
}

impl fmt::Display for GgfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoGame => write!(f, "there is no board (BO) and no move"),
            Self::LateBoard { tag } => write!(f, "tag {tag}: a second board"),
            Self::Board { tag } => write!(f, "tag {tag}: expected a size (4, 6, 8), squares of * O - and a side"),
            Self::NotAMove { tag, text } => write!(f, "tag {tag}: {} is not a move", quoted(text)),
            Self::Illegal { tag, text } => write!(f, "tag {tag}: {} is not a legal move", quoted(text)),
        }
    }
}

impl std::error::Error for GgfError {}

/// The record in a text that holds one: servers' archives put the number of games before it.
#[must_use]
pub fn find(text: &str) -> Option<&str> {
    let text = text.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    text.starts_with("(;").then_some(text)
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

/// Reads the first game of a text. A game without a board begins at the usual start.
///
/// # Errors
/// If there is no game, its board cannot be read, or a move is not legal.
pub fn read(text: &str) -> Result<GgfGame, GgfError> {
    let mut players = [String::new(), String::new()];
    let mut game: Option<GgfGame> = None;
    for (tag, (name, value)) in (1..).zip(tags(text)) {
        match name.as_str() {
            "PB" => players[0] = value.to_owned(),
            "PW" => players[1] = value.to_owned(),
            "BO" if game.is_some() => return Err(GgfError::LateBoard { tag }),
            "BO" => game = Some(game_from(read_board(value).ok_or(GgfError::Board { tag })?)),
            "B" | "W" => {
                let game = game.get_or_insert_with(|| game_from(OthelloPosition::start(Rules::STANDARD)));
                let mover = if name == "B" { Player::First } else { Player::Second };
                let mv = read_move(value).ok_or_else(|| GgfError::NotAMove { tag, text: value.to_owned() })?;
                // Some writers leave passes out: whose move it is tells.
                let passed = game.end.to_move() != mover && mv != OthelloMove::PASS;
                for mv in passed.then_some(OthelloMove::PASS).into_iter().chain([mv]) {
                    let next = game.end.play(mv);
                    game.end = next.ok_or_else(|| GgfError::Illegal { tag, text: value.to_owned() })?;
                    game.moves.push(mv);
                }
            }
            _ => (),
        }
    }
    game.map(|game| GgfGame { players, ..game }).ok_or(GgfError::NoGame)
}

fn game_from(start: OthelloPosition) -> GgfGame {
    GgfGame { players: Default::default(), start, moves: Vec::new(), end: start }
}

/// `8 ---…--- *`: the size, the squares row by row, the side to move.
fn read_board(value: &str) -> Option<OthelloPosition> {
    let (size, squares) = value.trim().split_once(' ')?;
    let size = size.parse().ok().filter(|size| [4, 6, 8].contains(size))?;
    let rules = Rules { size, ..Rules::STANDARD };
    notation(rules).read_board(squares).ok()
}

/// A move is a square or a pass, before an optional evaluation and time: `F5/-1.2/3.4`.
fn read_move(value: &str) -> Option<OthelloMove> {
    OthelloMove::read(value.split('/').next().unwrap_or_default().trim(), 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "BO[8 ---------------------------O*------*O--------------------------- *]";

    fn squares(game: &GgfGame) -> Vec<Option<usize>> {
        game.moves.iter().map(|mv| mv.as_square()).collect()
    }

    #[test]
    fn a_game_of_the_server_is_read() {
        let text =
            format!("(;GM[Othello]PC[GGS/os]PB[one]PW[two]RE[?]TI[5:00]TY[8r]{START}B[F5//2.1]W[d6/1.00]B[c3];)");
        let game = read(&text).unwrap();
        assert_eq!(game.players, ["one", "two"]);
        assert_eq!(game.start, OthelloPosition::start(Rules::STANDARD));
        assert_eq!(squares(&game), [37, 43, 18].map(Some));
        assert_eq!((game.end.to_move(), game.end.points()), (Player::Second, [5, 2]));
        assert_eq!(
            read("(;GM[Othello]B[F5]W[D6]B[C3];)").unwrap().end,
            game.end,
            "the usual start goes without saying"
        );
    }

    /// White has no move after black's first, and the record says only that black moves again.
    #[test]
    fn passes_that_are_left_out_are_put_in() {
        let game = read("(;BO[4 *O-- ---- ---- *O-- *]B[c1]B[c4];)").unwrap();
        assert_eq!(squares(&game), [Some(2), None, Some(26)]);
        assert_eq!(read("(;BO[4 *O-- ---- ---- *O-- *]B[c1]W[PA]B[c4];)"), Ok(game));
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(read("(;GM[Othello];)"), Err(GgfError::NoGame));
        assert_eq!(read("(;BO[6 x];)"), Err(GgfError::Board { tag: 1 }));
        assert_eq!(read("(;BO[99999999999999999999 x];)"), Err(GgfError::Board { tag: 1 }));
        assert_eq!(read(&format!("(;{START}B[A1];)")), Err(GgfError::Illegal { tag: 2, text: "A1".to_owned() }));
        assert_eq!(read(&format!("(;{START}{START};)")), Err(GgfError::LateBoard { tag: 2 }));
    }

    #[test]
    fn of_several_games_the_first_is_read() {
        let text = format!("2 (;{START}B[F5];)(;{START}B[D3]W[C3];)");
        assert_eq!(squares(&read(&text).unwrap()), [Some(37)]);
    }

    #[test]
    fn archives_put_a_count_before_the_record() {
        for text in ["(;GM[Othello];)", "1 (;GM[Othello];)", "2(;GM[Othello];)"] {
            assert_eq!(find(text), Some("(;GM[Othello];)"));
        }
        for text in ["f5d6", "1. f5", "", "12"] {
            assert_eq!(find(text), None, "{text}");
        }
    }

    #[test]
    fn an_error_about_a_move_of_two_lines_is_one_line() {
        for mv in ["A1\n=== F5", "zz\u{1b}[2J"] {
            let message = read(&format!("(;{START}B[{mv}];)")).unwrap_err().to_string();
            assert!(!message.contains(char::is_control), "{message:?}");
        }
    }
}
