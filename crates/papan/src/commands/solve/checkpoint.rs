//! Long solves that can be saved and resumed.

use std::path::Path;
use std::time::{Duration, Instant};

use papan_core::Position;
use papan_core::solver::{Solution, SolveLimits, SolveProgress, Solver};

use super::saved::{self, Of};
use crate::error::CliError;
use crate::safe_file;

/// Time between two savings.
const SAVE_EVERY: Duration = Duration::from_secs(600);
const CANNOT_SAVE: &str = "the solver of this game cannot be saved and resumed";

/// Where a solve is kept, and where it goes on from.
#[derive(Clone)]
pub(super) struct Checkpoint<'a> {
    pub(super) of: Of,
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
            let mut file = saved::open(path, &self.of).map_err(failed)?;
            solver.resume(&mut file).map_err(failed)?;
        }
        let Some(path) = self.save else { return Ok(solver.solve(position, limits, progress)) };
        // A place that cannot be written is a mistake now, not in ten minutes.
        safe_file::check_place(path).map_err(|source| CliError::File { path: path.to_owned(), source })?;
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
                saved::write(path, &self.of, |out| solver.save(out))
                    .map_err(|source| CliError::File { path: path.to_owned(), source })?;
            }
            if settled || over {
                return Ok(solution);
            }
        }
    }
}
