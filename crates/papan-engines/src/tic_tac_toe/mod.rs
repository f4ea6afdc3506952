//! Tic-tac-toe and the m,n,k family: an exact solver, a strong player, threats to see.
//!
//! ```text
//! board, state                     cells and rows; a position with its rows kept up to date
//! threats, insights                cells that win, forks, wins by force
//! masks, threat_search             the same in bits, for small boards: forced wins, defences, pairings
//! transposition, search, solver    exact values
//! iterative_deepening, rating,
//! player                           the strong player, and what it knows of each cell
//! levels                           weaker players
//! bot, house_solver                the faces that the rest of Papan knows
//! ```

pub mod board;
mod bot;
mod house_solver;
mod insights;
mod iterative_deepening;
pub mod levels;
mod masks;
pub mod player;
pub mod rating;
mod search;
pub mod solver;
pub mod state;
mod threat_search;
pub mod threats;
mod transposition;

pub use bot::{TicTacToeEngine, entry};
pub use house_solver::TicTacToeSolver;
pub use insights::insights;
