//! Dots and Boxes: an exact solver and a strong player.
//!
//! ```text
//! board, reference             lines, boxes, and the slow reference
//! contract -> graph            what can be taken, and the quiet rest as joints and links (strings and coins)
//! canonical                    a fingerprint that is the same for isomorphic graphs
//! loony_endgame                exact values where only lone chains and loops are left
//! moves                        moves of a quiet position, those of equal value once
//! transposition, search,
//! solver                       bounds by fingerprint, null windows, whole positions
//! first_lines                  3x3 from the empty board, looked up
//! candidates, playout, root,
//! iterative_deepening, player  the strong player: root, evaluation by playouts, search
//! levels                       weaker players
//! structure, insights          chains and loops for the eye
//! bot, house_solver            the faces that the rest of Papan knows
//! ```
//!
//! The theory is Berlekamp's (*The Dots and Boxes Game*, 2000; with Conway and Guy, *Winning Ways*, 1982).

pub mod board;
mod bot;
mod candidates;
mod canonical;
mod contract;
pub mod first_lines;
mod graph;
mod house_solver;
mod insights;
mod iterative_deepening;
pub mod levels;
mod loony_endgame;
mod moves;
pub mod player;
mod playout;
pub mod reference;
mod root;
mod search;
pub mod solver;
pub mod structure;
mod transposition;

pub use bot::{DotsAndBoxesEngine, entry};
pub use house_solver::DotsAndBoxesSolver;
pub use insights::insights;
