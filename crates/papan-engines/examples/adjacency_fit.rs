//! Fits the evaluation's weights on self-play and prints the source file `play/weights.rs`:
//! `cargo run --release -p papan-engines --features training --example adjacency_fit -- GAMES PASSES DEPTH SEED`

use papan_engines::adjacency::fit::{FitPlan, as_source, fit};
use papan_engines::adjacency::rule::{Eight, Four};

fn main() {
    let numbers: Vec<u32> = std::env::args().skip(1).map(|a| a.parse().expect("a number")).collect();
    let plan = FitPlan { games: numbers[0], passes: numbers[1], depth: numbers[2], seed: u64::from(numbers[3]) };
    let command = format!(
        "cargo run --release -p papan-engines --features training --example adjacency_fit -- {} {} {} {}",
        plan.games, plan.passes, plan.depth, plan.seed
    );
    print!("{}", as_source(&command, &fit::<Four>(plan), &fit::<Eight>(plan)));
}
