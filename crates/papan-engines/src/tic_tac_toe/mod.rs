//! Tic-tac-toe and the m,n,k family: an exact solver, a strong player, threats to see.
//!
//! ```text
//! board, state        cells and rows; a position with its rows kept up to date
//! threats             cells that win, forks, wins by force
//! table, solver       exact values
//! deepen, player,
//! level               the players
//! bot, exact          the faces that the house knows
//! ```

pub mod board;
mod bot;
mod deepen;
mod exact;
pub mod level;
pub mod player;
pub mod solver;
pub mod state;
mod table;
pub mod threats;

pub use bot::{TicTacToeEngine, entry};
pub use exact::TicTacToeSolver;
