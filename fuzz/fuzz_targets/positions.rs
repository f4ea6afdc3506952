//! Any text as a position of any game: read and written again it is the same.
//! Run: cargo fuzz run positions

#![no_main]

use libfuzzer_sys::fuzz_target;

const GAMES: [&str; 8] = [
    "tic-tac-toe",
    "tic-tac-toe:rows=15,cols=15,k=5",
    "adjacency",
    "adjacency:rounds=28,neighbours=8,first=o",
    "dots-and-boxes",
    "dots-and-boxes:rows=10,cols=10,border=swedish",
    "othello",
    "othello:size=4,first=white,passing=off",
];

fuzz_target!(|input: (u8, &str)| {
    let (game, text) = input;
    let game = GAMES[usize::from(game) % GAMES.len()];
    match papan_roster::table(game, Some(text)) {
        Ok(table) => {
            let written = table.position();
            let again = papan_roster::table(&table.spec(), Some(&written)).expect("what is written can be read");
            assert_eq!(again.position(), written);
            assert_eq!(again.legal_moves(), table.legal_moves());
            assert_eq!(again.margin(), table.margin());
        }
        Err(error) => assert!(!error.to_string().contains(char::is_control)),
    }
});
