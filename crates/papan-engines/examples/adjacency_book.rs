//! Makes or completes the engine's book of exact first moves of the 8-round game:
//! `cargo run --release -p papan-engines --example adjacency_book -- FILE ROUNDS FIRST SECOND THREADS MEGABYTES`
//! where FIRST and SECOND are the decisions of the first and of the second player to solve.

use std::path::Path;

use papan_engines::adjacency::book::{BookPlan, make_book};

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| arguments[index].parse::<u32>().expect("a number");
    let plan = BookPlan {
        rounds: number(1),
        first_decisions: number(2),
        second_decisions: number(3),
        threads: number(4) as usize,
        table_megabytes: number(5) as usize,
    };
    make_book(Path::new(&arguments[0]), plan, &mut |line| println!("{line}"))
}
