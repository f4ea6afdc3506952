//! The players of the reports that Papan grew from, where a general bot with
//! the right settings is not enough. Their quirks are kept on purpose: the
//! reports' figures come from them.

pub mod adjacency;
pub mod dots_and_boxes;
pub mod tic_tac_toe;

use papan_core::{Budget, OptionKind, OptionSpec, Settings, Text};

/// `seed`, `time` and `nodes`, as every bot takes them.
fn shared_options() -> Vec<OptionSpec> {
    vec![
        OptionSpec {
            name: "seed",
            kind: OptionKind::Integer { min: 0, max: i64::MAX, default: Some(0) },
            about: Text::new(
                "Random numbers: the same seed plays the same game.",
                "Angka acak: benih yang sama memainkan permainan yang sama.",
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

/// `budget` within the limits that `settings` give.
fn capped(budget: &Budget, settings: &Settings) -> Budget {
    let nodes = settings.optional_integer("nodes").map(|nodes| nodes as u64);
    budget.capped(settings.time("time"), nodes, None)
}
