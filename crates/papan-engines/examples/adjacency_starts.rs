//! Times the exact solver on starts of so many plies, each with a fresh table:
//!
//! ```text
//! cargo run --release -p papan-engines --example adjacency_starts -- FIRST LAST THREADS MEGABYTES [best]
//! cargo run --release -p papan-engines --example adjacency_starts -- 1 14 2 512
//! cargo run --release -p papan-engines --example adjacency_starts -- 16 16 2 3072
//! ```
//!
//! One line a start: plies, value for the first mover, nodes, seconds, used share of the table, a
//! best move and best play (with `best`, every best move).

use std::sync::atomic::AtomicBool;

use papan_engines::Deadline;
use papan_engines::adjacency::reference::START;
use papan_engines::adjacency::solver::{Detail, Solver, Task};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| arguments[index].parse::<u32>().expect("a number");
    let detail = if arguments.get(4).is_some_and(|word| word == "best") { Detail::BestMoves } else { Detail::Value };
    for plies in number(0)..=number(1) {
        let mut solver = Solver::new(false, number(2) as usize, number(3) as usize);
        let stop = AtomicBool::new(false);
        let task = Task { own: START.0, opp: START.1, plies, detail, deadline: Deadline::until_stopped(&stop) };
        let mut fill = 0.0;
        let solved = solver.solve(&task, &mut |progress| fill = progress.table_use);
        let value = solved.value().expect("nothing stops the solver");
        let seconds = solved.elapsed.as_secs_f64();
        println!(
            "{plies} {value:+} {} nodes {seconds:.2} s, table {fill:.3}, best {:?}, line {:?}",
            solved.nodes, solved.best, solved.line
        );
    }
}
