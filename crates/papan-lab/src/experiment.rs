//! Experiments: bots measured on the same positions by depth, and against each
//! other, with a report that says how to repeat each figure.

mod charts;
mod report;

pub use report::{csv, html};

use std::time::{Duration, Instant};

use papan_arena::statistics::{PairCounts, WinCounts};
use papan_arena::{Contest, MatchReport, Openings, Player, Rules, play_match, random_opening};
use papan_core::table::Table;
use papan_core::{Budget, ParseError, Random, StopToken, error::Subject, mix};
use serde::{Deserialize, Serialize};

/// What is measured.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Experiment {
    /// The game with its options.
    pub game: String,
    /// The bots.
    #[serde(deserialize_with = "current_specs")]
    pub bots: Vec<String>,
    /// The depths at which each bot is measured.
    pub depths: Vec<u32>,
    /// How many positions each figure is the mean of.
    pub positions: usize,
    /// How many random plies lead to each of these positions.
    pub plies: usize,
    /// How many games each two bots play at each depth.
    pub games: usize,
    /// What positions and openings are drawn from: each seed gives `positions`
    /// and `games` of its own.
    #[serde(alias = "seed", deserialize_with = "one_or_more")]
    pub seeds: Vec<u64>,
}

/// Bots by their names of today.
fn current_specs<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let bots = Vec::<String>::deserialize(deserializer)?;
    Ok(bots.iter().map(|bot| papan_roster::current_spec(bot)).collect())
}

/// A single seed may stand without brackets.
fn one_or_more<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Seeds {
        One(u64),
        More(Vec<u64>),
    }
    Ok(match Seeds::deserialize(deserializer)? {
        Seeds::One(seed) => vec![seed],
        Seeds::More(seeds) => seeds,
    })
}

impl Default for Experiment {
    fn default() -> Self {
        Self {
            game: "tic-tac-toe".to_owned(),
            bots: vec!["minimax".to_owned(), "alpha-beta".to_owned()],
            depths: vec![1, 2, 3, 4],
            positions: 5,
            plies: 2,
            games: 10,
            seeds: vec![1],
        }
    }
}

/// The most that one experiment may ask for, so that it ends.
const MOST: Experiment = Experiment {
    game: String::new(),
    bots: Vec::new(),
    depths: Vec::new(),
    positions: 100,
    plies: 60,
    games: 1000,
    seeds: Vec::new(),
};
const MOST_BOTS: usize = 8;
const MOST_DEPTHS: usize = 12;
const MOST_SEEDS: usize = 20;
/// As `papan match` opens its games, so that it gives the same results.
const OPENING_PLIES: usize = 2;

/// A bot at one depth, over all positions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Measurement {
    /// The bot.
    pub bot: String,
    /// The depth that it was held to.
    pub depth: u32,
    /// Positions visited, the mean.
    pub nodes: f64,
    /// Leaves, the mean.
    pub leaves: f64,
    /// Cuts, the mean.
    pub cuts: f64,
    /// Seconds for a move, the mean.
    pub seconds: f64,
    /// How many times more positions than at the depth before.
    pub branching: Option<f64>,
}

/// Two bots against each other at one depth.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Pairing {
    /// The depth that both were held to.
    pub depth: u32,
    /// One bot.
    pub first: String,
    /// The other.
    pub second: String,
    /// Games that the first won.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Games that the first lost.
    pub losses: u64,
    /// The first's share of the points with its 95 % interval.
    pub score: Option<[f64; 3]>,
    /// The board at the end of the first game, as SVG.
    #[serde(skip)]
    pub final_board: String,
    /// Who moved first in that game, and its score.
    pub final_score: [i32; 2],
}

/// What came of an experiment.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Results {
    /// What was measured.
    pub experiment: Experiment,
    /// Was it stopped before its end? Then the last rows are missing.
    pub partial: bool,
    /// How many of its parts are there: a bot at a depth, or two bots' games
    /// at a depth.
    #[serde(flatten)]
    pub progress: Progress,
    /// The positions.
    pub positions: Vec<String>,
    /// Every bot at every depth.
    pub measurements: Vec<Measurement>,
    /// Every two bots at every depth, the greatest last.
    pub pairings: Vec<Pairing>,
    #[serde(skip)]
    measuring: Searches,
    #[serde(skip)]
    pairing: Games,
}

/// What a bot has done so far at one depth: after a pause it goes on with the
/// next position.
#[derive(Clone, PartialEq, Debug, Default)]
struct Searches {
    positions: usize,
    nodes: u64,
    leaves: u64,
    cuts: u64,
    time: Duration,
}

/// The games of two bots so far at one depth: after a pause they go on with
/// the next seed.
#[derive(Clone, PartialEq, Debug, Default)]
struct Games {
    seeds: usize,
    counts: WinCounts,
    pairs: PairCounts,
    /// The board at the end of the first game, and its score.
    first_end: Option<(String, [i32; 2])>,
}

