//! Iterative deepening with alpha-beta, forced moves and wins by threats.

use std::collections::HashMap;

use super::solver::{Control, Stopped};
use super::state::State;
use super::threats::{at_most, forced_win};

/// A win now; a win in `n` plies is worth `n` less.
pub(super) const WIN: i32 = 1_000_000;
/// Beyond this a value is a win or a loss.
pub(super) const DECIDED: i32 = WIN - 1_000;
/// Positions that a look for a forced win may take at a leaf.
const LEAF_THREATS: usize = 40;
/// On boards with more cells than this only the most promising moves are searched.
const FULL_WIDTH_CELLS: usize = 25;
const WIDTH: usize = 16;
const MEMORY: usize = 1 << 20;
/// Positions between two looks at the clock: leaves of large boards take a while.
const CHECK_EVERY: u64 = 8;

#[derive(Clone, Copy)]
struct Remembered {
    depth: u8,
    low: i32,
    high: i32,
    best: u8,
}

/// A depth-limited search that remembers what it saw.
#[derive(Default)]
pub(super) struct Deepener {
    memory: HashMap<u64, Remembered>,
    /// Positions searched.
    pub(super) nodes: u64,
    limit: Option<u64>,
}

impl Deepener {
    /// A search that stops after `limit` positions, if there is one.
    pub(super) fn new(limit: Option<u64>) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Stops after `limit` positions in all from now on.
    pub(super) fn allow(&mut self, limit: Option<u64>) {
        self.limit = limit;
    }

    fn count_node(&mut self, control: &Control) -> Result<(), Stopped> {
        self.nodes += 1;
        let out_of_nodes = self.limit.is_some_and(|limit| self.nodes > limit);
        let looks_up = self.nodes.is_multiple_of(CHECK_EVERY);
        if looks_up {
            control.told.add_nodes(CHECK_EVERY);
        }
        if out_of_nodes || (looks_up && control.is_over()) { Err(Stopped) } else { Ok(()) }
    }

    /// Fail-soft value of a position for the side to move, `ply` moves after the root.
    pub(super) fn value(
        &mut self,
        state: &mut State,
        depth: u8,
        ply: i32,
        mut low: i32,
        high: i32,
        control: &Control,
    ) -> Result<i32, Stopped> {
        self.count_node(control)?;
        // Step 1: what can be seen at once.
        if let Some(value) = at_once(state, ply) {
            return Ok(value);
        }
        let moves = moves(state);
        // Step 2: the horizon; a forced reply does not count.
        if depth == 0 && moves.len() > 1 {
            return Ok(leaf(state, ply));
        }
        let deeper = if moves.len() > 1 { depth - 1 } else { depth };
        // Step 3: what is remembered.
        let key = state.key();
        let mut known = Remembered { depth, low: -WIN, high: WIN, best: u8::MAX };
        if let Some(&found) = self.memory.get(&key).filter(|found| found.depth == depth) {
            known = found;
            if known.low >= high {
                return Ok(known.low);
            }
            if known.high <= low {
                return Ok(known.high);
            }
        }
        // Step 4: the moves, the one that was best before first.
        let (first_low, mut best) = (low, -WIN);
        let earlier_best = known.best as usize;
        let remembered = moves.iter().copied().filter(|&cell| cell == earlier_best);
        let others = moves.iter().copied().filter(|&cell| cell != earlier_best);
        for cell in remembered.chain(others) {
            state.play(cell);
            let value = self.value(state, deeper, ply + 1, -high, -low, control);
            state.take_back(cell);
            let value = -value?;
            if value > best {
                best = value;
                known.best = cell as u8;
            }
            low = low.max(best);
            if low >= high {
                break;
            }
        }
        // Step 5: remember. Wins count from the root, so only what is not decided can be used elsewhere.
        if best.abs() < DECIDED {
            if best < high {
                known.high = best;
            }
            if best > first_low {
                known.low = best;
            }
        }
        if self.memory.len() >= MEMORY {
            self.memory.clear();
        }
        self.memory.insert(key, known);
        Ok(best)
    }
}

fn at_once(state: &State, ply: i32) -> Option<i32> {
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

fn leaf(state: &mut State, ply: i32) -> i32 {
    if state.board().is_misere() {
        return -state.score();
    }
    match forced_win(state, &mut at_most(LEAF_THREATS)) {
        Some(line) => WIN - ply - line.len() as i32,
        None => state.score(),
    }
}

/// The moves worth searching, the most promising first; a forced move alone.
pub(super) fn moves(state: &State) -> Vec<usize> {
    let (side, other) = (state.to_move(), 1 - state.to_move());
    let misere = state.board().is_misere();
    if !misere && let Some(block) = state.winning_cell(other) {
        return vec![block];
    }
    let mut cells: Vec<usize> = (0..state.board().cells()).filter(|&cell| state.is_empty(cell)).collect();
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
