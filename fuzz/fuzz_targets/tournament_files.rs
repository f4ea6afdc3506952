//! Any text as a tournament file. What is read from TOML is read the same from
//! the same keys in JSON, as the page sends them.
//! Run: cargo xtask fuzz tournament_files

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use papan_arena::tournament::TournamentFile;
use papan_fuzz::check_line;

fuzz_target!(|text: &str| {
    let path = Path::new("cup.toml");
    let file = match TournamentFile::parse(path, text) {
        Ok(file) => file,
        Err(error) => return check_line(&error.to_string()),
    };
    for entrants in [file.entrants.len(), 2, 7] {
        match file.format(entrants) {
            Ok(format) => assert!(file.openings_needed(format, entrants) < 1 << 32),
            Err(error) => check_line(&error.to_string()),
        }
    }
    let keys: serde_json::Value = toml::from_str(text).expect("it was read before");
    let same = TournamentFile::from_json(path, keys).expect("the same keys");
    assert_eq!(format!("{file:?}"), format!("{same:?}"));
});
