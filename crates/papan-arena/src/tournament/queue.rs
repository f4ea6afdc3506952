//! The queue between whoever decides which games are played and whoever plays
//! them.

use std::time::Duration;

use thiserror::Error;

use super::job::{Job, Outcome};

/// Why a queue cannot go on.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct QueueError(pub String);

/// Jobs go in, outcomes come out, in any order. A queue may give an outcome
/// twice, or one that was never asked for; whoever takes them goes by their
/// ids.
pub trait Queue {
    /// How many more jobs it would take now. A queue that always says 0 while
    /// nothing is under way stands still.
    fn room(&self) -> usize;

    /// Takes a job.
    fn offer(&mut self, job: Job) -> Result<(), QueueError>;

    /// The next outcome, `None` if there is none within `wait`.
    fn take(&mut self, wait: Duration) -> Result<Option<Outcome>, QueueError>;

    /// The outcomes of these ids are on the disk, or are of no use: a queue
    /// that keeps them can let go of them.
    fn settled(&mut self, _ids: &[String]) {}

    /// Workers that have been found out since the last time: none of their
    /// outcomes is to count.
    fn distrusted(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The outcomes of these ids do not count after all: a queue that knows
    /// them as settled gives the jobs out again when they are offered.
    fn forget(&mut self, _ids: &[String]) {}
}
