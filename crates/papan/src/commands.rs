//! The commands, one file each.

mod analyse;
mod analysis;
mod bench;
mod bots;
#[cfg(target_os = "linux")]
mod check_bot;
mod engine;
mod games;
mod match_;
mod perft;
mod play;
mod reproduce;
mod serve;
mod show;
mod solve;

#[cfg(target_os = "linux")]
use std::process;
use std::thread;
use std::time::Duration;

use papan_core::error::quoted;
use papan_core::parse_time;

use crate::cli::{Cli, Command, ServeArgs};
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
        Some(Command::Reproduce(args)) => reproduce::run(&args),
        Some(Command::Show(args)) => show::run(&args),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
    }
}

fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Reads a `--time`.
fn read_time(text: &str) -> Result<Duration, CliError> {
    parse_time(text)
        .ok_or_else(|| CliError::Usage(format!("--time is {}, expected a time such as 5s or 500ms", quoted(text))))
}
