//! The Adjacency Strategy Game: an exact solver, a strong player, a book and levels.
//!
//! ```text
//! bot, answer, levels   the bot that Papan knows: book, filling board, search, proof; or a level
//! search                the playing search's limits and positions; `iterative_deepening`: PVS over them
//! evaluation, weights   the leaf, fitted by `fit`; `transposition`: the playing search's table
//! solver                exact values by proof search, with a transposition table of proofs
//! filling               boards that will be full: a game of its own, with search and evaluation
//! book, rule, reference exact first moves (made by `book_making`); neighbourhoods as bits; slow and obvious, for tests
//! ```
//!
//! Everything below [`AdjacencyEngine`] works on plain bitboards: own marks, the opponent's marks, plies
//! left; bit = 8 * row + column from the top left.

mod answer;
pub mod book;
#[cfg(any(test, feature = "training"))]
pub mod book_making;
mod bot;
mod evaluation;
pub mod filling;
#[cfg(any(test, feature = "training"))]
pub mod fit;
mod iterative_deepening;
mod levels;
pub mod reference;
pub mod rule;
mod search;
pub mod solver;
#[cfg(test)]
mod tests;
mod transposition;
mod weights;

pub use bot::{AdjacencyEngine, entry};
pub use solver::AdjacencySolver;
