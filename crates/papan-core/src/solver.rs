//! Exact solvers: the value of a position under best play, with proof.

use std::io::{self, Read, Write};
use std::time::Duration;

use crate::{MoveValue, Position, Score, StopToken};

/// What a solver may use and how much it must find.
#[derive(Clone, Debug)]
pub struct SolveLimits {
    /// Worker threads.
    pub threads: usize,
    /// Megabytes for the hash table; `None` lets the solver choose.
    pub table_mb: Option<usize>,
    /// One best move is enough: do not look for all of them.
    pub one_best: bool,
    /// Stop after this time with the bounds found so far.
    pub time: Option<Duration>,
    /// Ends the search from outside.
    pub stop: StopToken,
}

/// What a solver found.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution<M> {
    /// The value is at least this, for the player to move.
    pub lower: Score,
    /// The value is at most this, for the player to move.
    pub upper: Score,
    /// Best moves; empty if the game is over or none is proved yet.
    pub best: Vec<M>,
    /// Does `best` list every best move?
    pub best_complete: bool,
    /// Root moves with what is known of their values, best first.
    pub moves: Vec<MoveValue<M>>,
    /// The expected line.
    pub pv: Vec<M>,
    /// Positions visited.
    pub nodes: u64,
}

impl<M> Solution<M> {
    /// The value, if the bounds meet.
    #[must_use]
    pub fn value(&self) -> Option<Score> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// How far a solver is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SolveProgress {
    /// The value is at least this.
    pub lower: Score,
    /// The value is at most this.
    pub upper: Score,
    /// Positions visited.
    pub nodes: u64,
    /// The share of the hash table in use, 0 to 1.
    pub table_use: f64,
}

/// An exact solver for positions of type `P`. Scores are margins at the end of
/// the game for the player to move.
pub trait Solver<P: Position>: Send {
    /// Solves `position`, reporting to `progress` now and then.
    fn solve(
        &mut self,
        position: &P,
        limits: &SolveLimits,
        progress: &mut dyn FnMut(&SolveProgress),
    ) -> Solution<P::Move>;

    /// How far a solution of this position looks ahead: the moves to the end of the longest game, as its players
    /// count them. A pass is none.
    fn depth(&self, position: &P) -> u32;

    /// Can a stopped solve be saved and resumed?
    fn can_save(&self) -> bool {
        false
    }

    /// Writes what has been learnt, so that a stopped solve can go on later.
    ///
    /// # Errors
    /// If it cannot be written, or the solver cannot be saved.
    fn save(&self, _out: &mut dyn Write) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Goes on with what [`Solver::save`] wrote, with a table of the size that was saved.
    ///
    /// # Errors
    /// If it cannot be read or was not saved by a solver like this.
    fn resume(&mut self, _input: &mut dyn Read) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
