//! What makes positions a game: a name, a start and a notation, which are
//! enough to play; pictures, words, editing and more, each with a default.

use serde::Serialize;

use crate::edit::{self, Edit};
use crate::scene::{self, Look, PlayerLook, Scene};
use crate::{Move as _, OptionSpec, ParseError, Player, Position, Score, Settings, Text};

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

impl GameInfo {
    /// A game of which nothing but its name is known: `connect-four` is called
    /// "Connect Four", in every language.
    #[must_use]
    pub fn named(name: &'static str) -> Self {
        let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
        let words: Vec<_> = name.split('-').filter(|word| !word.is_empty()).map(capital).collect();
        let (title, nothing) = (Text::same(&words.join(" ")), Text::new("", ""));
        Self { name, title, about: nothing.clone(), options: Vec::new(), rules: nothing }
    }
}

/// A game with its options settled.
///
/// What has no default is enough to play: every bot, command and page takes
/// the game from there. The rest makes it a complete one;
/// [`crate::conformance::missing`] says what is still to be done.
pub trait Game: Clone + Send + Sync + 'static {
    /// The game's positions.
    type Position: Position;

    /// The name before the colon, in small letters and hyphens.
    const NAME: &'static str;

    /// Do players of this game quote values as the points still to be won,
    /// not as the final margin?
    const VALUES_TO_COME: bool = false;

    /// The game with its checked options, which must [`Game::fits`] it.
    fn from_settings(settings: &Settings) -> Result<Self, ParseError>;

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

    /// No margin of this game is beyond plus or minus this: 1 where games are
    /// only won, lost or drawn.
    fn margin_bound(&self) -> i32 {
        1
    }

    /// No game from the start takes more plies than this.
    fn longest(&self) -> u32 {
        MoveOf::<Self>::LIMIT as u32
    }

    /// The game's own description.
    fn info() -> GameInfo {
        GameInfo::named(Self::NAME)
    }

    /// Can this type play the game with these settings? A game with types for
    /// small and large boards has the roster try each in turn.
    fn fits(_settings: &Settings) -> bool {
        true
    }

    /// Lets a position's text settle options that nobody typed, such as the
    /// size of the board.
    fn suit_settings_to(_settings: &mut Settings, _position: &str) {}

    /// The canonical name with options, `othello:size=6`.
    fn spec(&self) -> String {
        Self::NAME.to_owned()
    }

    /// The names and looks of the first and the second player.
    fn players(&self) -> [PlayerLook; 2] {
        [('X', Look::Cross), ('O', Look::Ring)].map(|(symbol, look)| PlayerLook {
            name: Text::same(&symbol.to_string()),
            symbol,
            look,
        })
    }

    /// The position as shapes: see [`Scene`].
    fn scene(&self, position: &Self::Position) -> Scene {
        scene::from_notation(self, position)
    }

    /// What else a player wants to see beside the board and the points, such
    /// as the rounds left: each with a label and a value.
    fn status(&self, _position: &Self::Position) -> Vec<(Text, String)> {
        Vec::new()
    }

    /// The position with one thing changed by hand, whether or not a game can
    /// lead to it. The error says in plain words why it cannot be: no such
    /// place, nothing of that kind there, or a position that the rules of the
    /// game cannot go on from.
    fn edited(&self, _position: &Self::Position, _edit: Edit<'_>) -> Result<Self::Position, ParseError> {
        Err(edit::not_by_hand(Self::NAME))
    }

    /// Named evaluations, the game's own choice first.
    fn evaluations() -> Vec<Evaluation<Self::Position>> {
        vec![Evaluation::margin()]
    }

    /// How good a move is before looking at the position: higher is tried
    /// earlier by searches that order moves by place.
    fn preference(&self, _mv: MoveOf<Self>) -> i32 {
        0
    }

    /// How many symmetries keep the rules and the colours, the identity
    /// (number 0) among them. Moves that a symmetry of a position turns into
    /// each other are advised alike.
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
    /// The points so far, own minus the opponent's: what every game has.
    #[must_use]
    pub fn margin() -> Self {
        Self {
            name: "margin",
            about: Text::new("Own points minus the opponent's.", "Poin sendiri dikurangi poin lawan."),
            at_end: AtEnd::Outcome,
            estimate: |position, chair, _ply| position.margin().for_player(chair),
        }
    }

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
