//! What is known of a game once it has been played.

use std::fmt;
use std::path::PathBuf;

use papan_core::Player as Side;
use papan_core::table::Table;
use serde::{Deserialize, Serialize};

use super::rules::Penalty;

/// How a game ended, or what a player did wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// By its rules.
    Finished,
    /// No answer in time.
    Timeout,
    /// A move that is not legal.
    Illegal,
    /// The program ended, or closed its output.
    Crash,
    /// Too long a line, or too much output for one move.
    OutputLimit,
    /// Output that is not text, or no line of the protocol.
    Garbage,
    /// A word of the protocol in the wrong place or form.
    Protocol,
    /// Not played to its end: the match was stopped, or whoever tried to, time
    /// and again, was never heard of again.
    GivenUp,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Finished => "FINISHED",
            Self::Timeout => "TIMEOUT",
            Self::Illegal => "ILLEGAL",
            Self::Crash => "CRASH",
            Self::OutputLimit => "OUTPUT_LIMIT",
            Self::Garbage => "GARBAGE",
            Self::Protocol => "PROTOCOL",
            Self::GivenUp => "GIVEN_UP",
        })
    }
}

/// Something that a player did wrong, and what it cost.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// Moves made before it, the opening not counted.
    pub ply: usize,
    /// Who did it.
    pub side: Side,
    /// What kind of fault it is.
    pub verdict: Verdict,
    /// What it cost.
    pub penalty: Penalty,
    /// What happened, in words.
    pub detail: String,
}

/// What happened in a game. Moves are kept as numbers
/// ([`papan_core::Move::index`]); [`GameRecord::moves_text`] writes them.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// The moves after the opening.
    pub moves: Vec<u16>,
    /// The time that each move took, in microseconds.
    pub times: Vec<u32>,
    /// How it ended: [`Verdict::Finished`], or the fault that ended it.
    pub verdict: Verdict,
    /// Does it count? Not if a fault was to be skipped.
    pub counts: bool,
    /// Who won, `None` for a draw or a game that does not count.
    pub winner: Option<Side>,
    /// The points of the first and of the second player.
    pub score: [i32; 2],
    /// The longest time each took for a move, in seconds.
    pub longest_move: [f64; 2],
    /// Everything that was done wrong, in order.
    pub faults: Vec<Fault>,
    /// Where the standard error of each is kept.
    pub stderr: [Option<PathBuf>; 2],
}

impl GameRecord {
    /// The moves as text. `start` is a table at the position after the
    /// opening.
    ///
    /// # Panics
    /// If the moves are not legal there.
    #[must_use]
    pub fn moves_text(&self, start: &dyn Table) -> Vec<String> {
        let mut table = start.fork();
        let opening = table.ply();
        for &mv in &self.moves {
            assert!(table.play_index(usize::from(mv)), "recorded moves are legal");
        }
        table.moves().split_off(opening)
    }
}
