//! Any text as the name of a game and of a bot.
//! Run: cargo fuzz run names

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (game, bot) = text.split_once('\n').unwrap_or((text, "random"));
    match papan_roster::table(game, None) {
        Ok(table) => assert_eq!(papan_roster::table(&table.spec(), None).unwrap().spec(), table.spec()),
        Err(error) => assert!(!error.to_string().contains(char::is_control)),
    }
    if let Err(error) = papan_roster::bot("tic-tac-toe", bot) {
        assert!(!error.to_string().contains(char::is_control));
    }
});
