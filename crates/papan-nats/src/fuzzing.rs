//! What comes from the queue, read without one: for fuzzing.

use crate::wire::{Report, Run, Task};

/// A run as it is announced.
///
/// # Errors
/// Why it is refused.
pub fn run(bytes: &[u8]) -> Result<Run, String> {
    Run::read(bytes)
}

/// A job that came under `subject`, if it is one of `run` or no run is given.
///
/// # Errors
/// Why it is refused.
pub fn task(subject: &str, bytes: &[u8], run: Option<&Run>) -> Result<Task, String> {
    let task = Task::read(subject, bytes)?;
    run.map_or(Ok(()), |run| task.check(run))?;
    Ok(task)
}

/// A result that came under `subject`, if it is one of `run` or no run is given.
///
/// # Errors
/// Why it is refused.
pub fn report(subject: &str, bytes: &[u8], run: Option<&Run>) -> Result<Report, String> {
    let report = Report::read(subject, bytes)?;
    match run {
        Some(run) => report.check(&run.plan),
        None => Ok(report),
    }
}
