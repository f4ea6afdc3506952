//! Makes or completes the engine's book of exact first moves: every position after at most DEPTH
//! plies of a game of so many rounds is solved and appended to FILE. It can be interrupted.
//!
//! ```text
//! cargo run --release -p papan-engines --features training --example adjacency_book -- FILE ROUNDS DEPTH THREADS MEGABYTES
//! cargo run --release -p papan-engines --features training --example adjacency_book -- crates/papan-engines/src/adjacency/book.txt 8 2 2 3072
//! ```

use std::path::Path;

use papan_engines::adjacency::book_making::{BookPlan, make_book};

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| arguments[index].parse::<u32>().expect("a number");
    let plan = BookPlan {
        rounds: number(1),
        depth: number(2),
        threads: number(3) as usize,
        table_megabytes: number(4) as usize,
    };
    make_book(Path::new(&arguments[0]), plan, &mut |line| println!("{line}"))
}
