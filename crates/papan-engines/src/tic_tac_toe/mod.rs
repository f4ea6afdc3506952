//! Tic-tac-toe and the m,n,k family: an exact solver, a strong player, threats to see.
//!
//! ```text
//! board, state        cells and rows; a position with its rows kept up to date
//! threats, insights   cells that win, forks, wins by force
//! masks, forcing      the same in bits, for small boards: forced wins, defences, pairs
//! table, search,
//! solver              exact values
//! deepen, player,
//! rating, level       the players, and what they know of each cell
//! bot, exact          the faces that the house knows
//! ```

pub mod board;
mod bot;
mod deepen;
mod exact;
mod forcing;
mod insights;
pub mod levels;
mod masks;
pub mod player;
pub mod rating;
mod search;
pub mod solver;
pub mod state;
pub mod threats;
mod transposition;

pub use bot::{TicTacToeEngine, entry};
pub use exact::TicTacToeSolver;
pub use insights::insights;
