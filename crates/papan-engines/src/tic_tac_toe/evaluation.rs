//! The leaf of the playing search: rows that are still open, and wins by threats.

use super::state::State;
use super::threats::{at_most, forced_win};

/// A win now; a win in `n` plies counts `n` less.
pub(super) const WIN: i32 = 1_000_000;
/// Beyond this a value is a win or a loss.
pub(super) const DECIDED: i32 = WIN - 1_000;
/// Positions that a look for a forced win may take at a leaf.
const LEAF_THREATS: usize = 40;

/// How promising a row with so many marks of one side and none of the other is.
pub(super) fn row_weight(marks: u8) -> i32 {
    if marks == 0 { 0 } else { 1 << (3 * (marks.min(6) - 1)) }
}

/// What one more mark in a row changes for the side that makes it.
pub(super) fn row_change(own: u8, other: u8) -> i32 {
    match (own, other) {
        (own, 0) => row_weight(own + 1) - row_weight(own),
        (0, other) => row_weight(other),
        _ => 0,
    }
}

/// The value that can be seen at once, `ply` moves after the root.
pub(super) fn decided(state: &State, ply: i32) -> Option<i32> {
    let (side, other) = (state.to_move(), 1 - state.to_move());
    let misere = state.board().is_misere();
    if state.row_owner().is_some() {
        return Some(if misere { WIN - ply } else { ply - WIN });
    }
    if state.left() == 0 || state.live(side) + state.live(other) == 0 {
        return Some(0);
    }
    if misere {
        return None;
    }
    if state.winning_cells(side) > 0 {
        return Some(WIN - ply - 1);
    }
    (state.winning_cells(other) > 1).then_some(ply + 2 - WIN)
}

/// The leaf of the playing search.
pub(super) fn leaf(state: &mut State, ply: i32) -> i32 {
    if state.board().is_misere() {
        return -state.score();
    }
    match forced_win(state, &mut at_most(LEAF_THREATS)) {
        Some(line) => WIN - ply - line.len() as i32,
        None => state.score(),
    }
}

/// The search's value as a margin: won 1, lost -1, open 0.
pub(super) fn as_margin(value: i32) -> i32 {
    if value.abs() > DECIDED { value.signum() } else { 0 }
}
