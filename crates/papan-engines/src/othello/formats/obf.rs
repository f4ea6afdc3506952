//! OBF: 64 characters of `X` (black), `O` (white) and `-`, the side to move, and perhaps `;` and more.

use super::FormatError;
use crate::othello::board::Board;

/// Reads a position; the second value is whether black is to move.
///
/// # Errors
/// If a square is none of the characters or the side to move is missing.
pub fn read(text: &str) -> Result<(Board, bool), FormatError> {
    let before = text.split(';').next().unwrap_or_default();
    let mut letters = before.chars().filter(|letter| !letter.is_whitespace());
    let (mut black, mut white) = (0_u64, 0_u64);
    for square in 0..64 {
        match letters.next() {
            Some('X' | 'x' | '*' | 'B' | 'b') => black |= 1 << square,
            Some('O' | 'o' | 'W' | 'w') => white |= 1 << square,
            Some('-' | '.' | '_') => (),
            Some(letter) => {
                return Err(FormatError::at(square + 1, format!("{letter:?} is no square, expected X O -")));
            }
            None => return Err(FormatError::at(square + 1, "the board has fewer than 64 squares".to_owned())),
        }
    }
    match letters.next() {
        Some('X' | 'x' | '*' | 'B' | 'b') => Ok((Board { player: black, opponent: white }, true)),
        Some('O' | 'o' | 'W' | 'w') => Ok((Board { player: white, opponent: black }, false)),
        _ => Err(FormatError::at(65, "the side to move is missing, expected X or O".to_owned())),
    }
}

/// Writes a position.
#[must_use]
pub fn write(board: Board, black_to_move: bool) -> String {
    let (own, other) = if black_to_move { ('X', 'O') } else { ('O', 'X') };
    let squares: String = board
        .to_string()
        .chars()
        .map(|mark| match mark {
            '*' => own,
            'o' => other,
            empty => empty,
        })
        .collect();
    format!("{squares} {own};")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Shape;
    use crate::othello::testing::random_boards;

    #[test]
    fn positions_round_trip() {
        for (place, board) in random_boards(200, 31, Shape::STANDARD).into_iter().enumerate() {
            let black = place % 2 == 0;
            assert_eq!(read(&write(board, black)), Ok((board, black)));
        }
    }

    #[test]
    fn errors_say_where() {
        assert_eq!(read("X").unwrap_err().place, 2);
        assert_eq!(read(&"-".repeat(64)).unwrap_err().place, 65);
        assert_eq!(read("XQ").unwrap_err().place, 2);
    }
}
