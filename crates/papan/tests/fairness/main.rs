//! A burning, forking, core-changing bot takes no time from games beside it.
//! `cargo run -p papan --example fairness` measures how little.
#![cfg(target_os = "linux")]

mod measure;

use std::path::Path;

use measure::{BURNER, HONEST, measure};

#[test]
fn no_honest_bot_is_late_beside_one_that_burns() {
    let papan = Path::new(env!("CARGO_BIN_EXE_papan"));
    for guest in [HONEST, BURNER] {
        let measured = measure(papan, guest, 4, "300ms");
        assert_eq!(measured.games, 12);
        let longest = measured.percentile(100);
        assert_eq!(measured.timeouts, 0, "beside {guest}: longest move {longest:.0} ms, {}", measured.sandbox);
    }
}
