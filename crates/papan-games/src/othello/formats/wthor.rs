//! The WTHOR archive of tournament games.
//!
//! A file is a header of 16 bytes and records of 68: tournament, black, white (two bytes each, little endian),
//! black's discs, black's best score from some point on, and 60 moves as 10 · row + column counted from 1, with 0
//! for "no more moves". Passes are left out.

use std::fmt;

use papan_core::{MoveSet as _, Position as _};

use crate::othello::{OthelloMove, OthelloPosition, Rules};

const HEADER: usize = 16;
const RECORD: usize = 68;

/// One game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WthorGame {
    /// Numbers of tournament, black and white in the archive's other files.
    pub names: [u16; 3],
    /// Black's discs at the end.
    pub black_discs: u8,
    /// The squares that were played, passes left out.
    pub moves: Vec<OthelloMove>,
}

/// Why a file was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WthorError {
    /// The file is shorter than its header says.
    Short {
        /// Games that the header promises.
        promised: usize,
        /// Games for which there is room.
        present: usize,
    },
    /// A byte that is not a square.
    NotASquare {
        /// Which game, from 0.
        game: usize,
        /// The byte.
        byte: u8,
    },
}

impl fmt::Display for WthorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short { promised, present } => {
                write!(f, "the header promises {promised} games, the file has room for {present}")
            }
            Self::NotASquare { game, byte } => write!(f, "game {game}: {byte} is not a square"),
        }
    }
}

impl std::error::Error for WthorError {}

/// Reads the games of a `.wtb` file.
///
/// # Errors
/// If the file is cut short or a move is not a square. Whether moves are legal is not looked at.
pub fn read(bytes: &[u8]) -> Result<Vec<WthorGame>, WthorError> {
    let present = bytes.len().saturating_sub(HEADER) / RECORD;
    let promised =
        bytes.get(4..8).map_or(0, |count| u32::from_le_bytes([count[0], count[1], count[2], count[3]]) as usize);
    if promised > present || bytes.len() < HEADER {
        return Err(WthorError::Short { promised, present });
    }
    bytes[HEADER..]
        .chunks_exact(RECORD)
        .take(promised)
        .enumerate()
        .map(|(game, record)| read_game(game, record))
        .collect()
}

fn read_game(game: usize, record: &[u8]) -> Result<WthorGame, WthorError> {
    let name = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
    let moves = record[8..]
        .iter()
        .take_while(|&&byte| byte != 0)
        .map(|&byte| {
            let (row, column) = (byte / 10, byte % 10);
            let on_board = (1..=8).contains(&row) && (1..=8).contains(&column);
            let square = || OthelloMove::square(usize::from((row - 1) * 8 + column - 1));
            on_board.then(square).ok_or(WthorError::NotASquare { game, byte })
        })
        .collect::<Result<_, _>>()?;
    Ok(WthorGame { names: [name(0), name(2), name(4)], black_discs: record[6], moves })
}

/// The positions of a game from the start, each with the player to move who moved there; stops at the first move that
/// is not legal.
#[must_use]
pub fn positions(moves: &[OthelloMove]) -> Vec<OthelloPosition> {
    let mut position = OthelloPosition::start(Rules::STANDARD);
    let mut list = Vec::with_capacity(moves.len() + 1);
    for &mv in moves {
        if position.legal_moves().contains(OthelloMove::PASS) {
            position = position.after(OthelloMove::PASS);
        }
        let Some(next) = position.play(mv) else { break };
        list.push(position);
        position = next;
    }
    list.push(position);
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_read_and_replayed() {
        let mut bytes = vec![0; HEADER + RECORD];
        bytes[4] = 1;
        bytes[HEADER + 6] = 40;
        bytes[HEADER + 8..HEADER + 11].copy_from_slice(&[56, 64, 33]);
        let games = read(&bytes).unwrap();
        assert_eq!(games[0].moves, [37, 43, 18].map(OthelloMove::square));
        assert_eq!(games[0].black_discs, 40);
        assert_eq!(positions(&games[0].moves).len(), 4);
    }

    #[test]
    fn a_short_file_and_a_wrong_square_are_refused() {
        let mut bytes = vec![0; HEADER + RECORD];
        bytes[4] = 2;
        assert_eq!(read(&bytes), Err(WthorError::Short { promised: 2, present: 1 }));
        bytes[4] = 1;
        bytes[HEADER + 8] = 99;
        assert_eq!(read(&bytes), Err(WthorError::NotASquare { game: 0, byte: 99 }));
    }
}
