//! What a game promises beyond its positions: names, notation, pictures.

use serde::Serialize;

use crate::edit::Edit;
use crate::scene::{PlayerLook, Scene};
use crate::{OptionSpec, ParseError, Player, Position, Score, Settings, Text};

/// How a game describes itself: page, help and API are made from this.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameInfo {
    /// The name before the colon.
    pub name: &'static str,
    /// The name for people.
    pub title: Text,
    /// What it is, in one sentence.
    pub about: Text,
    /// Its options.
    pub options: Vec<OptionSpec>,
    /// Its rules, as a short Markdown text.
    pub rules: Text,
}

/// A game with its options settled.
pub trait Game: Clone + Send + Sync + 'static {
    /// The game's positions.
    type Position: Position;

    /// Do players of this game quote values as the points still to be won,
    /// not as the final margin?
    const VALUES_TO_COME: bool = false;

    /// The game's own description.
    fn info() -> GameInfo;

    /// Can this type play the game with these settings? A game with types for
    /// small and large boards has the roster try each in turn.
    fn fits(_settings: &Settings) -> bool {
        true
    }

    /// The game with its checked options, which must [`Game::fits`] it.
    fn from_settings(settings: &Settings) -> Result<Self, ParseError>;

    /// The canonical name with options, `othello:size=6`.
    fn spec(&self) -> String;

    /// The names and looks of the first and the second player.
    fn players(&self) -> [PlayerLook; 2];

    /// The position that a game starts from.
    fn start(&self) -> Self::Position;

    /// Reads a position in any of the game's spellings.
    fn read_position(&self, text: &str) -> Result<Self::Position, ParseError>;

    /// Writes a position in the one canonical spelling.
    fn write_position(&self, position: &Self::Position) -> String;

    /// Reads a move in any of the game's spellings: the move exists on this
    /// board, but need not be legal now.
    fn read_move(&self, text: &str) -> Result<MoveOf<Self>, ParseError>;

    /// Writes a move in the one canonical spelling.
    fn write_move(&self, mv: MoveOf<Self>) -> String;

    /// The position as shapes: see [`Scene`].
    fn scene(&self, position: &Self::Position) -> Scene;

    /// The position with one thing changed by hand, whether or not a game can
    /// lead to it. The error says in plain words why it cannot be: no such
    /// place, nothing of that kind there, or a position that the rules of the
    /// game cannot go on from.
    fn edited(&self, position: &Self::Position, edit: Edit<'_>) -> Result<Self::Position, ParseError>;

    /// What else a player wants to see beside the board and the points, such
    /// as the rounds left: each with a label and a value.
    fn status(&self, _position: &Self::Position) -> Vec<(Text, String)> {
        Vec::new()
    }

    /// No margin of this game is beyond plus or minus this.
    fn margin_bound(&self) -> i32;

    /// No game from the start takes more plies than this.
    fn longest(&self) -> u32;

    /// Named evaluations, the game's own choice first.
    fn evaluations() -> Vec<Evaluation<Self::Position>>;

    /// How good a move is before looking at the position: higher is tried
    /// earlier by searches that order moves by place.
    fn preference(&self, _mv: MoveOf<Self>) -> i32 {
        0
    }

    /// How many symmetries keep the rules and the colours, the identity
    /// (number 0) among them.
    fn symmetries(&self) -> usize {
        1
    }

    /// `position` under symmetry number `symmetry`.
    fn symmetric_position(&self, _symmetry: usize, position: &Self::Position) -> Self::Position {
        *position
    }

    /// `mv` under symmetry number `symmetry`.
    fn symmetric_move(&self, _symmetry: usize, mv: MoveOf<Self>) -> MoveOf<Self> {
        mv
    }

    /// Lets a position's text settle options that nobody typed, such as the
    /// size of the board.
    fn suit_settings_to(_settings: &mut Settings, _position: &str) {}
}

/// The move type of a game.
pub type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// What an evaluation says of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtEnd {
    /// The outcome, beyond any estimate: [`Score::decided`].
    Outcome,
    /// The same formula as anywhere else, as some classic programs do.
    SameFormula,
}

/// A named estimate of a position from one chair.
#[derive(Clone, Debug)]
pub struct Evaluation<P: Position> {
    /// The name for `eval=`.
    pub name: &'static str,
    /// What it counts, in one sentence.
    pub about: Text,
    /// What it says of a finished game.
    pub at_end: AtEnd,
    /// The estimate for `chair`, `ply` plies below the root.
    pub estimate: fn(position: &P, chair: Player, ply: u32) -> Score,
}

impl<P: Position> Evaluation<P> {
    /// The estimate of a game still going on.
    #[inline(always)]
    pub fn estimate(&self, position: &P, chair: Player, ply: u32) -> Score {
        (self.estimate)(position, chair, ply)
    }

    /// The value of a finished game.
    #[inline(always)]
    pub fn finished(&self, position: &P, chair: Player, ply: u32) -> Score {
        match self.at_end {
            AtEnd::Outcome => Score::decided(position.margin().for_player(chair)),
            AtEnd::SameFormula => self.estimate(position, chair, ply),
        }
    }
}
