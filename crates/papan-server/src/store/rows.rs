//! Games as they are stored.

use papan_core::Player;
use serde::{Deserialize, Serialize};

use crate::clock::ClockSpec;

/// Who sits at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SeatKind {
    /// The person who made the game.
    Person,
    /// Whoever opens the join link first.
    Link,
    /// A program.
    Bot,
}

impl SeatKind {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Link => "link",
            Self::Bot => "bot",
        }
    }

    pub(super) fn from_word(word: &str) -> Option<Self> {
        [Self::Person, Self::Link, Self::Bot].into_iter().find(|kind| kind.word() == word)
    }
}

/// A stored seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SeatRow {
    pub(crate) kind: SeatKind,
    /// What the player is called; empty if nobody said.
    pub(crate) name: String,
    /// The bot's name and options.
    pub(crate) spec: Option<String>,
    /// What the join link of a [`SeatKind::Link`] seat contains.
    pub(crate) secret: Option<String>,
    /// The key of whoever joined by the link.
    pub(crate) token: Option<String>,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Reason {
    Finished,
    Resigned,
    Time,
    Abandoned,
}

impl Reason {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Resigned => "resigned",
            Self::Time => "time",
            Self::Abandoned => "abandoned",
        }
    }

    pub(super) fn from_word(word: &str) -> Option<Self> {
        [Self::Finished, Self::Resigned, Self::Time, Self::Abandoned].into_iter().find(|reason| reason.word() == word)
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    pub(crate) winner: Option<Player>,
    pub(crate) reason: Reason,
}

/// A stored move, with the clock as it stood after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MoveRow {
    pub(crate) text: String,
    pub(crate) clock_ms: [u64; 2],
}

/// A stored game.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct GameRow {
    pub(crate) id: String,
    pub(crate) game: String,
    /// The part of `game` before the colon.
    pub(crate) name: String,
    pub(crate) start: String,
    pub(crate) owner_token: String,
    pub(crate) clock: ClockSpec,
    pub(crate) clock_ms: [u64; 2],
    pub(crate) ply: usize,
    pub(crate) points: [i32; 2],
    pub(crate) to_move: Player,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) paused: bool,
    pub(crate) speed_ms: u64,
    pub(crate) created_ms: u64,
    pub(crate) seats: [SeatRow; 2],
    /// Every move, the taken-back ones beyond `ply` included.
    pub(crate) moves: Vec<MoveRow>,
}

#[cfg(test)]
impl GameRow {
    /// A game of two people that has just begun.
    pub(crate) fn for_tests(id: &str, game: &str) -> Self {
        let seat = SeatRow { kind: SeatKind::Person, name: String::new(), spec: None, secret: None, token: None };
        Self {
            id: id.to_owned(),
            game: game.to_owned(),
            name: game.to_owned(),
            start: String::new(),
            owner_token: String::new(),
            clock: ClockSpec::None,
            clock_ms: [0, 0],
            ply: 0,
            points: [0, 0],
            to_move: Player::First,
            outcome: None,
            paused: false,
            speed_ms: 0,
            created_ms: 0,
            seats: [seat.clone(), seat],
            moves: Vec::new(),
        }
    }
}

/// A stored review of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ReviewRow {
    /// The moves that it is of, with spaces between them.
    pub(crate) line: String,
    /// How it was made.
    pub(crate) method: String,
    /// A line of JSON for each position.
    pub(crate) positions: String,
}

/// A stored game without its moves: a line of the library.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SummaryRow {
    /// Where the line stands in the library.
    pub(crate) seq: i64,
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) seats: [SeatRow; 2],
    pub(crate) ply: usize,
    pub(crate) points: [i32; 2],
    pub(crate) to_move: Player,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) created_ms: u64,
    pub(crate) updated_ms: u64,
}
