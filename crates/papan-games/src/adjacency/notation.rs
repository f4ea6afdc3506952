//! Positions and moves as text.

use papan_core::error::{ParseError, Subject, quoted};
use papan_core::scene::{cell_name, read_cell_name};
use papan_core::{Place, Player, Position as _};

use super::position::{AdjacencyPosition, Neighbourhood, SIDE};

/// Rounds that an empty board has room for; a text may not claim more.
const MOST_ROUNDS: u32 = 32;

/// Reads 64 cells, the side to move and the rounds left:
/// `......OO……………… X 8`. Slashes and spaces between cells are allowed.
pub(super) fn read_position(
    text: &str,
    symbols: [char; 2],
    neighbourhood: Neighbourhood,
) -> Result<AdjacencyPosition, ParseError> {
    let fields: Vec<_> = text.split_whitespace().collect();
    let [rows @ .., side, rounds] = fields.as_slice() else {
        return Err(bad_position("expected 64 cells, the side to move and the rounds left".to_owned()));
    };
    let marks = read_cells(rows, symbols)?;
    let to_move = read_side(side, symbols)?;
    let rounds = rounds
        .parse::<u32>()
        .ok()
        .filter(|&rounds| rounds <= MOST_ROUNDS)
        .ok_or_else(|| bad_position(format!("rounds left are {}, expected 0 to {MOST_ROUNDS}", quoted(rounds))))?;
    Ok(AdjacencyPosition::new(marks, to_move, rounds, neighbourhood))
}

/// The marks of the two players, in the order of `symbols`.
fn read_cells(rows: &[&str], symbols: [char; 2]) -> Result<[u64; 2], ParseError> {
    let mut marks = [0u64; 2];
    let mut count = 0;
    for c in rows.iter().flat_map(|row| row.chars()).filter(|&c| c != '/') {
        let owner = match c {
            '.' | '-' | '_' => None,
            _ => Some(owner_of(c, symbols).ok_or_else(|| {
                bad_position(format!("cell {} is {}, expected . X O", count + 1, quoted(&c.to_string())))
            })?),
        };
        if let Some(owner) = owner
            && count < 64
        {
            marks[owner.index()] |= 1 << count;
        }
        count += 1;
    }
    if count == 64 { Ok(marks) } else { Err(bad_position(format!("the board has {count} cells, expected 64"))) }
}

fn owner_of(c: char, symbols: [char; 2]) -> Option<Player> {
    Player::BOTH.into_iter().find(|player| symbols[player.index()] == c.to_ascii_uppercase())
}

fn read_side(text: &str, symbols: [char; 2]) -> Result<Player, ParseError> {
    let mut letters = text.chars();
    let side = letters.next().and_then(|c| owner_of(c, symbols)).filter(|_| letters.as_str().is_empty());
    side.ok_or_else(|| bad_position(format!("side to move is {}, expected X or O", quoted(text))))
}

fn bad_position(message: String) -> ParseError {
    ParseError::new(Subject::Position, message)
}

/// The canonical text: 64 cells, side, rounds left.
pub(super) fn write_position(position: &AdjacencyPosition, symbols: [char; 2]) -> String {
    let [first, second] = position.marks();
    let mut text: String = (0..64)
        .map(|cell| match (first >> cell & 1, second >> cell & 1) {
            (1, _) => symbols[0],
            (_, 1) => symbols[1],
            _ => '.',
        })
        .collect();
    text.push_str(&format!(" {} {}", symbols[position.to_move().index()], position.rounds_left()));
    text
}

/// Reads `d3` or `D3`.
pub(super) fn read_move(text: &str) -> Result<Place, ParseError> {
    let cell = read_cell_name(text.trim(), SIDE, SIDE);
    cell.map(|(row, column)| Place((row * SIDE + column) as u8))
        .ok_or_else(|| ParseError::new(Subject::Move, format!("{} is not a cell, expected a1 to h8", quoted(text))))
}

/// The cell's name.
pub(super) fn write_move(mv: Place) -> String {
    let cell = usize::from(mv.0);
    cell_name(cell / SIDE, cell % SIDE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "......OO/......OO/......../......../......../......../XX....../XX......";

    fn read(text: &str) -> Result<AdjacencyPosition, ParseError> {
        read_position(text, ['X', 'O'], Neighbourhood::Four)
    }

    #[test]
    fn every_spelling_of_a_board_is_read() {
        let canonical = format!("{} X 8", START.replace('/', ""));
        for text in [
            format!("{START} X 8"),
            format!(" {} x 8 ", START.to_lowercase()),
            format!("{} X 8", START.replace('/', " ")),
            format!("{} X 8", START.replace('.', "-")),
            format!("{} X 8", START.replace('.', "_")),
            canonical.clone(),
        ] {
            assert_eq!(write_position(&read(&text).unwrap(), ['X', 'O']), canonical);
        }
    }

    #[test]
    fn the_letters_belong_to_the_players_that_the_game_says() {
        let position = read_position(&format!("{START} O 3"), ['O', 'X'], Neighbourhood::Four).unwrap();
        assert_eq!(position.to_move(), Player::First);
        assert_eq!(position.marks()[0], super::super::position::O_START);
    }

    #[test]
    fn errors_name_the_place() {
        let line = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(line(&format!("{} X 8", START.replacen('X', "Q", 1))), "position: cell 49 is 'Q', expected . X O");
        assert_eq!(line("X.O X 8"), "position: the board has 3 cells, expected 64");
        assert_eq!(line(&format!("{START} XO 8")), "position: side to move is 'XO', expected X or O");
        assert_eq!(line(&format!("{START} X 33")), "position: rounds left are '33', expected 0 to 32");
        assert_eq!(line("X"), "position: expected 64 cells, the side to move and the rounds left");
        assert_eq!(read_move("i1").unwrap_err().to_string(), "move: 'i1' is not a cell, expected a1 to h8");
    }
}
