//! Genetic search: a population of plans, of which the fitter have children.

use std::cmp::Reverse;
use std::collections::HashSet;

use papan_core::observer::{BestSoFar, Child, Generation};
use papan_core::{
    Bot, BotInfo, Budget, Decision, Evaluation, Exactness, Game, Move, MoveOf, MoveSet as _, MoveValue, Observer,
    Position, Random, Score, Settings, Text,
};

use crate::GeneralBot;
use crate::common::{GameRandom, Limits, chosen_evaluation, eval_option, integer, number, shared_options};
use crate::plan::{PlanShape, Planner, Redraw};

/// How many plans are drawn for each parent; the fittest becomes one.
const CANDIDATES: usize = 3;

/// Breeds plans and plays the first move of the best one ever seen.
#[derive(Clone, Debug)]
pub struct Genetic<G: Game> {
    eval: Evaluation<G::Position>,
    shape: PlanShape,
    population: usize,
    generations: u32,
    crossover: f64,
    mutation: f64,
    elite: usize,
    random: GameRandom,
    limits: Limits,
}

impl<G: Game> GeneralBot<G> for Genetic<G> {
    fn info() -> BotInfo {
        let mut options = breeding_options();
        options.extend(PlanShape::options());
        options.push(eval_option::<G>());
        options.extend(shared_options());
        BotInfo {
            name: "genetic",
            title: Text::new("Genetic search", "Algoritma genetika"),
            about: Text::new(
                "Breeds plans of moves over many generations, kept legal by repair, and plays the first move of the best plan ever seen.",
                "Membiakkan rencana langkah selama banyak generasi, dijaga tetap sah, lalu memainkan langkah pertama dari rencana terbaik yang pernah ada.",
            ),
            options,
            searches_tree: false,
        }
    }

    fn from_settings(_game: &G, settings: &Settings) -> Self {
        let population = settings.integer("population") as usize;
        Self {
            eval: chosen_evaluation::<G>(settings),
            shape: PlanShape::from_settings(settings),
            population,
            generations: settings.integer("generations") as u32,
            crossover: settings.number("crossover"),
            mutation: settings.number("mutation"),
            elite: (settings.integer("elitism") as usize).min(population - 1),
            random: GameRandom::from_settings(settings),
            limits: Limits::from_settings(settings),
        }
    }
}

fn breeding_options() -> Vec<papan_core::OptionSpec> {
    vec![
        integer(
            "population",
            2..=100_000,
            Some(100),
            Text::new("Plans in a generation.", "Banyaknya rencana dalam satu generasi."),
        ),
        integer("generations", 1..=1_000_000, Some(100), Text::new("Generations bred.", "Banyaknya generasi.")),
        number(
            "crossover",
            0.0..=1.0,
            0.9,
            Text::new(
                "How often a child has two parents and not one.",
                "Seberapa sering anak memiliki dua induk, bukan satu.",
            ),
        ),
        number(
            "mutation",
            0.0..=1.0,
            0.1,
            Text::new("The chance of each move to be drawn anew.", "Peluang setiap langkah diundi kembali."),
        ),
        integer(
            "elitism",
            0..=100_000,
            Some(2),
            Text::new("The fittest that live on unchanged.", "Banyaknya yang terbaik yang bertahan tanpa perubahan."),
        ),
    ]
}

/// A plan with its fitness.
#[derive(Clone, Debug)]
struct Individual<M> {
    plan: Vec<M>,
    fitness: Score,
}

/// The best that was ever seen, over all and by first move.
struct Record<M> {
    best: Individual<M>,
    /// By the move's number.
    by_first_move: Vec<Option<(M, Score)>>,
}

impl<M: Move> Record<M> {
    /// Notes an individual; true if it is the best so far.
    fn note(&mut self, individual: &Individual<M>) -> bool {
        let first = individual.plan[0];
        let known = &mut self.by_first_move[first.index()];
        if known.is_none_or(|(_, score)| individual.fitness > score) {
            *known = Some((first, individual.fitness));
        }
        let is_best = self.best.plan.is_empty() || individual.fitness > self.best.fitness;
        if is_best {
            self.best.clone_from(individual);
        }
        is_best
    }
}

