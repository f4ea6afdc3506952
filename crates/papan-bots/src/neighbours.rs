//! Looking one ply ahead: the values of all positions that one move leads to.

use std::cmp::Reverse;

use papan_core::{
    AtEnd, Decision, Evaluation, Exactness, Meter, MoveSet as _, MoveValue, Observer, Position, Score,
    observer::BestSoFar,
};

use crate::common::value_of;

/// The moves of a position with their values one ply ahead, in natural order.
#[derive(Clone, Debug)]
pub(crate) struct Neighbours<M> {
    /// At least one; fewer than all if the budget ran out.
    pub(crate) values: Vec<(M, Score)>,
    /// Every move ends the game and is valued by the outcome.
    is_exact: bool,
    nodes: u64,
}

impl<M: papan_core::Move> Neighbours<M> {
    /// Values every move of `position`, or as many as the budget allows. The
    /// first move is listed even if there was no time to value it.
    pub(crate) fn of<P: Position<Move = M>>(position: &P, eval: &Evaluation<P>, meter: &mut Meter) -> Self {
        let chair = position.to_move();
        let moves = position.legal_moves();
        let mut values = Vec::with_capacity(moves.len());
        let mut is_exact = eval.at_end == AtEnd::Outcome;
        let mut spent = meter.visit();
        for mv in moves {
            spent = spent || meter.visit();
            if spent {
                break;
            }
            let after = position.after(mv);
            is_exact &= after.is_over();
            values.push((mv, value_of(eval, &after, chair, 1)));
        }
        if values.is_empty() {
            values.push((moves.nth(0), Score(0)));
        }
        Self { values, is_exact: is_exact && !spent, nodes: meter.nodes() }
    }

    /// The best value.
    pub(crate) fn best_score(&self) -> Score {
        self.values.iter().map(|&(_, score)| score).max().expect("there is at least one")
    }

    /// The moves with the best value, in natural order.
    pub(crate) fn best_moves(&self) -> impl DoubleEndedIterator<Item = M> + Clone {
        let best = self.best_score();
        self.values.iter().filter(move |(_, score)| *score == best).map(|&(mv, _)| mv)
    }

    /// The answer that plays `mv`, one of the listed moves.
    pub(crate) fn decision(&self, mv: M) -> Decision<M> {
        let exactness = if self.is_exact { Exactness::Exact } else { Exactness::Estimate };
        let shown = |score: Score| if self.is_exact { score.decided_margin().unwrap_or(score) } else { score };
        let mut per_move: Vec<_> =
            self.values.iter().map(|&(mv, score)| MoveValue { mv, score: shown(score), exactness }).collect();
        per_move.sort_by_key(|value| (Reverse(value.score), value.mv != mv));
        let score = per_move.iter().find(|value| value.mv == mv).map_or(Score(0), |value| value.score);
        Decision { mv, score, exactness, depth: 1, nodes: self.nodes, pv: vec![mv], per_move }
    }

    /// The report that plays `mv`.
    pub(crate) fn best_so_far(&self, mv: M) -> BestSoFar<M> {
        let score = self.values.iter().find(|value| value.0 == mv).map_or(Score(0), |value| value.1);
        BestSoFar { mv, score, depth: 1, nodes: self.nodes }
    }
}

/// The value of standing still, which only observers want to know.
pub(crate) fn value_here<P: Position, O: Observer<P>>(eval: &Evaluation<P>, position: &P, observer: &O) -> Score {
    if observer.is_active() { value_of(eval, position, position.to_move(), 0) } else { Score(0) }
}
