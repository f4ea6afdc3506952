//! Every game as changes of the scene from move to move: the page draws
//! scenes, and knows no game.

use std::collections::HashMap;

use papan_core::scene::{PlayerLook, Scene, Shape, ShapeKind};
use papan_core::table::Table;
use serde::Serialize;

use super::ReportGame;

/// The board and all its changes.
#[derive(Debug, Serialize)]
pub(super) struct Replays {
    width: f32,
    height: f32,
    columns: Vec<String>,
    rows: Vec<String>,
    players: [PlayerLook; 2],
    /// Every shape that any game shows: kind, x, y, width, height, move.
    shapes: Vec<(ShapeKind, f32, f32, f32, f32, Option<String>)>,
    /// What is there at the start, as one ply of a game.
    start: String,
    /// For each game its plies with blanks between them, each a list of
    /// changes: 4 × shape + state, in base 36, with commas between them. The
    /// states are 0 absent, 1 there, 2 the first player's, 3 the second's.
    games: Vec<String>,
}

/// Puts the games of `start`'s game down.
pub(super) fn replays(start: &dyn Table, games: &[ReportGame]) -> Replays {
    let scene = start.scene();
    let mut book = Book::default();
    let mut states = Vec::new();
    let opening = book.changes(&mut states, &scene);
    let games = games.iter().map(|game| {
        let mut states = states.clone();
        let mut table = start.fork();
        let mut plies = Vec::new();
        for mv in game.opening.iter().chain(&game.moves) {
            if table.play(mv).is_err() {
                break;
            }
            plies.push(book.changes(&mut states, &table.scene()));
        }
        plies.join(" ")
    });
    let games = games.collect();
    let Scene { width, height, players, column_labels, row_labels, .. } = scene;
    let shapes = book.shapes.into_iter().map(|shape| (shape.kind, shape.x, shape.y, shape.w, shape.h, shape.mv));
    Replays {
        width,
        height,
        columns: column_labels,
        rows: row_labels,
        players,
        shapes: shapes.collect(),
        start: opening,
        games,
    }
}

/// Every shape seen so far, by its id.
#[derive(Default)]
struct Book {
    shapes: Vec<Shape>,
    numbers: HashMap<String, usize>,
}

impl Book {
    /// What differs between `states` and the scene, which `states` becomes.
    fn changes(&mut self, states: &mut Vec<u8>, scene: &Scene) -> String {
        let mut now = vec![0; self.shapes.len()];
        for shape in &scene.shapes {
            let number = self.number(shape);
            now.resize(self.shapes.len(), 0);
            now[number] = state(shape);
        }
        states.resize(self.shapes.len(), 0);
        let changed = (0..now.len()).filter(|&number| now[number] != states[number]);
        let words: Vec<String> = changed.map(|number| base_36(4 * number + usize::from(now[number]))).collect();
        *states = now;
        words.join(",")
    }

    fn number(&mut self, shape: &Shape) -> usize {
        if let Some(&number) = self.numbers.get(&shape.id) {
            return number;
        }
        let number = self.shapes.len();
        self.numbers.insert(shape.id.clone(), number);
        self.shapes.push(shape.clone());
        number
    }
}

/// Cells and dots are always there, whoever stands on them.
fn state(shape: &Shape) -> u8 {
    match (shape.kind, shape.owner) {
        (ShapeKind::Cell | ShapeKind::Dot, _) => 1,
        _ if !shape.present => 0,
        (_, None) => 1,
        (_, Some(owner)) => 2 + owner.index() as u8,
    }
}

fn base_36(mut number: usize) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit((number % 36) as u32, 36).expect("a digit"));
        number /= 36;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::base_36;

    #[test]
    fn numbers_are_written_in_base_36() {
        assert_eq!([0, 35, 36, 1_295, 1_296].map(base_36), ["0", "z", "10", "zz", "100"]);
    }
}
