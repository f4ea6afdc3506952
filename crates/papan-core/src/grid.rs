//! Boards whose cells are empty or somebody's, as text: `X.O/.X./..O X` for a
//! position, `a1` (top left) for a cell.

use crate::error::{Subject, quoted};
use crate::scene::{cell_name, read_cell_name};
use crate::{ParseError, Player};

const SYMBOLS: [char; 2] = ['X', 'O'];

/// What the text of a position says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// Who has each cell, row by row from the top.
    pub cells: Vec<Option<Player>>,
    /// How many cells a row has.
    pub columns: usize,
    /// Whose turn it is.
    pub to_move: Player,
}

impl Board {
    /// Row and column of each cell that is `player`'s.
    pub fn cells_of(&self, player: Player) -> impl Iterator<Item = (usize, usize)> {
        let own = move |(number, &owner): (usize, &Option<Player>)| {
            (owner == Some(player)).then_some((number / self.columns, number % self.columns))
        };
        self.cells.iter().enumerate().filter_map(own)
    }
}

fn wrong(message: String) -> ParseError {
    ParseError::new(Subject::Position, message)
}

/// Reads rows with or without slashes, then the side to move.
///
/// ```
/// use papan_core::{Player, grid};
///
/// let board = grid::read("X.O/.X. O", 2, 3)?;
/// assert_eq!(board.to_move, Player::Second);
/// assert!(board.cells_of(Player::First).eq([(0, 0), (1, 1)]));
/// # Ok::<(), papan_core::ParseError>(())
/// ```
pub fn read(text: &str, rows: usize, columns: usize) -> Result<Board, ParseError> {
    let mut fields = text.split_whitespace();
    let cells =
        fields.next().ok_or_else(|| wrong("nothing is given, expected rows such as X.O/.X./... and a side".into()))?;
    let side =
        fields.next().ok_or_else(|| wrong("the side to move is missing, expected X or O after the board".into()))?;
    if let Some(more) = fields.next() {
        return Err(wrong(format!("there is {} after the side to move, expected nothing", quoted(more))));
    }
    check_size(cells, rows, columns)?;
    let symbols = cells.chars().filter(|&symbol| symbol != '/').enumerate();
    let cells = symbols.map(|(number, symbol)| {
        read_symbol(symbol).ok_or_else(|| {
            let found = quoted(symbol.encode_utf8(&mut [0; 4]));
            wrong(format!("cell {} is {found}, expected . X O", cell_name(number / columns, number % columns)))
        })
    });
    Ok(Board { cells: cells.collect::<Result<_, _>>()?, columns, to_move: read_side(side)? })
}

fn check_size(text: &str, rows: usize, columns: usize) -> Result<(), ParseError> {
    if !text.contains('/') {
        let (length, cells) = (text.chars().count(), rows * columns);
        let message = || format!("the board has {length} cells, expected {cells} ({rows} rows of {columns})");
        return if length == cells { Ok(()) } else { Err(wrong(message())) };
    }
    let found = text.split('/').count();
    if found != rows {
        return Err(wrong(format!("the board has {found} rows, expected {rows}")));
    }
    for (row, cells) in text.split('/').enumerate() {
        let length = cells.chars().count();
        if length != columns {
            return Err(wrong(format!("row {} has {length} cells, expected {columns}", row + 1)));
        }
    }
    Ok(())
}

fn read_side(text: &str) -> Result<Player, ParseError> {
    match text {
        "X" | "x" => Ok(Player::First),
        "O" | "o" => Ok(Player::Second),
        _ => Err(wrong(format!("the side to move is {}, expected X or O", quoted(text)))),
    }
}

/// Whose mark a symbol is, `None` if it is no symbol at all.
fn read_symbol(symbol: char) -> Option<Option<Player>> {
    match symbol {
        '.' | '-' | '_' => Some(None),
        'X' | 'x' => Some(Some(Player::First)),
        'O' | 'o' => Some(Some(Player::Second)),
        _ => None,
    }
}

/// Writes what [`read`] reads; `owner_at` is given row and column.
pub fn write(
    rows: usize,
    columns: usize,
    owner_at: impl Fn(usize, usize) -> Option<Player>,
    to_move: Player,
) -> String {
    let symbol = |player: Player| SYMBOLS[player.index()];
    let row = |row| (0..columns).map(|column| owner_at(row, column).map_or('.', symbol)).collect();
    let rows: Vec<String> = (0..rows).map(row).collect();
    format!("{} {}", rows.join("/"), symbol(to_move))
}

/// Row and column of the cell that is called `text`.
pub fn read_cell(text: &str, rows: usize, columns: usize) -> Result<(usize, usize), ParseError> {
    read_cell_name(text.trim(), rows, columns).ok_or_else(|| {
        let last = cell_name(rows - 1, columns - 1);
        ParseError::new(Subject::Move, format!("{} is no cell, expected a1 to {last}", quoted(text.trim())))
    })
}
