//! The four games, and what nearly every program that uses them names.

pub use papan_core::prelude::*;

pub use crate::adjacency::Adjacency;
pub use crate::dots_and_boxes::DotsAndBoxes;
pub use crate::othello::Othello;
pub use crate::tic_tac_toe::TicTacToe;
