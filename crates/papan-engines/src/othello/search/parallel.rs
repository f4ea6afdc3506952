//! Young brothers wait: once the eldest move of a node has been searched without a cut, its brothers may be
//! searched by idle threads.
//!
//! The brothers are a list that is halved into "the next one" and "the rest": [`rayon::join`] leaves the rest for
//! a thread that has nothing to do, and takes it itself if none came. A thread that waits for the rest helps below.

use super::Searcher;
use super::node::Node;
use super::pvs::Aborted;
use crate::othello::board::NO_SQUARE;
use crate::othello::cpu::Cpu;
use crate::othello::endgame::last_empties::MINUS_INFINITY;
use crate::othello::moves::{MoveList, OrderedMove};
use crate::othello::stop_condition::Cancel;
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;

/// The least number of empties at which a search to the end is shared, and the least depth of another search.
const SOLVE_EMPTIES: u32 = 15;
const MIDDLE_DEPTH: u32 = 7;

/// The state of a node whose moves are being searched.
pub struct Split<'a> {
    node: &'a Node,
    /// Lower end of the window, raised by what has been found.
    pub alpha: i32,
    beta: i32,
    depth: u32,
    level: u8,
    cancel: &'a Cancel<'a>,
    /// The best value found, or less than every value.
    pub best: i32,
    /// The move that gave it.
    pub best_move: u8,
}

impl<'a> Split<'a> {
    /// A node of which nothing has been searched.
    #[inline(always)]
    pub fn new(node: &'a Node, alpha: i32, beta: i32, depth: u32, level: u8, cancel: &'a Cancel<'a>) -> Self {
        Self { node, alpha, beta, depth, level, cancel, best: MINUS_INFINITY, best_move: NO_SQUARE }
    }

    /// Takes in the value of a move.
    #[inline(always)]
    pub fn enter(&mut self, score: i32, square: u8) {
        if score > self.best {
            self.best = score;
            self.best_move = square;
            self.alpha = self.alpha.max(score);
        }
    }

    /// Whether there is enough work to share.
    #[inline(always)]
    pub fn wide_enough(&self) -> bool {
        if self.depth == self.node.empties { self.depth >= SOLVE_EMPTIES } else { self.depth >= MIDDLE_DEPTH }
    }

    /// A move after the first: a null window above `alpha`, and the full one only if it turns out to be better.
    #[inline(always)]
    pub fn younger<C: Cpu>(
        &self,
        searcher: &Searcher<'_, C>,
        child: &Node,
        alpha: i32,
        nodes: &mut u64,
        cancel: &Cancel<'_>,
    ) -> Result<i32, Aborted> {
        let (depth, level) = (self.depth - 1, self.level);
        let score = -searcher.pvs(child, -alpha - 1, -alpha, depth, level, nodes, cancel)?;
        if score > alpha && score < self.beta {
            return Ok(-searcher.pvs(child, -self.beta, -alpha, depth, level, nodes, cancel)?);
        }
        Ok(score)
    }
}

impl<C: Cpu> Searcher<'_, C> {
    /// Searches all moves that are left, with whatever threads are free.
    pub(super) fn in_parallel(
        &self,
        split: &mut Split<'_>,
        list: &mut MoveList,
        nodes: &mut u64,
    ) -> Result<(), Aborted> {
        let mut moves = [OrderedMove::default(); crate::othello::moves::MAX_MOVES];
        let count = list.len();
        for one in &mut moves[..count] {
            if let Some((square, flips)) = list.next_best() {
                *one = OrderedMove { square, flips, order: 0 };
            }
        }
        let cancel = Cancel { parent: Some(split.cancel), ..Cancel::default() };
        let shared = Mutex::new(split);
        self.brothers(&shared, &moves[..count], nodes, &cancel);
        // A cut inside cancels the brothers only; anything else that ended them leaves no value.
        if cancel.parent.is_some_and(Cancel::cancelled) || self.endgame.stop.stopped() {
            return Err(Aborted);
        }
        Ok(())
    }

    fn brothers(&self, shared: &Mutex<&mut Split<'_>>, moves: &[OrderedMove], nodes: &mut u64, cancel: &Cancel<'_>) {
        match moves {
            [] => (),
            [one] => self.brother(shared, *one, nodes, cancel),
            [one, rest @ ..] => {
                let mut rest_nodes = 0;
                rayon::join(
                    || self.brother(shared, *one, nodes, cancel),
                    || self.brothers(shared, rest, &mut rest_nodes, cancel),
                );
                *nodes += rest_nodes;
            }
        }
    }

    fn brother(&self, shared: &Mutex<&mut Split<'_>>, one: OrderedMove, nodes: &mut u64, cancel: &Cancel<'_>) {
        if cancel.cancelled() {
            return;
        }
        let Ok(guard) = shared.lock() else { return };
        let state = Split { ..**guard };
        drop(guard);
        let child = state.node.after(self.places, u32::from(one.square), one.flips);
        let Ok(score) = state.younger(self, &child, state.alpha, nodes, cancel) else { return };
        let Ok(mut split) = shared.lock() else { return };
        split.enter(score, one.square);
        if split.best >= split.beta {
            cancel.flag.store(true, Relaxed);
        }
    }
}
