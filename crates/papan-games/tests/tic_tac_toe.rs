//! Tic-tac-toe against its promises, its slow twin and the known counts.

use std::collections::HashSet;

use papan_core::{Bits, Bits256, Game, Move as _, Player, Position, conformance};
use papan_games::tic_tac_toe::{TicTacToe, TicTacToePosition, fits_one_word, options};
use proptest::prelude::*;

use crate::kit::{check_hostile_text, check_perft, check_twin_perft, compare_with_twin, settings};
use crate::twins::tic_tac_toe::SlowTicTacToe;

fn game<B: Bits>(spec: &str) -> TicTacToe<B> {
    spec.parse().expect("the spec is valid")
}

fn classic() -> TicTacToe<u64> {
    game("tic-tac-toe")
}

#[test]
fn every_promise_is_kept() {
    for spec in ["tic-tac-toe", "tic-tac-toe:misere", "tic-tac-toe:rows=4,cols=3", "tic-tac-toe:rows=5,cols=6,k=4"] {
        conformance::check(&game::<u64>(spec), 200, 1).unwrap();
        assert_eq!(conformance::missing(&game::<u64>(spec)), []);
    }
    for spec in ["tic-tac-toe:k=1", "tic-tac-toe:rows=3,cols=4,k=15"] {
        conformance::check(&game::<u64>(spec), 20, 2).unwrap();
    }
    conformance::check(&game::<Bits256>("tic-tac-toe:rows=4,cols=4"), 20, 3).unwrap();
    conformance::check(&game::<Bits256>("tic-tac-toe:rows=15,cols=15,k=5"), 1, 4).unwrap();
}

#[test]
fn one_word_holds_boards_up_to_64_padded_cells() {
    let fits = |spec| fits_one_word(&settings(spec, &options()));
    assert!(fits("t") && fits("t:rows=7,cols=7") && fits("t:rows=8,cols=7") && fits("t:rows=4,cols=15"));
    assert!(!fits("t:rows=7,cols=9") && !fits("t:rows=15,cols=15") && !fits("t:rows=8,cols=8"));
}

/// 10,000 games in all.
#[test]
fn the_slow_twin_agrees() {
    let mut seed = 0;
    let mut run = |rows: usize, cols: usize, k: usize, misere: bool, games: usize| {
        let flag = if misere { ",misere" } else { "" };
        let spec = format!("tic-tac-toe:rows={rows},cols={cols},k={k}{flag}");
        let twin = SlowTicTacToe::new(rows, cols, k, misere);
        seed += 1;
        if fits_one_word(&settings(&spec, &options())) {
            compare_with_twin(&game::<u64>(&spec), &twin, games, seed);
        }
        compare_with_twin(&game::<Bits256>(&spec), &twin, games / 10, seed);
    };
    run(3, 3, 3, false, 5000);
    run(3, 3, 3, true, 2000);
    run(4, 3, 2, false, 1000);
    run(3, 5, 4, false, 500);
    run(6, 5, 4, true, 400);
    run(8, 7, 5, false, 100);
    run(3, 3, 1, false, 50);
    run(5, 3, 6, false, 50);
    run(9, 11, 5, false, 300);
    run(15, 15, 7, false, 100);
    run(15, 15, 15, false, 20);
}

const DATA: &str = include_str!("data/tic-tac-toe.perft");

#[test]
fn known_digests() {
    check_perft(DATA, game::<u64>);
}

#[test]
fn the_slow_twin_has_the_same_digests() {
    check_twin_perft(DATA, 100_000, |spec| {
        let settings = settings(spec, &options());
        let [rows, cols, k] = ["rows", "cols", "k"].map(|name| settings.integer(name) as usize);
        SlowTicTacToe::new(rows, cols, k, settings.flag("misere"))
    });
}

type Classic = TicTacToePosition<u64>;

fn at_exactly(position: &Classic, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    position.legal_moves().into_iter().map(|mv| at_exactly(&position.after(mv), depth - 1)).sum()
}

#[test]
fn positions_at_exactly_each_depth() {
    let known = [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872];
    for (depth, count) in (1..).zip(known) {
        assert_eq!(at_exactly(&classic().start(), depth), count, "depth {depth}");
    }
}

fn count_games(position: &Classic, results: &mut [u64; 3]) {
    if position.is_over() {
        results[(1 - position.margin().0) as usize] += 1;
    }
    for mv in position.legal_moves() {
        count_games(&position.after(mv), results);
    }
}

