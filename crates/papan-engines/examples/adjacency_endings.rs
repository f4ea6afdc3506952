//! Times the exact solver on endings that random play from the start has led to:
//!
//! ```text
//! cargo run --release -p papan-engines --example adjacency_endings -- EMPTIES PLIES COUNT THREADS MEGABYTES
//! cargo run --release -p papan-engines --example adjacency_endings -- 18 18 20 2 256
//! ```
//!
//! PLIES equal to EMPTIES fills the board; fewer leave cells empty. The last number of the line
//! sums up all values, so that two versions can be compared.

use std::sync::atomic::AtomicBool;

use papan_engines::Deadline;
use papan_engines::adjacency::reference::{PlainPosition, START, SplitMix};
use papan_engines::adjacency::solver::{Detail, Solver, Task};

/// A board with so many empty cells, after random moves from the start.
fn random_ending(random: &mut SplitMix, empties: u32) -> (u64, u64) {
    let mut position = PlainPosition::new(START.0, START.1, 64, false);
    for _ in 0..56 - empties {
        let moves: Vec<usize> = position.moves().collect();
        position = position.after(moves[random.below(moves.len() as u32) as usize]);
    }
    position.boards()
}

fn main() {
    let numbers: Vec<u32> = std::env::args().skip(1).map(|word| word.parse().expect("a number")).collect();
    let [empties, plies, count, threads, megabytes] = numbers[..] else { panic!("five numbers are needed") };
    let mut random = SplitMix::new(5);
    let mut solver = Solver::new(false, threads as usize, megabytes as usize);
    let (mut nodes, mut sum, mut seconds, mut worst) = (0, 0, 0.0, 0.0f64);
    for _ in 0..count {
        let (own, opp) = random_ending(&mut random, empties);
        let stop = AtomicBool::new(false);
        let task = Task { own, opp, plies, detail: Detail::Value, deadline: Deadline::until_stopped(&stop) };
        let solved = solver.solve(&task, &mut |_| {});
        let taken = solved.elapsed.as_secs_f64();
        nodes += solved.nodes;
        seconds += taken;
        worst = worst.max(taken);
        sum = (sum * 31 + solved.value().expect("nothing stops the solver")) % 1_000_003;
    }
    println!(
        "{empties} empties, {plies} plies: {} nodes and {:.3} s on average, worst {worst:.3} s, sum {sum}",
        nodes / u64::from(count),
        seconds / f64::from(count)
    );
}
