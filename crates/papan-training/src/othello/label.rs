//! Scores for positions of a game: exact near the end, before that a mixture of what a search says and of what
//! became of the game.
//!
//! From the end backwards the target of position t is `G(t) = (1 − λ)·v(t) + λ·(±G(t+1))`, where v is the value of
//! a search. Where the move that was played is a mistake, what became of the game says nothing about the position
//! before it, and `G(t) = v(t)`.

use papan_core::{Player, Position as _};
use papan_engines::othello::TrainingSearch;
use papan_games::othello::{OthelloMove, OthelloPosition};

use super::sample::Sample;

/// How labels are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelOptions {
    /// Plies of the searches.
    pub depth: u32,
    /// Positions with at most so many empties are solved.
    pub exact_from: u32,
    /// λ: how much what became of the game counts against the search.
    pub trust: f32,
    /// A move that loses more than this many discs is a mistake.
    pub tolerance: i32,
}

impl Default for LabelOptions {
    fn default() -> Self {
        Self { depth: 4, exact_from: 14, trust: 0.85, tolerance: 1 }
    }
}

/// Samples of a game given as its positions.
pub(super) fn label_game(
    search: &TrainingSearch<'_>,
    positions: &[OthelloPosition],
    options: LabelOptions,
    game: u32,
) -> Vec<Sample> {
    let mut samples = Vec::with_capacity(positions.len());
    let mut later: Option<(f32, Player)> = None;
    for (place, position) in positions.iter().enumerate().rev() {
        let mover = position.to_move();
        let came_of_it = later.map(|(target, side)| if side == mover { target } else { -target });
        let target = if position.empties().count_ones() <= options.exact_from {
            search.exact(position, came_of_it.map_or(0, |target| target as i32)) as f32
        } else {
            let (value, best) = search.value(position, options.depth);
            match (came_of_it, positions.get(place + 1)) {
                (Some(outcome), Some(next)) if !mistake(search, [position, next], (value, best), options) => {
                    (1.0 - options.trust) * value as f32 + options.trust * outcome
                }
                _ => value as f32,
            }
        };
        later = Some((target, mover));
        if position.legal_moves().squares() != 0 {
            let [player, opponent] = position.own_and_other();
            samples.push(Sample { player, opponent, score: target.round() as i8, game });
        }
    }
    samples
}

/// Whether the move from one position to the next loses more than the tolerance, by searches to the same horizon.
fn mistake(
    search: &TrainingSearch<'_>,
    [position, next]: [&OthelloPosition; 2],
    (value, best): (i32, OthelloMove),
    options: LabelOptions,
) -> bool {
    let placed = position.empties() & !next.empties();
    if best.as_square().is_none_or(|best| placed == 1 << best) {
        return false;
    }
    let (reply, _) = search.value(next, options.depth - 1);
    let played = if next.to_move() == position.to_move() { reply } else { -reply };
    value - played > options.tolerance
}
