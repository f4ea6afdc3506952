//! Exact solution: bold searches first, which fill the hash table with good moves, then the exact one.

use super::Searcher;
use super::probcut::EXACT;
use super::pvs::Aborted;
use super::root::{Effort, Finding, Root};
use crate::othello::board::NO_SQUARE;
use crate::othello::cpu::Cpu;

/// What is asked of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The exact score.
    Score,
    /// Only whether it is won, drawn or lost: the sign of the score.
    WinDrawLoss,
}

impl Question {
    /// The window that holds every answer.
    #[must_use]
    pub const fn bounds(self) -> (i32, i32) {
        match self {
            Self::Score => (-65, 65),
            Self::WinDrawLoss => (-1, 1),
        }
    }
}

impl<C: Cpu> Searcher<'_, C> {
    /// Solves a root that has moves. If it is stopped, the bounds that it has proved stand in the root.
    pub fn solve(&self, root: &mut Root, question: Question, nodes: &mut u64) -> Result<Finding, Aborted> {
        let mut guess = root.moves.first().map_or(0, |one| one.score / crate::othello::evaluation::weights::UNIT);
        for effort in schedule(root.node.empties, self.endgame.shape.is_standard()) {
            let bounds = if effort.depth == root.node.empties { question.bounds() } else { (-65, 65) };
            guess = self.aspiration_search(root, guess, bounds, effort, nodes)?;
        }
        let effort = Effort { depth: root.node.empties, level: EXACT };
        Ok(self.finding(root, guess, effort, *nodes))
    }

    fn finding(&self, root: &Root, score: i32, effort: Effort, nodes: u64) -> Finding {
        let best = root.moves.first().map_or(NO_SQUARE, |one| one.square);
        Finding { score, best, effort, nodes }
    }
}

/// The iterations of an exact solution. Without `trained` weights a bolder search says too little to be worth a second
/// and a third one.
fn schedule(empties: u32, trained: bool) -> Vec<Effort> {
    let mut list = Vec::new();
    if empties >= 14 {
        let last = (empties - 10).min(14);
        list.extend((2..=last).step_by(2).map(|depth| Effort { depth, level: 0 }));
        list.push(Effort { depth: empties, level: 0 });
    }
    if trained && empties >= 20 {
        list.push(Effort { depth: empties, level: 2 });
    }
    if trained && empties >= 24 {
        list.push(Effort { depth: empties, level: 3 });
    }
    list.push(Effort { depth: empties, level: EXACT });
    list
}
