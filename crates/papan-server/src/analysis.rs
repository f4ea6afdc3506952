//! A bot's answer in the words of the API.

use std::time::Duration;

use papan_core::table::{Choice, ChoiceValue, Table, Thought};
use papan_core::{Exactness, Player, Score};
use serde::Serialize;

use crate::messages::{HintMessage, MoveValueMessage};

/// A value as people read it: a decided game shows its margin.
pub(crate) fn shown(score: Score) -> i32 {
    score.decided_margin().unwrap_or(score).0
}

fn is_exact(exactness: Exactness) -> bool {
    exactness == Exactness::Exact
}

fn move_value(value: &ChoiceValue) -> MoveValueMessage {
    MoveValueMessage { mv: value.mv.clone(), value: shown(value.value), exact: is_exact(value.exactness) }
}

/// The best move so far.
pub(crate) fn hint_so_far(thought: &Thought, ply: usize) -> HintMessage {
    HintMessage {
        mv: thought.mv.clone(),
        value: shown(thought.score),
        exact: false,
        depth: thought.depth,
        pv: vec![thought.mv.clone()],
        per_move: Vec::new(),
        ply,
        done: false,
    }
}

/// The hint itself.
pub(crate) fn hint(choice: Choice, ply: usize) -> HintMessage {
    HintMessage {
        mv: choice.mv,
        value: shown(choice.score),
        exact: is_exact(choice.exactness),
        depth: choice.depth,
        pv: choice.pv,
        per_move: choice.per_move.iter().map(move_value).collect(),
        ply,
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
    exact: bool,
    /// Every move known to be as good as the best.
    best: Vec<String>,
    moves: Vec<MoveValueMessage>,
    nodes: u64,
    seconds: f64,
    depth: u32,
    pv: Vec<String>,
}

/// What `choice` says of the position on `table`.
pub(crate) fn of_choice(table: &dyn Table, choice: Choice, elapsed: Duration) -> Analysis {
    let as_good = |value: &&ChoiceValue| value.value == choice.score && value.exactness != Exactness::AtMost;
    let mut best: Vec<_> = choice.per_move.iter().filter(as_good).map(|value| value.mv.clone()).collect();
    if !best.contains(&choice.mv) {
        best.insert(0, choice.mv.clone());
    }
    Analysis {
        value: shown(choice.score),
        exact: is_exact(choice.exactness),
        best,
        moves: choice.per_move.iter().map(move_value).collect(),
        nodes: choice.nodes,
        depth: choice.depth,
        pv: choice.pv,
        ..of_finished(table, elapsed)
    }
}

/// The outcome of a finished game, which no bot can be asked about.
pub(crate) fn of_finished(table: &dyn Table, elapsed: Duration) -> Analysis {
    let to_move = table.to_move();
    Analysis {
        game: table.spec(),
        position: table.position(),
        to_move,
        value: table.margin().for_player(to_move).0,
        exact: true,
        best: Vec::new(),
        moves: Vec::new(),
        nodes: 0,
        seconds: elapsed.as_secs_f64(),
        depth: 0,
        pv: Vec::new(),
    }
}
