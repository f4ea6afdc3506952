//! The strong players and exact solvers, one folder per game, and the players
//! of the reports that Papan grew from.

pub mod adjacency;
mod common;
pub mod dots_and_boxes;
pub mod othello;
pub mod report;
pub mod tic_tac_toe;

pub use common::deadline::{Control, Deadline, Stopped};
pub use common::solving::Bounds;
