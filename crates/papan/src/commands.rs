//! The commands, one file each.

mod analyse;
mod analysis;
mod bench;
mod bots;
#[cfg(target_os = "linux")]
mod check_bot;
mod engine;
mod experiment;
mod games;
mod match_;
mod perft;
mod play;
mod reproduce;
mod samples;
mod serve;
mod show;
mod solve;
mod tournament;
mod tree;
mod worker;

use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::process;
use std::thread;
use std::time::Duration;

use papan_arena::report::Summary;
use papan_core::error::quoted;
use papan_core::parse_time;
use papan_core::table::Table;

use crate::cli::{Cli, Command, ReportFiles, ServeArgs};
use crate::error::CliError;

/// Does what the command line asks.
pub(crate) fn run(cli: Cli) -> Result<(), CliError> {
    match cli.command {
        None => serve::run(&ServeArgs::default()),
        Some(Command::Serve(args)) => serve::run(&args),
        Some(Command::Games(args)) => games::run(&args),
        Some(Command::Bots(args)) => bots::run(&args),
        Some(Command::Analyse(args)) => analyse::run(&args),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Engine(args)) => engine::run(&args),
        #[cfg(target_os = "linux")]
        Some(Command::CheckBot(args)) => check_bot::run(&args),
        #[cfg(target_os = "linux")]
        Some(Command::Sandbox(args)) => process::exit(papan_arena::sandbox::launcher::main(&args.words)),
        Some(Command::Match(args)) => match_::run(&args),
        Some(Command::Tournament(args)) => tournament::run(&args),
        Some(Command::Worker(args)) => worker::run(&args),
        Some(Command::Samples(args)) => samples::run(&args),
        Some(Command::Reproduce(args)) => reproduce::run(&args),
        Some(Command::Tree(args)) => tree::run(&args),
        Some(Command::Experiment(args)) => experiment::run(&args),
        Some(Command::Show(args)) => show::run(&args),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
    }
}

/// Can the files of a report be written? Better asked before the games than
/// after them.
fn check_report(files: &ReportFiles) -> Result<(), CliError> {
    for path in files.html.iter().chain(&files.csv) {
        let is_new = !path.exists();
        let opened = std::fs::File::options().create(true).append(true).open(path);
        opened.map_err(|source| CliError::File { path: path.clone(), source })?;
        if is_new {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Writes the files that a report was asked for. `start` is a table at the
/// start of its game.
fn write_report(files: &ReportFiles, summary: &Summary, start: &dyn Table) -> Result<(), CliError> {
    let write = |path: &PathBuf, text: String| {
        std::fs::write(path, text).map_err(|source| CliError::File { path: path.clone(), source })
    };
    files.html.as_ref().map(|path| write(path, summary.html(start))).transpose()?;
    if let Some(path) = &files.csv {
        write(path, summary.csv())?;
        if summary.format != "match" {
            write(&standings_beside(path), summary.standings_csv())?;
        }
    }
    Ok(())
}

/// Where the standings go when the games go to `csv`: `cup.csv` has
/// `cup-standings.csv` beside it.
fn standings_beside(csv: &Path) -> PathBuf {
    let stem = csv.file_stem().unwrap_or_default().to_string_lossy();
    csv.with_file_name(format!("{stem}-standings.csv"))
}

fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Reads a `--time`.
fn read_time(text: &str) -> Result<Duration, CliError> {
    parse_time(text)
        .ok_or_else(|| CliError::Usage(format!("--time is {}, expected a time such as 5s or 500ms", quoted(text))))
}
