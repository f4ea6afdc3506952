//! Exact values: "is the gain at least `t`?" asked until the value is pinned down, and [`AdjacencySolver`], which
//! the rest of Papan knows.
//!
//! 1. [`exact`] is where one asks: value, best moves, bounds when stopped.
//! 2. `session` puts one question to all threads.
//! 3. `prover` answers it while many cells stay empty (`expand` tries the moves, real and virtual;
//!    `virtual_lines` reuses proofs), `full_board` when the board will be full and has too many empty cells for a
//!    sweep over their subsets; `leaves` and `three` know the last plies, `transposition` remembers proofs.

mod exact;
mod expand;
mod full_board;
mod leaves;
mod prover;
mod session;
mod symmetry;
#[cfg(test)]
mod tests;
mod three;
mod transposition;
mod virtual_lines;

pub use exact::{Detail, RootMove, Solution, Solver, Task};
pub use symmetry::reflect;

use papan_core::Place;
use papan_core::solver::{Solution as CoreSolution, SolveLimits, SolveProgress, Solver as CoreSolver};
use papan_games::adjacency::AdjacencyPosition;

use super::bot::View;
use crate::common::solving::{Bounds, Solved, solve_within};

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
        let solved = solve_within(limits, 0, progress, |control| {
            let detail = if limits.one_best { Detail::Value } else { Detail::BestMoves };
            let report = control.report.expect("somebody listens");
            solver.solve(&view.task(detail, control.deadline), &mut |known| report(known))
        });
        let cells = |cells: &[u32]| cells.iter().map(|&cell| cell as usize).collect();
        Solved {
            value: Bounds { low: solved.lower, high: solved.upper },
            moves: solved.moves.iter().map(|m| (m.cell as usize, Bounds { low: m.lower, high: m.upper })).collect(),
            best: cells(&solved.best),
            best_complete: solved.best_complete,
            line: cells(&solved.line),
            nodes: solved.nodes,
        }
        .solution(0, |cell| Place(cell as u8))
    }

    fn depth(&self, position: &AdjacencyPosition) -> u32 {
        position.plies_left()
    }
}
