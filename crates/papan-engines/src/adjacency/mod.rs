//! The Adjacency Strategy Game: exact solver, strong search, book and levels.
//!
//! Everything below [`engine`] works on plain bitboards: own marks, the opponent's marks, plies
//! left; bit = 8 * row + column from the top left.

mod answer;
pub mod book;
pub mod engine;
pub mod entry;
pub mod exact;
pub mod filling;
mod filling_player;
pub mod levels;
pub mod play;
pub mod reference;
pub mod rule;
pub mod solver;
#[cfg(test)]
mod tests;

pub use engine::AdjacencyEngine;
pub use solver::AdjacencySolver;
