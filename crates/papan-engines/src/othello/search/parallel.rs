//! Young brothers wait (Feldmann, Monien, Mysliwietz, Vornberger 1989): once the eldest move of a node has been searched without a cut, its brothers may be
//! searched by idle threads.
//!
//! The brothers are a list that is halved into "the next one" and "the rest": [`rayon::join`] leaves the rest for
//! a thread that has nothing to do, and takes it itself if none came. A thread that waits for the rest helps below.

use super::Searcher;
use super::pvs::{Aborted, Split};
use crate::othello::limits::Cancel;
use crate::othello::move_generation::Cpu;
use crate::othello::move_list::{MAX_MOVES, MoveList, OrderedMove};
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;

impl<C: Cpu> Searcher<'_, C> {
    /// Searches all moves that are left, with whatever threads are free.
    pub(super) fn in_parallel(
        &self,
        split: &mut Split<'_>,
        list: &mut MoveList,
        nodes: &mut u64,
    ) -> Result<(), Aborted> {
        let mut moves = [OrderedMove::default(); MAX_MOVES];
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
        let state = **guard;
        drop(guard);
        let child = state.node.after(self.places, u32::from(one.square), one.flips);
        let Ok(score) = state.younger(self, &child, nodes, cancel) else { return };
        let Ok(mut split) = shared.lock() else { return };
        split.enter(score, one.square);
        if split.best >= split.window.beta {
            cancel.flag.store(true, Relaxed);
        }
    }
}
