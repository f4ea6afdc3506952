//! Who meets whom: four formats, each a pure function from what has been
//! played to the next round. So a tournament that was interrupted goes on with
//! the same pairings.

mod knockout;
mod round_robin;
mod swiss;

use serde::{Deserialize, Serialize};

/// How entrants meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Format {
    /// Everyone meets everyone.
    RoundRobin,
    /// The first entrants meet everyone after them, and not each other.
    Gauntlet {
        /// How many of them.
        challengers: usize,
    },
    /// So many rounds between entrants of like score who have not met.
    Swiss {
        /// How many rounds.
        rounds: usize,
    },
    /// Whoever loses a meeting is out.
    Knockout {
        /// Further meetings of two who are level, before the margin decides.
        tie_breaks: usize,
    },
}

impl Format {
    /// The name in tournament files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet { .. } => "gauntlet",
            Self::Swiss { .. } => "swiss",
            Self::Knockout { .. } => "knockout",
        }
    }

    /// The next round, `None` if the tournament is over. `entrants` is how
    /// many there are, best seed first; `games` how many a meeting has; `played`
    /// every round before, whole.
    #[must_use]
    pub fn next_round(self, entrants: usize, games: usize, seed: u64, played: &[PlayedRound]) -> Option<Round> {
        let round = match self {
            Self::RoundRobin if played.is_empty() => round_robin::everyone(entrants),
            Self::Gauntlet { challengers } if played.is_empty() => round_robin::gauntlet(entrants, challengers),
            Self::RoundRobin | Self::Gauntlet { .. } => return None,
            Self::Swiss { rounds } if played.len() < rounds => swiss::next(entrants, games, seed, played)?,
            Self::Swiss { .. } => return None,
            Self::Knockout { tie_breaks } => knockout::next(entrants, tie_breaks, played)?,
        };
        (!round.meetings.is_empty()).then_some(round)
    }

    /// How many meetings there will be, tie-breaks not included.
    #[must_use]
    pub const fn meetings(self, entrants: usize) -> usize {
        match self {
            Self::RoundRobin => entrants * entrants.saturating_sub(1) / 2,
            Self::Gauntlet { challengers } => challengers * entrants.saturating_sub(challengers),
            Self::Swiss { rounds } => rounds * (entrants / 2),
            Self::Knockout { .. } => entrants.saturating_sub(1),
        }
    }
}

/// Two entrants, by number; the one named first opens the first game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Meeting(pub usize, pub usize);

/// Meetings that can be played at the same time or in any order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Round {
    /// Who meets whom.
    pub meetings: Vec<Meeting>,
    /// Who has no opponent, and is given the points of a won meeting.
    pub bye: Option<usize>,
}

/// A meeting that has been played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MeetingScore {
    /// Who met whom.
    pub meeting: Meeting,
    /// Their points in halves, in the same order.
    pub half_points: [u32; 2],
    /// By how many points on the board the one named first was ahead, in all.
    pub margin: i64,
}

/// A round that has been played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayedRound {
    /// Its meetings.
    pub scores: Vec<MeetingScore>,
    /// Who had no opponent.
    pub bye: Option<usize>,
}

impl PlayedRound {
    /// A round as if it had been played without any points.
    pub(crate) fn unscored(round: &Round) -> Self {
        let score = |&meeting: &Meeting| MeetingScore { meeting, half_points: [0; 2], margin: 0 };
        Self { scores: round.meetings.iter().map(score).collect(), bye: round.bye }
    }
}

/// For each entrant of a knockout the level of the bracket at which it was
/// beaten: larger for whoever lasted longer, and largest for whoever is still
/// in.
#[must_use]
pub fn knockout_survival(entrants: usize, tie_breaks: usize, played: &[PlayedRound]) -> Vec<usize> {
    knockout::survival(entrants, tie_breaks, played)
}
