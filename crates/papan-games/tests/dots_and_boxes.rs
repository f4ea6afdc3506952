//! Dots and Boxes against its promises, its slow twin and known values.

use std::collections::HashMap;

use papan_core::{
    Bits, Bits256, Evaluation, Game, MoveSet as _, Player, Position, Random, Score, conformance, seen_by,
};
use papan_games::dots_and_boxes::{DotsAndBoxes, DotsAndBoxesPosition, fits_one_word, options};
use proptest::prelude::*;

use crate::kit::{check_hostile_text, check_perft, check_twin_perft, compare_with_twin, settings};
use crate::twins::dots_and_boxes::SlowDotsAndBoxes;

fn game<B: Bits>(spec: &str) -> DotsAndBoxes<B> {
    spec.parse().expect("the spec is valid")
}

fn spec(rows: usize, cols: usize, border: &str) -> String {
    format!("dots-and-boxes:rows={rows},cols={cols},border={border}")
}

#[test]
fn every_promise_is_kept() {
    for border in ["none", "icelandic", "swedish"] {
        for (rows, cols, games) in [(1, 1, 5), (2, 2, 50), (3, 3, 50), (2, 4, 30), (1, 10, 10), (5, 5, 5)] {
            conformance::check(&game::<u64>(&spec(rows, cols, border)), games, 1).unwrap();
        }
        conformance::check(&game::<Bits256>(&spec(3, 2, border)), 10, 2).unwrap();
        conformance::check(&game::<Bits256>(&spec(5, 6, border)), 1, 3).unwrap();
    }
    conformance::check(&game::<Bits256>(&spec(10, 10, "swedish")), 1, 4).unwrap();
    assert_eq!(conformance::missing(&game::<Bits256>(&spec(10, 10, "swedish"))), []);
}

#[test]
fn one_word_holds_up_to_64_lines() {
    let fits = |rows, cols| fits_one_word(&settings(&spec(rows, cols, "none"), &options()));
    assert!(fits(3, 3) && fits(5, 5) && fits(1, 10) && fits(2, 10) && fits(6, 4));
    assert!(!fits(6, 5) && !fits(3, 9) && !fits(10, 10));
}

/// 10,000 games in all.
#[test]
fn the_slow_twin_agrees() {
    let boards =
        [(3, 3, 1400), (2, 2, 1000), (1, 1, 50), (1, 4, 200), (4, 2, 200), (5, 5, 100), (10, 1, 50), (7, 6, 8)];
    for (seed, border) in (1..).zip(["none", "icelandic", "swedish"]) {
        for (rows, cols, games) in boards {
            let (spec, twin) = (spec(rows, cols, border), SlowDotsAndBoxes::new(rows, cols, border));
            if fits_one_word(&settings(&spec, &options())) {
                compare_with_twin(&game::<u64>(&spec), &twin, games, seed);
            }
            compare_with_twin(&game::<Bits256>(&spec), &twin, games / 8, seed);
        }
        let twin = SlowDotsAndBoxes::new(10, 10, border);
        compare_with_twin(&game::<Bits256>(&spec(10, 10, border)), &twin, 2, seed);
    }
}

const DATA: &str = include_str!("data/dots-and-boxes.perft");

/// Boards of one word are checked in two words as well: the wide type takes
/// every board.
#[test]
fn known_digests() {
    check_perft(DATA, game::<Bits256>);
    let narrow: Vec<_> = DATA
        .lines()
        .filter(|line| {
            line.starts_with('#') || fits_one_word(&settings(line.split('|').next().unwrap().trim(), &options()))
        })
        .collect();
    check_perft(&narrow.join("\n"), game::<u64>);
}

#[test]
fn the_slow_twin_has_the_same_digests() {
    check_twin_perft(DATA, 100_000, |spec| {
        let settings = settings(spec, &options());
        let [rows, cols] = ["rows", "cols"].map(|name| settings.integer(name) as usize);
        SlowDotsAndBoxes::new(rows, cols, settings.choice("border"))
    });
}

type Narrow = DotsAndBoxesPosition<u64>;

/// The margin of the boxes still to come, for the player to move.
fn to_come(position: &Narrow, known: &mut HashMap<u64, i32>) -> i32 {
    if let Some(&value) = known.get(&position.lines()) {
        return value;
    }
    let mover = position.to_move();
    let values = position.legal_moves().into_iter().map(|mv| {
        let next = position.after(mv);
        let gained = next.margin().for_player(mover).0 - position.margin().for_player(mover).0;
        gained + seen_by(Score(to_come(&next, known)), next.to_move(), mover).0
    });
    let value = values.max().unwrap_or(0);
    known.insert(position.lines(), value);
    value
}

#[test]
fn best_play_gives_the_published_margins() {
    for (rows, cols, margin) in [(1, 1, -1), (1, 2, 0), (1, 3, -1), (2, 2, 2), (2, 3, -2), (3, 2, -2)] {
        let start = game::<u64>(&spec(rows, cols, "none")).start();
        assert_eq!(to_come(&start, &mut HashMap::new()), margin, "{rows}x{cols}");
    }
}

