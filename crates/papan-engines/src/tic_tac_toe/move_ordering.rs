//! The moves of a position, the most promising first.

use super::state::State;

/// On boards with more cells than this the playing search tries only the most promising moves.
const FULL_WIDTH_CELLS: usize = 25;
const WIDTH: usize = 16;

/// The moves of the playing search; a forced move alone.
pub(super) fn moves(state: &State) -> Vec<usize> {
    let (side, other) = (state.to_move(), 1 - state.to_move());
    let misere = state.board().is_misere();
    if !misere && let Some(block) = state.winning_cell(other) {
        return vec![block];
    }
    let mut cells: Vec<usize> = state.free_cells().collect();
    if misere {
        cells.sort_by_cached_key(|&cell| (state.completes(side, cell), state.order_of(side, cell)));
    } else {
        cells.sort_by_cached_key(|&cell| -state.order_of(side, cell));
    }
    if state.board().cells() > FULL_WIDTH_CELLS {
        cells.truncate(WIDTH);
    }
    cells
}

/// The moves of the solver with how promising they are, cells in the order given; a forced move alone.
pub(super) fn ordered_moves(state: &State, order: &[u8]) -> Vec<(i32, usize)> {
    let (side, other) = (state.to_move(), 1 - state.to_move());
    let misere = state.board().is_misere();
    if !misere && let Some(block) = state.winning_cell(other) {
        return vec![(0, block)];
    }
    let wanted = |&cell: &usize| state.is_empty(cell) && !(misere && state.completes(side, cell));
    let cells = order.iter().map(|&cell| cell as usize).filter(wanted);
    let sign = if misere { -1 } else { 1 };
    let mut moves: Vec<(i32, usize)> = cells.map(|cell| (sign * state.order_of(side, cell), cell)).collect();
    // Cells that no row can use any more are all the same: a wasted move.
    let mut wasted = 0;
    moves.retain(|&(order, _)| {
        wasted += usize::from(order == 0);
        order != 0 || wasted == 1
    });
    moves
}
