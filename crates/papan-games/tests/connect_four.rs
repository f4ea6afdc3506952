//! The example of "add a game" in CONTRIBUTING.md, once with its rules alone
//! and once complete. It is compiled here as well as where CONTRIBUTING puts it,
//! so that it always fits the traits.
#![expect(clippy::duplicate_mod, reason = "both stages of the example have the same positions")]
#![expect(unreachable_pub, reason = "in a library these are public")]

#[path = "../../../examples/connect-four/mod.rs"]
mod complete;
#[path = "../../../examples/connect-four/rules_alone.rs"]
mod rules_alone;

use papan_core::conformance::{Gap, missing};
use papan_core::render::text::{self, Charset};
use papan_core::table::{GameTable, Table as _};
use papan_core::{Game as _, Language};

#[test]
fn rules_alone_are_under_150_lines_and_enough_to_see_and_play() {
    let lines = [
        include_str!("../../../examples/connect-four/position.rs"),
        include_str!("../../../examples/connect-four/rules_alone.rs"),
    ]
    .map(|file| file.lines().count());
    assert!(lines.iter().sum::<usize>() < 150, "{lines:?}");

    let game = rules_alone::ConnectFour;
    let mut table = GameTable::new(game.clone(), game.start());
    assert_eq!(table.legal_moves(), ["a6", "b6", "c6", "d6", "e6", "f6", "g6"]);
    for mv in ["d6", "d5", "e6"] {
        table.play(mv).unwrap();
    }
    let board = text::render(&table.scene(), Charset::Ascii, Some("e6"));
    assert!(board.contains('X') && board.contains('O'), "{board}");
    assert_eq!(table.info().title.get(Language::Id), "Connect Four");
    assert_eq!(missing(&game), [Gap::About, Gap::Rules, Gap::Editing, Gap::Evaluation]);
}

#[test]
fn both_play_the_same_game() {
    let (rules, complete) = (rules_alone::ConnectFour, complete::ConnectFour);
    for depth in 1..6 {
        assert_eq!(papan_core::perft(&rules.start(), depth), papan_core::perft(&complete.start(), depth));
    }
}
