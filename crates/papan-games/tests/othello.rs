//! Othello against its promises, its twin and its digests.

use papan_core::{Game as _, MoveSet as _, Player, Position as _, conformance};
use papan_games::othello::{Othello, OthelloMove, options};
use proptest::prelude::*;

use crate::kit;
use crate::twins::othello::SlowOthello;

const DATA: &str = include_str!("data/othello.perft");

const SPECS: [&str; 6] = [
    "othello",
    "othello:size=6",
    "othello:size=4",
    "othello:first=white",
    "othello:size=6,first=white,passing=off",
    "othello:size=4,passing=off",
];

fn game(spec: &str) -> Othello {
    spec.parse().expect("the spec is valid")
}

fn twin(spec: &str) -> SlowOthello {
    let settings = kit::settings(spec, &options());
    let players = if settings.choice("first") == "white" { ['O', 'X'] } else { ['X', 'O'] };
    SlowOthello::start(settings.choice("size").parse().unwrap(), players, settings.flag("passing"))
}

#[test]
fn every_promise_is_kept() {
    for spec in SPECS {
        conformance::check(&game(spec), 20, 1).unwrap();
        assert_eq!(conformance::missing(&game(spec)), []);
        assert_eq!(game(spec).spec(), spec);
    }
}

#[test]
fn the_fast_rules_agree_with_the_slow_ones() {
    for (seed, (spec, games)) in SPECS.into_iter().zip([1000, 2000, 3000, 500, 1500, 2000]).enumerate() {
        kit::compare_with_twin(&game(spec), &twin(spec), games, seed as u64);
    }
}

#[test]
fn trees_have_the_known_digests() {
    kit::check_perft(DATA, game);
}

#[test]
fn the_twin_has_the_known_digests() {
    kit::check_twin_perft(DATA, 20_000, twin);
}

/// White has no disc to enclose with, black has: white passes, black goes on.
#[test]
fn a_player_who_cannot_move_passes() {
    let game = game("othello:size=4");
    let position = game.read_position("XO-- ---- ---- ---- O").unwrap();
    assert!(position.legal_moves().into_iter().eq([OthelloMove::PASS]));
    let passed = position.after(OthelloMove::PASS);
    assert_eq!(passed.to_move(), Player::First);
    assert!(!passed.is_over());
}

#[test]
fn without_passing_the_game_ends_instead() {
    let position = game("othello:size=4,passing=off").read_position("XO-- ---- ---- ---- O").unwrap();
    assert!(position.is_over());
}

/// Three lines from a1 are enclosed; d2 is on none of them.
#[test]
fn a_move_turns_every_enclosed_line_and_nothing_else() {
    let game = game("othello:size=4");
    let position = game.read_position("-OX- OO-O X-O- ---X X").unwrap();
    let next = position.play(game.read_move("a1").unwrap()).unwrap();
    assert_eq!(game.write_position(&next), "XXX-XX-OX-X----X O");
}

#[test]
fn transcripts_are_read_in_any_spelling() {
    let game = game("othello");
    let position = game.read_position("f5d6c3").unwrap();
    for text in ["F5D6C3", " f5 d6 c3 ", "f5d6c3;", "f5 d6 c3 ; a game"] {
        assert_eq!(game.read_position(text), Ok(position), "{text}");
    }
}

/// A random game with passes gives the same position whether its transcript
/// writes the passes or leaves them out.
#[test]
fn passes_may_be_left_out_of_transcripts() {
    let game = game("othello:size=4");
    let mut random = papan_core::Random::new(3);
    let mut passes = 0;
    for _ in 0..200 {
        let (mut position, mut with, mut without) = (game.start(), String::new(), String::new());
        while let Some(mv) = position.legal_moves().pick(random.bits()) {
            position = position.after(mv);
            if mv == OthelloMove::PASS {
                with += ["pass", "pa", "PS", "--"][passes % 4];
                passes += 1;
            } else {
                with += &game.write_move(mv);
                without += &game.write_move(mv);
            }
        }
        assert_eq!(game.read_position(&with), Ok(position), "{with}");
        assert_eq!(game.read_position(&without), Ok(position), "{without}");
    }
    assert!(passes > 100);
}

