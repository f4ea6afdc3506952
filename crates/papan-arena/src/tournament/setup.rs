//! What a tournament is: everything that decides who plays whom, from what,
//! under which rules. It is stored with the games, so that a tournament goes
//! on only as what it began as.

use papan_core::{Random, mix};
use serde::{Deserialize, Serialize};

use super::job::{Chair, Job};
use crate::pairing::{Format, Meeting};
use crate::referee::Rules;

/// Someone who takes part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// The name in the standings; no two are the same.
    pub name: String,
    /// What plays: a bot of the roster, or `exec:COMMAND`.
    pub bot: String,
}

impl Entrant {
    /// The same entrant with the bot's name as `rename` gives it; its own name
    /// follows if it is the bot's, numbered or not.
    #[must_use]
    pub fn renamed(self, rename: &dyn Fn(&str) -> String) -> Self {
        let bot = rename(&self.bot);
        let number = self.name.strip_prefix(&self.bot).filter(|rest| rest.is_empty() || rest.starts_with(" ("));
        let name = number.map(|number| format!("{bot}{number}"));
        Self { name: name.unwrap_or(self.name), bot }
    }
}

/// A tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// Its name.
    pub name: String,
    /// The game, in canonical spelling.
    pub game: String,
    /// How entrants meet.
    pub format: Format,
    /// The games of a meeting: each opening is played by both sides.
    pub games: usize,
    /// What draws, openings and bots depend on.
    pub seed: u64,
    /// Who takes part, best seed first.
    pub entrants: Vec<Entrant>,
    /// What games start from, as moves: the k-th pair of games of a round's
    /// meetings starts from the k-th, the next round goes on after it, and
    /// after the last comes the first.
    pub openings: Vec<Vec<String>>,
    /// What each game is played under.
    pub rules: Rules,
}

impl Setup {
    /// A number that tells this tournament from any other.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let text = serde_json::to_string(self).expect("a setup is plain data");
        text.bytes().fold(0x7061_7061_6e01, |hash, byte| mix(hash ^ u64::from(byte)))
    }

    /// The same tournament with every bot's name as `rename` gives it: what a
    /// reader is shown. Ids of games depend on the names that it began with.
    #[must_use]
    pub fn renamed(mut self, rename: &dyn Fn(&str) -> String) -> Self {
        self.entrants = self.entrants.into_iter().map(|entrant| entrant.renamed(rename)).collect();
        self
    }

    /// How many games there will be, tie-breaks not included.
    #[must_use]
    pub fn expected_games(&self) -> usize {
        self.format.meetings(self.entrants.len()) * self.games
    }

    /// The jobs of a meeting in round number `round`; `tournament` is the
    /// fingerprint.
    #[must_use]
    pub fn jobs(&self, tournament: u64, round: usize, meeting: Meeting) -> Vec<Job> {
        (0..self.games).map(|game| self.job(tournament, round, meeting, game)).collect()
    }

    fn job(&self, tournament: u64, round: usize, Meeting(a, b): Meeting, game: usize) -> Job {
        let (first, second) = if game.is_multiple_of(2) { (a, b) } else { (b, a) };
        let opening = round * self.games.div_ceil(2) + game / 2;
        let number = ((round * self.entrants.len() + a) * self.entrants.len() + b) * self.games + game;
        let seed = mix(self.seed ^ mix(number as u64 + 1));
        let chair = |entrant: usize| Chair { entrant, bot: self.entrants[entrant].bot.clone() };
        let moves = self.openings.get(opening % self.openings.len().max(1)).cloned().unwrap_or_default();
        Job {
            version: Job::VERSION,
            id: format!("{tournament:016x}-{}-{first}-{second}-{}", round + 1, game / 2 + 1),
            tournament,
            game: self.game.clone(),
            round,
            chairs: [chair(first), chair(second)],
            opening: moves,
            seed,
            rules: Rules { seed, ..self.rules.clone() },
        }
    }
}

/// The generator of a tournament's openings.
#[must_use]
pub(super) fn opening_random(seed: u64, number: usize) -> Random {
    Random::new(mix(seed ^ mix(0x6f70_656e ^ number as u64)))
}
