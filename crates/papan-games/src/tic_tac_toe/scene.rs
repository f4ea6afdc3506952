//! Tic-tac-toe as shapes: cells, then the marks on them.

use papan_core::scene::{Label, PlayerLook, Scene, Shape, ShapeKind, cell_name, column_letter};
use papan_core::{Bits, MoveSet as _, Player, Position as _, Text};

use super::position::TicTacToePosition;

pub(super) fn scene<B: Bits>(position: &TicTacToePosition<B>, players: [PlayerLook; 2]) -> Scene {
    let geometry = position.geometry();
    let legal = position.legal_moves();
    let mut cells = Vec::with_capacity(geometry.rows * geometry.cols);
    let mut marks = Vec::new();
    for row in 0..geometry.rows {
        for col in 0..geometry.cols {
            let place = geometry.place(row, col);
            let owner = position.mark_at(place);
            let mut cell = shape(ShapeKind::Cell, row, col, owner);
            cell.mv = Some(cell_name(row, col));
            cell.playable = legal.contains(place);
            cells.push(cell);
            if owner.is_some() {
                marks.push(shape(ShapeKind::Mark, row, col, owner));
            }
        }
    }
    cells.append(&mut marks);
    Scene {
        width: geometry.cols as f32,
        height: geometry.rows as f32,
        players,
        to_move: (!position.is_over()).then(|| position.to_move()),
        column_labels: (0..geometry.cols).map(|col| column_letter(col).to_string()).collect(),
        row_labels: (1..=geometry.rows).map(|row| row.to_string()).collect(),
        other_moves: Vec::new(),
        shapes: cells,
    }
}

/// The cell itself belongs to nobody; its label says what is on it.
fn shape(kind: ShapeKind, row: usize, col: usize, mark: Option<Player>) -> Shape {
    let name = cell_name(row, col);
    let (prefix, owner) = match kind {
        ShapeKind::Mark => ("mark", mark),
        _ => ("cell", None),
    };
    Shape {
        id: format!("{prefix}-{name}"),
        kind,
        x: col as f32,
        y: row as f32,
        w: 1.0,
        h: 1.0,
        owner,
        present: true,
        mv: None,
        move_name: None,
        playable: false,
        label: Label { place: Text::same(&name), state: state(mark) },
    }
}

fn state(mark: Option<Player>) -> Text {
    match mark {
        None => Text::new("empty", "kosong"),
        Some(Player::First) => Text::new("X", "X"),
        Some(Player::Second) => Text::new("O", "O"),
    }
}
