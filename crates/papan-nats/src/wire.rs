//! What travels: runs, jobs, results, logs. Each is JSON with a version; what
//! cannot be read is refused with a reason.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use papan_arena::outside::Parcel;
use papan_arena::sandbox::ResourceLimits;
use papan_arena::tournament::{Job, Outcome};
use papan_core::error::one_line;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::names::{is_token, run_and_job, worker_of};

/// The version that this program writes and reads.
pub const VERSION: u32 = 2;

/// Bytes of a job, of a result and of a run at most.
pub(crate) const MOST_JOB: usize = 256 << 10;
pub(crate) const MOST_RESULT: usize = 512 << 10;
pub(crate) const MOST_RUN: usize = 900 << 10;

/// Games of a job of samples, and attempts at a job, at most.
const MOST_GAMES: usize = 1000;
const MOST_DELIVERIES: u32 = 1000;

/// What all jobs of a run have in common. A worker does only what it names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The version of this form.
    pub version: u32,
    /// What people call it.
    pub name: String,
    /// How often a job is handed out before it is given up.
    pub deliveries: u32,
    /// What is done.
    pub plan: Plan,
}

/// What is done in a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Plan {
    /// Games of a tournament.
    Games {
        /// The tournament's fingerprint: two that differ only in their seed are two runs.
        tournament: u64,
        /// The game, with options.
        game: String,
        /// Every bot that may play.
        bots: Vec<String>,
        /// Those of them that are programs.
        programs: BTreeMap<String, Program>,
        /// What a program may use up.
        limits: ResourceLimits,
        /// The sandbox level below which no program is run.
        require_sandbox: Option<String>,
    },
    /// Positions with scores, for training the Othello engine.
    Samples {
        /// The hash of the weights to play with; those of the program if left out.
        weights: Option<String>,
        /// What the games draw from.
        seed: u64,
    },
    /// The root moves of one position, each solved.
    Solve {
        /// The game, with options.
        game: String,
        /// The position whose moves they are.
        position: String,
        /// Megabytes for the hash table.
        table_mb: Option<usize>,
    },
}

/// A program of a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// The hash of its parcel's bytes, which is its name in the object store.
    pub hash: String,
    /// How it is run.
    pub parcel: Parcel,
}

/// One thing to do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// The version of this form.
    pub version: u32,
    /// Tells it from every other of its run.
    pub id: String,
    /// What to do.
    pub work: Work,
}

/// What a task asks for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Work {
    /// Play a game.
    Game(Box<Job>),
    /// Play games `first` and following with oneself and give every position a score.
    SelfPlay {
        /// The number of the first game.
        first: u32,
        /// How many.
        count: u32,
    },
    /// Give a score to every position of recorded games.
    Label {
        /// The number of the first game.
        first: u32,
        /// The games, as transcripts.
        games: Vec<String>,
    },
    /// Solve the position after a move of the run's position.
    SolveMove {
        /// The move.
        mv: String,
    },
}

/// What came of a task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The version of this form.
    pub version: u32,
    /// The task's id.
    pub id: String,
    /// Who did it.
    pub worker: String,
    /// The answer.
    pub answer: Answer,
}

/// An answer to a task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Answer {
    /// A game's outcome.
    Game(Box<Outcome>),
    /// Samples, as their file has them.
    Samples(Blob),
    /// A solved position, for its player to move.
    Solved {
        /// The value.
        value: i32,
        /// The line of best play.
        pv: Vec<String>,
        /// Positions visited.
        nodes: u64,
    },
    /// Nobody could do it.
    GivenUp {
        /// What is known of the attempts.
        log: Vec<String>,
    },
}

/// Bytes in JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Blob(pub Vec<u8>);

impl From<Blob> for String {
    fn from(blob: Blob) -> Self {
        STANDARD.encode(blob.0)
    }
}

impl TryFrom<String> for Blob {
    type Error = base64::DecodeError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        STANDARD.decode(text).map(Self)
    }
}

/// A line of a job's log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct LogLine {
    /// Seconds since 1970.
    pub(crate) time: u64,
    pub(crate) worker: String,
    pub(crate) delivery: i64,
    pub(crate) event: LogEvent,
    pub(crate) what: String,
}

