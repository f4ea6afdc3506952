//! Any text as the name of a game and, on the next line, of a bot for it.
//! Run: cargo xtask fuzz names

#![no_main]

use libfuzzer_sys::fuzz_target;
use papan_fuzz::check_line;

fuzz_target!(|text: &str| {
    let (game, bot) = text.split_once('\n').unwrap_or((text, "random"));
    let spec = match papan_roster::table(game, None) {
        Ok(table) => {
            let spec = table.spec();
            assert_eq!(papan_roster::table(&spec, None).expect("a written name is read").spec(), spec);
            spec
        }
        Err(error) => {
            check_line(&error.to_string());
            "tic-tac-toe".to_owned()
        }
    };
    if let Err(error) = papan_roster::bot(&spec, bot) {
        check_line(&error.to_string());
    }
});
