//! The move with the best value right after it.

use papan_core::observer::LocalStep;
use papan_core::{Bot, BotInfo, Budget, Decision, Evaluation, Game, MoveOf, Observer, Settings, Text};

use crate::GeneralBot;
use crate::common::{GameRandom, Limits, choice, chosen_evaluation, eval_option, shared_options};
use crate::neighbours::{Neighbours, value_here};

/// Plays the move that looks best one ply ahead.
#[derive(Clone, Debug)]
pub struct Greedy<G: Game> {
    eval: Evaluation<G::Position>,
    random_ties: bool,
    random: GameRandom,
    limits: Limits,
}

impl<G: Game> GeneralBot<G> for Greedy<G> {
    fn info() -> BotInfo {
        let mut options = vec![
            eval_option::<G>(),
            choice(
                "ties",
                &["random", "first"],
                Text::new(
                    "Which of several best moves is played.",
                    "Langkah mana yang dimainkan di antara beberapa yang terbaik.",
                ),
            ),
        ];
        options.extend(shared_options());
        BotInfo {
            name: "greedy",
            title: Text::new("Greedy", "Rakus"),
            about: Text::new(
                "Plays the move with the best value right after it, and never looks at the opponent's reply.",
                "Memainkan langkah dengan nilai terbaik sesaat setelahnya, tanpa melihat balasannya.",
            ),
            options,
            searches_tree: false,
        }
    }

    fn from_settings(_game: &G, settings: &Settings) -> Self {
        Self {
            eval: chosen_evaluation::<G>(settings),
            random_ties: settings.choice("ties") == "random",
            random: GameRandom::from_settings(settings),
            limits: Limits::from_settings(settings),
        }
    }
}

impl<G: Game> Bot<G::Position> for Greedy<G> {
    fn choose_observed<O: Observer<G::Position>>(
        &mut self,
        position: &G::Position,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<MoveOf<G>> {
        let mut meter = self.limits.cap(budget).start();
        let neighbours = Neighbours::of(position, &self.eval, &mut meter);
        let mut best = neighbours.best_moves();
        let skipped = if self.random_ties { self.random.below(best.clone().count()) } else { 0 };
        let mv = best.nth(skipped).expect("there is a best move");
        observer.local_step(&LocalStep {
            step: 0,
            restart: 0,
            before: value_here(&self.eval, position, observer),
            neighbours: &neighbours.values,
            taken: Some(mv),
            score: neighbours.best_score(),
            temperature: None,
        });
        observer.best(&neighbours.best_so_far(mv));
        neighbours.decision(mv)
    }

    fn new_game(&mut self, number: u64) {
        self.random.new_game(number);
    }
}
