//! A match between two sets of weights, at the same depth from the same random openings.

use papan_core::{Position as _, Random};
use papan_engines::othello::TrainingSearch;
use papan_engines::othello::evaluation::Weights;
use papan_games::othello::{OthelloMove, OthelloPosition, Rules};

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
    let searches = [first, second].map(TrainingSearch::new);
    let mut random = Random::new(options.seed);
    let openings = (0..options.pairs).filter_map(|_| opening(options.opening, &mut random));
    let result = |start, first| play(start, [&searches[first], &searches[1 - first]], options.depth);
    openings.map(|start| result(start, 0) - result(start, 1)).collect()
}

/// A position after random moves, if the side to move has one.
pub fn opening(moves: u32, random: &mut Random) -> Option<OthelloPosition> {
    let mut position = OthelloPosition::start(Rules::STANDARD);
    for _ in 0..moves {
        let legal = position.legal_moves();
        let pick = random.below(legal.squares().count_ones().max(1) as usize);
        position = position.after(legal.into_iter().nth(pick).filter(|&mv| mv != OthelloMove::PASS)?);
    }
    (position.legal_moves().squares() != 0).then_some(position)
}

/// The result of a game for the side that is to move at its start, whose search is the first one.
fn play(start: OthelloPosition, searches: [&TrainingSearch<'_>; 2], depth: u32) -> i32 {
    searches.iter().for_each(|search| search.clear());
    let mut position = start;
    let side = |position: &OthelloPosition| usize::from(position.to_move() != start.to_move());
    while !position.is_over() && position.empties().count_ones() > SOLVED_FROM {
        let (_, mv) = searches[side(&position)].value(&position, depth);
        position = position.after(mv);
    }
    let score = searches[0].exact(&position, 0);
    if side(&position) == 0 { score } else { -score }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_engines::othello::evaluation::embedded_weights;

    #[test]
    fn weights_do_not_beat_themselves() {
        let options = DuelOptions { pairs: 3, opening: 20, depth: 1, seed: 4 };
        assert_eq!(duel(embedded_weights(), embedded_weights(), options), [0, 0, 0]);
    }
}
