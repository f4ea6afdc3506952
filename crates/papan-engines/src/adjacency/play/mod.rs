//! Playing where the end is too far to prove: evaluation, its weights, and the search.

pub(super) mod deepen;
pub mod evaluation;
pub mod fit;
pub mod search;
pub(super) mod transposition;
mod weights;
