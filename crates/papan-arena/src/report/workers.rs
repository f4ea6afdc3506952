//! Who played the games of a tournament on many machines, and whose results
//! differ from the others' more than chance allows.

use std::collections::BTreeMap;

use papan_core::Player as Side;
use serde::Serialize;

use super::ReportGame;
use crate::statistics::{WinCounts, normal};

/// Games of a pairing that a worker and the others must have for it to be
/// compared.
const ENOUGH: usize = 5;

/// A worker stands out if chance alone would do as much so rarely.
const RARE: f64 = 0.001;

/// What one worker's games came to.
#[derive(Clone, Debug, Serialize)]
pub struct WorkerLine {
    /// Its name.
    pub worker: String,
    /// Games that it played.
    pub games: usize,
    /// Won, drawn and lost by whoever moved first.
    pub first_mover: WinCounts,
    /// What bots did wrong in its games, by verdict.
    pub faults: BTreeMap<String, u64>,
    /// The mean time of a move.
    pub mean_move_ms: f64,
    /// Games that can be compared with those of others in the same pairings.
    pub compared: usize,
    /// How often chance alone makes results differ from the others' by as
    /// much.
    pub p: Option<f64>,
    /// Is that too rare to be chance?
    pub stands_out: bool,
}

/// A line for each worker, by name; none for games that were played here.
pub(super) fn lines(games: &[ReportGame]) -> Vec<WorkerLine> {
    let mut by_worker: BTreeMap<&str, Vec<&ReportGame>> = BTreeMap::new();
    for game in games {
        if let Some(worker) = &game.worker {
            by_worker.entry(worker).or_default().push(game);
        }
    }
    by_worker.iter().map(|(worker, own)| line(worker, own, games)).collect()
}

fn line(worker: &str, own: &[&ReportGame], all: &[ReportGame]) -> WorkerLine {
    let mut first_mover = WinCounts::default();
    let mut faults = BTreeMap::new();
    for game in own {
        match game.half_points(Side::First) {
            Some(0) => first_mover.losses += 1,
            Some(1) => first_mover.draws += 1,
            Some(_) => first_mover.wins += 1,
            None => {}
        }
        for fault in &game.faults {
            *faults.entry(fault.verdict.to_string()).or_default() += 1;
        }
    }
    let times: Vec<f64> = own.iter().flat_map(|game| &game.times_us).map(|&micros| f64::from(micros) / 1e3).collect();
    let mean_move_ms = if times.is_empty() { 0.0 } else { times.iter().sum::<f64>() / times.len() as f64 };
    let Comparison { compared, p } = compare(worker, all);
    WorkerLine {
        worker: worker.to_owned(),
        games: own.len(),
        first_mover,
        faults,
        mean_move_ms,
        compared,
        p,
        stands_out: p.is_some_and(|p| p < RARE),
    }
}

struct Comparison {
    compared: usize,
    p: Option<f64>,
}

/// The worker's mean score in each pairing against that of all others there:
/// squares of the differences, in units of their variance, add up to a
/// chi-square with one degree of freedom for each pairing.
fn compare(worker: &str, all: &[ReportGame]) -> Comparison {
    let mut pairings: BTreeMap<(usize, usize), [Vec<f64>; 2]> = BTreeMap::new();
    for game in all {
        if let Some(halves) = game.half_points(Side::First) {
            let whose = usize::from(game.worker.as_deref() != Some(worker));
            pairings.entry((game.first, game.second)).or_default()[whose].push(f64::from(halves) / 2.0);
        }
    }
    let (mut compared, mut chi_square, mut freedom) = (0, 0.0, 0.0);
    for [own, others] in pairings.values() {
        let together = own.len() + others.len();
        let mean = |scores: &[f64]| scores.iter().sum::<f64>() / scores.len() as f64;
        let middle = own.iter().chain(others).sum::<f64>() / together as f64;
        let spread = own.iter().chain(others).map(|score| (score - middle).powi(2)).sum::<f64>() / together as f64;
        if own.len() < ENOUGH || others.len() < ENOUGH || spread == 0.0 {
            continue;
        }
        let variance = spread * (1.0 / own.len() as f64 + 1.0 / others.len() as f64);
        compared += own.len();
        chi_square += (mean(own) - mean(others)).powi(2) / variance;
        freedom += 1.0;
    }
    Comparison { compared, p: (freedom > 0.0).then(|| beyond(chi_square, freedom)) }
}

/// The chance of a chi-square at least this large (Wilson and Hilferty 1931).
fn beyond(chi_square: f64, freedom: f64) -> f64 {
    let part = 2.0 / (9.0 * freedom);
    normal(-((chi_square / freedom).cbrt() - (1.0 - part)) / part.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::Verdict;

    fn game(worker: &str, first: usize, winner: Option<Side>) -> ReportGame {
        ReportGame {
            round: 1,
            first,
            second: 1 - first,
            opening: Vec::new(),
            moves: Vec::new(),
            times_us: vec![1000, 3000],
            movers: Vec::new(),
            verdict: Verdict::Finished,
            counts: true,
            winner,
            score: [0; 2],
            faults: Vec::new(),
            last_words: [None, None],
            worker: Some(worker.to_owned()),
        }
    }

    #[test]
    fn a_worker_that_favours_a_bot_stands_out_and_honest_ones_do_not() {
        let mut games = Vec::new();
        for number in 0..60 {
            let first = number % 2;
            // By chance the first mover wins half of the games.
            let fair = if number / 2 % 2 == 0 { Side::First } else { Side::Second };
            for worker in ["a", "b", "c"] {
                games.push(game(worker, first, Some(fair)));
            }
            // Bot 0 always wins, from either chair: no side is favoured.
            games.push(game("liar", first, Some(if first == 0 { Side::First } else { Side::Second })));
        }
        let lines = lines(&games);
        let out: Vec<_> = lines.iter().filter(|line| line.stands_out).map(|line| line.worker.as_str()).collect();
        assert_eq!(out, ["liar"], "{lines:?}");
        assert_eq!((lines[0].games, lines[0].compared, lines[0].mean_move_ms), (60, 60, 2.0));
        assert_eq!(lines[0].first_mover.wins, 30);
    }

    #[test]
    fn the_tail_of_the_distribution_is_the_known_one() {
        for (chi_square, freedom, known) in [(10.83, 1.0, 0.001), (9.21, 2.0, 0.01), (18.31, 10.0, 0.05)] {
            let found = beyond(chi_square, freedom);
            assert!((found / known - 1.0).abs() < 0.2, "{chi_square}: {found}");
        }
    }
}
