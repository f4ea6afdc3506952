//! Times of the Dots and Boxes solver, as the requirements name them.
//!
//! ```text
//! cargo run --release -p papan-engines --example dots_bench -- [threads] [name…]
//! ```
//!
//! Names: `3x3` (looked up), `3x3-search`, `3x4`, `3x5`, `4x4`, `4x4-10`, `5x5-34`, `5x5-34-safe`. Random positions are sets of lines
//! drawn from a fixed seed; `safe` ones have no box with three sides drawn. Each position gets a new solver
//! with an empty table, so that nothing is learnt from the one before.

use std::env;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use papan_core::Random;
use papan_engines::Control;
use papan_engines::dots_and_boxes::board::{Board, Lines};
use papan_engines::dots_and_boxes::solver::{Depth, Solver};

const MEGABYTES: usize = 1024;

/// A set of positions to solve.
struct Task {
    name: &'static str,
    rows: usize,
    cols: usize,
    drawn: usize,
    safe: bool,
    count: usize,
    /// Whether what is known without a search is looked up.
    looks_up: bool,
}

const fn empty(name: &'static str, rows: usize, cols: usize, count: usize) -> Task {
    Task { name, rows, cols, drawn: 0, safe: false, count, looks_up: true }
}

const TASKS: &[Task] = &[
    empty("3x3", 3, 3, 20),
    Task { looks_up: false, ..empty("3x3-search", 3, 3, 20) },
    empty("3x4", 3, 4, 3),
    Task { drawn: 34, ..empty("5x5-34", 5, 5, 200) },
    Task { drawn: 34, safe: true, ..empty("5x5-34-safe", 5, 5, 50) },
    Task { drawn: 10, ..empty("4x4-10", 4, 4, 20) },
    empty("3x5", 3, 5, 1),
    empty("4x4", 4, 4, 1),
];

/// Draws lines at random; with `safe`, none that would be the third of a box.
fn random_position(board: Board, count: usize, safe: bool, random: &mut Random) -> Lines {
    loop {
        let mut drawn = Lines::default();
        let mut lines: Vec<usize> = (0..board.lines()).collect();
        random.shuffle(&mut lines);
        for line in lines {
            let third = |cell: usize| board.sides(cell).iter().filter(|&&side| drawn.contains(side)).count() >= 2;
            if drawn.len() < count && !(safe && board.beside(line).into_iter().flatten().any(third)) {
                drawn.insert(line);
            }
        }
        if drawn.len() == count {
            return drawn;
        }
    }
}

fn run(task: &Task, threads: usize, depth: Depth) {
    let board = Board::new(task.rows, task.cols).expect("the sizes are right");
    let mut random = Random::new(2026);
    let stop = AtomicBool::new(false);
    let (mut nodes, mut seconds, mut slowest) = (0, 0.0, 0.0_f64);
    let mut sum = 0;
    for _ in 0..task.count {
        let drawn = random_position(board, task.drawn, task.safe, &mut random);
        let start = Instant::now();
        let mut solver = Solver::new(MEGABYTES, threads);
        if !task.looks_up {
            solver = solver.searching();
        }
        let solution = solver.solve(board, drawn, depth, &Control::until_stopped(&stop));
        let elapsed = start.elapsed().as_secs_f64();
        sum += solution.value.exact().expect("nobody stops the solver");
        nodes += solution.nodes;
        seconds += elapsed;
        slowest = slowest.max(elapsed);
    }
    let count = task.count as f64;
    println!(
        "{:<12} {depth:<8?} {:>4} positions, sum of values {sum:>4}: {:>10.1} ms each, slowest {:>10.1}, {:>12.0} nodes each, {:.2} us/node",
        task.name,
        task.count,
        1e3 * seconds / count,
        1e3 * slowest,
        nodes as f64 / count,
        1e6 * seconds / nodes.max(1) as f64,
    );
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let threads = arguments.first().and_then(|first| first.parse().ok()).unwrap_or(2);
    let names = &arguments[usize::from(arguments.first().is_some_and(|first| first.parse::<usize>().is_ok()))..];
    for task in TASKS.iter().filter(|task| names.is_empty() || names.iter().any(|name| name == task.name)) {
        for depth in [Depth::One, Depth::AllBest] {
            run(task, threads, depth);
        }
    }
}
