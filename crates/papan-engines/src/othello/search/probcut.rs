//! ProbCut (Buro 1995) with several confidences and an error model by depth and phase, as Multi-ProbCut (Buro 1997): a
//! deep search is skipped if a shallow one says that it will almost surely miss the window.

use super::leaf::to_discs;
use super::pvs::Aborted;
use super::{Effort, Node, Searcher, Window};
use crate::othello::limits::Cancel;
use crate::othello::move_generation::Cpu;

/// How sure a selective search must be of a cut, from the boldest level to the last, which never cuts.
pub(crate) const CONFIDENCE: [f32; 6] = [1.1, 1.5, 2.0, 2.6, 3.3, f32::INFINITY];
/// The level of a search without selectivity.
pub(crate) const EXACT: u8 = 5;
/// The probability that a cut of each level is right, in percent.
pub(crate) const PERCENT: [u8; 6] = [73, 87, 95, 98, 99, 100];

/// A side with so few discs may lose all of them a few plies on. Evaluations think highly of few discs, and the errors
/// were fitted on games in which nobody was wiped out: here no shallow search stands for a deep one.
const ENDANGERED: u32 = 5;

/// The standard error of a shallow search as a prediction of a deep one. Its natural logarithm is linear in what it
/// depends on: an error falls by some part with each ply of the shallow search and never below zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ErrorModel {
    /// Middle game: constant, empties, deep depth, shallow depth.
    pub middle: [f32; 4],
    /// Searches to the end: constant, empties, shallow depth.
    pub end: [f32; 3],
}

impl ErrorModel {
    /// Measured on 1,500 positions of self-play that were held out of training: `docs/othello-training.md`.
    pub(crate) const FITTED: Self = Self { middle: [1.6504, -0.0124, 0.0811, -0.1597], end: [2.0617, 0.0025, -0.0901] };

    /// Standard error in discs of a search of `shallow` plies for one of `deep` with so many empties.
    #[must_use]
    pub(crate) fn sigma(&self, empties: u32, deep: u32, shallow: u32) -> f32 {
        let value = if deep >= empties {
            let [base, by_empties, by_shallow] = self.end;
            base + by_empties * empties as f32 + by_shallow * shallow as f32
        } else {
            let [base, by_empties, by_deep, by_shallow] = self.middle;
            base + by_empties * empties as f32 + by_deep * deep as f32 + by_shallow * shallow as f32
        };
        value.exp().clamp(0.8, 20.0)
    }
}

/// The depth of the shallow search for a deep one.
#[must_use]
pub(crate) const fn shallow_depth(deep: u32) -> u32 {
    2 * (deep / 4) + deep % 2
}

impl<C: Cpu> Searcher<'_, C> {
    /// A value that the search of `depth` plies will very likely not pass: an upper bound `<= alpha` or a lower
    /// bound `> alpha`, or nothing if the shallow search does not say so at this level's confidence.
    pub(super) fn probable_cut(
        &self,
        node: &Node,
        alpha: i32,
        Effort { depth, level }: Effort,
        nodes: &mut u64,
        cancel: &Cancel<'_>,
    ) -> Result<Option<i32>, Aborted> {
        let confidence = CONFIDENCE[usize::from(level)];
        let shallow = shallow_depth(depth);
        let effort = Effort { depth: shallow, level };
        let fewest_discs = node.board.player.count_ones().min(node.board.opponent.count_ones());
        if shallow >= depth || fewest_discs <= ENDANGERED {
            return Ok(None);
        }
        let error = (confidence * self.errors.sigma(node.empties, depth, shallow)).round() as i32;
        let static_error = (confidence * self.errors.sigma(node.empties, depth, 0)).round() as i32;
        let static_score = to_discs(self.evaluate(node));
        let beta = alpha + 1;
        // High first, if the static value does not speak against it: it is the likelier cut.
        if static_score >= beta - static_error / 2 && beta + error < 64 {
            let bound = beta + error;
            if self.pvs(node, Window::above(bound - 1), effort, nodes, cancel)? >= bound {
                return Ok(Some(beta));
            }
        }
        if static_score <= alpha + static_error / 2 && alpha - error > -64 {
            let bound = alpha - error;
            if self.pvs(node, Window::above(bound), effort, nodes, cancel)? <= bound {
                return Ok(Some(alpha));
            }
        }
        Ok(None)
    }
}
