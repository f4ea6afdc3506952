//! Exact values, and [`TicTacToeSolver`], which the rest of Papan knows.
//!
//! 1. `exact` answers "is the value at least this?" for any board and any rule;
//! 2. `proof_search` does so quickly for boards of up to 64 cells, which `masks` keeps as bits, with
//!    `threat_space` for wins by force, defences and pairings.

mod exact;
mod masks;
mod proof_search;
mod threat_space;

pub use exact::Solver;

use std::io::{self, Read, Write};

use papan_core::solver::{Solution, SolveLimits, SolveProgress};
use papan_core::{Bits, MoveSet as _, Place, Position as _};
use papan_games::tic_tac_toe::{TicTacToe, TicTacToePosition};

use super::board::Board;
use super::bot::{board_of, place_of, state_of};
use super::state::State;
use crate::common::deadline::{Control, Stopped};
use crate::common::solving::{Bounds, Solved, solve_within};

/// The table's size if nobody says.
const DEFAULT_MEGABYTES: usize = 256;
/// After a solve of at most so many positions every cell gets its exact value, and the principal variation is
/// followed as far as so many more show it.
const CHEAP: u64 = 200_000;

/// Solves positions of one game. It works on one thread.
pub struct TicTacToeSolver {
    board: Board,
    solver: Option<(usize, Solver)>,
}

impl TicTacToeSolver {
    /// A solver for boards of a game.
    #[must_use]
    pub fn new<B: Bits>(game: &TicTacToe<B>) -> Self {
        Self { board: board_of(game), solver: None }
    }

    /// The solver with a table of this size; what an earlier one with the same has learnt is kept.
    fn with_table(&mut self, megabytes: Option<usize>) -> &mut Solver {
        let kept = self.solver.as_ref().map(|&(size, _)| size);
        let size = megabytes.or(kept).unwrap_or(DEFAULT_MEGABYTES);
        if kept != Some(size) {
            self.solver = None;
        }
        &mut self.solver.get_or_insert_with(|| (size, Solver::new(self.board.clone(), size))).1
    }
}

impl<B: Bits> papan_core::solver::Solver<TicTacToePosition<B>> for TicTacToeSolver {
    fn solve(
        &mut self,
        position: &TicTacToePosition<B>,
        limits: &SolveLimits,
        progress: &mut dyn FnMut(&SolveProgress),
    ) -> Solution<Place> {
        let board = self.board.clone();
        let solved = if position.is_over() {
            let value = position.margin().for_player(position.to_move()).0;
            Solved { best_complete: true, ..Solved::bounded(Bounds::exactly(value), 0) }
        } else {
            let solver = self.with_table(limits.table_mb);
            let mut state = state_of(&board, position);
            solve_within(limits, 0, progress, |control| solve(solver, &mut state, limits.one_best, control))
        };
        solved.solution(0, |cell| place_of(&board, cell))
    }

    fn depth(&self, position: &TicTacToePosition<B>) -> u32 {
        position.legal_moves().len() as u32
    }

    fn can_save(&self) -> bool {
        true
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.solver {
            Some((_, solver)) => solver.save(out),
            None => Solver::new(self.board.clone(), 0).save(out),
        }
    }

    fn resume(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let (megabytes, solver) = Solver::resumed(self.board.clone(), input)?;
        self.solver = Some((megabytes, solver));
        Ok(())
    }
}

/// The value of a position, then its moves.
fn solve(solver: &mut Solver, state: &mut State, one_best: bool, control: &Control) -> Solved {
    let before = solver.nodes();
    let known = solver.narrow(state, control);
    let mut solved = Solved::bounded(known, 0);
    if let Some(value) = known.exact() {
        solved.moves = rate(solver, state, value, one_best, control);
        solved.best_complete =
            !one_best && solved.moves.iter().all(|(_, bounds)| bounds.low >= value || bounds.high < value);
        let best = |&(cell, bounds): &(usize, Bounds)| (bounds.exact() == Some(value)).then_some(cell);
        solved.best = solved.moves.iter().filter_map(best).collect();
        solved.line = principal_variation(solver, state, value, solved.best.first(), control);
    }
    Solved { nodes: solver.nodes() - before, ..solved }
}

/// The cells by the rows through them.
fn free_cells(solver: &Solver, state: &State) -> Vec<usize> {
    let cells = solver.board().by_rows_through().into_iter().map(usize::from);
    cells.filter(|&cell| state.is_empty(cell)).collect()
}

/// Rates the cells of a position of known value: all best ones, or one if that is enough.
fn rate(solver: &mut Solver, state: &mut State, value: i32, one_best: bool, control: &Control) -> Vec<(usize, Bounds)> {
    let before = solver.nodes();
    let mut best: Vec<(usize, Option<bool>)> = Vec::new();
    // Step 1: what finding the value has shown already.
    let mut enough = false;
    let at_once = control.up_to(before);
    for cell in free_cells(solver, state) {
        let answer = if enough { None } else { solver.reaches(state, cell, value, &at_once).ok() };
        enough |= one_best && answer == Some(true);
        best.push((cell, answer));
    }
    // Step 2: the rest, unless one is enough.
    for (cell, answer) in best.iter_mut().filter(|(_, answer)| answer.is_none()) {
        if !enough {
            *answer = solver.reaches(state, *cell, value, control).ok();
            enough = one_best && *answer == Some(true);
        }
    }
    // Step 3: the exact values of the others, if all that was cheap.
    let complete = !one_best && best.iter().all(|(_, answer)| answer.is_some());
    let spent = solver.nodes() - before;
    let cheap = control.up_to(solver.nodes() + if complete { CHEAP.saturating_sub(spent) } else { 0 });
    let mut rate = |cell: usize, answer: Option<bool>| match answer {
        Some(true) => Bounds::exactly(value),
        Some(false) if value == 0 => Bounds::exactly(-1),
        Some(false) => match solver.value_of_move(state, cell, &cheap) {
            Ok(exact) => Bounds::exactly(exact),
            Err(Stopped) => Bounds::at_most(value - 1),
        },
        None => Bounds::at_most(value),
    };
    best.into_iter().map(|(cell, answer)| (cell, rate(cell, answer))).collect()
}

/// Best play from here on, as far as it is found without much work.
fn principal_variation(
    solver: &mut Solver,
    state: &mut State,
    value: i32,
    first: Option<&usize>,
    control: &Control,
) -> Vec<usize> {
    let Some(&first) = first else { return Vec::new() };
    let cheap = control.up_to(solver.nodes() + CHEAP);
    let mut line = vec![first];
    state.play(first);
    let mut value = -value;
    while !state.is_over() {
        let mut free = free_cells(solver, state);
        free.retain(|&cell| line.len() < 64 && matches!(solver.reaches(state, cell, value, &cheap), Ok(true)));
        let Some(&next) = free.first() else { break };
        line.push(next);
        state.play(next);
        value = -value;
    }
    line.iter().rev().for_each(|&cell| state.take_back(cell));
    line
}
