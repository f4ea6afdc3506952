//! Any bytes as a game: legal moves chosen by byte, wild text in between.
//! Run: cargo fuzz run games

#![no_main]

use libfuzzer_sys::fuzz_target;

const GAMES: [&str; 6] = [
    "tic-tac-toe:rows=4,cols=5,k=3,misere",
    "adjacency:rounds=28",
    "dots-and-boxes:rows=2,cols=4",
    "dots-and-boxes:rows=6,cols=6,border=icelandic",
    "othello:size=6",
    "othello:passing=off",
];

fuzz_target!(|input: (u8, &str, Vec<u8>)| {
    let (game, wild, choices) = input;
    let mut table = papan_roster::table(GAMES[usize::from(game) % GAMES.len()], None).expect("the game is known");
    for choice in choices {
        let legal = table.legal_moves();
        assert_eq!(legal.is_empty(), table.is_over());
        let before = table.position();
        let wild_accepted = table.play(wild).is_ok();
        assert_eq!(wild_accepted, table.position() != before);
        if wild_accepted || legal.is_empty() {
            continue;
        }
        table.play(&legal[usize::from(choice) % legal.len()]).expect("a listed move is legal");
    }
    let end = table.position();
    while table.undo() {}
    while table.redo() {}
    assert_eq!(table.position(), end);
});
