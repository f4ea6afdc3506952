//! The strong player: solves small positions, searches large ones, and for analysis rates every cell.

use std::time::Instant;

use papan_core::Budget;

use super::board::Board;
use super::move_ordering::moves;
use super::rating::{self, below};
use super::search::Search;
use super::solver::Solver;
use super::state::State;
use super::threats::{at_most, forced_win};
use crate::common::choice::{Choice, Rated, Watch};
use crate::common::deadline::{Deadline, MoveBudget};

/// Positions with at most so many free cells are tried to be solved.
const SOLVABLE_CELLS: usize = 36;
/// Share of the time that an attempt may take; in an analysis the truth counts more than a move.
const SOLVING_SHARE: f64 = 0.4;
const ANALYSING_SHARE: f64 = 0.6;
/// Share of the time that is left then in which an analysis seeks the best cell; the others are rated in the rest.
const CHOOSING_SHARE: f64 = 0.5;
/// Depth of the search that picks the quickest way among moves of the same proven value.
const PICKING_DEPTH: u8 = 8;
const FORCED_WIN_NODES: usize = 20_000;
/// The same in an analysis, where more is at stake than a move.
const FORCED_WIN_NODES_OF_ANALYSIS: usize = 200_000;

/// The value of a position and what is known of each free cell.
type Solved = (i32, Vec<Rated>);

/// Plays as well as it can in the time it has.
pub(super) struct Player {
    solver: Solver,
}

impl Player {
    /// A player with a table of `megabytes`.
    pub(super) fn new(board: Board, megabytes: usize) -> Self {
        Self { solver: Solver::new(board, megabytes) }
    }

    /// The cell to mark in a game that is not over. `watch` is told of each better one on the way.
    pub(super) fn choose(&mut self, state: &State, budget: &Budget, watch: Watch) -> Choice {
        let (mut state, task) = (state.clone(), MoveBudget::new(budget));
        let before = self.solver.nodes();
        // Step 1: a win by force needs no more thought, unless the other cells are to be rated.
        let small = state.left() <= SOLVABLE_CELLS;
        let forced = forced(&mut state, task).filter(|_| !(budget.every_move && small));
        if let Some(line) = forced {
            let rated = if budget.every_move {
                rating::beside_a_win(&mut self.solver, &mut state, line[0], task.deadline(task.started, 1.0))
            } else {
                vec![Rated::exact(line[0], 1)]
            };
            let nodes = self.solver.nodes() - before;
            return Choice { mv: line[0], value: 1, exact: true, depth: line.len() as u8, nodes, rated };
        }
        // Step 2: the moves that are best, if that can be proven in time.
        let solved = if small { self.solve(&mut state, task) } else { None };
        if budget.every_move
            && !small
            && let Some(rated) = self.prove_win(&mut state, task)
        {
            let nodes = self.solver.nodes() - before;
            return Choice { mv: rated[0].mv, value: 1, exact: true, depth: 0, nodes, rated };
        }
        // Step 3: of those, the one a search prefers.
        let spent = self.solver.nodes() - before;
        match solved {
            Some(solved) => pick(&mut state, solved, task, spent, watch),
            None => search(&mut state, task, spent, watch),
        }
    }

    /// A win of a position that is too large to be solved, if the solver proves one in its share of the time, and
    /// what is known of the other cells.
    fn prove_win(&mut self, state: &mut State, task: MoveBudget) -> Option<Vec<Rated>> {
        if state.board().is_misere() || task.budget.depth.is_some() {
            return None;
        }
        let control = task.control(task.started, SOLVING_SHARE / 2.0, self.solver.nodes());
        let cell = self.solver.winning_cell(state, &control)?;
        Some(rating::beside_a_win(&mut self.solver, state, cell, task.deadline(task.started, 1.0)))
    }

