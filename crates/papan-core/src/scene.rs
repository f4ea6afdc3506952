//! Scenes: a position as labelled shapes on a unit grid. Pages, pictures,
//! reports and terminals draw scenes; none of them knows a game.

use serde::Serialize;

use crate::{Game, Player, Position as _, Text};

/// What a shape is. Renderers decide how each kind looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ShapeKind {
    /// A square of the board.
    Cell,
    /// A drawn mark, such as X or O, in a cell.
    Mark,
    /// A disc on a cell.
    Disc,
    /// A line between two dots: horizontal if its height is 0, else vertical.
    Line,
    /// The area enclosed by four lines.
    Box,
    /// A dot at a grid point.
    Dot,
}

/// How a player's things are drawn: by shape first, colour second.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Look {
    /// Strokes: marks as X, lines solid, boxes hatched one way.
    Cross,
    /// Rings: marks as O, lines doubled, boxes hatched the other way.
    Ring,
    /// Dark discs.
    Dark,
    /// Light discs with a rim.
    Light,
}

/// A player as the board shows them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerLook {
    /// What the player is called in this game: "Black", "X", "First".
    pub name: Text,
    /// One character for text boards and notations.
    pub symbol: char,
    /// How the player's shapes are drawn.
    pub look: Look,
}

/// The parts of what is said of a shape: where it is and what is there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Label {
    /// The place: "d3", "line c1-d1".
    pub place: Text,
    /// What is there: "empty", "black disc".
    pub state: Text,
}

/// One thing on the board.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Shape {
    /// Stable over the whole game: an id that changes owner turns over.
    pub id: String,
    /// What it is.
    pub kind: ShapeKind,
    /// Left edge in grid units.
    pub x: f32,
    /// Top edge in grid units.
    pub y: f32,
    /// Width; 0 for dots and vertical lines.
    pub w: f32,
    /// Height; 0 for dots and horizontal lines.
    pub h: f32,
    /// Whose it is; for a line, whoever drew it if the position knows.
    pub owner: Option<Player>,
    /// Is it there (a drawn line, a completed box) or only its place?
    pub present: bool,
    /// The move that this shape stands for, in the game's notation.
    pub mv: Option<String>,
    /// What people call that move, where the notation is not made for them:
    /// "a1-b1" for the line `h0,0`. The game reads it as a move, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_name: Option<String>,
    /// May that move be made now?
    pub playable: bool,
    /// What is said of it.
    pub label: Label,
}

impl Shape {
    /// Is it part of the empty board, or only the place of something?
    #[must_use]
    pub fn is_ground(&self) -> bool {
        matches!(self.kind, ShapeKind::Cell | ShapeKind::Dot) || !self.present
    }
}

/// A whole board.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Scene {
    /// Width in grid units.
    pub width: f32,
    /// Height in grid units.
    pub height: f32,
    /// The first and the second player.
    pub players: [PlayerLook; 2],
    /// Whose turn it is, `None` once the game is over.
    pub to_move: Option<Player>,
    /// What stands above each unit column or, with one label more than there
    /// are columns, above each grid line.
    pub column_labels: Vec<String>,
    /// The same for rows, on the left.
    pub row_labels: Vec<String>,
    /// Moves that no shape stands for, such as a pass: notation and words.
    pub other_moves: Vec<(String, Text)>,
    /// The shapes, in drawing order.
    pub shapes: Vec<Shape>,
}

impl Scene {
    /// What people call a move: its own text unless a shape knows better.
    #[must_use]
    pub fn move_name<'a>(&'a self, mv: &'a str) -> &'a str {
        let shape = self.shapes.iter().find(|shape| shape.mv.as_deref() == Some(mv));
        shape.and_then(|shape| shape.move_name.as_deref()).unwrap_or(mv)
    }

    /// Where label 0 stands, in grid units: in the middle of the first column
    /// and row, or on the first grid line.
    #[must_use]
    pub fn first_label(&self) -> f32 {
        if self.column_labels.len() as f32 > self.width { 0.0 } else { 0.5 }
    }
}

/// The scene of a game that draws none of its own, from its notation: the first
/// word of a position's text is taken as rows of cells with slashes between
/// them, the players' symbols as their marks or discs. A cell stands for the
/// move that is called like it, or else for the move that fills it and no
/// other; moves without a cell are other moves.
pub fn from_notation<G: Game>(game: &G, position: &G::Position) -> Scene {
    let players = game.players();
    let board = TextBoard::of(game, position);
    let is_move = |name: &String| game.read_move(name).is_ok_and(|mv| game.write_move(mv) == *name);
    let (mut shapes, mut pieces) = (Vec::new(), Vec::new());
    for ((row, column), symbol) in board.cells() {
        let name = cell_name(row, column);
        let cell = ground(row, column, symbol, &players);
        pieces.extend(owner_of(symbol, &players).map(|owner| piece(&cell, owner, &players)));
        shapes.push(Shape { mv: Some(name).filter(is_move), ..cell });
    }
    let mut other_moves = Vec::new();
    for mv in position.legal_moves() {
        let name = game.write_move(mv);
        let by_name = shapes.iter().position(|shape| shape.mv.as_ref() == Some(&name));
        let filled = || board.filled_in(&TextBoard::of(game, &position.after(mv)), &players);
        match by_name.or_else(|| filled().filter(|&cell| shapes[cell].mv.is_none())) {
            Some(cell) => (shapes[cell].mv, shapes[cell].playable) = (Some(name), true),
            None => other_moves.push((name.clone(), Text::same(&name))),
        }
    }
    shapes.append(&mut pieces);
    Scene {
        width: board.columns as f32,
        height: board.rows.len() as f32,
        players,
        to_move: (!position.is_over()).then(|| position.to_move()),
        column_labels: (0..board.columns).map(|column| column_letter(column).to_string()).collect(),
        row_labels: (1..=board.rows.len()).map(|row| row.to_string()).collect(),
        other_moves,
        shapes,
    }
}

