//! The `engine` bot, as the rest of Papan knows it.

use std::time::{Duration, Instant};

use papan_core::observer::BestSoFar;
use papan_core::solver::SolveProgress;
use papan_core::{Bot, BotEntry, Budget, Decision, Observer, OptionSpec, Place, Position as _, Random, Score, Text};
use papan_games::adjacency::{Adjacency, AdjacencyPosition, Neighbourhood};

use super::answer::{decision_by_book, decision_from, decision_of, guaranteed, margin_score, with_book_values};
use super::book::Book;
use super::filling::player::FillingPlayer;
use super::levels::Level;
use super::rule::{Eight, Four};
use super::search::{Found, RatingLimits, SearchLimits, Searcher};
use super::solver::{Detail, Solution, Solver, Task};
use crate::common::deadline::Deadline;
use crate::common::levels::{EngineSettings, engine_info};

/// Thinking time if the budget names no limit at all.
const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// Kept back for the way home, so that the clock is obeyed.
const RESERVE: Duration = Duration::from_millis(12);
/// MiB of the playing search and of the solver.
const MEMORY: usize = 64;
const SOLVER_MEMORY: usize = 256;
/// The search before a proof: where the proof takes nearly all of the time, it needs what is left.
const BRIEFLY: Duration = Duration::from_millis(200);
/// The solver is tried if it will probably need less than this share of the time.
const SOLVE_BELOW: f64 = 0.9;
/// How often an observer hears of a proof that goes on.
const REPORT_EVERY: Duration = Duration::from_millis(100);

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

    pub(super) fn empty(&self) -> u64 {
        !(self.own | self.opp)
    }

    /// Whether the board will be full at the end.
    fn fills(&self) -> bool {
        self.empty().count_ones() == self.plies
    }

    pub(super) fn task<'a>(&self, detail: Detail, deadline: Deadline<'a>) -> Task<'a> {
        Task { own: self.own, opp: self.opp, plies: self.plies, detail, deadline }
    }

    /// About how many nodes the solver needs: measured from the start and on random endings.
    fn solver_nodes(&self) -> f64 {
        let empties = self.empty().count_ones();
        let plies = f64::from(self.plies);
        let spare = empties - self.plies;
        if spare * 2 >= self.plies {
            // Twice the start's count: random first plies make a position harder.
            return 1.5e7 * 3.3f64.powf(plies - 14.0);
        }
        4e5 * 2.6f64.powf(plies - 16.0) * (f64::from(empties) / plies).powf(plies / 2.0)
    }
}

/// The times of one move.
#[derive(Clone, Copy)]
struct Clock<'a> {
    started: Instant,
    time: Option<Duration>,
    deadline: Deadline<'a>,
    /// When a search without proofs ends, and the choice among moves that are proved best.
    search_until: Option<Instant>,
}

impl Clock<'_> {
    /// When a search before a proof ends.
    fn brief(&self) -> Instant {
        self.started + self.time.map_or(BRIEFLY, |time| (time / 10).min(BRIEFLY))
    }
}

/// Nodes a second and thread that the solver reaches on a modest machine.
const SOLVER_SPEED: f64 = 2e6;

/// The strongest player: exact book, exact solver where it can finish in time, else search.
pub struct AdjacencyEngine {
    settings: EngineSettings,
    level: Option<Level>,
    random: Random,
    threads: usize,
    searcher: Option<Searcher>,
    solver: Option<(bool, Solver)>,
    filling: FillingPlayer,
}

/// The roster's line for the engine; `shared` are the options that every bot takes.
#[must_use]
pub fn entry(shared: Vec<OptionSpec>) -> BotEntry<Adjacency> {
    let about = Text::new(
        "Exact book and solver where they reach, deep search before; levels 1 to 10.",
        "Buku dan pemecah eksak sejauh mungkin, sebelumnya pencarian dalam; tingkat 1 sampai 10.",
    );
    BotEntry {
        info: engine_info(about, shared),
        build: |_, settings| Box::new(AdjacencyEngine::with(EngineSettings::read(settings))),
    }
}

impl AdjacencyEngine {
    /// At full strength, or at a level from 1 to 10.
    #[must_use]
    pub fn new(level: Option<u8>, seed: u64) -> Self {
        Self::with(EngineSettings::new(level, seed))
    }

    fn with(settings: EngineSettings) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            settings,
            level: settings.level.map(Level::new),
            random: Random::new(settings.seed),
            threads,
            searcher: None,
            solver: None,
            filling: FillingPlayer::default(),
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

    fn solve(
        &mut self,
        view: View,
        detail: Detail,
        deadline: Deadline<'_>,
        progress: &mut dyn FnMut(&SolveProgress),
    ) -> Solution {
        if self.solver.as_ref().is_none_or(|(eight, _)| *eight != view.eight) {
            self.solver = Some((view.eight, Solver::new(view.eight, self.threads, SOLVER_MEMORY)));
        }
        let (_, solver) = self.solver.as_mut().expect("just made");
        solver.solve(&view.task(detail, deadline), progress)
    }

