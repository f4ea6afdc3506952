//! The Adjacency Strategy Game.
