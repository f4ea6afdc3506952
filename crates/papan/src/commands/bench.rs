//! `papan bench`: the speed of everything, with one signature number that
//! changes only if a rule, a random stream or a search does.

use std::hint::black_box;
use std::time::Instant;

use papan_core::{Position, Random, StopToken, mix, perft, playout};
use papan_roster::{GameVisitor, Rostered, with_game};
use serde::Serialize;

use crate::cli::BenchArgs;
use crate::error::CliError;
use crate::{interrupt, output};

/// One measured speed.
#[derive(Serialize)]
struct Line {
    what: &'static str,
    game: &'static str,
    per_second: f64,
    unit: &'static str,
    seconds: f64,
}

#[derive(Serialize)]
struct Report {
    /// Was it stopped before its end?
    partial: bool,
    done: usize,
    of: usize,
    lines: Vec<Line>,
    /// Of all lines; none if some are missing.
    signature: Option<u64>,
}

const PLAYOUTS: [(&str, u32); 5] = [
    ("tic-tac-toe", 2_000_000),
    ("adjacency:rounds=28", 200_000),
    ("dots-and-boxes", 500_000),
    ("othello", 200_000),
    ("dots-and-boxes:rows=10,cols=10", 20_000),
];

const PERFTS: [(&str, u32); 3] = [("othello", 10), ("adjacency:rounds=28", 4), ("dots-and-boxes:rows=2,cols=2", 8)];

pub(crate) fn run(args: &BenchArgs) -> Result<(), CliError> {
    let report = measure(&interrupt::token())?;
    if args.json {
        output::json(&report)?;
    } else {
        print(&report)?;
    }
    if report.partial {
        let Report { done, of, .. } = report;
        return Err(CliError::Interrupted(format!("stopped after {done} of {of} measurements")));
    }
    Ok(())
}

/// Measures everything, or less if it is stopped between two measurements.
fn measure(stop: &StopToken) -> Result<Report, CliError> {
    let of = PLAYOUTS.len() + PERFTS.len();
    let mut report = Report { partial: true, done: 0, of, lines: Vec::new(), signature: None };
    for (game, games) in PLAYOUTS {
        if !stop.is_stopped() {
            let (signature, line) = with_game(game, None, Playouts { game, games })?;
            report.add(signature, line);
        }
    }
    for (game, depth) in PERFTS {
        if !stop.is_stopped() {
            let (signature, line) = with_game(game, None, Perft { game, depth })?;
            report.add(signature, line);
        }
    }
    report.done = report.lines.len();
    report.partial = report.done < of;
    report.signature = report.signature.filter(|_| !report.partial);
    Ok(report)
}

fn print(report: &Report) -> Result<(), CliError> {
    if report.partial {
        output::text(&format!("PARTIAL: {} of {} measurements\n", report.done, report.of))?;
    }
    for line in &report.lines {
        output::text(&format!(
            "{:<10} {:<32} {:>14} {}/s  ({:.2} s)\n",
            line.what,
            line.game,
            output::grouped(line.per_second as u64),
            line.unit,
            line.seconds,
        ))?;
    }
    if let Some(signature) = report.signature {
        output::text(&format!("signature  {signature}\n"))?;
    }
    Ok(())
}

impl Report {
    fn add(&mut self, signature: u64, line: Line) {
        // Kept to 32 bits, so that a commit message can quote it.
        self.signature = Some(mix(self.signature.unwrap_or(0) ^ signature) >> 32);
        self.lines.push(line);
    }
}

struct Playouts {
    game: &'static str,
    games: u32,
}

impl GameVisitor for Playouts {
    type Output = (u64, Line);

    fn visit<G: Rostered>(self, game: G) -> Self::Output {
        let mut random = Random::new(1);
        let start = game.start();
        let started = Instant::now();
        let mut signature = 0;
        for _ in 0..self.games {
            let end = playout(black_box(start), &mut random);
            signature = mix(signature ^ end.margin().0 as u64);
        }
        let seconds = started.elapsed().as_secs_f64();
        let per_second = f64::from(self.games) / seconds;
        (signature, Line { what: "playouts", game: self.game, per_second, unit: "games", seconds })
    }
}

struct Perft {
    game: &'static str,
    depth: u32,
}

impl GameVisitor for Perft {
    type Output = (u64, Line);

    fn visit<G: Rostered>(self, game: G) -> Self::Output {
        let started = Instant::now();
        let leaves = perft(&black_box(game.start()), self.depth);
        let seconds = started.elapsed().as_secs_f64();
        let per_second = leaves as f64 / seconds;
        (leaves, Line { what: "perft", game: self.game, per_second, unit: "leaves", seconds })
    }
}
