//! Random starts in the manner of XOT: eight random moves after which neither side is ahead by much.

use super::board::{NO_SQUARE, Shape, squares};
use super::engine::{Engine, Spend};
use super::formats::transcript::State;
use papan_core::Random;
use std::sync::atomic::AtomicBool;

/// How balanced starts are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartOptions {
    /// Random moves.
    pub plies: u32,
    /// The engine's score of the position may be at most this far from zero.
    pub within: i32,
    /// Plies of the engine's search.
    pub depth: u32,
}

impl Default for StartOptions {
    fn default() -> Self {
        Self { plies: 8, within: 2, depth: 10 }
    }
}

/// A random balanced start as its moves from the usual start, drawn until one is balanced.
pub fn balanced_start(engine: &mut Engine, shape: Shape, options: StartOptions, rng: &mut Random) -> Vec<u8> {
    let stop = AtomicBool::new(false);
    let spend = Spend { depth: Some(options.depth), solve_from: Some(0), ..Spend::until(&stop) };
    loop {
        let Some((moves, state)) = random_moves(shape, options.plies, rng) else { continue };
        if engine.think(state.board, shape, spend, &mut |_| ()).score.abs() <= options.within {
            return moves;
        }
    }
}

/// Random legal moves; `None` if the game ended before there were enough.
fn random_moves(shape: Shape, plies: u32, rng: &mut Random) -> Option<(Vec<u8>, State)> {
    let mut state = State::start(shape);
    let mut moves = Vec::new();
    for _ in 0..plies {
        let legal = state.moves();
        let square = match legal.count_ones() {
            0 => NO_SQUARE,
            count => squares(legal).nth(rng.below(count as usize))? as u8,
        };
        state = state.after(square)?;
        moves.push(square);
    }
    Some((moves, state))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_balanced_and_depend_on_the_seed_alone() {
        let options = StartOptions { depth: 4, ..StartOptions::default() };
        let start = |seed| {
            let mut rng = Random::new(seed);
            balanced_start(&mut Engine::new(1, 1), Shape::STANDARD, options, &mut rng)
        };
        assert_eq!(start(5).len(), 8);
        assert_eq!(start(5), start(5));
        assert_ne!(start(5), start(6));
    }
}
