//! Each game once more, slowly, from its rules on plain arrays.

pub(crate) mod adjacency;
pub(crate) mod dots_and_boxes;
pub(crate) mod othello;
pub(crate) mod tic_tac_toe;
