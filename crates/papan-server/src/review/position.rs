//! One position of a review. Bots count positions, not milliseconds, and each
//! position is looked at by a bot that has seen no other: the answer depends
//! on nothing but the question.

use papan_core::table::Table;
use papan_core::{Budget, StopToken};
use papan_roster::advice::Analysis;
use serde_json::{Map, Value};

use crate::error::ApiError;
use crate::roster;

/// What `bot` says of the position on `table` after visiting at most `nodes`
/// positions, as one line of JSON: an analysis without its time, with `ply`
/// and, where a move was `played` in it, that move. `None` once stopped.
pub(super) fn look(
    table: &dyn Table,
    played: Option<&str>,
    bot: &str,
    nodes: u64,
    stop: &StopToken,
) -> Result<Option<String>, ApiError> {
    let analysis = if table.is_over() {
        Analysis::blank(table, bot)
    } else {
        let budget = Budget { every_move: true, stop: stop.clone(), ..Budget::nodes(nodes) };
        let choice = roster::bot(&table.spec(), bot)?.choose(table, &budget);
        if stop.is_stopped() {
            return Ok(None);
        }
        Analysis::of_choice(table, bot, &choice)
    };
    let mut fields = Map::new();
    fields.insert("ply".to_owned(), table.ply().into());
    fields.insert("played".to_owned(), played.into());
    if let Ok(Value::Object(analysed)) = serde_json::to_value(&analysis) {
        fields.extend(analysed);
    }
    // How long it took is no part of the answer: it differs each time.
    fields.remove("seconds");
    Ok(Some(Value::Object(fields).to_string()))
}

#[cfg(test)]
mod tests {
    use papan_roster::advice;

    use super::*;

    /// A position in the middle of a game that random moves lead to.
    fn middle(game: &str, plies: usize, seed: u64) -> Box<dyn Table> {
        let mut random = papan_core::Random::new(seed);
        let mut table = roster::table(game, None).unwrap();
        for _ in 0..plies {
            let legal = table.legal_moves();
            table.play(&legal[random.below(legal.len())]).unwrap();
            if table.is_over() {
                table.undo();
                break;
            }
        }
        table
    }

    #[test]
    fn every_adviser_says_the_same_twice() {
        let games = [
            ("tic-tac-toe", 2),
            ("tic-tac-toe:rows=15,cols=15,k=5", 8),
            ("adjacency", 4),
            ("adjacency:rounds=28", 30),
            ("adjacency:neighbours=8", 6),
            ("dots-and-boxes:rows=5,cols=5", 14),
            ("dots-and-boxes", 8),
            ("othello", 20),
            ("othello", 46),
            ("othello:size=6", 10),
        ];
        for (seed, (game, plies)) in games.into_iter().enumerate() {
            let table = middle(game, plies, seed as u64);
            let bot = advice::adviser(&table.spec());
            let ask = || look(&*table, None, &bot, 20_000, &StopToken::new()).unwrap().unwrap();
            let (first, second) = (ask(), ask());
            assert_eq!(first, second, "{game}");
            assert!(!first.contains("seconds"), "{first}");
        }
    }

    #[test]
    fn a_finished_game_needs_no_bot_and_a_stop_gives_nothing() {
        let mut table = roster::table("tic-tac-toe", None).unwrap();
        let stopped = StopToken::new();
        stopped.stop();
        assert_eq!(look(&*table, Some("a1"), "engine", 1000, &stopped), Ok(None));
        for mv in ["a1", "a2", "b1", "b2", "c1"] {
            table.play(mv).unwrap();
        }
        let said: Value =
            serde_json::from_str(&look(&*table, None, "engine", 1000, &stopped).unwrap().unwrap()).unwrap();
        assert_eq!((&said["ply"], &said["value"], &said["exact"]), (&5.into(), &(-1).into(), &true.into()));
    }
}
