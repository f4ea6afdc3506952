//! What a bot says of a position as messages: the roster's advice, nothing added.

use std::time::Duration;

use papan_core::table::{Choice, Table, Thought};
use papan_roster::advice::{self, Analysis, Readable};

use crate::messages::{HintMessage, HowFar};
use crate::watch::Report;

/// How far a search of the position on `table` by the bot that `bot` names is,
/// as people read it.
pub(crate) fn how_far(table: &dyn Table, bot: &str, report: &Report) -> HowFar {
    let best = report.best.as_ref();
    let readable = best.map_or(Readable::UNKNOWN, |best| advice::so_far(table, bot, best));
    HowFar {
        waiting: report.waits,
        mv: best.map(|best| best.mv.clone()),
        score: readable.value,
        final_margin: readable.final_margin,
        depth: best.map_or(0, |best| best.depth),
        depth_under_way: report.depth,
        nodes: report.nodes,
        elapsed_ms: report.elapsed.as_millis() as u64,
    }
}

/// The best move so far of the bot that `bot` names.
pub(crate) fn hint_so_far(table: &dyn Table, bot: &str, thought: &Thought) -> HintMessage {
    HintMessage {
        mv: thought.mv.clone(),
        readable: advice::so_far(table, bot, thought),
        depth: thought.depth,
        pv: vec![thought.mv.clone()],
        best: vec![thought.mv.clone()],
        best_complete: false,
        per_move: Vec::new(),
        ply: table.ply(),
        done: false,
    }
}

/// The hint itself.
pub(crate) fn hint(table: &dyn Table, bot: &str, choice: &Choice) -> HintMessage {
    let Analysis { readable, depth, pv, best, best_complete, moves, .. } = Analysis::of_choice(table, bot, choice);
    HintMessage {
        mv: choice.mv.clone(),
        readable,
        depth,
        pv,
        best,
        best_complete,
        per_move: moves.into_iter().filter(|line| line.readable != Readable::UNKNOWN).collect(),
        ply: table.ply(),
        done: true,
    }
}

/// What `choice` says of the position on `table`.
pub(crate) fn of_choice(table: &dyn Table, bot: &str, choice: &Choice, elapsed: Duration) -> Analysis {
    Analysis { seconds: elapsed.as_secs_f64(), ..Analysis::of_choice(table, bot, choice) }
}
