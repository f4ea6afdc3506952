//! Answers made of what the search, the solver and the book have found.

use std::cmp::Reverse;

use papan_core::{Decision, Exactness, MoveValue, Place, Score};

use super::book::{Book, BookMove};
use super::engine::View;
use super::exact::Solution;
use super::play::search::{Found, after, as_margin};
use super::rule::Four;

/// A finished search as an answer.
pub(super) fn decision_of(found: &Found) -> Decision<Place> {
    let per_move: Vec<MoveValue<Place>> = found
        .moves
        .iter()
        .map(|m| MoveValue {
            mv: Place(m.cell as u8),
            score: Score(as_margin(m.score)),
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

/// A solved position as an answer. The search before it has a say where the proof leaves a choice:
/// it ranks the best moves, and estimates those of which only a bound is known.
pub(super) fn decision_from(solution: &Solution, searched: &Decision<Place>, plies: u32) -> Option<Decision<Place>> {
    let value = solution.value()?;
    let is_best = |m: &MoveValue<Place>| solution.best.contains(&u32::from(m.mv.0));
    let mv = searched.per_move.iter().find(|m| is_best(m))?.mv;
    let mut per_move = values_of(solution);
    for m in per_move.iter_mut().filter(|m| m.exactness != Exactness::Exact) {
        if let Some(seen) = searched.per_move.iter().find(|s| s.mv == m.mv) {
            (m.score, m.exactness) = (m.score.min(seen.score), Exactness::Estimate);
        }
    }
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

/// An analysis in which the book has the last word: its move is best, what it knows of the others
/// is exact, and no estimate exceeds its value.
pub(super) fn with_book_values(searched: Decision<Place>, known: BookMove, view: View) -> Decision<Place> {
    let mut decision = Decision { nodes: searched.nodes, ..decision_by_book(known, view) };
    decision.per_move = searched.per_move;
    for m in &mut decision.per_move {
        let (own, opp) = after::<Four>(view.own, view.opp, u32::from(m.mv.0));
        if m.mv == decision.mv {
            (m.score, m.exactness) = (decision.score, Exactness::Exact);
        } else if let Some(reply) = Book::built_in().find(own, opp, view.plies - 1) {
            (m.score, m.exactness) = (Score(-reply.value), Exactness::Exact);
        } else {
            m.score = m.score.min(decision.score);
        }
    }
    let best = decision.mv;
    decision.per_move.sort_by_key(|m| (Reverse(m.score), m.exactness != Exactness::Exact, m.mv != best));
    decision
}

/// An answer when time ran out in the middle of a proof: a move that surely reaches a lower bound,
/// which is the value itself unless a shallower look misled.
pub(super) fn guaranteed(solution: &Solution, searched: Decision<Place>, plies: u32) -> Decision<Place> {
    let Some(cell) = solution.proved else { return searched };
    let mv = Place(cell as u8);
    Decision { mv, score: Score(solution.lower), exactness: Exactness::AtLeast, depth: plies, pv: vec![mv], ..searched }
}
