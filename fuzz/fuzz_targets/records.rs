//! Any text as a pasted record of any game, in any notation: read, written in
//! every format that reads back, and read again, it is the same game.
//! Run: cargo xtask fuzz records

#![no_main]

use libfuzzer_sys::fuzz_target;
use papan_core::table::Table;
use papan_fuzz::{check_line, game_and_text};
use papan_server::fuzzing::{read_record, write_record};

fuzz_target!(|data: &[u8]| {
    let Some((game, text)) = game_and_text(data) else { return };
    let table = match read_record(game, text) {
        Ok(table) => table,
        Err(error) => {
            check_line(&error.message.en);
            return check_line(&error.message.id);
        }
    };
    let names = ["moves: a1".to_owned(), "a]b[c;)".to_owned()];
    let spec = table.spec();
    let write = |format| write_record(&*table, &names, format);
    check_same(&*table, &spec, &write("papan").expect("every game has it"));
    if table.start_position() == papan_roster::table(&spec, None).expect("its own name").position() {
        check_same(&*table, &spec, &write("text").expect("every game has it"));
        if let Some(text) = write("transcript") {
            let again = read_record(&spec, &text).expect("a transcript is read");
            assert_eq!(without_passes(&*again), without_passes(&*table));
        }
    }
    if let Some(text) = write("ggf") {
        check_same(&*table, &spec, &text);
    }
    if let Some(text) = write("obf") {
        let again = read_record(&spec, &text).expect("a position is read");
        assert_eq!(again.position(), table.position());
    }
    write("svg").expect("every game has it");
});

fn check_same(table: &dyn Table, game: &str, text: &str) {
    let again = read_record(game, text).unwrap_or_else(|error| panic!("{}\n{text}", error.message.en));
    assert_eq!((again.spec(), again.start_position()), (table.spec(), table.start_position()), "{text}");
    assert_eq!((again.moves(), again.position()), (table.moves(), table.position()), "{text}");
}

fn without_passes(table: &dyn Table) -> Vec<String> {
    table.moves().into_iter().filter(|mv| mv != "pass").collect()
}
