//! The exact endgame: null-window searches without evaluation, for positions with at most a dozen empties. From many to
//! few: [`exact`] (windows), [`fastest_first`], [`parity`], [`last_empties`].

pub(super) mod exact;
pub(super) mod fastest_first;
pub(super) mod last_empties;
pub(super) mod leaf_cache;
mod parity;
pub(super) mod quadrants;

use super::board::Shape;
use super::limits::StopCondition;
use leaf_cache::LeafCache;
use quadrants::Quadrants;

/// What every endgame node needs and no node changes.
#[derive(Clone)]
pub(super) struct Endgame<'a> {
    /// The board's shape.
    pub shape: Shape,
    /// The shape's quadrants.
    pub quadrants: Quadrants,
    /// Positions near the leaves.
    pub cache: &'a LeafCache,
    /// When to stop.
    pub stop: &'a StopCondition<'a>,
}
