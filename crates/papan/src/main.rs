//! Papan: play, see, pit and solve four classic board games.

mod cli;
mod commands;
mod contestant;
mod demand;
mod error;
mod fleet;
mod interrupt;
mod output;
mod progress;
mod protocols;
mod safe_file;
mod seat;
mod terminal;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::parse().and_then(commands::run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}
