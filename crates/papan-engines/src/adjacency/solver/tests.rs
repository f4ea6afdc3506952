//! Every answer of the solver against plain minimax.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::{Detail, Solution, Solver, Task};
use crate::adjacency::reference::{PlainPosition, START, SplitMix, random_board};
use crate::common::deadline::Deadline;

fn solve(solver: &mut Solver, own: u64, opp: u64, plies: u32, detail: Detail) -> Solution {
    let stop = AtomicBool::new(false);
    let task = Task { own, opp, plies, detail, deadline: Deadline::until_stopped(&stop) };
    solver.solve(&task, &mut |_| {})
}

/// How many random positions: `ADJACENCY_TEST_POSITIONS` asks for more than the usual number.
fn positions(usual: u32) -> u32 {
    let wanted = std::env::var("ADJACENCY_TEST_POSITIONS").ok();
    wanted.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn check_position(solver: &mut Solver, own: u64, opp: u64, plies: u32, eight: bool) {
    let plain = PlainPosition::new(own, opp, plies, eight);
    let name = format!("{own:#x} {opp:#x} plies {plies} eight {eight}");
    let found = solve(solver, own, opp, plies, Detail::AllMoves);
    assert_eq!(found.value(), Some(plain.value()), "{name}");
    let values: Vec<(u32, i32)> = plain.moves().map(|cell| (cell as u32, -plain.after(cell).value())).collect();
    let best = values.iter().filter(|v| Some(v.1) == found.value()).map(|v| v.0);
    assert_eq!(found.best, best.collect::<Vec<_>>(), "{name}");
    assert!(found.best_complete);
    for (m, (cell, value)) in found.moves.iter().zip(values) {
        assert_eq!((m.cell, m.lower, m.upper), (cell, value, value), "{name}");
    }
    // The line is played to the end and reaches the value.
    let end = found.line.iter().fold(plain, |p, &cell| p.after(cell as usize));
    assert_eq!(found.line.len(), plies as usize, "{name}");
    assert_eq!(if plies.is_multiple_of(2) { end.value() } else { -end.value() }, found.lower, "{name}");
}

#[test]
fn equals_plain_minimax_on_random_positions() {
    let mut random = SplitMix::new(7);
    for eight in [false, true] {
        let mut kept = Solver::new(eight, 1, 8);
        for index in 0..positions(1_700) {
            let plies = 1 + random.below(7);
            let most = [0, 60, 50, 24, 14, 11, 9, 8][plies as usize];
            let empties = plies + random.below(most - plies + 1);
            let (own, opp) = random_board(&mut random, empties, eight);
            let solver = if index % 2 == 0 { &mut kept } else { &mut Solver::new(eight, 1, 1) };
            check_position(solver, own, opp, plies, eight);
        }
    }
}

#[test]
fn filling_boards_equal_plain_minimax() {
    let mut random = SplitMix::new(8);
    for eight in [false, true] {
        let mut solver = Solver::new(eight, 1, 8);
        for _ in 0..positions(800) {
            let plies = 1 + random.below(8);
            let (own, opp) = random_board(&mut random, plies, eight);
            check_position(&mut solver, own, opp, plies, eight);
        }
    }
}

/// Positions that two threads share: filling and open boards under both rules.
fn shared_positions(number: u32) -> impl Iterator<Item = (u64, u64, u32, bool)> {
    let mut random = SplitMix::new(9);
    (0..number).map(move |index| {
        let eight = index % 2 == 1;
        let plies = 9 + random.below(3);
        let empties = if index % 3 == 0 { plies } else { plies + 2 + random.below(12) };
        let (own, opp) = random_board(&mut random, empties, eight);
        (own, opp, plies, eight)
    })
}

#[test]
fn threads_agree_with_one_thread() {
    for (own, opp, plies, eight) in shared_positions(positions(60)) {
        let one = solve(&mut Solver::new(eight, 1, 8), own, opp, plies, Detail::AllMoves);
        let two = solve(&mut Solver::new(eight, 2, 8), own, opp, plies, Detail::AllMoves);
        let name = format!("{own:#x} {opp:#x} {plies}");
        assert_eq!((one.value(), one.best, one.moves), (two.value(), two.best, two.moves), "{name}");
    }
}

#[test]
fn a_stopped_search_leaves_bounds_that_hold() {
    let mut stopped = 0;
    for (own, opp, plies, eight) in shared_positions(30) {
        let exact = solve(&mut Solver::new(eight, 1, 8), own, opp, plies, Detail::AllMoves);
        // Shares of the time that the whole takes, so that some end among the moves on any machine.
        for eighths in 1..8 {
            let stop = AtomicBool::new(false);
            let at = Some(Instant::now() + exact.elapsed * eighths / 8);
            let deadline = Deadline { at, ..Deadline::until_stopped(&stop) };
            let task = Task { own, opp, plies, detail: Detail::AllMoves, deadline };
            let found = Solver::new(eight, 2, 8).solve(&task, &mut |_| {});
            assert!(found.lower <= exact.lower && exact.lower <= found.upper);
            for m in &found.moves {
                let exact = exact.moves.iter().find(|e| e.cell == m.cell).expect("the same moves");
                assert!(m.lower <= exact.lower && exact.lower <= m.upper, "{own:#x} {opp:#x} {plies} {m:?} {exact:?}");
            }
            assert!(found.best.iter().all(|cell| exact.best.contains(cell)));
            stopped += u32::from(found.moves.iter().any(|m| m.lower < m.upper));
        }
    }
    assert!(stopped > 0, "no search was stopped among the moves");
}

#[test]
fn known_values_from_the_start() {
    let mut solver = Solver::new(false, 1, 8);
    for (plies, value) in (1..=10).zip([3, 0, 3, 0, 3, 0, 3, 0, 3, -2]) {
        let found = solve(&mut solver, START.0, START.1, plies, Detail::Value);
        assert_eq!(found.value(), Some(value), "{plies} plies");
    }
}

#[test]
fn a_long_sweep_tells_how_far_it_is_and_can_be_stopped() {
    let (own, opp) = random_board(&mut SplitMix::new(21), 25, false);
    let mut heard = Vec::new();
    let stop = AtomicBool::new(false);
    let task = Task { own, opp, plies: 25, detail: Detail::BestMoves, deadline: Deadline::until_stopped(&stop) };
    // The table is smaller than the sweep, which may have as much as it needs up to 28 cells.
    let found = Solver::new(false, 2, 1).solve(&task, &mut |progress| heard.push(progress.nodes));
    assert_eq!(found.nodes, 1 << 25);
    assert_eq!(heard.last(), Some(&(1 << 25)));
    assert!(heard.is_sorted());
    let value = found.value().expect("nothing stops the sweep");
    let stopped = Solver::new(false, 2, 1)
        .solve(&Task { deadline: Deadline::until_stopped(&AtomicBool::new(true)), ..task }, &mut |_| {});
    assert!(-64 <= stopped.lower && stopped.lower < value && value < stopped.upper && stopped.upper <= 64);
}
