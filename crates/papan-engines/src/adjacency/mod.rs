//! The Adjacency Strategy Game: exact solver and strong search on plain bitboards.

pub mod exact;
pub mod reference;
pub mod rule;
