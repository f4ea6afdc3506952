//! cargo run --release --example endings -- EMPTIES PLIES COUNT THREADS
use papan_engines::adjacency::{exact::*, reference::*};
use std::sync::atomic::AtomicBool;

fn main() {
    let args: Vec<u32> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let mut random = TestRandom(5);
    let (mut nodes, mut check, mut seconds, mut worst) = (0, 0, 0.0, 0.0f64);
    let mut solver = Solver::new(false, args[3] as usize, 512);
    for _ in 0..args[2] {
        let mut p = PlainPosition::new(START.0, START.1, 64, false);
        for _ in 0..56 - args[0] {
            let moves: Vec<usize> = p.moves().collect();
            p = p.after(moves[random.below(moves.len() as u32) as usize]);
        }
        let (own, opp) = p.boards();
        let stop = AtomicBool::new(false);
        let task = Task { own, opp, plies: args[1], detail: Detail::Value, stop: &stop, deadline: None };
        let s = solver.solve(&task, &mut |_| {});
        nodes += s.nodes;
        seconds += s.elapsed.as_secs_f64();
        worst = worst.max(s.elapsed.as_secs_f64());
        check = (check * 31 + s.value().unwrap()) % 1_000_003;
    }
    let n = args[2];
    println!(
        "{} empties {} plies: {} nodes each, {:.3} s each, worst {worst:.3}, check {check}",
        args[0],
        args[1],
        nodes / u64::from(n),
        seconds / f64::from(n)
    );
}
