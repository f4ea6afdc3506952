//! cargo run --release --example bench -- FIRST LAST THREADS MEGABYTES [value|best]
use papan_engines::adjacency::{exact::*, reference::START};
use std::sync::atomic::AtomicBool;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let n = |i: usize| args[i].parse::<u32>().unwrap();
    let detail = if args.get(4).is_some_and(|a| a == "best") { Detail::BestMoves } else { Detail::Value };
    for plies in n(0)..=n(1) {
        let mut solver = Solver::new(false, n(2) as usize, n(3) as usize);
        let stop = AtomicBool::new(false);
        let task = Task { own: START.0, opp: START.1, plies, detail, stop: &stop, deadline: None };
        let mut fill = 0.0;
        let s = solver.solve(&task, &mut |p| fill = p.table_fill);
        println!(
            "{plies} {:+} {} nodes {:.2} s fill {:.3} best {:?}",
            s.value().unwrap(),
            s.nodes,
            s.elapsed.as_secs_f64(),
            fill,
            s.best
        );
    }
}
