//! Any text as a position of any game: read and written again it is the same.
//! Run: cargo xtask fuzz positions

#![no_main]

use libfuzzer_sys::fuzz_target;
use papan_fuzz::{check_line, game_and_text};

fuzz_target!(|data: &[u8]| {
    let Some((game, text)) = game_and_text(data) else { return };
    let table = match papan_roster::table(game, Some(text)) {
        Ok(table) => table,
        Err(error) => return check_line(&error.to_string()),
    };
    let written = table.position();
    let again = papan_roster::table(&table.spec(), Some(&written)).expect("what is written can be read");
    assert_eq!(again.position(), written);
    assert_eq!(again.legal_moves(), table.legal_moves());
    assert_eq!((again.margin(), again.points()), (table.margin(), table.points()));
    assert_eq!(again.is_over(), table.legal_moves().is_empty());
    assert!(table.margin().0.abs() <= table.margin_bound());
    papan_roster::insights(&table.spec(), &written).expect("a position that was read");
});
