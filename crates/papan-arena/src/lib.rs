//! Matches between bots: who plays whom from which opening, what came of it,
//! and what that says.

mod game;
mod matches;
mod openings;
pub mod statistics;

pub use game::{GameRecord, Limits, Verdict, play_game};
pub use matches::{BotMaker, Contest, MatchGame, MatchReport, Progress, play_match};
pub use openings::{Openings, random_opening};
