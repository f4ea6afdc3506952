//! The Dots and Boxes players: legal, perfect where the value is known, and what the rest of Papan sees of them.

use papan_core::solver::{SolveLimits, Solver as _};
use papan_core::{Bits256, Bot as _, Budget, Exactness, Game, Place, Position as _, Random, Score, StopToken};
use papan_engines::dots_and_boxes::board::{Board, Lines};
use papan_engines::dots_and_boxes::reference::{completed, full_table};
use papan_engines::dots_and_boxes::{DotsAndBoxesEngine, DotsAndBoxesSolver};
use papan_games::dots_and_boxes::DotsAndBoxes;

fn game<B: papan_core::Bits>(spec: &str) -> DotsAndBoxes<B> {
    spec.parse().expect("the options are right")
}

fn limits() -> SolveLimits {
    SolveLimits { threads: 1, table_mb: Some(16), one_best: false, time: None, stop: StopToken::new() }
}

/// On 3x3 every move is best, whatever the other side does, and the second player wins every game.
#[test]
fn perfect_on_three_by_three() {
    let board = Board::new(3, 3).unwrap();
    let table = full_table(board);
    let game = game::<u64>("dots-and-boxes");
    let mut random = Random::new(5);
    let mut engine = DotsAndBoxesEngine::new(&game, None, 1);
    for number in 0..6 {
        let mut position = game.start();
        let engine_seat = number as usize % 2;
        while !position.is_over() {
            if position.to_move().index() != engine_seat {
                let moves = position.legal_moves().into_iter().collect::<Vec<_>>();
                position = position.after(moves[random.below(moves.len())]);
                continue;
            }
            let decision = engine.choose(&position, &Budget::nodes(1_000_000));
            let drawn = Lines::from_bits(position.lines());
            let gained = completed(board, drawn, decision.mv.0 as usize) as i32;
            let after = i32::from(table[(position.lines() | 1 << decision.mv.0) as usize]);
            let value = if gained > 0 { gained + after } else { -after };
            assert_eq!(value, i32::from(table[position.lines() as usize]));
            assert_eq!(decision.exactness, Exactness::Exact);
            let now = position.margin().for_player(position.to_move()).0;
            assert_eq!(decision.score, Score(now + value));
            position = position.after(decision.mv);
        }
        if engine_seat == 1 {
            assert!(position.margin().0 < 0, "the second player wins");
        }
    }
}

#[test]
fn every_level_plays_whole_games_on_boards_of_all_shapes() {
    for spec in ["rows=1,cols=1", "rows=2,cols=3,border=icelandic", "rows=4,cols=4,border=swedish", "rows=6,cols=7"] {
        let game = game::<Bits256>(&format!("dots-and-boxes:{spec}"));
        for level in [1, 2, 3, 5, 7, 10] {
            let mut engine = DotsAndBoxesEngine::new(&game, Some(level), 7);
            let mut position = game.start();
            while !position.is_over() {
                let decision = engine.choose(&position, &Budget::nodes(100));
                position = position.play(decision.mv).expect("the move is legal");
            }
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let game = game::<u64>("dots-and-boxes:rows=4,cols=4");
    let play = |level| {
        let mut engine = DotsAndBoxesEngine::new(&game, level, 3);
        let mut position = game.start();
        let mut moves: Vec<Place> = Vec::new();
        while !position.is_over() {
            let mv = engine.choose(&position, &Budget::nodes(500)).mv;
            moves.push(mv);
            position = position.after(mv);
        }
        moves
    };
    for level in [None, Some(1), Some(5)] {
        assert_eq!(play(level), play(level));
    }
}

#[test]
fn the_solver_counts_what_has_been_won() {
    let game = game::<u64>("dots-and-boxes:rows=2,cols=2");
    let mut solver = DotsAndBoxesSolver::new(&game);
    let solution = solver.solve(&game.start(), &limits(), &mut |_| {});
    assert_eq!(solution.value(), Some(Score(2)));
    assert!(solution.best_complete && !solution.best.is_empty());
    assert_eq!((solution.moves.len(), solution.pv.len()), (12, 12));
    // Along best play the final margin stays what it was.
    let mut position = game.start();
    for &mv in &solution.pv {
        let value = solver.solve(&position, &limits(), &mut |_| {}).value().unwrap();
        assert_eq!(value.margin(position.to_move()).0, 2);
        position = position.after(mv);
    }
    assert_eq!(position.margin().0, 2);
}
