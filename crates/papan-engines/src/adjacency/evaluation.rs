//! The leaf of the playing search: the likely margin when the end is out of sight.
//!
//! A mark without an empty neighbour is permanent; the more empty neighbours it has, and the more
//! of the empty cells will still be filled, the less it says about the end. So the weights depend
//! on the share of the empty cells that will be filled, and on who makes the last move.

use super::weights::WEIGHTS;
use crate::adjacency::rule::{Levels, Rule};

/// Points of the evaluation for one mark at the end.
pub(crate) const UNIT: i32 = 64;

/// Numbers that describe a position:
/// ```text
/// 0        own marks minus the other's
/// 1 to 8   the same of the marks with at least so many empty neighbours
/// 9, 10    the most marks that the mover, and that his opponent, can flip at once
/// 11       one: the value of the turn to move
/// ```
pub(crate) const FEATURES: usize = 12;

/// Classes of the share of the empty cells that will be filled.
pub(crate) const SHARES: usize = 10;

/// Weights by parity of the plies left, class of share, and feature, in [`UNIT`]s.
pub(crate) type Weights = [[[i32; FEATURES]; SHARES]; 2];

/// The class of `plies / empties`.
#[inline(always)]
#[must_use]
pub(crate) fn share_class(plies: u32, empties: u32) -> usize {
    (plies as usize * SHARES / (empties as usize + 1)).min(SHARES - 1)
}

#[inline(always)]
fn most<R: Rule>(levels: &R::Levels, empty: u64) -> i32 {
    let mut most = 0;
    while most < R::MAX && empty & levels.at_least(most + 1) != 0 {
        most += 1;
    }
    most
}

/// The numbers that describe a position.
#[inline(always)]
#[must_use]
pub(crate) fn features<R: Rule>(own: u64, opp: u64) -> [i32; FEATURES] {
    let empty = !(own | opp);
    let difference = |set: u64| (own & set).count_ones() as i32 - (opp & set).count_ones() as i32;
    let open = R::levels(empty);
    let mut found = [0; FEATURES];
    for k in 0..=R::MAX {
        found[k as usize] = difference(open.at_least(k));
    }
    found[9] = most::<R>(&R::levels(opp), empty);
    found[10] = most::<R>(&R::levels(own), empty);
    found[11] = 1;
    found
}

/// The fitted weights of a rule.
#[must_use]
pub(crate) fn fitted<R: Rule>() -> &'static Weights {
    &WEIGHTS[usize::from(R::MAX > 4)]
}

/// An estimate of the final margin for the side to move, in [`UNIT`]s; exact with one ply left.
#[inline(always)]
#[must_use]
pub(crate) fn evaluate<R: Rule>(weights: &Weights, own: u64, opp: u64, plies: u32) -> i32 {
    let margin = own.count_ones() as i32 - opp.count_ones() as i32;
    let empty = !(own | opp);
    match plies {
        0 => margin * UNIT,
        1 => (margin + 1 + 2 * most::<R>(&R::levels(opp), empty)) * UNIT,
        _ => {
            let weights = &weights[(plies & 1) as usize][share_class(plies, empty.count_ones())];
            features::<R>(own, opp).iter().zip(weights).map(|(f, w)| f * w).sum()
        }
    }
}
