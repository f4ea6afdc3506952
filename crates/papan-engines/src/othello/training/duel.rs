//! A match between two sets of weights, at the same depth from the same random openings.

use crate::othello::board::{Board, Shape};

use super::label::search_value;
use super::workshop::{Errand, with_searcher};
use crate::common::bits::SetBits;
use crate::othello::cpu::{Cpu, Portable};
use crate::othello::endgame::exact::exact_score;
use crate::othello::evaluation::weights::Weights;
use crate::othello::search::Searcher;
use crate::othello::search::pvs::Aborted;
use papan_core::Random;

/// Positions with at most so many empties are solved: the weights have no say in them.
const SOLVED_FROM: u32 = 10;

/// How a match is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DuelOptions {
    /// Openings; each is played twice, with sides changed.
    pub pairs: u32,
    /// Random moves of an opening.
    pub opening: u32,
    /// Plies of both sides' searches.
    pub depth: u32,
    /// The seed of the openings.
    pub seed: u64,
}

/// Discs by which the first weights won each pair of games: the sum of its two results.
#[must_use]
pub fn duel(first: &Weights, second: &Weights, options: DuelOptions) -> Vec<i32> {
    with_searcher(first, Hall { second, options })
}

struct Hall<'a> {
    second: &'a Weights,
    options: DuelOptions,
}

impl Errand for Hall<'_> {
    type Output = Vec<i32>;

    fn run<C: Cpu>(self, first: &Searcher<'_, C>) -> Vec<i32> {
        with_searcher(self.second, Games { first, options: self.options })
    }
}

struct Games<'a, D: Cpu> {
    first: &'a Searcher<'a, D>,
    options: DuelOptions,
}

impl<D: Cpu> Errand for Games<'_, D> {
    type Output = Vec<i32>;

    fn run<C: Cpu>(self, second: &Searcher<'_, C>) -> Vec<i32> {
        let mut random = Random::new(self.options.seed);
        let openings = (0..self.options.pairs).filter_map(|_| opening(self.options.opening, &mut random));
        openings
            .map(|start| {
                // Nothing limits these searches, so none is ever broken off.
                let result =
                    |first_begins| play(start, self.first, second, self.options.depth, first_begins).unwrap_or(0);
                result(true) - result(false)
            })
            .collect()
    }
}

/// A board after random moves, if the game is not over.
fn opening(moves: u32, random: &mut Random) -> Option<Board> {
    let mut board = Shape::STANDARD.start();
    for _ in 0..moves {
        let legal = Portable.moves(board.player, board.opponent);
        let square = SetBits(legal).nth(random.below(legal.count_ones().max(1) as usize))?;
        board = board.after(square, Portable.flips(square, board.player, board.opponent));
    }
    (Portable.moves(board.player, board.opponent) != 0).then_some(board)
}

/// The result of a game for the side that is to move at its start.
fn play<C: Cpu, D: Cpu>(
    start: Board,
    first: &Searcher<'_, D>,
    second: &Searcher<'_, C>,
    depth: u32,
    mut first_moves: bool,
) -> Result<i32, Aborted> {
    first.table.clear();
    second.table.clear();
    let (mut board, mut sign) = (start, 1);
    loop {
        let empties = Shape::STANDARD.empties(board).count_ones();
        if empties <= SOLVED_FROM {
            return Ok(sign * exact_score(first.cpu, &first.endgame, &mut 0, board, 0));
        }
        if let Some(score) = first.without_moves(board) {
            return Ok(sign * score);
        }
        if first.moves(board) == 0 {
            board = board.passed();
        } else {
            let (_, square) =
                if first_moves { search_value(first, board, depth)? } else { search_value(second, board, depth)? };
            let square = u32::from(square);
            board = board.after(square, first.cpu.flips(square, board.player, board.opponent));
        }
        (sign, first_moves) = (-sign, !first_moves);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::evaluation::embedded_weights;

    #[test]
    fn weights_do_not_beat_themselves() {
        let options = DuelOptions { pairs: 3, opening: 20, depth: 1, seed: 4 };
        assert_eq!(duel(embedded_weights(), embedded_weights(), options), [0, 0, 0]);
    }
}
