//! The `engine` of each game.

use std::thread;

use papan_bots::common::{Limits, integer, shared_options};
use papan_core::error::Subject;
use papan_core::observer::Observer;
use papan_core::{
    AnyBot, Bits, Bot, BotEntry, BotInfo, Budget, Decision, Exactness, Game, OptionSpec, Position, Settings, Spec, Text,
};
use papan_engines::othello::OthelloEngine;
use papan_games::adjacency::Adjacency;
use papan_games::dots_and_boxes::DotsAndBoxes;
use papan_games::othello::Othello;
use papan_games::tic_tac_toe::TicTacToe;

/// An engine within the limits of its own options and of its node budget.
///
/// Engines look at their node count only now and then, and go a little over.
/// The slack is taken off beforehand; a budget that is smaller still goes to a
/// bot that counts every node. That one's estimates are in another unit than an
/// engine's, so only its move is taken.
struct Within<P: Position> {
    engine: Box<dyn AnyBot<P>>,
    frugal: Box<dyn AnyBot<P>>,
    limits: Limits,
    slack: u64,
}

impl<P: Position> Within<P> {
    fn new<G: Game<Position = P>>(game: &G, engine: Box<dyn AnyBot<P>>, settings: &Settings, slack: u64) -> Box<Self> {
        let greedy = papan_bots::all::<G>().into_iter().find(|entry| entry.info.name == "greedy");
        let greedy = greedy.expect("greedy is a general bot");
        let defaults = Settings::read(Subject::Bot, &Spec::split("greedy"), &greedy.info.options);
        let frugal = (greedy.build)(game, &defaults.expect("defaults can be read"));
        Box::new(Self { engine, frugal, limits: Limits::from_settings(settings), slack })
    }

    /// Lets the one who can do it within the budget think.
    fn think(
        &mut self,
        budget: &Budget,
        ask: impl FnOnce(&mut dyn AnyBot<P>, &Budget) -> Decision<P::Move>,
    ) -> Decision<P::Move> {
        let budget = self.limits.cap(budget);
        match budget.nodes {
            Some(nodes) if nodes <= 2 * self.slack => move_alone(ask(&mut *self.frugal, &budget)),
            Some(nodes) => ask(&mut *self.engine, &Budget { nodes: Some(nodes - self.slack), ..budget }),
            None => ask(&mut *self.engine, &budget),
        }
    }
}

/// The decision without its values, unless they are proven.
fn move_alone<M: Copy>(decision: Decision<M>) -> Decision<M> {
    match decision.exactness {
        Exactness::Estimate => Decision { nodes: decision.nodes, ..Decision::unsearched(decision.mv) },
        _ => decision,
    }
}

impl<P: Position> Bot<P> for Within<P> {
    fn choose_observed<O: Observer<P>>(
        &mut self,
        position: &P,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<P::Move> {
        self.think(budget, |bot, budget| bot.choose_observed(position, budget, observer))
    }

    fn choose(&mut self, position: &P, budget: &Budget) -> Decision<P::Move> {
        self.think(budget, |bot, budget| bot.choose(position, budget))
    }

    fn new_game(&mut self, number: u64) {
        self.engine.new_game(number);
        self.frugal.new_game(number);
    }
}

pub(crate) fn tic_tac_toe<B: Bits>() -> BotEntry<TicTacToe<B>> {
    BotEntry {
        info: papan_engines::tic_tac_toe::entry::<B>(shared_options()).info,
        build: |game, settings| {
            let engine = (papan_engines::tic_tac_toe::entry(shared_options()).build)(game, settings);
            Within::new(game, engine, settings, 64)
        },
    }
}

pub(crate) fn adjacency() -> BotEntry<Adjacency> {
    BotEntry {
        info: papan_engines::adjacency::entry(shared_options()).info,
        build: |game, settings| {
            let engine = (papan_engines::adjacency::entry(shared_options()).build)(game, settings);
            Within::new(game, engine, settings, 64)
        },
    }
}

pub(crate) fn dots_and_boxes<B: Bits>() -> BotEntry<DotsAndBoxes<B>> {
    papan_engines::dots_and_boxes::entry(shared_options())
}

pub(crate) fn othello() -> BotEntry<Othello> {
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
    BotEntry {
        info: BotInfo {
            name: "engine",
            title: Text::new("Engine", "Mesin"),
            about: Text::new(
                "The strongest player of Othello: pattern evaluation, Multi-ProbCut, exact endings.",
                "Pemain Othello terkuat: evaluasi pola, Multi-ProbCut, akhir permainan eksak.",
            ),
            options,
            searches_tree: false,
        },
        build: |game, settings| {
            let level = settings.optional_integer("level").map(|level| level as u32);
            let threads = thread::available_parallelism().map_or(1, usize::from);
            let engine = OthelloEngine::new(level, settings.integer("seed") as u64, threads);
            Within::new(game, Box::new(engine), settings, 2048)
        },
    }
}
