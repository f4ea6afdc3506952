//! Local, genetic and Monte Carlo searches, as they are shown.

use papan_core::observer::{BestRecord, ChildRecord, Generation, Recorder, Redrawn, StepRecord, VisitsRecord};
use papan_core::table::{Choice, Table, TableBot};
use papan_core::{Budget, Score};
use serde::Serialize;

use crate::shown;

/// What a step of a local search means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StepMark {
    /// To a higher value.
    Uphill,
    /// To the same value: a plateau.
    Plateau,
    /// To a lower value.
    Downhill,
    /// No neighbour is better: a local optimum.
    Optimum,
    /// A change that annealing did not accept.
    Rejected,
}

/// A value on a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveScore {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value.
    pub score: i32,
    /// Its value in words.
    pub value: String,
}

/// A look of a local search at its neighbours.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StepView {
    /// Counts the restarts from 0.
    pub restart: u32,
    /// Which step of the restart.
    pub step: u32,
    /// The value before.
    pub before: i32,
    /// The neighbours with their values.
    pub neighbours: Vec<MoveScore>,
    /// The neighbour taken.
    pub taken: Option<String>,
    /// The value after.
    pub score: i32,
    /// What it means.
    pub mark: StepMark,
    /// The temperature, for annealing.
    pub temperature: Option<f64>,
}

/// A plan of a genetic search and where it comes from.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ChildView {
    /// Its generation.
    pub generation: u32,
    /// The places of its parents in the generation before.
    pub parents: Vec<u32>,
    /// How many moves are the first parent's.
    pub cut: Option<u32>,
    /// The moves before mutation and repair.
    pub inherited: Vec<String>,
    /// The moves in the end.
    pub plan: Vec<String>,
    /// The places drawn anew, and why.
    pub redrawn: Vec<(u32, Redrawn)>,
    /// Its fitness.
    pub fitness: i32,
}

/// A plan in a generation, the fittest first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlanView {
    /// The moves.
    pub plan: Vec<String>,
    /// Its fitness.
    pub fitness: i32,
}

/// A root move of a Monte Carlo search.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VisitView {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// How often it was visited.
    pub visits: u64,
    /// Its mean for the player to move, from −1 to 1.
    pub mean: f64,
}

/// The root moves after some simulations.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Snapshot {
    /// Simulations so far.
    pub simulations: u64,
    /// The root moves.
    pub moves: Vec<VisitView>,
}

/// The best move so far.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Improvement {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value.
    pub score: i32,
    /// Plies of look-ahead behind it.
    pub depth: u32,
    /// Positions visited so far.
    pub nodes: u64,
}

/// A search that was run and kept.
pub struct Run {
    table: Box<dyn Table>,
    bot: String,
    choice: Choice,
    record: Recorder,
}

/// A run in one piece, without the children of a genetic search.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RunView {
    /// The game with its options.
    pub game: String,
    /// The position searched.
    pub position: String,
    /// The bot.
    pub bot: String,
    /// The move chosen.
    pub best: String,
    /// Its value.
    pub value: String,
    /// Positions visited.
    pub nodes: u64,
    /// The best move over time.
    pub improvements: Vec<Improvement>,
    /// The looks of a local search.
    pub steps: Vec<StepView>,
    /// How many looks there were in all.
    pub steps_in_all: u64,
    /// The generations of a genetic search.
    pub generations: Vec<Generation>,
    /// The visits of a Monte Carlo search as they grow.
    pub visits: Vec<Snapshot>,
}

impl Run {
    /// Runs `bot`, called `name`, on the table's position and keeps at most
    /// `limit` entries of each kind. The game must not be over.
    #[must_use]
    pub fn new(table: Box<dyn Table>, name: &str, bot: &mut dyn TableBot, budget: &Budget, limit: usize) -> Self {
        let (choice, record) = bot.choose_recorded(&*table, budget, limit);
        Self { table, bot: name.to_owned(), choice, record }
    }

