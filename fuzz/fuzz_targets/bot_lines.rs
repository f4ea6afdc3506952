//! Any bytes as what a bot writes to the referee.
//! Run: cargo xtask fuzz bot_lines

#![no_main]

use libfuzzer_sys::fuzz_target;
use papan_arena::outside::LONGEST_LINE;
use papan_arena::outside::fuzzing::{answer, hello, lines};
use papan_fuzz::check_line;

fuzz_target!(|bytes: &[u8]| {
    for line in lines(bytes).expect("there are pipes") {
        assert!(line.len() <= LONGEST_LINE && line == line.trim() && !line.is_empty());
        match hello(&line) {
            Ok((games, name)) => {
                let name = name.map_or_else(String::new, |name| format!(" name {name}"));
                let (again, _) = hello(&format!("hello papan 1 games {}{name}", games.join(","))).expect("as written");
                assert_eq!(again, games);
            }
            Err(what) => check_line(&what),
        }
        match answer(&line) {
            Ok(Some((number, mv))) => {
                assert_eq!(answer(&format!("bestmove {number} {mv}")), Ok(Some((number, mv))));
                let mut table = papan_roster::table("dots-and-boxes", None).expect("the game is known");
                if let Err(error) = table.play(mv) {
                    check_line(&error.to_string());
                }
            }
            Ok(None) => {}
            Err(what) => assert!(!what.contains(['\n', '\r', '\u{1b}']), "{what:?}"),
        }
    }
});
