//! Random games to the end: the basis of MCTS and of the speed figures.

use crate::{MoveSet as _, Position, Random};

/// Plays random moves until the game is over; gives the final position.
/// Nothing is allocated.
#[inline]
#[must_use]
pub fn playout<P: Position>(mut position: P, random: &mut Random) -> P {
    while let Some(mv) = position.legal_moves().pick(random.bits()) {
        position = position.after(mv);
    }
    position
}
