//! A bot's answer in the words of the API.

use std::time::Duration;

use papan_core::table::{Choice, ChoiceValue, Table, Thought, readable_value};
use papan_core::{Exactness, Insight, Player, Score};
use serde::Serialize;

use crate::messages::{HintMessage, HowFar, MoveValueMessage};
use crate::watch::Report;

/// The score of the best move so far, as people read it.
fn so_far(table: &dyn Table, score: Score) -> i32 {
    readable_value(table, score, Exactness::Estimate)
}

/// The margin at the end of the game, where values are of the points still to
/// come.
fn final_margin(table: &dyn Table, score: Score) -> Option<i32> {
    table.values_to_come().then(|| score.decided_margin().unwrap_or(score).0)
}

fn is_exact(exactness: Exactness) -> bool {
    exactness == Exactness::Exact
}

fn move_values(table: &dyn Table, choice: &Choice) -> Vec<MoveValueMessage> {
    let message = |line: &ChoiceValue| MoveValueMessage {
        mv: line.mv.clone(),
        value: readable_value(table, line.value, line.exactness),
        final_margin: final_margin(table, line.value),
        exact: is_exact(line.exactness),
        bound: match line.exactness {
            Exactness::AtMost => Some("at_most"),
            Exactness::AtLeast => Some("at_least"),
            Exactness::Exact | Exactness::Estimate => None,
        },
    };
    choice.per_move.iter().map(message).collect()
}

/// How far a search of the position on `table` is, as people read it.
pub(crate) fn how_far(table: &dyn Table, report: &Report) -> HowFar {
    let best = report.best.as_ref();
    HowFar {
        waiting: report.waits,
        mv: best.map(|best| best.mv.clone()),
        score: best.map(|best| so_far(table, best.score)),
        final_margin: best.and_then(|best| final_margin(table, best.score)),
        depth: best.map_or(0, |best| best.depth),
        depth_under_way: report.depth,
        nodes: report.nodes,
        elapsed_ms: report.elapsed.as_millis() as u64,
    }
}

/// The best move so far.
pub(crate) fn hint_so_far(table: &dyn Table, thought: &Thought) -> HintMessage {
    HintMessage {
        mv: thought.mv.clone(),
        value: so_far(table, thought.score),
        final_margin: final_margin(table, thought.score),
        exact: false,
        depth: thought.depth,
        pv: vec![thought.mv.clone()],
        per_move: Vec::new(),
        ply: table.ply(),
        done: false,
    }
}

/// The hint itself.
pub(crate) fn hint(table: &dyn Table, choice: Choice) -> HintMessage {
    HintMessage {
        value: readable_value(table, choice.score, choice.exactness),
        final_margin: final_margin(table, choice.score),
        exact: is_exact(choice.exactness),
        depth: choice.depth,
        per_move: move_values(table, &choice),
        mv: choice.mv,
        pv: choice.pv,
        ply: table.ply(),
        done: true,
    }
}

/// A position with the values of its moves: the same JSON as the command
/// line's `analyse`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Analysis {
    game: String,
    position: String,
    to_move: Player,
    value: i32,
    /// The whole margin, where values are of the points still to come.
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    final_margin: Option<i32>,
    exact: bool,
    /// Every move known to be as good as the best.
    best: Vec<String>,
    /// Could no other move be as good?
    best_complete: bool,
    /// The moves that the bot says something of, best first.
    moves: Vec<MoveValueMessage>,
    nodes: u64,
    seconds: f64,
    depth: u32,
    pv: Vec<String>,
    /// What else there is to see, such as chains and threats.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    insights: Vec<Insight>,
}

/// What `choice` says of the position on `table`.
pub(crate) fn of_choice(table: &dyn Table, choice: Choice, elapsed: Duration) -> Analysis {
    let value = readable_value(table, choice.score, choice.exactness);
    let exact = is_exact(choice.exactness);
    let moves = move_values(table, &choice);
    let as_good = |line: &&MoveValueMessage| line.bound.is_none() && line.value == value;
    let mut best: Vec<_> = moves.iter().filter(as_good).map(|line| line.mv.clone()).collect();
    if !best.contains(&choice.mv) {
        best.insert(0, choice.mv.clone());
    }
    let settled = moves.iter().all(|line| line.bound.is_none() || line.value < value);
    Analysis {
        value,
        final_margin: final_margin(table, choice.score),
        exact,
        best,
        best_complete: settled && moves.len() == table.legal_moves().len(),
        moves,
        nodes: choice.nodes,
        depth: choice.depth,
        pv: choice.pv,
        insights: papan_roster::insights(&table.spec(), &table.position()).unwrap_or_default(),
        ..of_finished(table, elapsed)
    }
}

/// The outcome of a finished game, which no bot can be asked about.
pub(crate) fn of_finished(table: &dyn Table, elapsed: Duration) -> Analysis {
    let to_move = table.to_move();
    let margin = table.margin().for_player(to_move).0;
    let to_come = table.values_to_come();
    Analysis {
        game: table.spec(),
        position: table.position(),
        to_move,
        value: if to_come { 0 } else { margin },
        final_margin: to_come.then_some(margin),
        exact: true,
        best: Vec::new(),
        best_complete: true,
        moves: Vec::new(),
        nodes: 0,
        seconds: elapsed.as_secs_f64(),
        depth: 0,
        pv: Vec::new(),
        insights: Vec::new(),
    }
}
