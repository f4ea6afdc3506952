//! One position of the tree, as it is shown.

use std::collections::VecDeque;

use papan_core::observer::{CutRecord, LeafReason};
use papan_core::{Bound, Player, Score, Text};
use serde::Serialize;

use super::{Known, SearchTrace, explain};
use crate::{shown, shown_plainly};

/// Whose layer of the tree a position is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// The player to move at the root chooses.
    Max,
    /// The opponent chooses.
    Min,
}

impl Layer {
    /// The name in trees, the same in both languages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Max => "MAX",
            Self::Min => "MIN",
        }
    }
}

/// A cut as it is shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CutView {
    /// The move whose value caused it.
    pub by: String,
    /// The moves that were skipped.
    pub skipped: Vec<String>,
    /// What the layer's player has already.
    pub has: String,
    /// The bound that it reached: alpha on a MIN layer, beta on a MAX layer.
    pub bound: String,
    /// The reason in words.
    pub words: Text,
}

/// A position of the tree as it is shown. Values are MAX's.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NodeView {
    /// Its number, in the order of entry.
    pub id: u32,
    /// The number of the position above.
    pub parent: Option<u32>,
    /// The move that led here.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// What people call that move.
    pub name: Option<String>,
    /// Plies from the root.
    pub ply: u16,
    /// Whose layer it is on.
    pub layer: Layer,
    /// Whose turn it is.
    pub to_move: Player,
    /// The number that the search came back with; `None` if it was stopped
    /// inside.
    pub score: Option<i32>,
    /// Whether that is the value of plain minimax to the same depth, or only a
    /// bound on it.
    pub bound: Option<Bound>,
    /// Both in a few characters: `+3`, `≤ 0`, `?` where the search was stopped.
    pub value: String,
    /// Does best play lead through it?
    pub best_line: bool,
    /// Alpha and beta on entry.
    pub entry: [String; 2],
    /// Alpha and beta on exit.
    pub exit: [String; 2],
    /// Why it is a leaf, if it is one.
    pub leaf: Option<LeafReason>,
    /// Its cut.
    pub cut: Option<CutView>,
    /// How many positions right below it were kept.
    pub children: u32,
    /// How many positions below it, and itself, were visited.
    pub size: u64,
    /// The step at which it is entered.
    pub entered: u64,
    /// The step at which it is left.
    pub left: u64,
}

impl SearchTrace {
    /// A kept position as it is shown; `None` if there is none of this number.
    #[must_use]
    pub fn node(&self, id: u32) -> Option<NodeView> {
        (id < self.kept()).then(|| self.view(id))
    }

    /// The kept positions right below `id`, or the roots: at most `count`,
    /// leaving out the first `from`.
    #[must_use]
    pub fn children(&self, id: Option<u32>, from: usize, count: usize) -> Vec<NodeView> {
        let pick = |ids: &mut dyn Iterator<Item = u32>| ids.skip(from).take(count).map(|id| self.view(id)).collect();
        match id {
            None => pick(&mut self.record.roots()),
            Some(id) if id < self.kept() => pick(&mut self.record.children_of(id)),
            Some(_) => Vec::new(),
        }
    }

    /// At most `count` kept positions right below `id`: those around `child`,
    /// or the first ones.
    #[must_use]
    pub fn children_near(&self, id: u32, child: Option<u32>, count: usize) -> Vec<NodeView> {
        let all: Vec<u32> = self.record.children_of(id).collect();
        let at = child.and_then(|child| all.iter().position(|&other| other == child)).unwrap_or(0);
        let from = at.saturating_sub(count / 2).min(all.len().saturating_sub(count));
        all.into_iter().skip(from).take(count).map(|id| self.view(id)).collect()
    }

    /// At most `count` positions: the roots, best play to its end, and the rest
    /// from the roots down, layer by layer. What is shown hangs together, and
    /// each position comes after the one above it.
    #[must_use]
    pub fn top(&self, count: usize) -> Vec<NodeView> {
        let line = self.line.iter().skip(1).copied();
        let mut shown: Vec<u32> = self.record.roots().chain(line).take(count).collect();
        let mut layers: VecDeque<u32> = self.record.roots().collect();
        while let Some(above) = layers.pop_front()
            && shown.len() < count
        {
            for child in self.record.children_of(above).take(count) {
                layers.push_back(child);
                if shown.len() < count && !self.line.contains(&child) {
                    shown.push(child);
                }
            }
        }
        shown.sort_unstable_by_key(|&id| (self.node_record(id).ply, id));
        shown.into_iter().map(|id| self.view(id)).collect()
    }