    /// The value and that of each free cell; nothing if it takes too long.
    fn solve(&mut self, state: &mut State, task: MoveBudget) -> Option<Solved> {
        if usize::from(task.depth()) < state.left() && task.budget.depth.is_some() {
            return None;
        }
        let share = if task.budget.every_move { ANALYSING_SHARE } else { SOLVING_SHARE };
        let control = task.control(Instant::now(), share, self.solver.nodes());
        // Step 1: the value.
        let best = self.solver.value(state, &control).ok()?;
        // Step 2: the cells that keep it, then the values of the others; of those that take too long only
        // a bound is known.
        let free: Vec<usize> = state.free_cells().collect();
        let mut values = Vec::with_capacity(free.len());
        let mut others = Vec::new();
        for cell in free {
            match self.solver.reaches(state, cell, best, &control) {
                Ok(true) => values.push(Rated::exact(cell, best)),
                Ok(false) => others.push(cell),
                Err(_) => values.push(Rated { mv: cell, value: best, is_bound: true }),
            }
        }
        if values.iter().all(|rated| rated.is_bound) {
            return None;
        }
        for cell in others {
            values.push(match self.solver.value_of_move(state, cell, &control) {
                Ok(value) => Rated::exact(cell, value),
                Err(_) => below(cell, best),
            });
        }
        Some((best, values))
    }
}

/// A win by threats that leave one reply each.
fn forced(state: &mut State, task: MoveBudget) -> Option<Vec<usize>> {
    if state.board().is_misere() {
        return None;
    }
    let nodes = if task.budget.every_move { FORCED_WIN_NODES_OF_ANALYSIS } else { FORCED_WIN_NODES };
    let (mut more, deadline) = (at_most(nodes), task.deadline(task.started, 1.0));
    forced_win(state, &mut || {
        deadline.progress.add_nodes(1);
        more() && !deadline.is_over()
    })
}

/// Of the cells that are proven best the one a search prefers.
fn pick(state: &mut State, (best, mut rated): Solved, task: MoveBudget, spent: u64, watch: Watch) -> Choice {
    let cells: Vec<usize> =
        rated.iter().filter(|rated| **rated == Rated::exact(rated.mv, best)).map(|rated| rated.mv).collect();
    let left = task.budget.nodes.map(|nodes| nodes.saturating_sub(spent));
    let mut search = Search::new(left, task.deadline(task.started, 1.0));
    let (ranked, depth) = search.rank(state, &cells, PICKING_DEPTH, watch);
    let cell = ranked[0].cell;
    rated.sort_by_key(|other| (other.order(), other.mv != cell));
    Choice { mv: cell, value: best, exact: true, depth, nodes: spent + search.nodes, rated }
}

/// The cell a search prefers; in an analysis the others are rated in what is left of the time.
fn search(state: &mut State, task: MoveBudget, spent: u64, watch: Watch) -> Choice {
    let share = if task.budget.every_move { CHOOSING_SHARE } else { 1.0 };
    let left = task.budget.nodes.map(|nodes| nodes.saturating_sub(spent));
    let mut search = Search::new(left.map(|nodes| (nodes as f64 * share) as u64), task.rest(share));
    let (ranked, depth) = search.rank(state, &moves(state), task.depth(), watch);
    let mut rated = rating::of_search(&ranked);
    if task.budget.every_move && !rated.is_empty() {
        search.go_on(left, task.deadline(task.started, 1.0));
        rating::rate_the_rest(&mut search, state, ranked[0].depth, &mut rated);
    }
    let (cell, value) = rated.first().map_or((ranked[0].cell, 0), |best| (best.mv, best.value));
    Choice { mv: cell, value, exact: false, depth, nodes: spent + search.nodes, rated }
}

/// The promising cells with their values after a search to so many plies, best first; never solved.
pub(super) fn ranked(state: &State, budget: &Budget, depth: u8) -> Vec<(usize, i32)> {
    let (mut state, task) = (state.clone(), MoveBudget::new(budget));
    // Without a limit of time the depth alone ends the search.
    let at = budget.time.and(task.time).map(|time| task.started + time);
    let mut search = Search::new(budget.nodes, Deadline::of(budget, at));
    let cells = moves(&state);
    let (ranked, _) = search.rank(&mut state, &cells, task.depth().min(depth), &mut |_| {});
    ranked.into_iter().map(|ranked| (ranked.cell, ranked.value)).collect()
}
