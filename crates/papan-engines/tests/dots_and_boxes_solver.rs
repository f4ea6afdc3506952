//! The Dots and Boxes solver against its slow references and the published values.

use papan_core::Random;
use papan_engines::dots_and_boxes::board::{Board, Border, Lines};
use papan_engines::dots_and_boxes::reference::{alpha_beta, completed, full_table};
use papan_engines::dots_and_boxes::solver::{Depth, Solver};
use papan_engines::{Bounds, Control};
use std::sync::atomic::AtomicBool;

fn value(solver: &mut Solver, board: Board, drawn: Lines) -> i32 {
    let stop = AtomicBool::new(false);
    solver.value(board, drawn, &Control::until_stopped(&stop)).exact().expect("nobody stops the solver")
}

fn random_position(board: Board, random: &mut Random) -> Lines {
    let density = random.unit();
    (0..board.lines()).filter(|_| random.unit() < density).collect()
}

fn index(drawn: Lines) -> usize {
    drawn.iter().map(|line| 1_usize << line).sum()
}

#[test]
fn random_positions_equal_the_full_table() {
    for (rows, cols, count) in [(3, 3, 100_000), (2, 4, 20_000), (1, 6, 2_000), (2, 2, 2_000)] {
        let board = Board::new(rows, cols).unwrap();
        let table = full_table(board);
        let mut solver = Solver::new(16, 1);
        let mut random = Random::new(20_261);
        for _ in 0..count {
            let drawn = random_position(board, &mut random);
            assert_eq!(value(&mut solver, board, drawn), i32::from(table[index(drawn)]), "{rows}x{cols} {drawn:?}");
        }
    }
}

#[test]
fn every_move_of_random_positions_equals_the_full_table() {
    let board = Board::new(3, 3).unwrap();
    let table = full_table(board);
    let mut solver = Solver::new(16, 2);
    let mut random = Random::new(3);
    let stop = AtomicBool::new(false);
    for _ in 0..500 {
        let drawn = random_position(board, &mut random);
        let solution = solver.solve(board, drawn, Depth::Everything, &Control::until_stopped(&stop));
        let mut best = Vec::new();
        for &(line, found) in &solution.moves {
            let gained = completed(board, drawn, line) as i32;
            let after = i32::from(table[index(drawn.with(line))]);
            let expected = if gained > 0 { gained + after } else { -after };
            assert_eq!(found, Bounds { low: expected, high: expected });
            if expected == i32::from(table[index(drawn)]) {
                best.push(line);
            }
        }
        assert_eq!(solution.best(), best);
        let all_best = solver.solve(board, drawn, Depth::AllBest, &Control::until_stopped(&stop));
        assert_eq!(all_best.best(), best);
        let one = solver.solve(board, drawn, Depth::One, &Control::until_stopped(&stop)).best();
        assert!(one.iter().all(|line| best.contains(line)) && one.len() == best.len().min(1));
    }
}

#[test]
fn late_positions_of_larger_boards_equal_alpha_beta() {
    let mut random = Random::new(11);
    for (rows, cols) in [(3, 4), (4, 4), (5, 5), (2, 9), (10, 10)] {
        let board = Board::new(rows, cols).unwrap();
        let mut solver = Solver::new(4, 1);
        for _ in 0..60 {
            let mut drawn = board.all();
            // A patch of undrawn lines around one place, so that large boards have large structures too.
            let centre = random.below(board.lines());
            let mut lines: Vec<usize> = (0..board.lines()).collect();
            let spread = 1 + random.below(board.lines());
            lines.sort_by_cached_key(|&line| line.abs_diff(centre) + random.below(spread));
            lines.iter().take(8).for_each(|&line| drawn.remove(line));
            let all = board.boxes() as i32;
            assert_eq!(value(&mut solver, board, drawn), alpha_beta(board, drawn, -all, all), "{drawn:?}");
        }
    }
}

#[test]
fn published_values_of_small_boards() {
    let known =
        [(1, 1, -1), (1, 2, 0), (1, 3, -1), (2, 2, 2), (2, 3, -2), (2, 4, 2), (2, 5, -2), (3, 3, -3), (3, 4, 0)];
    let mut solver = Solver::new(64, 2);
    for (rows, cols, expected) in known {
        let board = Board::new(rows, cols).unwrap();
        assert_eq!(value(&mut solver, board, Lines::default()), expected, "{rows}x{cols}");
    }
}

#[test]
fn borders_are_positions_like_any_other() {
    for border in [Border::Icelandic, Border::Swedish] {
        for (rows, cols) in [(1, 1), (2, 2), (2, 3), (3, 3)] {
            let board = Board::new(rows, cols).unwrap();
            let drawn = board.drawn_at_start(border);
            let expected = i32::from(full_table(board)[index(drawn)]);
            assert_eq!(value(&mut Solver::new(4, 1), board, drawn), expected, "{border:?} {rows}x{cols}");
        }
    }
}

#[test]
fn a_stopped_solve_gives_bounds_and_can_be_resumed() {
    let board = Board::new(3, 4).unwrap();
    let stop = AtomicBool::new(false);
    let mut first = Solver::new(8, 1);
    let limited = Control { nodes: Some(100_000), ..Control::until_stopped(&stop) };
    let bounds = first.value(board, Lines::default(), &limited);
    assert!(bounds.exact().is_none() && bounds.low <= 0 && bounds.high >= 0);
    let mut saved = Vec::new();
    first.save(&mut saved).unwrap();
    let mut second = Solver::resumed(&mut saved.as_slice(), 1).unwrap();
    assert_eq!(second.megabytes(), 8);
    assert_eq!(value(&mut second, board, Lines::default()), 0);
    let mut fresh = Solver::new(8, 1);
    assert_eq!(value(&mut fresh, board, Lines::default()), 0);
    assert!(second.nodes() + 50_000 < fresh.nodes(), "{} against {}", second.nodes(), fresh.nodes());
    assert!(Solver::resumed(&mut &b"PAPANDB3 something else"[..], 1).is_err());
    assert!(Solver::resumed(&mut &saved[1..], 1).is_err());
    let middle = saved.len() / 2;
    saved[middle] ^= 1;
    assert!(Solver::resumed(&mut saved.as_slice(), 1).is_err(), "one wrong bit");
}

#[test]
fn a_stop_flag_set_before_stops_at_once() {
    let board = Board::new(5, 5).unwrap();
    let stop = AtomicBool::new(true);
    let mut solver = Solver::new(8, 2);
    let bounds = solver.value(board, Lines::default(), &Control::until_stopped(&stop));
    assert_eq!((bounds.low, bounds.high, solver.nodes()), (-25, 25, 0));
}
