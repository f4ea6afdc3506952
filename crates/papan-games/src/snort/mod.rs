//! Snort, the fifth game: the example of "add a game" in CONTRIBUTING.md, in
//! one file. Built only with the feature `fifth-game`, with which the tests
//! prove that page, bots and commands need to know nothing of a game.

use papan_core::edit::{self, Edit};
use papan_core::error::{ParseError, Subject, quoted};
use papan_core::scene::{Label, Scene, Shape, ShapeKind, cell_name, column_letter, read_cell_name};
use papan_core::{
    AtEnd, Evaluation, Game, GameInfo, Move as _, MoveSet as _, OptionKind, OptionSpec, Place, Places, Player,
    Position, Score, Settings, Text, mix,
};

const NAME: &str = "snort";
/// The board is square, four cells a side; bit = 4 × row + column.
const SIDE: usize = 4;
const BOARD: u64 = 0xffff;
const FIRST_COLUMN: u64 = 0x1111;
const LAST_COLUMN: u64 = 0x8888;

/// The cells beside `cells`.
fn beside(cells: u64) -> u64 {
    (cells << SIDE | cells >> SIDE | (cells & !LAST_COLUMN) << 1 | (cells & !FIRST_COLUMN) >> 1) & BOARD
}

/// The fields of both players and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SnortPosition {
    fields: [u64; 2],
    to_move: Player,
}

impl Position for SnortPosition {
    type Move = Place;
    type Moves = Places<u64>;

    fn to_move(&self) -> Player {
        self.to_move
    }

    /// Any free cell that is not beside one of the opponent's.
    fn legal_moves(&self) -> Places<u64> {
        let [first, second] = self.fields;
        Places(BOARD & !(first | second) & !beside(self.fields[self.to_move.other().index()]))
    }

    fn after(&self, mv: Place) -> Self {
        let mut next = *self;
        next.fields[self.to_move.index()] |= 1 << mv.0;
        next.to_move = self.to_move.other();
        next
    }

    /// Whoever cannot move has lost.
    fn points(&self) -> [i32; 2] {
        let winner = self.legal_moves().is_empty().then(|| self.to_move.other());
        Player::BOTH.map(|player| i32::from(winner == Some(player)))
    }

    fn key(&self) -> u64 {
        mix(self.fields[0] << 32 | self.fields[1] << 8 | self.to_move as u64)
    }
}

/// The position itself if nobody stands beside the opponent.
fn checked(position: SnortPosition) -> Result<SnortPosition, ParseError> {
    let [first, second] = position.fields;
    let apart = beside(first) & second == 0;
    apart.then_some(position).ok_or_else(|| ParseError::new(Subject::Position, "an X stands beside an O"))
}

/// The game; it has no options.
#[derive(Clone, Debug)]
pub struct Snort;

fn symbol(player: Player) -> char {
    ['X', 'O'][player.index()]
}

impl Game for Snort {
    type Position = SnortPosition;

    const NAME: &'static str = NAME;

    fn info() -> GameInfo {
        GameInfo {
            name: NAME,
            title: Text::new("Snort", "Snort"),
            about: Text::new(
                "Claim free cells, but never beside the opponent's; whoever cannot move loses.",
                "Ambil sel kosong, tetapi tidak di sebelah milik lawan; yang tidak bisa melangkah kalah.",
            ),
            options: vec![OptionSpec {
                name: "first",
                kind: OptionKind::choice(&["x"], "x"),
                about: Text::new("Who moves first.", "Siapa yang melangkah lebih dahulu."),
            }],
            rules: Text::new(
                "Take turns to claim a free cell. A cell beside one of the opponent's cells may not be claimed. Whoever cannot move loses.",
                "Bergantian mengambil sel kosong. Sel di sebelah sel lawan tidak boleh diambil. Yang tidak bisa melangkah kalah.",
            ),
        }
    }

    fn from_settings(_settings: &Settings) -> Result<Self, ParseError> {
        Ok(Self)
    }

    fn start(&self) -> SnortPosition {
        SnortPosition { fields: [0; 2], to_move: Player::First }
    }

