//! The strong player: solves what it can, searches the rest, and for analysis rates every line.

use super::board::{Board, Lines};
use super::candidates::{Root, root};
use super::contract::contract;
use super::graph::MAX_LONE;
use super::iterative_deepening::{Deepener, SCALE};
use super::root::{Known, Ranked, deepen, rate_the_rest};
use super::search::Shared;
use super::solver::{Depth, Solver};
use crate::common::choice::{Choice, Rated, Watch};
use crate::common::deadline::{Control, MoveBudget};
use crate::common::solving::Bounds;
use papan_core::Budget;

/// Positions a thread is expected to search in a second.
const NODES_PER_SECOND: f64 = 300_000.0;
/// After a solve of at most so many positions every line is rated.
const CHEAP: u64 = 20_000;
/// Positions below the horizon that the table gets room for, at most.
const MOST_REMEMBERED: f64 = 1e6;
/// An attempt to solve is made if so many times the budget is expected to do; in an analysis the truth counts more
/// than a move.
const HOPE: f64 = 4.0;
const HOPE_OF_ANALYSIS: f64 = 16.0;
/// Share of the time that an attempt to solve may take.
const SOLVING_SHARE: f64 = 0.7;
/// Share of the time that is left then in which an analysis seeks the best line; the others are rated in the rest.
const CHOOSING_SHARE: f64 = 0.6;
/// Plays as well as it can in the time it has.
pub(super) struct Player {
    pub(super) solver: Solver,
    seed: u64,
}

impl Player {
    /// A player with a table of `megabytes`.
    pub(super) fn new(megabytes: usize, seed: u64) -> Self {
        Self { solver: Solver::new(megabytes, 1), seed }
    }

    /// The line to draw, or nothing if all are drawn; `watch` is told of each better one on the way.
    pub(super) fn choose(&mut self, board: Board, drawn: Lines, budget: &Budget, watch: Watch) -> Option<Choice> {
        let task = MoveBudget::new(budget);
        let here = contract(board, drawn);
        let (joints, boxes) = (here.quiet.joints(), here.quiet.boxes());
        if joints <= 16 && boxes <= 26 {
            self.choose_from(board, drawn, &root::<16, 8>(board, drawn, &here), task, watch)
        } else if joints <= 25 && boxes <= 36 {
            self.choose_from(board, drawn, &root::<25, 12>(board, drawn, &here), task, watch)
        } else {
            self.choose_from(board, drawn, &root::<100, MAX_LONE>(board, drawn, &here), task, watch)
        }
    }

    fn choose_from<const J: usize, const L: usize>(
        &mut self,
        board: Board,
        drawn: Lines,
        root: &Root<J, L>,
        task: MoveBudget,
        watch: Watch,
    ) -> Option<Choice> {
        let first = root.candidates.first()?;
        let before = self.solver.nodes();
        let Budget { depth, every_move, .. } = *task.budget;
        // Step 1: nothing to decide, and the exact value would cost something.
        let expected = expected_nodes(root.rest.links);
        let forced = root.candidates.len() == 1 && root.rest.joints != 0 && root.offer.taken > 0;
        if forced && expected > CHEAP as f64 && !every_move {
            return Some(Choice::unrated(first.lines[0]));
        }
        // Step 2: solve it, if that is likely to succeed.
        let deep_enough = depth.is_none_or(|depth| depth as usize >= board.all().without(drawn).len());
        let hope = if every_move { HOPE_OF_ANALYSIS } else { HOPE };
        if deep_enough && expected <= affordable_nodes(task) * hope {
            let control = task.control(task.started, SOLVING_SHARE, before);
            if let Some(rated) = self.solve(board, drawn, root, every_move, &control) {
                let Rated { mv, value, .. } = rated[0];
                return Some(Choice { mv, value, exact: true, depth: 0, nodes: self.solver.nodes() - before, rated });
            }
        }
        Some(self.search(root, task, self.solver.nodes() - before, watch))
    }

    /// Searches as deep as what is left of the time allows; in an analysis the other lines are rated in a part of it.
    fn search<const J: usize, const L: usize>(
        &mut self,
        root: &Root<J, L>,
        task: MoveBudget,
        spent: u64,
        watch: Watch,
    ) -> Choice {
        let every_move = task.budget.every_move;
        let left = task.budget.nodes.map(|nodes| nodes.saturating_sub(spent));
        let part = |time: f64, from: u64, nodes: f64| Control {
            nodes: left.map(|left| from + (left as f64 * nodes) as u64),
            ..task.rest(time).into()
        };
        let share = if every_move { CHOOSING_SHARE } else { 1.0 };
        let (choose, rate) = (part(share, spent, share), part(1.0, 0, 1.0 - CHOOSING_SHARE));
        let table = self.solver.table_for(affordable_nodes(task).min(MOST_REMEMBERED) as u64);
        let (choosing, rating) = (Shared::new(table, &choose, spent), Shared::new(table, &rate, 0));
        let mut search = Deepener::new(&choosing, &root.order, self.seed);
        let mut found = deepen(root, &mut search, &choosing, task.depth(), watch);
        if every_move {
            search.go_on(&rating);
            rate_the_rest(&mut search, &mut found);
        }
        searched(&found.ranked, found.depth, choosing.nodes() + rating.nodes())
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
        let window = Bounds::exactly(value);
        let is_best =
            |solver: &mut Solver, line: usize| solver.value_of_move(board, drawn, line, window, control).low >= value;
        let best = root.candidates.iter().find(|candidate| is_best(&mut self.solver, candidate.lines[0]))?;
        let best = best.lines[0];
        let mut known = vec![(best, window)];
        if every_move || self.solver.nodes() - before <= CHEAP {
            known.extend(self.others(board, drawn, best, every_move, control));
        }
        let rate = |(line, bounds): (usize, Bounds)| Rated {
            mv: line,
            value: bounds.high.min(value) * SCALE,
            is_bound: bounds.exact().is_none(),
        };
        let mut rated: Vec<Rated> = known.into_iter().map(rate).collect();
        rated.sort_by_key(Rated::order);
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
    ) -> Vec<(usize, Bounds)> {
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
    fn rate(&mut self, board: Board, drawn: Lines, line: usize, control: &Control) -> Option<Bounds> {
        let all = board.boxes() as i32;
        let value = self.solver.value_of_move(board, drawn, line, Bounds { low: -all, high: all }, control);
        value.exact().map(|_| value)
    }
}

/// The first of the lines that a search ranked.
fn searched<const J: usize, const L: usize>(ranked: &[Ranked<'_, J, L>], depth: u8, nodes: u64) -> Choice {
    let known = ranked.iter().filter(|ranked| ranked.known != Known::Nothing);
    let rated: Vec<Rated> = known
        .flat_map(|&Ranked { value, known, candidate }| {
            candidate.lines.iter().map(move |&mv| Rated { mv, value, is_bound: known == Known::AtMost })
        })
        .collect();
    let value = rated.first().map_or(0, |best| best.value);
    Choice { mv: ranked[0].candidate.lines[0], value, exact: false, depth, nodes, rated }
}

/// How many positions a solve is likely to take; from boards between 3x3 and 4x4.
fn expected_nodes(links: u8) -> f64 {
    (f64::from(links) * 0.72 - 4.0).exp2()
}

/// How many positions the time and the limit of nodes allow.
fn affordable_nodes(task: MoveBudget) -> f64 {
    let by_time = task.time.map_or(f64::INFINITY, |time| time.as_secs_f64() * NODES_PER_SECOND);
    by_time.min(task.budget.nodes.map_or(f64::INFINITY, |nodes| nodes as f64))
}
