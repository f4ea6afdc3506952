//! What an engine says of its moves while these are numbers, and how that becomes a bot's answer.

use papan_core::observer::BestSoFar;
use papan_core::{Decision, Exactness, MoveValue, Place, Score};
use std::cmp::Reverse;

/// What is known of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rated {
    pub(crate) mv: usize,
    /// In the engine's own unit.
    pub(crate) value: i32,
    /// The value is at most that, and may be less.
    pub(crate) is_bound: bool,
}

impl Rated {
    /// A move of known value.
    pub(crate) const fn exact(mv: usize, value: i32) -> Self {
        Self { mv, value, is_bound: false }
    }

    /// Best first, bounds after values.
    pub(crate) fn order(&self) -> (Reverse<i32>, bool) {
        (Reverse(self.value), self.is_bound)
    }
}

/// Is told of each better move, in the engine's numbers and unit.
pub(crate) type Watch<'a> = &'a mut dyn FnMut(BestSoFar<usize>);

/// A move with its reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) mv: usize,
    pub(crate) value: i32,
    /// Is the value proven?
    pub(crate) exact: bool,
    /// Depth of the last whole iteration.
    pub(crate) depth: u8,
    pub(crate) nodes: u64,
    /// What is known of the moves, best first: proven if `exact`, else as far as a search of the same depth saw.
    pub(crate) rated: Vec<Rated>,
}

impl Choice {
    /// A move nobody thought about.
    pub(crate) fn unrated(mv: usize) -> Self {
        Self { mv, value: 0, exact: false, depth: 0, nodes: 0, rated: Vec::new() }
    }

    /// The bot's answer, given the game's move of a number and the score of a value.
    pub(crate) fn decision(&self, place: impl Fn(usize) -> Place, score: impl Fn(i32) -> Score) -> Decision<Place> {
        let mv = place(self.mv);
        if self.rated.is_empty() {
            return Decision::unsearched(mv);
        }
        let exactness = if self.exact { Exactness::Exact } else { Exactness::Estimate };
        let rate = |rated: &Rated| MoveValue {
            mv: place(rated.mv),
            score: score(rated.value),
            exactness: if rated.is_bound { Exactness::AtMost } else { exactness },
        };
        Decision {
            mv,
            score: score(self.value),
            exactness,
            depth: self.depth.into(),
            nodes: self.nodes,
            pv: vec![mv],
            per_move: self.rated.iter().map(rate).collect(),
        }
    }
}
