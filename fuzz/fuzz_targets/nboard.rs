//! Any bytes as what a graphical Othello program writes by the NBoard protocol.
//! Run: cargo xtask fuzz nboard

#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use papan_engines::othello::Engine;
use papan_fuzz::check_line;

/// The program's own files: it is no library.
#[path = "../../crates/papan/src/protocols/mod.rs"]
#[allow(dead_code)]
mod protocols;

use protocols::nboard;

const TIME: Duration = Duration::from_millis(1);

fuzz_target!(|bytes: &[u8]| {
    let mut output = Vec::new();
    nboard::run(&mut Engine::new(1, 1), Some(TIME), bytes, &mut output).expect("a vector takes all");
    for line in String::from_utf8(output).expect("answers are text").lines() {
        check_line(line);
        let word = line.split(' ').next().expect("a line has a first word");
        assert!(["set", "pong", "status", "search", "nodestats", "===", "learned"].contains(&word), "{line}");
    }
});
