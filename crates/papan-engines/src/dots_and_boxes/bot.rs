//! The engine as a bot, and the ways from the game's positions to the engine's.

use papan_core::observer::BestSoFar;
use papan_core::{Bits, Bot, BotEntry, Budget, Decision, Observer, OptionSpec, Place, Position as _, Score, Text};
use papan_games::dots_and_boxes::{DotsAndBoxes, DotsAndBoxesPosition};

use super::board::{Board, Lines};
use super::iterative_deepening::SCALE;
use super::levels::LevelPlayer;
use crate::common::levels::{EngineSettings, engine_info};

/// Plays Dots and Boxes, as well as it can or as well as a level says.
pub struct DotsAndBoxesEngine {
    board: Board,
    settings: EngineSettings,
    player: LevelPlayer,
}

/// The engine's board for a game.
pub(super) fn board_of<B: Bits>(game: &DotsAndBoxes<B>) -> Board {
    Board::new(game.rows(), game.cols()).expect("the game has no other sizes")
}

/// The lines of a position as the engine numbers them, which is how the game does.
pub(super) fn drawn_lines<B: Bits>(position: &DotsAndBoxesPosition<B>) -> Lines {
    position.lines().iter().collect()
}

/// The roster line of the engine; `shared` are the options that every bot takes.
#[must_use]
pub fn entry<B: Bits>(shared: Vec<OptionSpec>) -> BotEntry<DotsAndBoxes<B>> {
    let about = Text::new(
        "Solves the position exactly when it can, otherwise searches for control of the long chains.",
        "Memecahkan posisi secara eksak bila bisa, selain itu mencari kendali atas rantai-rantai panjang.",
    );
    BotEntry {
        info: engine_info(about, shared),
        build: |game, settings| Box::new(DotsAndBoxesEngine::with(game, EngineSettings::read(settings))),
    }
}

impl DotsAndBoxesEngine {
    /// An engine for boards of a game, at a level or, without one, at full strength.
    #[must_use]
    pub fn new<B: Bits>(game: &DotsAndBoxes<B>, level: Option<u8>, seed: u64) -> Self {
        Self::with(game, EngineSettings::new(level, seed))
    }

    fn with<B: Bits>(game: &DotsAndBoxes<B>, settings: EngineSettings) -> Self {
        Self { board: board_of(game), settings, player: LevelPlayer::new(settings) }
    }
}

impl<B: Bits> Bot<DotsAndBoxesPosition<B>> for DotsAndBoxesEngine {
    fn choose_observed<O: Observer<DotsAndBoxesPosition<B>>>(
        &mut self,
        position: &DotsAndBoxesPosition<B>,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<Place> {
        let place = |line: usize| Place(line as u8);
        let ahead = f64::from(position.margin().for_player(position.to_move()).0);
        // Estimates are whole boxes like exact values, so that both can stand side by side.
        let score = |value: i32| Score((ahead + f64::from(value) / f64::from(SCALE)).round() as i32);
        let mut watch = |best: BestSoFar<usize>| {
            observer.best(&BestSoFar {
                mv: place(best.mv),
                score: score(best.score.0),
                depth: best.depth,
                nodes: best.nodes,
            });
        };
        let budget = self.settings.cap(budget);
        let choice = self.player.choose(self.board, drawn_lines(position), &budget, &mut watch);
        choice.expect("a bot is asked only while lines are left").decision(place, score)
    }

    fn new_game(&mut self, number: u64) {
        self.player = LevelPlayer::new(self.settings.in_game(number));
    }
}
