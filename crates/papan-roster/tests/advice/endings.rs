//! Within the solvers' reach no advice loses value.

use std::time::Duration;

use papan_core::{Budget, Random};
use papan_roster::advice::analyse;

use super::common::{check_against, random_table, truth};

/// Enough for any of these; the engines are done much sooner.
const TIME: Duration = Duration::from_secs(20);

/// Analyses `count` positions of a game after some random plies, and compares them with the solver.
fn check(spec: &str, plies: std::ops::Range<usize>, count: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut checked = 0;
    for _ in 0..20 * count {
        let depth = plies.start + random.below(plies.len());
        let Some(table) = random_table(spec, depth, &mut random) else { continue };
        let truth = truth(&*table, TIME).expect("within reach");
        let analysis = analyse(&*table, "engine", &Budget::time(TIME)).unwrap();
        assert!(analysis.readable.exact, "{spec} {}", table.position());
        check_against(&analysis, &truth);
        checked += 1;
        if checked == count {
            return;
        }
    }
    panic!("{spec}: only {checked} positions");
}

#[test]
fn dots_and_boxes_of_three_by_three() {
    check("dots-and-boxes", 2..23, 60, 1);
}

#[test]
fn dots_and_boxes_of_four_by_four() {
    check("dots-and-boxes:rows=4,cols=4", 16..38, 40, 2);
}

#[test]
fn adjacency_with_cells_left_over() {
    check("adjacency:rounds=8", 8..15, 20, 3);
}

#[test]
fn adjacency_on_a_full_board() {
    check("adjacency:rounds=28", 44..55, 20, 4);
    check("adjacency:rounds=28,neighbours=8", 46..55, 10, 5);
}

#[test]
fn othello() {
    check("othello", 48..59, 20, 6);
    check("othello:size=6", 20..31, 20, 7);
}

#[test]
fn small_boards_of_the_tic_tac_toe_family() {
    check("tic-tac-toe", 0..8, 40, 8);
    check("tic-tac-toe:misere=on", 0..8, 20, 9);
    check("tic-tac-toe:rows=4,cols=5,k=4", 3..15, 30, 10);
}
