//! Tic-tac-toe and the m,n,k family: whoever has `k` marks in a row wins, or
//! loses in misère.

mod evaluations;
mod geometry;
mod notation;
mod position;

use std::str::FromStr;

use papan_core::edit::{self, Edit};
use papan_core::{
    Bits, Bits256, Evaluation, Game, GameInfo, Move as _, OptionKind, OptionSpec, ParseError, Place, Player,
    Position as _, Settings, Text,
};

pub use position::TicTacToePosition;

use geometry::Geometry;

const NAME: &str = "tic-tac-toe";

/// The game's options.
#[must_use]
pub fn options() -> Vec<OptionSpec> {
    let side = OptionKind::Integer { min: 3, max: 15, default: Some(3) };
    vec![
        OptionSpec {
            name: "rows",
            kind: side.clone(),
            about: Text::new("How many rows the board has.", "Jumlah baris papan."),
        },
        OptionSpec {
            name: "cols",
            kind: side,
            about: Text::new("How many columns the board has.", "Jumlah kolom papan."),
        },
        OptionSpec {
            name: "k",
            kind: OptionKind::Integer { min: 1, max: 15, default: Some(3) },
            about: Text::new(
                "How many marks in a row decide the game.",
                "Jumlah marka sebaris yang menentukan permainan.",
            ),
        },
        OptionSpec {
            name: "misere",
            kind: OptionKind::Flag { default: false },
            about: Text::new("Whoever completes a row loses.", "Pemain yang menyelesaikan sebaris marka kalah."),
        },
    ]
}

/// Does the board that `settings` ask for fit `TicTacToe<u64>`? Otherwise it
/// needs `TicTacToe<Bits256>`.
#[must_use]
pub fn fits_one_word(settings: &Settings) -> bool {
    settings.integer("rows") * (settings.integer("cols") + 1) <= 64
}

/// Tic-tac-toe with its options settled, on boards that fit `B`.
///
/// ```
/// use papan_games::prelude::*;
///
/// let classic = TicTacToe::new(3, 3, 3);
/// assert_eq!(classic.spec(), "tic-tac-toe");
///
/// let misere: TicTacToe = "tic-tac-toe:rows=4,misere".parse().unwrap();
/// assert!(misere.is_misere() && misere.rows() == 4);
/// ```
#[derive(Clone, Debug)]
pub struct TicTacToe<B: Bits = u64> {
    geometry: &'static Geometry<B>,
    spec: String,
}

impl TicTacToe {
    /// A board on which `k` marks in a row win.
    ///
    /// # Panics
    /// If it has no 3 to 15 rows and columns, or more cells than
    /// [`TicTacToe::large`] is for.
    #[must_use]
    pub fn new(rows: usize, cols: usize, k: usize) -> Self {
        Self::sized(rows, cols, k)
    }
}

impl TicTacToe<Bits256> {
    /// A board of any size, up to 15 by 15: slower than [`TicTacToe::new`].
    ///
    /// ```
    /// use papan_games::prelude::*;
    ///
    /// assert_eq!(TicTacToe::large(15, 15, 5).start().legal_moves().len(), 225);
    /// ```
    ///
    /// # Panics
    /// If it has no 3 to 15 rows and columns.
    #[must_use]
    pub fn large(rows: usize, cols: usize, k: usize) -> Self {
        Self::sized(rows, cols, k)
    }
}

impl<B: Bits> TicTacToe<B> {
    fn sized(rows: usize, cols: usize, k: usize) -> Self {
        let game = format!("{NAME}:rows={rows},cols={cols},k={k}").parse();
        game.unwrap_or_else(|error| panic!("{error}"))
    }

    /// How many rows the board has.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.geometry.rows
    }

    /// How many columns the board has.
    #[must_use]
    pub fn cols(&self) -> usize {
        self.geometry.cols
    }

    /// How many marks in a row decide the game.
    #[must_use]
    pub fn in_a_row(&self) -> usize {
        self.geometry.k
    }

    /// Does whoever completes a row lose?
    #[must_use]
    pub fn is_misere(&self) -> bool {
        self.geometry.misere
    }

    /// The move that marks the cell in `row` and `col`, both counted from 0 at
    /// the top left, which must be on the board.
    #[must_use]
    pub fn cell(&self, row: usize, col: usize) -> Place {
        self.geometry.place(row, col)
    }
}

impl<B: Bits> FromStr for TicTacToe<B> {
    type Err = ParseError;

    /// Reads the game's name with its options.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        papan_core::read_game(text)
    }
}

impl<B: Bits> Game for TicTacToe<B> {
    type Position = TicTacToePosition<B>;

    const NAME: &'static str = NAME;

    fn fits(settings: &Settings) -> bool {
        fits_one_word(settings) || B::CAPACITY > u64::CAPACITY
    }

    fn from_settings(settings: &Settings) -> Result<Self, ParseError> {
        let [rows, cols, k] = ["rows", "cols", "k"].map(|name| settings.integer(name) as u8);
        Ok(Self {
            geometry: Geometry::interned(rows, cols, k, settings.flag("misere")),
            spec: settings.canonical(NAME, &options()),
        })
    }

    fn info() -> GameInfo {
        GameInfo {
            name: NAME,
            title: Text::new("Tic-tac-toe", "Tic-tac-toe"),
            about: Text::new(
                "Mark cells in turn; three of your marks in a row win, or any number on any board.",
                "Isi petak bergantian; tiga marka sebaris menang, atau berapa pun pada papan berukuran apa pun.",
            ),
            options: options(),
            rules: Text::new(include_str!("rules.en.md"), include_str!("rules.id.md")),
        }
    }

    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn start(&self) -> Self::Position {
        TicTacToePosition::empty(self.geometry)
    }

    fn read_position(&self, text: &str) -> Result<Self::Position, ParseError> {
        notation::read_position(self.geometry, text)
    }

    fn write_position(&self, position: &Self::Position) -> String {
        notation::write_position(position)
    }

    fn read_move(&self, text: &str) -> Result<Place, ParseError> {
        notation::read_move(self.geometry, text)
    }

    fn write_move(&self, mv: Place) -> String {
        notation::write_move(self.geometry, mv)
    }

    fn edited(&self, position: &Self::Position, edit: Edit<'_>) -> Result<Self::Position, ParseError> {
        let marks = Player::BOTH.map(|player| position.marks(player));
        let (marks, to_move) = match edit {
            Edit::Put { place, content } => {
                let cell = self.read_move(edit::name_of(place, "cell-")?)?;
                (edit::put(marks, cell.index(), content)?, position.to_move())
            }
            Edit::Turn(player) => (marks, player),
        };
        notation::checked_position(self.geometry, marks, to_move)
    }

    fn longest(&self) -> u32 {
        self.geometry.cells.count()
    }

    fn evaluations() -> Vec<Evaluation<Self::Position>> {
        evaluations::all()
    }

    fn preference(&self, mv: Place) -> i32 {
        self.geometry.preference[mv.index()]
    }

    fn symmetries(&self) -> usize {
        self.geometry.symmetries()
    }

    fn symmetric_position(&self, symmetry: usize, position: &Self::Position) -> Self::Position {
        position.turned(symmetry)
    }

    fn symmetric_move(&self, symmetry: usize, mv: Place) -> Place {
        self.geometry.turned(symmetry, mv)
    }

    fn suit_settings_to(settings: &mut Settings, position: &str) {
        notation::suit_settings(settings, position);
    }
}
