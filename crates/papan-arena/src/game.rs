//! One game between two bots in this process.

use std::time::{Duration, Instant};

use papan_core::table::{Table, TableBot};
use papan_core::{Budget, Player};
use serde::Serialize;

/// What each bot may spend on a move.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Time per move.
    pub time: Option<Duration>,
    /// Positions per move.
    pub nodes: Option<u64>,
    /// Plies of look-ahead.
    pub depth: Option<u32>,
}

impl Limits {
    fn budget(&self) -> Budget {
        Budget { time: self.time, nodes: self.nodes, depth: self.depth, ..Budget::default() }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// By its rules.
    Finished,
    /// A bot chose a move that is not legal, and loses.
    Illegal,
}

/// What happened in a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameRecord {
    /// The moves after the opening.
    pub moves: Vec<String>,
    /// How it ended.
    pub verdict: Verdict,
    /// Who won, `None` for a draw.
    pub winner: Option<Player>,
    /// The points of the first and of the second player.
    pub score: [i32; 2],
    /// The longest time each took for a move, in seconds.
    pub longest_move: [f64; 2],
}

/// Plays from the table's position to the end. `bots` sit as first and second
/// player; they have been told of the new game. The table alone decides what
/// is legal.
pub fn play_game(table: &mut dyn Table, bots: [&mut dyn TableBot; 2], limits: &Limits) -> GameRecord {
    let budget = limits.budget();
    let [first, second] = bots;
    let opening = table.ply();
    let mut longest_move = [0.0f64; 2];
    while !table.is_over() {
        let mover = table.to_move().index();
        let bot: &mut dyn TableBot = if mover == 0 { first } else { second };
        let started = Instant::now();
        let choice = bot.choose_index(table, &budget);
        longest_move[mover] = longest_move[mover].max(started.elapsed().as_secs_f64());
        if !table.play_index(choice) {
            let winner = Some(table.to_move().other());
            return record(table, opening, Verdict::Illegal, winner, longest_move);
        }
    }
    record(table, opening, Verdict::Finished, table.margin().leader(), longest_move)
}

fn record(
    table: &dyn Table,
    opening: usize,
    verdict: Verdict,
    winner: Option<Player>,
    longest_move: [f64; 2],
) -> GameRecord {
    let moves = table.moves().split_off(opening);
    GameRecord { moves, verdict, winner, score: table.points(), longest_move }
}