/// The rows of cells in the text of a position.
struct TextBoard {
    rows: Vec<Vec<char>>,
    columns: usize,
}

impl TextBoard {
    /// Columns have the letters a to z; longer rows go on in the next.
    const WIDEST: usize = 26;

    fn of<G: Game>(game: &G, position: &G::Position) -> Self {
        let text = game.write_position(position);
        let mut rows: Vec<Vec<char>> = Vec::new();
        for row in text.split_whitespace().next().unwrap_or_default().split('/') {
            let symbols: Vec<char> = row.chars().collect();
            rows.extend(symbols.chunks(Self::WIDEST).map(<[_]>::to_vec));
        }
        if rows.is_empty() {
            rows.push(vec!['.']);
        }
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        Self { rows, columns }
    }

    /// Row, column and symbol of each cell.
    fn cells(&self) -> impl Iterator<Item = ((usize, usize), char)> {
        let row = |(row, symbols): (usize, &Vec<char>)| {
            symbols.iter().enumerate().map(|(column, &symbol)| ((row, column), symbol)).collect::<Vec<_>>()
        };
        self.rows.iter().enumerate().flat_map(row)
    }

    /// The number of the one cell that is nobody's here and somebody's in `next`.
    fn filled_in(&self, next: &Self, players: &[PlayerLook; 2]) -> Option<usize> {
        let mut filled =
            self.cells().zip(next.cells()).enumerate().filter_map(|(number, ((here, now), (there, then)))| {
                let fills = here == there && owner_of(now, players).is_none() && owner_of(then, players).is_some();
                fills.then_some(number)
            });
        filled.next().filter(|_| filled.next().is_none())
    }
}

fn owner_of(symbol: char, players: &[PlayerLook; 2]) -> Option<Player> {
    Player::BOTH.into_iter().find(|player| players[player.index()].symbol == symbol)
}

/// The cell itself belongs to nobody; its label says what is on it.
fn ground(row: usize, column: usize, symbol: char, players: &[PlayerLook; 2]) -> Shape {
    let name = cell_name(row, column);
    let state = match owner_of(symbol, players) {
        Some(player) => players[player.index()].name.clone(),
        None if ".-_".contains(symbol) => Text::new("empty", "kosong"),
        None => Text::same(&symbol.to_string()),
    };
    Shape {
        id: format!("cell-{name}"),
        kind: ShapeKind::Cell,
        x: column as f32,
        y: row as f32,
        w: 1.0,
        h: 1.0,
        owner: None,
        present: true,
        mv: None,
        move_name: None,
        playable: false,
        label: Label { place: Text::same(&name), state },
    }
}

/// What stands on a cell that is `owner`'s.
fn piece(cell: &Shape, owner: Player, players: &[PlayerLook; 2]) -> Shape {
    let (kind, word) = match players[owner.index()].look {
        Look::Cross | Look::Ring => (ShapeKind::Mark, "mark"),
        Look::Dark | Look::Light => (ShapeKind::Disc, "disc"),
    };
    Shape { id: cell.id.replacen("cell", word, 1), kind, owner: Some(owner), ..cell.clone() }
}

/// `a`, `b`, … for columns 0, 1, …; the games have fewer than 26.
#[must_use]
pub fn column_letter(column: usize) -> char {
    char::from(b'a' + column as u8)
}

/// `d3` for row 2, column 3.
#[must_use]
pub fn cell_name(row: usize, column: usize) -> String {
    format!("{}{}", column_letter(column), row + 1)
}

/// Row and column of `d3` or `D3` on a board of that size; `None` for
/// anything else.
#[must_use]
pub fn read_cell_name(text: &str, rows: usize, columns: usize) -> Option<(usize, usize)> {
    let mut letters = text.chars();
    let letter = letters.next()?.to_ascii_lowercase();
    let digits = letters.as_str();
    if !letter.is_ascii_lowercase() || digits.starts_with(['0', '+']) {
        return None;
    }
    let column = letter as usize - 'a' as usize;
    let row = digits.parse::<usize>().ok()?.checked_sub(1)?;
    (row < rows && column < columns).then_some((row, column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cell_names_round_trip_and_nothing_else_is_read() {
        for row in 0..15 {
            for column in 0..15 {
                let name = cell_name(row, column);
                assert_eq!(read_cell_name(&name, 15, 15), Some((row, column)));
                assert_eq!(read_cell_name(&name.to_uppercase(), 15, 15), Some((row, column)));
            }
        }
        for bad in ["", "a", "1", "a0", "a01", "a+1", "i1", "a9", "é1", "a1 ", "{1", "a99999999999999999999"] {
            assert_eq!(read_cell_name(bad, 8, 8), None, "{bad}");
        }
    }
}
