//! What a move on a filling board earns.

use crate::adjacency::rule::{Levels, Rule};

/// A cell and its neighbours.
#[inline(always)]
#[must_use]
pub(crate) fn about<R: Rule>(cell: u32) -> u64 {
    R::neighbours(cell) | 1 << (cell & 63)
}

/// The cells that one more move settles: just one empty cell is about them.
#[inline(always)]
#[must_use]
pub(crate) fn last_left<R: Rule>(empty: u64) -> u64 {
    let beside = R::levels(empty);
    (beside.at_least(1) & !beside.at_least(2) & !empty) | (empty & !beside.at_least(1))
}

/// What a move on `cell` earns, given the cells that one more move settles.
#[inline(always)]
#[must_use]
pub(crate) fn earned<R: Rule>(last_left: u64, cell: u32) -> i32 {
    (about::<R>(cell) & last_left).count_ones() as i32
}

/// The cells that two more moves settle: just two empty cells are about them.
#[inline(always)]
#[must_use]
pub(crate) fn two_left<R: Rule>(empty: u64) -> u64 {
    let beside = R::levels(empty);
    (beside.at_least(2) & !beside.at_least(3) & !empty) | (empty & beside.at_least(1) & !beside.at_least(2))
}

/// [`last_left`] after a move on `cell`, from what it and [`two_left`] were before.
#[inline(always)]
#[must_use]
pub(crate) fn last_left_after<R: Rule>(last_left: u64, two_left: u64, cell: u32) -> u64 {
    let about = about::<R>(cell);
    (last_left & !about) | (two_left & about)
}

/// The most that any move earns.
#[inline(always)]
#[must_use]
pub(crate) fn most_earned<R: Rule>(empty: u64) -> i32 {
    most_earned_of::<R>(last_left::<R>(empty), empty)
}

/// The cells to move on that earn at least so much. Counts for all cells at once.
#[inline(always)]
fn earning<R: Rule>(last_left: u64, empty: u64, least: i32) -> u64 {
    let beside = R::levels(last_left);
    empty & (beside.at_least(least) | (last_left & beside.at_least(least - 1)))
}

/// The most that any move earns, given the cells that one more move settles.
#[inline(always)]
#[must_use]
pub(crate) fn most_earned_of<R: Rule>(last_left: u64, empty: u64) -> i32 {
    (1..=R::MAX + 1).take_while(|&least| earning::<R>(last_left, empty, least) != 0).count() as i32
}

/// What the first cell earns that earns at least so much; if none does, the most that any earns.
#[inline(always)]
#[must_use]
pub(crate) fn first_earned_of<R: Rule>(last_left: u64, empty: u64, least: i32) -> i32 {
    let enough = earning::<R>(last_left, empty, least);
    if enough == 0 { most_earned_of::<R>(last_left, empty) } else { earned::<R>(last_left, enough.trailing_zeros()) }
}

/// The cells that no move changes any more: nothing about them is empty.
#[inline(always)]
#[must_use]
pub(crate) fn settled<R: Rule>(empty: u64) -> u64 {
    !(empty | R::spread(empty))
}

/// Own settled marks minus the opponent's.
#[inline(always)]
#[must_use]
pub(crate) fn settled_margin<R: Rule>(own: u64, opp: u64) -> i32 {
    let settled = settled::<R>(!(own | opp));
    (own & settled).count_ones() as i32 - (opp & settled).count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adjacency::reference::{PlainPosition, SplitMix, random_board};
    use crate::adjacency::rule::{Eight, Four};
    use crate::common::bits::SetBits;

    /// Earnings alone, move by move, give the margin of a played game.
    fn check<R: Rule>(eight: bool) {
        let mut random = SplitMix::new(21);
        for _ in 0..200 {
            let empties = 1 + random.below(40);
            let (own, opp) = random_board(&mut random, empties, eight);
            let mut margin = settled_margin::<R>(own, opp);
            let mut position = PlainPosition::new(own, opp, empties, eight);
            for _ in 0..empties {
                let (own, opp) = position.boards();
                let empty = !(own | opp);
                let cells: Vec<u32> = SetBits(empty).collect();
                let cell = cells[random.below(cells.len() as u32) as usize];
                let last = last_left::<R>(empty);
                let most = cells.iter().map(|&cell| earned::<R>(last, cell)).max();
                assert_eq!(Some(most_earned::<R>(empty)), most);
                let first = cells.iter().map(|&cell| earned::<R>(last, cell)).find(|&earned| earned >= 2);
                assert_eq!(Some(first_earned_of::<R>(last, empty, 2)), first.or(most));
                let next = last_left_after::<R>(last, two_left::<R>(empty), cell);
                assert_eq!(next, last_left::<R>(empty & !(1 << cell)));
                margin = -(margin + earned::<R>(last_left::<R>(empty), cell));
                position = position.after(cell as usize);
            }
            let (own, opp) = position.boards();
            assert_eq!(margin, own.count_ones() as i32 - opp.count_ones() as i32);
        }
    }

    #[test]
    fn a_filling_game_is_decided_by_what_moves_settle() {
        check::<Four>(false);
        check::<Eight>(true);
    }
}
