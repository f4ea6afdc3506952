//! Making exercises.

use papan_core::{Random, mix};

use super::Exercise;

/// The greatest difficulty.
const HARDEST: u32 = 10;

/// Levels and children of an inner node, by difficulty from 1.
const SIZES: [(u32, usize); HARDEST as usize] =
    [(2, 2), (2, 3), (3, 2), (2, 4), (3, 2), (4, 2), (3, 3), (4, 2), (3, 4), (4, 3)];

impl Exercise {
    /// The exercise of a difficulty (1 to 10, the nearest counts) and a seed.
    /// Alpha-beta skips something in every one of them.
    #[must_use]
    pub fn new(difficulty: u32, seed: u64) -> Self {
        let difficulty = difficulty.clamp(1, HARDEST);
        let (levels, branching) = SIZES[difficulty as usize - 1];
        let mut random = Random::new(mix(seed ^ (u64::from(difficulty) << 56)));
        // Small numbers make equal values, which are harder to judge.
        let spread = if difficulty > 4 { 10 } else { 20 };
        loop {
            let leaves: Vec<i32> =
                (0..branching.pow(levels)).map(|_| random.below(2 * spread + 1) as i32 - spread as i32).collect();
            let exercise = Self::with_leaves(branching, &leaves).expect("the leaves fill the tree");
            let pruned = exercise.pruned_leaves().len();
            // A harder one skips more than a single subtree.
            if pruned > 0 && (difficulty < 5 || pruned * 4 >= leaves.len()) {
                return exercise;
            }
        }
    }
}
