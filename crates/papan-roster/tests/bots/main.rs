//! Every general bot on every game: one test program, for one build of the
//! many combinations.

mod common;
mod node_counts;
mod seed_adjacency;
