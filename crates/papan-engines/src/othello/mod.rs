//! The Othello engine. From the door inwards:
//!
//! - [`bot`], [`solver`], [`levels`]: the bot of the game's positions, the exact solver, the ten levels.
//! - [`engine`]: tables and threads, kept from one question to the next; `limits` and `answer` go in and out.
//! - [`search`]: iterative deepening, the root, principal variation search with Multi-ProbCut, move ordering, leaves.
//! - [`endgame`]: the last dozen empties.
//! - [`evaluation`]: patterns with weights. [`stability`]: discs that can never be turned.
//! - [`transposition`]: what has been found, for all threads.
//! - [`move_generation`], `board`, `move_list`: bitboards, for every CPU and for AVX2.
//! - `insights`: names of openings. `training_search`: what training asks of the engine.

mod answer;
mod board;
mod bot;
mod endgame;
mod engine;
pub mod evaluation;
mod insights;
mod levels;
mod limits;
mod move_generation;
mod move_list;
mod search;
mod solver;
mod stability;
#[cfg(test)]
mod testing;
mod training_search;
mod transposition;

pub use answer::{Answer, Trust, Valued};
pub use bot::OthelloEngine;
pub use engine::{DEFAULT_MEGABYTES, Engine};
pub use insights::insights;
pub use limits::SearchLimits;
pub use solver::OthelloSolver;
pub use training_search::TrainingSearch;
