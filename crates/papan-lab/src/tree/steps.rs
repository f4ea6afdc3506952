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

use papan_core::Text;
use papan_core::observer::LeafReason;
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

/// A step as it is shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StepView {
    /// Its number from 0.
    pub number: u64,
    /// What happens.
    pub kind: StepKind,
    /// The position.
    pub node: NodeView,
    /// The numbers of the positions from the root to it.
    pub path: Vec<u32>,
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
        Some(StepView { number, kind, node, path: self.path_to(id), lines, words })
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
