//! The four games of Papan, one folder each: position, notation, scene,
//! evaluations, and the rules in words. Games know no bot, clock, randomness,
//! colour or pixel.
//!
//! A whole game by the first legal move each time:
//!
//! ```
//! use papan_games::prelude::*;
//!
//! let game = Othello::standard();
//! let mut position = game.start();
//! while let Some(mv) = position.legal_moves().into_iter().next() {
//!     println!("{:?} plays {}", position.to_move(), game.write_move(mv));
//!     position = position.after(mv);
//! }
//! println!("{}", game.write_position(&position));
//! assert_eq!(position.margin(), Margin(position.points()[0] - position.points()[1]));
//! ```
//!
//! The same with any other: `TicTacToe::new(3, 3, 3)`, `Adjacency::new(8)`,
//! `DotsAndBoxes::new(3, 3)`, or by name, `"othello:size=6".parse::<Othello>()`.

pub mod adjacency;
pub mod dots_and_boxes;
mod intern;
pub mod othello;
pub mod prelude;
#[cfg(feature = "fifth-game")]
pub mod snort;
pub mod tic_tac_toe;
