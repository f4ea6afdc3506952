//! Othello, also known as Reversi.

mod evaluations;
pub mod formats;
mod geometry;
mod moves;
mod notation;
mod position;
mod scene;
mod tables;

use std::str::FromStr;

use papan_core::edit::{self, Edit};
use papan_core::error::ParseError;
use papan_core::scene::{PlayerLook, Scene};
use papan_core::{Evaluation, Game, GameInfo, OptionKind, OptionSpec, Player, Position as _, Settings, Text};

pub use moves::{OthelloMove, OthelloMoveIter, OthelloMoves};
use notation::Notation;
pub use position::{OthelloPosition, Rules};

const NAME: &str = "othello";

/// The options that the game declares.
#[must_use]
pub fn options() -> Vec<OptionSpec> {
    vec![
        OptionSpec {
            name: "size",
            kind: OptionKind::choice(&["4", "6", "8"], "8"),
            about: Text::new("Rows and columns of the board.", "Banyaknya baris dan kolom papan."),
        },
        OptionSpec {
            name: "first",
            kind: OptionKind::choice(&["black", "white"], "black"),
            about: Text::new("Who moves first.", "Siapa yang melangkah lebih dahulu."),
        },
        OptionSpec {
            name: "passing",
            kind: OptionKind::Flag { default: true },
            about: Text::new(
                "A player who cannot move passes; without this, the game ends there.",
                "Pemain yang tidak dapat melangkah lewat; tanpa ini, permainan selesai saat itu.",
            ),
        },
    ]
}

/// The game with its options settled.
///
/// ```
/// use papan_games::prelude::*;
///
/// let game = Othello::standard();
/// let position = game.start().after(game.read_move("d3").unwrap());
/// assert_eq!(position.points(), [4, 1]);
///
/// let small: Othello = "othello:size=6".parse().unwrap();
/// assert_eq!(small.spec(), Othello::new(6).spec());
/// ```
#[derive(Clone, Debug)]
pub struct Othello {
    spec: String,
    rules: Rules,
    white_first: bool,
}

impl Othello {
    /// On 8×8 squares; black moves first, and who cannot move passes.
    #[must_use]
    pub fn standard() -> Self {
        Self::new(8)
    }

    /// The same on a board of `size` by `size` squares.
    ///
    /// # Panics
    /// If the size is not 4, 6 or 8.
    #[must_use]
    pub fn new(size: u8) -> Self {
        format!("{NAME}:size={size}").parse().unwrap_or_else(|error| panic!("{error}"))
    }

    fn size(&self) -> usize {
        usize::from(self.rules.size)
    }

    /// `[black, white]` as `[First, Second]`.
    fn by_turn<T>(&self, [black, white]: [T; 2]) -> [T; 2] {
        if self.white_first { [white, black] } else { [black, white] }
    }

    fn notation(&self) -> Notation {
        Notation { rules: self.rules, symbols: self.by_turn(['X', 'O']), start: self.start() }
    }

    fn turned(&self, symmetry: usize, squares: u64) -> u64 {
        let squares = if symmetry & 4 != 0 { geometry::transposed(squares) } else { squares };
        let squares = if symmetry & 2 != 0 { geometry::upside_down(squares, self.size()) } else { squares };
        if symmetry & 1 != 0 { geometry::mirrored(squares, self.size()) } else { squares }
    }
}

impl FromStr for Othello {
    type Err = ParseError;

    /// Reads the game's name with its options.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        papan_core::read_game(text)
    }
}

impl Game for Othello {
    type Position = OthelloPosition;

    const NAME: &'static str = NAME;

    fn from_settings(settings: &Settings) -> Result<Self, ParseError> {
        let size = match settings.choice("size") {
            "4" => 4,
            "6" => 6,
            _ => 8,
        };
        Ok(Self {
            spec: settings.canonical(NAME, &options()),
            rules: Rules { size, passing: settings.flag("passing") },
            white_first: settings.choice("first") == "white",
        })
    }

    fn info() -> GameInfo {
        GameInfo {
            name: NAME,
            title: Text::new("Othello", "Othello"),
            about: Text::new(
                "Enclose the opponent's discs in a line to turn them to your colour.",
                "Apit cakram lawan dalam satu garis untuk membaliknya menjadi warna Anda.",
            ),
            options: options(),
            rules: Text::new(include_str!("rules.en.md"), include_str!("rules.id.md")),
        }
    }

    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn players(&self) -> [PlayerLook; 2] {
        scene::players(self.white_first)
    }

    /// Four discs in the centre: on 8×8 white has d4 and e5, black e4 and d5.
    fn start(&self) -> OthelloPosition {
        let start = OthelloPosition::start(self.rules);
        OthelloPosition::new(self.by_turn(start.discs()), Player::First, self.rules)
    }

    fn read_position(&self, text: &str) -> Result<OthelloPosition, ParseError> {
        self.notation().read_position(text)
    }

    fn write_position(&self, position: &OthelloPosition) -> String {
        self.notation().write_position(position)
    }

    fn read_move(&self, text: &str) -> Result<OthelloMove, ParseError> {
        self.notation().read_move(text)
    }

    fn write_move(&self, mv: OthelloMove) -> String {
        mv.to_string()
    }

    fn scene(&self, position: &OthelloPosition) -> Scene {
        scene::scene(position, self.players())
    }

    fn edited(&self, position: &OthelloPosition, edit: Edit<'_>) -> Result<OthelloPosition, ParseError> {
        let (discs, to_move) = match edit {
            Edit::Put { place, content } => {
                let square = self.read_move(edit::name_of(place, "cell-")?)?.as_square();
                let square = square.ok_or_else(|| edit::no_such_place(place))?;
                (edit::put(position.discs(), square, content)?, position.to_move())
            }
            Edit::Turn(player) => (position.discs(), player),
        };
        Ok(OthelloPosition::new(discs, to_move, self.rules))
    }

    fn margin_bound(&self) -> i32 {
        (self.size() * self.size()) as i32
    }

    /// Every disc may be followed by a pass.
    fn longest(&self) -> u32 {
        2 * (self.size() * self.size() - 4) as u32
    }

    fn evaluations() -> Vec<Evaluation<OthelloPosition>> {
        evaluations::evaluations()
    }

    /// Corners first, the squares diagonal to them last.
    fn preference(&self, mv: OthelloMove) -> i32 {
        mv.as_square().map_or(0, |square| tables::WEIGHTED.of(self.rules).sum(1 << square))
    }

    fn symmetries(&self) -> usize {
        8
    }

    fn symmetric_position(&self, symmetry: usize, position: &OthelloPosition) -> OthelloPosition {
        position.mapped(|squares| self.turned(symmetry, squares))
    }

    fn symmetric_move(&self, symmetry: usize, mv: OthelloMove) -> OthelloMove {
        let turned = |square: usize| self.turned(symmetry, 1 << square).trailing_zeros() as usize;
        mv.as_square().map_or(mv, |square| OthelloMove::square(turned(square)))
    }

    fn suit_settings_to(settings: &mut Settings, position: &str) {
        if let Some(size) = notation::size_of_board(position) {
            settings.suggest_choice("size", size);
        }
    }
}
