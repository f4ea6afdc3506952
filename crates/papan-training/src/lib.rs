//! What the engines' numbers are made with: games, labels for their positions, fits to them. Nobody needs it to play.

pub mod othello;
