//! How much memory a bot will hold, by its name and options: for those who
//! share one machine among many searches.

use papan_core::Settings;

const MEGABYTE: u64 = 1 << 20;
/// A bot with its stack, its plans and its lists of moves.
const SMALL: u64 = 2 * MEGABYTE;

/// The bytes that the bot `bot` of `game` holds once it has thought. Tables
/// that are chosen by an option count in full; those of engines as large as
/// they may grow in play.
pub(crate) fn needed(game: &str, bot: &str, settings: &Settings) -> u64 {
    SMALL
        + match bot {
            "engine" => engine(game, settings.optional_integer("level").is_some()),
            "alpha-beta" => settings.integer("table") as u64 * MEGABYTE,
            "mcts" => settings.integer("memory") as u64 * MEGABYTE,
            // Two generations of plans, and what each of their moves is worth.
            "genetic" => settings.integer("population") as u64 * (128 + 2 * 16 * settings.integer("length") as u64),
            _ => 0,
        }
}

fn engine(game: &str, has_level: bool) -> u64 {
    let megabytes = match (game, has_level) {
        ("tic-tac-toe", true) => 16,
        ("tic-tac-toe", false) => 64,
        // The search and its solver, which grows.
        ("adjacency", true) => 64,
        ("adjacency", false) => 64 + 256,
        ("dots-and-boxes", true) => 2 * 32 + 64,
        ("dots-and-boxes", false) => 256 + 64,
        // The table, and a cache for each of a few threads.
        _ => 128 + 32,
    };
    megabytes * MEGABYTE
}

#[cfg(test)]
mod tests {
    use crate::check_bot;

    #[test]
    fn options_that_take_memory_are_counted() {
        let megabytes = |game: &str, bot: &str| check_bot(game, bot).unwrap().memory >> 20;
        assert_eq!(megabytes("othello", "alpha-beta:table=300"), 302);
        assert_eq!(megabytes("othello", "mcts"), 66);
        assert_eq!(megabytes("adjacency", "random"), 2);
        assert!(megabytes("othello", "genetic:population=100000,length=200") > 500);
        assert!(megabytes("tic-tac-toe", "engine") > megabytes("tic-tac-toe", "engine:level=3"));
    }
}