/// What a line of a log is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LogEvent {
    /// A job that had been handed out before was begun anew.
    Begun,
    /// It went wrong.
    Failed,
    /// The worker could not do it at all, which says nothing about the job.
    Declined,
}

/// What every form has.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

/// Reads one of our forms. The reason names what is wrong on one line that is
/// not long, whatever a stranger wrote.
fn read<T: DeserializeOwned>(what: &str, bytes: &[u8], most: usize) -> Result<T, String> {
    if bytes.len() > most {
        return Err(format!("{what} of {} bytes, {most} at most", bytes.len()));
    }
    const LONGEST: usize = 200;
    let shown = |error: serde_json::Error| one_line(&error.to_string()).chars().take(LONGEST).collect::<String>();
    let Versioned { version } = serde_json::from_slice(bytes)
        .map_err(|error| format!("{what} is not JSON with a version: {}", shown(error)))?;
    if version != VERSION {
        return Err(format!("{what} of version {version}, expected {VERSION}"));
    }
    serde_json::from_slice(bytes).map_err(|error| format!("{what} cannot be read: {}", shown(error)))
}

fn check_name(what: &str, subject: &str, id: &str) -> Result<(), String> {
    match run_and_job(subject) {
        Some((_, job)) if job == id && is_token(id) => Ok(()),
        _ => Err(format!("{what} came under another name than its own")),
    }
}

/// A job has some games, not a life's work.
fn count_of_games(first: u32, count: usize) -> Result<(), String> {
    let last = u32::try_from(count).ok().and_then(|count| first.checked_add(count));
    if (1..=MOST_GAMES).contains(&count) && last.is_some() {
        Ok(())
    } else {
        Err(format!("a job of {count} games, 1 to {MOST_GAMES} are expected"))
    }
}

impl Run {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, String> {
        let run: Self = read("a run", bytes, MOST_RUN)?;
        if !(1..=MOST_DELIVERIES).contains(&run.deliveries) {
            return Err(format!("a run with {} deliveries, {MOST_DELIVERIES} at most", run.deliveries));
        }
        Ok(run)
    }

    /// The run's name in subjects: another plan has another one.
    #[must_use]
    pub fn id(&self) -> String {
        let text = serde_json::to_vec(self).expect("a run is plain data");
        hash(&text)[..24].to_owned()
    }
}

impl Task {
    /// A task that asks for `work`.
    #[must_use]
    pub fn new(id: &str, work: Work) -> Self {
        Self { version: VERSION, id: id.to_owned(), work }
    }

    pub(crate) fn read(subject: &str, bytes: &[u8]) -> Result<Self, String> {
        let task: Self = read("a job", bytes, MOST_JOB)?;
        check_name("a job", subject, &task.id)?;
        Ok(task)
    }

    /// Is it of this run, and nothing that the run does not name?
    pub(crate) fn check(&self, run: &Run) -> Result<(), String> {
        match (&self.work, &run.plan) {
            (Work::Game(job), Plan::Games { tournament, game, bots, .. }) => {
                if job.version != Job::VERSION {
                    return Err(format!("a game of version {}, expected {}", job.version, Job::VERSION));
                }
                let named = job.chairs.iter().all(|chair| bots.contains(&chair.bot));
                let same = job.id == self.id && job.tournament == *tournament && job.game == *game;
                if same && named { Ok(()) } else { Err("a game that its tournament does not name".to_owned()) }
            }
            (Work::SelfPlay { first, count }, Plan::Samples { .. }) => count_of_games(*first, *count as usize),
            (Work::Label { first, games }, Plan::Samples { .. }) => count_of_games(*first, games.len()),
            (Work::SolveMove { .. }, Plan::Solve { .. }) => Ok(()),
            _ => Err("a job of another kind than its run".to_owned()),
        }
    }
}

impl Report {
    pub(crate) fn read(subject: &str, bytes: &[u8]) -> Result<Self, String> {
        let report: Self = read("a result", bytes, MOST_RESULT)?;
        check_name("a result", subject, &report.id)?;
        // Servers let a worker publish under its own name only.
        if worker_of(subject) != Some(report.worker.as_str()) {
            return Err("a result under another worker's name".to_owned());
        }
        if let Answer::Game(outcome) = &report.answer {
            if outcome.id != report.id || outcome.version != Job::VERSION {
                return Err("a result with the outcome of another game".to_owned());
            }
            if outcome.worker.is_some() {
                return Err("a result that says itself who played it".to_owned());
            }
            if outcome.moves.len() != outcome.times_us.len() {
                return Err("a result whose moves and times do not match".to_owned());
            }
        }
        Ok(report)
    }
}

