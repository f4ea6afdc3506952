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

use papan_core::observer::LeafReason;
use papan_core::{Score, Text, Window};
use serde::Serialize;

use super::{Layer, NodeView, SearchTrace};

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
    /// The best value found below it by now.
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
        let words = words(kind, &node);
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
        let Window { mut alpha, mut beta } = self.window_for_max(node.window, node.to_move);
        let score_of =
            |id: u32| self.node_record(id).score.map(|score| self.for_max(score, self.node_record(id).to_move));
        let done = self.record.children_of(id).take_while(|&child| self.left(child) <= number);
        // A leaf has its value from itself.
        let own = (node.leaf.is_some() && self.left(id) <= number).then_some(id);
        let (mut best, mut looked_at) = (None, 0);
        for score in done.inspect(|_| looked_at += 1).chain(own).filter_map(score_of) {
            best = Some(
                best.map_or(score, |best: Score| if layer == Layer::Max { best.max(score) } else { best.min(score) }),
            );
        }
        match (layer, best) {
            (Layer::Max, Some(best)) => alpha = alpha.max(best),
            (Layer::Min, Some(best)) => beta = beta.min(best),
            (_, None) => {}
        }
        Standing {
            node: self.view(id),
            window: [self.shown(alpha), self.shown(beta)],
            best: best.map(|best| self.shown(best)),
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

fn words(kind: StepKind, node: &NodeView) -> Text {
    let who = node.layer.name();
    let NodeView { value, entry: [alpha, beta], .. } = node;
    let (name_en, name_id) = match &node.mv {
        Some(mv) => (mv.clone(), mv.clone()),
        None => ("the root".to_owned(), "akar".to_owned()),
    };
    match kind {
        StepKind::Enter => Text::owned(
            format!("Into {name_en}: {who} to choose, α = {alpha}, β = {beta}."),
            format!("Masuk ke {name_id}: giliran {who}, α = {alpha}, β = {beta}."),
        ),
        StepKind::Leaf => {
            let (why_en, why_id) = match node.leaf {
                Some(LeafReason::Over) => ("the game is over", "permainan selesai"),
                Some(LeafReason::Table) => ("it is known from the table", "sudah diketahui dari tabel"),
                Some(LeafReason::Horizon) | None => ("the depth limit is reached", "batas kedalaman tercapai"),
            };
            Text::owned(
                format!("{name_en} is worth {value}: {why_en}."),
                format!("{name_id} bernilai {value}: {why_id}."),
            )
        }
        StepKind::Cut => node.cut.as_ref().map_or_else(|| Text::new("", ""), |cut| cut.words.clone()),
        StepKind::Return => {
            let (best_en, best_id) = match node.layer {
                Layer::Max => ("greatest", "terbesar"),
                Layer::Min => ("least", "terkecil"),
            };
            Text::owned(
                format!("Back from {name_en} with {value}, the {best_en} value that {who} found."),
                format!("Kembali dari {name_id} dengan {value}, nilai {best_id} yang ditemukan {who}."),
            )
        }
        StepKind::Stopped => Text::new("The search was stopped here.", "Pencarian dihentikan di sini."),
    }
}
