//! The strong player: solves small positions, searches large ones, and for analysis rates every cell.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use papan_core::observer::Progress;

use super::board::Board;
use super::iterative_deepening::{DECIDED, Deepener, WIN, moves};
use super::rating::{self, Kind, Rated};
use super::solver::{Control, Solver};
use super::state::State;
use super::threats::{at_most, forced_win};

/// Positions with at most so many free cells are worth an attempt to solve them.
const SOLVABLE_CELLS: usize = 36;
/// Share of the time that an attempt may take; in an analysis the truth is worth more than a move.
const SOLVING_SHARE: f64 = 0.4;
const ANALYSING_SHARE: f64 = 0.6;
/// Share of the time that is left then in which an analysis seeks the best cell; the others are rated in the rest.
const CHOOSING_SHARE: f64 = 0.5;
const RESERVE: Duration = Duration::from_millis(5);
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// Depth of the search that picks the quickest way among moves of the same proven value.
const PICKING_DEPTH: u8 = 8;
const FORCED_WIN_NODES: usize = 20_000;
/// The same in an analysis, where more is at stake than a move.
const FORCED_WIN_NODES_OF_ANALYSIS: usize = 200_000;

/// What a player may spend on one move.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Time from now.
    pub time: Option<Duration>,
    /// Positions to search.
    pub nodes: Option<u64>,
    /// Depth of the search where the position cannot be solved.
    pub depth: Option<u8>,
    /// Rate every cell, not only the best: for analysis.
    pub every_move: bool,
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
    /// A win seen is 1, a loss -1.
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
    /// -1, 0 or 1: under best play if `exact`, else as far as the search saw.
    pub value: i32,
    /// Whether the value is proven.
    pub exact: bool,
    /// Depth of the last whole iteration.
    pub depth: u8,
    /// Positions searched.
    pub nodes: u64,
    /// What is known of the cells, best first: proven if `exact`, else as far as a search of the same depth saw.
    pub rated: Vec<Rated>,
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
        let started = Instant::now();
        let deadline = time.map(|time| started + time);
        let before = self.solver.nodes();
        // Step 1: a win by force needs no more thought, unless the other cells are to be rated.
        let small = state.left() <= SOLVABLE_CELLS;
        let over = Control { stop: limits.stop, deadline, progress: None, told: limits.told };
        let mut more = at_most(if limits.every_move { FORCED_WIN_NODES_OF_ANALYSIS } else { FORCED_WIN_NODES });
        let mut goes_on = || {
            limits.told.add_nodes(1);
            more() && !over.is_over()
        };
        let forced = if state.board().is_misere() { None } else { forced_win(&mut state, &mut goes_on) };
        if let Some(line) = forced.filter(|_| !(limits.every_move && small)) {
            let rated = if limits.every_move {
                rating::beside_a_win(&mut self.solver, &mut state, line[0], &over)
            } else {
                vec![Rated::exact(line[0], 1)]
            };
            let nodes = self.solver.nodes() - before;
            return Some(Choice { cell: line[0], value: 1, exact: true, depth: line.len() as u8, nodes, rated });
        }
        // Step 2: the moves that are best, if that can be proven in time.
        let solved = if small { self.solve(&mut state, time, limits) } else { None };
        let proven = match &solved {
            None if limits.every_move && !small => self.prove_win(&mut state, started, time, limits),
            _ => None,
        };
        if let Some(choice) = proven {
            return Some(Choice { nodes: self.solver.nodes() - before, ..choice });
        }
        let cells = match &solved {
            Some((best, values)) => {
                values.iter().filter(|rated| rated.is_exactly(*best)).map(|rated| rated.cell).collect()
            }
            None => moves(&state),
        };
        // Step 3: of those, the one a search prefers.
        let choosing = if limits.every_move && solved.is_none() { CHOOSING_SHARE } else { 1.0 };
        let now = Instant::now();
        let until = deadline.map(|deadline| now + deadline.saturating_duration_since(now).mul_f64(choosing));
        let control = Control { stop: limits.stop, deadline: until, progress: None, told: limits.told };
        let deepest = if solved.is_some() { PICKING_DEPTH } else { limits.depth.unwrap_or(u8::MAX) };
        let spent = self.solver.nodes() - before;
        let nodes = limits.nodes.map(|nodes| nodes - spent.min(nodes));
        let mut search = Deepener::new(nodes.map(|nodes| (nodes as f64 * choosing) as u64));
        let (ranked, depth) = rank(&mut search, &mut state, &cells, deepest, &control, watch);
        let cell = ranked[0].cell;
        Some(match solved {
            Some((best, mut rated)) => {
                rated.sort_by_key(|other| (other.order(), other.cell != cell));
                Choice { cell, value: best, exact: true, depth, nodes: spent + search.nodes, rated }
            }
            None => {
                let mut rated = rating::of_search(&ranked);
                if limits.every_move && !rated.is_empty() {
                    search.allow(nodes);
                    let control = Control { stop: limits.stop, deadline, progress: None, told: limits.told };
                    rating::rate_the_rest(&mut search, &mut state, ranked[0].depth, &mut rated, &control);
                }
                let (cell, value) = rated.first().map_or((cell, 0), |best| (best.cell, best.value));
                Choice { cell, value, exact: false, depth, nodes: spent + search.nodes, rated }
            }
        })
    }

    /// A win of a position that is too large to be solved, if the solver proves one in its share of the time.
    fn prove_win(
        &mut self,
        state: &mut State,
        started: Instant,
        time: Option<Duration>,
        limits: Limits,
    ) -> Option<Choice> {
        if state.board().is_misere() || limits.depth.is_some() {
            return None;
        }
        let share = SOLVING_SHARE / 2.0;
        self.solver.limit_nodes(limits.nodes.map(|nodes| (nodes as f64 * share) as u64));
        let deadline = time.map(|time| started + time.mul_f64(share));
        let mut control = Control { stop: limits.stop, deadline, progress: None, told: limits.told };
        let cell = self.solver.winning_cell(state, &mut control);
        self.solver.limit_nodes(None);
        let cell = cell?;
        let over = Control { deadline: time.map(|time| started + time), progress: None, ..control };
        let rated = rating::beside_a_win(&mut self.solver, state, cell, &over);
        Some(Choice { cell, value: 1, exact: true, depth: 0, nodes: 0, rated })
    }

    /// The cells worth a look with their values after a search to the limits, best first; never solved.
    pub(super) fn ranked(&mut self, state: &State, limits: Limits) -> Vec<(usize, i32)> {
        let mut state = state.clone();
        let cells = moves(&state);
        let time = limits.time.map(|time| time.saturating_sub(RESERVE));
        let control = Control { told: limits.told, ..Control::with_time(limits.stop, time) };
        let mut search = Deepener::new(limits.nodes);
        let deepest = limits.depth.unwrap_or(u8::MAX);
        let (ranked, _) = rank(&mut search, &mut state, &cells, deepest, &control, &mut |_| {});
        ranked.into_iter().map(|ranked| (ranked.cell, ranked.value)).collect()
    }

    /// The value and that of each free cell; nothing if it takes too long.
    fn solve(&mut self, state: &mut State, time: Option<Duration>, limits: Limits) -> Option<Solved> {
        let too_deep = limits.depth.is_some_and(|depth| usize::from(depth) < state.left());
        if too_deep {
            return None;
        }
        let share = if limits.every_move { ANALYSING_SHARE } else { SOLVING_SHARE };
        self.solver.limit_nodes(limits.nodes.map(|nodes| (nodes as f64 * share) as u64));
        let time = time.map(|time| time.mul_f64(share));
        let mut control = Control { told: limits.told, ..Control::with_time(limits.stop, time) };
        // Step 1: the value.
        let best = self.solver.value(state, &mut control).ok()?;
        // Step 2: the cells that keep it, then what the others are worth; of those that take too long only
        // a bound is known.
        let free: Vec<usize> = (0..state.board().cells()).filter(|&cell| state.is_empty(cell)).collect();
        let mut values = Vec::with_capacity(free.len());
        let mut others = Vec::new();
        for cell in free {
            match self.solver.reaches(state, cell, best, &mut control) {
                Ok(true) => values.push(Rated::exact(cell, best.into())),
                Ok(false) => others.push(cell),
                Err(_) => values.push(Rated { cell, value: best.into(), kind: Kind::AtMost }),
            }
        }
        if values.iter().all(|rated| rated.kind == Kind::AtMost) {
            return None;
        }
        for cell in others {
            values.push(match self.solver.value_of_move(state, cell, &mut control) {
                Ok(value) => Rated::exact(cell, value.into()),
                Err(_) => Rated::below(cell, best),
            });
        }
        Some((best.into(), values))
    }
}

