//! The four games of Papan, one folder each: position, notation, scene,
//! evaluations, and the rules in words. Games know no bot, clock, randomness,
//! colour or pixel.

pub mod adjacency;
pub mod dots_and_boxes;
mod intern;
pub mod othello;
#[cfg(feature = "fifth-game")]
pub mod snort;
pub mod tic_tac_toe;
