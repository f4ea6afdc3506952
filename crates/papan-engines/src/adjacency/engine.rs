//! The `engine` bot, as the rest of Papan sees it.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use papan_core::observer::BestSoFar;
use papan_core::{Bot, Budget, Decision, Exactness, MoveValue, Observer, Place, Position as _, Random, Score};
use papan_games::adjacency::{AdjacencyPosition, Neighbourhood};

use super::book::Book;
use super::exact::{Detail, Solution, Solver, Task};
use super::levels::Level;
use super::play::search::{Found, SearchLimits, Searcher, as_margin};
use super::rule::{Eight, Four};

/// Thinking time if the budget names no limit at all.
const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// Kept back for the way home, so that the clock is obeyed.
const RESERVE: Duration = Duration::from_millis(12);
/// MiB of the playing search and of the solver.
const MEMORY: usize = 64;
/// The search before a proof that will take but a small part of the time.
const BRIEFLY: Duration = Duration::from_millis(200);
/// The solver is tried if it will probably need less than this share of the time.
const SOLVE_BELOW: f64 = 0.9;
const TABLE: usize = 256;

/// A board from the chair of the side to move.
#[derive(Clone, Copy)]
pub(super) struct View {
    pub own: u64,
    pub opp: u64,
    pub plies: u32,
    pub eight: bool,
}

impl View {
    pub(super) fn of(position: &AdjacencyPosition) -> Self {
        let [first, second] = position.marks();
        let first_moves = position.to_move() == papan_core::Player::First;
        let (own, opp) = if first_moves { (first, second) } else { (second, first) };
        let eight = position.neighbourhood() == Neighbourhood::Eight;
        Self { own, opp, plies: position.plies_left(), eight }
    }

    /// About how many nodes the solver needs: measured from the start and on random endings.
    fn solver_nodes(&self) -> f64 {
        let empties = 64 - (self.own | self.opp).count_ones();
        let plies = f64::from(self.plies);
        if empties == self.plies {
            return 4e5 * 2.6f64.powf(plies - 16.0);
        }
        let spare = empties - self.plies;
        if spare * 2 >= self.plies {
            let base: f64 = if self.plies <= 14 { 3.3 } else { 5.3 };
            return 5e6 * base.powf(plies - 14.0);
        }
        4e5 * 2.6f64.powf(plies - 16.0) * (f64::from(empties) / plies).powf(plies / 2.0)
    }
}

/// Nodes a second and thread that the solver reaches on a modest machine.
const SOLVER_SPEED: f64 = 2e6;

/// The strongest player: exact book, exact solver where it can finish in time, else search.
pub struct AdjacencyEngine {
    level: Option<Level>,
    seed: u64,
    random: Random,
    threads: usize,
    searcher: Option<Searcher>,
    solver: Option<(bool, Solver)>,
    caps: Budget,
}