impl Report {
    /// Does it answer what this plan asks?
    pub(crate) fn check(self, plan: &Plan) -> Result<Self, String> {
        match (&self.answer, plan) {
            (Answer::Game(_), Plan::Games { .. })
            | (Answer::Samples(_), Plan::Samples { .. })
            | (Answer::Solved { .. }, Plan::Solve { .. })
            | (Answer::GivenUp { .. }, _) => Ok(self),
            _ => Err("a result of another kind than its run".to_owned()),
        }
    }
}

/// The SHA-256 of bytes, in hexadecimal.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, bytes);
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> String {
        let answer = Answer::Samples(Blob(vec![1, 2, 255]));
        let report = Report { version: VERSION, id: "a-1".to_owned(), worker: "w".to_owned(), answer };
        serde_json::to_string(&report).unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        let text = report();
        let back = Report::read("papan.results.w.r.a-1", text.as_bytes()).unwrap();
        assert_eq!(serde_json::to_string(&back).unwrap(), text);
        assert_eq!(back.answer, Answer::Samples(Blob(vec![1, 2, 255])));
    }

    #[test]
    fn anything_else_is_refused_with_its_reason() {
        let good = report();
        let later = good.replace("\"version\":2", "\"version\":7");
        let more = good.replace("\"worker\"", "\"extra\":1,\"worker\"");
        let long = format!("{good}{}", " ".repeat(MOST_RESULT));
        for (subject, text, expected) in [
            ("papan.results.w.r.a-1", "", "not JSON"),
            ("papan.results.w.r.a-1", "\u{0}\u{1}", "not JSON"),
            ("papan.results.w.r.a-1", "[]", "not JSON with a version"),
            ("papan.results.w.r.a-1", later.as_str(), "version 7"),
            ("papan.results.w.r.a-1", more.as_str(), "cannot be read"),
            ("papan.results.w.r.a-1", long.as_str(), "at most"),
            ("papan.results.w.r.a-2", good.as_str(), "another name"),
            ("a-1", good.as_str(), "another name"),
            ("papan.results.v.r.a-1", good.as_str(), "another worker's name"),
            ("papan.results.r.a-1", good.as_str(), "another worker's name"),
        ] {
            let reason = Report::read(subject, text.as_bytes()).unwrap_err();
            assert!(reason.contains(expected), "{reason}");
        }
    }

    #[test]
    fn a_strangers_field_cannot_steer_the_terminal_that_shows_the_reason() {
        let more = report().replace("\"worker\"", &format!("\"\\u001b[2J{}\":1,\"worker\"", "x".repeat(9000)));
        let reason = Report::read("papan.results.w.r.a-1", more.as_bytes()).unwrap_err();
        assert!(!reason.contains(char::is_control) && reason.len() < 300, "{reason:?}");
    }

    #[test]
    fn a_task_must_be_of_its_run() {
        let run = |plan| Run { version: VERSION, name: "x".to_owned(), deliveries: 3, plan };
        let samples = run(Plan::Samples { weights: None, seed: 1 });
        let solve = run(Plan::Solve { game: "g".to_owned(), position: "p".to_owned(), table_mb: None });
        let task = Task::new("s-0", Work::SelfPlay { first: 0, count: 1 });
        assert!(task.check(&samples).is_ok());
        assert!(task.check(&solve).is_err());
        for (first, count) in [(0, 0), (0, 1001), (0, u32::MAX), (u32::MAX, 2)] {
            let task = Task::new("s-0", Work::SelfPlay { first, count });
            assert!(task.check(&samples).is_err(), "{first} {count}");
        }
        let endless = serde_json::to_vec(&Run { deliveries: u32::MAX, ..samples.clone() }).unwrap();
        assert!(Run::read(&endless).unwrap_err().contains("deliveries"));
        assert_ne!(samples.id(), solve.id());
        assert_eq!(hash(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
