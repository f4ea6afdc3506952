//! The exact solver behind Papan's solver interface.

use std::time::Instant;

use papan_core::Place;
use papan_core::Score;
use papan_core::observer::UNWATCHED;
use papan_core::solver::{Solution as CoreSolution, SolveLimits, SolveProgress, Solver as CoreSolver};
use papan_games::adjacency::AdjacencyPosition;

use super::answer::values_of;
use super::engine::View;
use super::exact::{Detail, Solver, Task};

/// The exact solver behind Papan's solver interface.
#[derive(Default)]
pub struct AdjacencySolver {
    kept: Option<(bool, usize, usize, Solver)>,
}

/// MiB to which the table may grow if the caller leaves the choice to the solver: room for every best move of a
/// long start.
fn table_for(plies: u32) -> usize {
    match plies {
        0..=12 => 256,
        13 | 14 => 1024,
        15 => 2048,
        _ => 4096,
    }
}

impl CoreSolver<AdjacencyPosition> for AdjacencySolver {
    fn solve(
        &mut self,
        position: &AdjacencyPosition,
        limits: &SolveLimits,
        progress: &mut dyn FnMut(&SolveProgress),
    ) -> CoreSolution<Place> {
        let view = View::of(position);
        let threads = limits.threads.max(1);
        let wanted = limits.table_mb.unwrap_or_else(|| table_for(view.plies));
        let fits = |kept: &(bool, usize, usize, Solver)| {
            kept.0 == view.eight
                && kept.1 == threads
                && (kept.2 == wanted || limits.table_mb.is_none() && kept.2 > wanted)
        };
        if !self.kept.as_ref().is_some_and(fits) {
            self.kept = Some((view.eight, threads, wanted, Solver::new(view.eight, threads, wanted)));
        }
        let (.., solver) = self.kept.as_mut().expect("just made");
        let task = Task {
            own: view.own,
            opp: view.opp,
            plies: view.plies,
            detail: if limits.one_best { Detail::Value } else { Detail::BestMoves },
            stop: limits.stop.flag(),
            told: &UNWATCHED,
            deadline: limits.time.and_then(|t| Instant::now().checked_add(t)),
        };
        let found = solver.solve(&task, &mut |p| {
            progress(&SolveProgress {
                lower: Score(p.lower),
                upper: Score(p.upper),
                nodes: p.nodes,
                table_use: p.table_fill,
            });
        });
        let best: Vec<Place> = found.best.iter().map(|&cell| Place(cell as u8)).collect();
        CoreSolution {
            lower: Score(found.lower),
            upper: Score(found.upper),
            pv: found.line.iter().map(|&cell| Place(cell as u8)).collect(),
            best,
            best_complete: found.best_complete,
            moves: values_of(&found),
            nodes: found.nodes,
        }
    }

    fn depth(&self, position: &AdjacencyPosition) -> u32 {
        position.plies_left()
    }
}
