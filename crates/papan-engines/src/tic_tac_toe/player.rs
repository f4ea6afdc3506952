//! The strong player: solves small positions, searches large ones.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use papan_core::observer::Progress;

use super::board::Board;
use super::deepen::{DECIDED, Deepener, WIN, moves};
use super::solver::{Control, Solver};
use super::state::State;
use super::threats::{at_most, forced_win};

/// Positions with at most so many free cells are worth an attempt to solve them.
const SOLVABLE_CELLS: usize = 36;
/// Share of the time that an attempt may take.
const SOLVING_SHARE: f64 = 0.4;
const RESERVE: Duration = Duration::from_millis(5);
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// Depth of the search that picks the quickest way among moves of the same proven value.
const PICKING_DEPTH: u8 = 8;
const FORCED_WIN_NODES: usize = 20_000;

/// What a player may spend on one move.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Time from now.
    pub time: Option<Duration>,
    /// Positions to search.
    pub nodes: Option<u64>,
    /// Depth of the search where the position cannot be solved.
    pub depth: Option<u8>,
    /// Set by anyone to have the move at once.
    pub stop: &'a AtomicBool,
    /// Says how far the player is, for whoever looks at it.
    pub told: &'a Progress,
}

/// The best cell so far, while the player still thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glimpse {
    /// The cell.
    pub cell: usize,
    /// How promising it looks; a win in `n` plies is 1,000,000 less `n`.
    pub value: i32,
    /// Depth of the search behind it.
    pub depth: u8,
    /// Positions searched so far.
    pub nodes: u64,
}

/// Is told of each better cell.
pub type Watch<'a> = &'a mut dyn FnMut(Glimpse);

/// A move with its reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The cell to mark.
    pub cell: usize,
    /// If `exact`: -1, 0 or 1 under best play. Else how promising it looks; a win in `n` plies is
    /// 1,000,000 less `n`.
    pub value: i32,
    /// Whether the value is proven.
    pub exact: bool,
    /// Depth of the last whole iteration.
    pub depth: u8,
    /// Positions searched.
    pub nodes: u64,
    /// The cells that were looked at with their values, best first.
    pub rated: Vec<(usize, i32)>,
}

impl Choice {
    /// A move nobody thought about.
    pub(super) fn unrated(cell: usize) -> Self {
        Self { cell, value: 0, exact: false, depth: 0, nodes: 0, rated: Vec::new() }
    }
}

/// Plays as well as it can in the time it has.
pub struct Player {
    solver: Solver,
}

impl Player {
    /// A player with a table of `megabytes`.
    #[must_use]
    pub fn new(board: Board, megabytes: usize) -> Self {
        Self { solver: Solver::new(board, megabytes) }
    }

    /// The cell to mark; nothing if the game is over. `watch` is told of each better one on the way.
    pub fn choose(&mut self, state: &State, limits: Limits, watch: Watch) -> Option<Choice> {
        if state.is_over() {
            return None;
        }
        let mut state = state.clone();
        let time = match (limits.time, limits.nodes, limits.depth) {
            (Some(time), _, _) => Some(time.saturating_sub(RESERVE)),
            (None, None, None) => Some(DEFAULT_TIME),
            _ => None,
        };
        let deadline = time.map(|time| Instant::now() + time);
        // Step 1: a win by force needs no more thought.
        let mut more = at_most(FORCED_WIN_NODES);
        let control = Control { stop: limits.stop, deadline, progress: None, told: limits.told };
        if !state.board().is_misere()
            && let Some(line) = forced_win(&mut state, &mut || {
                limits.told.add_nodes(1);
                more() && !control.is_over()
            })
        {
            let rated = vec![(line[0], 1)];
            return Some(Choice { cell: line[0], value: 1, exact: true, depth: line.len() as u8, nodes: 0, rated });
        }
        // Step 2: the moves that are best, if that can be proven in time.
        let before = self.solver.nodes();
        let solved = self.solve(&mut state, time, limits);
        let cells = match &solved {
            Some((best, values)) => {
                values.iter().filter(|&&(_, value)| value == *best).map(|&(cell, _)| cell).collect()
            }
            None => moves(&state),
        };
        // Step 3: of those, the one a search prefers.
        let deepest = if solved.is_some() { PICKING_DEPTH } else { limits.depth.unwrap_or(u8::MAX) };
        let spent = self.solver.nodes() - before;
        let mut search = Deepener::new(limits.nodes.map(|nodes| nodes - spent.min(nodes)));
        let (ranked, depth) = rank(&mut search, &mut state, &cells, deepest, &control, watch);
        let (cell, value) = ranked[0];
        Some(match solved {
            Some((best, values)) => {
                let mut rated: Vec<(usize, i32)> =
                    values.into_iter().map(|(cell, value)| (cell, value.into())).collect();
                rated.sort_by_key(|&(other, value)| (-value, other != cell));
                Choice { cell, value: best.into(), exact: true, depth, nodes: spent + search.nodes, rated }
            }
            None => Choice { cell, value, exact: false, depth, nodes: spent + search.nodes, rated: ranked },
        })
    }