impl AdjacencyEngine {
    /// At full strength, or at a level from 1 to 10; `caps` bounds what a move may cost.
    #[must_use]
    pub fn new(level: Option<u32>, seed: u64, caps: Budget) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            level: level.map(Level::new),
            seed,
            random: Random::new(seed),
            threads,
            searcher: None,
            solver: None,
            caps,
        }
    }

    fn search(&mut self, view: View, limits: &SearchLimits<'_>, report: &mut dyn FnMut(&Found)) -> Found {
        let searcher = self.searcher.get_or_insert_with(|| Searcher::new(MEMORY));
        if view.eight {
            searcher.search::<Eight>(view.own, view.opp, view.plies, limits, report)
        } else {
            searcher.search::<Four>(view.own, view.opp, view.plies, limits, report)
        }
    }

    fn solve(&mut self, view: View, detail: Detail, stop: &AtomicBool, deadline: Option<Instant>) -> Solution {
        if self.solver.as_ref().is_none_or(|(eight, _)| *eight != view.eight) {
            self.solver = Some((view.eight, Solver::new(view.eight, self.threads, TABLE)));
        }
        let (_, solver) = self.solver.as_mut().expect("just made");
        let View { own, opp, plies, .. } = view;
        solver.solve(&Task { own, opp, plies, detail, stop, deadline }, &mut |_| {})
    }

    /// A level's move: all moves valued at the level's depth, each misjudged by some noise.
    fn choose_at_level(
        &mut self,
        level: Level,
        view: View,
        budget: &Budget,
        deadline: Option<Instant>,
    ) -> Decision<Place> {
        let limits = SearchLimits {
            deadline,
            nodes: budget.nodes,
            depth: level.depth.min(budget.depth.unwrap_or(u32::MAX)),
            stop: budget.stop.flag(),
            threads: 1,
            all_moves: true,
        };
        if let Some(searcher) = &mut self.searcher {
            // What an earlier move saw deeper must not make this one stronger.
            searcher.clear();
        }
        let found = self.search(view, &limits, &mut |_| {});
        let chosen = level.misjudge(&found.moves, &mut self.random);
        let mut decision = decision_of(&found);
        if let Some(place) = decision.per_move.iter().position(|m| u32::from(m.mv.0) == chosen) {
            let taken = decision.per_move[place];
            (decision.mv, decision.score, decision.pv) = (taken.mv, taken.score, vec![taken.mv]);
        }
        decision
    }
}

/// A finished search as an answer.
fn decision_of(found: &Found) -> Decision<Place> {
    let per_move: Vec<MoveValue<Place>> = found
        .moves
        .iter()
        .map(|m| MoveValue {
            mv: Place(m.cell as u8),
            score: Score(as_margin(m.score)),
            exactness: if m.full { Exactness::Estimate } else { Exactness::AtMost },
        })
        .collect();
    Decision {
        mv: per_move[0].mv,
        score: per_move[0].score,
        exactness: Exactness::Estimate,
        depth: found.depth,
        nodes: found.nodes,
        pv: vec![per_move[0].mv],
        per_move,
    }
}

/// Root moves of a solution, best first.
pub(super) fn values_of(solution: &Solution) -> Vec<MoveValue<Place>> {
    let mut moves: Vec<MoveValue<Place>> = solution
        .moves
        .iter()
        .map(|m| MoveValue {
            mv: Place(m.cell as u8),
            score: Score(m.upper),
            exactness: if m.lower == m.upper { Exactness::Exact } else { Exactness::AtMost },
        })
        .collect();
    moves.sort_by_key(|m| (std::cmp::Reverse(m.score), m.exactness != Exactness::Exact));
    moves
}

/// A solved position as an answer. The search before it has a say where the proof leaves a choice:
/// it ranks the best moves, and estimates those of which only a bound is known.
fn decision_from(solution: &Solution, searched: &Decision<Place>, plies: u32) -> Option<Decision<Place>> {
    let value = solution.value()?;
    let is_best = |m: &MoveValue<Place>| solution.best.contains(&u32::from(m.mv.0));
    let mv = searched.per_move.iter().find(|m| is_best(m))?.mv;
    let mut per_move = values_of(solution);
    for m in per_move.iter_mut().filter(|m| m.exactness != Exactness::Exact) {
        if let Some(seen) = searched.per_move.iter().find(|s| s.mv == m.mv) {
            (m.score, m.exactness) = (m.score.min(seen.score), Exactness::Estimate);
        }
    }
    per_move.sort_by_key(|m| (std::cmp::Reverse(m.score), m.exactness != Exactness::Exact, m.mv != mv));
    let pv = if solution.line.first() == Some(&u32::from(mv.0)) {
        solution.line.iter().map(|&cell| Place(cell as u8)).collect()
    } else {
        vec![mv]
    };
    Some(Decision {
        mv,
        score: Score(value),
        exactness: Exactness::Exact,
        depth: plies,
        nodes: solution.nodes,
        pv,
        per_move,
    })
}

