//! The solver as a solver of the house.

use std::io::{self, Read, Write};
use std::sync::mpsc;
use std::time::Instant;

use papan_core::solver::{Solution as HouseSolution, SolveLimits, SolveProgress, Solver as HouseSolver};
use papan_core::{Bits, Exactness, MoveValue, Place, Position as _, Score};
use papan_games::dots_and_boxes::{DotsAndBoxes, DotsAndBoxesPosition};

use super::board::{Board, Lines};
use super::bot::drawn_lines;
use super::solver::{Control, Depth, Progress, Solution, Solver, Value};

/// The table's size if nobody says; memory is taken only as it is used.
const DEFAULT_MEGABYTES: usize = 1024;
/// After a solve of at most so many positions every line gets its exact value; after any solve the expected line
/// of play is followed as far as so many more show it.
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
        Self { board: Board::new(game.rows(), game.cols()).expect("the game has no other sizes"), solver: None }
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

impl<B: Bits> HouseSolver<DotsAndBoxesPosition<B>> for DotsAndBoxesSolver {
    fn solve(
        &mut self,
        position: &DotsAndBoxesPosition<B>,
        limits: &SolveLimits,
        progress: &mut dyn FnMut(&SolveProgress),
    ) -> HouseSolution<Place> {
        let (board, drawn) = (self.board, drawn_lines(position));
        let now = position.margin().for_player(position.to_move()).0;
        let solver = self.with_resources(limits.table_mb, limits.threads);
        let deadline = limits.time.map(|time| Instant::now() + time);
        let (reports, incoming) = mpsc::channel::<Progress>();
        let (solution, line) = std::thread::scope(|scope| {
            let worker = scope.spawn(move || {
                // Nobody listens any more only if the caller is gone.
                let report = |progress: Progress| reports.send(progress).unwrap_or_default();
                let until = Control::until_stopped(limits.stop.flag());
                let control = Control { deadline, progress: Some(&report), ..until };
                let solution = solve_moves(solver, board, drawn, limits.one_best, &control);
                let line = expected_line(solver, board, drawn, &solution, &control);
                (solution, line)
            });
            for report in incoming {
                progress(&SolveProgress {
                    lower: Score(now + report.low),
                    upper: Score(now + report.high),
                    nodes: report.nodes,
                    table_use: report.table_used,
                });
            }
            worker.join().expect("the solver does not panic")
        });
        house_solution(&solution, &line, now, limits.one_best)
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

fn solve_moves(solver: &mut Solver, board: Board, drawn: Lines, one_best: bool, control: &Control) -> Solution {
    let depth = if one_best { Depth::One } else { Depth::AllBest };
    let solution = solver.solve(board, drawn, depth, control);
    if one_best || solution.nodes > CHEAP || solution.value.exact().is_none() {
        return solution;
    }
    let everything = solver.solve(board, drawn, Depth::Everything, control);
    Solution { nodes: solution.nodes + everything.nodes, ..everything }
}

/// Best play from here on, as far as it is found without much work.
fn expected_line(
    solver: &mut Solver,
    board: Board,
    mut drawn: Lines,
    solution: &Solution,
    control: &Control,
) -> Vec<usize> {
    let Some(&first) = solution.best().first() else { return Vec::new() };
    let mut line = vec![first];
    drawn.insert(first);
    let cheap = Control { nodes: Some(solver.nodes() + CHEAP), progress: None, ..*control };
    while drawn != board.all() {
        let next = solver.solve(board, drawn, Depth::One, &cheap);
        let Some(&best) = next.best().first() else { break };
        line.push(best);
        drawn.insert(best);
    }
    line
}

fn known(value: Value) -> (i32, Exactness) {
    value.exact().map_or((value.high, Exactness::AtMost), |exact| (exact, Exactness::Exact))
}

fn house_solution(solution: &Solution, line: &[usize], now: i32, one_best: bool) -> HouseSolution<Place> {
    let place = |line: usize| Place(line as u8);
    let mut moves: Vec<MoveValue<Place>> = solution
        .moves
        .iter()
        .map(|&(line, value)| {
            let (value, exactness) = known(value);
            MoveValue { mv: place(line), score: Score(now + value), exactness }
        })
        .collect();
    moves.sort_by_key(|mv| (std::cmp::Reverse(mv.score), mv.exactness != Exactness::Exact, mv.mv));
    let best = solution.best();
    let value = solution.value;
    let settled = |&(_, of_move): &(usize, Value)| of_move.low >= value.high || of_move.high < value.low;
    HouseSolution {
        lower: Score(now + value.low),
        upper: Score(now + value.high),
        best_complete: !one_best && value.exact().is_some() && solution.moves.iter().all(settled),
        best: best.into_iter().map(place).collect(),
        moves,
        pv: line.iter().copied().map(place).collect(),
        nodes: solution.nodes,
    }
}