#[test]
fn boards_are_read_in_any_spelling() {
    let game = game("othello:size=4");
    for text in ["---- -OX- -XO- ---- X", "----/-OX-/-XO-/---- X;", "-----ox--xo-----b", ".....W*..*O_____ *; c1: 0"] {
        let position = game.read_position(text).unwrap();
        assert_eq!(game.write_position(&position), "-----OX--XO----- X", "{text}");
    }
}

#[test]
fn errors_name_the_place() {
    let game = game("othello");
    let line = |text: &str| game.read_position(text).unwrap_err().to_string();
    assert_eq!(line("f5d6c2"), "position: move 3 of the transcript is 'c2', which is not legal there");
    assert_eq!(
        line("f5d6z9"),
        "position: move 3 of the transcript cannot be read: 'z9' is not a square, expected a1 to h8 or pass"
    );
    assert_eq!(line("-------Q"), "position: cell 8 is 'Q', expected X O -");
    assert_eq!(line("--"), "position: the board has 2 cells, expected 64");
    let board = "-".repeat(64);
    assert_eq!(line(&board), "position: after 64 cells stands '', expected the side X or O");
    assert_eq!(line(&format!("{board} XX")), "position: after 64 cells stands 'XX', expected the side X or O");
    let error = game.read_move("i9").unwrap_err().to_string();
    assert_eq!(error, "move: 'i9' is not a square, expected a1 to h8 or pass");
}

#[test]
fn moves_are_read_in_any_spelling() {
    let game = game("othello");
    for pass in ["pass", "PASS", "pa", "ps", "--", " Pass "] {
        assert_eq!(game.read_move(pass), Ok(OthelloMove::PASS));
    }
    assert_eq!(game.write_move(game.read_move("F5").unwrap()), "f5");
    assert_eq!(game.write_move(OthelloMove::PASS), "pass");
}

#[test]
fn a_board_settles_the_size_that_nobody_typed() {
    for (text, spec) in [
        (format!("{} X", "-".repeat(36)), "othello:size=6"),
        (format!("{} X;", "----/".repeat(4)), "othello:size=4"),
        (format!("{} O", "-".repeat(64)), "othello"),
        ("f5d6".to_owned(), "othello"),
    ] {
        let mut settings = kit::settings("othello", &options());
        Othello::suit_settings_to(&mut settings, &text);
        assert_eq!(Othello::from_settings(&settings).unwrap().spec(), spec);
    }
    let mut typed = kit::settings("othello:size=8", &options());
    Othello::suit_settings_to(&mut typed, &format!("{} X", "-".repeat(36)));
    assert_eq!(Othello::from_settings(&typed).unwrap().spec(), "othello");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_a_value_or_one_line(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        kit::check_hostile_text(&game("othello"), &String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn anything_like_a_board_is_a_value_or_one_line(text in "[-._xXoO*bW/ ]{14,19};?") {
        kit::check_hostile_text(&game("othello:size=4"), &text);
    }

    #[test]
    fn anything_like_a_transcript_is_a_value_or_one_line(text in "([a-i][0-9]|pass|pa|--|é| ){0,12}") {
        kit::check_hostile_text(&game("othello:size=6"), &text);
        kit::check_hostile_text(&game("othello"), &format!("f5d6{text}"));
    }

    #[test]
    fn every_board_is_read_and_written_again(cells in "[-XO]{36}", side in "[XO]") {
        let game = game("othello:size=6,first=white");
        let text = format!("{cells} {side}");
        let position = game.read_position(&text).unwrap();
        prop_assert_eq!(game.write_position(&position), text);
    }

    #[test]
    fn anything_like_a_move_is_a_value_or_one_line(text in "[ a-jpsA-J0-9+-]{0,4}") {
        kit::check_hostile_text(&game("othello:size=4"), &text);
    }
}
