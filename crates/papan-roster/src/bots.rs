//! Every bot: the general ones, and each game's own.

use papan_core::error::{ParseError, Subject, quoted};
use papan_core::{AnyBot, Bits, BotEntry, Game, Settings, Spec};
use papan_games::adjacency::Adjacency;
use papan_games::dots_and_boxes::DotsAndBoxes;
use papan_games::othello::Othello;
use papan_games::tic_tac_toe::TicTacToe;

use crate::{engines, presets};

/// A game on the roster, with the bots that play only it.
pub trait Rostered: Game {
    /// Engines and presets of this game.
    fn own_bots() -> Vec<BotEntry<Self>>;
}

impl<B: Bits> Rostered for TicTacToe<B> {
    fn own_bots() -> Vec<BotEntry<Self>> {
        presets::tic_tac_toe()
    }
}

impl Rostered for Adjacency {
    fn own_bots() -> Vec<BotEntry<Self>> {
        presets::adjacency()
    }
}

impl<B: Bits> Rostered for DotsAndBoxes<B> {
    fn own_bots() -> Vec<BotEntry<Self>> {
        presets::dots_and_boxes()
    }
}

impl Rostered for Othello {
    fn own_bots() -> Vec<BotEntry<Self>> {
        let mut bots = vec![engines::othello()];
        bots.extend(presets::othello());
        bots
    }
}

/// Every bot that plays `G`, the general ones first.
#[must_use]
pub fn bot_entries<G: Rostered>() -> Vec<BotEntry<G>> {
    let mut entries = papan_bots::all::<G>();
    entries.extend(G::own_bots());
    entries
}

/// Makes the bot that `spec` names for `game`.
pub fn build_bot<G: Rostered>(game: &G, spec: &str) -> Result<Box<dyn AnyBot<G::Position>>, ParseError> {
    let spec = Spec::split(spec);
    let entries = bot_entries::<G>();
    let Some(entry) = entries.iter().find(|entry| entry.info.name.eq_ignore_ascii_case(spec.name)) else {
        let names: Vec<_> = entries.iter().map(|entry| entry.info.name).collect();
        let game = G::info().name;
        let message = format!("{} is not a bot for {game}; there are {}", quoted(spec.name), names.join(", "));
        return Err(ParseError::new(Subject::Bot, message));
    };
    let settings = Settings::read(Subject::Bot, &spec, &entry.info.options)?;
    Ok((entry.build)(game, &settings))
}
