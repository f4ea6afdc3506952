//! Monte Carlo tree search: UCT with solved nodes.
//!
//! Each simulation descends the tree by upper confidence bounds, adds a node,
//! plays random moves to the end, and carries the result back up. Besides its
//! statistics each node has proved bounds on the outcome; finished games set
//! them, and they travel up like minimax values. A move that cannot beat what
//! is already proved is not visited again, and a root whose bounds meet is
//! solved: the search stops there.

mod arena;
mod simulation;

use papan_core::observer::{BestSoFar, Visits};
use papan_core::{Bot, BotInfo, Budget, Decision, Game, MoveOf, Observer, Position, Settings, Text};

use self::arena::{Arena, ROOT};
use self::simulation::{Goal, Simulation};
use crate::GeneralBot;
use crate::common::{GameRandom, Limits, choice, integer, number, shared_options};

/// Simulations where nothing is limited.
const UNLIMITED_SIMULATIONS: u64 = 10_000;
/// Simulations between two reports of the best move.
const REPORT_EVERY: u64 = 256;
/// Each snapshot of the visits comes after a fifth more simulations than the last.
const SNAPSHOT_GROWTH: u64 = 5;

/// Plays the move that random games speak for, or that is proved best.
#[derive(Clone, Debug)]
pub struct Mcts<G: Game> {
    goal: Goal,
    exploration: f64,
    simulations: Option<u64>,
    arena: Arena<MoveOf<G>>,
    random: GameRandom,
    limits: Limits,
}

impl<G: Game> GeneralBot<G> for Mcts<G> {
    fn info() -> BotInfo {
        let mut options = own_options();
        options.extend(shared_options());
        BotInfo {
            name: "mcts",
            title: Text::new("Monte Carlo tree search", "Monte Carlo tree search"),
            about: Text::new(
                "Plays many random games from a growing tree, visits promising moves more often, and proves wins, draws and losses where it can.",
                "Memainkan banyak permainan acak dari pohon yang tumbuh, lebih sering mengunjungi langkah yang menjanjikan, dan membuktikan menang, seri, atau kalah bila bisa.",
            ),
            options,
            searches_tree: false,
        }
    }

    fn from_settings(game: &G, settings: &Settings) -> Self {
        Self {
            goal: if settings.choice("reward") == "margin" {
                Goal::Margin { bound: game.margin_bound() }
            } else {
                Goal::Win { margins_are_wins: game.margin_bound() == 1 }
            },
            exploration: settings.number("exploration"),
            simulations: settings.optional_integer("simulations").map(|n| n as u64),
            arena: Arena::new(settings.integer("memory") as usize),
            random: GameRandom::from_settings(settings),
            limits: Limits::from_settings(settings),
        }
    }
}

fn own_options() -> Vec<papan_core::OptionSpec> {
    vec![
        integer(
            "simulations",
            1..=i64::MAX,
            None,
            Text::new(
                "Random games for one move. Unset: as many as the limits allow, and 10000 without limits.",
                "Banyaknya permainan acak untuk satu langkah. Bila kosong: sebanyak batas mengizinkan, dan 10000 tanpa batas.",
            ),
        ),
        number(
            "exploration",
            0.0..=100.0,
            1.0,
            Text::new(
                "How strongly little-visited moves are preferred; results count from -1 to 1.",
                "Seberapa kuat langkah yang jarang dikunjungi diutamakan; hasil dihitung dari -1 sampai 1.",
            ),
        ),
        choice(
            "reward",
            &["win", "margin"],
            Text::new(
                "What is sought. win: to win, however narrowly; margin: the greatest margin.",
                "Yang dikejar. win: menang, setipis apa pun; margin: selisih terbesar.",
            ),
        ),
        integer("memory", 1..=16_384, Some(64), Text::new("Megabytes for the tree.", "Megabita untuk pohon.")),
    ]
}

impl<G: Game> Bot<G::Position> for Mcts<G> {
    fn choose_observed<O: Observer<G::Position>>(
        &mut self,
        position: &G::Position,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<MoveOf<G>> {
        let budget = self.limits.cap(budget);
        let is_limited = budget.time.is_some() || budget.nodes.is_some();
        let simulations = self.simulations.unwrap_or(if is_limited { u64::MAX } else { UNLIMITED_SIMULATIONS });
        self.arena.begin(position, self.goal.bound());
        let mut simulation = Simulation {
            root: *position,
            goal: self.goal,
            exploration: self.exploration,
            deepest: budget.depth.unwrap_or(u32::MAX).max(1),
            arena: &mut self.arena,
            random: &mut self.random,
            meter: budget.start(),
            observer,
            path: Vec::new(),
        };
        let mut reported = None;
        let mut snapshot_at = 1;
        for number in 1..=simulations {
            if simulation.observer.is_active() && number == snapshot_at {
                report_visits(&mut simulation, number - 1);
                snapshot_at += (snapshot_at / SNAPSHOT_GROWTH).max(1);
            }
            if !simulation.run() || simulation.arena.node(ROOT).is_solved() {
                break;
            }
            if number % REPORT_EVERY == 0 {
                report_best(&mut simulation, &mut reported);
            }
        }
        report_best(&mut simulation, &mut reported);
        if simulation.observer.is_active() {
            let simulations = u64::from(simulation.arena.node(ROOT).visits);
            report_visits(&mut simulation, simulations);
        }
        simulation.decision()
    }

    fn new_game(&mut self, number: u64) {
        self.random.new_game(number);
    }
}

/// Reports the best move if it, or the depth behind it, is not the one that
/// was `reported` last.
fn report_best<P: Position, O: Observer<P>>(
    simulation: &mut Simulation<'_, P, O>,
    reported: &mut Option<(P::Move, u32)>,
) {
    let best = simulation.best_child();
    let (mv, depth) = (simulation.arena.node(best).mv, simulation.arena.depth());
    if reported.replace((mv, depth)) != Some((mv, depth)) {
        let score = simulation.estimate(best);
        simulation.observer.best(&BestSoFar { mv, score, depth, nodes: simulation.meter.nodes() });
    }
}

/// Tells an observer how often each root move was visited, and with what mean.
fn report_visits<P: Position, O: Observer<P>>(simulation: &mut Simulation<'_, P, O>, simulations: u64) {
    let moves: Vec<_> = simulation.root_visits().collect();
    simulation.observer.visits(&Visits { simulations, moves: &moves });
}
