//! Every bot: the general ones, and each game's own.

use papan_core::error::{ParseError, Subject, quoted};
use papan_core::solver::Solver;
use papan_core::{AnyBot, Bits, BotEntry, Game, Insight, Settings, Spec};
use papan_engines::adjacency::AdjacencySolver;
use papan_engines::dots_and_boxes::DotsAndBoxesSolver;
use papan_engines::othello::OthelloSolver;
use papan_engines::tic_tac_toe::TicTacToeSolver;
use papan_games::adjacency::Adjacency;
use papan_games::dots_and_boxes::DotsAndBoxes;
use papan_games::othello::Othello;
use papan_games::othello::formats::{ggf, obf};
use papan_games::tic_tac_toe::TicTacToe;

use crate::{current_spec, engines, presets};

/// A game on the roster, with the bots that play only it and its solver.
pub trait Rostered: Game {
    /// Does the game itself read lists of moves, with what they leave out, such
    /// as passes?
    const READS_TRANSCRIPTS: bool = false;

    /// Engines and presets of this game.
    fn own_bots() -> Vec<BotEntry<Self>> {
        Vec::new()
    }

    /// The game that `bot`, one of [`Rostered::own_bots`], is for, if it cannot
    /// play this one.
    fn other_game_for(&self, _bot: &str) -> Option<&'static str> {
        None
    }

    /// The exact solver, if the game has one.
    fn solver(&self) -> Option<Box<dyn Solver<Self::Position>>> {
        None
    }

    /// What else there is to see in a position, such as chains and threats.
    fn insights(&self, _position: &Self::Position) -> Vec<Insight> {
        Vec::new()
    }

    /// The record of a game in a notation of other programs; nothing if the text is no such record.
    fn foreign_record(&self, _text: &str) -> Option<Result<ForeignRecord, ParseError>> {
        None
    }
}

/// A game that another program wrote down, in the game's own spelling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForeignRecord {
    /// Where it starts.
    pub start: String,
    /// The moves, none left out.
    pub moves: Vec<String>,
}

impl<B: Bits> Rostered for TicTacToe<B> {
    fn own_bots() -> Vec<BotEntry<Self>> {
        with_engine(engines::tic_tac_toe(), presets::tic_tac_toe())
    }

    fn other_game_for(&self, bot: &str) -> Option<&'static str> {
        presets::other_tic_tac_toe_for(self, bot)
    }

    fn solver(&self) -> Option<Box<dyn Solver<Self::Position>>> {
        Some(Box::new(TicTacToeSolver::new(self)))
    }

    fn insights(&self, position: &Self::Position) -> Vec<Insight> {
        papan_engines::tic_tac_toe::insights(self, position)
    }
}

impl Rostered for Adjacency {
    fn own_bots() -> Vec<BotEntry<Self>> {
        with_engine(engines::adjacency(), presets::adjacency())
    }

    fn solver(&self) -> Option<Box<dyn Solver<Self::Position>>> {
        Some(Box::new(AdjacencySolver::default()))
    }
}

impl<B: Bits> Rostered for DotsAndBoxes<B> {
    fn own_bots() -> Vec<BotEntry<Self>> {
        with_engine(engines::dots_and_boxes(), presets::dots_and_boxes())
    }

    fn solver(&self) -> Option<Box<dyn Solver<Self::Position>>> {
        Some(Box::new(DotsAndBoxesSolver::new(self)))
    }

    fn insights(&self, position: &Self::Position) -> Vec<Insight> {
        papan_engines::dots_and_boxes::insights(self, position)
    }
}

impl Rostered for Othello {
    const READS_TRANSCRIPTS: bool = true;

    fn own_bots() -> Vec<BotEntry<Self>> {
        with_engine(engines::othello(), presets::othello())
    }

    fn solver(&self) -> Option<Box<dyn Solver<Self::Position>>> {
        Some(Box::new(OthelloSolver::default()))
    }

    fn insights(&self, position: &Self::Position) -> Vec<Insight> {
        papan_engines::othello::insights(position)
    }

    fn foreign_record(&self, text: &str) -> Option<Result<ForeignRecord, ParseError>> {
        let game = ggf::read(ggf::find(text)?);
        let record = game.map(|game| ForeignRecord {
            start: obf(&game.start),
            moves: game.moves.iter().map(ToString::to_string).collect(),
        });
        Some(record.map_err(|error| ParseError::new(Subject::Position, format!("GGF: {error}"))))
    }
}

#[cfg(feature = "fifth-game")]
impl Rostered for papan_games::snort::Snort {}

fn with_engine<G: Game>(engine: BotEntry<G>, presets: Vec<BotEntry<G>>) -> Vec<BotEntry<G>> {
    let mut bots = vec![engine];
    bots.extend(presets);
    bots
}

/// Every bot that plays `game`, the general ones first.
#[must_use]
pub fn bot_entries<G: Rostered>(game: &G) -> Vec<BotEntry<G>> {
    let mut entries = all_entries::<G>();
    entries.retain(|entry| game.other_game_for(entry.info.name).is_none());
    entries
}

/// Every bot that plays some game of type `G`.
fn all_entries<G: Rostered>() -> Vec<BotEntry<G>> {
    let mut entries = papan_bots::all::<G>();
    entries.extend(presets::general());
    entries.extend(G::own_bots());
    entries
}

/// Makes the bot that `spec` names for `game`.
pub fn build_bot<G: Rostered>(game: &G, spec: &str) -> Result<Box<dyn AnyBot<G::Position>>, ParseError> {
    let (entry, settings) = find(game, spec)?;
    Ok((entry.build)(game, &settings))
}

/// The line of the roster that `spec` names, and its options, both checked; no
/// bot is made.
pub(crate) fn find<G: Rostered>(game: &G, spec: &str) -> Result<(BotEntry<G>, Settings), ParseError> {
    let spec = current_spec(spec);
    let spec = Spec::split(&spec);
    let mut entries = all_entries::<G>();
    let Some(index) = entries.iter().position(|entry| entry.info.name.eq_ignore_ascii_case(spec.name)) else {
        let names: Vec<_> = entries.iter().map(|entry| entry.info.name).collect();
        let game = G::info().name;
        let message = format!("{} is not a bot for {game}; there are {}", quoted(spec.name), names.join(", "));
        return Err(ParseError::new(Subject::Bot, message));
    };
    let entry = entries.swap_remove(index);
    if let Some(other) = game.other_game_for(entry.info.name) {
        let message = format!("{} plays only {other}, and this is {}", quoted(entry.info.name), game.spec());
        return Err(ParseError::new(Subject::Bot, message));
    }
    let settings = Settings::read(Subject::Bot, &spec, &entry.info.options)?;
    Ok((entry, settings))
}
