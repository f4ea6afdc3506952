//! The exact solver of the project's own Othello positions.

use super::answer::{Proof, move_on};
use super::bot::line_of;
use super::engine::Engine;
use super::limits::{SearchLimits, SolverStatus};
use papan_core::solver::{Solution, SolveLimits, SolveProgress, Solver};
use papan_core::{Exactness, MoveValue, Position, Score};
use papan_games::othello::{OthelloMove, OthelloPosition};
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The transposition table of the solver, unless it is chosen: large enough for thirty empties.
const SOLVER_MEGABYTES: usize = 512;
/// Time between two reports of a solver's progress.
const TELL_EVERY: Duration = Duration::from_millis(200);

/// The exact solver.
#[derive(Default)]
pub struct OthelloSolver {
    engine: Option<(usize, usize, Engine)>,
}

impl OthelloSolver {
    /// An engine with the table and threads that are asked for that remembers nothing; kept from one position to the
    /// next.
    fn engine(&mut self, limits: &SolveLimits) -> &mut Engine {
        let wanted = (limits.table_mb.unwrap_or(SOLVER_MEGABYTES), limits.threads.max(1));
        let kept = self.engine.take().filter(|(megabytes, threads, _)| (*megabytes, *threads) == wanted);
        let engine = kept.map_or_else(
            || Engine::new(wanted.0, wanted.1),
            |(_, _, mut engine)| {
                engine.clear();
                engine
            },
        );
        &mut self.engine.insert((wanted.0, wanted.1, engine)).2
    }
}

/// What the status says of a position. Who has to pass is searched from the other side.
fn so_far(position: &OthelloPosition, status: &SolverStatus) -> SolveProgress {
    let (lower, upper) = status.bounds();
    let passes = position.legal_moves().into_iter().eq([OthelloMove::PASS]);
    let (lower, upper) = if passes { (-upper, -lower) } else { (lower, upper) };
    let most = i32::from(position.rules().size).pow(2);
    SolveProgress {
        lower: Score(lower.max(-most)),
        upper: Score(upper.min(most)),
        nodes: status.nodes(),
        table_use: status.table_use(),
    }
}

fn solution(position: &OthelloPosition, proof: &Proof) -> Solution<OthelloMove> {
    let best: Vec<OthelloMove> = proof.best.iter().map(|&square| move_on(square)).collect();
    let value = |&mv: &OthelloMove| MoveValue { mv, score: Score(proof.lower), exactness: Exactness::Exact };
    let mut pv = line_of(position, &proof.line);
    if let Some(&first) = best.first()
        && pv.first() != Some(&first)
    {
        pv = vec![first];
    }
    Solution {
        lower: Score(proof.lower),
        upper: Score(proof.upper),
        moves: if proof.lower == proof.upper { best.iter().map(value).collect() } else { Vec::new() },
        best,
        best_complete: proof.complete,
        pv,
        nodes: proof.nodes,
    }
}

impl Solver<OthelloPosition> for OthelloSolver {
    fn solve(
        &mut self,
        position: &OthelloPosition,
        limits: &SolveLimits,
        progress: &mut dyn FnMut(&SolveProgress),
    ) -> Solution<OthelloMove> {
        let engine = self.engine(limits);
        let status = SolverStatus::default();
        let search = SearchLimits { time: limits.time, ..SearchLimits::until(limits.stop.flag()) };
        let one_best = limits.one_best;
        let watched = &status;
        // The solver works on another thread: progress is told on the caller's.
        let proof = thread::scope(|scope| {
            let (tell, told) = channel();
            let solver = scope.spawn(move || {
                // Who no longer listens need not be told.
                let _ = tell.send(engine.solve(position, one_best, search, watched));
            });
            loop {
                match told.recv_timeout(TELL_EVERY) {
                    Ok(proof) => return proof,
                    Err(RecvTimeoutError::Timeout) => progress(&so_far(position, &status)),
                    Err(RecvTimeoutError::Disconnected) => {
                        resume_unwind(solver.join().err().unwrap_or_else(|| Box::new("the solver has gone")))
                    }
                }
            }
        });
        let found = solution(position, &proof);
        let Solution { lower, upper, nodes, .. } = found;
        progress(&SolveProgress { lower, upper, nodes, table_use: status.table_use() });
        found
    }

    fn depth(&self, position: &OthelloPosition) -> u32 {
        position.empties().count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_core::{Game, StopToken};
    use papan_games::othello::Othello;

    fn game(spec: &str) -> Othello {
        spec.parse().expect("a spec")
    }

    fn limits(threads: usize) -> SolveLimits {
        SolveLimits { threads, table_mb: Some(16), one_best: false, time: None, stop: StopToken::new() }
    }

    #[test]
    fn the_small_board_is_solved_with_all_its_best_moves() {
        let game = game("othello:size=4");
        let found = OthelloSolver::default().solve(&game.start(), &limits(1), &mut |_| ());
        assert_eq!(found.value(), Some(Score(-10)));
        assert!(found.best_complete && found.best.len() == 4);
        let mut end = game.start();
        for &mv in &found.pv {
            end = end.after(mv);
        }
        assert_eq!((end.is_over(), end.margin().0), (true, -10), "the line leads to the score");
    }

    #[test]
    fn a_long_solve_tells_how_it_goes() {
        let mut told: Vec<(u64, Score, Score)> = Vec::new();
        let mut table_use = Vec::new();
        let limits = SolveLimits { time: Some(Duration::from_millis(900)), ..limits(1) };
        OthelloSolver::default().solve(&game("othello:size=6").start(), &limits, &mut |progress| {
            told.push((progress.nodes, progress.lower, progress.upper));
            table_use.push(progress.table_use);
        });
        assert!(told.len() >= 2, "{told:?}");
        assert!(told.iter().all(|&(_, lower, upper)| Score(-36) <= lower && lower <= upper && upper <= Score(36)));
        assert!(told.windows(2).all(|two| two[0].0 <= two[1].0), "{told:?}");
        // The last report is made when all is over: one before it must have counted too.
        assert!(told[told.len() - 2].0 > 0, "{told:?}");
        assert!(table_use.iter().all(|share| (0.0..=1.0).contains(share)), "{table_use:?}");
        assert!(table_use[told.len() - 2] > 0.0, "{table_use:?}");
    }

    #[test]
    fn a_stopped_solver_gives_bounds() {
        let limits = limits(1);
        limits.stop.stop();
        let found = OthelloSolver::default().solve(&game("othello").start(), &limits, &mut |_| ());
        assert_eq!((found.lower, found.upper, found.value()), (Score(-64), Score(64), None));
    }
}
