//! Exact solution: bold searches first, which fill the transposition table with good moves, then the exact one.

use super::probcut::EXACT;
use super::pvs::Aborted;
use super::root::Root;
use super::{Effort, Question, Searcher};
use crate::othello::answer::Proof;
use crate::othello::board::{Board, NO_SQUARE};
use crate::othello::evaluation::weights::UNIT;
use crate::othello::move_generation::Cpu;

/// The exact score of a board, with the best move or every best move.
pub(crate) struct Solve {
    pub board: Board,
    pub one_best: bool,
}

impl Question for Solve {
    type Answer = Proof;

    fn answer<C: Cpu>(self, searcher: &Searcher<'_, C>) -> Proof {
        let Self { board, one_best } = self;
        if searcher.moves(board) == 0 {
            if let Some(score) = searcher.without_moves(board) {
                let (best, line) = (Vec::new(), Vec::new());
                return Proof { lower: score, upper: score, best, complete: true, nodes: 0, line };
            }
            let other = Self { board: board.passed(), one_best: true }.answer(searcher);
            return Proof { lower: -other.upper, upper: -other.lower, best: vec![NO_SQUARE], complete: true, ..other };
        }
        let mut root = searcher.root(board);
        let mut nodes = 0;
        match searcher.solve(&mut root, &mut nodes) {
            Ok(score) => {
                let mut best = vec![root.moves[0].square];
                let complete = !one_best && searcher.other_best_moves(&root, score, &mut best, &mut nodes).is_ok();
                let line = searcher.line_to_the_end(board, best[0]);
                Proof { lower: score, upper: score, best, complete, nodes, line }
            }
            Err(Aborted) => {
                let (lower, upper) = root.proved;
                Proof { lower, upper, best: Vec::new(), complete: false, nodes, line: Vec::new() }
            }
        }
    }
}

impl<C: Cpu> Searcher<'_, C> {
    /// The score of a root that has moves. If it is stopped, the bounds that it has proved stand in the root.
    fn solve(&self, root: &mut Root, nodes: &mut u64) -> Result<i32, Aborted> {
        let mut guess = root.moves[0].score / UNIT;
        for effort in schedule(root.node.empties, self.endgame.shape.is_standard()) {
            guess = self.aspiration_search(root, guess, effort, nodes)?;
        }
        Ok(guess)
    }

    /// Adds every other move that reaches the score.
    fn other_best_moves(&self, root: &Root, score: i32, best: &mut Vec<u8>, nodes: &mut u64) -> Result<(), Aborted> {
        for one in &root.moves[1..] {
            if self.reaches(root, one.leads_to, score, nodes)? >= score {
                best.push(one.square);
            }
        }
        Ok(())
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
