//! Any bytes in the formats of Othello players: OBF, transcripts, GGF, the
//! WTHOR archive, training samples.
//! Run: cargo xtask fuzz othello_files

#![no_main]

use libfuzzer_sys::fuzz_target;
use papan_engines::othello::board::Shape;
use papan_engines::othello::formats::{ggf, obf, transcript, wthor};
use papan_engines::othello::training::sample::read_samples;
use papan_fuzz::{check_line, choice};

fuzz_target!(|data: &[u8]| {
    let (kind, rest) = choice(data);
    let text = std::str::from_utf8(rest);
    match (kind % 6, text) {
        (0, Ok(text)) => check_obf(text),
        (1, Ok(text)) => check_transcript(text, Shape::STANDARD),
        (2, Ok(text)) => check_transcript(text, Shape::new(6).expect("a size")),
        (3, Ok(text)) => check_ggf(text),
        (4, _) => check_wthor(rest),
        (5, _) => check_samples(rest),
        _ => {}
    }
});

fn check_obf(text: &str) {
    match obf::read(text) {
        Ok((board, black)) => {
            assert_eq!(board.player & board.opponent, 0);
            assert_eq!(obf::read(&obf::write(board, black)), Ok((board, black)));
        }
        Err(error) => check_line(&error.to_string()),
    }
}

fn check_transcript(text: &str, shape: Shape) {
    match transcript::read(text, shape) {
        Ok((moves, state)) => assert_eq!(transcript::read(&transcript::write(&moves), shape), Ok((moves, state))),
        Err(error) => check_line(&error.to_string()),
    }
}

fn check_ggf(text: &str) {
    match ggf::read(text) {
        Ok(game) => {
            let end = game.moves.iter().try_fold(game.start, |state, &square| state.after(square));
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
                let boards = wthor::boards(&game.moves);
                assert!(boards.len() <= game.moves.len() + 1);
                assert!(boards.iter().all(|(board, _)| board.player & board.opponent == 0));
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
