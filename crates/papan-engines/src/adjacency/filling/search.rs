//! The search of boards that will be full.
//!
//! A position is 64 bits, so the table meets far more positions again than on other boards, and
//! whoever came to them by whatever marks.

use super::earnings::{earned, last_left};
use super::evaluation::{UNIT, WindowEvaluation, Windows};
use crate::adjacency::iterative_deepening::{Node, deepen};
use crate::adjacency::rule::{Four, Rule as _};
use crate::adjacency::search::{Found, SearchLimits};
use crate::adjacency::transposition::{TranspositionTable, hash};

/// The search with its table, for four neighbours.
pub(crate) struct FillSearcher {
    table: TranspositionTable,
}

impl FillSearcher {
    /// A search with a table of so many MiB.
    #[must_use]
    pub(crate) fn new(megabytes: usize) -> Self {
        Self { table: TranspositionTable::new(megabytes) }
    }

    /// Searches a set with at least one cell. Scores are what the side to move will earn more than
    /// the other from here on. `report` hears of each finished depth.
    pub(crate) fn search(
        &self,
        evaluation: &WindowEvaluation,
        empty: u64,
        limits: &SearchLimits<'_>,
        report: &mut dyn FnMut(&Found),
    ) -> Found {
        deepen(&self.table, evaluation, EmptyCells { empty, windows: Windows::new(empty) }, limits, report)
    }
}

/// A set of empty cells and its windows.
#[derive(Clone, Copy)]
struct EmptyCells {
    empty: u64,
    windows: Windows,
}

impl Node for EmptyCells {
    type Evaluation = WindowEvaluation;
    /// The cells that one more move settles.
    type Ready = u64;

    #[inline(always)]
    fn open(&self) -> u64 {
        self.empty
    }

    /// Moves that earn something.
    #[inline(always)]
    fn promising(&self, last: u64) -> u64 {
        self.empty & (last | Four::spread(last))
    }

    #[inline(always)]
    fn plies(&self) -> u32 {
        self.empty.count_ones()
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        hash(self.empty, 0, self.plies())
    }

    #[inline(always)]
    fn ready(&self) -> u64 {
        last_left::<Four>(self.empty)
    }

    #[inline(always)]
    fn earned(last: u64, cell: u32) -> i32 {
        UNIT * earned::<Four>(last, cell)
    }

    #[inline(always)]
    fn after(&self, cell: u32) -> Self {
        Self { empty: self.empty & !(1 << cell), windows: self.windows.without(cell) }
    }

    #[inline(always)]
    fn value(&self, evaluation: &WindowEvaluation) -> i32 {
        if self.empty == 0 { 0 } else { evaluation.of(&self.windows, self.plies()) }
    }

    #[inline(always)]
    fn is_exact(&self) -> bool {
        self.empty == 0
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::adjacency::filling::values::Values;
    use crate::adjacency::reference::{SplitMix, random_board};
    use crate::common::bits::SetBits;
    use crate::common::deadline::Deadline;

    fn plain(evaluation: &WindowEvaluation, empty: u64, depth: u32) -> i32 {
        if empty == 0 {
            return 0;
        }
        if depth == 0 {
            return evaluation.of(&Windows::new(empty), empty.count_ones());
        }
        let last = last_left::<Four>(empty);
        SetBits(empty)
            .map(|cell| UNIT * earned::<Four>(last, cell) - plain(evaluation, empty & !(1 << cell), depth - 1))
            .max()
            .expect("there is an empty cell")
    }

    #[test]
    fn the_search_equals_plain_minimax_and_the_exact_values() {
        let mut random = SplitMix::new(3);
        let stop = AtomicBool::new(false);
        let evaluation = WindowEvaluation::built_in();
        for empties in 6..14 {
            let (own, opp) = random_board(&mut random, empties, false);
            let empty = !(own | opp);
            // Depth two has no reductions, so every root value must equal plain minimax.
            let deadline = Deadline::until_stopped(&stop);
            let limits = SearchLimits { all_moves: true, ..SearchLimits::to_depth(deadline, 2) };
            let found = FillSearcher::new(1).search(evaluation, empty, &limits, &mut |_| {});
            assert_eq!(found.moves[0].score, plain(evaluation, empty, 2));
            // Where the end is in sight, nothing is reduced.
            let limits = SearchLimits { depth: 64, ..limits };
            let found = FillSearcher::new(1).search(evaluation, empty, &limits, &mut |_| {});
            let values = Values::sweep::<Four>(empty, deadline, 1).expect("nothing stops the sweep");
            assert_eq!(found.moves[0].score, values.of(empty) * UNIT);
        }
    }
}
