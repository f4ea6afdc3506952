//! Any legal move, each as likely as the others.

use papan_core::observer::BestSoFar;
use papan_core::{Bot, BotInfo, Budget, Decision, Game, MoveSet as _, Observer, Position, Score, Settings, Text};

use crate::GeneralBot;
use crate::common::{GameRandom, shared_options};

/// Plays any legal move.
#[derive(Clone, Debug)]
pub struct RandomBot {
    random: GameRandom,
}

impl<G: Game> GeneralBot<G> for RandomBot {
    fn info() -> BotInfo {
        BotInfo {
            name: "random",
            title: Text::new("Random", "Acak"),
            about: Text::new(
                "Plays any legal move, each as likely as the others.",
                "Memainkan langkah sah mana pun dengan peluang yang sama.",
            ),
            options: shared_options(),
            searches_tree: false,
        }
    }

    fn from_settings(_game: &G, settings: &Settings) -> Self {
        Self { random: GameRandom::from_settings(settings) }
    }
}

impl<P: Position> Bot<P> for RandomBot {
    fn choose_observed<O: Observer<P>>(
        &mut self,
        position: &P,
        _budget: &Budget,
        observer: &mut O,
    ) -> Decision<P::Move> {
        let mv = position.legal_moves().pick(self.random.bits()).expect("the game is not over");
        observer.best(&BestSoFar { mv, score: Score(0), depth: 0, nodes: 1 });
        Decision { nodes: 1, ..Decision::unsearched(mv) }
    }

    fn new_game(&mut self, number: u64) {
        self.random.new_game(number);
    }
}
