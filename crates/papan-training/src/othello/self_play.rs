//! Games of the engine against itself from random openings.

use papan_core::{Position as _, Random};
use papan_engines::othello::TrainingSearch;
use papan_games::othello::{OthelloMove, OthelloPosition, Rules};

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

/// One game: its positions after the opening. The same seed and weights give the same game.
pub(super) fn play_game(search: &TrainingSearch<'_>, options: PlayOptions, seed: u64) -> Vec<OthelloPosition> {
    let mut rng = Random::new(seed);
    let opening = options.opening.0 + rng.below((options.opening.1 - options.opening.0 + 1) as usize) as u32;
    let mut position = OthelloPosition::start(Rules::STANDARD);
    let mut positions = Vec::with_capacity(64);
    // A table that remembers other games would let them change this one.
    search.clear();
    for ply in 0.. {
        if position.legal_moves().squares() == 0 {
            position = position.after(OthelloMove::PASS);
        }
        let moves = position.legal_moves();
        if ply >= opening {
            positions.push(position);
        }
        if moves.squares() == 0 || position.empties().count_ones() <= options.until_empties {
            break;
        }
        let at_random = ply < opening || rng.unit() < options.slip;
        let drawn = at_random.then(|| rng.below(moves.squares().count_ones() as usize));
        let mv = drawn.and_then(|pick| moves.into_iter().nth(pick));
        position = position.after(mv.unwrap_or_else(|| search.value(&position, options.depth).1));
    }
    positions
}
