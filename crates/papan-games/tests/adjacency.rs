//! The Adjacency Strategy Game against its promises, its twin and its digests.

use papan_core::{Game as _, Position as _, conformance};
use papan_games::adjacency::{Adjacency, options};
use proptest::prelude::*;

use crate::kit;
use crate::twins::adjacency::SlowAdjacency;

const DATA: &str = include_str!("data/adjacency.perft");

const SPECS: [&str; 5] = [
    "adjacency",
    "adjacency:rounds=28",
    "adjacency:rounds=28,neighbours=8",
    "adjacency:rounds=13,first=o",
    "adjacency:rounds=1,first=o,neighbours=8",
];

fn game(spec: &str) -> Adjacency {
    spec.parse().expect("the spec is valid")
}

fn twin(spec: &str) -> SlowAdjacency {
    let settings = kit::settings(spec, &options());
    let players = if settings.choice("first") == "o" { ['O', 'X'] } else { ['X', 'O'] };
    SlowAdjacency::start(settings.integer("rounds") as u32, players, settings.choice("neighbours") == "8")
}

#[test]
fn every_promise_is_kept() {
    for spec in SPECS {
        conformance::check(&game(spec), 10, 1).unwrap();
        assert_eq!(conformance::missing(&game(spec)), []);
        assert_eq!(game(spec).spec(), spec);
    }
}

#[test]
fn the_fast_rules_agree_with_the_slow_ones() {
    for (seed, spec) in SPECS.into_iter().enumerate() {
        kit::compare_with_twin(&game(spec), &twin(spec), 2000, seed as u64);
    }
}

#[test]
fn trees_have_the_known_digests() {
    kit::check_perft(DATA, game);
}

#[test]
fn the_twin_has_the_known_digests() {
    kit::check_twin_perft(DATA, 200_000, twin);
}

#[test]
fn enemy_neighbours_turn() {
    let game = game("adjacency");
    let position = game.start().play(game.read_move("f2").unwrap()).unwrap();
    assert_eq!(position.points(), [6, 3]);
}

#[test]
fn wrong_options_are_refused() {
    for bad in ["rounds=0", "rounds=29", "neighbours=5", "first=z", "rounds=x", "size=8"] {
        let spec = format!("adjacency:{bad}");
        let spec = papan_core::Spec::split(&spec);
        assert!(papan_core::Settings::read(papan_core::error::Subject::Game, &spec, &options()).is_err(), "{bad}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_a_value_or_one_line(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        kit::check_hostile_text(&game("adjacency"), &String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn anything_like_a_position_is_a_value_or_one_line(
        cells in "[-._xXoO/ ]{60,70}",
        rest in "[ xXoOq]{0,4} [0-9]{0,3}",
    ) {
        kit::check_hostile_text(&game("adjacency"), &format!("{cells}{rest}"));
    }

    #[test]
    fn every_position_is_read_and_written_again(cells in "[.XO]{64}", side in "[XO]", rounds in 0u32..=32) {
        let game = game("adjacency:rounds=28,first=o");
        let position = game.read_position(&format!("{cells} {side} {rounds}")).unwrap();
        let empties = cells.matches('.').count() as u32;
        let plies = position.plies_left();
        prop_assert!(plies <= empties && (plies == 0 || plies % 2 == empties % 2));
        let written = game.write_position(&position);
        let expected = format!("{cells} {side} ");
        prop_assert!(written.starts_with(&expected));
        prop_assert_eq!(game.read_position(&written).unwrap(), position);
    }

    #[test]
    fn anything_like_a_move_is_a_value_or_one_line(text in "[ a-jA-J0-9+-]{0,4}") {
        kit::check_hostile_text(&game("adjacency"), &text);
    }
}