    /// The limits of a search at full strength.
    fn limits<'a>(&self, budget: &Budget, deadline: Deadline<'a>) -> SearchLimits<'a> {
        SearchLimits {
            nodes: budget.nodes,
            threads: if budget.nodes.is_some() { 1 } else { self.threads },
            ..SearchLimits::to_depth(deadline, budget.depth.unwrap_or(64))
        }
    }

    /// A level's move: all moves valued at the level's depth, each misjudged by some noise.
    fn choose_at_level(
        &mut self,
        level: Level,
        view: View,
        budget: &Budget,
        deadline: Deadline<'_>,
        report: &mut dyn FnMut(&Found),
    ) -> Decision<Place> {
        let limits = SearchLimits {
            deadline,
            nodes: Some(budget.nodes.map_or(level.nodes, |most| most.min(level.nodes))),
            depth: level.depth.min(budget.depth.unwrap_or(u32::MAX)),
            threads: 1,
            // Only who misjudges moves has to value them all.
            all_moves: level.noise > 0 || budget.every_move,
            rating: None,
        };
        if let Some(searcher) = &mut self.searcher {
            // What an earlier move saw deeper must not make this one stronger.
            searcher.clear();
        }
        let found = self.search(view, &limits, report);
        let chosen = level.misjudge(&found.moves, &mut self.random);
        let mut decision = decision_of(&found);
        if let Some(taken) = found.moves.iter().find(|m| m.cell == chosen) {
            let mv = Place(taken.cell as u8);
            (decision.mv, decision.score, decision.pv) = (mv, margin_score(taken.score), vec![mv]);
        }
        decision
    }
}

/// The limits of a search that, in an analysis, leaves time to value the other moves like the best one.
fn for_analysis<'a>(limits: SearchLimits<'a>, budget: &Budget, started: Instant) -> SearchLimits<'a> {
    if !budget.every_move {
        return limits;
    }
    let SearchLimits { deadline, nodes, .. } = limits;
    SearchLimits {
        deadline: deadline.until(deadline.at.map(|at| started + at.duration_since(started) / 2)),
        nodes: nodes.map(|nodes| nodes / 2),
        rating: Some(RatingLimits { deadline: deadline.at, nodes }),
        ..limits
    }
}

/// What an observer hears of a finished depth.
fn best_of(found: &Found) -> BestSoFar<Place> {
    BestSoFar {
        mv: Place(found.moves[0].cell as u8),
        score: margin_score(found.moves[0].score),
        depth: found.depth,
        nodes: found.nodes,
    }
}

/// Reports the best move so far while a proof goes on: its score is kept within the proved bounds.
fn reporter<'o, O: Observer<AdjacencyPosition>>(
    observer: &'o mut O,
    searched: &Decision<Place>,
) -> impl FnMut(&SolveProgress) + 'o {
    let (mv, score, depth, before) = (searched.mv, searched.score, searched.depth, searched.nodes);
    let mut next = Instant::now();
    move |progress| {
        let now = Instant::now();
        if now >= next {
            next = now + REPORT_EVERY;
            let score = Score(score.0.clamp(progress.lower.0, progress.upper.0));
            observer.best(&BestSoFar { mv, score, depth, nodes: before + progress.nodes });
        }
    }
}

impl AdjacencyEngine {
    /// The move on a board that will be full. Nothing if the search for other boards has to do it:
    /// eight neighbours, and too far from the end.
    fn choose_filling<O: Observer<AdjacencyPosition>>(
        &mut self,
        view: View,
        budget: &Budget,
        clock: Clock<'_>,
        observer: &mut O,
    ) -> Option<Decision<Place>> {
        let alone = view.eight || budget.nodes.is_some() || budget.depth.is_some() || budget.every_move;
        if alone || !self.filling.foresees(view) {
            let decision = self.choose_soundly(view, budget, clock, observer);
            if let Some(decision) = decision.as_ref().filter(|_| !alone) {
                self.filling.moved(view, decision.mv);
            }
            return decision;
        }
        let first = clock.time.map(|time| clock.started + time / 8);
        let sound = self.choose_soundly(view, budget, Clock { search_until: first, ..clock }, observer)?;
        let decision = self.filling.exploit(view, sound, clock.deadline, self.threads);
        self.filling.moved(view, decision.mv);
        Some(decision)
    }

