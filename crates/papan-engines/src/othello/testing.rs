//! Random positions for tests.

use super::board::{Board, Shape};

use super::move_generation::{Cpu, Portable};
use crate::common::bits::SetBits;
use papan_core::{Player, Random};
use papan_games::othello::{OthelloPosition, Rules};

/// A board as a position of the game, its side to move the first player.
pub(crate) fn position_of(board: Board, shape: Shape) -> OthelloPosition {
    let rules = Rules { size: shape.size() as u8, passing: shape.passing() };
    OthelloPosition::new([board.player, board.opponent], Player::First, rules)
}

/// The start of a game, as black sees it.
pub(crate) fn start(shape: Shape) -> Board {
    Board::of(&OthelloPosition::start(Rules { size: shape.size() as u8, passing: shape.passing() })).0
}

/// A position of the standard game from its OBF.
pub(crate) fn obf(text: &str) -> OthelloPosition {
    let (squares, side) = text.split_once(' ').unwrap();
    let set = |mark: char| (0..).zip(squares.chars()).filter(|&(_, c)| c == mark).map(|(square, _)| 1 << square).sum();
    let to_move = if side == "X" { Player::First } else { Player::Second };
    OthelloPosition::new([set('X'), set('O')], to_move, Rules::STANDARD)
}

/// The board after a random legal move (or pass) with whether the side that moved is to move again from its own
/// chair; `None` if the game is over.
fn random_step(board: Board, shape: Shape, rng: &mut Random) -> Option<Board> {
    let moves = Portable.moves(board.player, board.opponent) & shape.playable();
    if moves == 0 {
        let reply = Portable.moves(board.opponent, board.player) & shape.playable();
        return (reply != 0).then(|| board.passed());
    }
    let pick = rng.below(moves.count_ones() as usize);
    let square = SetBits(moves).nth(pick)?;
    Some(board.after(square, Portable.flips(square, board.player, board.opponent)))
}

/// Boards from random games, at random moments, the side to move not bound to have a move.
pub(crate) fn random_boards(count: usize, seed: u64, shape: Shape) -> Vec<Board> {
    let mut rng = Random::new(seed);
    let mut boards = Vec::with_capacity(count);
    while boards.len() < count {
        let mut board = start(shape);
        while let Some(next) = random_step(board, shape, &mut rng) {
            boards.push(board);
            board = next;
        }
        boards.push(board);
    }
    boards.truncate(count);
    boards
}

/// Boards from random games with exactly `empties` empty squares.
pub(crate) fn random_boards_with_empties(count: usize, seed: u64, shape: Shape, empties: u32) -> Vec<Board> {
    let mut rng = Random::new(seed);
    let mut boards = Vec::with_capacity(count);
    while boards.len() < count {
        let mut board = start(shape);
        while shape.empties(board).count_ones() > empties {
            match random_step(board, shape, &mut rng) {
                Some(next) => board = next,
                None => break,
            }
        }
        if shape.empties(board).count_ones() == empties {
            boards.push(board);
        }
    }
    boards
}

/// Plays at random to the end, showing each board and whether its side to move is that of the first board.
pub(crate) fn random_playout(board: Board, shape: Shape, seed: u64, mut show: impl FnMut(Board, bool)) {
    let mut rng = Random::new(seed);
    let (mut now, mut same_side) = (board, true);
    show(now, same_side);
    while let Some(next) = random_step(now, shape, &mut rng) {
        (now, same_side) = (next, !same_side);
        show(now, same_side);
    }
}

/// The score for the side to move by plain negamax without a window: the obvious twin of every solver.
pub(crate) fn negamax(board: Board, shape: Shape) -> i32 {
    let moves = Portable.moves(board.player, board.opponent) & shape.playable();
    if moves == 0 {
        if !shape.passing() || Portable.moves(board.opponent, board.player) & shape.playable() == 0 {
            return board.final_score(shape.empties(board).count_ones());
        }
        return -negamax(board.passed(), shape);
    }
    SetBits(moves)
        .map(|square| {
            let flips = Portable.flips(square, board.player, board.opponent);
            -negamax(board.after(square, flips), shape)
        })
        .max()
        .unwrap_or(0)
}
