//! Why the store cannot do what it is asked.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use thiserror::Error;

/// The store could not do what it was asked.
#[derive(Clone, Debug, Error)]
pub enum StoreError {
    /// Another server has the file.
    #[error("{}: another Papan server has these games; end it first, or name another file with --db", .0.display())]
    Busy(PathBuf),
    /// The file is something else.
    #[error("{}: this is not a file of Papan's games; name another one with --db", .0.display())]
    Foreign(PathBuf),
    /// The file is of the arena.
    #[error("{}: this is a tournament, not a file of games; name another one with --db", .0.display())]
    Tournament(PathBuf),
    /// A newer program made the file.
    #[error("{}: a newer Papan made these games (version {version}; this program knows up to {known})", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
        /// The newest version that can be read.
        known: usize,
    },
    /// The file cannot be opened or made.
    #[error("{}: {what}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The file is damaged and nothing is written to it.
    #[error("storage: the file is damaged and only read")]
    ReadOnly,
    /// There is no room.
    #[error("storage: there is no room for more")]
    Full,
    /// Something else, in SQLite's words.
    #[error("storage: {0}")]
    Other(String),
}

impl StoreError {
    pub(super) fn new(error: &impl ToString) -> Self {
        Self::Other(error.to_string())
    }

    pub(super) fn closed() -> Self {
        Self::Other("the store is closed".to_owned())
    }

    /// A file that SQLite cannot make sense of.
    pub(super) fn unreadable(path: &Path, error: &rusqlite::Error) -> Self {
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::Foreign(path),
            Some(ErrorCode::DatabaseCorrupt) => {
                let what = "the file is damaged and cannot be read; keep it, and name another one with --db";
                Self::Unusable { path, what: what.to_owned() }
            }
            _ => Self::Unusable { path, what: error.to_string() },
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            _ => Self::new(&error),
        }
    }
}

pub(crate) type StoreResult<T> = Result<T, StoreError>;
