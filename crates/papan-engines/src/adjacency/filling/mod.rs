//! Boards that will be filled to the last cell.
//!
//! A mark ends with the colour of the last player to move on its cell or beside it. If every empty
//! cell will be filled, the marks with an empty cell about them have no say in that: whose they are
//! now does not matter. So the position is the **set of empty cells**, and nothing else. A move
//! settles the cells whose last empty cell, counting their own, it fills; it earns one for each.
//!
//! 1. [`earnings`]: what a move earns, and what is settled already.
//! 2. [`values`]: the exact values of every subset of the empty cells, in one sweep.
//! 3. [`evaluation`]: an estimate of the value of larger sets, fitted by [`fit`].
//! 4. [`search`]: the search on top of it.
//! 5. [`traps`]: which of equally good moves an opponent will more likely answer wrongly.
//! 6. [`habits`]: whether the opponent's replies can be foreseen; [`plan`]: the way to the end if so.
//! 7. `player`: the player on such boards.

pub(super) mod earnings;
pub mod evaluation;
#[cfg(any(test, feature = "training"))]
pub mod fit;
mod habits;
mod plan;
pub(super) mod player;
mod search;
mod traps;
pub mod values;
mod wide;
