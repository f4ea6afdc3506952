//! The engine as a bot of the house.

use std::time::Duration;

use papan_core::observer::BestSoFar;
use papan_core::{
    Bits, Bot, BotEntry, BotInfo, Budget, Decision, Exactness, MoveValue, Observer, OptionKind, OptionSpec, Place,
    Position as _, Score, Settings, Text, mix,
};
use papan_games::dots_and_boxes::{DotsAndBoxes, DotsAndBoxesPosition};

use super::board::{Board, Lines};
use super::levels::{HIGHEST, LOWEST, LevelPlayer};
use super::player::{Choice, Glimpse, Limits, Player};

/// Memory for the strong player's table.
const TABLE_MEGABYTES: usize = 256;

enum Strength {
    Full(Box<Player>),
    Level(Box<LevelPlayer>),
}

/// Plays Dots and Boxes, as well as it can or as well as a level says.
pub struct DotsAndBoxesEngine {
    board: Board,
    level: Option<u8>,
    seed: u64,
    time: Option<Duration>,
    nodes: Option<u64>,
    strength: Strength,
}

/// The lines of a position as the engine numbers them, which is how the game does.
pub(super) fn drawn_lines<B: Bits>(position: &DotsAndBoxesPosition<B>) -> Lines {
    position.lines().iter().collect()
}

/// The roster line of the engine; `shared` are the options that every bot takes.
#[must_use]
pub fn entry<B: Bits>(shared: Vec<OptionSpec>) -> BotEntry<DotsAndBoxes<B>> {
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
                "Solves the position exactly when it can, otherwise searches for control of the long chains.",
                "Memecahkan posisi secara eksak bila bisa, selain itu mencari kendali atas rantai-rantai panjang.",
            ),
            options,
            searches_tree: false,
        },
        build: |game, settings| Box::new(DotsAndBoxesEngine::from_settings(game, settings)),
    }
}

impl DotsAndBoxesEngine {
    /// An engine for boards of a game, at a level or, without one, at full strength.
    #[must_use]
    pub fn new<B: Bits>(game: &DotsAndBoxes<B>, level: Option<u8>, seed: u64) -> Self {
        let board = Board::new(game.rows(), game.cols()).expect("the game has no other sizes");
        Self { board, level, seed, time: None, nodes: None, strength: Strength::new(level, seed) }
    }

    fn from_settings<B: Bits>(game: &DotsAndBoxes<B>, settings: &Settings) -> Self {
        let level = settings.optional_integer("level").map(|level| level as u8);
        Self {
            time: settings.time("time"),
            nodes: settings.optional_integer("nodes").map(|nodes| nodes as u64),
            ..Self::new(game, level, settings.integer("seed") as u64)
        }
    }
}

impl Strength {
    fn new(level: Option<u8>, seed: u64) -> Self {
        match level {
            None => Self::Full(Box::new(Player::new(TABLE_MEGABYTES, 1, seed))),
            Some(level) => Self::Level(Box::new(LevelPlayer::new(level, seed))),
        }
    }
}

impl<B: Bits> Bot<DotsAndBoxesPosition<B>> for DotsAndBoxesEngine {
    fn choose_observed<O: Observer<DotsAndBoxesPosition<B>>>(
        &mut self,
        position: &DotsAndBoxesPosition<B>,
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
        let drawn = drawn_lines(position);
        let now = f64::from(position.margin().for_player(position.to_move()).0);
        let mut watch = |glimpse: Glimpse| {
            observer.best(&BestSoFar {
                mv: Place(glimpse.line as u8),
                score: whole_boxes(now, glimpse.value),
                depth: glimpse.depth.into(),
                nodes: glimpse.nodes,
            });
        };
        let choice = match &mut self.strength {
            Strength::Full(player) => player.choose(self.board, drawn, limits, &mut watch),
            Strength::Level(player) => player.choose(self.board, drawn, limits, &mut watch),
        };
        decision(position, &choice.expect("a bot is asked only while lines are left"))
    }

    fn new_game(&mut self, number: u64) {
        self.strength = Strength::new(self.level, self.seed ^ mix(number));
    }
}

/// The whole margin: estimates are whole boxes like exact values, so that both
/// can stand side by side.
fn whole_boxes(now: f64, to_come: f64) -> Score {
    Score((now + to_come).round() as i32)
}

fn decision<B: Bits>(position: &DotsAndBoxesPosition<B>, choice: &Choice) -> Decision<Place> {
    let mv = Place(choice.line as u8);
    if choice.rated.is_empty() {
        return Decision::unsearched(mv);
    }
    let now = f64::from(position.margin().for_player(position.to_move()).0);
    let score = |value: f64| whole_boxes(now, value);
    let exactness = if choice.exact { Exactness::Exact } else { Exactness::Estimate };
    let per_move = choice.rated.iter().map(|rated| MoveValue {
        mv: Place(rated.line as u8),
        score: score(rated.value),
        exactness: if rated.is_bound { Exactness::AtMost } else { exactness },
    });
    Decision {
        mv,
        score: score(choice.value),
        exactness,
        depth: choice.depth.into(),
        nodes: choice.nodes,
        pv: vec![mv],
        per_move: per_move.collect(),
    }
}