    /// The run with its first `steps` looks.
    #[must_use]
    pub fn view(&self, steps: usize) -> RunView {
        let record = &self.record;
        RunView {
            game: self.table.spec(),
            position: self.table.position(),
            bot: self.bot.clone(),
            best: self.choice.mv.clone(),
            value: shown(self.choice.score),
            nodes: self.choice.nodes,
            improvements: record.best.iter().map(|best| self.improvement(best)).collect(),
            steps: record.steps.iter().take(steps).map(|step| self.step(step)).collect(),
            steps_in_all: record.tally.local_steps,
            generations: record.generations.clone(),
            visits: record.visits.iter().map(|visits| self.snapshot(visits)).collect(),
        }
    }

    /// The board that the search looks at.
    #[must_use]
    pub fn scene(&self) -> papan_core::scene::Scene {
        self.table.scene()
    }

    /// The children born in a generation, in the order of their birth.
    #[must_use]
    pub fn children(&self, generation: u32) -> Vec<ChildView> {
        let born = self.record.children.iter().filter(|child| child.generation == generation);
        born.map(|child| self.child(child)).collect()
    }

    /// A whole generation, the fittest first: what its elite brings along and
    /// what was born in it. Empty if the search had no such generation.
    #[must_use]
    pub fn population(&self, generation: u32) -> Vec<PlanView> {
        // Children are kept in the order of their generations.
        let mut born = self.record.children.chunk_by(|a, b| a.generation == b.generation);
        let Some(first) = born.next().filter(|_| (generation as usize) < self.record.generations.len()) else {
            return Vec::new();
        };
        let mut plans: Vec<&ChildRecord> = fittest_first(first.iter().collect());
        for children in born.take_while(|children| children[0].generation <= generation) {
            // The elite fills what the children leave.
            plans.truncate(first.len().saturating_sub(children.len()));
            plans.extend(children);
            plans = fittest_first(plans);
        }
        plans.into_iter().map(|child| PlanView { plan: self.names(&child.plan), fitness: child.fitness.0 }).collect()
    }

    fn name(&self, mv: u16) -> String {
        self.table.move_name(usize::from(mv))
    }

    fn names(&self, moves: &[u16]) -> Vec<String> {
        moves.iter().map(|&mv| self.name(mv)).collect()
    }

    fn improvement(&self, best: &BestRecord) -> Improvement {
        Improvement { mv: self.name(best.mv), score: best.score.0, depth: best.depth, nodes: best.nodes }
    }

    fn step(&self, step: &StepRecord) -> StepView {
        let neighbour =
            |&(mv, score): &(u16, Score)| MoveScore { mv: self.name(mv), score: score.0, value: shown(score) };
        StepView {
            restart: step.restart,
            step: step.step,
            before: step.before.0,
            neighbours: step.neighbours.iter().map(neighbour).collect(),
            taken: step.taken.map(|mv| self.name(mv)),
            score: step.score.0,
            mark: mark(step),
            temperature: step.temperature,
        }
    }

    fn child(&self, child: &ChildRecord) -> ChildView {
        ChildView {
            generation: child.generation,
            parents: child.parents.clone(),
            cut: child.cut,
            inherited: self.names(&child.inherited),
            plan: self.names(&child.plan),
            redrawn: child.redrawn.clone(),
            fitness: child.fitness.0,
        }
    }

    fn snapshot(&self, visits: &VisitsRecord) -> Snapshot {
        let moves = visits.moves.iter().map(|&(mv, visits, mean)| VisitView { mv: self.name(mv), visits, mean });
        Snapshot { simulations: visits.simulations, moves: moves.collect() }
    }
}

/// Stable, as the search itself sorts.
fn fittest_first(mut plans: Vec<&ChildRecord>) -> Vec<&ChildRecord> {
    plans.sort_by_key(|plan| std::cmp::Reverse(plan.fitness));
    plans
}

fn mark(step: &StepRecord) -> StepMark {
    match step.taken {
        None if step.temperature.is_some() => StepMark::Rejected,
        None => StepMark::Optimum,
        Some(_) if step.score > step.before => StepMark::Uphill,
        Some(_) if step.score == step.before => StepMark::Plateau,
        Some(_) => StepMark::Downhill,
    }
}
