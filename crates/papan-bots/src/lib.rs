//! General search algorithms: each plays every game.
//!
//! One file per algorithm. A new bot is one file that implements
//! [`GeneralBot`], and one line in [`all`].

pub mod alpha_beta;
pub mod annealing;
pub mod common;
pub mod genetic;
pub mod greedy;
pub mod hill_climbing;
pub mod mcts;
pub mod minimax;
mod neighbours;
mod plan;
mod principal;
pub mod random;
mod tree;

use papan_core::{Bot, BotEntry, BotInfo, Game, Settings};

/// A bot that plays any game `G`.
pub trait GeneralBot<G: Game>: Bot<G::Position> + Sized + 'static {
    /// Its name, description and options; the `eval` option lists the
    /// evaluations of `G`.
    fn info() -> BotInfo;

    /// The bot for `game` with `settings`, which were read against the options
    /// of [`GeneralBot::info`].
    fn from_settings(game: &G, settings: &Settings) -> Self;
}

fn entry<G: Game, B: GeneralBot<G>>() -> BotEntry<G> {
    BotEntry { info: B::info(), build: |game, settings| Box::new(B::from_settings(game, settings)) }
}

/// Every general bot, from the simplest to the strongest.
#[must_use]
pub fn all<G: Game>() -> Vec<BotEntry<G>> {
    vec![
        entry::<G, random::RandomBot>(),
        entry::<G, greedy::Greedy<G>>(),
        entry::<G, hill_climbing::HillClimbing<G>>(),
        entry::<G, annealing::Annealing<G>>(),
        entry::<G, genetic::Genetic<G>>(),
        entry::<G, minimax::Minimax<G>>(),
        entry::<G, alpha_beta::AlphaBeta<G>>(),
        entry::<G, mcts::Mcts<G>>(),
    ]
}
