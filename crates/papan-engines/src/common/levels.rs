//! An engine at full strength or at a level, as bots are described and set up.

use papan_core::{BotInfo, Budget, OptionKind, OptionSpec, Settings, Text, mix};
use std::time::Duration;

/// The lowest level.
const LOWEST: u8 = 1;
/// The highest level, which has no weakness on purpose.
const HIGHEST: u8 = 10;

/// The roster's words for an `engine`; `shared` are the options that every bot takes.
pub(crate) fn engine_info(about: Text, shared: Vec<OptionSpec>) -> BotInfo {
    let mut options = vec![OptionSpec {
        name: "level",
        kind: OptionKind::Integer { min: LOWEST.into(), max: HIGHEST.into(), default: None },
        about: Text::new(
            "How strong it plays, from 1, a beginner, to 10. Unset: as strong as its time allows.",
            "Seberapa kuat bermain, dari 1, pemula, sampai 10. Bila kosong: sekuat waktunya mengizinkan.",
        ),
    }];
    options.extend(shared);
    BotInfo { name: "engine", title: Text::new("Engine", "Mesin"), about, options, searches_tree: false }
}

/// What an engine is asked to be.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EngineSettings {
    /// From 1 to 10; none: as strong as its time allows.
    pub(crate) level: Option<u8>,
    pub(crate) seed: u64,
    time: Option<Duration>,
    nodes: Option<u64>,
}

impl EngineSettings {
    /// A level, any number being moved into the range, and a seed.
    pub(crate) fn new(level: Option<u8>, seed: u64) -> Self {
        Self { level: level.map(|level| level.clamp(LOWEST, HIGHEST)), seed, ..Self::default() }
    }

    pub(crate) fn read(settings: &Settings) -> Self {
        Self {
            time: settings.time("time"),
            nodes: settings.optional_integer("nodes").map(|nodes| nodes as u64),
            ..Self::new(settings.optional_integer("level").map(|level| level as u8), settings.integer("seed") as u64)
        }
    }

    /// The level if it has a weakness on purpose.
    pub(crate) fn weaker(&self) -> Option<u8> {
        self.level.filter(|&level| level < HIGHEST)
    }

    /// The budget of a move within the engine's own limits.
    pub(crate) fn cap(&self, budget: &Budget) -> Budget {
        budget.capped(self.time, self.nodes, None)
    }

    /// The same engine in a game with this number.
    pub(crate) fn in_game(self, number: u64) -> Self {
        Self { seed: self.seed ^ mix(number), ..self }
    }
}
