//! Everyone against everyone, and some against everyone else.

use super::{Meeting, Round};

/// Every pair once, by the circle method: in each turn of the circle everyone
/// plays at most once, so that games at the same time are of different bots,
/// and who opens changes from turn to turn.
pub(super) fn everyone(entrants: usize) -> Round {
    // An odd number gets a guest who is not there.
    let seats = entrants + entrants % 2;
    let mut circle: Vec<usize> = (0..seats).collect();
    let mut meetings = Vec::new();
    for turn in 1..seats {
        for place in 0..seats / 2 {
            let (a, b) = (circle[place], circle[seats - 1 - place]);
            if a.max(b) < entrants {
                // The one who keeps the seat opens in every second turn; the others
                // change sides as they move round.
                let opens = if place == 0 { turn % 2 == 0 } else { place % 2 == 0 };
                meetings.push(if opens { Meeting(a, b) } else { Meeting(b, a) });
            }
        }
        circle[1..].rotate_right(1);
    }
    Round { meetings, bye: None }
}

/// Each of the first `challengers` against everyone after them.
pub(super) fn gauntlet(entrants: usize, challengers: usize) -> Round {
    let meetings = (challengers..entrants).flat_map(|other| {
        (0..challengers).map(move |one| if (one + other) % 2 == 0 { Meeting(one, other) } else { Meeting(other, one) })
    });
    Round { meetings: meetings.collect(), bye: None }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_pair_meets_exactly_once() {
        for entrants in 0..30usize {
            let meetings = everyone(entrants).meetings;
            let pairs: HashSet<_> = meetings.iter().map(|Meeting(a, b)| (a.min(b), a.max(b))).collect();
            assert_eq!(meetings.len(), entrants * entrants.saturating_sub(1) / 2);
            assert_eq!(pairs.len(), meetings.len());
            assert!(meetings.iter().all(|Meeting(a, b)| a != b && *a < entrants && *b < entrants));
        }
    }

    #[test]
    fn nobody_opens_much_more_often_than_another() {
        for entrants in 2..30 {
            let mut balance = vec![0i32; entrants];
            for Meeting(a, b) in everyone(entrants).meetings {
                balance[a] += 1;
                balance[b] -= 1;
            }
            assert!(balance.iter().all(|difference| difference.abs() <= 2), "{entrants}: {balance:?}");
        }
    }

    #[test]
    fn challengers_meet_everyone_but_each_other() {
        let meetings = gauntlet(7, 2).meetings;
        assert_eq!(meetings.len(), 10);
        assert!(meetings.iter().all(|Meeting(a, b)| a.min(b) < &2 && a.max(b) >= &2));
    }
}
