//! Any bytes as the body of a request over HTTP.
//! Run: cargo xtask fuzz bodies

#![no_main]

use libfuzzer_sys::fuzz_target;
use papan_fuzz::{check_line, choice};
use papan_server::fuzzing::body;

const ADDRESSES: [&str; 7] = [
    "/api/board",
    "/api/board/edit",
    "/api/games",
    "/api/games/{id}/join",
    "/api/tournaments",
    "/api/lab/experiments",
    "/api/lab/exercise",
];

fuzz_target!(|data: &[u8]| {
    let (address, bytes) = choice(data);
    if let Err(error) = body(ADDRESSES[address % ADDRESSES.len()], bytes).expect("a body is taken there") {
        check_line(&error.message.en);
        check_line(&error.message.id);
    }
});
