//! Which of equally good moves is hardest to answer.
//!
//! Against an opponent who cannot look to the end, good moves are not all alike: behind some of
//! them the replies that look best are mistakes. The opponent is taken for someone who looks a few
//! plies ahead at what is earned, and often but not always takes the best by that measure.

use super::earnings::{earned, last_left};
use super::habits::{INFINITE, look_ahead};
use super::values::Values;
use crate::adjacency::rule::Rule;
use crate::common::bits::SetBits;

/// How sharply the opponent tells replies apart that look one mark better.
const SHARPNESS: f64 = 1.5;
/// Plies that the opponent looks ahead.
const PLIES: u32 = 4;
/// Replies that are this much less likely than the likeliest are not followed.
const UNLIKELY: f64 = 0.02;

/// What may be hoped for after a move, in marks from here on; at least the move's value.
#[must_use]
pub(crate) fn hope_after<R: Rule>(values: &Values, empty: u64, cell: u32, replies: u32) -> f64 {
    f64::from(earned::<R>(last_left::<R>(empty), cell)) + hope::<R>(values, empty & !(1 << cell), replies)
}

/// What the side that has just moved may hope for, looking so many replies ahead.
fn hope<R: Rule>(values: &Values, empty: u64, replies: u32) -> f64 {
    let last = last_left::<R>(empty);
    let looks: Vec<(u32, i32)> = SetBits(empty)
        .map(|cell| {
            let seen = look_ahead::<R>(empty & !(1 << cell), PLIES - 1, -INFINITE, INFINITE);
            (cell, earned::<R>(last, cell) - seen)
        })
        .collect();
    let Some(best) = looks.iter().map(|&(_, look)| look).max() else { return 0.0 };
    let (mut sum, mut weights) = (0.0, 0.0);
    for (cell, look) in looks {
        let weight = (SHARPNESS * f64::from(look - best)).exp();
        if weight < UNLIKELY {
            continue;
        }
        let next = empty & !(1 << cell);
        let then = if replies > 1 { best_hope::<R>(values, next, replies - 1) } else { f64::from(values.of(next)) };
        sum += weight * (then - f64::from(earned::<R>(last, cell)));
        weights += weight;
    }
    sum / weights
}

/// The greatest hope among the best moves.
fn best_hope<R: Rule>(values: &Values, empty: u64, replies: u32) -> f64 {
    let best = values.of(empty);
    let hopes = SetBits(empty).filter(|&cell| values.after::<R>(empty, cell) == best);
    hopes.map(|cell| hope_after::<R>(values, empty, cell, replies)).fold(f64::from(best), f64::max)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::adjacency::reference::{SplitMix, random_board};
    use crate::adjacency::rule::Four;
    use crate::common::deadline::Deadline;

    #[test]
    fn there_is_never_less_hope_than_value() {
        let mut random = SplitMix::new(4);
        let stop = AtomicBool::new(false);
        for empties in 1..12 {
            let (own, opp) = random_board(&mut random, empties, false);
            let empty = !(own | opp);
            let values =
                Values::sweep::<Four>(empty, Deadline::until_stopped(&stop), 1).expect("nothing stops the sweep");
            for cell in SetBits(empty) {
                for replies in 1..3 {
                    let hope = hope_after::<Four>(&values, empty, cell, replies);
                    assert!(hope + 1e-9 >= f64::from(values.after::<Four>(empty, cell)));
                }
            }
        }
    }
}
