//! Playing where the end is too far to prove: evaluation, its weights, and the search.

pub mod evaluation;
pub mod fit;
pub(super) mod iterative_deepening;
pub mod search;
pub(super) mod transposition;
mod weights;
