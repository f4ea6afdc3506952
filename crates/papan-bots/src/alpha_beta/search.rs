//! One node of alpha-beta.

use papan_core::observer::{Cut, LeafReason};
use papan_core::{Game, MoveOf, MoveSet as _, Observer, Position, Score, StopToken, Window, seen_by};

use super::ordering::{Judge, MoveIter, Picker, Sorter};
use super::table::{Stored, Table};
use crate::tree::Tree;

/// What alpha-beta needs beyond the tree itself.
#[derive(Clone, Debug)]
pub(super) struct Search<G: Game> {
    pub(super) sorter: Sorter<G>,
    /// The size of the table, which is laid out when a search begins.
    pub(super) megabytes: usize,
    pub(super) table: Option<Table<MoveOf<G>>>,
}

/// Where a node is and what is asked of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Plies from the root.
    pub(super) ply: u32,
    /// Plies still to be searched.
    pub(super) depth: u32,
    /// The window for the player to move.
    pub(super) window: Window,
}

impl<G: Game> Search<G> {
    /// Lays the table out, unless that was done for an earlier search. A large
    /// one takes a while: a search that is stopped meanwhile has none.
    pub(super) fn lay_out_table(&mut self, stop: &StopToken) {
        if self.table.is_none() {
            self.table = Table::new(self.megabytes, stop);
        }
    }

    /// The value of `position` for its player to move if it lies in the
    /// window; otherwise a bound on the side where it lies: at most the value
    /// returned if that is alpha or less, at least it if beta or more.
    pub(super) fn value<O: Observer<G::Position>>(
        &mut self,
        tree: &mut Tree<'_, G::Position, O>,
        position: &G::Position,
        mv: MoveOf<G>,
        node: Node,
    ) -> Score {
        if tree.enter(position, Some(mv), node.ply, node.window) {
            return Score(0);
        }
        let score =
            if node.depth == 0 { tree.at_horizon(position, node.ply) } else { self.inner_value(tree, position, node) };
        tree.exit(position, score)
    }

    fn inner_value<O: Observer<G::Position>>(
        &mut self,
        tree: &mut Tree<'_, G::Position, O>,
        position: &G::Position,
        node: Node,
    ) -> Score {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return tree.finished(position, node.ply);
        }
        let Some(table) = &self.table else {
            return self.try_moves(tree, position, moves, None, node).0;
        };
        // With a table: probe, search, store.
        let key = Table::<MoveOf<G>>::key(position.key(), node.ply);
        let found = table.probe(key, node.window);
        if let Some(found) = found
            && let Some(score) = found.score
        {
            tree.saw_horizon |= !found.is_complete;
            tree.observer.leaf(score, LeafReason::Table);
            return score;
        }
        let saw_horizon_before = std::mem::replace(&mut tree.saw_horizon, false);
        let (score, best) = self.try_moves(tree, position, moves, found.and_then(|found| found.best), node);
        let is_complete = !tree.saw_horizon;
        tree.saw_horizon |= saw_horizon_before;
        if !tree.meter.stopped()
            && let Some(table) = &mut self.table
        {
            let stored = Stored { score, window: node.window, depth: node.depth, is_complete, best };
            table.store(key, &stored);
        }
        score
    }

    /// Tries the moves in order until one closes the window. Gives the best
    /// value and the move that raised alpha or closed the window, if any did.
    #[inline(always)]
    fn try_moves<O: Observer<G::Position>>(
        &mut self,
        tree: &mut Tree<'_, G::Position, O>,
        position: &G::Position,
        moves: <G::Position as Position>::Moves,
        first: Option<MoveOf<G>>,
        node: Node,
    ) -> (Score, Option<MoveOf<G>>) {
        let to_move = position.to_move();
        let mut window = node.window;
        let mut best = Score::MIN;
        let mut best_move = None;
        let mut picker = self.sorter.pick(position, moves, first, node, Judge { eval: tree.eval, chair: tree.chair });
        while let Some(mv) = self.sorter.next(&mut picker) {
            let after = position.after(mv);
            let child =
                Node { ply: node.ply + 1, depth: node.depth - 1, window: seen_by(window, to_move, after.to_move()) };
            let score = seen_by(self.value(tree, &after, mv, child), after.to_move(), to_move);
            if tree.meter.stopped() {
                break;
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    window.alpha = score;
                    best_move = Some(mv);
                    tree.line.extend(node.ply, mv);
                    if window.alpha >= window.beta {
                        if tree.observer.is_active() {
                            self.report_cut(tree, mv, &mut picker, window);
                        }
                        break;
                    }
                }
            }
        }
        self.sorter.release(&picker);
        (best, best_move)
    }

    #[cold]
    fn report_cut<O: Observer<G::Position>>(
        &self,
        tree: &mut Tree<'_, G::Position, O>,
        by: MoveOf<G>,
        picker: &mut Picker<MoveIter<G>>,
        window: Window,
    ) {
        let skipped = self.sorter.rest(picker);
        if !skipped.is_empty() {
            tree.observer.cut(&Cut { by, skipped: &skipped, window });
        }
    }
}
