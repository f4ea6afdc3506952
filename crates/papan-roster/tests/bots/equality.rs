//! Every search finds the value that plain minimax finds, on random positions
//! under an evaluation without any structure.

use papan_bots::alpha_beta::AlphaBeta;
use papan_bots::minimax::Minimax;
use papan_core::{AtEnd, Bot as _, Budget, Decision, Exactness, Game, MoveOf, Random, Score};
use papan_games::adjacency::Adjacency;
use papan_games::dots_and_boxes::DotsAndBoxes;
use papan_games::othello::Othello;
use papan_games::tic_tac_toe::TicTacToe;

use super::common;

/// The searches to compare; each gets the depth of the trial.
const SEARCHES: &[&str] = &[
    "alpha-beta:depth=",
    "alpha-beta:values=all,depth=",
    "alpha-beta:order=preference,depth=",
    "alpha-beta:order=evaluation,depth=",
    "alpha-beta:order=random,depth=",
    "alpha-beta:table=1,depth=",
    "alpha-beta:table=1,order=evaluation,depth=",
    "alpha-beta:deepening=on,depth=",
    "alpha-beta:deepening=on,table=1,depth=",
    "alpha-beta:deepening=on,table=1,order=random,values=all,depth=",
];

/// Compares on `positions` random positions, after up to `plies` random moves.
fn compare<G: Game>(spec: &str, positions: usize, plies: usize, depths: &[u32]) {
    let game: G = common::game(spec);
    let mut random = Random::new(2023);
    for trial in 0..positions {
        let after = random.below(plies + 1);
        let position = common::random_position(&game, after, &mut random);
        let depth = depths[trial % depths.len()];
        let at_end = if trial % 3 == 0 { AtEnd::SameFormula } else { AtEnd::Outcome };
        let eval = common::hash_evaluation(at_end);
        let reference = Minimax::with_evaluation(&game, eval.clone(), depth).choose(&position, &Budget::unlimited());
        for search in SEARCHES {
            let bot: AlphaBeta<G> = common::bot(&game, &format!("{search}{depth}"));
            let decision = bot.with_evaluation(eval.clone()).choose(&position, &Budget::unlimited());
            let context = || format!("{search}{depth} in {}", game.write_position(&position));
            // A cut may save a search from looking at any estimate.
            assert!(!is_exact(&reference) || is_exact(&decision), "{}", context());
            let raw = |decision: &Decision<MoveOf<G>>, score: Score| {
                if is_exact(decision) && at_end == AtEnd::Outcome { Score::decided(score) } else { score }
            };
            assert_eq!(raw(&decision, decision.score), raw(&reference, reference.score), "{}", context());
            for value in &decision.per_move {
                let other = reference.per_move.iter().find(|other| other.mv == value.mv).expect("the same moves");
                let (score, true_score) = (raw(&decision, value.score), raw(&reference, other.score));
                if value.exactness == Exactness::AtMost {
                    assert!(true_score <= score, "{}", context());
                } else {
                    assert_eq!(true_score, score, "{}", context());
                }
            }
        }
    }
}

fn is_exact<M>(decision: &Decision<M>) -> bool {
    decision.exactness == Exactness::Exact
}

#[test]
fn searches_equal_minimax_on_tic_tac_toe() {
    compare::<TicTacToe<u64>>("tic-tac-toe", 400, 6, &[1, 2, 3, 4, 9]);
    compare::<TicTacToe<u64>>("tic-tac-toe:rows=4,cols=4,k=3,misere", 100, 12, &[1, 2, 3, 4]);
}

#[test]
fn searches_equal_minimax_on_adjacency() {
    compare::<Adjacency>("adjacency:rounds=28", 200, 52, &[1, 2, 2, 3]);
    compare::<Adjacency>("adjacency:rounds=2", 100, 2, &[1, 2, 3]);
    compare::<Adjacency>("adjacency:rounds=28", 200, 56, &[2]);
}

#[test]
fn searches_equal_minimax_on_dots_and_boxes() {
    compare::<DotsAndBoxes<u64>>("dots-and-boxes", 400, 18, &[1, 2, 3]);
    compare::<DotsAndBoxes<u64>>("dots-and-boxes:rows=2,cols=2", 200, 11, &[2, 3, 4, 5]);
    compare::<DotsAndBoxes<u64>>("dots-and-boxes:rows=1,cols=2", 200, 6, &[2, 4, 7]);
}

#[test]
fn searches_equal_minimax_on_othello() {
    compare::<Othello>("othello", 300, 58, &[1, 2, 3]);
    compare::<Othello>("othello:size=4", 200, 12, &[2, 3, 5]);
}