    /// The cells worth a look with their values after a search to the limits, best first; never solved.
    pub(super) fn ranked(&mut self, state: &State, limits: Limits) -> Vec<(usize, i32)> {
        let mut state = state.clone();
        let cells = moves(&state);
        let time = limits.time.map(|time| time.saturating_sub(RESERVE));
        let control = Control { told: limits.told, ..Control::with_time(limits.stop, time) };
        let mut search = Deepener::new(limits.nodes);
        rank(&mut search, &mut state, &cells, limits.depth.unwrap_or(u8::MAX), &control, &mut |_| {}).0
    }

    /// The value and that of each free cell; nothing if it takes too long.
    fn solve(&mut self, state: &mut State, time: Option<Duration>, limits: Limits) -> Option<Solved> {
        let too_deep = limits.depth.is_some_and(|depth| usize::from(depth) < state.left());
        if state.left() > SOLVABLE_CELLS || too_deep {
            return None;
        }
        self.solver.limit_nodes(limits.nodes.map(|nodes| (nodes as f64 * SOLVING_SHARE) as u64));
        let time = time.map(|time| time.mul_f64(SOLVING_SHARE));
        let mut control = Control { told: limits.told, ..Control::with_time(limits.stop, time) };
        // Step 1: the value.
        let best = self.solver.value(state, &mut control).ok()?;
        // Step 2: the cells that keep it, then what the others are worth; those that take too long are
        // left out.
        let free: Vec<usize> = (0..state.board().cells()).filter(|&cell| state.is_empty(cell)).collect();
        let mut values = Vec::with_capacity(free.len());
        let mut others = Vec::new();
        for cell in free {
            match self.solver.is_worth(state, cell, best, &mut control) {
                Ok(true) => values.push((cell, best)),
                Ok(false) => others.push(cell),
                Err(_) => {}
            }
        }
        if values.is_empty() {
            return None;
        }
        for cell in others {
            if let Ok(value) = self.solver.value_of_move(state, cell, &mut control) {
                values.push((cell, value));
            }
        }
        Some((best, values))
    }
}

/// The value of a position and that of each free cell.
type Solved = (i8, Vec<(usize, i8)>);

/// The cells with their values after the deepest search that was finished, best first, and its depth.
fn rank(
    search: &mut Deepener,
    state: &mut State,
    cells: &[usize],
    deepest: u8,
    control: &Control,
    watch: Watch,
) -> (Vec<(usize, i32)>, u8) {
    let mut ranked: Vec<(usize, i32)> = cells.iter().map(|&cell| (cell, 0)).collect();
    let mut finished = 0;
    for depth in 0..deepest.min(state.left() as u8) {
        control.told.set_depth(u32::from(depth) + 1);
        let mut values = Vec::with_capacity(ranked.len());
        let mut best = -WIN;
        for &(cell, _) in &ranked {
            state.play(cell);
            let value = search.value(state, depth, 1, -WIN, -best, control);
            state.take_back(cell);
            let Ok(value) = value else { break };
            // A move that only ties with the best was cut off: it ranks below what was searched in full.
            let value = if -value > best || values.is_empty() { -value } else { -value - 1 };
            if value > best {
                best = value;
                watch(Glimpse { cell, value, depth: depth + 1, nodes: search.nodes });
            }
            values.push((cell, value));
        }
        let complete = values.len() == ranked.len();
        if !values.is_empty() {
            let searched = values.len();
            ranked[..searched].copy_from_slice(&values);
            ranked[..searched].sort_by_key(|&(_, value)| -value);
        }
        if !complete {
            break;
        }
        finished = depth + 1;
        if ranked[0].1.abs() > DECIDED {
            break;
        }
    }
    (ranked, finished)
}
