//! Experiments: bots measured on the same positions by depth, and against each
//! other, with a report that says how to repeat each figure.

mod charts;
mod report;

pub use report::{csv, html};

use std::time::Instant;

use papan_arena::statistics::{PairCounts, WinCounts};
use papan_arena::{Contest, Openings, Player, Rules, play_match, random_opening};
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
        self.check()?;
        let table = papan_roster::table(&self.game, None)?;
        let positions = self.tables(&*table);
        let mut results = Results {
            experiment: self.clone(),
            partial: true,
            progress: Progress { done: 0, of: self.pieces() },
            positions: positions.iter().map(|table| table.position()).collect(),
            measurements: Vec::new(),
            pairings: Vec::new(),
        };
        self.measure_all(&table.spec(), &positions, stop, &mut results, progress)?;
        if self.games > 0 && !stop.is_stopped() {
            self.pair_all(&*table, stop, &mut results, progress);
        }
        results.partial = results.progress.done < results.progress.of;
        Ok(results)
    }

    /// Every bot at every depth, until it is stopped.
    fn measure_all(
        &self,
        game: &str,
        positions: &[Box<dyn Table>],
        stop: &StopToken,
        results: &mut Results,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<(), ParseError> {
        for bot in &self.bots {
            let mut before = None;
            for &depth in &self.depths {
                let Some(measured) = self.measure(positions, game, bot, depth, before, stop)? else {
                    return Ok(());
                };
                before = Some(measured.nodes);
                results.measurements.push(measured);
                results.count(progress);
            }
        }
        Ok(())
    }

    /// Every two bots at every depth, the smallest first, until it is stopped.
    fn pair_all(
        &self,
        table: &dyn Table,
        stop: &StopToken,
        results: &mut Results,
        progress: &(dyn Fn(Progress) + Sync),
    ) {
        let mut depths = self.depths.clone();
        depths.sort_unstable();
        for depth in depths {
            for (index, first) in self.bots.iter().enumerate() {
                for second in &self.bots[index + 1..] {
                    let Some(pairing) = self.pair(table, first, second, depth, stop) else { return };
                    results.pairings.push(pairing);
                    results.count(progress);
                }
            }
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

    fn measure(
        &self,
        positions: &[Box<dyn Table>],
        game: &str,
        bot: &str,
        depth: u32,
        before: Option<f64>,
        stop: &StopToken,
    ) -> Result<Option<Measurement>, ParseError> {
        let (mut nodes, mut leaves, mut cuts) = (0, 0, 0);
        let started = Instant::now();
        for table in positions {
            let mut player = papan_roster::bot(game, bot)?;
            let budget = Budget { depth: Some(depth), stop: stop.clone(), ..Budget::default() };
            let (choice, tally) = player.choose_tallied(&**table, &budget);
            if stop.is_stopped() {
                return Ok(None);
            }
            nodes += choice.nodes;
            leaves += tally.leaves();
            cuts += tally.cuts;
        }
        let count = positions.len() as f64;
        let mean = |sum: u64| sum as f64 / count;
        Ok(Some(Measurement {
            bot: bot.to_owned(),
            depth,
            nodes: mean(nodes),
            leaves: mean(leaves),
            cuts: mean(cuts),
            seconds: started.elapsed().as_secs_f64() / count,
            branching: before.filter(|&before| before > 0.0).map(|before| mean(nodes) / before),
        }))
    }

    /// The games of two bots; `None` if they were stopped.
    fn pair(&self, table: &dyn Table, first: &str, second: &str, depth: u32, stop: &StopToken) -> Option<Pairing> {
        let game = table.spec();
        let make = |name: &str| {
            let bot = papan_roster::bot(&game, name).expect("the bots were checked");
            Player::in_process(name, bot)
        };
        let (make_first, make_second) = (|| make(first), || make(second));
        let mut rules = Rules::default();
        rules.limits.depth = Some(depth);
        let (mut counts, mut pairs) = (WinCounts::default(), PairCounts::default());
        let mut first_game = None;
        for &seed in &self.seeds {
            let contest = Contest {
                table,
                names: [first.to_owned(), second.to_owned()],
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
                return None;
            }
            counts.wins += report.counts.wins;
            counts.draws += report.counts.draws;
            counts.losses += report.counts.losses;
            for (all, more) in pairs.0.iter_mut().zip(report.pairs.0) {
                *all += more;
            }
            first_game = first_game.or_else(|| report.games.into_iter().next());
        }
        let summary = pairs.summary().or_else(|| counts.summary());
        let (final_board, final_score) = first_game.map_or_else(Default::default, |game| {
            let mut board = game.opening.table.fork();
            for &mv in &game.record.moves {
                board.play_index(usize::from(mv));
            }
            let last = board.last_move();
            let marks = papan_core::render::svg::Marks { last: last.as_deref(), legal: false };
            (papan_core::render::svg::render(&board.scene(), marks), game.record.score)
        });
        Some(Pairing {
            depth,
            first: first.to_owned(),
            second: second.to_owned(),
            wins: counts.wins,
            draws: counts.draws,
            losses: counts.losses,
            score: summary.map(|summary| {
                let (low, high) = summary.interval();
                [summary.score, low, high]
            }),
            final_board,
            final_score,
        })
    }
}
