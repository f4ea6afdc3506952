//! Tournaments: a file says what is to be played, a queue plays it, a store
//! keeps it.

mod check;
mod file;
mod folder;
mod job;
mod openings;
mod queue;
mod run;
mod setup;
mod store;
mod workers;

pub use check::{check, same_game};
pub use file::{FileError, MOST_GAMES, MOST_JOBS, OpeningPlan, TournamentFile};
pub use folder::{FoundProgram, programs};
pub(crate) use folder::{RUNNERS, own_files, run_words};
pub use job::{Chair, Job, Outcome, Place, Supplier, perform, perform_until};
pub use openings::{Judge, choose_openings};
pub use queue::{Queue, QueueError};
pub use run::{Event, PlayedGame, Progress, RunError, run, stored_progress};
pub use setup::{Entrant, Setup};
pub use store::{Store, StoreError};
pub use workers::{Workers, Workplace};
