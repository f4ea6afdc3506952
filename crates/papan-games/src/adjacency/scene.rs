//! The position as shapes: 64 cells, and a mark on each taken one.

use papan_core::scene::{Label, Look, PlayerLook, Scene, Shape, ShapeKind, cell_name, column_letter};
use papan_core::{Player, Position as _, Text};

use super::position::{AdjacencyPosition, SIDE};

/// X and O, the one named `first` first.
pub(super) fn players(o_first: bool) -> [PlayerLook; 2] {
    let x = PlayerLook { name: Text::new("X", "X"), symbol: 'X', look: Look::Cross };
    let o = PlayerLook { name: Text::new("O", "O"), symbol: 'O', look: Look::Ring };
    if o_first { [o, x] } else { [x, o] }
}

/// The board with its marks.
pub(super) fn scene(position: &AdjacencyPosition, players: [PlayerLook; 2]) -> Scene {
    let mut shapes: Vec<_> = (0..64).map(|cell| cell_shape(position, &players, cell)).collect();
    let marks = (0..64).filter_map(|cell| mark_shape(position, &players, cell));
    shapes.extend(marks);
    Scene {
        width: SIDE as f32,
        height: SIDE as f32,
        to_move: (!position.is_over()).then(|| position.to_move()),
        players,
        column_labels: (0..SIDE).map(|column| column_letter(column).to_string()).collect(),
        row_labels: (1..=SIDE).map(|row| row.to_string()).collect(),
        other_moves: Vec::new(),
        shapes,
    }
}

fn owner(position: &AdjacencyPosition, cell: usize) -> Option<Player> {
    Player::BOTH.into_iter().find(|player| position.marks()[player.index()] >> cell & 1 != 0)
}

fn cell_shape(position: &AdjacencyPosition, players: &[PlayerLook; 2], cell: usize) -> Shape {
    let name = cell_name(cell / SIDE, cell % SIDE);
    let owner = owner(position, cell);
    Shape {
        id: format!("cell-{name}"),
        kind: ShapeKind::Cell,
        x: (cell % SIDE) as f32,
        y: (cell / SIDE) as f32,
        w: 1.0,
        h: 1.0,
        owner,
        present: true,
        playable: owner.is_none() && !position.is_over(),
        label: label(&name, owner, players),
        mv: Some(name),
        move_name: None,
    }
}

fn mark_shape(position: &AdjacencyPosition, players: &[PlayerLook; 2], cell: usize) -> Option<Shape> {
    let owner = owner(position, cell)?;
    let name = cell_name(cell / SIDE, cell % SIDE);
    Some(Shape {
        id: format!("mark-{name}"),
        kind: ShapeKind::Mark,
        x: (cell % SIDE) as f32,
        y: (cell / SIDE) as f32,
        w: 1.0,
        h: 1.0,
        owner: Some(owner),
        present: true,
        playable: false,
        label: label(&name, Some(owner), players),
        mv: None,
        move_name: None,
    })
}

fn label(name: &str, owner: Option<Player>, players: &[PlayerLook; 2]) -> Label {
    let state = match owner {
        None => Text::new("empty", "kosong"),
        Some(owner) => players[owner.index()].name.clone(),
    };
    Label { place: Text::same(name), state }
}

#[cfg(test)]
mod tests {
    use papan_core::Place;
    use papan_core::render::text::{Charset, render};

    use super::super::position::{Neighbourhood, O_START, X_START};
    use super::*;

    #[test]
    fn a_turned_mark_keeps_its_id_and_changes_its_owner() {
        let start = AdjacencyPosition::new([X_START, O_START], Player::First, 8, Neighbourhood::Four);
        let owner_of_g2 = |position: &AdjacencyPosition| {
            let scene = scene(position, players(false));
            scene.shapes.into_iter().find(|shape| shape.id == "mark-g2").and_then(|shape| shape.owner)
        };
        assert_eq!(owner_of_g2(&start), Some(Player::Second));
        assert_eq!(owner_of_g2(&start.after(Place(13))), Some(Player::First));
    }

    #[test]
    fn the_text_board_shows_both_symbols() {
        let start = AdjacencyPosition::new([X_START, O_START], Player::First, 8, Neighbourhood::Four);
        let text = render(&scene(&start, players(false)), Charset::Ascii, None);
        assert_eq!(text.matches('X').count(), 4);
        assert_eq!(text.matches('O').count(), 4);
        assert!(text.lines().nth(1).unwrap().ends_with("O O"), "{text}");
    }
}
