//! `report-genetic`: a population of cell sequences.
//!
//! Two weaknesses of the original are kept: a chromosome has one cell per
//! *round* left, though a round is two plies, so that it looks half as far as
//! it could; and fitness is always O's marks minus X's, with gene 0 played as
//! X, so that it plays for O whichever side it is on.

use papan_core::observer::{BestSoFar, Generation};
use papan_core::{
    Bot, BotEntry, BotInfo, Budget, Decision, Exactness, Game as _, Meter, MoveSet as _, Observer, Place, Player,
    Position as _, Random, Score, Settings, Text, mix,
};
use papan_games::adjacency::{Adjacency, AdjacencyPosition};

use crate::report::{capped, shared_options};

const POPULATION: usize = 100;
const GENERATIONS: u32 = 100;
/// A fitness that ends the search: all cells but one.
const PERFECT: Score = Score(63);

/// The report's genetic player.
#[derive(Clone, Debug)]
pub struct ReportGenetic {
    settings: Settings,
    /// The player with the symbol X.
    x: Player,
    random: Random,
}

impl ReportGenetic {
    /// Its line on the roster.
    #[must_use]
    pub fn entry() -> BotEntry<Adjacency> {
        BotEntry {
            info: BotInfo {
                name: "report-genetic",
                title: Text::new("Genetic search of the report", "Algoritma genetika dari laporan"),
                about: Text::new(
                    "The 2023 report's genetic search: 100 sequences of cells over up to 100 generations, always in favour of O.",
                    "Algoritma genetika dari laporan 2023: 100 urutan kotak selama paling banyak 100 generasi, selalu berpihak pada O.",
                ),
                options: shared_options(),
                searches_tree: false,
            },
            build: |game, settings| Box::new(Self::new(game, settings)),
        }
    }

    fn new(game: &Adjacency, settings: &Settings) -> Self {
        let x = if game.players()[0].symbol == 'X' { Player::First } else { Player::Second };
        Self { settings: settings.clone(), x, random: Random::new(settings.integer("seed") as u64) }
    }
}

#[derive(Clone, Debug)]
struct Chromosome {
    genes: Vec<Place>,
    fitness: Score,
}

/// One search from one position.
struct Breeding<'a> {
    /// The position with X to move, whoever is at turn in the game.
    start: AdjacencyPosition,
    o: Player,
    random: &'a mut Random,
    meter: Meter,
}

impl Breeding<'_> {
    /// Plays the genes in turn, gene 0 as X: O's marks minus X's.
    fn fitness(&mut self, genes: &[Place]) -> Option<Score> {
        let mut position = self.start;
        for &gene in genes {
            if self.meter.visit() {
                return None;
            }
            position = position.play(gene)?;
        }
        Some(position.margin().for_player(self.o))
    }

    fn free_cell(&mut self, taken: &[Place]) -> Option<Place> {
        let free = taken.iter().fold(self.start.empties(), |free, cell| free & !(1 << cell.0));
        papan_core::Places(free).pick(self.random.bits())
    }

    /// `length` distinct empty cells.
    fn random_chromosome(&mut self, length: usize) -> Option<Chromosome> {
        let mut genes = Vec::with_capacity(length);
        while genes.len() < length {
            genes.push(self.free_cell(&genes)?);
        }
        let fitness = self.fitness(&genes)?;
        Some(Chromosome { genes, fitness })
    }

    /// The first half of one and the second half of the other; a gene that is
    /// there already becomes a random free cell.
    fn cross(&mut self, head: &Chromosome, tail: &Chromosome) -> Option<Chromosome> {
        let middle = head.genes.len() / 2;
        let mut genes = head.genes[..middle].to_vec();
        for &gene in &tail.genes[middle..] {
            let gene = if genes.contains(&gene) { self.free_cell(&genes)? } else { gene };
            genes.push(gene);
        }
        let fitness = self.fitness(&genes)?;
        Some(Chromosome { genes, fitness })
    }
}

impl Bot<AdjacencyPosition> for ReportGenetic {
    fn choose_observed<O: Observer<AdjacencyPosition>>(
        &mut self,
        position: &AdjacencyPosition,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<Place> {
        let mut breeding = Breeding {
            start: AdjacencyPosition::new(position.marks(), self.x, position.rounds_left(), position.neighbourhood()),
            o: self.x.other(),
            random: &mut self.random,
            meter: capped(budget, &self.settings).start(),
        };
        let length = (position.rounds_left() as usize).min(position.legal_moves().len());
        let mut best: Option<Chromosome> = None;
        // Finished or out of budget, `best` is the best so far.
        let _finished = breed(&mut breeding, length, &mut best, observer);
        let nodes = breeding.meter.nodes();
        match best {
            None => Decision { nodes, ..Decision::unsearched(position.legal_moves().nth(0)) },
            Some(best) => Decision {
                mv: best.genes[0],
                score: best.fitness,
                exactness: Exactness::Estimate,
                depth: length as u32,
                nodes,
                pv: vec![best.genes[0]],
                per_move: Vec::new(),
            },
        }
    }

    fn new_game(&mut self, number: u64) {
        self.random = Random::new(self.settings.integer("seed") as u64 ^ mix(number));
    }
}

/// Breeds until the last generation or a perfect fitness; `None` if the budget
/// ran out.
fn breed<O: Observer<AdjacencyPosition>>(
    breeding: &mut Breeding<'_>,
    length: usize,
    best: &mut Option<Chromosome>,
    observer: &mut O,
) -> Option<()> {
    let mut population = Vec::with_capacity(POPULATION);
    while population.len() < POPULATION {
        population.push(breeding.random_chromosome(length)?);
        keep_best(population.last()?, best, breeding, observer);
    }
    for number in 0..GENERATIONS {
        population.sort_by_key(|chromosome| std::cmp::Reverse(chromosome.fitness));
        if observer.is_active() {
            observer.generation(&summary(number, &population));
        }
        if best.as_ref().is_some_and(|best| best.fitness >= PERFECT) {
            break;
        }
        // The two fittest are paired, then the next two, and so on: each pair
        // gives way to its two children.
        for pair in population.chunks_exact_mut(2) {
            let children = [breeding.cross(&pair[0], &pair[1])?, breeding.cross(&pair[1], &pair[0])?];
            for child in &children {
                keep_best(child, best, breeding, observer);
            }
            pair.clone_from_slice(&children);
        }
    }
    Some(())
}

fn keep_best<O: Observer<AdjacencyPosition>>(
    chromosome: &Chromosome,
    best: &mut Option<Chromosome>,
    breeding: &Breeding<'_>,
    observer: &mut O,
) {
    if best.as_ref().is_none_or(|best| chromosome.fitness > best.fitness) {
        observer.best(&BestSoFar {
            mv: chromosome.genes[0],
            score: chromosome.fitness,
            depth: chromosome.genes.len() as u32,
            nodes: breeding.meter.nodes(),
        });
        *best = Some(chromosome.clone());
    }
}

/// The report on a generation, which is sorted.
fn summary(number: u32, population: &[Chromosome]) -> Generation {
    let sum: i64 = population.iter().map(|chromosome| i64::from(chromosome.fitness.0)).sum();
    let distinct: std::collections::HashSet<_> = population.iter().map(|chromosome| &chromosome.genes).collect();
    Generation {
        number,
        best: population[0].fitness,
        mean: sum as f64 / population.len() as f64,
        diversity: distinct.len() as f64 / population.len() as f64,
    }
}
