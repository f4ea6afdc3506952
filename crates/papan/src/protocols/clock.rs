//! How much of a game clock to limits on one move.

use std::time::Duration;

/// What is kept for the way between the programs, on each move.
const LATENCY: Duration = Duration::from_millis(40);

/// What a side has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    /// The time.
    pub(super) left: Duration,
    /// The moves that it is for; `None` is the rest of the game.
    pub(super) moves: Option<u32>,
}

/// The time for a move with `empties` squares to fill. In a whole game the middle gets more than its share and the
/// solved end less: there, answers come from the hash table.
#[must_use]
pub(super) fn allotment(Clock { left, moves }: Clock, empties: u32) -> Duration {
    if let Some(moves) = moves {
        return (left / moves.max(1)).saturating_sub(LATENCY).max(Duration::from_millis(5));
    }
    let own_moves = empties.div_ceil(2).max(1);
    // The last six moves of one side need next to nothing once the end has been solved.
    let dear_moves = own_moves.saturating_sub(6).max(2);
    let share = if empties > 46 { 0.7 } else { 1.4 };
    let time = left.mul_f64(share / f64::from(dear_moves + 2));
    time.min(left / 3).saturating_sub(LATENCY).max(Duration::from_millis(5))
}

/// The most that a hard move may take: twice what is meant for it, and never much of what is left.
#[must_use]
pub(super) fn limit(clock: Clock, empties: u32) -> Duration {
    let meant = allotment(clock, empties);
    match clock.moves {
        Some(_) => meant,
        None => (2 * meant).min((clock.left / 6).saturating_sub(LATENCY)).max(meant),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_game_never_uses_up_the_clock() {
        let mut left = Duration::from_secs(60);
        for empties in (1..=60).rev().step_by(2) {
            let spent = allotment(Clock { left, moves: None }, empties) + Duration::from_millis(20);
            assert!(spent < left, "{empties} empties");
            left -= spent;
        }
        assert!(left < Duration::from_secs(20), "too much is left: {left:?}");
    }

    #[test]
    fn even_hard_moves_alone_never_use_up_the_clock() {
        let mut left = Duration::from_secs(10);
        for empties in (1..=60).rev().step_by(2) {
            let spent = limit(Clock { left, moves: None }, empties) + Duration::from_millis(20);
            assert!(spent < left, "{empties} empties");
            left -= spent;
        }
    }

    #[test]
    fn overtime_is_shared_among_its_moves() {
        let clock = Clock { left: Duration::from_secs(10), moves: Some(5) };
        assert_eq!(allotment(clock, 40), Duration::from_secs(2) - LATENCY);
    }
}
