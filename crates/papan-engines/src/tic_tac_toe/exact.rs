//! The solver as a solver of the house.

use papan_core::solver::{Solution, SolveLimits, SolveProgress, Solver as HouseSolver};
use papan_core::{Bits, Exactness, MoveValue, Place, Position as _, Score};
use papan_games::tic_tac_toe::{TicTacToe, TicTacToePosition};

use super::bot::{board_of, place_of, state_of};
use super::solver::{Control, Solver, Stopped};
use super::state::State;

/// The table's size if nobody says.
const DEFAULT_MEGABYTES: usize = 256;

/// Solves positions of one game. It works on one thread.
pub struct TicTacToeSolver {
    board: super::board::Board,
    solver: Option<(usize, Solver)>,
}

impl TicTacToeSolver {
    /// A solver for boards of a game.
    #[must_use]
    pub fn new<B: Bits>(game: &TicTacToe<B>) -> Self {
        Self { board: board_of(game), solver: None }
    }
}

impl<B: Bits> HouseSolver<TicTacToePosition<B>> for TicTacToeSolver {
    fn solve(
        &mut self,
        position: &TicTacToePosition<B>,
        limits: &SolveLimits,
        progress: &mut dyn FnMut(&SolveProgress),
    ) -> Solution<Place> {
        if position.is_over() {
            let value = position.margin().for_player(position.to_move());
            return solution(value.0 as i8, value.0 as i8, Vec::new(), true, 0);
        }
        let megabytes = limits.table_mb.unwrap_or(DEFAULT_MEGABYTES);
        if !matches!(self.solver, Some((size, _)) if size == megabytes) {
            self.solver = Some((megabytes, Solver::new(self.board.clone(), megabytes)));
        }
        let (_, solver) = self.solver.as_mut().expect("it has just been made");
        let before = solver.nodes();
        let mut report = |nodes: u64, table_use: f64| {
            progress(&SolveProgress { lower: Score(-1), upper: Score(1), nodes: nodes - before, table_use });
        };
        let mut control = Control::with_time(limits.stop.flag(), limits.time);
        control.progress = Some(&mut report);
        let mut state = state_of(&self.board, position);
        let Ok(value) = solver.value(&mut state, &mut control) else {
            return solution(-1, 1, Vec::new(), false, solver.nodes() - before);
        };
        let (moves, complete) = rate(solver, &mut state, value, limits.one_best, &mut control);
        let board = &self.board;
        let moves: Vec<MoveValue<Place>> = moves
            .into_iter()
            .map(|(cell, value)| MoveValue {
                mv: place_of(board, cell),
                score: Score(value.into()),
                exactness: Exactness::Exact,
            })
            .collect();
        solution(value, value, moves, complete, solver.nodes() - before)
    }
}

/// The cells with their values, and whether every cell is among them; one best cell if that is enough.
fn rate(
    solver: &mut Solver,
    state: &mut State,
    value: i8,
    one_best: bool,
    control: &mut Control,
) -> (Vec<(usize, i8)>, bool) {
    let mut rated = Vec::new();
    let free: Vec<usize> = (0..state.board().cells()).filter(|&cell| state.is_empty(cell)).collect();
    for cell in free {
        match solver.value_of_move(state, cell, control) {
            Ok(found) => rated.push((cell, found)),
            Err(Stopped) => return (rated, false),
        }
        if one_best && rated.last().is_some_and(|&(_, found)| found == value) {
            return (rated, false);
        }
    }
    (rated, true)
}

fn solution(lower: i8, upper: i8, mut moves: Vec<MoveValue<Place>>, complete: bool, nodes: u64) -> Solution<Place> {
    moves.sort_by_key(|mv| (std::cmp::Reverse(mv.score), mv.mv));
    let best: Vec<Place> = moves.iter().filter(|mv| mv.score == Score(upper.into())).map(|mv| mv.mv).collect();
    Solution {
        lower: Score(lower.into()),
        upper: Score(upper.into()),
        pv: best.first().copied().into_iter().collect(),
        best_complete: complete,
        best,
        moves,
        nodes,
    }
}
