//! Any bytes in the formats of Othello players: OBF, transcripts, GGF, the
//! WTHOR archive, training samples.
//! Run: cargo xtask fuzz othello_files

#![no_main]

use libfuzzer_sys::fuzz_target;
use papan_core::Position as _;
use papan_fuzz::{check_line, choice};
use papan_games::othello::formats::{ggf, wthor};
use papan_training::othello::read_samples;

fuzz_target!(|data: &[u8]| {
    let (kind, rest) = choice(data);
    let text = std::str::from_utf8(rest);
    match (kind % 6, text) {
        (0, Ok(text)) => check_position("othello", text),
        (1, Ok(text)) => check_position("othello", text),
        (2, Ok(text)) => check_position("othello:size=6", text),
        (3, Ok(text)) => check_ggf(text),
        (4, _) => check_wthor(rest),
        (5, _) => check_samples(rest),
        _ => {}
    }
});

/// OBF or a transcript: what is read and written reads the same.
fn check_position(game: &str, text: &str) {
    match papan_roster::table(game, Some(text)) {
        Ok(table) => {
            let again = papan_roster::table(game, Some(&table.position())).expect("what was written can be read");
            assert_eq!(again.position(), table.position());
        }
        Err(error) => check_line(&error.to_string()),
    }
}

fn check_ggf(text: &str) {
    match ggf::read(text) {
        Ok(game) => {
            let end = game.moves.iter().try_fold(game.start, |position, &mv| position.play(mv));
            assert_eq!(end, Some(game.end), "the moves lead to the end");
        }
        Err(error) => check_line(&error.to_string()),
    }
    if let Err(error) = papan_roster::table("othello", Some(text)) {
        check_line(&error.to_string());
    }
}

fn check_wthor(bytes: &[u8]) {
    match wthor::read(bytes) {
        Ok(games) => {
            for game in games {
                let positions = wthor::positions(&game.moves);
                assert!((1..=game.moves.len() + 1).contains(&positions.len()));
            }
        }
        Err(error) => check_line(&error.to_string()),
    }
}

fn check_samples(mut bytes: &[u8]) {
    let whole = bytes.len() / 21 * 21;
    let mut written = Vec::new();
    let expected = &bytes[..whole];
    for sample in read_samples(&mut bytes).expect("a slice can be read") {
        sample.write(&mut written).expect("a vector can be written");
    }
    assert_eq!(written, expected);
}
