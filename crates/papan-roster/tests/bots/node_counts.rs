//! The node counts of Tic-tac-toe, as the bots themselves report them.

use super::common;
use papan_core::{Budget, Exactness, Game as _, Score, Tally};
use papan_games::tic_tac_toe::TicTacToe;

fn nodes(spec: &str) -> u64 {
    let game: TicTacToe<u64> = common::game("tic-tac-toe");
    let mut tally = Tally::default();
    let mut bot = common::any_bot(&game, spec);
    let decision = bot.choose_observed(&game.start(), &Budget::unlimited(), &mut tally);
    assert_eq!(decision.score, Score(0), "{spec}: a draw");
    assert_eq!(decision.nodes, tally.nodes, "{spec}: the observer sees every node that is counted");
    assert_eq!(bot.choose(&game.start(), &Budget::unlimited()), decision, "{spec}: unobserved, the same");
    decision.nodes
}

#[test]
fn minimax_visits_every_node() {
    assert_eq!(nodes("minimax"), 549_946);
    assert_eq!(nodes("brute-force"), 549_946);
}

#[test]
fn alpha_beta_visits_the_known_numbers_of_nodes() {
    assert_eq!(nodes("alpha-beta"), 18_297);
    assert_eq!(nodes("alpha-beta:eval=outcome"), 18_297);
    assert_eq!(nodes("alpha-beta:eval=level"), 20_866);
    assert_eq!(nodes("alpha-beta:order=preference"), 7_275);
}

#[test]
fn a_whole_tree_is_exact_and_every_move_gets_its_value_if_asked() {
    let game: TicTacToe<u64> = common::game("tic-tac-toe");
    for spec in ["minimax", "alpha-beta:values=all", "alpha-beta:eval=outcome,values=all"] {
        let decision = common::any_bot(&game, spec).choose(&game.start(), &Budget::unlimited());
        assert_eq!((decision.exactness, decision.depth), (Exactness::Exact, 9), "{spec}");
        assert_eq!(decision.pv.len(), 9, "{spec}: a drawn game fills the board");
        assert_eq!(decision.per_move.len(), 9, "{spec}");
        assert!(decision.per_move.iter().all(|value| value.exactness == Exactness::Exact), "{spec}");
    }
    let decision = common::any_bot(&game, "alpha-beta").choose(&game.start(), &Budget::unlimited());
    assert!(decision.per_move[1..].iter().all(|value| value.exactness == Exactness::AtMost));
}
