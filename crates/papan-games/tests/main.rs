//! Each game against its promises, its slow twin and known numbers.

mod adjacency;
mod dots_and_boxes;
mod kit;
mod othello;
mod tic_tac_toe;
mod twins;
