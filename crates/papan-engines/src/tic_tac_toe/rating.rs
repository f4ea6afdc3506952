//! What is known of each cell, in margins: won 1, drawn or open 0, lost -1.
//!
//! A search sees wins and losses up to its depth and nothing beyond. So its values are margins too, and one
//! depth serves all cells: a cell is rated by the same question as every other, "does this win, or lose, as far
//! as a search of this depth sees?"

use std::cmp::Reverse;

use super::evaluation::{DECIDED, as_margin};
use super::search::{Ranked, Search};
use super::solver::Solver;
use super::state::State;
use crate::common::choice::Rated;
use crate::common::deadline::{Control, Deadline};

/// Positions that may be searched to see whether a cell wins like the best one.
const BESIDE_NODES: u64 = 8;

/// A cell that does not reach `best`: what is less than a draw is lost.
pub(super) fn below(cell: usize, best: i32) -> Rated {
    Rated { mv: cell, value: best - 1, is_bound: best > 0 }
}

/// The cells of a search that were looked at as deeply as the best one, best first. What a bound leaves open is
/// left out.
pub(super) fn of_search(ranked: &[Ranked]) -> Vec<Rated> {
    let depth = ranked[0].depth;
    let rated = |ranked: &Ranked| {
        let value = as_margin(ranked.value);
        // What is at most lost is lost.
        Rated { mv: ranked.cell, value, is_bound: ranked.is_bound && value > -1 }
    };
    let mut rated: Vec<Rated> = ranked.iter().filter(|cell| cell.depth == depth && depth > 0).map(rated).collect();
    rated.retain(|rated| !rated.is_bound || rated.value < 1);
    rated
}

/// Rates the cells that the search for the best one left open, by searches of its depth, as long as the search may
/// go on. The best stays first unless a cell that it never looked at turns out to be better.
pub(super) fn rate_the_rest(search: &mut Search, state: &mut State, depth: u8, rated: &mut Vec<Rated>) {
    let side = state.to_move();
    let is_open = |cell: &usize| !rated.iter().any(|known| known.mv == *cell && !known.is_bound);
    let mut open: Vec<usize> = state.free_cells().filter(is_open).collect();
    open.sort_by_cached_key(|&cell| Reverse(state.order_of(side, cell)));
    for cell in open {
        let bound = rated.iter().find(|known| known.mv == cell).map_or(1, |known| known.value);
        let Some(value) = seen(search, state, cell, depth, bound) else { break };
        rated.retain(|known| known.mv != cell);
        rated.push(Rated::exact(cell, value));
    }
    rated.sort_by_key(Rated::order);
}

/// What a search of `depth` sees of a cell whose value is at most `bound`; nothing if it was stopped.
fn seen(search: &mut Search, state: &mut State, cell: usize, depth: u8, bound: i32) -> Option<i32> {
    let mut is_above = |limit: i32| {
        let value = search.value_of_move(state, cell, depth - 1, limit, limit + 1);
        value.ok().map(|value| value > limit)
    };
    if !is_above(-DECIDED - 1)? {
        return Some(-1);
    }
    Some(i32::from(bound > 0 && is_above(DECIDED)?))
}

/// Beside a cell that wins: the others that are shown to win too, or not to, with little work.
pub(super) fn beside_a_win(solver: &mut Solver, state: &mut State, win: usize, deadline: Deadline) -> Vec<Rated> {
    let mut rated = vec![Rated::exact(win, 1)];
    for cell in 0..state.board().cells() {
        if cell == win || !state.is_empty(cell) || deadline.is_over() {
            continue;
        }
        let control = Control::from(deadline).up_to(solver.nodes() + BESIDE_NODES);
        match solver.reaches(state, cell, 1, &control) {
            Ok(true) => rated.push(Rated::exact(cell, 1)),
            Ok(false) => rated.push(below(cell, 1)),
            Err(_) => {}
        }
    }
    rated[1..].sort_by_key(Rated::order);
    rated
}