impl<G: Game> Bot<G::Position> for Genetic<G> {
    fn choose_observed<O: Observer<G::Position>>(
        &mut self,
        position: &G::Position,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<MoveOf<G>> {
        let budget = self.limits.cap(budget);
        let mut random = self.random.clone();
        let mut planner = Planner {
            root: *position,
            eval: &self.eval,
            shape: self.shape.capped(budget.depth),
            random: &mut random,
            meter: budget.start(),
            redrawn: observer.is_active().then(Vec::new),
        };
        let mut record = Record {
            best: Individual { plan: Vec::new(), fitness: Score(0) },
            by_first_move: vec![None; MoveOf::<G>::LIMIT],
        };
        // Finished or out of budget, the record has the best so far.
        let _finished = self.breed(&mut planner, &mut record, observer);
        let decision = decide(&mut planner, record);
        self.random = random;
        decision
    }

    fn new_game(&mut self, number: u64) {
        self.random.new_game(number);
    }
}

impl<G: Game> Genetic<G> {
    /// Breeds every generation; `None` if the budget ran out.
    fn breed<O: Observer<G::Position>>(
        &self,
        planner: &mut Planner<'_, G::Position>,
        record: &mut Record<MoveOf<G>>,
        observer: &mut O,
    ) -> Option<()> {
        // 1. A first generation of random plans.
        let mut parents = Vec::with_capacity(self.population);
        while parents.len() < self.population {
            let mut plan = Vec::with_capacity(planner.shape.length());
            let fitness = planner.play(&mut plan, Redraw::Illegal)?;
            report_child(planner, observer, 0, &Lineage::default(), &plan, fitness);
            parents.push(Individual { plan, fitness });
            note(record, parents.last().expect("just pushed"), planner, observer);
        }
        let mut children = parents.clone();
        for number in 0..self.generations {
            // 2. The fittest first.
            parents.sort_by_key(|individual| Reverse(individual.fitness));
            if observer.is_active() {
                observer.generation(&summary(number, &parents));
            }
            if number + 1 == self.generations {
                break;
            }
            // 3. The elite lives on; all others are children.
            for (child, parent) in children.iter_mut().zip(&parents[..self.elite]) {
                child.clone_from(parent);
            }
            for child in &mut children[self.elite..] {
                let mut lineage = self.cross(&parents, &mut child.plan, planner.random);
                if observer.is_active() {
                    lineage.inherited.clone_from(&child.plan);
                }
                // Playing the plan also mutates and repairs it.
                child.fitness = planner.play(&mut child.plan, Redraw::Chance(self.mutation))?;
                report_child(planner, observer, number + 1, &lineage, &child.plan, child.fitness);
                note(record, child, planner, observer);
            }
            std::mem::swap(&mut parents, &mut children);
        }
        Some(())
    }

    /// Writes the child of two chosen parents: the first's moves up to a
    /// random place, then the second's.
    fn cross(
        &self,
        parents: &[Individual<MoveOf<G>>],
        child: &mut Vec<MoveOf<G>>,
        random: &mut Random,
    ) -> Lineage<MoveOf<G>> {
        let first = choose_parent(parents.len(), random);
        child.clone_from(&parents[first].plan);
        let mut lineage = Lineage { parents: (Some(first), None), cut: None, inherited: Vec::new() };
        if random.unit() < self.crossover {
            let second = choose_parent(parents.len(), random);
            let cut = random.below(child.len()) + 1;
            child.truncate(cut);
            child.extend(parents[second].plan.iter().skip(cut));
            lineage.parents.1 = Some(second);
            lineage.cut = Some(cut as u32);
        }
        lineage
    }
}

/// The place of the fittest of a few drawn at random; the fittest is 0.
fn choose_parent(population: usize, random: &mut Random) -> usize {
    (0..CANDIDATES).map(|_| random.below(population)).min().expect("there are candidates")
}

/// Where a plan comes from.
struct Lineage<M> {
    /// The places of its parents.
    parents: (Option<usize>, Option<usize>),
    /// How many moves are the first parent's.
    cut: Option<u32>,
    /// The moves before mutation and repair, filled in for observers only.
    inherited: Vec<M>,
}

impl<M> Default for Lineage<M> {
    fn default() -> Self {
        Self { parents: (None, None), cut: None, inherited: Vec::new() }
    }
}

fn report_child<P: Position, O: Observer<P>>(
    planner: &mut Planner<'_, P>,
    observer: &mut O,
    generation: u32,
    lineage: &Lineage<P::Move>,
    plan: &[P::Move],
    fitness: Score,
) {
    if let Some(redrawn) = &mut planner.redrawn {
        let (first, second) = lineage.parents;
        let parents: Vec<u32> = [first, second].into_iter().flatten().map(|place| place as u32).collect();
        let (cut, inherited) = (lineage.cut, &lineage.inherited[..]);
        observer.child(&Child { generation, parents: &parents, cut, inherited, plan, redrawn, fitness });
        redrawn.clear();
    }
}

fn note<P: Position, O: Observer<P>>(
    record: &mut Record<P::Move>,
    individual: &Individual<P::Move>,
    planner: &Planner<'_, P>,
    observer: &mut O,
) {
    if record.note(individual) {
        observer.best(&BestSoFar {
            mv: individual.plan[0],
            score: individual.fitness,
            depth: individual.plan.len() as u32,
            nodes: planner.meter.nodes(),
        });
    }
}

/// The report on a generation, which is sorted.
fn summary<M: Move>(number: u32, generation: &[Individual<M>]) -> Generation {
    let sum: i64 = generation.iter().map(|individual| i64::from(individual.fitness.0)).sum();
    let distinct: HashSet<_> = generation.iter().map(|individual| &individual.plan).collect();
    Generation {
        number,
        best: generation[0].fitness,
        mean: sum as f64 / generation.len() as f64,
        diversity: distinct.len() as f64 / generation.len() as f64,
    }
}

fn decide<P: Position>(planner: &mut Planner<'_, P>, record: Record<P::Move>) -> Decision<P::Move> {
    let nodes = planner.meter.nodes();
    if record.best.plan.is_empty() {
        return Decision { nodes, ..Decision::unsearched(planner.root.legal_moves().nth(0)) };
    }
    let mv = record.best.plan[0];
    let mut per_move: Vec<_> = record
        .by_first_move
        .into_iter()
        .flatten()
        .map(|(mv, score)| MoveValue { mv, score, exactness: Exactness::Estimate })
        .collect();
    per_move.sort_by_key(|value| (Reverse(value.score), value.mv != mv));
    let pv = planner.line(&record.best.plan);
    Decision {
        mv,
        score: record.best.fitness,
        exactness: Exactness::Estimate,
        depth: pv.len() as u32,
        nodes,
        pv,
        per_move,
    }
}
