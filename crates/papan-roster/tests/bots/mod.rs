//! Every general bot on every game: one test program, for one build of the
//! many combinations.

mod common;
mod equality;
mod limits;
mod node_counts;
mod observers;
mod progress;
mod report_adjacency;
mod report_tic_tac_toe;
mod unbeatable;
