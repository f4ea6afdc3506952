//! The Adjacency Strategy Game: a new mark turns the enemy marks beside it.

mod evaluations;
mod notation;
mod position;
mod scene;

use std::str::FromStr;

use papan_core::edit::{self, Edit};
use papan_core::error::ParseError;
use papan_core::scene::{PlayerLook, Scene};
use papan_core::{
    Evaluation, Game, GameInfo, Move as _, OptionKind, OptionSpec, Place, Player, Position as _, Settings, Text,
};

pub use position::{AdjacencyPosition, CELLS, Neighbourhood, SIDE};
use position::{O_START, X_START};

const NAME: &str = "adjacency";

/// The options that the game declares.
#[must_use]
pub fn options() -> Vec<OptionSpec> {
    vec![
        OptionSpec {
            name: "rounds",
            kind: OptionKind::Integer { min: 1, max: 28, default: Some(8) },
            about: Text::new(
                "Rounds of two moves, one each; 28 fill the board.",
                "Banyaknya ronde; satu ronde dua langkah, masing-masing satu; 28 ronde memenuhi papan.",
            ),
        },
        OptionSpec {
            name: "first",
            kind: OptionKind::choice(&["x", "o"], "x"),
            about: Text::new("Who moves first.", "Siapa yang melangkah lebih dahulu."),
        },
        OptionSpec {
            name: "neighbours",
            kind: OptionKind::choice(&["4", "8"], "4"),
            about: Text::new(
                "How many cells around a new mark turn: 8 adds the diagonal ones.",
                "Banyaknya petak di sekitar marka baru yang dibalik: 8 termasuk yang diagonal.",
            ),
        },
    ]
}

/// The game with its options settled.
///
/// ```
/// use papan_games::prelude::*;
///
/// let game = Adjacency::new(8);
/// assert_eq!(game.longest(), 16);
///
/// let diagonal: Adjacency = "adjacency:rounds=28,neighbours=8".parse().unwrap();
/// assert_eq!(diagonal.spec(), "adjacency:rounds=28,neighbours=8");
/// ```
#[derive(Clone, Debug)]
pub struct Adjacency {
    spec: String,
    rounds: u32,
    o_first: bool,
    neighbourhood: Neighbourhood,
}

impl Adjacency {
    /// A game of so many rounds in which a mark turns the four beside it; X
    /// moves first.
    ///
    /// # Panics
    /// If there are no 1 to 28 rounds.
    #[must_use]
    pub fn new(rounds: u32) -> Self {
        format!("{NAME}:rounds={rounds}").parse().unwrap_or_else(|error| panic!("{error}"))
    }

    fn symbols(&self) -> [char; 2] {
        if self.o_first { ['O', 'X'] } else { ['X', 'O'] }
    }
}

impl FromStr for Adjacency {
    type Err = ParseError;

    /// Reads the game's name with its options.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        papan_core::read_game(text)
    }
}

impl Game for Adjacency {
    type Position = AdjacencyPosition;

    const NAME: &'static str = NAME;

    fn from_settings(settings: &Settings) -> Result<Self, ParseError> {
        Ok(Self {
            spec: settings.canonical(NAME, &options()),
            rounds: settings.integer("rounds") as u32,
            o_first: settings.choice("first") == "o",
            neighbourhood: match settings.choice("neighbours") {
                "8" => Neighbourhood::Eight,
                _ => Neighbourhood::Four,
            },
        })
    }

    fn info() -> GameInfo {
        GameInfo {
            name: NAME,
            title: Text::new("Adjacency Strategy Game", "Permainan Strategi Adjacency"),
            about: Text::new(
                "Put a mark on any empty cell; the enemy marks beside it become yours.",
                "Taruh marka di petak kosong mana pun; marka lawan di sebelahnya menjadi milik Anda.",
            ),
            options: options(),
            rules: Text::new(include_str!("rules.en.md"), include_str!("rules.id.md")),
        }
    }

    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn players(&self) -> [PlayerLook; 2] {
        scene::players(self.o_first)
    }

    fn start(&self) -> AdjacencyPosition {
        let marks = if self.o_first { [O_START, X_START] } else { [X_START, O_START] };
        AdjacencyPosition::new(marks, Player::First, self.rounds, self.neighbourhood)
    }

    fn read_position(&self, text: &str) -> Result<AdjacencyPosition, ParseError> {
        notation::read_position(text, self.symbols(), self.neighbourhood)
    }

    fn write_position(&self, position: &AdjacencyPosition) -> String {
        notation::write_position(position, self.symbols())
    }

    fn read_move(&self, text: &str) -> Result<Place, ParseError> {
        notation::read_move(text)
    }

    fn write_move(&self, mv: Place) -> String {
        notation::write_move(mv)
    }

    fn scene(&self, position: &AdjacencyPosition) -> Scene {
        scene::scene(position, self.players())
    }

    /// The rounds left stay as they are.
    fn edited(&self, position: &AdjacencyPosition, edit: Edit<'_>) -> Result<AdjacencyPosition, ParseError> {
        let (marks, to_move) = match edit {
            Edit::Put { place, content } => {
                let cell = self.read_move(edit::name_of(place, "cell-")?)?;
                (edit::put(position.marks(), cell.index(), content)?, position.to_move())
            }
            Edit::Turn(player) => (position.marks(), player),
        };
        Ok(AdjacencyPosition::new(marks, to_move, position.rounds_left(), self.neighbourhood))
    }

    fn status(&self, position: &AdjacencyPosition) -> Vec<(Text, String)> {
        vec![(Text::new("Rounds left", "Sisa ronde"), format!("{} / {}", position.rounds_left(), self.rounds))]
    }

    fn margin_bound(&self) -> i32 {
        CELLS as i32
    }

    fn longest(&self) -> u32 {
        2 * self.rounds
    }

    fn evaluations() -> Vec<Evaluation<AdjacencyPosition>> {
        evaluations::evaluations()
    }

    /// A mark with fewer neighbours is harder to turn: corners, then edges.
    fn preference(&self, mv: Place) -> i32 {
        -(self.neighbourhood.of(1 << (mv.0 % 64)).count_ones() as i32)
    }

    /// The identity, and the reflection in the diagonal from a8 to h1, which
    /// maps each player's starting corner to itself.
    fn symmetries(&self) -> usize {
        2
    }

    fn symmetric_position(&self, symmetry: usize, position: &AdjacencyPosition) -> AdjacencyPosition {
        position.mapped(|cells| if symmetry == 0 { cells } else { position::reflected(cells) })
    }

    fn symmetric_move(&self, symmetry: usize, mv: Place) -> Place {
        if symmetry == 0 { mv } else { Place(position::reflected(1 << mv.0).trailing_zeros() as u8) }
    }
}
