//! A game to be played, and what came of it: plain data, so that a job can be
//! played in this process or on another machine.

use std::path::Path;

use papan_core::error::redacted;
use papan_core::table::Table;
use papan_core::{Player as Side, StopToken};
use serde::{Deserialize, Serialize};

use crate::matches::Opening;
use crate::player::Player;
use crate::referee::{self, Fault, Rules, Verdict};

/// Bytes of a faulty bot's standard error that go into the result.
const LAST_WORDS: usize = 2000;

/// Who sits on a chair.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chair {
    /// The entrant's number.
    pub entrant: usize,
    /// What plays.
    pub bot: String,
}

/// A game to be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The version of this form.
    pub version: u32,
    /// Tells this game from every other: made of the tournament (and so its
    /// seed and openings), the round, who opens, who does not, and the number
    /// of the opening in the meeting.
    pub id: String,
    /// The tournament's fingerprint.
    pub tournament: u64,
    /// The game, with options.
    pub game: String,
    /// The number of the round, from 0.
    pub round: usize,
    /// The first and the second player.
    pub chairs: [Chair; 2],
    /// The moves that are made for the players.
    pub opening: Vec<String>,
    /// What everything random in this game draws from.
    pub seed: u64,
    /// What it is played under.
    pub rules: Rules,
}

impl Job {
    /// The version that this program writes and reads.
    pub const VERSION: u32 = 1;
}

/// What came of a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The version of this form.
    pub version: u32,
    /// The job's id.
    pub id: String,
    /// The moves after the opening.
    pub moves: Vec<String>,
    /// The time of each move, in microseconds.
    pub times_us: Vec<u32>,
    /// How it ended.
    pub verdict: Verdict,
    /// Does it count?
    pub counts: bool,
    /// Who won.
    pub winner: Option<Side>,
    /// The points of the first and of the second player.
    pub score: [i32; 2],
    /// Everything that was done wrong.
    pub faults: Vec<Fault>,
    /// The end of the standard error of a bot that did something wrong; of a
    /// game that was given up, the log of the attempts (in the first place).
    pub last_words: [Option<String>; 2],
    /// The worker that played it, where it came over a queue: said by whoever
    /// took it in, not by the worker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
}

impl Outcome {
    /// Of a job that nobody could play: it does not count, and what is known
    /// of the attempts is kept with it.
    #[must_use]
    pub fn given_up(id: &str, log: &str) -> Self {
        Self {
            version: Job::VERSION,
            id: id.to_owned(),
            moves: Vec::new(),
            times_us: Vec::new(),
            verdict: Verdict::GivenUp,
            counts: false,
            winner: None,
            score: [0; 2],
            faults: Vec::new(),
            last_words: [Some(redacted(log)), None],
            worker: None,
        }
    }

    /// The points of `side` in halves: 0 lost, 1 drawn, 2 won; `None` if the
    /// game does not count.
    #[must_use]
    pub fn half_points(&self, side: Side) -> Option<u32> {
        self.counts.then(|| match self.winner {
            None => 1,
            Some(winner) if winner == side => 2,
            Some(_) => 0,
        })
    }
}

/// Makes tables and players from their names: the one thing that a job does
/// not carry.
pub trait Supplier: Send + Sync {
    /// A table of `game` at its start.
    fn table(&self, game: &str) -> Result<Box<dyn Table>, String>;
    /// A fresh player of `game`.
    fn player(&self, game: &str, bot: &str) -> Result<Player, String>;
    /// Sees the table of a game under way, at its start and after each move.
    fn watch(&self, _job: &Job, _table: &dyn Table) {}
}

/// What a job needs from the machine that it is played on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place<'a> {
    /// Where the standard error of outside programs is kept.
    pub stderr_folder: Option<&'a Path>,
    /// The core that outside programs are bound to.
    pub core: Option<usize>,
    /// The core of the second player's, where each side has its own.
    pub second_core: Option<usize>,
}

/// Plays a job. An error is a job that cannot be played here at all; whatever
/// the players do, there is an outcome.
pub fn perform(job: &Job, supplier: &dyn Supplier, place: Place<'_>) -> Result<Outcome, String> {
    perform_until(job, supplier, place, &StopToken::new())
}

/// As [`perform`]; a game that is stopped is [`Verdict::GivenUp`].
pub fn perform_until(
    job: &Job,
    supplier: &dyn Supplier,
    place: Place<'_>,
    stop: &StopToken,
) -> Result<Outcome, String> {
    if job.version != Job::VERSION {
        return Err(format!("job {}: version {}, expected {}", job.id, job.version, Job::VERSION));
    }
    let start = supplier.table(&job.game)?;
    let opening = Opening::read(&*start, &job.opening).map_err(|error| format!("job {}: {error}", job.id))?;
    let [first, second] = &job.chairs;
    let mut first = supplier.player(&job.game, &first.bot)?;
    let mut second = supplier.player(&job.game, &second.bot)?;
    let rules = Rules {
        stderr_folder: place.stderr_folder.map(Path::to_owned),
        label: job.id.clone(),
        core: place.core,
        second_core: place.second_core,
        ..job.rules.clone()
    };
    let watch = |table: &dyn Table| supplier.watch(job, table);
    let players = [&mut first, &mut second];
    let record = referee::play_watched(&mut *opening.table.fork(), players, &rules, stop, watch);
    let moves = record.moves_text(&*opening.table);
    let faulty = |side: Side| record.faults.iter().any(|fault| fault.side == side);
    let last_words = Side::BOTH.map(|side| {
        let file = record.stderr[side.index()].as_deref()?;
        let words = last_words(file, faulty(side));
        if words.is_none() && std::fs::metadata(file).is_ok_and(|data| data.len() == 0) {
            let _ = std::fs::remove_file(file);
        }
        words
    });
    Ok(Outcome {
        version: Job::VERSION,
        id: job.id.clone(),
        moves,
        times_us: record.times,
        verdict: record.verdict,
        counts: record.counts,
        winner: record.winner,
        score: record.score,
        faults: record.faults,
        last_words,
        worker: None,
    })
}

/// The end of a file, if it is `wanted` and not empty.
fn last_words(file: &Path, wanted: bool) -> Option<String> {
    let bytes = if wanted { std::fs::read(file).ok()? } else { return None };
    let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(LAST_WORDS)..]).trim().to_owned();
    // What a bot says may be what it has found.
    let text = redacted(&text);
    (!text.is_empty()).then_some(text)
}
