//! Answers made of what the search, the solver and the book have found.

use std::cmp::Reverse;

use papan_core::{Decision, Exactness, MoveValue, Place, Score};

use super::book::{Book, BookMove};
use super::bot::View;
use super::rule::Four;
use super::search::{Found, after, as_margin};
use super::solver::Solution;
use crate::common::bits::SetBits;

/// A margin as a score: no estimate is beyond what a full board can bring.
pub(super) fn margin_score(score: i32) -> Score {
    Score(as_margin(score).clamp(-64, 64))
}

/// A finished search as an answer, with the moves that were searched as deeply as the best one.
pub(super) fn decision_of(found: &Found) -> Decision<Place> {
    let depth = found.moves[0].depth;
    let per_move: Vec<MoveValue<Place>> = found
        .moves
        .iter()
        .filter(|m| m.depth == depth)
        .map(|m| MoveValue {
            mv: Place(m.cell as u8),
            score: margin_score(m.score),
            exactness: if m.full { Exactness::Estimate } else { Exactness::AtMost },
        })
        .collect();
    Decision {
        mv: per_move[0].mv,
        score: per_move[0].score,
        exactness: Exactness::Estimate,
        depth: found.depth,
        nodes: found.nodes,
        pv: vec![per_move[0].mv],
        per_move,
    }
}

/// Root moves of a solution, best first.
pub(super) fn values_of(solution: &Solution) -> Vec<MoveValue<Place>> {
    let mut moves: Vec<MoveValue<Place>> = solution
        .moves
        .iter()
        .map(|m| MoveValue {
            mv: Place(m.cell as u8),
            score: Score(m.upper),
            exactness: if m.lower == m.upper { Exactness::Exact } else { Exactness::AtMost },
        })
        .collect();
    moves.sort_by_key(|m| (Reverse(m.score), m.exactness != Exactness::Exact));
    moves
}

/// A solved position as an answer. The search before it has a say where the proof leaves a choice: it ranks the best
/// moves.
pub(super) fn decision_from(solution: &Solution, found: &Found, plies: u32) -> Option<Decision<Place>> {
    let value = solution.value()?;
    let best = found.moves.iter().find(|m| solution.best.contains(&m.cell))?;
    let mv = Place(best.cell as u8);
    let mut per_move = values_of(solution);
    per_move.sort_by_key(|m| (Reverse(m.score), m.exactness != Exactness::Exact, m.mv != mv));
    let pv = if solution.line.first() == Some(&u32::from(mv.0)) {
        solution.line.iter().map(|&cell| Place(cell as u8)).collect()
    } else {
        vec![mv]
    };
    Some(Decision {
        mv,
        score: Score(value),
        exactness: Exactness::Exact,
        depth: plies,
        nodes: solution.nodes,
        pv,
        per_move,
    })
}

/// The book's move.
pub(super) fn decision_by_book(known: BookMove, view: View) -> Decision<Place> {
    let (mv, score) = (Place(known.cell as u8), Score(known.value));
    let per_move = vec![MoveValue { mv, score, exactness: Exactness::Exact }];
    Decision { score, exactness: Exactness::Exact, depth: view.plies, per_move, ..Decision::unsearched(mv) }
}

/// An analysis in which the book has the last word: its move is best, what it knows of the others is exact, and of
/// the rest it knows that none is better.
pub(super) fn with_book_values(known: BookMove, view: View) -> Decision<Place> {
    let mut decision = decision_by_book(known, view);
    let (best, value) = (decision.mv, decision.score);
    let others = SetBits(view.empty()).map(|cell| Place(cell as u8)).filter(|&mv| mv != best);
    decision.per_move.extend(others.map(|mv| {
        let (own, opp) = after::<Four>(view.own, view.opp, u32::from(mv.0));
        match Book::built_in().find(own, opp, view.plies - 1) {
            Some(reply) => MoveValue { mv, score: Score(-reply.value), exactness: Exactness::Exact },
            None => MoveValue { mv, score: value, exactness: Exactness::AtMost },
        }
    }));
    decision.per_move.sort_by_key(|m| (Reverse(m.score), m.exactness != Exactness::Exact, m.mv != best));
    decision
}

/// An answer when time ran out in the middle of a proof: a move that surely reaches a lower bound,
/// which is the value itself unless a shallower look misled.
pub(super) fn guaranteed(solution: &Solution, searched: Decision<Place>, plies: u32) -> Decision<Place> {
    let Some(cell) = solution.proved else { return searched };
    let mv = Place(cell as u8);
    let own = MoveValue { mv, score: Score(solution.lower), exactness: Exactness::AtLeast };
    Decision {
        mv,
        score: own.score,
        exactness: own.exactness,
        depth: plies,
        pv: vec![mv],
        per_move: vec![own],
        ..searched
    }
}
