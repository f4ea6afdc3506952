//! The position as shapes: the squares, and a disc on each taken one.

use papan_core::scene::{Label, Look, PlayerLook, Scene, Shape, ShapeKind, cell_name, column_letter};
use papan_core::{MoveSet as _, Player, Position as _, Text};

use super::moves::OthelloMove;
use super::position::OthelloPosition;

/// Black and white, the one that moves first first.
pub(super) fn players(white_first: bool) -> [PlayerLook; 2] {
    let black = PlayerLook { name: Text::new("Black", "Hitam"), symbol: 'X', look: Look::Dark };
    let white = PlayerLook { name: Text::new("White", "Putih"), symbol: 'O', look: Look::Light };
    if white_first { [white, black] } else { [black, white] }
}

/// The board with its discs.
pub(super) fn scene(position: &OthelloPosition, players: [PlayerLook; 2]) -> Scene {
    let size = usize::from(position.rules().size);
    let places = || (0..size * size).map(|n| (n / size, n % size));
    let mut shapes: Vec<_> = places().map(|place| square_shape(position, &players, place)).collect();
    shapes.extend(places().filter_map(|place| disc_shape(position, &players, place)));
    let pass = position.legal_moves().contains(OthelloMove::PASS);
    Scene {
        width: size as f32,
        height: size as f32,
        to_move: (!position.is_over()).then(|| position.to_move()),
        players,
        column_labels: (0..size).map(|column| column_letter(column).to_string()).collect(),
        row_labels: (1..=size).map(|row| row.to_string()).collect(),
        other_moves: pass.then(|| ("pass".to_owned(), Text::new("Pass", "Lewat"))).into_iter().collect(),
        shapes,
    }
}

fn owner(position: &OthelloPosition, (row, column): (usize, usize)) -> Option<Player> {
    Player::BOTH.into_iter().find(|player| position.discs()[player.index()] >> (8 * row + column) & 1 != 0)
}

fn square_shape(position: &OthelloPosition, players: &[PlayerLook; 2], place: (usize, usize)) -> Shape {
    let (row, column) = place;
    let name = cell_name(row, column);
    let owner = owner(position, place);
    Shape {
        id: format!("cell-{name}"),
        kind: ShapeKind::Cell,
        x: column as f32,
        y: row as f32,
        w: 1.0,
        h: 1.0,
        owner,
        present: true,
        playable: position.legal_moves().contains(OthelloMove::square(8 * row + column)),
        label: label(&name, owner, players),
        mv: Some(name),
        move_name: None,
    }
}

fn disc_shape(position: &OthelloPosition, players: &[PlayerLook; 2], place: (usize, usize)) -> Option<Shape> {
    let owner = owner(position, place)?;
    let square = square_shape(position, players, place);
    Some(Shape {
        id: square.id.replace("cell", "disc"),
        kind: ShapeKind::Disc,
        owner: Some(owner),
        playable: false,
        mv: None,
        move_name: None,
        ..square
    })
}

fn label(name: &str, owner: Option<Player>, players: &[PlayerLook; 2]) -> Label {
    let state = match owner.map(|owner| players[owner.index()].look) {
        None => Text::new("empty", "kosong"),
        Some(Look::Dark) => Text::new("black disc", "cakram hitam"),
        Some(_) => Text::new("white disc", "cakram putih"),
    };
    Label { place: Text::same(name), state }
}