/// An answer when time ran out in the middle of a proof: a move that surely reaches a lower bound,
/// which is the value itself unless a shallower look misled.
fn guaranteed(solution: &Solution, searched: Decision<Place>, plies: u32) -> Decision<Place> {
    let Some(cell) = solution.proved else { return searched };
    let mv = Place(cell as u8);
    Decision { mv, score: Score(solution.lower), exactness: Exactness::AtLeast, depth: plies, pv: vec![mv], ..searched }
}

impl Bot<AdjacencyPosition> for AdjacencyEngine {
    fn choose_observed<O: Observer<AdjacencyPosition>>(
        &mut self,
        position: &AdjacencyPosition,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<Place> {
        let started = Instant::now();
        let budget = budget.capped(self.caps.time, self.caps.nodes, self.caps.depth);
        let view = View::of(position);
        let unlimited = budget.time.is_none() && budget.nodes.is_none() && budget.depth.is_none();
        let time = if unlimited { Some(DEFAULT_TIME) } else { budget.time };
        let deadline = time.map(|t| started + t.saturating_sub(RESERVE.min(t / 4)));
        if let Some(level) = self.level {
            return self.choose_at_level(level, view, &budget, deadline);
        }

        // Step 1: the book.
        let in_book = !view.eight && !budget.every_move;
        if let Some(known) = Book::built_in().find(view.own, view.opp, view.plies).filter(|_| in_book) {
            let mv = Place(known.cell as u8);
            let score = Score(known.value);
            let per_move = vec![MoveValue { mv, score, exactness: Exactness::Exact }];
            return Decision {
                score,
                exactness: Exactness::Exact,
                depth: view.plies,
                per_move,
                ..Decision::unsearched(mv)
            };
        }

        // Step 2: a search, short if the solver will probably finish afterwards. A budget of nodes
        // or depth rather than time leaves the solver out, whose nodes are of another kind.
        let capacity = time.map(|t| t.as_secs_f64() * SOLVER_SPEED * self.threads as f64);
        let share = capacity.map_or(0.0, |nodes| view.solver_nodes() / nodes);
        let solvable =
            budget.nodes.is_none() && budget.depth.is_none_or(|depth| depth >= view.plies) && share < SOLVE_BELOW;
        let brief = started + time.map_or(BRIEFLY, |t| if share < 0.2 { (t / 10).min(BRIEFLY) } else { t / 5 });
        let limits = SearchLimits {
            deadline: if solvable { Some(brief) } else { deadline },
            nodes: budget.nodes,
            depth: budget.depth.unwrap_or(64),
            stop: budget.stop.flag(),
            threads: if budget.nodes.is_some() { 1 } else { self.threads },
            all_moves: budget.every_move,
        };
        let found = self.search(view, &limits, &mut |found| {
            observer.best(&BestSoFar {
                mv: Place(found.moves[0].cell as u8),
                score: Score(as_margin(found.moves[0].score)),
                depth: found.depth,
                nodes: found.nodes,
            });
        });
        let searched = decision_of(&found);
        if !solvable {
            return searched;
        }

        // Step 3: the solver.
        let mut solution = self.solve(view, Detail::Value, budget.stop.flag(), deadline);
        if solution.value().is_none() || solution.best.is_empty() {
            return guaranteed(&solution, searched, view.plies);
        }

        // Step 4: the values of the other moves. Analysis wants them; for a move they are worth
        // some more time, but not much.
        let spare = Instant::now() + 2 * solution.elapsed + Duration::from_millis(20);
        let until = if budget.every_move { deadline } else { Some(deadline.map_or(spare, |d| d.min(spare))) };
        let full = self.solve(view, Detail::AllMoves, budget.stop.flag(), until);
        if full.value().is_some() && !full.best.is_empty() {
            let nodes = solution.nodes + full.nodes;
            solution = Solution { nodes, ..full };
        }
        let decision = decision_from(&solution, &searched, view.plies).unwrap_or(searched);
        observer.best(&BestSoFar {
            mv: decision.mv,
            score: decision.score,
            depth: decision.depth,
            nodes: decision.nodes,
        });
        decision
    }

    fn new_game(&mut self, number: u64) {
        self.random = Random::new(self.seed ^ papan_core::mix(number + 1));
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
    }
}