    fn read_position(&self, text: &str) -> Result<SnortPosition, ParseError> {
        let error = |message: String| ParseError::new(Subject::Position, message);
        let (cells, side) = text.trim().split_once(' ').ok_or_else(|| error("the side to move is missing".into()))?;
        let mut fields = [0; 2];
        let mut count = 0;
        for (index, c) in cells.chars().enumerate() {
            match c {
                '.' => {}
                'X' | 'O' if index < SIDE * SIDE => fields[usize::from(c == 'O')] |= 1 << index,
                _ => return Err(error(format!("cell {index} is {}, expected . X O", quoted(&c.to_string())))),
            }
            count += 1;
        }
        if count != SIDE * SIDE {
            return Err(error(format!("{count} cells, expected {}", SIDE * SIDE)));
        }
        let to_move = match side {
            "X" => Player::First,
            "O" => Player::Second,
            other => return Err(error(format!("the side is {}, expected X or O", quoted(other)))),
        };
        checked(SnortPosition { fields, to_move })
    }

    fn write_position(&self, position: &SnortPosition) -> String {
        let cell = |index: usize| {
            let owner = Player::BOTH.into_iter().find(|player| position.fields[player.index()] >> index & 1 == 1);
            owner.map_or('.', symbol)
        };
        let cells: String = (0..SIDE * SIDE).map(cell).collect();
        format!("{cells} {}", symbol(position.to_move))
    }

    fn read_move(&self, text: &str) -> Result<Place, ParseError> {
        let (row, column) = read_cell_name(text.trim(), SIDE, SIDE).ok_or_else(|| {
            ParseError::new(Subject::Move, format!("{} is not a cell, expected a1 to d4", quoted(text)))
        })?;
        Ok(Place((row * SIDE + column) as u8))
    }

    fn write_move(&self, mv: Place) -> String {
        cell_name(usize::from(mv.0) / SIDE, usize::from(mv.0) % SIDE)
    }

    fn scene(&self, position: &SnortPosition) -> Scene {
        let legal = position.legal_moves();
        let mut shapes = Vec::new();
        for index in 0..SIDE * SIDE {
            let (place, name) = (Place(index as u8), cell_name(index / SIDE, index % SIDE));
            let owner = Player::BOTH.into_iter().find(|player| position.fields[player.index()] >> index & 1 == 1);
            let state = owner.map_or(Text::new("free", "kosong"), |player| Text::same(&symbol(player).to_string()));
            let shape = |kind, prefix: &str, present, mv: Option<String>, playable| Shape {
                id: format!("{prefix}-{name}"),
                kind,
                x: (index % SIDE) as f32,
                y: (index / SIDE) as f32,
                w: 1.0,
                h: 1.0,
                owner: if kind == ShapeKind::Cell { None } else { owner },
                present,
                mv,
                move_name: None,
                playable,
                label: Label { place: Text::same(&name), state: state.clone() },
            };
            shapes.push(shape(ShapeKind::Cell, "cell", true, Some(name.clone()), legal.contains(place)));
            if owner.is_some() {
                shapes.push(shape(ShapeKind::Mark, "mark", true, None, false));
            }
        }
        Scene {
            width: SIDE as f32,
            height: SIDE as f32,
            players: self.players(),
            to_move: (!position.is_over()).then_some(position.to_move),
            column_labels: (0..SIDE).map(|column| column_letter(column).to_string()).collect(),
            row_labels: (1..=SIDE).map(|row| row.to_string()).collect(),
            other_moves: Vec::new(),
            shapes,
        }
    }

    fn edited(&self, position: &SnortPosition, edit: Edit<'_>) -> Result<SnortPosition, ParseError> {
        let mut edited = *position;
        match edit {
            Edit::Put { place, content } => {
                let cell = self.read_move(edit::name_of(place, "cell-")?)?;
                edited.fields = edit::put(position.fields, cell.index(), content)?;
            }
            Edit::Turn(player) => edited.to_move = player,
        }
        checked(edited)
    }

    fn longest(&self) -> u32 {
        (SIDE * SIDE) as u32
    }

    fn evaluations() -> Vec<Evaluation<SnortPosition>> {
        vec![Evaluation {
            name: "freedom",
            about: Text::new(
                "Own possible cells minus the opponent's.",
                "Sel yang mungkin bagi sendiri dikurangi milik lawan.",
            ),
            at_end: AtEnd::Outcome,
            estimate: |position, chair, _ply| {
                let cells = |player: Player| SnortPosition { to_move: player, ..*position }.legal_moves().len() as i32;
                Score(cells(chair) - cells(chair.other()))
            },
        }]
    }
}

#[cfg(test)]
mod tests {
    use papan_core::conformance;

    use super::*;

    #[test]
    fn every_promise_is_kept() {
        conformance::check(&Snort, 500, 1).unwrap();
    }

    #[test]
    fn a_cell_beside_the_opponents_is_forbidden() {
        let position = Snort.start().after(Place(5));
        assert_eq!(position.legal_moves().len(), 16 - 5);
    }
}
