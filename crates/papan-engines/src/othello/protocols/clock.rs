//! How much of a game clock to spend on one move.

use std::time::Duration;

/// What is kept for the way between the programs, on each move.
const LATENCY: Duration = Duration::from_millis(40);

/// The time for a move of a side that has `left` for the rest of the game, with `empties` squares to fill. The
/// middle game gets more than its share and the solved end less: there, answers come from the hash table.
#[must_use]
pub fn allotment(left: Duration, empties: u32) -> Duration {
    let own_moves = empties.div_ceil(2).max(1);
    // The last six moves of one side need next to nothing once the end has been solved.
    let dear_moves = own_moves.saturating_sub(6).max(2);
    let share = if empties > 46 { 0.7 } else { 1.4 };
    let time = left.mul_f64(share / f64::from(dear_moves + 2));
    time.min(left / 3).saturating_sub(LATENCY).max(Duration::from_millis(5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_game_never_uses_up_the_clock() {
        let mut left = Duration::from_secs(60);
        for empties in (1..=60).rev().step_by(2) {
            let spent = allotment(left, empties) + Duration::from_millis(20);
            assert!(spent < left, "{empties} empties");
            left -= spent;
        }
        assert!(left < Duration::from_secs(20), "too much is left: {left:?}");
    }
}
