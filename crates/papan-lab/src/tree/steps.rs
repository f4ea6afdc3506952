//! The search step by step.
//!
//! Every kept position is entered once and left once, so a tree of n kept
//! positions has 2n steps. They are not stored: positions are numbered in the
//! order of entry, so when position v is entered, v positions have been
//! entered before and all of them but its ancestors have been left. Hence
//!
//! ```text
//! entered(v) = 2v − ancestors(v)
//! left(v)    = entered(v) + 2·size(v) − 1
//! ```

use papan_core::{Bound, Text, Window};
use serde::Serialize;

use super::{Known, Layer, NodeView, SearchTrace};

/// What happens in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StepKind {
    /// A position is entered.
    Enter,
    /// A leaf gets its value.
    Leaf,
    /// The other moves are skipped, and the position is left.
    Cut,
    /// A position is left with its value.
    Return,
    /// The search was stopped inside.
    Stopped,
}

/// A position that the search is in, as it stands after a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Standing {
    /// The position.
    pub node: NodeView,
    /// Alpha and beta by now.
    pub window: [String; 2],
    /// What is known of its value by now: while the search is in it a bound,
    /// once it is left what it shows from then on; `None` before the first.
    pub best: Option<String>,
    /// How many moves have been looked at by now.
    pub looked_at: u32,
}

/// A step as it is shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StepView {
    /// Its number from 0.
    pub number: u64,
    /// What happens.
    pub kind: StepKind,
    /// The position.
    pub node: NodeView,
    /// The positions from the root to it, as they stand after this step.
    pub path: Vec<Standing>,
    /// The lines of [`super::PSEUDOCODE`] that it is on.
    pub lines: &'static [usize],
    /// What happens, in words.
    pub words: Text,
}

impl SearchTrace {
    /// How many steps there are.
    #[must_use]
    pub fn steps(&self) -> u64 {
        2 * u64::from(self.kept())
    }

    /// A step; `None` beyond the last.
    #[must_use]
    pub fn step(&self, number: u64) -> Option<StepView> {
        if number >= self.steps() {
            return None;
        }
        let (id, kind) = self.locate(number);
        let node = self.node(id).expect("a step is at a kept position");
        let words = self.step_words(number, kind, &node);
        let lines: &'static [usize] = match kind {
            StepKind::Enter => &[0],
            StepKind::Leaf => &[1],
            StepKind::Cut => &[4, 5],
            StepKind::Return => &[6],
            StepKind::Stopped => &[],
        };
        Some(StepView { number, kind, node, path: self.standings(id, number), lines, words })
    }

    fn standings(&self, id: u32, number: u64) -> Vec<Standing> {
        self.path_to(id).into_iter().map(|above| self.standing(above, number)).collect()
    }

    /// A position as it stands after step `number`, which is inside it.
    fn standing(&self, id: u32, number: u64) -> Standing {
        let node = self.node_record(id);
        let layer = self.layer(id);
        let entry = self.window_for_max(node.window, node.to_move);
        let is_left = self.left(id) <= number;
        let done = self.record.children_of(id).take_while(|&child| self.left(child) <= number);
        // A leaf has its value from itself.
        let own = (node.leaf.is_some() && is_left).then_some(id);
        let Window { mut alpha, mut beta } = entry;
        let mut looked_at = 0;
        for Known { score, .. } in done.inspect(|_| looked_at += 1).chain(own).filter_map(|id| self.known(id)) {
            match layer {
                Layer::Max => alpha = alpha.max(score),
                Layer::Min => beta = beta.min(score),
            }
        }
        let by_now = Window { alpha, beta };
        Standing {
            node: self.view(id),
            window: [self.shown(alpha), self.shown(beta)],
            best: if is_left { self.known(id) } else { running(layer, entry, by_now) }
                .map(|known| self.shown_known(known)),
            looked_at,
        }
    }

    /// The step after `number` at which a cut happens, or the last one before
    /// it.
    #[must_use]
    pub fn cut_step(&self, number: u64, forwards: bool) -> Option<u64> {
        let cuts = &self.record.cuts;
        // Cuts are kept in the order in which they happened.
        let at = |index: usize| self.left(cuts[index].node);
        if forwards {
            let next = partition(cuts.len(), |index| at(index) <= number);
            (next < cuts.len()).then(|| at(next))
        } else {
            let before = partition(cuts.len(), |index| at(index) < number);
            before.checked_sub(1).map(at)
        }
    }

    /// The step at which a position is entered.
    #[must_use]
    pub fn entered(&self, id: u32) -> u64 {
        2 * u64::from(id) - (self.path_to(id).len() as u64 - 1)
    }

    /// The step at which a position is left.
    #[must_use]
    pub fn left(&self, id: u32) -> u64 {
        self.entered(id) + 2 * u64::from(self.record.size(id)) - 1
    }

    fn locate(&self, number: u64) -> (u32, StepKind) {
        // The last position entered at or before the step is it or below it.
        let mut id = partition(self.kept() as usize, |id| self.entered(id as u32) <= number) as u32 - 1;
        if self.entered(id) == number {
            return (id, StepKind::Enter);
        }
        while self.left(id) != number {
            id = self.node_record(id).parent.expect("some position is left at each other step");
        }
        let node = self.node_record(id);
        let kind = match node {
            _ if node.score.is_none() => StepKind::Stopped,
            _ if node.leaf.is_some() => StepKind::Leaf,
            _ if node.cut.is_some() => StepKind::Cut,
            _ => StepKind::Return,
        };
        (id, kind)
    }
}

/// The first of `count` indices for which `is_before` is false.
fn partition(count: usize, is_before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = (low + high) / 2;
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// What is known of a position that the search is in: that its player has what
/// moved the window. Moves that did not move it have only bounds themselves.
fn running(layer: Layer, entry: Window, by_now: Window) -> Option<Known> {
    let (before, score, bound) = match layer {
        Layer::Max => (entry.alpha, by_now.alpha, Bound::AtLeast),
        Layer::Min => (entry.beta, by_now.beta, Bound::AtMost),
    };
    (score != before).then_some(Known { score, bound })
}
