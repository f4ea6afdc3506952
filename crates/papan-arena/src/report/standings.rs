//! Who did how well, in order.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use papan_core::Player as Side;
use serde::Serialize;

use super::Report;
use super::tie_breaks::TieBreak;
use crate::pairing::{Format, knockout_survival};
use crate::statistics::{Pairing, Strength, WinCounts, strengths};

/// An entrant's result.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    /// The place, from 1.
    pub place: usize,
    /// The entrant's number in the file, from 0.
    pub entrant: usize,
    /// Its name.
    pub name: String,
    /// What played.
    pub bot: String,
    /// Points: 1 for a win, ½ for a draw, and those of byes.
    pub points: f64,
    /// Games that count.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Rounds without an opponent.
    pub byes: u64,
    /// The share of the points in games, 0 to 1.
    pub score: Option<f64>,
    /// What may be said of its Elo rating; 0 is the mean of those who can be
    /// compared.
    #[serde(flatten)]
    pub strength: Strength,
    /// The sum of the opponents' points (Buchholz).
    pub buchholz: f64,
    /// The points of those beaten and half of those drawn with
    /// (Sonneborn–Berger).
    pub sonneborn_berger: f64,
    /// Points on the board, own minus opponents'.
    pub margin: i64,
    /// Games in which it moved first.
    pub as_first: u64,
    /// Faults by their verdict.
    pub faults: BTreeMap<String, u64>,
    /// Mean time of a move, in milliseconds.
    pub mean_move_ms: f64,
    /// The longest time of a move, in milliseconds.
    pub longest_move_ms: f64,
    /// All its moves, in seconds.
    pub thinking_s: f64,
}

/// Points in halves and games, from one entrant's side against another.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Encounter {
    /// Points, in halves.
    pub half_points: u32,
    /// Games that count.
    pub games: u32,
}

/// The cross table: `table[a][b]` from a's side.
pub(super) fn cross_table(report: &Report) -> Vec<Vec<Encounter>> {
    let count = report.entrants.len();
    let mut table = vec![vec![Encounter::default(); count]; count];
    for game in &report.games {
        for side in Side::BOTH {
            if let Some(points) = game.half_points(side) {
                let encounter = &mut table[game.entrant(side)][game.entrant(side.other())];
                encounter.half_points += points;
                encounter.games += 1;
            }
        }
    }
    table
}

/// Every entrant, best first.
pub(super) fn standings(report: &Report, cross: &[Vec<Encounter>], tie_breaks: &[TieBreak]) -> Vec<Standing> {
    let mut rows: Vec<Standing> = (0..report.entrants.len()).map(|entrant| empty(report, entrant)).collect();
    add_games(report, &mut rows);
    for round in &report.rounds {
        if let Some(bye) = round.bye {
            rows[bye].byes += 1;
            rows[bye].points += report.meeting as f64;
        }
    }
    let points: Vec<f64> = rows.iter().map(|row| row.points).collect();
    for (row, encounters) in rows.iter_mut().zip(cross) {
        for (other, encounter) in encounters.iter().enumerate().filter(|(_, encounter)| encounter.games > 0) {
            row.buchholz += points[other];
            row.sonneborn_berger += points[other] * f64::from(encounter.half_points) / f64::from(2 * encounter.games);
        }
    }
    for (row, strength) in rows.iter_mut().zip(strengths(report.entrants.len(), &pairings(report))) {
        row.strength = strength;
    }
    sort(report, &mut rows, tie_breaks);
    rows
}

fn empty(report: &Report, entrant: usize) -> Standing {
    let (name, bot) = report.entrants[entrant].clone();
    Standing {
        place: 0,
        entrant,
        name,
        bot,
        points: 0.0,
        games: 0,
        wins: 0,
        draws: 0,
        losses: 0,
        byes: 0,
        score: None,
        strength: Strength::Unknown,
        buchholz: 0.0,
        sonneborn_berger: 0.0,
        margin: 0,
        as_first: 0,
        faults: BTreeMap::new(),
        mean_move_ms: 0.0,
        longest_move_ms: 0.0,
        thinking_s: 0.0,
    }
}

fn add_games(report: &Report, rows: &mut [Standing]) {
    let mut moves = vec![0u64; rows.len()];
    for game in &report.games {
        for side in Side::BOTH {
            let row = &mut rows[game.entrant(side)];
            let Some(points) = game.half_points(side) else { continue };
            row.games += 1;
            row.points += f64::from(points) / 2.0;
            *[&mut row.losses, &mut row.draws, &mut row.wins][points as usize] += 1;
            row.as_first += u64::from(side == Side::First);
            let [own, other] = [side, side.other()].map(|side| i64::from(game.score[side.index()]));
            row.margin += own - other;
        }
        for fault in &game.faults {
            *rows[game.entrant(fault.side)].faults.entry(fault.verdict.to_string()).or_default() += 1;
        }
        for (&micros, side) in game.times_us.iter().zip(&game.movers) {
            let row = &mut rows[game.entrant(*side)];
            row.thinking_s += f64::from(micros) / 1e6;
            row.longest_move_ms = row.longest_move_ms.max(f64::from(micros) / 1e3);
            moves[game.entrant(*side)] += 1;
        }
    }
    for (row, moves) in rows.iter_mut().zip(moves) {
        row.mean_move_ms = 1000.0 * row.thinking_s / (moves.max(1) as f64);
        row.score = (row.games > 0).then(|| (row.wins as f64 + row.draws as f64 / 2.0) / row.games as f64);
    }
}

fn pairings(report: &Report) -> Vec<Pairing> {
    let mut counts: BTreeMap<(usize, usize), WinCounts> = BTreeMap::new();
    for game in &report.games {
        let (a, b) = (game.first.min(game.second), game.first.max(game.second));
        let side = if a == game.first { Side::First } else { Side::Second };
        let Some(points) = game.half_points(side) else { continue };
        let counts = counts.entry((a, b)).or_default();
        *[&mut counts.losses, &mut counts.draws, &mut counts.wins][points as usize] += 1;
    }
    counts.into_iter().map(|((first, second), counts)| Pairing { first, second, counts }).collect()
}

/// By the format's own measure, then by the finer ones; at last by the order
/// of the file.
fn sort(report: &Report, rows: &mut [Standing], tie_breaks: &[TieBreak]) {
    let survival = match report.format {
        Some(Format::Knockout { tie_breaks }) => knockout_survival(rows.len(), tie_breaks, &report.rounds),
        _ => vec![0; rows.len()],
    };
    // Whole numbers, so that they have an order: millionths are fine enough.
    let whole = |value: f64| Reverse((value * 1e6).round() as i64);
    rows.sort_by_cached_key(|row| {
        let main = match report.format {
            Some(Format::Gauntlet { .. }) => row.score.unwrap_or(0.0),
            _ => row.points,
        };
        let finer: Vec<_> = tie_breaks.iter().map(|tie_break| whole(tie_break.measure.of(row))).collect();
        (Reverse(survival[row.entrant]), whole(main), finer, row.entrant)
    });
    for (index, row) in rows.iter_mut().enumerate() {
        row.place = index + 1;
    }
}