impl Results {
    /// One more part is done.
    fn count(&mut self, progress: &(dyn Fn(Progress) + Sync)) {
        self.progress.done += 1;
        progress(self.progress);
    }
}

/// How far an experiment is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Progress {
    /// Parts that are done.
    pub done: usize,
    /// Parts in all.
    pub of: usize,
}

impl Experiment {
    /// Runs it. If it is stopped, every part that is done is kept and the
    /// results say that they are partial.
    pub fn run(&self, stop: &StopToken, progress: &(dyn Fn(Progress) + Sync)) -> Result<Results, ParseError> {
        self.go_on(None, stop, progress)
    }

    /// As [`Experiment::run`], from where it was stopped. What comes of it is
    /// the same as without a pause.
    pub fn go_on(
        &self,
        so_far: Option<Results>,
        stop: &StopToken,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Results, ParseError> {
        self.check()?;
        let table = papan_roster::table(&self.game, None)?;
        let positions = self.tables(&*table);
        let mut results = so_far.unwrap_or_else(|| Results {
            experiment: self.clone(),
            partial: true,
            progress: Progress { done: 0, of: self.pieces() },
            positions: positions.iter().map(|table| table.position()).collect(),
            measurements: Vec::new(),
            pairings: Vec::new(),
            measuring: Searches::default(),
            pairing: Games::default(),
        });
        self.measure_all(&table.spec(), &positions, stop, &mut results, progress)?;
        if self.games > 0 && !stop.is_stopped() {
            self.pair_all(&*table, stop, &mut results, progress);
        }
        results.partial = results.progress.done < results.progress.of;
        Ok(results)
    }

    /// Every bot at every depth that is left, until it is stopped.
    fn measure_all(
        &self,
        game: &str,
        positions: &[Box<dyn Table>],
        stop: &StopToken,
        results: &mut Results,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<(), ParseError> {
        let all = self.bots.iter().flat_map(|bot| self.depths.iter().map(move |&depth| (bot, depth)));
        for (bot, depth) in all.skip(results.measurements.len()) {
            if !results.measuring.go_on(positions, (game, bot, depth), stop)? {
                return Ok(());
            }
            let done = results.measurements.len();
            let before = results.measurements.last().filter(|_| !done.is_multiple_of(self.depths.len()));
            let measured = std::mem::take(&mut results.measuring).measured(bot, depth, before);
            results.measurements.push(measured);
            results.count(progress);
        }
        Ok(())
    }

    /// Every two bots at every depth that are left, the smallest first, until
    /// it is stopped.
    fn pair_all(
        &self,
        table: &dyn Table,
        stop: &StopToken,
        results: &mut Results,
        progress: &(dyn Fn(Progress) + Sync),
    ) {
        let mut depths = self.depths.clone();
        depths.sort_unstable();
        let pairs = |depth: u32| {
            let of = move |(index, first)| self.bots[index + 1..].iter().map(move |second| (depth, first, second));
            self.bots.iter().enumerate().flat_map(of)
        };
        for (depth, first, second) in depths.into_iter().flat_map(pairs).skip(results.pairings.len()) {
            if !self.pair(table, [first, second], depth, stop, &mut results.pairing) {
                return;
            }
            results.pairings.push(std::mem::take(&mut results.pairing).paired(first, second, depth));
            results.count(progress);
        }
    }

    /// How many parts it has.
    #[must_use]
    pub fn pieces(&self) -> usize {
        let bots = self.bots.len();
        let pairs = if self.games > 0 { bots * bots.saturating_sub(1) / 2 } else { 0 };
        (bots + pairs) * self.depths.len()
    }

    /// Everything asked for can be done.
    pub fn check(&self) -> Result<(), ParseError> {
        let wrong = |words: String| Err(ParseError::new(Subject::Game, words));
        if self.bots.is_empty() || self.bots.len() > MOST_BOTS {
            return wrong(format!("an experiment has 1 to {MOST_BOTS} bots, not {}", self.bots.len()));
        }
        if self.depths.is_empty() || self.depths.len() > MOST_DEPTHS || self.depths.contains(&0) {
            return wrong(format!("an experiment has 1 to {MOST_DEPTHS} depths of at least 1"));
        }
        if self.seeds.is_empty() || self.seeds.len() > MOST_SEEDS {
            return wrong(format!("an experiment has 1 to {MOST_SEEDS} seeds, not {}", self.seeds.len()));
        }
        for (name, value, least, most) in [
            ("positions", self.positions, 1, MOST.positions),
            ("plies", self.plies, 0, MOST.plies),
            ("games", self.games, 0, MOST.games),
        ] {
            if !(least..=most).contains(&value) {
                return wrong(format!("{name} is {value}, expected {least} to {most}"));
            }
        }
        let game = papan_roster::table(&self.game, None)?.spec();
        self.bots.iter().try_for_each(|bot| papan_roster::check_bot(&game, bot).map(drop))
    }

    fn tables(&self, start: &dyn Table) -> Vec<Box<dyn Table>> {
        let place = |seed: u64, number: usize| {
            let mut random = Random::new(mix(seed ^ mix(number as u64 + 1)));
            let mut table = start.fork();
            for mv in random_opening(start, self.plies, &mut random) {
                table.play(&mv).expect("openings are legal");
            }
            table
        };
        let numbers = |&seed: &u64| (0..self.positions).map(move |number| (seed, number));
        self.seeds.iter().flat_map(numbers).map(|(seed, number)| place(seed, number)).collect()
    }

    /// The games of two bots that are left; false if they were stopped.
    fn pair(&self, table: &dyn Table, names: [&str; 2], depth: u32, stop: &StopToken, so_far: &mut Games) -> bool {
        let game = table.spec();
        let make = |name: &str| {
            let bot = papan_roster::bot(&game, name).expect("the bots were checked");
            Player::in_process(name, bot)
        };
        let (make_first, make_second) = (|| make(names[0]), || make(names[1]));
        let mut rules = Rules::default();
        rules.limits.depth = Some(depth);
        for &seed in &self.seeds[so_far.seeds..] {
            let contest = Contest {
                table,
                names: names.map(str::to_owned),
                players: [&make_first, &make_second],
                games: self.games,
                openings: Openings::StartThenRandom(OPENING_PLIES),
                seed,
                rules: rules.clone(),
                jobs: 1,
                sprt: None,
                stop: stop.clone(),
            };
            let report = play_match(&contest, &|_| {});
            if report.is_partial() {
                return false;
            }
            so_far.add(&report);
        }
        true
    }
}

impl Searches {
    /// Looks at the positions that are left; false if it was stopped.
    fn go_on(
        &mut self,
        positions: &[Box<dyn Table>],
        (game, bot, depth): (&str, &str, u32),
        stop: &StopToken,
    ) -> Result<bool, ParseError> {
        for table in &positions[self.positions..] {
            let started = Instant::now();
            let mut player = papan_roster::bot(game, bot)?;
            let budget = Budget { depth: Some(depth), stop: stop.clone(), ..Budget::default() };
            let (choice, tally) = player.choose_tallied(&**table, &budget);
            if stop.is_stopped() {
                return Ok(false);
            }
            self.positions += 1;
            self.nodes += choice.nodes;
            self.leaves += tally.leaves();
            self.cuts += tally.cuts;
            self.time += started.elapsed();
        }
        Ok(true)
    }

    /// The means, beside what the bot did at the depth before.
    fn measured(self, bot: &str, depth: u32, before: Option<&Measurement>) -> Measurement {
        let count = self.positions as f64;
        let mean = |sum: u64| sum as f64 / count;
        let before = before.map(|before| before.nodes).filter(|&nodes| nodes > 0.0);
        Measurement {
            bot: bot.to_owned(),
            depth,
            nodes: mean(self.nodes),
            leaves: mean(self.leaves),
            cuts: mean(self.cuts),
            seconds: self.time.as_secs_f64() / count,
            branching: before.map(|before| mean(self.nodes) / before),
        }
    }
}

impl Games {
    /// The games of one more seed.
    fn add(&mut self, report: &MatchReport) {
        self.seeds += 1;
        self.counts.wins += report.counts.wins;
        self.counts.draws += report.counts.draws;
        self.counts.losses += report.counts.losses;
        for (all, more) in self.pairs.0.iter_mut().zip(report.pairs.0) {
            *all += more;
        }
        if self.first_end.is_none()
            && let Some(game) = report.games.first()
        {
            let mut board = game.opening.table.fork();
            for &mv in &game.record.moves {
                board.play_index(usize::from(mv));
            }
            let last = board.last_move();
            let marks = papan_core::render::svg::Marks { last: last.as_deref(), legal: false };
            self.first_end = Some((papan_core::render::svg::render(&board.scene(), marks), game.record.score));
        }
    }

    fn paired(self, first: &str, second: &str, depth: u32) -> Pairing {
        let summary = self.pairs.summary().or_else(|| self.counts.summary());
        let (final_board, final_score) = self.first_end.unwrap_or_default();
        Pairing {
            depth,
            first: first.to_owned(),
            second: second.to_owned(),
            wins: self.counts.wins,
            draws: self.counts.draws,
            losses: self.counts.losses,
            score: summary.map(|summary| {
                let (low, high) = summary.interval();
                [summary.score, low, high]
            }),
            final_board,
            final_score,
        }
    }
}
