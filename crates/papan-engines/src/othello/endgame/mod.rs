//! The exact endgame: what happens once the search can see the end of the game.

pub mod exact;
pub mod fastest_first;
pub mod last_empties;
pub mod parity;
pub mod quadrants;
