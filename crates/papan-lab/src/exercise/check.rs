//! Checking answers: the first mistake, with its reason.

use std::collections::{BTreeMap, BTreeSet};

use papan_core::Text;
use serde::{Deserialize, Serialize};

use super::Exercise;
use crate::tree::Layer;

/// What a student fills in.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub struct Answer {
    /// The value of each inner node; those that are missing are not checked
    /// until all others are right.
    #[serde(default)]
    pub values: BTreeMap<usize, i32>,
    /// The leaves that alpha-beta does not look at.
    #[serde(default)]
    pub pruned: Option<BTreeSet<usize>>,
}

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mistake {
    /// A value is wrong.
    Value,
    /// A value is missing.
    Missing,
    /// A leaf is marked as skipped that alpha-beta must look at.
    TooMuch,
    /// A leaf is not marked that alpha-beta skips.
    TooLittle,
    /// The number names no node, or one that cannot be answered.
    Unknown,
}

/// What an answer is worth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Verdict {
    /// Is everything right?
    pub right: bool,
    /// The node of the first mistake.
    pub node: Option<usize>,
    /// The first mistake.
    pub mistake: Option<Mistake>,
    /// What to say.
    pub words: Text,
}

impl Verdict {
    fn wrong(node: usize, mistake: Mistake, en: String, id: String) -> Self {
        Self { right: false, node: Some(node), mistake: Some(mistake), words: Text::owned(en, id) }
    }
}

impl Exercise {
    /// Checks an answer: values from the leaves upwards, then what is skipped
    /// from left to right, in the order in which a student works.
    #[must_use]
    pub fn check(&self, answer: &Answer) -> Verdict {
        self.unknown(answer)
            .or_else(|| self.wrong_value(answer))
            .or_else(|| answer.pruned.as_ref().and_then(|pruned| self.wrong_skip(pruned)))
            .unwrap_or_else(|| Verdict {
                right: true,
                node: None,
                mistake: None,
                words: Text::new("Everything is right.", "Semuanya benar."),
            })
    }

    fn unknown(&self, answer: &Answer) -> Option<Verdict> {
        let is_leaf = |node: usize| self.nodes.get(node).map(|node| node.value.is_some());
        let values = answer.values.keys().find(|&&node| is_leaf(node) != Some(false));
        let pruned = answer.pruned.iter().flatten().find(|&&node| is_leaf(node) != Some(true));
        values.or(pruned).map(|&node| {
            Verdict::wrong(
                node,
                Mistake::Unknown,
                format!("There is nothing to answer at node {node}."),
                format!("Tidak ada yang perlu dijawab di simpul {node}."),
            )
        })
    }

    fn wrong_value(&self, answer: &Answer) -> Option<Verdict> {
        let values = self.values();
        // From the leaves upwards: children have higher numbers.
        let inner = (0..self.nodes.len()).rev().filter(|&node| self.nodes[node].value.is_none());
        let wrong = inner.clone().find(|node| answer.values.get(node).is_some_and(|value| *value != values[*node]));
        if let Some(node) = wrong {
            let below: Vec<String> = self.nodes[node].children.iter().map(|&child| values[child].to_string()).collect();
            let (en, id) = match self.nodes[node].layer {
                Layer::Max => ("MAX takes the greatest of", "MAX mengambil yang terbesar dari"),
                Layer::Min => ("MIN takes the least of", "MIN mengambil yang terkecil dari"),
            };
            let (given, below) = (answer.values[&node], below.join(", "));
            return Some(Verdict::wrong(
                node,
                Mistake::Value,
                format!("{given} is not right here: {en} {below}."),
                format!("{given} tidak benar di sini: {id} {below}."),
            ));
        }
        let missing = inner.into_iter().find(|node| !answer.values.contains_key(node))?;
        if answer.values.is_empty() && answer.pruned.is_some() {
            // Only the skipped leaves were asked for.
            return None;
        }
        Some(Verdict::wrong(
            missing,
            Mistake::Missing,
            "A value is still missing here.".to_owned(),
            "Di sini masih ada nilai yang kosong.".to_owned(),
        ))
    }

    fn wrong_skip(&self, pruned: &BTreeSet<usize>) -> Option<Verdict> {
        let skips = self.skips();
        let leaves = (0..self.nodes.len()).filter(|&node| self.nodes[node].value.is_some());
        let leaf = leaves.into_iter().find(|leaf| pruned.contains(leaf) != skips[*leaf].is_some())?;
        Some(match skips[leaf] {
            Some(skip) => {
                let (who, other, bound) = match self.nodes[skip.at].layer {
                    Layer::Max => ("MAX", "MIN", "beta"),
                    Layer::Min => ("MIN", "MAX", "alpha"),
                };
                Verdict::wrong(
                    leaf,
                    Mistake::TooLittle,
                    format!(
                        "Too little is skipped: {who} already has {}, {bound} is {}, so {other} will not come here and this leaf need not be looked at.",
                        skip.has, skip.bound
                    ),
                    format!(
                        "Terlalu sedikit yang dipangkas: {who} sudah punya {}, {bound} adalah {}, maka {other} tidak akan ke sini dan daun ini tidak perlu dilihat.",
                        skip.has, skip.bound
                    ),
                )
            }
            None => Verdict::wrong(
                leaf,
                Mistake::TooMuch,
                "Too much is skipped: no bound above rules this leaf out yet, so it must be looked at.".to_owned(),
                "Terlalu banyak yang dipangkas: belum ada batas di atas yang menyingkirkan daun ini, jadi harus dilihat."
                    .to_owned(),
            ),
        })
    }
}
