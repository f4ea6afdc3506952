//! Any lines as moves of a game: each is played or refused, and where it is
//! refused a legal one is played, so that the whole game is seen.
//! Run: cargo xtask fuzz moves

#![no_main]

use libfuzzer_sys::fuzz_target;
use papan_core::table::Table;
use papan_fuzz::{check_line, game_and_text};

fuzz_target!(|data: &[u8]| {
    let Some((game, text)) = game_and_text(data) else { return };
    let mut table = papan_roster::table(game, None).expect("the game is known");
    for line in text.lines().take(300) {
        let legal = table.legal_moves();
        assert_eq!(legal.is_empty(), table.is_over());
        if !try_move(&mut *table, line, &legal) && !legal.is_empty() {
            let choice = line.bytes().fold(0, |sum, byte| sum * 31 % 9973 + usize::from(byte));
            table.play(&legal[choice % legal.len()]).expect("a listed move is legal");
        }
    }
    let (end, moves) = (table.position(), table.moves());
    while table.undo() {}
    for mv in &moves {
        table.play(mv).expect("a game can be played again");
    }
    assert_eq!((table.position(), table.moves()), (end, moves));
});

/// Was the line a legal move? If not, nothing has changed.
fn try_move(table: &mut dyn Table, line: &str, legal: &[String]) -> bool {
    let before = (table.position(), table.ply());
    match table.play(line) {
        Ok(()) => {
            let last = table.last_move().expect("a move was made");
            assert!(legal.contains(&last), "{line:?} was played as {last}, which is not legal");
            true
        }
        Err(error) => {
            check_line(&error.to_string());
            assert_eq!((table.position(), table.ply()), before);
            false
        }
    }
}
