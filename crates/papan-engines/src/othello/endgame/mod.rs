//! The exact endgame: what happens once the search can see the end of the game.

pub mod exact;
pub mod fast;
pub mod last_empties;
pub mod quadrants;
pub mod shallow;
