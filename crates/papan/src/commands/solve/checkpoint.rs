//! Long solves that can be saved and resumed.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use papan_core::Position;
use papan_core::solver::{Solution, SolveLimits, SolveProgress, Solver};

use crate::error::CliError;

/// Time between two savings.
const SAVE_EVERY: Duration = Duration::from_secs(600);
const CANNOT_SAVE: &str = "the solver of this game cannot be saved and resumed";

/// Where a solve is kept, and where it goes on from.
#[derive(Clone, Copy)]
pub(super) struct Checkpoint<'a> {
    pub(super) save: Option<&'a Path>,
    pub(super) resume: Option<&'a Path>,
}

impl Checkpoint<'_> {
    /// Solves, saving every ten minutes and whenever the solve ends without all that was asked for.
    pub(super) fn solve<P: Position>(
        self,
        solver: &mut dyn Solver<P>,
        position: &P,
        limits: &SolveLimits,
        progress: &mut dyn FnMut(&SolveProgress),
    ) -> Result<Solution<P::Move>, CliError> {
        if (self.save.is_some() || self.resume.is_some()) && !solver.can_save() {
            return Err(CliError::Usage(CANNOT_SAVE.to_owned()));
        }
        if let Some(path) = self.resume {
            let failed = |source| CliError::File { path: path.to_owned(), source };
            let mut file = BufReader::new(File::open(path).map_err(failed)?);
            solver.resume(&mut file).map_err(failed)?;
        }
        let Some(path) = self.save else { return Ok(solver.solve(position, limits, progress)) };
        let started = Instant::now();
        let mut nodes = 0;
        loop {
            let left = limits.time.map(|time| time.saturating_sub(started.elapsed()));
            let slice =
                SolveLimits { time: Some(left.map_or(SAVE_EVERY, |left| left.min(SAVE_EVERY))), ..limits.clone() };
            let mut solution = solver.solve(position, &slice, &mut |now| {
                progress(&SolveProgress { nodes: nodes + now.nodes, ..*now });
            });
            nodes += solution.nodes;
            solution.nodes = nodes;
            let settled = solution.value().is_some() && (limits.one_best || solution.best_complete);
            let over = limits.stop.is_stopped() || limits.time.is_some_and(|time| started.elapsed() >= time);
            if !settled {
                save(path, solver).map_err(|source| CliError::File { path: path.to_owned(), source })?;
            }
            if settled || over {
                return Ok(solution);
            }
        }
    }
}

/// Writes beside the file first, so that a broken write leaves the last good one.
fn save<P: Position>(path: &Path, solver: &dyn Solver<P>) -> std::io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let mut file = BufWriter::new(File::create(&beside)?);
    solver.save(&mut file)?;
    file.flush()?;
    fs::rename(&beside, path)
}