    pub(super) fn view(&self, id: u32) -> NodeView {
        let node = self.node_record(id);
        let layer = self.layer(id);
        let entry = self.window_for_max(node.window, node.to_move);
        let known = self.known(id);
        let (mut alpha, mut beta) = (entry.alpha, entry.beta);
        match (layer, known) {
            (Layer::Max, Some(Known { score, .. })) => alpha = alpha.max(score),
            (Layer::Min, Some(Known { score, .. })) => beta = beta.min(score),
            (_, None) => {}
        }
        NodeView {
            id,
            parent: node.parent,
            mv: node.mv.map(|mv| self.move_name(mv)),
            name: node.mv.map(|mv| self.called([&self.move_name(mv)]).concat()),
            ply: node.ply,
            layer,
            to_move: node.to_move,
            score: known.map(|known| plain(known.score)),
            bound: known.map(|known| known.bound),
            value: known.map_or_else(|| "?".to_owned(), |known| self.shown_known(known)),
            best_line: self.line.contains(&id),
            entry: [self.shown(entry.alpha), self.shown(entry.beta)],
            exit: [self.shown(alpha), self.shown(beta)],
            leaf: node.leaf,
            cut: node.cut.map(|cut| self.cut_view(&self.record.cuts[cut as usize])),
            children: self.record.children_of(id).count() as u32,
            size: self.visited(id),
            entered: self.entered(id),
            left: self.left(id),
        }
    }

    /// Whose layer a position is on.
    #[must_use]
    pub fn layer(&self, id: u32) -> Layer {
        if self.node_record(id).to_move == self.max() { Layer::Max } else { Layer::Min }
    }

    /// Positions visited below and at `id`, kept or not.
    fn visited(&self, id: u32) -> u64 {
        let range = id as usize..(id + self.record.size(id)) as usize;
        let unkept: u64 = if self.record.tally.nodes == u64::from(self.kept()) {
            0
        } else {
            self.record.nodes[range].iter().map(|node| node.unkept).sum()
        };
        u64::from(self.record.size(id)) + unkept
    }

    fn cut_view(&self, cut: &CutRecord) -> CutView {
        let layer = self.layer(cut.node);
        let window = self.window_for_max(cut.window, self.node_record(cut.node).to_move);
        let (has, bound) = match layer {
            Layer::Max => (window.alpha, window.beta),
            Layer::Min => (window.beta, window.alpha),
        };
        let skipped: Vec<String> = cut.skipped.iter().map(|&mv| self.move_name(mv)).collect();
        let root = self.node_record(0);
        let start = self.window_for_max(root.window, root.to_move);
        let from_start = bound == if layer == Layer::Max { start.beta } else { start.alpha };
        let (has, bound) = (self.shown(has), self.shown(bound));
        let words = explain::cut(layer, &self.called(&skipped), &has, &bound, from_start);
        CutView { by: self.move_name(cut.by), skipped, has, bound, words }
    }

    /// A value as this tree shows it: where every leaf is the end of a game,
    /// there is no estimate to tell it from.
    pub(super) fn shown(&self, score: Score) -> String {
        if self.record.tally.horizon == 0 { shown_plainly(score) } else { shown(score) }
    }

    /// What is known of a position, with the sign of a bound before it.
    pub(super) fn shown_known(&self, Known { score, bound }: Known) -> String {
        match bound {
            Bound::Exact => self.shown(score),
            Bound::AtLeast | Bound::AtMost => format!("{} {}", bound.sign(), self.shown(score)),
        }
    }

    fn move_name(&self, mv: u16) -> String {
        self.table.move_name(usize::from(mv))
    }

    /// What people call these moves.
    pub(super) fn called<'a>(&self, moves: impl IntoIterator<Item = &'a String>) -> Vec<String> {
        moves.into_iter().map(|mv| self.scene.move_name(mv).to_owned()).collect()
    }
}

/// The number behind a value: a margin where the game is decided.
fn plain(score: Score) -> i32 {
    score.decided_margin().unwrap_or(score).0
}
