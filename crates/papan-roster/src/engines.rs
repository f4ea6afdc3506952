//! The `engine` of each game.

use std::thread;

use papan_bots::common::{Limits, integer, shared_options};
use papan_core::observer::Observer;
use papan_core::{AnyBot, Bits, Bot, BotEntry, BotInfo, Budget, Decision, Game, OptionSpec, Position, Settings, Text};
use papan_engines::othello::bot::OthelloEngine;
use papan_games::adjacency::Adjacency;
use papan_games::dots_and_boxes::DotsAndBoxes;
use papan_games::othello::Othello;
use papan_games::tic_tac_toe::TicTacToe;

/// An engine within the limits of its own options.
struct Capped<B> {
    engine: B,
    limits: Limits,
}

impl<P: Position, B: Bot<P>> Bot<P> for Capped<B> {
    fn choose_observed<O: Observer<P>>(
        &mut self,
        position: &P,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<P::Move> {
        self.engine.choose_observed(position, &self.limits.cap(budget), observer)
    }

    fn new_game(&mut self, number: u64) {
        self.engine.new_game(number);
    }
}

fn capped<G: Game, B: Bot<G::Position> + 'static>(engine: B, settings: &Settings) -> Box<dyn AnyBot<G::Position>> {
    Box::new(Capped { engine, limits: Limits::from_settings(settings) })
}

/// The strength that `settings` ask for, `None` for all of it.
fn level(settings: &Settings) -> Option<u32> {
    settings.optional_integer("level").map(|level| level as u32)
}

fn seed(settings: &Settings) -> u64 {
    settings.integer("seed") as u64
}

fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

fn engine<G: Game>(about: Text, build: fn(&G, &Settings) -> Box<dyn AnyBot<G::Position>>) -> BotEntry<G> {
    let mut options: Vec<OptionSpec> = vec![integer(
        "level",
        1..=10,
        None,
        Text::new(
            "Strength from 1 (beginner) to 10; without it the engine uses its whole time.",
            "Kekuatan dari 1 (pemula) sampai 10; tanpa ini mesin memakai seluruh waktunya.",
        ),
    )];
    options.extend(shared_options());
    BotEntry { info: BotInfo { name: "engine", title: Text::new("Engine", "Mesin"), about, options }, build }
}

pub(crate) fn tic_tac_toe<B: Bits>() -> BotEntry<TicTacToe<B>> {
    papan_engines::tic_tac_toe::entry(shared_options())
}

pub(crate) fn adjacency() -> BotEntry<Adjacency> {
    papan_engines::adjacency::entry::entry()
}

pub(crate) fn dots_and_boxes<B: Bits>() -> BotEntry<DotsAndBoxes<B>> {
    papan_engines::dots_and_boxes::entry(shared_options())
}

pub(crate) fn othello() -> BotEntry<Othello> {
    engine(
        Text::new(
            "The strongest player of Othello: pattern evaluation, Multi-ProbCut, exact endings.",
            "Pemain Othello terkuat: evaluasi pola, Multi-ProbCut, akhir permainan eksak.",
        ),
        |_, settings| capped::<Othello, _>(OthelloEngine::new(level(settings), seed(settings), all_cores()), settings),
    )
}
