//! Dots and Boxes: draw lines between dots, complete boxes, go on after each.

mod chains;
mod editing;
mod evaluations;
mod geometry;
mod notation;
mod position;
mod scene;

use std::str::FromStr;

use papan_core::edit::Edit;
use papan_core::scene::{Look, PlayerLook, Scene};
use papan_core::{
    Bits, Bits256, Evaluation, Game, GameInfo, Move as _, OptionKind, OptionSpec, ParseError, Place, Settings, Text,
};

pub use chains::{Draft, Region, RegionKind};
pub use evaluations::report_line_value;
pub use geometry::{Border, Line};
pub use position::DotsAndBoxesPosition;

use geometry::Geometry;

const NAME: &str = "dots-and-boxes";

/// The game's options.
#[must_use]
pub fn options() -> Vec<OptionSpec> {
    let side = OptionKind::Integer { min: 1, max: 10, default: Some(3) };
    vec![
        OptionSpec {
            name: "rows",
            kind: side.clone(),
            about: Text::new("How many boxes are above each other.", "Jumlah kotak dari atas ke bawah."),
        },
        OptionSpec {
            name: "cols",
            kind: side,
            about: Text::new("How many boxes are side by side.", "Jumlah kotak dari kiri ke kanan."),
        },
        OptionSpec {
            name: "border",
            kind: OptionKind::choice(Border::WORDS, Border::WORDS[0]),
            about: Text::new(
                "Which border lines are drawn at the start. none: no line; icelandic: left and bottom; swedish: all of them.",
                "Garis tepi yang sudah ada di awal. none: tidak ada; icelandic: kiri dan bawah; swedish: semuanya.",
            ),
        },
    ]
}

/// Does the board that `settings` ask for fit `DotsAndBoxes<u64>`? Otherwise
/// it needs `DotsAndBoxes<Bits256>`.
#[must_use]
pub fn fits_one_word(settings: &Settings) -> bool {
    let (rows, cols) = (settings.integer("rows"), settings.integer("cols"));
    2 * rows * cols + rows + cols <= 64
}

/// Dots and Boxes with its options settled, on boards whose lines fit `B`.
///
/// ```
/// use papan_games::dots_and_boxes::Border;
/// use papan_games::prelude::*;
///
/// let game = DotsAndBoxes::new(3, 3);
/// assert_eq!(game.start().legal_moves().len(), 24);
///
/// let swedish: DotsAndBoxes = "dots-and-boxes:rows=5,cols=5,border=swedish".parse().unwrap();
/// assert_eq!(swedish.border(), Border::Swedish);
/// ```
#[derive(Clone, Debug)]
pub struct DotsAndBoxes<B: Bits = u64> {
    geometry: &'static Geometry<B>,
    spec: String,
}

impl DotsAndBoxes {
    /// A board of so many boxes, no line drawn.
    ///
    /// # Panics
    /// If it has no rows or columns, or more than 64 lines: those up to 10 by
    /// 10 are made by [`DotsAndBoxes::large`].
    #[must_use]
    pub fn new(rows: usize, cols: usize) -> Self {
        Self::sized(rows, cols)
    }
}

impl DotsAndBoxes<Bits256> {
    /// A board of any size, up to 10 by 10: slower than [`DotsAndBoxes::new`].
    ///
    /// ```
    /// use papan_games::prelude::*;
    ///
    /// assert_eq!(DotsAndBoxes::large(10, 10).start().legal_moves().len(), 220);
    /// ```
    ///
    /// # Panics
    /// If it has no rows or columns, or more than 10.
    #[must_use]
    pub fn large(rows: usize, cols: usize) -> Self {
        Self::sized(rows, cols)
    }
}

impl<B: Bits> DotsAndBoxes<B> {
    fn sized(rows: usize, cols: usize) -> Self {
        let game = format!("{NAME}:rows={rows},cols={cols}").parse();
        game.unwrap_or_else(|error| panic!("{error}"))
    }

    /// How many boxes are above each other.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.geometry.rows
    }

    /// How many boxes are side by side.
    #[must_use]
    pub fn cols(&self) -> usize {
        self.geometry.cols
    }

    /// Which border lines are drawn at the start.
    #[must_use]
    pub fn border(&self) -> Border {
        self.geometry.border
    }

    /// Where the line of a move is.
    #[must_use]
    pub fn line(&self, mv: Place) -> Line {
        self.geometry.line(mv.index())
    }

    /// The move that draws `line`, which must be on the board.
    #[must_use]
    pub fn place(&self, line: Line) -> Place {
        Place(self.geometry.index(line) as u8)
    }
}

impl<B: Bits> FromStr for DotsAndBoxes<B> {
    type Err = ParseError;

    /// Reads the game's name with its options.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        papan_core::read_game(text)
    }
}

impl<B: Bits> Game for DotsAndBoxes<B> {
    type Position = DotsAndBoxesPosition<B>;

    const NAME: &'static str = NAME;

    const VALUES_TO_COME: bool = true;

    fn fits(settings: &Settings) -> bool {
        fits_one_word(settings) || B::CAPACITY > u64::CAPACITY
    }

    fn from_settings(settings: &Settings) -> Result<Self, ParseError> {
        let [rows, cols] = ["rows", "cols"].map(|name| settings.integer(name) as u8);
        Ok(Self {
            geometry: Geometry::interned(rows, cols, Border::from_word(settings.choice("border"))),
            spec: settings.canonical(NAME, &options()),
        })
    }

    fn info() -> GameInfo {
        GameInfo {
            name: NAME,
            title: Text::new("Dots and Boxes", "Titik dan Kotak"),
            about: Text::new(
                "Draw lines between dots; whoever completes a box owns it and goes on; most boxes win.",
                "Tarik garis antartitik; yang melengkapi kotak memilikinya dan melangkah lagi; kotak terbanyak menang.",
            ),
            options: options(),
            rules: Text::new(include_str!("rules.en.md"), include_str!("rules.id.md")),
        }
    }

    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn players(&self) -> [PlayerLook; 2] {
        [
            PlayerLook { name: Text::new("Player 1", "Pemain 1"), symbol: '1', look: Look::Cross },
            PlayerLook { name: Text::new("Player 2", "Pemain 2"), symbol: '2', look: Look::Ring },
        ]
    }

    fn start(&self) -> Self::Position {
        DotsAndBoxesPosition::start(self.geometry)
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
        notation::write_line(self.line(mv))
    }

    fn scene(&self, position: &Self::Position) -> Scene {
        scene::scene(position, self.players())
    }

    fn edited(&self, position: &Self::Position, edit: Edit<'_>) -> Result<Self::Position, ParseError> {
        editing::edited(position, edit)
    }

    fn margin_bound(&self) -> i32 {
        self.geometry.box_count() as i32
    }

    fn longest(&self) -> u32 {
        (self.geometry.all_lines & !self.geometry.drawn_at_start).count()
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
        Place(self.geometry.turned_line(symmetry, mv.index()) as u8)
    }

    fn suit_settings_to(settings: &mut Settings, position: &str) {
        notation::suit_settings(settings, position);
    }
}
