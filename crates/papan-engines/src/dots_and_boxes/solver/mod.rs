//! Exact values, and [`DotsAndBoxesSolver`], which the rest of Papan knows.

mod exact;

pub use exact::{Depth, Solution, Solver};

use std::io::{self, Read, Write};

use papan_core::solver::{SolveLimits, SolveProgress};
use papan_core::{Bits, Place, Position as _};
use papan_games::dots_and_boxes::{DotsAndBoxes, DotsAndBoxesPosition};

use super::board::{Board, Lines};
use super::bot::{board_of, drawn_lines};
use crate::common::deadline::Control;
use crate::common::solving::{Bounds, Solved, solve_within};

/// The table's size if nobody says; memory is taken only as it is used.
const DEFAULT_MEGABYTES: usize = 1024;
/// After a solve of at most so many positions every line gets its exact value; after any solve the principal
/// variation is followed as far as so many more show it.
const CHEAP: u64 = 300_000;

/// Solves positions of one game.
pub struct DotsAndBoxesSolver {
    board: Board,
    solver: Option<Solver>,
}

impl DotsAndBoxesSolver {
    /// A solver for boards of a game.
    #[must_use]
    pub fn new<B: Bits>(game: &DotsAndBoxes<B>) -> Self {
        Self { board: board_of(game), solver: None }
    }

    /// The solver with these resources; what an earlier one with a table of the same size has learnt is
    /// kept. Without a size the table stays as it is.
    fn with_resources(&mut self, megabytes: Option<usize>, threads: usize) -> &mut Solver {
        let kept = self.solver.as_ref().map(Solver::megabytes);
        let size = megabytes.or(kept).unwrap_or(DEFAULT_MEGABYTES);
        if kept != Some(size) {
            self.solver = None;
        }
        let solver = self.solver.get_or_insert_with(|| Solver::new(size, threads));
        solver.set_threads(threads);
        solver
    }
}

impl<B: Bits> papan_core::solver::Solver<DotsAndBoxesPosition<B>> for DotsAndBoxesSolver {
    fn solve(
        &mut self,
        position: &DotsAndBoxesPosition<B>,
        limits: &SolveLimits,
        progress: &mut dyn FnMut(&SolveProgress),
    ) -> papan_core::solver::Solution<Place> {
        let (board, drawn) = (self.board, drawn_lines(position));
        let ahead = position.margin().for_player(position.to_move()).0;
        let solver = self.with_resources(limits.table_mb, limits.threads);
        let solved =
            solve_within(limits, ahead, progress, |control| solve(solver, board, drawn, limits.one_best, control));
        solved.solution(ahead, |line| Place(line as u8))
    }

    fn depth(&self, position: &DotsAndBoxesPosition<B>) -> u32 {
        position.open_lines().count()
    }

    fn can_save(&self) -> bool {
        true
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.solver {
            Some(solver) => solver.save(out),
            None => Solver::new(0, 1).save(out),
        }
    }

    fn resume(&mut self, input: &mut dyn Read) -> io::Result<()> {
        self.solver = Some(Solver::resumed(input, 1)?);
        Ok(())
    }
}

/// The value of a position, its moves, and best play from it.
fn solve(solver: &mut Solver, board: Board, drawn: Lines, one_best: bool, control: &Control) -> Solved {
    let depth = if one_best { Depth::One } else { Depth::AllBest };
    let mut solution = solver.solve(board, drawn, depth, control);
    if !one_best && solution.nodes <= CHEAP && solution.value.exact().is_some() {
        let everything = solver.solve(board, drawn, Depth::Everything, control);
        solution = Solution { nodes: solution.nodes + everything.nodes, ..everything };
    }
    let (best, value) = (solution.best(), solution.value);
    let settled = |&(_, of_move): &(usize, Bounds)| of_move.low >= value.high || of_move.high < value.low;
    Solved {
        value,
        best_complete: !one_best && value.exact().is_some() && solution.moves.iter().all(settled),
        line: principal_variation(solver, board, drawn, &best, control),
        best,
        moves: solution.moves,
        nodes: solution.nodes,
    }
}

/// Best play from here on, as far as it is found without much work.
fn principal_variation(
    solver: &mut Solver,
    board: Board,
    mut drawn: Lines,
    best: &[usize],
    control: &Control,
) -> Vec<usize> {
    let cheap = control.up_to(solver.nodes() + CHEAP);
    let mut line = Vec::new();
    let mut next = best.first().copied();
    while let Some(best) = next {
        line.push(best);
        drawn.insert(best);
        if drawn == board.all() {
            break;
        }
        next = solver.solve(board, drawn, Depth::One, &cheap).best().first().copied();
    }
    line
}