/// A plain negamax to `depth` plies in which a player who goes on keeps the sign.
fn search(position: &Narrow, depth: u32, ply: u32, evaluation: &Evaluation<Narrow>) -> i32 {
    let mover = position.to_move();
    if position.is_over() {
        return evaluation.finished(position, mover, ply).0;
    }
    if depth == 0 {
        return evaluation.estimate(position, mover, ply).0;
    }
    let values = position.legal_moves().into_iter().map(|mv| {
        let next = position.after(mv);
        seen_by(Score(search(&next, depth - 1, ply + 1, evaluation)), next.to_move(), mover).0
    });
    values.max().expect("the game goes on")
}

fn best_move(position: &Narrow, evaluation: &Evaluation<Narrow>) -> papan_core::Place {
    let mover = position.to_move();
    let value = |mv| {
        let next = position.after(mv);
        seen_by(Score(search(&next, 1, 1, evaluation)), next.to_move(), mover)
    };
    position.legal_moves().into_iter().max_by_key(|&mv| value(mv)).expect("the game goes on")
}

/// Wins minus losses of `ours` over pairs of games with sides swapped, each
/// pair from its own random opening.
fn paired_match(game: &DotsAndBoxes<u64>, ours: &str, theirs: &str, pairs: u64) -> i32 {
    let named = |name: &str| {
        let mut all = DotsAndBoxes::<u64>::evaluations().into_iter();
        all.find(|evaluation| evaluation.name == name).expect("there is such an evaluation")
    };
    let (ours, theirs) = (named(ours), named(theirs));
    let mut balance = 0;
    for pair in 0..pairs {
        for our_side in Player::BOTH {
            let mut random = Random::new(pair);
            let mut position = game.start();
            for _ in 0..3 {
                position = position.after(position.legal_moves().pick(random.bits()).expect("the game goes on"));
            }
            while !position.is_over() {
                let evaluation = if position.to_move() == our_side { &ours } else { &theirs };
                position = position.after(best_move(&position, evaluation));
            }
            balance += position.margin().for_player(our_side).0.signum();
        }
    }
    balance
}

#[test]
fn the_games_own_evaluation_beats_counting_boxes() {
    let own = DotsAndBoxes::<u64>::evaluations()[0].name;
    for (board, pairs) in [((3, 3), 30), ((4, 4), 15)] {
        let game = game::<u64>(&spec(board.0, board.1, "none"));
        for other in ["boxes", "report-lines"] {
            let balance = paired_match(&game, own, other, pairs);
            assert!(balance > pairs as i32 / 3, "{board:?} {own} against {other}: {balance}");
        }
    }
}

#[test]
fn a_wrong_size_names_both_sizes() {
    let error = game::<u64>("dots-and-boxes:rows=2").read_position("3x3 0 0 1 0-0").unwrap_err();
    assert_eq!(error.to_string(), "position: the position is 3x3, but the game is 2x3");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_in_one_line(text in any::<String>()) {
        check_hostile_text(&game::<u64>("dots-and-boxes"), &text);
    }

    #[test]
    fn nearly_right_texts_too(
        position in "2x[12] [01]{4,6} [01]{3,6} [12] [0-4]-[0-4]( [12.]{2,4})?",
        mv in "[hvHV]? ?[(]?[0-9]{0,3}[,\\- ]{0,2}[0-9]{0,3}[)]?",
    ) {
        for text in [position, mv] {
            check_hostile_text(&game::<u64>("dots-and-boxes:rows=2,cols=2"), &text);
            check_hostile_text(&game::<u64>("dots-and-boxes:rows=2,cols=1"), &text);
        }
    }

    #[test]
    fn any_lines_with_a_fitting_score_round_trip(lines in 0u64..1 << 12, first in 0u32..=4, to_move in 1..=2) {
        let game = game::<u64>("dots-and-boxes:rows=2,cols=2");
        let digits: String = (0..12).map(|line| if lines >> line & 1 != 0 { '1' } else { '0' }).collect();
        let with_score = |first, second| format!("2x2 {} {} {to_move} {first}-{second}", &digits[..6], &digits[6..]);
        let fits: Vec<_> = (0..=4 - first).filter_map(|second| {
            let text = with_score(first, second);
            game.read_position(&text).ok().map(|position| (text, position))
        }).collect();
        for (text, position) in fits {
            prop_assert_eq!(game.write_position(&position), text);
            prop_assert!(position.margin().0.abs() <= game.margin_bound());
        }
    }

    #[test]
    fn any_text_may_settle_the_size(text in any::<String>(), near in "[0-9]{1,3}[xX×][0-9]{1,3} 01") {
        for text in [text, near] {
            let mut chosen = settings("dots-and-boxes", &options());
            DotsAndBoxes::<u64>::suit_settings_to(&mut chosen, &text);
            prop_assert!(game::<Bits256>(&chosen.canonical("dots-and-boxes", &options())).rows() <= 10);
        }
    }
}
