//! What came of a match or a tournament, for people and for programs: a table
//! for the terminal, JSON, CSV, and one page that needs nothing else.

mod conditions;
mod csv;
mod html;
mod replay;
mod standings;
mod summary;
mod text;
mod tie_breaks;
mod workers;

use papan_core::Player as Side;
#[cfg(feature = "processes")]
use papan_core::error::redacted;
use papan_core::table::Table;
use serde::Serialize;

pub use conditions::Conditions;
pub use standings::Standing;
pub use summary::{Summary, summarise};
pub use tie_breaks::TieBreak;
pub use workers::WorkerLine;

use crate::matches::{Contest, MatchReport};
use crate::pairing::{Format, PlayedRound};
use crate::referee::{Fault, Rules, Verdict};
#[cfg(feature = "processes")]
use crate::tournament::{PlayedGame, Progress, Setup};

/// Games with what is needed to sum them up.
#[derive(Clone, Debug)]
pub struct Report {
    /// The name of the tournament or match.
    pub name: String,
    /// The game, with options.
    pub game: String,
    /// How entrants met; `None` for a match.
    pub format: Option<Format>,
    /// What everything random drew from.
    pub seed: u64,
    /// Who took part: name, and what played.
    pub entrants: Vec<(String, String)>,
    /// Every game.
    pub games: Vec<ReportGame>,
    /// The rounds that are whole; none for a match.
    pub rounds: Vec<PlayedRound>,
    /// The games of a meeting.
    pub meeting: usize,
    /// How many games there were to be.
    pub expected: usize,
    /// Have all been played?
    pub finished: bool,
    /// What every game was played under.
    pub rules: Rules,
    /// How well outside programs were shut in.
    pub sandbox: Option<String>,
}

/// One game of a report.
#[derive(Clone, Debug, Serialize)]
pub struct ReportGame {
    /// The number of the round, from 1.
    pub round: usize,
    /// The number of who moved first.
    pub first: usize,
    /// The number of who moved second.
    pub second: usize,
    /// The moves that were made for them.
    pub opening: Vec<String>,
    /// Their own moves.
    pub moves: Vec<String>,
    /// The time of each, in microseconds.
    pub times_us: Vec<u32>,
    /// Who made each: the same player may move again.
    #[serde(skip)]
    pub movers: Vec<Side>,
    /// How it ended.
    pub verdict: Verdict,
    /// Does it count?
    pub counts: bool,
    /// Who won.
    pub winner: Option<Side>,
    /// The points of the first and of the second player.
    pub score: [i32; 2],
    /// What was done wrong.
    pub faults: Vec<Fault>,
    /// The end of the standard error of a bot that did something wrong.
    #[serde(skip_serializing_if = "no_words")]
    pub last_words: [Option<String>; 2],
    /// The worker that played it, where it came over a queue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
}

fn no_words(words: &[Option<String>; 2]) -> bool {
    words.iter().all(Option::is_none)
}

impl Report {
    /// The report of a tournament as far as it has been played. `start` is a
    /// table at the game's start.
    #[cfg(feature = "processes")]
    #[must_use]
    pub fn of_tournament(setup: &Setup, start: &dyn Table, progress: Progress, sandbox: Option<String>) -> Self {
        let played = progress.games.len();
        Self {
            name: redacted(&setup.name),
            game: setup.game.clone(),
            format: Some(setup.format),
            seed: setup.seed,
            entrants: setup.entrants.iter().map(|entrant| (redacted(&entrant.name), redacted(&entrant.bot))).collect(),
            games: progress.games.into_iter().map(|game| ReportGame::of_tournament(start, game)).collect(),
            rounds: progress.rounds,
            meeting: setup.games,
            expected: if progress.finished { played } else { setup.expected_games().max(played) },
            finished: progress.finished,
            rules: setup.rules.clone(),
            sandbox,
        }
    }

    /// The report of a match as far as it has been played.
    #[must_use]
    pub fn of_match(contest: &Contest<'_>, report: &MatchReport, sandbox: Option<String>) -> Self {
        let games = report.games.iter().enumerate().map(|(number, game)| ReportGame {
            round: number / 2 + 1,
            first: game.first_bot,
            second: 1 - game.first_bot,
            opening: game.opening.moves.clone(),
            moves: game.moves(),
            times_us: game.record.times.clone(),
            movers: movers(&*game.opening.table, &[], &game.moves()),
            verdict: game.record.verdict,
            counts: game.record.counts,
            winner: game.record.winner,
            score: game.record.score,
            faults: game.record.faults.clone(),
            last_words: [None, None],
            worker: None,
        });
        // A bot may play itself: then the two need different names.
        let names = &contest.names;
        let labels = if names[0] == names[1] { ["A: ", "B: "] } else { ["", ""] };
        let entrants = [0, 1].map(|one: usize| (format!("{}{}", labels[one], names[one]), names[one].clone()));
        Self {
            name: format!("{} – {}", entrants[0].0, entrants[1].0),
            game: contest.table.spec(),
            format: None,
            seed: contest.seed,
            entrants: entrants.to_vec(),
            games: games.collect(),
            rounds: Vec::new(),
            meeting: 2,
            expected: report.expected,
            finished: !report.is_partial(),
            rules: contest.rules.clone(),
            sandbox,
        }
    }
}

impl ReportGame {
    #[cfg(feature = "processes")]
    fn of_tournament(start: &dyn Table, PlayedGame { job, outcome }: PlayedGame) -> Self {
        let [first, second] = job.chairs;
        Self {
            round: job.round + 1,
            first: first.entrant,
            second: second.entrant,
            movers: movers(start, &job.opening, &outcome.moves),
            opening: job.opening,
            moves: outcome.moves,
            times_us: outcome.times_us,
            verdict: outcome.verdict,
            counts: outcome.counts,
            winner: outcome.winner,
            score: outcome.score,
            faults: outcome.faults,
            last_words: outcome.last_words,
            worker: outcome.worker,
        }
    }

    /// The points of whoever sat on `side`, in halves; `None` if the game does
    /// not count.
    #[must_use]
    pub fn half_points(&self, side: Side) -> Option<u32> {
        self.counts.then(|| match self.winner {
            None => 1,
            Some(winner) if winner == side => 2,
            Some(_) => 0,
        })
    }

    /// The number of whoever sat on `side`.
    #[must_use]
    pub fn entrant(&self, side: Side) -> usize {
        if side == Side::First { self.first } else { self.second }
    }
}

/// Who made each of `moves` after `opening`.
fn movers(start: &dyn Table, opening: &[String], moves: &[String]) -> Vec<Side> {
    let mut table = start.fork();
    let mut movers = Vec::new();
    for mv in opening.iter().chain(moves) {
        movers.push(table.to_move());
        if table.play(mv).is_err() {
            break;
        }
    }
    movers.split_off(opening.len().min(movers.len()))
}
