//! The Othello engine: exact endgame solver, pattern evaluation, selective middle game search.

#[cfg(target_arch = "x86_64")]
pub mod avx2;
pub mod board;
pub mod bot;
pub mod cpu;
pub mod endgame;
pub mod engine;
pub mod evaluation;
pub mod formats;
mod insights;
pub mod iterative_deepening;
pub mod leaf_cache;
pub mod levels;
pub mod moves;
pub mod openings;
pub mod perft;
pub mod protocols;
pub mod rays;
pub mod search;
pub mod solver;
pub mod stability;
pub mod stop_condition;
#[cfg(test)]
mod testing;
pub mod training;
pub mod transposition;

pub use insights::insights;
