//! The whole report as data: what `--json` prints and the page shows.

use std::collections::{BTreeMap, HashSet};

use papan_core::{Player as Side, Text};
use serde::Serialize;

use super::conditions::Conditions;
use super::standings::{Encounter, Standing, cross_table, standings};
use super::tie_breaks::{TieBreak, ranking, tie_breaks};
use super::workers::{self, WorkerLine};
use super::{Report, ReportGame};
use crate::pairing::Format;
use crate::referee::Verdict;
use crate::statistics::WinCounts;

/// Everything that a report says.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The name.
    pub name: String,
    /// The game.
    pub game: String,
    /// How entrants met; `match` for a match.
    pub format: &'static str,
    /// Rounds played, whole ones.
    pub rounds: usize,
    /// What everything random drew from.
    pub seed: u64,
    /// How well outside programs were shut in.
    pub sandbox: Option<String>,
    /// What every game was played under.
    pub rules: Conditions,
    /// Have all games been played?
    pub finished: bool,
    /// Is this a part of what was to be played?
    pub partial: bool,
    /// How many games have been played.
    pub played: usize,
    /// How many were to be played.
    pub expected: usize,
    /// What places go by.
    pub ranking: Text,
    /// What decides between those who are level, in order.
    pub tie_breaks: Vec<TieBreak>,
    /// Every entrant, best first.
    pub standings: Vec<Standing>,
    /// From the side of each entrant, in the order of the file.
    pub cross: Vec<Vec<Encounter>>,
    /// Games won by whoever moved first, drawn, and lost.
    pub first_mover: WinCounts,
    /// How many games differ from all others.
    pub distinct_games: usize,
    /// How games ended.
    pub verdicts: BTreeMap<String, u64>,
    /// What a reader of the numbers should know.
    pub warnings: Vec<Text>,
    /// Who played the games, where they came over a queue.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub workers: Vec<WorkerLine>,
    /// Every game.
    pub games: Vec<ReportGame>,
}

/// Sums a report up.
#[must_use]
pub fn summarise(report: Report) -> Summary {
    let cross = cross_table(&report);
    let tie_breaks = tie_breaks(report.format);
    let standings = standings(&report, &cross, &tie_breaks);
    let mut first_mover = WinCounts::default();
    let mut verdicts = BTreeMap::new();
    let mut distinct = HashSet::new();
    let mut distinct_finished = HashSet::new();
    for game in &report.games {
        match game.half_points(Side::First) {
            Some(0) => first_mover.losses += 1,
            Some(1) => first_mover.draws += 1,
            Some(_) => first_mover.wins += 1,
            None => {}
        }
        *verdicts.entry(game.verdict.to_string()).or_default() += 1;
        distinct.insert((&game.opening, &game.moves));
        if game.verdict == Verdict::Finished {
            distinct_finished.insert((&game.opening, &game.moves));
        }
    }
    let distinct_games = distinct.len();
    let distinct_finished = distinct_finished.len();
    let workers = workers::lines(&report.games);
    let mut warnings = warnings(&report, &standings, distinct_finished);
    warnings.extend(workers.iter().filter(|line| line.stands_out).map(stands_out));
    Summary {
        warnings,
        workers,
        name: report.name,
        game: report.game,
        format: report.format.map_or("match", Format::name),
        rounds: report.rounds.len(),
        seed: report.seed,
        sandbox: report.sandbox,
        rules: Conditions::new(&report.rules),
        finished: report.finished,
        partial: !report.finished,
        played: report.games.len(),
        expected: report.expected,
        ranking: ranking(report.format),
        tie_breaks,
        standings,
        cross,
        first_mover,
        distinct_games,
        verdicts,
        games: report.games,
    }
}

fn stands_out(line: &WorkerLine) -> Text {
    let WorkerLine { worker, compared, p, .. } = line;
    let p = p.unwrap_or(1.0);
    Text::owned(
        format!("the {compared} games of worker {worker} differ from the others' in the same pairings (p = {p:.1e})"),
        format!("{compared} permainan pekerja {worker} berbeda dari yang lain pada pasangan yang sama (p = {p:.1e})"),
    )
}

fn warnings(report: &Report, standings: &[Standing], distinct: usize) -> Vec<Text> {
    let mut warnings = Vec::new();
    let mut warn = |en: String, id: String| warnings.push(Text::owned(en, id));
    let games = report.games.len();
    if !report.finished {
        let all = report.expected;
        warn(
            format!("partial: {games} of {all} games have been played"),
            format!("sebagian: {games} dari {all} permainan sudah dimainkan"),
        );
    }
    let unsettled = standings.windows(2).filter(|pair| !pair[0].strength.is_above(pair[1].strength)).count();
    if unsettled > 0 {
        let all = standings.len() - 1;
        warn(
            format!("too few games to tell {unsettled} of {all} neighbouring places apart (95 %)"),
            format!("terlalu sedikit permainan untuk membedakan {unsettled} dari {all} peringkat bertetangga (95 %)"),
        );
    }
    let skipped = report.games.iter().filter(|game| !game.counts).count();
    if skipped > 0 {
        warn(
            format!("{skipped} of {games} games do not count"),
            format!("{skipped} dari {games} permainan tidak dihitung"),
        );
    }
    let faulty = report.games.iter().filter(|game| !game.faults.is_empty()).count();
    if faulty > 0 {
        warn(
            format!("in {faulty} of {games} games a bot did something wrong"),
            format!("dalam {faulty} dari {games} permainan ada bot yang melakukan kesalahan"),
        );
    }
    // Games that a fault has ended are alike for another reason.
    let games = report.games.iter().filter(|game| game.verdict == Verdict::Finished).count();
    if distinct < games {
        warn(
            format!("only {distinct} of {games} games are distinct: vary the openings"),
            format!("hanya {distinct} dari {games} permainan yang berbeda: variasikan pembukaan"),
        );
    }
    warnings
}
