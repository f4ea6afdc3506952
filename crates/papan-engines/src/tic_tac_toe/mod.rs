//! Tic-tac-toe and the m,n,k family: an exact solver, a strong player, threats to see.
//!
//! ```text
//! bot, levels          the bot that Papan knows; full strength or a level that errs on purpose
//! player, rating       the strong player: proof, search, and what it knows of each cell
//! search               alpha-beta with iterative deepening; `move_ordering`, `evaluation` (the leaf)
//! solver               won, drawn or lost: null-window search with threat-space search
//! transposition        the solver's table
//! board, state         cells and rows; a position with its rows kept up to date
//! threats, insights    cells that win, forks, wins by force
//! ```

pub mod board;
mod bot;
mod evaluation;
mod insights;
mod levels;
mod move_ordering;
mod player;
mod rating;
mod search;
pub mod solver;
pub mod state;
pub mod threats;
mod transposition;

pub use bot::{TicTacToeEngine, entry};
pub use insights::insights;
pub use solver::TicTacToeSolver;
