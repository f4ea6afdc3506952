//! What is written under a picture: counts, the choice, how to read it, and
//! why each cut was made.

use papan_core::Language;

use crate::tree::{NodeView, SearchTrace};

/// The notes of one picture.
pub(super) struct Notes {
    /// "alpha-beta: shown 400 of 18,297 nodes, …".
    pub(super) caption: String,
    /// The chosen move, its value and best play.
    pub(super) conclusion: String,
    /// A title for each root, where there are several.
    pub(super) searches: Vec<String>,
    /// What the shapes and signs mean.
    pub(super) legend: &'static str,
    /// The cuts at the positions that are shown, from the top down: where, and
    /// why. The picture calls them by their places here, from 1.
    pub(super) cuts: Vec<CutNote>,
}

/// One cut.
pub(super) struct CutNote {
    /// The position's number.
    pub(super) node: u32,
    /// The moves that lead to it.
    pub(super) line: String,
    /// The reason.
    pub(super) words: String,
}

impl Notes {
    pub(super) fn of(trace: &SearchTrace, nodes: &[NodeView], language: Language) -> Self {
        let cuts = nodes.iter().filter_map(|node| {
            let words = node.cut.as_ref()?.words.get(language).to_owned();
            let line = trace.path_to(node.id).into_iter().filter_map(|id| trace.node(id)?.name).collect::<Vec<_>>();
            Some(CutNote { node: node.id, line: line.join(" "), words })
        });
        Self {
            caption: caption(trace, nodes.len(), language),
            conclusion: trace.conclusion().get(language).to_owned(),
            searches: searches(trace, language),
            legend: legend(language),
            cuts: cuts.collect(),
        }
    }

    /// A position's cut with its place in the list, from 1.
    pub(super) fn cut_at(&self, node: u32) -> Option<(usize, &CutNote)> {
        self.cuts.iter().enumerate().find(|(_, cut)| cut.node == node).map(|(place, cut)| (place + 1, cut))
    }
}

fn caption(trace: &SearchTrace, shown: usize, language: Language) -> String {
    let tally = &trace.record().tally;
    let (bot, nodes, leaves, cuts) = (trace.bot(), tally.nodes, tally.leaves(), tally.cuts);
    match language {
        Language::En => format!("{bot}: shown {shown} of {nodes} nodes, {leaves} leaves, {cuts} cuts."),
        Language::Id => format!("{bot}: tampil {shown} dari {nodes} simpul, {leaves} daun, {cuts} pemangkasan."),
    }
}

/// A search that deepens step by step is several searches, one after another.
fn searches(trace: &SearchTrace, language: Language) -> Vec<String> {
    let count = trace.record().roots().count();
    let title = |number| match language {
        Language::En => format!("search {number} of {count}"),
        Language::Id => format!("pencarian {number} dari {count}"),
    };
    if count > 1 { (1..=count).map(title).collect() } else { Vec::new() }
}

const fn legend(language: Language) -> &'static str {
    match language {
        Language::En => {
            "Squares are MAX, who is to move at the top; ovals are MIN. Numbers are values for MAX; ▲ is a win, ▼ a loss. \
             Under each node stands its window [α, β]: α is what MAX has elsewhere already, β what MIN has. \
             ≤ and ≥ mark a bound: the value is not inside the window, and the search needs to know no more of it. \
             Thick blue lines are best play; ✂ are skipped moves."
        }
        Language::Id => {
            "Kotak adalah MAX, yang mendapat giliran di puncak; oval adalah MIN. Angka adalah nilai bagi MAX; ▲ menang, ▼ kalah. \
             Di bawah setiap simpul tertulis jendelanya [α, β]: α yang sudah dimiliki MAX di tempat lain, β yang sudah dimiliki MIN. \
             ≤ dan ≥ menandai batas: nilainya tidak berada di dalam jendela, dan pencarian tidak perlu tahu lebih banyak tentangnya. \
             Garis biru tebal adalah permainan terbaik; ✂ adalah langkah yang dilewati."
        }
    }
}
