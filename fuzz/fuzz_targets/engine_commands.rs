//! Any bytes as what a referee writes to `papan engine`.
//! Run: cargo xtask fuzz engine_commands

#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use papan_arena::engine::{Workshop, serve};
use papan_fuzz::check_line;

fuzz_target!(|bytes: &[u8]| {
    let workshop = Workshop {
        name: "Papan".to_owned(),
        games: vec!["tic-tac-toe".to_owned()],
        table: &|game, position| papan_roster::table(game, Some(position)),
        bot: &|game| papan_roster::bot(game, "random"),
    };
    let mut output = Vec::new();
    serve(Cursor::new(bytes.to_vec()), &mut output, &workshop).expect("a vector takes all");
    let output = String::from_utf8(output).expect("answers are text");
    for line in output.lines() {
        check_line(line);
        let word = line.split(' ').next().expect("a line has a first word");
        assert!(["hello", "info", "bestmove", "error"].contains(&word), "{line}");
    }
    let asked = bytes.windows(2).filter(|word| word == b"go").count();
    let answers = output.lines().filter(|line| line.starts_with("bestmove")).count();
    assert!(answers <= asked, "more moves than questions");
});
