//! `papan solve`: the exact value of a position, its best moves, what it cost.

use std::fs;
use std::time::Instant;

use papan_core::error::{ParseError, Subject};
use papan_core::solver::{Solution, SolveLimits};
use papan_core::table::{GameTable, Table as _, readable_margin};
use papan_core::{Exactness, MoveOf, Score};
use papan_roster::advice::{Analysis, MoveLine, Readable};
use papan_roster::{GameVisitor, Rostered, read_position, with_game};
use serde::Serialize;

mod checkpoint;
mod progress;
mod saved;
mod shared;

use super::analysis::words;
use super::{all_cores, read_time};
use checkpoint::Checkpoint;
use progress::ProgressLine;

use crate::cli::SolveArgs;
use crate::error::CliError;
use crate::interrupt;
use crate::output;

/// Who speaks in what is printed.
const SOLVER: &str = "solver";

/// What `--json` and `--suite` print: an analysis, and the bounds where the
/// solver was stopped before they met.
#[derive(Serialize)]
struct Solved {
    /// The number of the position in its suite, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(flatten)]
    analysis: Analysis,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<i32>,
}

pub(crate) fn run(args: &SolveArgs) -> Result<(), CliError> {
    match &args.suite {
        None => solve(args, args.position.as_deref(), None),
        Some(path) => {
            let suite = fs::read_to_string(path).map_err(|source| CliError::File { path: path.clone(), source })?;
            let is_position = |line: &str| !line.is_empty() && !line.starts_with('#');
            let lines = suite.lines().map(str::trim).enumerate().filter(|(_, line)| is_position(line));
            let all = lines.clone().count();
            for (done, (number, line)) in lines.enumerate() {
                if interrupt::token().is_stopped() {
                    return Err(CliError::Interrupted(format!("stopped; {done} of {all} positions are solved")));
                }
                let (id, position) = position_in(&args.game, line)
                    .map_err(|error| CliError::Usage(format!("{}, line {}: {error}", path.display(), number + 1)))?;
                match solve(args, Some(&position), id) {
                    Err(CliError::Interrupted(words)) => {
                        return Err(CliError::Interrupted(format!("{words}; {done} of {all} positions are solved")));
                    }
                    solved => solved?,
                }
            }
            Ok(())
        }
    }
}

/// The position in a line of a suite. Suites put a number before it and their
/// answers after it: the longest run of words that can be read is the position.
fn position_in(game: &str, line: &str) -> Result<(Option<String>, String), ParseError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let numbered = words[0].chars().all(|c| c.is_ascii_digit());
    let starts: &[usize] = if numbered && words.len() > 1 { &[1, 0] } else { &[0] };
    for &start in starts {
        for end in (start + 1..=words.len()).rev() {
            let text = words[start..end].join(" ");
            if papan_roster::table(game, Some(&text)).is_ok() {
                let id = (start == 1).then(|| words[0].to_owned());
                return Ok((id, text));
            }
        }
    }
    Err(papan_roster::table(game, Some(line)).err().unwrap_or_else(|| ParseError::new(Subject::Position, "empty")))
}

fn solve(args: &SolveArgs, position: Option<&str>, id: Option<String>) -> Result<(), CliError> {
    with_game(&args.game, position, Solve { args, position, id })?
}

struct Solve<'a> {
    args: &'a SolveArgs,
    position: Option<&'a str>,
    id: Option<String>,
}

impl GameVisitor for Solve<'_> {
    type Output = Result<(), CliError>;

    fn visit<G: Rostered>(self, game: G) -> Self::Output {
        let start = self.position.map_or_else(|| Ok(game.start()), |text| read_position(&game, text))?;
        let Some(mut solver) = game.solver() else {
            return Err(CliError::Usage(format!(
                "{} has no exact solver; papan analyse values its moves",
                game.spec()
            )));
        };
        let table = GameTable::new(game, start);
        let started = Instant::now();
        let mut settled = true;
        let solved = if table.is_over() {
            Solved { id: self.id, analysis: Analysis::blank(&table, SOLVER), at_least: None, at_most: None }
        } else {
            let limits = SolveLimits {
                threads: self.args.threads.map_or_else(all_cores, usize::from),
                table_mb: self.args.table,
                one_best: self.args.one,
                time: self.args.time.as_deref().map(read_time).transpose()?,
                stop: interrupt::token(),
            };
            let solution = match self.args.queue.options()? {
                Some(queue) => shared::solve(&table, &queue, self.args, &limits.stop)?,
                None => {
                    let (save, resume) = (self.args.save.as_deref(), self.args.resume.as_deref());
                    let of = saved::Of { game: table.spec(), position: table.position() };
                    let files = Checkpoint { of, save, resume };
                    let meter = ProgressLine::new(started);
                    let solution = files.solve(&mut *solver, table.current(), &limits, &mut |progress| {
                        meter.show(&table, progress);
                    });
                    meter.clear();
                    solution?
                }
            };
            settled = solution.value().is_some() && (self.args.one || solution.best_complete);
            solved(&table, &solution, solver.depth(table.current()), self.id)
        };
        print(self.args, solved, started)?;
        if settled || !interrupt::token().is_stopped() {
            return Ok(());
        }
        let kept = self.args.save.as_ref().map_or_else(String::new, |path| {
            let path = path.display();
            format!("; the solve is kept in {path}, go on with --resume {path}")
        });
        Err(CliError::Interrupted(format!("stopped; what is printed is what is proved so far{kept}")))
    }
}

fn solved<G: Rostered>(table: &GameTable<G>, solution: &Solution<MoveOf<G>>, depth: u32, id: Option<String>) -> Solved {
    let write = |mv| table.game().write_move(mv);
    let value = solution.value();
    let read = |score: Score, exactness: Exactness| Readable::new(table, SOLVER, score, exactness);
    let line = |mv: String, readable: Readable| MoveLine { mv, readable };
    let mut moves: Vec<MoveLine> =
        solution.moves.iter().map(|known| line(write(known.mv), read(known.score, known.exactness))).collect();
    for mv in table.legal_moves() {
        if moves.iter().all(|line| line.mv != mv) {
            moves.push(line(mv, Readable::UNKNOWN));
        }
    }
    let analysis = Analysis {
        readable: value.map_or(Readable::UNKNOWN, |score| read(score, Exactness::Exact)),
        best: solution.best.iter().map(|&mv| write(mv)).collect(),
        best_complete: solution.best_complete,
        moves,
        nodes: solution.nodes,
        depth,
        pv: solution.pv.iter().map(|&mv| write(mv)).collect(),
        ..Analysis::blank(table, SOLVER)
    };
    let show = |score: Score| readable_margin(table, score);
    let open = value.is_none();
    Solved { id, analysis, at_least: open.then(|| show(solution.lower)), at_most: open.then(|| show(solution.upper)) }
}

fn print(args: &SolveArgs, mut solved: Solved, started: Instant) -> Result<(), CliError> {
    solved.analysis.seconds = started.elapsed().as_secs_f64();
    if args.json || args.suite.is_some() {
        return Ok(output::json(&solved)?);
    }
    output::text(&words(&solved.analysis))?;
    if let (Some(low), Some(high)) = (solved.at_least, solved.at_most) {
        output::text(&format!("stopped: the value is {low:+} to {high:+}\n"))?;
    }
    Ok(())
}
