//! What is known of each cell, in margins: won 1, drawn or open 0, lost -1.
//!
//! A search sees wins and losses up to its depth and nothing beyond. So its values are margins too, and one
//! depth serves all cells: a cell is rated by the same question as every other, "does this win, or lose, as far
//! as a search of this depth sees?"

use std::cmp::Reverse;

use super::iterative_deepening::{DECIDED, Deepener};
use super::player::Ranked;
use super::solver::{Control, Solver};
use super::state::State;

/// Positions that may be searched to see whether a cell wins like the best one.
const BESIDE_NODES: u64 = 8;

/// How a value is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The value itself.
    Value,
    /// The value is at most that.
    AtMost,
}

/// What is known of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rated {
    /// The cell.
    pub cell: usize,
    /// -1, 0 or 1.
    pub value: i32,
    /// Whether that is the value or a bound.
    pub kind: Kind,
}

impl Rated {
    /// A cell of known value.
    pub(super) const fn exact(cell: usize, value: i32) -> Self {
        Self { cell, value, kind: Kind::Value }
    }

    /// A cell that does not reach `best`: what is less than a draw is lost.
    pub(super) fn below(cell: usize, best: i8) -> Self {
        let kind = if best > 0 { Kind::AtMost } else { Kind::Value };
        Self { cell, value: i32::from(best) - 1, kind }
    }

    /// Is this its value?
    pub(super) fn is_exactly(&self, value: i32) -> bool {
        self.kind == Kind::Value && self.value == value
    }

    /// Best first, bounds after values.
    pub(super) fn order(&self) -> (Reverse<i32>, bool) {
        (Reverse(self.value), self.kind == Kind::AtMost)
    }
}

/// The search's value as a margin.
pub(super) fn as_margin(value: i32) -> i32 {
    if value.abs() > DECIDED { value.signum() } else { 0 }
}

/// The cells of a search that were looked at as deeply as the best one, best first. What a bound leaves open is
/// left out.
pub(super) fn of_search(ranked: &[Ranked]) -> Vec<Rated> {
    let depth = ranked[0].depth;
    let rated = |ranked: &Ranked| {
        let value = as_margin(ranked.value);
        // What is at most lost is lost.
        let kind = if ranked.is_bound && value > -1 { Kind::AtMost } else { Kind::Value };
        Rated { cell: ranked.cell, value, kind }
    };
    let mut rated: Vec<Rated> = ranked.iter().filter(|cell| cell.depth == depth && depth > 0).map(rated).collect();
    rated.retain(|rated| rated.kind == Kind::Value || rated.value < 1);
    rated
}

/// Rates the cells that the search for the best one left open, by searches of its depth, as long as the control
/// allows. The best stays first unless a cell that it never looked at turns out to be better.
pub(super) fn rate_the_rest(
    search: &mut Deepener,
    state: &mut State,
    depth: u8,
    rated: &mut Vec<Rated>,
    control: &Control,
) {
    let side = state.to_move();
    let is_open = |cell: &usize| !rated.iter().any(|known| known.cell == *cell && known.kind == Kind::Value);
    let mut open: Vec<usize> =
        (0..state.board().cells()).filter(|&cell| state.is_empty(cell)).filter(is_open).collect();
    open.sort_by_cached_key(|&cell| Reverse(state.order_of(side, cell)));
    for cell in open {
        let bound = rated.iter().find(|known| known.cell == cell).map_or(1, |known| known.value);
        let Some(value) = seen(search, state, cell, depth, bound, control) else { break };
        rated.retain(|known| known.cell != cell);
        rated.push(Rated::exact(cell, value));
    }
    rated.sort_by_key(Rated::order);
}

/// What a search of `depth` sees of a cell that is worth at most `bound`; nothing if it was stopped.
fn seen(
    search: &mut Deepener,
    state: &mut State,
    cell: usize,
    depth: u8,
    bound: i32,
    control: &Control,
) -> Option<i32> {
    let mut is_above = |limit: i32| {
        state.play(cell);
        let value = search.value(state, depth - 1, 1, -limit - 1, -limit, control);
        state.take_back(cell);
        value.ok().map(|value| -value > limit)
    };
    if !is_above(-DECIDED - 1)? {
        return Some(-1);
    }
    Some(i32::from(bound > 0 && is_above(DECIDED)?))
}

/// Beside a cell that wins: the others that are shown to win too, or not to, with little work.
pub(super) fn beside_a_win(solver: &mut Solver, state: &mut State, win: usize, control: &Control) -> Vec<Rated> {
    let mut rated = vec![Rated::exact(win, 1)];
    for cell in 0..state.board().cells() {
        if cell == win || !state.is_empty(cell) || control.is_over() {
            continue;
        }
        let mut control = Control { progress: None, ..*control };
        solver.limit_nodes(Some(BESIDE_NODES));
        match solver.reaches(state, cell, 1, &mut control) {
            Ok(true) => rated.push(Rated::exact(cell, 1)),
            Ok(false) => rated.push(Rated::below(cell, 1)),
            Err(_) => {}
        }
    }
    solver.limit_nodes(None);
    rated[1..].sort_by_key(Rated::order);
    rated
}
