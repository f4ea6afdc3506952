//! A tournament as its TOML file describes it; see docs/tournaments.md.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;

use papan_core::error::{one_line, quoted, redacted};
use papan_core::parse_time;
use serde::Deserialize;
use thiserror::Error;

use super::setup::Entrant;
use crate::pairing::Format;
use crate::referee::{Clock, Limits, Policies, Rules};
use crate::sandbox::ResourceLimits;

/// Games at the same time: more than any machine has cores, and few enough for
/// a thread each.
pub const MOST_JOBS: usize = 1024;

/// Games of one tournament or match: they are all held in memory for the
/// report.
pub const MOST_GAMES: usize = 1_000_000;

/// Plies of an opening: longer than any game.
const MOST_PLIES: usize = 1000;

/// What is wrong with a tournament file, in one line.
#[derive(Debug, Error)]
#[error("{}: {what}", one_line(&path.display().to_string()))]
pub struct FileError {
    path: PathBuf,
    what: String,
}

/// What games start from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningPlan {
    /// The start position.
    Start,
    /// So many random plies.
    Random {
        /// How many.
        plies: usize,
    },
    /// Random plies after which neither side is ahead, as a judge sees it.
    Balanced {
        /// How many.
        plies: usize,
    },
    /// Lines of moves.
    Listed(Vec<String>),
}

