//! Dots and Boxes: an exact solver and a strong player.
//!
//! ```text
//! board, reference          lines, boxes, the slow twins
//! contract -> graph         what can be taken, and the quiet rest as joints and links
//! canon, ending, moves      fingerprint, exact endings, moves of a quiet position
//! table, search, solver     bounds by fingerprint, null windows, whole positions
//! first_lines               3x3 from the empty board, looked up
//! candidates, playout,
//! deepen, ranking,
//! player, level             the players
//! structure, insights       chains and loops for the eye
//! bot, exact                the faces that the house knows
//! ```

pub mod board;
mod bot;
mod candidates;
mod canon;
mod contract;
mod deepen;
mod ending;
mod exact;
pub mod first_lines;
mod graph;
mod insights;
pub mod levels;
mod moves;
pub mod player;
mod playout;
mod ranking;
pub mod reference;
mod search;
pub mod solver;
pub mod structure;
mod transposition;

pub use bot::{DotsAndBoxesEngine, entry};
pub use exact::DotsAndBoxesSolver;
pub use insights::insights;
