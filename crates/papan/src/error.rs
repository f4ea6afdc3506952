//! How a command fails: one line on stderr, exit code 2, or 130 where it was
//! interrupted.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use papan_arena::tournament::{FileError, RunError, StoreError};
use papan_core::ParseError;
use papan_nats::LinkError;
use thiserror::Error;

use crate::interrupt::INTERRUPTED;
use crate::output;

/// Why a command could not do what it was asked.
#[derive(Debug, Error)]
pub(crate) enum CliError {
    /// A game, bot, position or move that cannot be read.
    #[error("{0}")]
    Parse(#[from] ParseError),
    /// The command line itself.
    #[error("{0}")]
    Usage(String),
    /// A tournament's file.
    #[error("{0}")]
    Tournament(#[from] FileError),
    /// A tournament's store.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// A tournament under way.
    #[error("{0}")]
    Run(#[from] RunError),
    /// A queue on other machines.
    #[error("{0}")]
    Queue(#[from] LinkError),
    /// A file that cannot be read or written.
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    /// Standard input or output failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Ctrl-C, or the system's request to end: what has been kept, in words.
    #[error("{0}")]
    Interrupted(String),
}

impl CliError {
    /// Says what was wrong and gives the exit code. A reader that went away
    /// (`papan … | head`) is no error of ours.
    pub(crate) fn report(&self) -> ExitCode {
        if matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::BrokenPipe) {
            return ExitCode::SUCCESS;
        }
        output::note(&self.to_string());
        ExitCode::from(if matches!(self, Self::Interrupted(_)) { INTERRUPTED } else { 2 })
    }
}
