//! The strong players and exact solvers, one folder per game, and the players
//! of the reports that Papan grew from.

pub mod adjacency;
pub mod dots_and_boxes;
pub mod othello;
mod pages;
pub mod report;
mod summed;
pub mod tic_tac_toe;
