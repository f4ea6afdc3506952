//! The slow, obvious references that the fast solver is tested against.

use super::board::{Board, Lines};

/// Boxes that drawing `line` completes when `drawn` is drawn already.
#[must_use]
pub fn completed(board: Board, drawn: Lines, line: usize) -> usize {
    let after = drawn.with(line);
    let full = |cell: &usize| board.sides(*cell).iter().all(|&side| after.contains(side));
    board.beside(line).into_iter().flatten().filter(full).count()
}

/// Exact margin of the boxes to come, for the side to move, by plain alpha-beta.
///
/// A value within the window is exact; a value outside it is a bound.
#[must_use]
pub fn alpha_beta(board: Board, drawn: Lines, mut alpha: i32, beta: i32) -> i32 {
    let mut best = None;
    for line in board.all().without(drawn).iter() {
        let gained = completed(board, drawn, line) as i32;
        let value = if gained > 0 {
            gained + alpha_beta(board, drawn.with(line), alpha - gained, beta - gained)
        } else {
            -alpha_beta(board, drawn.with(line), -beta, -alpha)
        };
        best = best.max(Some(value));
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best.unwrap_or(0)
}

/// Exact margins of every position of a board of at most 31 lines, indexed by the bits of the drawn lines.
#[must_use]
pub fn full_table(board: Board) -> Vec<i8> {
    let lines = board.lines();
    assert!(lines < 32, "the table of all positions would not fit");
    let masks: Vec<usize> =
        (0..board.boxes()).map(|cell| board.sides(cell).iter().map(|side| 1 << side).sum()).collect();
    let beside: Vec<Vec<usize>> =
        (0..lines).map(|line| board.beside(line).into_iter().flatten().map(|cell| masks[cell]).collect()).collect();
    let mut table = vec![0_i8; 1 << lines];
    for drawn in (0..(1_usize << lines) - 1).rev() {
        let mut best = i8::MIN;
        for (line, boxes) in beside.iter().enumerate() {
            let after = drawn | 1 << line;
            if after == drawn {
                continue;
            }
            let gained = boxes.iter().filter(|&&mask| after & mask == mask).count() as i8;
            let value = if gained > 0 { gained + table[after] } else { -table[after] };
            best = best.max(value);
        }
        table[drawn] = best;
    }
    table
}
