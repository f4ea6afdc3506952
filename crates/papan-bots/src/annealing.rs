//! Simulated annealing over plans: also worse ones are accepted, less and less
//! often as it cools.

use papan_core::observer::{BestSoFar, LocalStep};
use papan_core::{
    Bot, BotInfo, Budget, Decision, Evaluation, Exactness, Game, MoveOf, MoveSet as _, Observer, Position as _, Score,
    Settings, Text,
};

use crate::GeneralBot;
use crate::common::{GameRandom, Limits, choice, chosen_evaluation, eval_option, integer, number, shared_options};
use crate::plan::{PlanShape, Planner, Redraw};

/// How the temperature falls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Schedule {
    Geometric,
    Linear,
}

/// Improves one plan by random changes and plays its first move.
#[derive(Clone, Debug)]
pub struct Annealing<G: Game> {
    eval: Evaluation<G::Position>,
    shape: PlanShape,
    steps: u32,
    temperature: f64,
    cold: f64,
    schedule: Schedule,
    random: GameRandom,
    limits: Limits,
}

impl<G: Game> GeneralBot<G> for Annealing<G> {
    fn info() -> BotInfo {
        let mut options = vec![
            integer(
                "steps",
                1..=10_000_000,
                Some(2000),
                Text::new("Changes tried.", "Banyaknya perubahan yang dicoba."),
            ),
            number(
                "temperature",
                0.0..=1000.0,
                1.0,
                Text::new(
                    "Temperature at the start: at 1 a typical loss is accepted about one time in three; 0 never accepts a loss.",
                    "Suhu awal: pada 1 kerugian yang lazim diterima kira-kira sekali dari tiga; 0 tidak pernah menerima kerugian.",
                ),
            ),
            number("cold", 0.0..=1000.0, 0.01, Text::new("Temperature at the end.", "Suhu akhir.")),
            choice("schedule", &["geometric", "linear"], Text::new("How the temperature falls.", "Cara suhu turun.")),
        ];
        options.extend(PlanShape::options());
        options.push(eval_option::<G>());
        options.extend(shared_options());
        BotInfo {
            name: "annealing",
            title: Text::new("Simulated annealing", "Simulated annealing"),
            about: Text::new(
                "Changes one plan of moves at random, accepts losses ever less often as it cools, and plays the first move of the best plan seen.",
                "Mengubah satu rencana langkah secara acak, makin dingin makin jarang menerima kerugian, lalu memainkan langkah pertama dari rencana terbaik yang ditemui.",
            ),
            options,
            searches_tree: false,
        }
    }

    fn from_settings(_game: &G, settings: &Settings) -> Self {
        let temperature = settings.number("temperature");
        Self {
            eval: chosen_evaluation::<G>(settings),
            shape: PlanShape::from_settings(settings),
            steps: settings.integer("steps") as u32,
            temperature,
            cold: settings.number("cold").min(temperature),
            schedule: if settings.choice("schedule") == "linear" { Schedule::Linear } else { Schedule::Geometric },
            random: GameRandom::from_settings(settings),
            limits: Limits::from_settings(settings),
        }
    }
}

impl<G: Game> Annealing<G> {
    /// The temperature of a step, in units of a typical difference.
    fn temperature_at(&self, step: u32) -> f64 {
        let done = f64::from(step) / f64::from(self.steps);
        match self.schedule {
            Schedule::Linear => self.temperature + (self.cold - self.temperature) * done,
            Schedule::Geometric if self.cold > 0.0 => self.temperature * (self.cold / self.temperature).powf(done),
            // Nothing cools to 0 by a constant factor: fall by half ten times.
            Schedule::Geometric => self.temperature * 0.5f64.powf(10.0 * done),
        }
    }
}

/// Values of games have other scales: the median difference between a few
/// changed plans is what a temperature of 1 stands for.
const SAMPLES: usize = 15;

impl<G: Game> Bot<G::Position> for Annealing<G> {
    fn choose_observed<O: Observer<G::Position>>(
        &mut self,
        position: &G::Position,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<MoveOf<G>> {
        let budget = self.limits.cap(budget);
        let temperatures = self.clone();
        let mut planner = Planner {
            root: *position,
            eval: &self.eval,
            shape: self.shape.capped(budget.depth),
            random: &mut self.random,
            meter: budget.start(),
            redrawn: None,
        };
        // 1. Begin with a random plan; without time for it, any move.
        let mut plan = Vec::with_capacity(planner.shape.length());
        let Some(mut score) = planner.play(&mut plan, Redraw::Illegal) else {
            return Decision {
                nodes: planner.meter.nodes(),
                ..Decision::unsearched(plan.first().copied().unwrap_or_else(|| position.legal_moves().nth(0)))
            };
        };
        let mut best = (plan.clone(), score);
        observer.best(&report(&planner, &best));
        // 2. Find the scale of differences.
        let mut changed = plan.clone();
        let mut differences = Vec::with_capacity(SAMPLES);
        for _ in 0..SAMPLES {
            changed.clone_from(&plan);
            let at = planner.random.below(plan.len());
            let Some(other) = planner.play(&mut changed, Redraw::At(at)) else { break };
            if other != score {
                differences.push((other.0 - score.0).abs());
            }
        }
        differences.sort_unstable();
        let scale = differences.get(differences.len() / 2).map_or(1.0, |&d| f64::from(d));
        // 3. Change, compare, accept or not.
        for step in 0..temperatures.steps {
            changed.clone_from(&plan);
            let at = planner.random.below(plan.len());
            let Some(other) = planner.play(&mut changed, Redraw::At(at)) else { break };
            let temperature = temperatures.temperature_at(step) * scale;
            let before = score;
            let loss = f64::from(score.0 - other.0);
            let is_accepted = loss <= 0.0 || planner.random.unit() < (-loss / temperature).exp();
            if is_accepted {
                std::mem::swap(&mut plan, &mut changed);
                score = other;
            }
            observer.local_step(&LocalStep {
                step,
                restart: 0,
                before,
                neighbours: &[(if is_accepted { plan[0] } else { changed[0] }, other)],
                taken: is_accepted.then(|| plan[0]),
                score,
                temperature: Some(temperature),
            });
            if score > best.1 {
                best = (plan.clone(), score);
                observer.best(&report(&planner, &best));
            }
        }
        decision(&mut planner, &best)
    }

    fn new_game(&mut self, number: u64) {
        self.random.new_game(number);
    }
}

fn report<P: papan_core::Position>(planner: &Planner<'_, P>, best: &(Vec<P::Move>, Score)) -> BestSoFar<P::Move> {
    BestSoFar { mv: best.0[0], score: best.1, depth: best.0.len() as u32, nodes: planner.meter.nodes() }
}

fn decision<P: papan_core::Position>(planner: &mut Planner<'_, P>, best: &(Vec<P::Move>, Score)) -> Decision<P::Move> {
    let nodes = planner.meter.nodes();
    let pv = planner.line(&best.0);
    Decision {
        mv: best.0[0],
        score: best.1,
        exactness: Exactness::Estimate,
        depth: pv.len() as u32,
        nodes,
        pv,
        per_move: Vec::new(),
    }
}
