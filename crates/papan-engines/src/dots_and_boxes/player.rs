//! The strong player: solves what it can, searches the rest, and for analysis rates every line.

use super::board::{Board, Lines};
use super::candidates::{Root, root};
use super::contract::contract;
use super::graph::MAX_LONE;
use super::iterative_deepening::{Deepener, SCALE};
use super::root::{Known, Ranked, deepen, rate_the_rest};
use super::search::Shared;
use super::solver::{Control, Depth, Solver, Value};
use papan_core::observer::Progress;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Positions a thread is expected to search in a second.
const NODES_PER_SECOND: f64 = 300_000.0;
/// After a solve of at most so many positions every line is rated.
const CHEAP: u64 = 20_000;
/// Positions below the horizon that the table gets room for, at most.
const MOST_REMEMBERED: f64 = 1e6;
/// An attempt to solve is worth it if so many times the budget is expected to do; in an analysis the truth is worth
/// more than a move.
const HOPE: f64 = 4.0;
const HOPE_OF_ANALYSIS: f64 = 16.0;
/// Share of the time that an attempt to solve may take.
const SOLVING_SHARE: f64 = 0.7;
/// Share of the time that is left then in which an analysis seeks the best line; the others are rated in the rest.
const CHOOSING_SHARE: f64 = 0.6;
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
    /// Rate every line, not only the best: for analysis.
    pub every_move: bool,
    /// Set by anyone to have the move at once.
    pub stop: &'a AtomicBool,
    /// Says how far the player is, for whoever looks at it.
    pub told: &'a Progress,
}

