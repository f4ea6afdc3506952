//! How much time a burning, forking, core-changing bot takes from honest ones
//! in the same tournament: 100 games between honest bots beside it, and 100
//! beside a fourth honest bot in its place.
//!
//! cargo run --release -p papan --example fairness -- target/release/papan [GAMES]

#[path = "../tests/fairness/measure.rs"]
mod measure;

use std::env;
use std::path::PathBuf;

use measure::{BURNER, HONEST, Measured, measure};

fn main() {
    let mut arguments = env::args().skip(1);
    let beside = || env::current_exe().ok()?.ancestors().nth(2).map(|folder| folder.join("papan"));
    let papan = arguments.next().map(PathBuf::from).or_else(beside).expect("the path of papan");
    let games: usize = arguments.next().map_or(100, |games| games.parse().expect("a number of games"));
    // Three pairs of honest bots; each opening is played by both sides.
    let meeting = games.div_ceil(6) * 2;
    let [alone, burning] = [HONEST, BURNER].map(|guest| {
        let measured = measure(&papan, guest, meeting, "500ms");
        show(guest, &measured);
        measured
    });
    let ratio = |percent| burning.percentile(percent) / alone.percentile(percent);
    let [median, p90, p99] = [50, 90, 99].map(ratio);
    println!("ratio      median {median:5.2}     p90 {p90:5.2}     p99 {p99:5.2}");
}

fn show(guest: &str, measured: &Measured) {
    let [median, p90, p99, longest] = [50, 90, 99, 100].map(|percent| measured.percentile(percent));
    println!(
        "{guest:<10} median {median:5.1} ms  p90 {p90:5.1} ms  p99 {p99:5.1} ms  longest {longest:6.1} ms; \
         {} moves in {} games, {} late; {}",
        measured.times.len(),
        measured.games,
        measured.timeouts,
        measured.sandbox
    );
}
