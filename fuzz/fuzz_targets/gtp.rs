//! Any bytes as what a controller writes by the Go Text Protocol. Whoever sets
//! a clock plays on the smallest board, where no search takes long.
//! Run: cargo xtask fuzz gtp

#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use papan_engines::othello::Engine;

/// The program's own files: it is no library.
#[path = "../../crates/papan/src/protocols/mod.rs"]
#[allow(dead_code)]
mod protocols;

use protocols::gtp;

const TIME: Duration = Duration::from_millis(1);

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let session = if text.contains("time_") {
        let lines: Vec<_> = text.lines().filter(|line| !line.contains("boardsize")).collect();
        format!("boardsize 4\n{}", lines.join("\n")).into_bytes()
    } else {
        bytes.to_vec()
    };
    let mut output = Vec::new();
    gtp::run(&mut Engine::new(1, 1), Some(TIME), session.as_slice(), &mut output).expect("a vector takes all");
    let output = String::from_utf8(output).expect("answers are text");
    for answer in output.split_terminator("\n\n") {
        assert!(answer.starts_with(['=', '?']), "{answer:?}");
        assert!(!answer.contains(|c: char| c.is_control() && c != '\n'), "{answer:?}");
    }
});
