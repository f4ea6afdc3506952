//! Games of the engine against itself from random openings.

use crate::othello::board::{Board, Shape};

use super::label::search_value;
use crate::common::bits::SetBits;
use crate::othello::cpu::Cpu;
use crate::othello::search::Searcher;
use crate::othello::search::pvs::Aborted;
use papan_core::Random;

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayOptions {
    /// Random plies at the start, from and to.
    pub opening: (u32, u32),
    /// Plies of the searches that choose moves.
    pub depth: u32,
    /// The chance of a random move later on, which brings in positions that good play avoids.
    pub slip: f64,
    /// The game is broken off once so few empties are left: from there on positions are solved.
    pub until_empties: u32,
}

impl Default for PlayOptions {
    fn default() -> Self {
        Self { opening: (2, 24), depth: 4, slip: 0.04, until_empties: 6 }
    }
}

/// One game: its boards after the opening, each with whether black is to move. The same seed and weights give the
/// same game.
pub fn play_game<C: Cpu>(
    searcher: &Searcher<'_, C>,
    options: PlayOptions,
    seed: u64,
) -> Result<Vec<(Board, bool)>, Aborted> {
    let mut rng = Random::new(seed);
    let opening = options.opening.0 + rng.below((options.opening.1 - options.opening.0 + 1) as usize) as u32;
    let (mut board, mut black) = (Shape::STANDARD.start(), true);
    let mut boards = Vec::with_capacity(64);
    // A table that remembers other games would let them change this one.
    searcher.table.clear();
    for ply in 0.. {
        let mut moves = searcher.moves(board);
        if moves == 0 {
            (board, black) = (board.passed(), !black);
            moves = searcher.moves(board);
        }
        if ply >= opening {
            boards.push((board, black));
        }
        if moves == 0 || Shape::STANDARD.empties(board).count_ones() <= options.until_empties {
            break;
        }
        let at_random = ply < opening || rng.unit() < options.slip;
        let square = if at_random {
            let pick = rng.below(moves.count_ones() as usize);
            SetBits(moves).nth(pick).unwrap_or(0)
        } else {
            u32::from(search_value(searcher, board, options.depth)?.1)
        };
        let flips = searcher.cpu.flips(square, board.player, board.opponent);
        (board, black) = (board.after(square, flips), !black);
    }
    Ok(boards)
}
