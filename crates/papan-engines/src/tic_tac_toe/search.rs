//! Alpha-beta with iterative deepening, forced moves and wins by threats.

use std::collections::HashMap;

use papan_core::Score;
use papan_core::observer::BestSoFar;

use super::evaluation::{DECIDED, WIN, as_margin, decided, leaf};
use super::move_ordering::moves;
use super::state::State;
use crate::common::choice::Watch;
use crate::common::deadline::{Deadline, Stopped};

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
pub(super) struct Search<'a> {
    memory: HashMap<u64, Remembered>,
    /// Positions searched.
    pub(super) nodes: u64,
    limit: Option<u64>,
    deadline: Deadline<'a>,
}

impl<'a> Search<'a> {
    /// A search that stops at a deadline and after `limit` positions, if there is such a number.
    pub(super) fn new(limit: Option<u64>, deadline: Deadline<'a>) -> Self {
        Self { memory: HashMap::new(), nodes: 0, limit, deadline }
    }

    /// Goes on until another deadline and `limit` positions in all, with what it remembers.
    pub(super) fn go_on(&mut self, limit: Option<u64>, deadline: Deadline<'a>) {
        (self.limit, self.deadline) = (limit, deadline);
    }

    fn count_node(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        let out_of_nodes = self.limit.is_some_and(|limit| self.nodes > limit);
        let out_of_time = self.deadline.is_over_at(self.nodes, CHECK_EVERY);
        if out_of_nodes || out_of_time { Err(Stopped) } else { Ok(()) }
    }

    /// Fail-soft value of a position for the side to move, `ply` moves after the root.
    fn value(&mut self, state: &mut State, depth: u8, ply: i32, mut low: i32, high: i32) -> Result<i32, Stopped> {
        self.count_node()?;
        // Step 1: what can be seen at once.
        if let Some(value) = decided(state, ply) {
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
            let value = self.value(state, deeper, ply + 1, -high, -low);
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

    /// The value of a cell for the side that marks it, exact between the bounds.
    pub(super) fn value_of_move(
        &mut self,
        state: &mut State,
        cell: usize,
        depth: u8,
        low: i32,
        high: i32,
    ) -> Result<i32, Stopped> {
        state.play(cell);
        let value = self.value(state, depth, 1, -high, -low);
        state.take_back(cell);
        value.map(|value| -value)
    }

    /// The cells with their values after the deepest search that was finished, best first, and its depth.
    pub(super) fn rank(&mut self, state: &mut State, cells: &[usize], deepest: u8, watch: Watch) -> (Vec<Ranked>, u8) {
        let mut ranked: Vec<Ranked> =
            cells.iter().map(|&cell| Ranked { cell, value: 0, is_bound: false, depth: 0 }).collect();
        let mut finished = 0;
        for depth in 0..deepest.min(state.left() as u8) {
            self.deadline.progress.set_depth(u32::from(depth) + 1);
            let mut values = Vec::with_capacity(ranked.len());
            let mut best = -WIN;
            for &Ranked { cell, .. } in &ranked {
                let Ok(value) = self.value_of_move(state, cell, depth, best, WIN) else { break };
                let is_bound = value <= best && !values.is_empty();
                // A move that only ties with the best was cut off: it ranks below what was searched in full.
                let value = if is_bound { value - 1 } else { value };
                if value > best {
                    best = value;
                    let (score, depth) = (Score(as_margin(value)), u32::from(depth) + 1);
                    watch(BestSoFar { mv: cell, score, depth, nodes: self.nodes });
                }
                values.push(Ranked { cell, value, is_bound, depth: depth + 1 });
            }
            let complete = values.len() == ranked.len();
            if !values.is_empty() {
                let searched = values.len();
                ranked[..searched].copy_from_slice(&values);
                ranked[..searched].sort_by_key(|ranked| -ranked.value);
            }
            if !complete {
                break;
            }
            finished = depth + 1;
            if ranked[0].value.abs() > DECIDED {
                break;
            }
        }
        (ranked, finished)
    }
}

/// What a search says of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    pub(super) cell: usize,
    /// In the search's own unit.
    pub(super) value: i32,
    /// The value is at most that: the cell was only shown to be no better than another.
    pub(super) is_bound: bool,
    /// Depth of the search behind it; 0 if there was none.
    pub(super) depth: u8,
}
