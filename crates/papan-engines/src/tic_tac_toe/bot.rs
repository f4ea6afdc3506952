//! The engine as a bot of the house.

use std::time::Duration;

use papan_core::observer::BestSoFar;
use papan_core::{
    Bits, Bot, BotEntry, BotInfo, Budget, Decision, Exactness, Move as _, MoveValue, Observer, OptionKind, OptionSpec,
    Place, Player as Seat, Position as _, Score, Settings, Text, mix,
};
use papan_games::tic_tac_toe::{TicTacToe, TicTacToePosition};

use super::board::Board;
use super::levels::{HIGHEST, LOWEST, LevelPlayer};
use super::player::{Choice, Glimpse, Limits, Player};
use super::rating::{Kind, Rated};
use super::state::State;

const TABLE_MEGABYTES: usize = 64;

enum Strength {
    Full(Box<Player>),
    Level(Box<LevelPlayer>),
}

/// Plays Tic-tac-toe and its family, as well as it can or as well as a level says.
pub struct TicTacToeEngine {
    board: Board,
    level: Option<u8>,
    seed: u64,
    time: Option<Duration>,
    nodes: Option<u64>,
    strength: Strength,
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
    let mut options = vec![OptionSpec {
        name: "level",
        kind: OptionKind::Integer { min: LOWEST.into(), max: HIGHEST.into(), default: None },
        about: Text::new(
            "How strong it plays, from 1, a beginner, to 10. Unset: as strong as its time allows.",
            "Seberapa kuat bermain, dari 1, pemula, sampai 10. Bila kosong: sekuat waktunya mengizinkan.",
        ),
    }];
    options.extend(shared);
    BotEntry {
        info: BotInfo {
            name: "engine",
            title: Text::new("Engine", "Mesin"),
            about: Text::new(
                "Wins by force where it can, solves small positions exactly, and searches large ones.",
                "Menang secara paksa bila bisa, memecahkan posisi kecil secara eksak, dan mencari pada posisi besar.",
            ),
            options,
            searches_tree: false,
        },
        build: |game, settings| Box::new(TicTacToeEngine::from_settings(game, settings)),
    }
}

impl TicTacToeEngine {
    /// An engine for boards of a game, at a level or, without one, at full strength.
    #[must_use]
    pub fn new<B: Bits>(game: &TicTacToe<B>, level: Option<u8>, seed: u64) -> Self {
        let board = board_of(game);
        let strength = Strength::new(&board, level, seed);
        Self { board, level, seed, time: None, nodes: None, strength }
    }

    fn from_settings<B: Bits>(game: &TicTacToe<B>, settings: &Settings) -> Self {
        let level = settings.optional_integer("level").map(|level| level as u8);
        Self {
            time: settings.time("time"),
            nodes: settings.optional_integer("nodes").map(|nodes| nodes as u64),
            ..Self::new(game, level, settings.integer("seed") as u64)
        }
    }
}

impl Strength {
    fn new(board: &Board, level: Option<u8>, seed: u64) -> Self {
        match level {
            None => Self::Full(Box::new(Player::new(board.clone(), TABLE_MEGABYTES))),
            Some(level) => Self::Level(Box::new(LevelPlayer::new(board.clone(), level, seed))),
        }
    }
}

impl<B: Bits> Bot<TicTacToePosition<B>> for TicTacToeEngine {
    fn choose_observed<O: Observer<TicTacToePosition<B>>>(
        &mut self,
        position: &TicTacToePosition<B>,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<Place> {
        let budget = budget.capped(self.time, self.nodes, None);
        let limits = Limits {
            time: budget.time,
            nodes: budget.nodes,
            depth: budget.depth.map(|depth| depth.min(u8::MAX.into()) as u8),
            every_move: budget.every_move,
            stop: budget.stop.flag(),
            told: &budget.progress,
        };
        let state = state_of(&self.board, position);
        let board = &self.board;
        let mut watch = |glimpse: Glimpse| {
            observer.best(&BestSoFar {
                mv: place_of(board, glimpse.cell),
                score: Score(glimpse.value),
                depth: glimpse.depth.into(),
                nodes: glimpse.nodes,
            });
        };
        let choice = match &mut self.strength {
            Strength::Full(player) => player.choose(&state, limits, &mut watch),
            Strength::Level(player) => player.choose(&state, limits, &mut watch),
        };
        decision(&self.board, &choice.expect("a bot is asked only while the game goes on"))
    }

    fn new_game(&mut self, number: u64) {
        self.strength = Strength::new(&self.board, self.level, self.seed ^ mix(number));
    }
}

fn decision(board: &Board, choice: &Choice) -> Decision<Place> {
    let mv = place_of(board, choice.cell);
    if choice.rated.is_empty() {
        return Decision::unsearched(mv);
    }
    let exactness = if choice.exact { Exactness::Exact } else { Exactness::Estimate };
    let rate = |rated: &Rated| MoveValue {
        mv: place_of(board, rated.cell),
        score: Score(rated.value),
        exactness: if rated.kind == Kind::AtMost { Exactness::AtMost } else { exactness },
    };
    Decision {
        mv,
        score: Score(choice.value),
        exactness,
        depth: choice.depth.into(),
        nodes: choice.nodes,
        pv: vec![mv],
        per_move: choice.rated.iter().map(rate).collect(),
    }
}
