//! Scenes: a position as labelled shapes on a unit grid. Pages, pictures,
//! reports and terminals draw scenes; none of them knows a game.

use serde::Serialize;

use crate::{Player, Text};

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