/// What is known of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rated {
    /// The line.
    pub line: usize,
    /// Margin of the boxes to come, for the side to move.
    pub value: f64,
    /// Whether the value is at most that, and may be less.
    pub is_bound: bool,
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
    /// What is known of the lines, best first: proven if `exact`, else as far as a search of the same depth saw.
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
        let forced = root.candidates.len() == 1 && root.rest.joints != 0 && root.offer.taken > 0;
        if forced && !cheap && !limits.every_move {
            return Some(Choice::unrated(first.lines[0]));
        }
        // Step 2: solve it, if that is likely to succeed.
        let deep_enough = limits.depth.is_none_or(|depth| usize::from(depth) >= board.all().without(drawn).len());
        let hope = if limits.every_move { HOPE_OF_ANALYSIS } else { HOPE };
        if deep_enough && expected_nodes(root.rest.links) <= budget(time, limits.nodes) * hope {
            let control = Control {
                stop: limits.stop,
                deadline: time.map(|time| start + time.mul_f64(SOLVING_SHARE)),
                nodes: limits.nodes.map(|nodes| before + (nodes as f64 * SOLVING_SHARE) as u64),
                progress: None,
                told: limits.told,
            };
            if let Some(rated) = self.solve(board, drawn, root, limits.every_move, &control) {
                let nodes = self.solver.nodes() - before;
                let Rated { line, value, .. } = rated[0];
                return Some(Choice { line, value, exact: true, depth: 0, nodes, rated });
            }
        }
        // Step 3: search as deep as time allows, and rate in what is left of it.
        let (spent, now) = (self.solver.nodes() - before, Instant::now());
        let deadline = time.map(|time| start + time);
        let left = limits.nodes.map(|nodes| nodes.saturating_sub(spent));
        let part = |share: f64, from: u64| Control {
            stop: limits.stop,
            deadline: deadline.map(|deadline| now + deadline.saturating_duration_since(now).mul_f64(share)),
            nodes: left.map(|left| from + (left as f64 * share) as u64),
            progress: None,
            told: limits.told,
        };
        let choose = part(if limits.every_move { CHOOSING_SHARE } else { 1.0 }, spent);
        let rate = Control { nodes: left.map(|left| (left as f64 * (1.0 - CHOOSING_SHARE)) as u64), ..part(1.0, 0) };
        let remembered = budget(time, limits.nodes).min(MOST_REMEMBERED) as u64;
        let table = self.solver.table_for(remembered);
        let (choosing, rating) = (Shared::new(table, &choose, spent), Shared::new(table, &rate, 0));
        let mut search = Deepener::new(&choosing, &root.order, self.seed);
        let mut found = deepen(root, &mut search, &choosing, limits.depth.unwrap_or(u8::MAX), watch);
        if limits.every_move {
            search.go_on(&rating);
            rate_the_rest(&mut search, &mut found);
        }
        Some(Choice::searched(&found.ranked, found.depth, choosing.nodes() + rating.nodes()))
    }

    /// What is proven of the lines, the best first; nothing if stopped before the value and a best line are known.
    fn solve<const J: usize, const L: usize>(
        &mut self,
        board: Board,
        drawn: Lines,
        root: &Root<J, L>,
        every_move: bool,
        control: &Control,
    ) -> Option<Vec<Rated>> {
        let before = self.solver.nodes();
        let value = self.solver.value(board, drawn, control).exact()?;
        let window = Value { low: value, high: value };
        let is_best =
            |solver: &mut Solver, line: usize| solver.value_of_move(board, drawn, line, window, control).low >= value;
        let best = root.candidates.iter().find(|candidate| is_best(&mut self.solver, candidate.lines[0]))?;
        let best = best.lines[0];
        let mut known = vec![(best, window)];
        if every_move || self.solver.nodes() - before <= CHEAP {
            known.extend(self.others(board, drawn, best, every_move, control));
        }
        let rate = |(line, bounds): (usize, Value)| Rated {
            line,
            value: f64::from(bounds.high.min(value)),
            is_bound: bounds.exact().is_none(),
        };
        let mut rated: Vec<Rated> = known.into_iter().map(rate).collect();
        rated.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.is_bound.cmp(&b.is_bound)));
        Some(rated)
    }

    /// What is known of the other lines of a position of known value: exact values, or for an analysis that is
    /// stopped on the way, the best lines first, bounds.
    fn others(
        &mut self,
        board: Board,
        drawn: Lines,
        best: usize,
        every_move: bool,
        control: &Control,
    ) -> Vec<(usize, Value)> {
        if every_move {
            let mut known = self.solver.solve(board, drawn, Depth::AllBest, control).moves;
            known.retain(|&(line, _)| line != best);
            for (line, bounds) in &mut known {
                if bounds.exact().is_none() {
                    *bounds = self.rate(board, drawn, *line, control).unwrap_or(*bounds);
                }
            }
            return known;
        }
        let others = board.all().without(drawn).iter().filter(|&line| line != best);
        others.filter_map(|line| Some((line, self.rate(board, drawn, line, control)?))).collect()
    }

    /// The exact value of a line, or nothing if stopped.
    fn rate(&mut self, board: Board, drawn: Lines, line: usize, control: &Control) -> Option<Value> {
        let all = board.boxes() as i32;
        let value = self.solver.value_of_move(board, drawn, line, Value { low: -all, high: all }, control);
        value.exact().map(|_| value)
    }
}

impl Choice {
    /// A move nobody thought about.
    pub(super) fn unrated(line: usize) -> Self {
        Self { line, value: 0.0, exact: false, depth: 0, nodes: 0, rated: Vec::new() }
    }

    /// The first of the lines that a search ranked.
    fn searched<const J: usize, const L: usize>(ranked: &[Ranked<'_, J, L>], depth: u8, nodes: u64) -> Self {
        let margin = |value: i32| f64::from(value) / f64::from(SCALE);
        let line = ranked[0].candidate.lines[0];
        let known = ranked.iter().filter(|ranked| ranked.known != Known::Nothing);
        let rated: Vec<Rated> = known
            .flat_map(|ranked| {
                let (value, is_bound) = (margin(ranked.value), ranked.known == Known::AtMost);
                ranked.candidate.lines.iter().map(move |&line| Rated { line, value, is_bound })
            })
            .collect();
        let value = rated.first().map_or(0.0, |best| best.value);
        Self { line, value, exact: false, depth, nodes, rated }
    }

    /// A proven best line and nothing else.
    pub(super) fn proven(line: usize, value: i32, nodes: u64) -> Self {
        let value = f64::from(value);
        Self { line, value, exact: true, depth: 0, nodes, rated: vec![Rated { line, value, is_bound: false }] }
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
