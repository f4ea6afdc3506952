//! Every bot obeys every limit and still has a legal move.

use std::time::Duration;

use papan_core::{Budget, Game as _, MoveSet as _, Position as _, Random};
use papan_games::adjacency::Adjacency;
use papan_games::dots_and_boxes::DotsAndBoxes;
use papan_games::othello::Othello;
use papan_games::tic_tac_toe::TicTacToe;
use papan_roster::Rostered;

use super::common;

fn budgets() -> Vec<(&'static str, Budget)> {
    let stopped = Budget::unlimited();
    stopped.stop.stop();
    vec![
        ("no time", Budget::time(Duration::ZERO)),
        ("stopped", stopped),
        ("1 node", Budget::nodes(1)),
        ("2 nodes", Budget::nodes(2)),
        ("500 nodes", Budget::nodes(500)),
        ("500 nodes and 1 ply", Budget { depth: Some(1), ..Budget::nodes(500) }),
        ("500 nodes and 0 plies", Budget { depth: Some(0), ..Budget::nodes(500) }),
    ]
}

/// Every bot of the game, asked throughout a random game under every budget.
fn check<G: Rostered>(spec: &str) {
    let game: G = common::game(spec);
    for entry in papan_roster::bot_entries(&game) {
        let name = entry.info.name;
        let mut bot = common::any_bot(&game, name);
        let mut random = Random::new(5);
        let mut position = game.start();
        // Long games are looked at now and then, short ones at every ply.
        let stride = game.longest() as usize / 20 + 1;
        let mut ply = 0;
        while let Some(next) = position.legal_moves().pick(random.bits()) {
            let asked = if ply % stride == 0 { budgets() } else { Vec::new() };
            ply += 1;
            for (limit, budget) in asked {
                let decision = bot.choose(&position, &budget);
                let context = || format!("{name}, {limit}, {}", game.write_position(&position));
                assert!(position.play(decision.mv).is_some(), "a legal move: {}", context());
                assert_eq!(decision.pv[0], decision.mv, "the line begins with the move: {}", context());
                let mut along = position;
                for &mv in &decision.pv {
                    along = along.play(mv).unwrap_or_else(|| panic!("the line is legal: {}", context()));
                }
                if let Some(nodes) = budget.nodes {
                    assert!(decision.nodes <= nodes, "{} nodes: {}", decision.nodes, context());
                }
            }
            position = position.after(next);
        }
    }
}

#[test]
fn limits_are_obeyed_on_tic_tac_toe() {
    check::<TicTacToe<u64>>("tic-tac-toe");
    check::<TicTacToe<papan_core::Bits256>>("tic-tac-toe:rows=15,cols=15,k=5");
}

#[test]
fn limits_are_obeyed_on_adjacency() {
    check::<Adjacency>("adjacency:rounds=28");
}

#[test]
fn limits_are_obeyed_on_dots_and_boxes() {
    check::<DotsAndBoxes<u64>>("dots-and-boxes");
    check::<DotsAndBoxes<papan_core::Bits256>>("dots-and-boxes:rows=10,cols=10");
}

#[test]
fn limits_are_obeyed_on_othello() {
    check::<Othello>("othello");
    check::<Othello>("othello:size=6");
}

/// The same seed plays the same move, and a new game draws new numbers.
#[test]
fn randomness_is_seeded() {
    let game: Adjacency = common::game("adjacency");
    for entry in papan_roster::bot_entries(&game) {
        let choose = |seed: u64, number: u64| {
            let mut bot = common::any_bot(&game, &format!("{}:seed={seed}", entry.info.name));
            bot.new_game(number);
            bot.choose(&game.start(), &Budget::nodes(2000))
        };
        assert_eq!(choose(3, 1), choose(3, 1), "{}", entry.info.name);
    }
    let mut random = common::any_bot(&game, "random");
    let mut first_moves = std::collections::BTreeSet::new();
    for number in 0..20 {
        random.new_game(number);
        first_moves.insert(random.choose(&game.start(), &Budget::unlimited()).mv);
    }
    assert!(first_moves.len() > 5);
}
