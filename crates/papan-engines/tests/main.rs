//! The engines against the rules, against each other and known values.

mod dots_and_boxes_players;
mod dots_and_boxes_solver;
mod tic_tac_toe;
