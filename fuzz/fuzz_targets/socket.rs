//! Any text as a message of a WebSocket.
//! Run: cargo xtask fuzz socket

#![no_main]

use libfuzzer_sys::fuzz_target;
use papan_fuzz::check_line;
use papan_server::fuzzing::message;

fuzz_target!(|text: &str| {
    match message(text) {
        Ok(read) => {
            // What is left out or written otherwise in JSON is the same message.
            let value: serde_json::Value = serde_json::from_str(text).expect("a message is JSON");
            if value.as_object().is_some_and(|fields| text.matches("\":").count() == fields.len()) {
                assert_eq!(message(&value.to_string()).ok(), Some(read));
            }
        }
        Err(error) => {
            check_line(&error.message.en);
            check_line(&error.message.id);
            assert!(["malformed", "unknown_type"].contains(&error.code));
        }
    }
});
