//! Hill climbing: a step to a better neighbour, with no look at the answer.
//!
//! Seen as local search, a position's neighbours are the positions one move
//! away. A game allows one step a turn and forbids standing still, so the
//! variants differ in which neighbour they take.

use papan_core::observer::LocalStep;
use papan_core::{
    Bot, BotInfo, Budget, Decision, Evaluation, Game, MoveOf, Observer, Position as _, Score, Settings, Text,
};

use crate::GeneralBot;
use crate::common::{GameRandom, Limits, choice, chosen_evaluation, eval_option, integer, shared_options, value_of};
use crate::neighbours::{Neighbours, value_here};

/// Which neighbour is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Variant {
    Steepest,
    Sideways,
    RandomRestart,
    Stochastic,
}

impl Variant {
    const NAMES: &'static [&'static str] = &["steepest", "sideways", "random-restart", "stochastic"];

    fn named(name: &str) -> Self {
        match name {
            "sideways" => Self::Sideways,
            "random-restart" => Self::RandomRestart,
            "stochastic" => Self::Stochastic,
            _ => Self::Steepest,
        }
    }
}

/// Plays the neighbour that its variant prefers.
#[derive(Clone, Debug)]
pub struct HillClimbing<G: Game> {
    eval: Evaluation<G::Position>,
    variant: Variant,
    restarts: u32,
    random: GameRandom,
    limits: Limits,
}

impl<G: Game> GeneralBot<G> for HillClimbing<G> {
    fn info() -> BotInfo {
        let mut options = vec![
            choice(
                "variant",
                Variant::NAMES,
                Text::new(
                    "steepest: values every neighbour and takes the first best, simple and always the same; sideways: takes the last best, so that it moves on over level ground; random-restart: climbs from several random moves to better ones beside them and keeps the best, which gets off local peaks but costs more; stochastic: draws among the better neighbours, the steeper the likelier, so that it is not predictable but may miss the best.",
                    "steepest: menilai semua tetangga dan mengambil yang terbaik pertama, sederhana dan selalu sama; sideways: mengambil yang terbaik terakhir, sehingga tetap bergerak di dataran; random-restart: mendaki dari beberapa langkah acak ke langkah di sebelahnya yang lebih baik dan menyimpan yang terbaik, lolos dari puncak lokal tetapi lebih mahal; stochastic: mengundi di antara tetangga yang lebih baik, makin curam makin mungkin, sehingga tak mudah ditebak tetapi dapat melewatkan yang terbaik.",
                ),
            ),
            integer(
                "restarts",
                1..=10_000,
                Some(8),
                Text::new("How many climbs, with random restart.", "Banyaknya pendakian, dengan mulai ulang acak."),
            ),
            eval_option::<G>(),
        ];
        options.extend(shared_options());
        BotInfo {
            name: "hill-climbing",
            title: Text::new("Hill climbing", "Hill climbing"),
            about: Text::new(
                "Local search: steps to a neighbouring position of higher value, in one of four variants.",
                "Pencarian lokal: melangkah ke posisi tetangga yang nilainya lebih tinggi, dalam salah satu dari empat varian.",
            ),
            options,
            searches_tree: false,
        }
    }

    fn from_settings(_game: &G, settings: &Settings) -> Self {
        Self {
            eval: chosen_evaluation::<G>(settings),
            variant: Variant::named(settings.choice("variant")),
            restarts: settings.integer("restarts") as u32,
            random: GameRandom::from_settings(settings),
            limits: Limits::from_settings(settings),
        }
    }
}

impl<G: Game> Bot<G::Position> for HillClimbing<G> {
    fn choose_observed<O: Observer<G::Position>>(
        &mut self,
        position: &G::Position,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<MoveOf<G>> {
        let mut meter = self.limits.cap(budget).start();
        let neighbours = Neighbours::of(position, &self.eval, &mut meter);
        let mv = match self.variant {
            Variant::Steepest => neighbours.best_moves().next(),
            Variant::Sideways => neighbours.best_moves().next_back(),
            Variant::RandomRestart => Some(self.climb_with_restarts::<O>(&neighbours, observer)),
            Variant::Stochastic => {
                let here = value_of(&self.eval, position, position.to_move(), 0);
                Some(self.draw_uphill(&neighbours, here))
            }
        }
        .expect("there is a best move");
        let best = neighbours.best_so_far(mv);
        if self.variant != Variant::RandomRestart {
            observer.local_step(&LocalStep {
                step: 0,
                restart: 0,
                before: value_here(&self.eval, position, observer),
                neighbours: &neighbours.values,
                taken: Some(mv),
                score: best.score,
                temperature: None,
            });
        }
        observer.best(&best);
        neighbours.decision(mv)
    }

    fn new_game(&mut self, number: u64) {
        self.random.new_game(number);
    }
}

impl<G: Game> HillClimbing<G> {
    /// Climbs among the moves themselves: from a random one to the better of
    /// the two beside it in natural order, until neither is better; then again
    /// from another. The first climb to the highest peak wins.
    fn climb_with_restarts<O: Observer<G::Position>>(
        &mut self,
        neighbours: &Neighbours<MoveOf<G>>,
        observer: &mut O,
    ) -> MoveOf<G> {
        let values = &neighbours.values;
        let mut best: Option<usize> = None;
        for restart in 0..self.restarts {
            let mut at = self.random.below(values.len());
            for step in 0.. {
                let beside = &values[at.saturating_sub(1)..values.len().min(at + 2)];
                let better = [at.wrapping_sub(1), at + 1]
                    .into_iter()
                    .filter(|&index| values.get(index).is_some_and(|value| value.1 > values[at].1))
                    .max_by_key(|&index| values[index].1);
                observer.local_step(&LocalStep {
                    step,
                    restart,
                    before: values[at].1,
                    neighbours: beside,
                    taken: better.map(|index| values[index].0),
                    score: values[better.unwrap_or(at)].1,
                    temperature: None,
                });
                match better {
                    Some(index) => at = index,
                    None => break,
                }
            }
            if best.is_none_or(|best| values[at].1 > values[best].1) {
                best = Some(at);
            }
        }
        values[best.expect("there is at least one climb")].0
    }

    /// Draws among the moves that are better than standing still, each with a
    /// chance in proportion to its gain; without any, among the best.
    fn draw_uphill(&mut self, neighbours: &Neighbours<MoveOf<G>>, here: Score) -> MoveOf<G> {
        let gain = |score: Score| u64::from((score.0 - here.0).max(0) as u32);
        let total: u64 = neighbours.values.iter().map(|&(_, score)| gain(score)).sum();
        if total == 0 {
            let best: Vec<_> = neighbours.best_moves().collect();
            return best[self.random.below(best.len())];
        }
        let mut left = (self.random.unit() * total as f64) as u64;
        for &(mv, score) in &neighbours.values {
            if left < gain(score) {
                return mv;
            }
            left -= gain(score);
        }
        neighbours.best_moves().next().expect("there is a best move")
    }
}
