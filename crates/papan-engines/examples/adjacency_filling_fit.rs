//! Fits the estimate of filling boards on self-play, prints the errors on held-out games and writes the
//! weights that the engine is built with.
//!
//! ```text
//! cargo run --release -p papan-engines --features training --example adjacency_filling_fit -- GAMES SEED FILE
//! cargo run --release -p papan-engines --features training --example adjacency_filling_fit -- 16000 1 crates/papan-engines/src/adjacency/filling/evaluation.bin
//! ```

use papan_engines::adjacency::filling::evaluation::WindowEvaluation;
use papan_engines::adjacency::filling::fit::fit;

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| arguments[index].parse::<u32>().expect("a number");
    let (fitted, reports) = fit(number(0), u64::from(number(1)), WindowEvaluation::built_in());
    println!("stage  learnt  held out  error  spread (marks)");
    for r in reports {
        println!("{:>5} {:>7} {:>9} {:>6.2} {:>7.2}", r.stage, r.learnt, r.held_out, r.error, r.spread);
    }
    std::fs::write(&arguments[2], fitted.bytes())
}
