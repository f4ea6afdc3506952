//! Dots and Boxes as shapes: boxes, then lines, then the dots over them.
//! People count dots: columns are letters, rows numbers from 1, as on every
//! other board, and a line goes from dot to dot.

use papan_core::scene::{Label, PlayerLook, Scene, Shape, ShapeKind, cell_name, column_letter};
use papan_core::{Bits, Player, Position as _, Text};

use super::geometry::{Geometry, Line};
use super::notation::{ends, write_dots, write_line};
use super::position::DotsAndBoxesPosition;

pub(super) fn scene<B: Bits>(position: &DotsAndBoxesPosition<B>, players: [PlayerLook; 2]) -> Scene {
    let geometry = position.geometry();
    let complete = position.complete_boxes();
    let boxes = (0..geometry.box_count()).map(|number| {
        let (row, col) = (number / geometry.cols, number % geometry.cols);
        box_shape(row, col, complete.has(number), position.owner(number))
    });
    let lines = (0..geometry.line_count()).map(|line| line_shape(geometry.line(line), position.lines().has(line)));
    Scene {
        width: geometry.cols as f32,
        height: geometry.rows as f32,
        players,
        to_move: (!position.is_over()).then(|| position.to_move()),
        column_labels: (0..=geometry.cols).map(|col| column_letter(col).to_string()).collect(),
        row_labels: (1..=geometry.rows + 1).map(|row| row.to_string()).collect(),
        other_moves: Vec::new(),
        shapes: boxes.chain(lines).chain(dots(geometry)).collect(),
    }
}

/// "box, row 1, column 3".
fn box_place(row: usize, col: usize) -> Text {
    let (row, col) = (row + 1, col + 1);
    Text::owned(format!("box, row {row}, column {col}"), format!("kotak, baris {row}, kolom {col}"))
}

/// "line from a1 to b1".
fn line_place(line: Line) -> Text {
    let [from, to] = ends(line);
    Text::owned(format!("line from {from} to {to}"), format!("garis dari {from} ke {to}"))
}

fn dot_place(row: usize, col: usize) -> Text {
    let name = cell_name(row, col);
    Text::owned(format!("dot {name}"), format!("titik {name}"))
}

fn box_shape(row: usize, col: usize, present: bool, owner: Option<Player>) -> Shape {
    let state = match (present, owner) {
        (false, _) => Text::new("open", "terbuka"),
        (true, None) => Text::new("completed", "lengkap"),
        (true, Some(Player::First)) => Text::new("Player 1's", "milik Pemain 1"),
        (true, Some(Player::Second)) => Text::new("Player 2's", "milik Pemain 2"),
    };
    Shape {
        id: format!("box-{row},{col}"),
        kind: ShapeKind::Box,
        x: col as f32,
        y: row as f32,
        w: 1.0,
        h: 1.0,
        owner,
        present,
        mv: None,
        move_name: None,
        playable: false,
        label: Label { place: box_place(row, col), state },
    }
}

/// Who drew a line is not part of the game, so no line has an owner.
fn line_shape(line: Line, drawn: bool) -> Shape {
    let Line { horizontal, row, col } = line;
    let name = write_line(line);
    let state = if drawn { Text::new("drawn", "sudah ditarik") } else { Text::new("not drawn", "belum ditarik") };
    Shape {
        id: format!("line-{name}"),
        kind: ShapeKind::Line,
        x: col as f32,
        y: row as f32,
        w: if horizontal { 1.0 } else { 0.0 },
        h: if horizontal { 0.0 } else { 1.0 },
        owner: None,
        present: drawn,
        mv: Some(name),
        move_name: Some(write_dots(line)),
        playable: !drawn,
        label: Label { place: line_place(line), state },
    }
}

fn dots<B: Bits>(geometry: &Geometry<B>) -> impl Iterator<Item = Shape> {
    let width = geometry.cols + 1;
    (0..(geometry.rows + 1) * width).map(move |number| {
        let (row, col) = (number / width, number % width);
        Shape {
            id: format!("dot-{row},{col}"),
            kind: ShapeKind::Dot,
            x: col as f32,
            y: row as f32,
            w: 0.0,
            h: 0.0,
            owner: None,
            present: true,
            mv: None,
            move_name: None,
            playable: false,
            label: Label { place: dot_place(row, col), state: Text::new("dot", "titik") },
        }
    })
}

#[cfg(test)]
mod tests {
    use papan_core::{Game as _, Place};

    use super::*;
    use crate::dots_and_boxes::DotsAndBoxes;
    use crate::dots_and_boxes::geometry::Border;

    #[test]
    fn lines_say_where_they_are_and_whether_they_are_drawn() {
        let game = DotsAndBoxes::new(1, 1);
        assert_eq!(game.border(), Border::None);
        let position = [0, 1, 2, 3].into_iter().fold(game.start(), |position, line| position.after(Place(line)));
        let scene = game.scene(&position);
        let find = |id: &str| scene.shapes.iter().find(|shape| shape.id == id).unwrap();
        let line = find("line-h0,0");
        assert_eq!((line.label.place.en.as_ref(), line.label.state.en.as_ref()), ("line from a1 to b1", "drawn"));
        assert_eq!(find("line-v0,1").label.place.id, "garis dari b1 ke b2");
        assert_eq!(find("box-0,0").label.place.en, "box, row 1, column 1");
        assert_eq!((scene.move_name("v0,1"), scene.move_name("pass")), ("b1-b2", "pass"));
        assert_eq!(
            (scene.column_labels.as_slice(), scene.row_labels.len()),
            (["a", "b"].map(String::from).as_slice(), 2)
        );
        assert_eq!((find("box-0,0").owner, find("box-0,0").present), (Some(Player::Second), true));
        assert_eq!(scene.to_move, None);
        assert_eq!(scene.shapes.iter().filter(|shape| shape.kind == ShapeKind::Dot).count(), 4);
    }
}