    /// The move on a board that will be full against best replies.
    fn choose_soundly<O: Observer<AdjacencyPosition>>(
        &mut self,
        view: View,
        budget: &Budget,
        clock: Clock<'_>,
        observer: &mut O,
    ) -> Option<Decision<Place>> {
        let Clock { started, time, deadline, search_until } = clock;
        let limited = budget.nodes.is_some() || budget.depth.is_some_and(|depth| depth < view.plies);
        let sweep = !limited && self.filling.can_sweep(view, time, self.threads);
        if view.eight && !sweep {
            return None;
        }
        // Should the sweep not be done in time, the answer is that of a short search.
        let limits = if sweep {
            self.limits(budget, deadline.until(Some(clock.brief())))
        } else {
            for_analysis(self.limits(budget, deadline.until(search_until)), budget, started)
        };
        let searched = (!(view.eight || sweep && self.filling.knows(view)))
            .then(|| self.filling.search(view, &limits, &mut |found| observer.best(&best_of(found))));
        if !sweep {
            return searched;
        }
        let exact = self.filling.exact(view, deadline, search_until, self.threads);
        if let Some(Decision { mv, score, depth, nodes, .. }) = exact {
            observer.best(&BestSoFar { mv, score, depth, nodes });
        }
        exact.or(searched)
    }
}

impl Bot<AdjacencyPosition> for AdjacencyEngine {
    fn choose_observed<O: Observer<AdjacencyPosition>>(
        &mut self,
        position: &AdjacencyPosition,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<Place> {
        let started = Instant::now();
        let budget = self.settings.cap(budget);
        let view = View::of(position);
        let unlimited = budget.time.is_none() && budget.nodes.is_none() && budget.depth.is_none();
        let time = if unlimited { Some(DEFAULT_TIME) } else { budget.time };
        let deadline = Deadline::of(&budget, time.map(|t| started + t.saturating_sub(RESERVE.min(t / 4))));
        if let Some(level) = self.level {
            let mut report = |found: &Found| observer.best(&best_of(found));
            return self.choose_at_level(level, view, &budget, deadline, &mut report);
        }

        // Step 1: the book. Analysis wants what it says of all moves.
        let known = if view.eight { None } else { Book::built_in().find(view.own, view.opp, view.plies) };
        if let Some(known) = known {
            return if budget.every_move { with_book_values(known, view) } else { decision_by_book(known, view) };
        }

        // Step 2: boards that will be full have a player of their own.
        let clock = Clock { started, time, deadline, search_until: deadline.at };
        if view.fills()
            && let Some(decision) = self.choose_filling(view, &budget, clock, observer)
        {
            return decision;
        }

        // Step 3: a search, short if the solver will probably finish afterwards. A budget of nodes
        // or depth rather than time leaves the solver out, whose nodes are of another kind.
        let capacity = time.map(|t| t.as_secs_f64() * SOLVER_SPEED * self.threads as f64);
        let share = capacity.map_or(0.0, |nodes| view.solver_nodes() / nodes);
        let solvable =
            budget.nodes.is_none() && budget.depth.is_none_or(|depth| depth >= view.plies) && share < SOLVE_BELOW;
        let limits = if solvable {
            self.limits(&budget, deadline.until(Some(clock.brief())))
        } else {
            for_analysis(self.limits(&budget, deadline), &budget, started)
        };
        let found = self.search(view, &limits, &mut |found| observer.best(&best_of(found)));
        if solvable { self.prove(view, &budget, deadline, &found, observer) } else { decision_of(&found) }
    }

    fn new_game(&mut self, number: u64) {
        self.random = Random::new(self.settings.seed ^ papan_core::mix(number + 1));
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
        self.filling.clear();
    }
}

impl AdjacencyEngine {
    /// The answer of the solver after that of a search.
    fn prove<O: Observer<AdjacencyPosition>>(
        &mut self,
        view: View,
        budget: &Budget,
        deadline: Deadline<'_>,
        found: &Found,
        observer: &mut O,
    ) -> Decision<Place> {
        let searched = decision_of(found);
        // Step 4: the solver, which reports the search's move with its own nodes while it works.
        let mut progress = reporter(observer, &searched);
        let mut solution = self.solve(view, Detail::Value, deadline, &mut progress);
        if solution.value().is_none() || solution.best.is_empty() {
            return guaranteed(&solution, searched, view.plies);
        }

        // Step 5: the values of the other moves. Analysis wants them; for a move they get some
        // more time, but not much.
        let spare = Instant::now() + 2 * solution.elapsed + Duration::from_millis(20);
        let until = if budget.every_move { deadline.at } else { Some(deadline.at.map_or(spare, |at| at.min(spare))) };
        let full = self.solve(view, Detail::AllMoves, deadline.until(until), &mut progress);
        drop(progress);
        if full.value().is_some() && !full.best.is_empty() {
            let nodes = solution.nodes + full.nodes;
            solution = Solution { nodes, ..full };
        }
        let decision = decision_from(&solution, found, view.plies).unwrap_or(searched);
        observer.best(&BestSoFar {
            mv: decision.mv,
            score: decision.score,
            depth: decision.depth,
            nodes: decision.nodes,
        });
        decision
    }
}
