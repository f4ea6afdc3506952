//! What a move on a filling board earns.

use crate::adjacency::rule::{Levels, Rule};

/// A cell and its neighbours.
#[inline(always)]
#[must_use]
pub fn about<R: Rule>(cell: u32) -> u64 {
    R::neighbours(cell) | 1 << (cell & 63)
}

/// The cells that one more move settles: just one empty cell is about them.
#[inline(always)]
#[must_use]
pub fn last_left<R: Rule>(empty: u64) -> u64 {
    let beside = R::levels(empty);
    (beside.at_least(1) & !beside.at_least(2) & !empty) | (empty & !beside.at_least(1))
}

/// What a move on `cell` earns, given the cells that one more move settles.
#[inline(always)]
#[must_use]
pub fn earned<R: Rule>(last_left: u64, cell: u32) -> i32 {
    (about::<R>(cell) & last_left).count_ones() as i32
}

/// The most that any move earns.
#[inline(always)]
#[must_use]
pub fn most_earned<R: Rule>(empty: u64) -> i32 {
    let last_left = last_left::<R>(empty);
    let paying = empty & (last_left | R::spread(last_left));
    crate::adjacency::rule::Cells(paying).map(|cell| earned::<R>(last_left, cell)).max().unwrap_or(0)
}

/// Own settled marks minus the opponent's.
#[inline(always)]
#[must_use]
pub fn settled_margin<R: Rule>(own: u64, opp: u64) -> i32 {
    let empty = !(own | opp);
    let settled = !(empty | R::spread(empty));
    (own & settled).count_ones() as i32 - (opp & settled).count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adjacency::reference::{PlainPosition, TestRandom, random_board};
    use crate::adjacency::rule::{Cells, Eight, Four};

    /// Earnings alone, move by move, give the margin of a played game.
    fn check<R: Rule>(eight: bool) {
        let mut random = TestRandom(21);
        for _ in 0..200 {
            let empties = 1 + random.below(40);
            let (own, opp) = random_board(&mut random, empties, eight);
            let mut margin = settled_margin::<R>(own, opp);
            let mut position = PlainPosition::new(own, opp, empties, eight);
            for _ in 0..empties {
                let (own, opp) = position.boards();
                let empty = !(own | opp);
                let cells: Vec<u32> = Cells(empty).collect();
                let cell = cells[random.below(cells.len() as u32) as usize];
                assert!(earned::<R>(last_left::<R>(empty), cell) <= most_earned::<R>(empty));
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
