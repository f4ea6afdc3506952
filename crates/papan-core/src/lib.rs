//! The words that every other Papan crate is written in.
//!
//! A [`Game`] gives [`Position`]s; a [`Bot`] chooses a [`Move`] in one within a
//! [`Budget`] and reports to an [`Observer`]; a [`table::Table`] is a game in
//! progress behind an object-safe face; a [`scene::Scene`] is a position as
//! shapes, which [`render`] draws.

mod bits;
mod bot;
mod budget;
pub mod conformance;
pub mod edit;
mod effects;
pub mod error;
mod game;
pub mod grid;
mod insight;
mod named;
pub mod observer;
mod options;
mod perft;
mod player;
mod playout;
mod position;
pub mod prelude;
mod random;
pub mod render;
pub mod scene;
pub mod solver;
pub mod table;
mod text;
mod value;

pub use bits::{BitIter, Bits, Bits256};
pub use bot::{AnyBot, Bot, BotEntry, BotInfo, Decision, Exactness, MoveValue};
pub use budget::{Budget, Meter, StopToken};
pub use effects::Effects;
pub use error::ParseError;
pub use game::{AtEnd, Evaluation, Game, GameInfo, MoveOf};
pub use insight::Insight;
pub use named::read_game;
pub use observer::{Observer, Recorder, Silent, Tally};
pub use options::{OptionKind, OptionSpec, Settings, Spec, parse_time};
pub use perft::{Digest, perft};
pub use player::Player;
pub use playout::playout;
pub use position::{Move, MoveSet, Place, PlaceIter, Places, Position};
pub use random::{Random, mix};
pub use text::{Language, Text};
pub use value::{Bound, Margin, Perspective, Score, Window, seen_by};
