//! The engine as a bot, and the ways between the game's positions and the engine's.

use papan_core::observer::BestSoFar;
use papan_core::{
    Bits, Bot, BotEntry, Budget, Decision, Move as _, Observer, OptionSpec, Place, Player as Seat, Position as _,
    Score, Text,
};
use papan_games::tic_tac_toe::{TicTacToe, TicTacToePosition};

use super::board::Board;
use super::levels::LevelPlayer;
use super::state::State;
use crate::common::levels::{EngineSettings, engine_info};

/// Plays Tic-tac-toe and its family, as well as it can or as well as a level says.
pub struct TicTacToeEngine {
    board: Board,
    settings: EngineSettings,
    player: LevelPlayer,
}

/// The engine's board for a game.
pub(super) fn board_of<B: Bits>(game: &TicTacToe<B>) -> Board {
    Board::new(game.rows(), game.cols(), game.in_a_row(), game.is_misere())
}

/// The engine numbers cells without the gap that the game's bits have at the end of each row.
pub(super) fn cell_of(board: &Board, place: Place) -> usize {
    let stride = board.cols() + 1;
    place.index() / stride * board.cols() + place.index() % stride
}

/// The game's place of one of the engine's cells.
pub(super) fn place_of(board: &Board, cell: usize) -> Place {
    Place((cell / board.cols() * (board.cols() + 1) + cell % board.cols()) as u8)
}

/// A position of the game as the engine keeps it.
pub(super) fn state_of<'a, B: Bits>(board: &'a Board, position: &TicTacToePosition<B>) -> State<'a> {
    let cells = |seat: Seat| -> Vec<usize> {
        position.marks(seat).iter().map(|index| cell_of(board, Place(index as u8))).collect()
    };
    State::with_marks(board, &cells(Seat::First), &cells(Seat::Second), position.to_move().index())
}

/// The roster line of the engine; `shared` are the options that every bot takes.
#[must_use]
pub fn entry<B: Bits>(shared: Vec<OptionSpec>) -> BotEntry<TicTacToe<B>> {
    let about = Text::new(
        "Wins by force where it can, solves small positions exactly, and searches large ones.",
        "Menang secara paksa bila bisa, memecahkan posisi kecil secara eksak, dan mencari pada posisi besar.",
    );
    BotEntry {
        info: engine_info(about, shared),
        build: |game, settings| Box::new(TicTacToeEngine::with(game, EngineSettings::read(settings))),
    }
}

impl TicTacToeEngine {
    /// An engine for boards of a game, at a level or, without one, at full strength.
    #[must_use]
    pub fn new<B: Bits>(game: &TicTacToe<B>, level: Option<u8>, seed: u64) -> Self {
        Self::with(game, EngineSettings::new(level, seed))
    }

    fn with<B: Bits>(game: &TicTacToe<B>, settings: EngineSettings) -> Self {
        let board = board_of(game);
        Self { settings, player: LevelPlayer::new(board.clone(), settings), board }
    }
}

impl<B: Bits> Bot<TicTacToePosition<B>> for TicTacToeEngine {
    fn choose_observed<O: Observer<TicTacToePosition<B>>>(
        &mut self,
        position: &TicTacToePosition<B>,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<Place> {
        let Self { board, settings, player } = self;
        let mut watch = |best: BestSoFar<usize>| {
            observer.best(&BestSoFar {
                mv: place_of(board, best.mv),
                score: best.score,
                depth: best.depth,
                nodes: best.nodes,
            });
        };
        let choice = player.choose(&state_of(board, position), &settings.cap(budget), &mut watch);
        choice.decision(|cell| place_of(board, cell), Score)
    }

    fn new_game(&mut self, number: u64) {
        self.player = LevelPlayer::new(self.board.clone(), self.settings.in_game(number));
    }
}
