//! The player as a whole: limits, legality, exactness, levels.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use papan_core::error::Subject;
use papan_core::{Bot, Budget, Exactness, Game, MoveSet, Player, Position, Settings, Spec};
use papan_games::adjacency::{Adjacency, AdjacencyPosition, Neighbourhood};

use super::AdjacencyEngine;
use super::book::Book;
use super::evaluation::{UNIT, Weights, evaluate, fitted};
use super::reference::{PlainPosition, START, SplitMix, random_board};
use super::rule::{Eight, Four, Rule};
use super::search::{SearchLimits, Searcher};
use super::solver::{Detail, Solver, Task};
use crate::common::bits::SetBits;
use crate::common::deadline::Deadline;

fn game(spec: &str) -> Adjacency {
    let settings = Settings::read(Subject::Game, &Spec::split(spec), &Adjacency::info().options);
    Adjacency::from_settings(&settings.expect("the options exist")).expect("the game exists")
}

/// Plain minimax to a fixed depth over the same evaluation.
fn plain_search<R: Rule>(weights: &Weights, own: u64, opp: u64, plies: u32, depth: u32) -> i32 {
    if depth == 0 || plies <= 1 {
        return evaluate::<R>(weights, own, opp, plies);
    }
    SetBits(!(own | opp))
        .map(|cell| {
            let flipped = R::neighbours(cell) & opp;
            -plain_search::<R>(weights, opp & !flipped, own | 1 << cell | flipped, plies - 1, depth - 1)
        })
        .max()
        .expect("there is an empty cell")
}

fn check_search<R: Rule>(eight: bool) {
    let mut random = SplitMix::new(3);
    let stop = AtomicBool::new(false);
    for index in 0..60 {
        let empties = 8 + random.below(8);
        let (own, opp) = random_board(&mut random, empties, eight);
        // Depth two has no reductions, so every root value must equal plain minimax.
        let plies = 3 + random.below(empties - 3);
        let limits = SearchLimits { all_moves: true, ..SearchLimits::to_depth(Deadline::until_stopped(&stop), 2) };
        let found = Searcher::new(1).search::<R>(own, opp, plies, &limits, &mut |_| {});
        assert_eq!(found.moves[0].score, plain_search::<R>(fitted::<R>(), own, opp, plies, 2), "{index}");
        // Four plies from the end the search sees the end, and reduces nothing.
        let plies = 4;
        let limits = SearchLimits { depth: 8, ..limits };
        let found = Searcher::new(1).search::<R>(own, opp, plies, &limits, &mut |_| {});
        let exact = PlainPosition::new(own, opp, plies, eight).value();
        assert_eq!(found.moves[0].score, exact * UNIT);
    }
}

#[test]
fn the_search_equals_plain_minimax_at_small_depth() {
    check_search::<Four>(false);
    check_search::<Eight>(true);
}

fn play_out(position: &AdjacencyPosition, bots: [&mut AdjacencyEngine; 2], budget: &Budget) -> i32 {
    let mut position = *position;
    let [first, second] = bots;
    while !position.is_over() {
        let bot = if position.to_move() == Player::First { &mut *first } else { &mut *second };
        let decision = bot.choose(&position, budget);
        assert!(position.legal_moves().contains(decision.mv), "every move is legal");
        position = position.after(decision.mv);
    }
    let [first, second] = position.points();
    first - second
}

#[test]
fn short_games_are_played_perfectly_from_both_chairs() {
    for (rounds, value) in [(1, 0), (2, 0), (3, 0), (4, 0), (5, -2)] {
        let start = game(&format!("adjacency:rounds={rounds}")).start();
        let mut one = AdjacencyEngine::new(None, 0);
        let mut two = AdjacencyEngine::new(None, 0);
        let margin = play_out(&start, [&mut one, &mut two], &Budget::time(Duration::from_secs(30)));
        assert_eq!(margin, value, "{rounds} rounds");
    }
}

#[test]
fn an_exact_answer_is_a_best_move_of_both_rules() {
    let mut random = SplitMix::new(11);
    for eight in [false, true] {
        let neighbourhood = if eight { Neighbourhood::Eight } else { Neighbourhood::Four };
        let mut bot = AdjacencyEngine::new(None, 0);
        for _ in 0..6 {
            let (own, opp) = random_board(&mut random, 20, eight);
            let position = AdjacencyPosition::new([own, opp], Player::First, 4, neighbourhood);
            let decision = bot.choose(&position, &Budget::time(Duration::from_secs(30)));
            assert_eq!(decision.exactness, Exactness::Exact);
            let stop = AtomicBool::new(false);
            let task = Task { own, opp, plies: 8, detail: Detail::BestMoves, deadline: Deadline::until_stopped(&stop) };
            let solved = Solver::new(eight, 1, 8).solve(&task, &mut |_| {});
            assert_eq!(Some(decision.score.0), solved.value());
            assert!(solved.best.contains(&u32::from(decision.mv.0)));
        }
    }
}

