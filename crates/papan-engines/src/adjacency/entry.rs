//! The roster's line for the engine.

use papan_core::{AnyBot, BotEntry, BotInfo, Budget, OptionKind, OptionSpec, Settings, Text};
use papan_games::adjacency::{Adjacency, AdjacencyPosition};

use super::engine::AdjacencyEngine;

/// The `engine` bot of the Adjacency Strategy Game.
#[must_use]
pub fn entry() -> BotEntry<Adjacency> {
    BotEntry {
        info: BotInfo {
            name: "engine",
            title: Text::new("Engine", "Mesin"),
            about: Text::new(
                "Exact book and solver where they reach, deep search before; levels 1 to 10.",
                "Buku dan pemecah eksak sejauh mungkin, sebelumnya pencarian dalam; tingkat 1 sampai 10.",
            ),
            options: options(),
            searches_tree: false,
        },
        build,
    }
}

fn options() -> Vec<OptionSpec> {
    vec![
        OptionSpec {
            name: "level",
            kind: OptionKind::Integer { min: 1, max: 10, default: None },
            about: Text::new(
                "Strength from 1 (beginner) to 10; without it, full strength.",
                "Kekuatan dari 1 (pemula) sampai 10; tanpa ini, kekuatan penuh.",
            ),
        },
        OptionSpec {
            name: "seed",
            kind: OptionKind::Integer { min: 0, max: i64::MAX, default: Some(0) },
            about: Text::new(
                "Random numbers of the levels: the same seed plays the same game.",
                "Angka acak untuk tingkat: benih yang sama memainkan permainan yang sama.",
            ),
        },
        OptionSpec {
            name: "time",
            kind: OptionKind::Time,
            about: Text::new("Longest time for one move.", "Waktu terlama untuk satu langkah."),
        },
        OptionSpec {
            name: "nodes",
            kind: OptionKind::Integer { min: 1, max: i64::MAX, default: None },
            about: Text::new("Most positions visited for one move.", "Jumlah posisi terbanyak untuk satu langkah."),
        },
    ]
}

fn build(_game: &Adjacency, settings: &Settings) -> Box<dyn AnyBot<AdjacencyPosition>> {
    let level = settings.optional_integer("level").map(|level| level as u32);
    let caps = Budget {
        time: settings.time("time"),
        nodes: settings.optional_integer("nodes").map(|nodes| nodes as u64),
        ..Budget::default()
    };
    Box::new(AdjacencyEngine::new(level, settings.integer("seed") as u64, caps))
}
