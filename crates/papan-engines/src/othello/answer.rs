//! What the engine answers: a move with its score, every move's score, or a proof.

use super::board::NO_SQUARE;
use papan_games::othello::OthelloMove;

/// How far a score can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The result under best play.
    Exact,
    /// A search of some plies whose cuts are right with some probability (in percent).
    Search {
        /// Plies.
        depth: u32,
        /// Percent.
        percent: u8,
    },
}

/// A move with its score for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Valued {
    /// Where.
    pub(crate) square: u8,
    /// The score in discs.
    pub score: i32,
    /// How far to trust it.
    pub trust: Trust,
    /// Whether the score is at most that, and may be less.
    pub(crate) at_most: bool,
}

impl Valued {
    /// The move.
    #[must_use]
    pub fn mv(&self) -> OthelloMove {
        move_on(self.square)
    }
}

/// What the engine answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The square; [`NO_SQUARE`] for a pass or a finished game.
    pub(crate) best: u8,
    /// Its score for the side to move, in discs.
    pub score: i32,
    /// How far to trust the score.
    pub trust: Trust,
    /// Nodes visited.
    pub nodes: u64,
    /// The expected line, passes left out.
    pub(crate) line: Vec<u8>,
}

impl Answer {
    /// The move; a pass also where the game is over.
    #[must_use]
    pub fn mv(&self) -> OthelloMove {
        move_on(self.best)
    }
}

/// The move on a square, or the pass for [`NO_SQUARE`].
pub(crate) fn move_on(square: u8) -> OthelloMove {
    if square == NO_SQUARE { OthelloMove::PASS } else { OthelloMove::square(usize::from(square)) }
}

/// What the solver answers: the score lies between two bounds, which meet unless it was stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Proof {
    /// The score is at least this.
    pub(crate) lower: i32,
    /// The score is at most this.
    pub(crate) upper: i32,
    /// The best move, or every best move if all were asked for; empty if there is none or it is not proved.
    pub(crate) best: Vec<u8>,
    /// Whether `best` has every best move.
    pub(crate) complete: bool,
    /// Nodes visited.
    pub(crate) nodes: u64,
    /// The expected line, passes left out.
    pub(crate) line: Vec<u8>,
}