/// A tournament file, read and checked as far as that can be done without
/// knowing games and bots.
#[derive(Clone, Debug)]
pub struct TournamentFile {
    path: PathBuf,
    /// The tournament's name.
    pub name: String,
    /// The game, as it was written.
    pub game: String,
    /// The games of a meeting.
    pub games: usize,
    /// What everything random draws from.
    pub seed: u64,
    /// Games at the same time, if that is said.
    pub jobs: Option<usize>,
    /// What games are played under.
    pub rules: Rules,
    /// What outside programs may use up.
    pub limits: ResourceLimits,
    /// The sandbox level below which nothing is run.
    pub require_sandbox: Option<String>,
    /// Those who are named in the file, in its order.
    pub entrants: Vec<Entrant>,
    /// A folder whose programs take part too, relative to the file.
    pub folder: Option<PathBuf>,
    /// What games start from.
    pub openings: OpeningPlan,
    raw: Raw,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    name: Option<String>,
    game: String,
    format: Option<String>,
    games: Option<usize>,
    rounds: Option<usize>,
    challengers: Option<usize>,
    tie_breaks: Option<usize>,
    seed: Option<u64>,
    jobs: Option<usize>,
    time: Option<String>,
    clock: Option<String>,
    increment: Option<String>,
    nodes: Option<u64>,
    depth: Option<u32>,
    margin: Option<String>,
    start_up: Option<String>,
    #[serde(default)]
    ponder: bool,
    faults: Option<toml::Value>,
    require_sandbox: Option<String>,
    limits: Option<ResourceLimits>,
    folder: Option<PathBuf>,
    #[serde(default)]
    bots: Vec<String>,
    #[serde(default)]
    bot: Vec<RawBot>,
    openings: Option<RawOpenings>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBot {
    name: String,
    bot: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawOpenings {
    kind: String,
    plies: Option<usize>,
    list: Option<Vec<String>>,
}

impl TournamentFile {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let text = std::fs::read_to_string(path).map_err(|error| FileError::new(path, error))?;
        Self::parse(path, &text)
    }

    /// Reads a file's text; `path` is for messages and for the name.
    pub fn parse(path: &Path, text: &str) -> Result<Self, FileError> {
        let raw: Raw = toml::from_str(text).map_err(|error| FileError::new(path, syntax(text, &error)))?;
        Self::check(path, raw).map_err(|what| FileError::new(path, what))
    }

    /// Reads the same keys from JSON; `name` stands for the file in messages.
    pub fn from_json(name: &Path, keys: serde_json::Value) -> Result<Self, FileError> {
        let raw: Raw = serde_json::from_value(keys).map_err(|error| FileError::new(name, error))?;
        Self::check(name, raw).map_err(|what| FileError::new(name, what))
    }

    fn check(path: &Path, raw: Raw) -> Result<Self, String> {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let format = raw.format.as_deref().unwrap_or("round-robin");
        let games = raw.games.unwrap_or(2);
        // One game a meeting is fair only where each round is with another
        // opponent, and who opens can be evened out.
        let fits = (games.is_multiple_of(2) && games > 0) || (games == 1 && format == "swiss");
        if !fits || games > 100_000 {
            let also = if format == "swiss" { ", or 1" } else { "" };
            return Err(format!(
                "games is {games}, expected an even number up to 100000{also}: each opening is played by both sides"
            ));
        }
        let seed = raw.seed.unwrap_or(1);
        if let Some(jobs) = raw.jobs.filter(|jobs| !(1..=MOST_JOBS).contains(jobs)) {
            return Err(format!("jobs is {jobs}, expected 1 to {MOST_JOBS} games at the same time"));
        }
        if !["round-robin", "gauntlet", "swiss", "knockout"].contains(&format) {
            return Err(format!("format is {}, expected round-robin, gauntlet, swiss or knockout", quoted(format)));
        }
        for (key, given, wanted) in [
            ("rounds", raw.rounds.is_some(), "swiss"),
            ("challengers", raw.challengers.is_some(), "gauntlet"),
            ("tie_breaks", raw.tie_breaks.is_some(), "knockout"),
        ] {
            if given && format != wanted {
                return Err(format!("{key} is for the format {wanted}, and this is {format}"));
            }
        }
        let mut entrants: Vec<Entrant> =
            raw.bots.iter().map(|bot| Entrant { name: redacted(bot), bot: bot.clone() }).collect();
        entrants.extend(raw.bot.iter().map(|RawBot { name, bot }| Entrant { name: redacted(name), bot: bot.clone() }));
        Ok(Self {
            path: path.to_owned(),
            name: redacted(raw.name.as_ref().unwrap_or(&stem)),
            game: raw.game.clone(),
            games,
            seed,
            jobs: raw.jobs,
            rules: rules(&raw)?,
            limits: limits(raw.limits)?,
            require_sandbox: raw.require_sandbox.clone(),
            entrants,
            folder: raw.folder.clone(),
            openings: openings(raw.openings.as_ref())?,
            raw,
        })
    }

    /// The format, with defaults that depend on how many take part. An error
    /// if that would be too many games.
    pub fn format(&self, entrants: usize) -> Result<Format, FileError> {
        let format = self.shape(entrants)?;
        let games = format.meetings(entrants).saturating_mul(self.games);
        if games > MOST_GAMES {
            return Err(self.error(format!("{games} games are to be played, expected {MOST_GAMES} or fewer")));
        }
        Ok(format)
    }

    fn shape(&self, entrants: usize) -> Result<Format, FileError> {
        let fail = |what: String| Err(FileError::new(&self.path, what));
        if entrants < 2 {
            return fail(format!("{entrants} take part, expected 2 or more: see bots, [[bot]] and folder"));
        }
        Ok(match self.raw.format.as_deref().unwrap_or("round-robin") {
            "gauntlet" => match self.raw.challengers.unwrap_or(1) {
                challengers if (1..entrants).contains(&challengers) => Format::Gauntlet { challengers },
                challengers => return fail(format!("challengers is {challengers}, expected 1 to {}", entrants - 1)),
            },
            "swiss" => {
                // As many as settle a winner, and one more for the places.
                let default = entrants.next_power_of_two().trailing_zeros() as usize + 1;
                let most = if entrants.is_multiple_of(2) { entrants - 1 } else { entrants };
                match self.raw.rounds.unwrap_or(default.min(most)) {
                    rounds if (1..=most).contains(&rounds) => Format::Swiss { rounds },
                    rounds => return fail(format!("rounds is {rounds}, expected 1 to {most}: nobody meets twice")),
                }
            }
            "knockout" => Format::Knockout { tie_breaks: self.raw.tie_breaks.unwrap_or(2).min(100) },
            _ => Format::RoundRobin,
        })
    }

    /// How many openings the format can use.
    #[must_use]
    pub fn openings_needed(&self, format: Format, entrants: usize) -> usize {
        let each = self.games.div_ceil(2);
        match format {
            Format::RoundRobin | Format::Gauntlet { .. } => each,
            Format::Swiss { rounds } => each * rounds,
            Format::Knockout { tie_breaks } => {
                each * (1 + tie_breaks) * entrants.next_power_of_two().trailing_zeros() as usize
            }
        }
    }

    /// An error about this file.
    #[must_use]
    pub fn error(&self, what: impl Display) -> FileError {
        FileError::new(&self.path, what)
    }

    /// The folder that the file is in: what relative paths start from.
    #[must_use]
    pub fn base(&self) -> &Path {
        self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
    }
}

impl FileError {
    fn new(path: &Path, what: impl Display) -> Self {
        Self { path: path.to_owned(), what: one_line(&what.to_string().replace('\n', " ")) }
    }
}

/// TOML's message with its line, on one line.
fn syntax(text: &str, error: &toml::de::Error) -> String {
    let line = error.span().map(|span| 1 + text[..span.start.min(text.len())].matches('\n').count());
    let message = error.message().lines().map(str::trim).collect::<Vec<_>>().join(", ");
    line.map_or_else(|| message.clone(), |line| format!("line {line}: {message}"))
}

fn time(key: &str, text: Option<&String>) -> Result<Option<Duration>, String> {
    text.map(|text| {
        parse_time(text)
            .filter(|time| !time.is_zero())
            .ok_or_else(|| format!("{key} is {}, expected a time such as 5s or 500ms", quoted(text)))
    })
    .transpose()
}

/// Limits that can be set, and under which a program can start at all.
fn limits(given: Option<ResourceLimits>) -> Result<ResourceLimits, String> {
    const MEBIBYTE: u64 = 1 << 20;
    let limits = given.unwrap_or_default();
    for (key, value, least, most) in [
        ("memory", limits.memory, MEBIBYTE, 1 << 40),
        ("processes", limits.processes, 1, 100_000),
        ("file_size", limits.file_size, 0, 1 << 40),
        ("temporary", limits.temporary, 0, 1 << 40),
        ("open_files", limits.open_files, 16, 100_000),
        ("cpu_seconds", limits.cpu_seconds, 1, 10_000_000),
        ("stderr", limits.stderr, 0, 1 << 30),
    ] {
        if !(least..=most).contains(&value) {
            return Err(format!("limits: {key} is {value}, expected {least} to {most}"));
        }
    }
    Ok(limits)
}

fn rules(raw: &Raw) -> Result<Rules, String> {
    let defaults = Rules::default();
    let clock = time("clock", raw.clock.as_ref())?;
    let increment = time("increment", raw.increment.as_ref())?;
    if increment.is_some() && clock.is_none() {
        return Err("increment is given without clock".to_owned());
    }
    let mut limits = Limits { time: time("time", raw.time.as_ref())?, nodes: raw.nodes, depth: raw.depth };
    if clock.is_none() && limits == Limits::default() {
        limits.time = Some(Duration::from_secs(5));
    }
    Ok(Rules {
        limits,
        clock: clock.map(|initial| Clock { initial, increment: increment.unwrap_or_default() }),
        margin: time("margin", raw.margin.as_ref())?.unwrap_or(defaults.margin),
        start_up: time("start_up", raw.start_up.as_ref())?.unwrap_or(defaults.start_up),
        policies: policies(raw.faults.as_ref())?,
        ponder: raw.ponder,
        ..defaults
    })
}

/// One word for every fault, or a table with a word for each.
fn policies(faults: Option<&toml::Value>) -> Result<Policies, String> {
    let expected = "expected lose, random, skip or report-adjacency, or a table [faults] with a word for each verdict";
    match faults {
        None => Ok(Policies::default()),
        Some(toml::Value::String(word)) => {
            let named = Rules::with_faults(word).map(|rules| rules.policies);
            named.ok_or_else(|| format!("faults is {}, {expected}", quoted(word)))
        }
        Some(toml::Value::Table(table)) => {
            table.clone().try_into::<Policies>().map_err(|error| format!("faults: {}", error.message()))
        }
        Some(_) => Err(format!("faults is no word, {expected}")),
    }
}

fn openings(raw: Option<&RawOpenings>) -> Result<OpeningPlan, String> {
    let Some(RawOpenings { kind, plies, list }) = raw else { return Ok(OpeningPlan::Random { plies: 2 }) };
    if let Some(plies) = plies.filter(|&plies| plies > MOST_PLIES) {
        return Err(format!("openings: plies is {plies}, expected {MOST_PLIES} or fewer"));
    }
    let plan = match (kind.as_str(), list) {
        ("start", None) => OpeningPlan::Start,
        ("random", None) => OpeningPlan::Random { plies: plies.unwrap_or(2) },
        ("balanced", None) => OpeningPlan::Balanced { plies: plies.unwrap_or(4) },
        ("listed", Some(list)) if !list.is_empty() => OpeningPlan::Listed(list.clone()),
        ("listed", _) => return Err("openings: kind is listed, expected a list of lines of moves".to_owned()),
        ("start" | "random" | "balanced", Some(_)) => {
            return Err(format!("openings: list is for the kind listed, and this is {kind}"));
        }
        _ => {
            return Err(format!("openings: kind is {}, expected start, random, balanced or listed", quoted(kind)));
        }
    };
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_would_take_threads_or_memory_are_bounded() {
        let begin = "game = 'othello'\nbots = ['random', 'greedy']\n";
        for line in [
            "jobs = 100000",
            "jobs = 0",
            "games = 100002",
            "[openings]\nkind = 'random'\nplies = 9223372036854775807",
            "[limits]\nprocesses = 9223372036854775807",
            "[limits]\nmemory = 0",
            "[limits]\ncpu_seconds = 0",
            "time = '99999999999999999999h'",
        ] {
            let error = TournamentFile::parse(Path::new("cup.toml"), &format!("{begin}{line}\n")).unwrap_err();
            let key = line.rsplit('\n').next().unwrap().split(' ').next().unwrap();
            assert!(error.to_string().contains(key), "{line}: {error}");
        }
        let many = TournamentFile::parse(Path::new("cup.toml"), &format!("{begin}games = 100000\n")).unwrap();
        assert!(many.format(5).is_ok(), "10 meetings are just enough");
        assert!(many.format(6).unwrap_err().to_string().contains("1500000 games"));
    }

    #[test]
    fn control_characters_of_a_file_do_not_reach_the_terminal() {
        for text in ["\"a\\u001b[2J\" = 1", "game = \"g\"\nformat = \"\\u0007\"", "\"a\\tb\" = 1"] {
            let error = TournamentFile::parse(Path::new("cup.toml"), text).unwrap_err().to_string();
            assert!(!error.contains(char::is_control), "{error:?}");
        }
    }
}
