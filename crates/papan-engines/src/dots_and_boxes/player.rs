//! The strong player: solves what it can, searches the rest.

use super::board::{Board, Lines};
use super::candidates::{Candidate, Root, root};
use super::contract::contract;
use super::deepen::{Deepener, SCALE};
use super::graph::MAX_LONE;
use super::search::Shared;
use super::solver::{Control, Solver, Value};
use papan_core::observer::Progress;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Positions a thread is expected to search in a second.
const NODES_PER_SECOND: f64 = 300_000.0;
/// After a solve of at most so many positions every line is rated.
const CHEAP: u64 = 20_000;
/// Positions below the horizon that the table gets room for, at most.
const MOST_REMEMBERED: f64 = 1e6;
/// Share of the time that an attempt to solve may take.
const SOLVING_SHARE: f64 = 0.7;
/// Kept back, so that the answer is out in time.
const RESERVE: Duration = Duration::from_millis(5);
/// Time to think if nobody sets any.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

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

/// What a line is thought to be worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rated {
    /// The line.
    pub line: usize,
    /// Margin of the boxes to come, for the side to move.
    pub value: f64,
    /// Whether that is proven.
    pub exact: bool,
}

/// The best line so far, while the player still thinks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glimpse {
    /// The line.
    pub line: usize,
    /// What it is thought to be worth.
    pub value: f64,
    /// Depth of the search behind it.
    pub depth: u8,
    /// Positions searched so far.
    pub nodes: u64,
}

/// Is told of each better line.
pub type Watch<'a> = &'a mut dyn FnMut(Glimpse);

/// A move with its reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The line to draw.
    pub line: usize,
    /// Margin of the boxes to come, for the side to move.
    pub value: f64,
    /// Whether the value is proven.
    pub exact: bool,
    /// Depth of the last whole iteration; 0 if the position was solved.
    pub depth: u8,
    /// Positions searched.
    pub nodes: u64,
    /// The lines that were looked at, best first.
    pub rated: Vec<Rated>,
}

/// Plays as well as it can in the time it has.
pub struct Player {
    solver: Solver,
    seed: u64,
}

impl Player {
    /// A player with a table of `megabytes` and this many threads.
    #[must_use]
    pub fn new(megabytes: usize, threads: usize, seed: u64) -> Self {
        Self { solver: Solver::new(megabytes, threads), seed }
    }

    /// The line to draw, or nothing if all are drawn; `watch` is told of each better one on the way.
    pub fn choose(&mut self, board: Board, drawn: Lines, limits: Limits, watch: Watch) -> Option<Choice> {
        let start = Instant::now();
        let here = contract(board, drawn);
        let (joints, boxes) = (here.quiet.joints(), here.quiet.boxes());
        if joints <= 16 && boxes <= 26 {
            self.choose_from(board, drawn, &root::<16, 8>(board, drawn, &here), start, limits, watch)
        } else if joints <= 25 && boxes <= 36 {
            self.choose_from(board, drawn, &root::<25, 12>(board, drawn, &here), start, limits, watch)
        } else {
            self.choose_from(board, drawn, &root::<100, MAX_LONE>(board, drawn, &here), start, limits, watch)
        }
    }

    fn choose_from<const J: usize, const L: usize>(
        &mut self,
        board: Board,
        drawn: Lines,
        root: &Root<J, L>,
        start: Instant,
        limits: Limits,
        watch: Watch,
    ) -> Option<Choice> {
        let first = root.candidates.first()?;
        let before = self.solver.nodes();
        let time = match (limits.time, limits.nodes, limits.depth) {
            (Some(time), _, _) => Some(time.saturating_sub(RESERVE)),
            (None, None, None) => Some(DEFAULT_TIME),
            _ => None,
        };
        // Step 1: nothing to decide, and the exact value would cost something.
        let cheap = expected_nodes(root.rest.links) <= CHEAP as f64;
        if !cheap && root.candidates.len() == 1 && root.rest.joints != 0 && root.offer.taken > 0 {
            let rated = vec![Rated { line: first.lines[0], value: f64::from(root.offer.taken), exact: false }];
            return Some(Choice::best_of(rated, 0, 0));
        }
        // Step 2: solve it, if that is likely to succeed.
        let deep_enough = limits.depth.is_none_or(|depth| usize::from(depth) >= board.all().without(drawn).len());
        if deep_enough && expected_nodes(root.rest.links) <= budget(time, limits.nodes) * 4.0 {
            let control = Control {
                stop: limits.stop,
                deadline: time.map(|time| start + time.mul_f64(SOLVING_SHARE)),
                nodes: limits.nodes.map(|nodes| before + (nodes as f64 * SOLVING_SHARE) as u64),
                progress: None,
                told: limits.told,
            };
            if let Some(rated) = self.solve(board, drawn, root, &control) {
                return Some(Choice::best_of(rated, 0, self.solver.nodes() - before));
            }
        }
        // Step 3: search as deep as time allows.
        let control = Control {
            stop: limits.stop,
            deadline: time.map(|time| start + time),
            nodes: limits.nodes,
            progress: None,
            told: limits.told,
        };
        let spent = self.solver.nodes() - before;
        let remembered = budget(time, limits.nodes).min(MOST_REMEMBERED) as u64;
        let shared = Shared::new(self.solver.table_for(remembered), &control, spent);
        let (rated, depth) = deepen(root, &shared, limits.depth.unwrap_or(u8::MAX), self.seed, watch);
        Some(Choice::best_of(rated, depth, shared.nodes()))
    }

