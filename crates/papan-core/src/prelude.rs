//! What nearly every program that uses this library names.
//!
//! ```
//! use papan_core::prelude::*;
//!
//! fn plies_of_a_random_game<G: Game>(game: &G, random: &mut Random) -> usize {
//!     let mut position = game.start();
//!     let mut plies = 0;
//!     while !position.is_over() {
//!         let moves: Vec<_> = position.legal_moves().into_iter().collect();
//!         position = position.after(moves[random.below(moves.len())]);
//!         plies += 1;
//!     }
//!     plies
//! }
//! ```

pub use crate::table::{Table, TableBot};
pub use crate::{
    AnyBot, Bot, Budget, Decision, Exactness, Game, Margin, Move, MoveOf, MoveSet, ParseError, Place, Player, Position,
    Random, Score, StopToken,
};