#[test]
fn on_a_board_that_fills_up_every_move_is_exact_and_the_chosen_one_is_best() {
    let mut random = SplitMix::new(12);
    for eight in [false, true] {
        let neighbourhood = if eight { Neighbourhood::Eight } else { Neighbourhood::Four };
        let mut bot = AdjacencyEngine::new(None, 0);
        for empties in [2, 4, 8, 14, 12] {
            let (own, opp) = random_board(&mut random, empties, eight);
            let position = AdjacencyPosition::new([own, opp], Player::First, empties / 2, neighbourhood);
            let decision = bot.choose(&position, &Budget::time(Duration::from_secs(30)));
            assert_eq!((decision.exactness, decision.per_move.len()), (Exactness::Exact, empties as usize));
            let stop = AtomicBool::new(false);
            let task =
                Task { own, opp, plies: empties, detail: Detail::AllMoves, deadline: Deadline::until_stopped(&stop) };
            let solved = Solver::new(eight, 1, 8).solve(&task, &mut |_| {});
            assert_eq!(Some(decision.score.0), solved.value());
            assert!(solved.best.contains(&u32::from(decision.mv.0)));
            for m in &decision.per_move {
                let known = solved.moves.iter().find(|r| r.cell == u32::from(m.mv.0)).expect("the same moves");
                assert_eq!((known.lower, known.upper), (m.score.0, m.score.0));
            }
        }
    }
}

#[test]
fn an_analysis_values_every_cell_and_takes_the_books_word() {
    let start = game("adjacency").start();
    let known = Book::built_in().find(START.0, START.1, 16).expect("the start is in the book");
    let budget = Budget { every_move: true, ..Budget::depth(2) };
    let decision = AdjacencyEngine::new(None, 0).choose(&start, &budget);
    assert_eq!(decision.per_move.len(), 56);
    assert_eq!((decision.score.0, decision.exactness), (known.value, Exactness::Exact));
    assert_eq!(decision.per_move[0].mv, decision.mv);
    assert!(decision.per_move.iter().all(|m| m.score <= decision.score));
    let replies = decision.per_move.iter().filter(|m| m.exactness == Exactness::Exact);
    assert!(replies.count() > 2, "first moves of which the book has the reply are exact");
}

#[test]
fn node_and_depth_limits_hold_and_repeat() {
    let start = game("adjacency:rounds=28").start();
    for budget in [Budget::nodes(1), Budget::nodes(500), Budget::depth(1), Budget::depth(3)] {
        let answers: Vec<_> = (0..2).map(|_| AdjacencyEngine::new(None, 0).choose(&start, &budget)).collect();
        assert!(start.legal_moves().contains(answers[0].mv));
        assert!(budget.nodes.is_none_or(|most| answers[0].nodes <= most));
        assert!(budget.depth.is_none_or(|most| answers[0].depth <= most));
        if budget.nodes.is_some() {
            assert_eq!(answers[0], answers[1]);
        }
    }
}

#[test]
fn a_thrown_stop_token_still_gives_a_legal_move() {
    let start = game("adjacency:rounds=8,neighbours=8").start();
    let budget = Budget::unlimited();
    budget.stop.stop();
    let decision = AdjacencyEngine::new(None, 0).choose(&start, &budget);
    assert!(start.legal_moves().contains(decision.mv));
}

#[test]
fn a_level_repeats_with_its_seed_and_higher_levels_win_more() {
    let start = game("adjacency:rounds=6").start();
    let budget = Budget::unlimited();
    let mut sum = 0;
    for seed in 0..6 {
        let mut weak = AdjacencyEngine::new(Some(1), seed);
        let mut strong = AdjacencyEngine::new(Some(8), seed);
        let margin = play_out(&start, [&mut weak, &mut strong], &budget);
        let mut again = AdjacencyEngine::new(Some(1), seed);
        let mut strong_again = AdjacencyEngine::new(Some(8), seed);
        assert_eq!(margin, play_out(&start, [&mut again, &mut strong_again], &budget));
        sum -= margin;
        sum += play_out(&start, [&mut strong, &mut weak], &budget);
    }
    assert!(sum > 0, "level 8 against level 1: {sum}");
}

#[test]
fn the_start_of_this_crate_is_the_start_of_the_game() {
    assert_eq!(game("adjacency").start().marks(), [START.0, START.1]);
}