/// The value of a position and what is known of each free cell.
type Solved = (i32, Vec<Rated>);

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

/// The cells with their values after the deepest search that was finished, best first, and its depth.
fn rank(
    search: &mut Deepener,
    state: &mut State,
    cells: &[usize],
    deepest: u8,
    control: &Control,
    watch: Watch,
) -> (Vec<Ranked>, u8) {
    let mut ranked: Vec<Ranked> =
        cells.iter().map(|&cell| Ranked { cell, value: 0, is_bound: false, depth: 0 }).collect();
    let mut finished = 0;
    for depth in 0..deepest.min(state.left() as u8) {
        control.told.set_depth(u32::from(depth) + 1);
        let mut values = Vec::with_capacity(ranked.len());
        let mut best = -WIN;
        for &Ranked { cell, .. } in &ranked {
            state.play(cell);
            let value = search.value(state, depth, 1, -WIN, -best, control);
            state.take_back(cell);
            let Ok(value) = value else { break };
            let is_bound = -value <= best && !values.is_empty();
            // A move that only ties with the best was cut off: it ranks below what was searched in full.
            let value = if is_bound { -value - 1 } else { -value };
            if value > best {
                best = value;
                watch(Glimpse { cell, value: rating::as_margin(value), depth: depth + 1, nodes: search.nodes });
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