    /// The best move with its exact value, first of the list, or nothing if stopped.
    fn solve<const J: usize, const L: usize>(
        &mut self,
        board: Board,
        drawn: Lines,
        root: &Root<J, L>,
        control: &Control,
    ) -> Option<Vec<Rated>> {
        let before = self.solver.nodes();
        let value = self.solver.value(board, drawn, control).exact()?;
        let window = Value { low: value, high: value };
        let is_best =
            |solver: &mut Solver, line: usize| solver.value_of_move(board, drawn, line, window, control).low >= value;
        let best = root.candidates.iter().find(|candidate| is_best(&mut self.solver, candidate.lines[0]))?;
        let mut rated = vec![Rated { line: best.lines[0], value: f64::from(value), exact: true }];
        if self.solver.nodes() - before <= CHEAP {
            let others = board.all().without(drawn).iter().filter(|&line| line != best.lines[0]);
            rated.extend(others.filter_map(|line| self.rate(board, drawn, line, control)));
        }
        Some(rated)
    }

    /// The exact value of a line, or nothing if stopped.
    fn rate(&mut self, board: Board, drawn: Lines, line: usize, control: &Control) -> Option<Rated> {
        let all = board.boxes() as i32;
        let value = self.solver.value_of_move(board, drawn, line, Value { low: -all, high: all }, control).exact()?;
        Some(Rated { line, value: f64::from(value), exact: true })
    }
}

impl Choice {
    /// A move nobody thought about.
    pub(super) fn unrated(line: usize) -> Self {
        Self { line, value: 0.0, exact: false, depth: 0, nodes: 0, rated: Vec::new() }
    }

    /// The best of the rated moves, of which there is at least one.
    pub(super) fn best_of(mut rated: Vec<Rated>, depth: u8, nodes: u64) -> Self {
        rated.sort_by(|a, b| b.value.total_cmp(&a.value));
        let Rated { line, value, exact } = rated[0];
        Self { line, value, exact, depth, nodes, rated }
    }
}

/// How many positions a solve is likely to take; from boards between 3x3 and 4x4.
fn expected_nodes(links: u8) -> f64 {
    (f64::from(links) * 0.72 - 4.0).exp2()
}

fn budget(time: Option<Duration>, nodes: Option<u64>) -> f64 {
    let by_time = time.map_or(f64::INFINITY, |time| time.as_secs_f64() * NODES_PER_SECOND);
    by_time.min(nodes.map_or(f64::INFINITY, |nodes| nodes as f64))
}

/// Rates the candidates one depth after the other; also returns the last depth that was finished.
fn deepen<const J: usize, const L: usize>(
    root: &Root<J, L>,
    shared: &Shared,
    max_depth: u8,
    seed: u64,
    watch: Watch,
) -> (Vec<Rated>, u8) {
    let mut search = Deepener::new(shared, &root.order, seed);
    let mut ranked: Vec<(i32, &Candidate<J, L>)> =
        root.candidates.iter().map(|candidate| (-candidate.offer.taken as i32, candidate)).collect();
    ranked.sort_by_key(|&(value, _)| -value);
    let mut finished = 0;
    // Nothing new comes to light once every line can be played out.
    let last = max_depth.min(root.rest.links.saturating_add(1));
    'deeper: for depth in 0..last {
        shared.control().told.set_depth(u32::from(depth) + 1);
        let mut best = -(i32::from(i8::MAX) * SCALE);
        let mut values = vec![None; ranked.len()];
        for (value, (_, candidate)) in values.iter_mut().zip(&ranked) {
            let gained = candidate.gained * SCALE;
            let sign = if gained > 0 { 1 } else { -1 };
            let (low, high) = if gained > 0 { (best - gained, i32::MAX / 4) } else { (-i32::MAX / 4, -best) };
            match search.taker_value(&candidate.rest, candidate.offer, depth, low, high) {
                Ok(found) => {
                    let found = gained + sign * found;
                    *value = Some(found);
                    if found > best {
                        best = found;
                        let value = f64::from(found) / f64::from(SCALE);
                        watch(Glimpse { line: candidate.lines[0], value, depth: depth + 1, nodes: shared.nodes() });
                    }
                }
                // The first move has been searched deeper than before, so what is known of this
                // iteration counts if another has overtaken it.
                Err(_) => {
                    promote(&mut ranked, &values);
                    break 'deeper;
                }
            }
        }
        promote(&mut ranked, &values);
        finished = depth + 1;
    }
    let rate = |&(value, candidate): &(i32, &Candidate<J, L>)| Rated {
        line: candidate.lines[0],
        value: f64::from(value) / f64::from(SCALE),
        exact: false,
    };
    (ranked.iter().map(rate).collect(), finished)
}

/// Takes over the values found and sorts by them, the best first; what was not searched stays behind.
fn promote<T>(ranked: &mut [(i32, T)], values: &[Option<i32>]) {
    if values.first().is_none_or(Option::is_none) {
        return;
    }
    let lowest = -(i32::from(i8::MAX) * SCALE);
    for ((old, _), new) in ranked.iter_mut().zip(values) {
        *old = new.unwrap_or(lowest);
    }
    ranked.sort_by_key(|&(value, _)| -value);
}
