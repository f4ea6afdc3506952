//! Exact values: "is the gain at least `t`?" asked until the value is pinned down.
//!
//! 1. [`solver`] is where one asks: value, best moves, bounds when stopped.
//! 2. `session` puts one question to all threads.
//! 3. `prover` answers it while many cells stay empty (`expand` tries the moves, real and virtual;
//!    `virtual_lines` reuses proofs), `full_board` when the board will be full and has too many empty cells for a
//!    sweep over their subsets; `leaves` and `three` know the last plies, `transposition` remembers proofs.

mod busy;
mod expand;
mod full_board;
mod leaves;
mod prover;
mod session;
pub mod solver;
mod symmetry;
#[cfg(test)]
mod tests;
mod three;
mod transposition;
mod virtual_lines;

pub use solver::{Detail, Progress, RootMove, Solution, Solver, Task};
pub use symmetry::reflect;
