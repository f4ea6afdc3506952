//! The m,n,k solver and players against plain minimax and the known values.

use papan_core::solver::{SolveLimits, Solver as _};
use papan_core::{Bot as _, Budget, Exactness, Game, Position as _, Random, Score, StopToken};
use papan_engines::Control;
use papan_engines::tic_tac_toe::board::Board;
use papan_engines::tic_tac_toe::solver::Solver;
use papan_engines::tic_tac_toe::state::State;
use papan_engines::tic_tac_toe::{TicTacToeEngine, TicTacToeSolver};
use papan_games::tic_tac_toe::TicTacToe;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

fn solve(rows: usize, cols: usize, k: usize, misere: bool) -> i32 {
    let board = Board::new(rows, cols, k, misere);
    let mut solver = Solver::new(board.clone(), 64);
    let stop = AtomicBool::new(false);
    solver.value(&mut State::new(&board), &Control::until_stopped(&stop)).expect("nobody stops it")
}

#[test]
fn known_values() {
    let known = [
        (3, 3, 3, 0),
        (4, 3, 3, 1),
        (3, 4, 3, 1),
        (4, 4, 4, 0),
        (5, 4, 4, 0),
        (5, 5, 4, 0),
        (6, 5, 4, 1),
        (5, 6, 4, 1),
        (6, 6, 4, 1),
        (3, 3, 1, 1),
        (3, 3, 2, 1),
        (3, 4, 5, 0),
    ];
    for (rows, cols, k, value) in known {
        assert_eq!(solve(rows, cols, k, false), value, "({rows},{cols},{k})");
    }
}

/// Plain minimax by marks; no threats, no symmetry.
fn minimax(board: &Board, cells: &mut Vec<u8>, side: u8, known: &mut HashMap<Vec<u8>, i32>) -> i32 {
    if let Some(&value) = known.get(cells) {
        return value;
    }
    let row_of = |side: u8| board.lines().iter().any(|line| line.iter().all(|&cell| cells[cell as usize] == side));
    let value = if row_of(3 - side) {
        if board.is_misere() { 1 } else { -1 }
    } else if cells.iter().all(|&cell| cell != 0) {
        0
    } else {
        let mut best = -1;
        for cell in 0..cells.len() {
            if cells[cell] == 0 {
                cells[cell] = side;
                best = best.max(-minimax(board, cells, 3 - side, known));
                cells[cell] = 0;
            }
        }
        best
    };
    known.insert(cells.clone(), value);
    value
}

#[test]
fn random_positions_equal_minimax() {
    let mut random = Random::new(1);
    // On the larger boards enough cells are marked for plain minimax to see the end.
    for (rows, cols, k, marked) in [
        (3, 3, 3, 0),
        (3, 4, 3, 0),
        (4, 3, 2, 0),
        (3, 4, 4, 0),
        (2, 5, 2, 0),
        (3, 3, 1, 0),
        (4, 4, 3, 5),
        (4, 4, 4, 6),
        (4, 5, 4, 9),
        (5, 5, 4, 14),
        (5, 5, 5, 14),
    ] {
        for misere in [false, true] {
            let board = Board::new(rows, cols, k, misere);
            let mut solver = Solver::new(board.clone(), 1);
            let mut known = HashMap::new();
            let stop = AtomicBool::new(false);
            for _ in 0..60 {
                let mut state = State::new(&board);
                let mut cells = vec![0; board.cells()];
                let plies = marked + random.below(board.cells() - marked);
                for _ in 0..plies {
                    let free: Vec<usize> = (0..board.cells()).filter(|&cell| state.is_empty(cell)).collect();
                    let cell = free[random.below(free.len())];
                    cells[cell] = state.to_move() as u8 + 1;
                    state.play(cell);
                    if state.is_over() {
                        break;
                    }
                }
                if state.is_over() {
                    continue;
                }
                let expected = minimax(&board, &mut cells, state.to_move() as u8 + 1, &mut known);
                let found = solver.value(&mut state, &Control::until_stopped(&stop)).unwrap();
                assert_eq!(found, expected, "{board:?} {cells:?}");
            }
        }
    }
}

fn game(spec: &str) -> TicTacToe<u64> {
    spec.parse().unwrap()
}

#[test]
fn the_engine_never_loses_on_three_by_three() {
    let game = game("tic-tac-toe");
    let mut random = Random::new(9);
    let mut engine = TicTacToeEngine::new(&game, None, 1);
    for number in 0..60 {
        let mut position = game.start();
        let seat = number as usize % 2;
        while !position.is_over() {
            position = if position.to_move().index() == seat {
                let decision = engine.choose(&position, &Budget::time(std::time::Duration::from_secs(20)));
                assert_eq!(decision.exactness, Exactness::Exact);
                position.play(decision.mv).expect("the move is legal")
            } else {
                let moves: Vec<_> = position.legal_moves().into_iter().collect();
                position.after(moves[random.below(moves.len())])
            };
        }
        assert!(position.points()[1 - seat] == 0);
    }
}

#[test]
fn every_level_plays_whole_games() {
    for spec in ["tic-tac-toe", "tic-tac-toe:misere", "tic-tac-toe:rows=5,cols=6,k=4", "tic-tac-toe:rows=3,cols=3,k=1"]
    {
        let game = game(spec);
        for level in 1..=10 {
            let mut engine = TicTacToeEngine::new(&game, Some(level), 2);
            let mut position = game.start();
            while !position.is_over() {
                let decision = engine.choose(&position, &Budget::nodes(300));
                position = position.play(decision.mv).expect("the move is legal");
            }
        }
    }
}

#[test]
fn the_solver_lists_every_best_move() {
    let game = game("tic-tac-toe");
    let mut solver = TicTacToeSolver::new(&game);
    let mut limits = SolveLimits { threads: 1, table_mb: Some(1), one_best: false, time: None, stop: StopToken::new() };
    let solution = solver.solve(&game.start(), &limits, &mut |_| {});
    assert_eq!((solution.value(), solution.best.len(), solution.best_complete), (Some(Score(0)), 9, true));
    limits.one_best = true;
    let solution = solver.solve(&game.start(), &limits, &mut |_| {});
    assert_eq!((solution.value(), solution.best.len(), solution.best_complete), (Some(Score(0)), 1, false));
}