#[test]
fn all_games_by_result() {
    let mut results = [0; 3];
    count_games(&classic().start(), &mut results);
    assert_eq!(results, [131_184, 46_080, 77_904], "X wins, draws, O wins");
}

fn collect(position: &Classic, seen: &mut HashSet<u64>, all: &mut Vec<Classic>) {
    if seen.insert(position.key()) {
        all.push(*position);
        for mv in position.legal_moves() {
            collect(&position.after(mv), seen, all);
        }
    }
}

#[test]
fn all_positions_and_up_to_symmetry() {
    let game = classic();
    let mut all = Vec::new();
    collect(&game.start(), &mut HashSet::new(), &mut all);
    let over = |positions: &[Classic]| positions.iter().filter(|position| position.is_over()).count();
    assert_eq!((all.len(), over(&all)), (5478, 958));
    let smallest_key = |position: &Classic| (0..8).map(|n| game.symmetric_position(n, position).key()).min().unwrap();
    let mut classes = HashSet::new();
    all.retain(|position| classes.insert(smallest_key(position)));
    assert_eq!((all.len(), over(&all)), (765, 138));
}

/// A plain alpha-beta to the end; counts every node.
fn alpha_beta(position: &Classic, order: &[usize], mut alpha: i32, beta: i32, nodes: &mut u64) -> i32 {
    *nodes += 1;
    if position.is_over() {
        return position.margin().for_player(position.to_move()).0;
    }
    let mut best = -2;
    for &index in order {
        let Some(mv) = position.legal_moves().into_iter().find(|mv| mv.index() == index) else { continue };
        best = best.max(-alpha_beta(&position.after(mv), order, -beta, -alpha, nodes));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

#[test]
fn natural_order_and_preference_give_the_published_node_counts() {
    let game = classic();
    let mut order: Vec<_> = game.start().legal_moves().into_iter().collect();
    let count = |order: &[papan_core::Place]| {
        let (mut nodes, order) = (0, order.iter().map(|mv| mv.index()).collect::<Vec<_>>());
        assert_eq!(alpha_beta(&game.start(), &order, -2, 2, &mut nodes), 0);
        nodes
    };
    assert_eq!(count(&order), 18_297);
    order.sort_by_key(|&mv| -game.preference(mv));
    assert_eq!(count(&order), 7_275);
}

/// A board as full of open rows as can be: lone marks, all of one player.
#[test]
fn no_estimate_reaches_a_decided_game() {
    let game = game::<Bits256>("tic-tac-toe:rows=15,cols=15,k=2");
    let (dotted, empty) = ("X.".repeat(7) + "X", ".".repeat(15));
    let rows: Vec<_> = (0..15).map(|row| if row % 2 == 0 { dotted.as_str() } else { empty.as_str() }).collect();
    let position = game.read_position(&format!("{} X", rows.join("/"))).unwrap();
    for evaluation in TicTacToe::<Bits256>::evaluations() {
        for chair in Player::BOTH {
            assert!(evaluation.estimate(&position, chair, 0).0.abs() < 400_000, "{}", evaluation.name);
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_in_one_line(text in any::<String>()) {
        check_hostile_text(&classic(), &text);
    }

    #[test]
    fn nearly_right_texts_too(text in "[XOxo._/-]{0,12}[ \\t]?[XOxo]{0,2}") {
        check_hostile_text(&classic(), &text);
        check_hostile_text(&game::<u64>("tic-tac-toe:rows=3,cols=4,k=1"), &text);
    }

    #[test]
    fn any_board_of_the_right_size_round_trips(text in "[XO.]{3}/[XO.]{3}/[XO.]{3} [XO]") {
        check_hostile_text(&classic(), &text);
        if let Ok(position) = classic().read_position(&text) {
            prop_assert_eq!(classic().write_position(&position), text);
        }
    }

    #[test]
    fn any_text_may_settle_the_size(text in any::<String>(), near in "[XO./]{0,60} X") {
        for text in [text, near] {
            let mut chosen = settings("tic-tac-toe", &options());
            TicTacToe::<u64>::suit_settings_to(&mut chosen, &text);
            prop_assert!(game::<Bits256>(&chosen.canonical("tic-tac-toe", &options())).rows() <= 15);
        }
    }
}
