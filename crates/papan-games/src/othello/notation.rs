//! Positions and moves as text: OBF boards, and transcripts of moves.

use papan_core::error::{ParseError, Subject, quoted};
use papan_core::scene::cell_name;
use papan_core::{MoveSet as _, Player, Position};

use super::moves::{OthelloMove, PASSES};
use super::position::{OthelloPosition, Rules};

/// How the text of one game is read: its rules, who plays which colour, and
/// where transcripts start.
pub(super) struct Notation {
    pub(super) rules: Rules,
    /// The letters of First and Second: X is black, O is white.
    pub(super) symbols: [char; 2],
    pub(super) start: OthelloPosition,
}

/// The position itself, without the `;` that ends it in OBF and what follows.
fn before_semicolon(text: &str) -> &str {
    text.split(';').next().unwrap_or_default()
}

/// A transcript has row numbers; a board has no digit.
fn is_transcript(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

fn board_characters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|&c| !c.is_whitespace() && c != '/')
}

/// The size of the board that a text shows, if it shows one with a side to
/// move.
pub(super) fn size_of_board(text: &str) -> Option<&'static str> {
    let text = before_semicolon(text);
    match board_characters(text).count() {
        _ if is_transcript(text) => None,
        17 => Some("4"),
        37 => Some("6"),
        65 => Some("8"),
        _ => None,
    }
}

fn bad_position(message: String) -> ParseError {
    ParseError::new(Subject::Position, message)
}

impl Notation {
    fn size(&self) -> usize {
        usize::from(self.rules.size)
    }

    /// Reads a board with its side to move, or a transcript from the start.
    pub(super) fn read_position(&self, text: &str) -> Result<OthelloPosition, ParseError> {
        let text = before_semicolon(text);
        if is_transcript(text) { self.read_transcript(text) } else { self.read_board(text) }
    }

    pub(super) fn read_board(&self, text: &str) -> Result<OthelloPosition, ParseError> {
        let squares = self.size() * self.size();
        let mut discs = [0u64; 2];
        for (n, c) in board_characters(text).take(squares).enumerate() {
            match (c, self.owner_of(c)) {
                ('-' | '.' | '_', _) => {}
                (_, Some(owner)) => discs[owner.index()] |= 1 << (n / self.size() * 8 + n % self.size()),
                _ => {
                    let c = quoted(&c.to_string());
                    return Err(bad_position(format!("cell {} is {c}, expected X O -", n + 1)));
                }
            }
        }
        let count = board_characters(text).count();
        if count < squares {
            return Err(bad_position(format!("the board has {count} cells, expected {squares}")));
        }
        let side: String = board_characters(text).skip(squares).collect();
        let mut letters = side.chars();
        match (letters.next().and_then(|c| self.owner_of(c)), letters.next()) {
            (Some(to_move), None) => Ok(OthelloPosition::new(discs, to_move, self.rules)),
            _ => Err(bad_position(format!("after {squares} cells stands {}, expected the side X or O", quoted(&side)))),
        }
    }

    /// The player of a disc's letter: X, B and * are black, O and W white.
    fn owner_of(&self, c: char) -> Option<Player> {
        let symbol = match c.to_ascii_uppercase() {
            'X' | 'B' | '*' => 'X',
            'O' | 'W' => 'O',
            _ => return None,
        };
        Player::BOTH.into_iter().find(|player| self.symbols[player.index()] == symbol)
    }

    /// Plays the moves of a transcript; passes may be written or left out.
    fn read_transcript(&self, text: &str) -> Result<OthelloPosition, ParseError> {
        let mut position = self.start;
        let mut rest = text.trim_start();
        let mut number = 0;
        while !rest.is_empty() {
            number += 1;
            let (word, after) = split_move(rest);
            let at = |message: String| bad_position(format!("move {number} of the transcript {message}"));
            let mv = self.read_move(word).map_err(|error| at(format!("cannot be read: {}", error.message())))?;
            if mv != OthelloMove::PASS && position.legal_moves().contains(OthelloMove::PASS) {
                position = position.after(OthelloMove::PASS);
            }
            position = position.play(mv).ok_or_else(|| at(format!("is {}, which is not legal there", quoted(word))))?;
            rest = after.trim_start();
        }
        Ok(position)
    }

    /// The canonical text: the cells, a space, the side to move.
    pub(super) fn write_position(&self, position: &OthelloPosition) -> String {
        let [first, second] = position.discs();
        let size = self.size();
        let mut text = String::with_capacity(size * size + 2);
        for square in (0..size * size).map(|n| n / size * 8 + n % size) {
            text.push(match (first >> square & 1, second >> square & 1) {
                (1, _) => self.symbols[0],
                (_, 1) => self.symbols[1],
                _ => '-',
            });
        }
        text.push(' ');
        text.push(self.symbols[position.to_move().index()]);
        text
    }

    /// Reads `f5`, `F5`, or a pass in any of its spellings.
    pub(super) fn read_move(&self, text: &str) -> Result<OthelloMove, ParseError> {
        let word = text.trim();
        OthelloMove::read(word, self.rules.size).ok_or_else(|| {
            let last = cell_name(self.size() - 1, self.size() - 1);
            ParseError::new(Subject::Move, format!("{} is not a square, expected a1 to {last} or pass", quoted(word)))
        })
    }
}

/// Splits the first move off a transcript: a pass, or two characters.
fn split_move(text: &str) -> (&str, &str) {
    let pass = PASSES.iter().find(|pass| text.get(..pass.len()).is_some_and(|start| start.eq_ignore_ascii_case(pass)));
    let end = match pass {
        Some(pass) => pass.len(),
        None => text.char_indices().nth(2).map_or(text.len(), |(end, _)| end),
    };
    text.split_at(end)
}
