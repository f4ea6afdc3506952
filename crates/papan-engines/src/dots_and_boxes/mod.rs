//! Dots and Boxes: an exact solver and a strong player.
//!
//! ```text
//! bot, levels              the bot that Papan knows; full strength or a level that errs as people do
//! player, root, candidates the strong player: proof, search, and what it knows of each line
//! iterative_deepening      alpha-beta over quiet graphs; `evaluation` (the leaf) by playouts
//! solver, search           exact values: whole positions, null windows over quiet graphs
//! moves                    move generation and ordering; lines of equal value once
//! transposition, canonical bounds by a fingerprint that is the same for isomorphic graphs
//! board, contract, graph   lines and boxes; what can be taken, the quiet rest as joints and links
//! loony_endgame            exact values where only lone chains and loops are left
//! first_lines              3x3 from the empty board, looked up; made by `first_lines_making`
//! structure, insights      chains and loops for the eye; `reference`: slow and obvious, for tests
//! ```
//!
//! The theory is Berlekamp's (*The Dots and Boxes Game*, 2000; with Conway and Guy, *Winning Ways*, 1982, chapter
//! 16): coins and strings, the ground that strings end at, joints, loony moves, control.

pub mod board;
mod bot;
mod candidates;
mod canonical;
mod contract;
mod evaluation;
mod first_lines;
#[cfg(any(test, feature = "training"))]
pub mod first_lines_making;
mod graph;
mod insights;
mod iterative_deepening;
mod levels;
mod loony_endgame;
mod moves;
mod player;
pub mod reference;
mod root;
mod search;
pub mod solver;
mod structure;
mod transposition;

pub use bot::{DotsAndBoxesEngine, entry};
pub use insights::insights;
pub use solver::DotsAndBoxesSolver;
