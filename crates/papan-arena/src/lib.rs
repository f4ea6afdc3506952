//! Matches between bots: who plays whom from which opening, what came of it,
//! and what that says.
//!
//! A [`Player`] is a bot in this process or an outside program; the
//! [`referee`] plays one game between two of them and gives a
//! [`GameRecord`]; outside programs run in a [`sandbox`]. A [`tournament`]
//! plays many, as its [`pairing`] says, and a [`report`] sums them up.

#[cfg(feature = "processes")]
pub mod check;
pub mod cores;
#[cfg(feature = "processes")]
pub mod engine;
mod matches;
mod openings;
#[cfg(feature = "processes")]
pub mod outside;
pub mod pairing;
mod player;
pub mod referee;
pub mod report;
#[cfg(feature = "processes")]
pub mod sandbox;
pub mod statistics;
#[cfg(feature = "processes")]
mod table_bot;
#[cfg(feature = "processes")]
pub mod tournament;

pub use matches::{Contest, MatchGame, MatchReport, Opening, PlayerMaker, Progress, SprtReport, play_match};
pub use openings::{Openings, random_opening};
#[cfg(feature = "processes")]
pub use outside::OutsideProgram;
pub use player::Player;
pub use referee::{Clock, Fault, GameRecord, Limits, Penalty, Policies, Rules, Verdict};
#[cfg(feature = "processes")]
pub use table_bot::{ProgramBot, Trouble};
