//! Exercises: a tree to fill in, and what alpha-beta skips in it.
//!
//! An exercise is made from a difficulty and a seed, so that a link is enough
//! to share it. Nodes are numbered in the order in which alpha-beta would
//! enter them; the root is MAX and 0.

mod check;
mod make;

pub use check::{Answer, Mistake, Verdict};

use papan_core::{Score, Window};
use serde::Serialize;

use crate::tree::Layer;

/// A node of an exercise.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Node {
    /// Whose layer it is on.
    pub layer: Layer,
    /// Its children; none at a leaf.
    pub children: Vec<usize>,
    /// The value that is given: at leaves only.
    pub value: Option<i32>,
}

/// A tree to fill in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Exercise {
    /// The nodes, the root first, each before its children.
    pub nodes: Vec<Node>,
}

/// What alpha-beta does with a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Skip {
    /// The node whose window closed.
    at: usize,
    /// What its player had by then.
    has: i32,
    /// The bound that it reached.
    bound: i32,
}

impl Exercise {
    /// A tree whose every inner node has `branching` children, with these
    /// leaves from left to right; `None` if they do not fill it.
    #[must_use]
    pub fn with_leaves(branching: usize, leaves: &[i32]) -> Option<Self> {
        if branching < 2 || leaves.len() < 2 {
            return None;
        }
        let mut width = 1;
        while width < leaves.len() {
            width *= branching;
        }
        if width != leaves.len() {
            return None;
        }
        let mut exercise = Self { nodes: Vec::new() };
        exercise.grow(Layer::Max, branching, leaves);
        Some(exercise)
    }

    /// The worked example of the Othello report: three levels, value 4.
    #[must_use]
    pub fn of_the_report() -> Self {
        Self::with_leaves(2, &[-1, 4, 2, 6, -3, -5, 0, 7]).expect("eight leaves fill three levels")
    }

    fn grow(&mut self, layer: Layer, branching: usize, leaves: &[i32]) -> usize {
        let number = self.nodes.len();
        let value = if let [leaf] = leaves { Some(*leaf) } else { None };
        self.nodes.push(Node { layer, children: Vec::new(), value });
        if value.is_none() {
            let below = if layer == Layer::Max { Layer::Min } else { Layer::Max };
            let children: Vec<usize> =
                leaves.chunks(leaves.len() / branching).map(|part| self.grow(below, branching, part)).collect();
            self.nodes[number].children = children;
        }
        number
    }

    /// The minimax value of every node.
    #[must_use]
    pub fn values(&self) -> Vec<i32> {
        let mut values = vec![0; self.nodes.len()];
        // Children have higher numbers than their parents.
        for (number, node) in self.nodes.iter().enumerate().rev() {
            values[number] = node.value.unwrap_or_else(|| Self::best(node.layer, &node.children, &values));
        }
        values
    }

    /// The leaves that alpha-beta does not look at, from left to right.
    #[must_use]
    pub fn pruned_leaves(&self) -> Vec<usize> {
        let skips = self.skips();
        (0..self.nodes.len()).filter(|&node| self.nodes[node].value.is_some() && skips[node].is_some()).collect()
    }

    /// For every node that alpha-beta does not enter, the cut that skips it.
    fn skips(&self) -> Vec<Option<Skip>> {
        let mut skips = vec![None; self.nodes.len()];
        self.search(0, Window::FULL, &self.values(), &mut skips);
        skips
    }

    /// Alpha-beta with values and windows from MAX's chair, as they stand in
    /// the picture.
    fn search(&self, number: usize, window: Window, values: &[i32], skips: &mut [Option<Skip>]) -> Score {
        let node = &self.nodes[number];
        if let Some(value) = node.value {
            return Score(value);
        }
        let Window { mut alpha, mut beta } = window;
        let mut found = if node.layer == Layer::Max { Score::MIN } else { Score::MAX };
        for (place, &child) in node.children.iter().enumerate() {
            let value = self.search(child, Window { alpha, beta }, values, skips);
            match node.layer {
                Layer::Max => (found, alpha) = (found.max(value), alpha.max(value)),
                Layer::Min => (found, beta) = (found.min(value), beta.min(value)),
            }
            if alpha >= beta {
                let (looked_at, skipped) = node.children.split_at(place + 1);
                let bound = if node.layer == Layer::Max { window.beta } else { window.alpha };
                let skip = Skip { at: number, has: Self::best(node.layer, looked_at, values), bound: bound.0 };
                for &skipped in skipped {
                    self.mark(skipped, skip, skips);
                }
                break;
            }
        }
        found
    }

    /// What a player has from these nodes. The search itself may know only a
    /// bound on it; the reason names what a student finds in the picture.
    fn best(layer: Layer, nodes: &[usize], values: &[i32]) -> i32 {
        let values = nodes.iter().map(|&node| values[node]);
        match layer {
            Layer::Max => values.max(),
            Layer::Min => values.min(),
        }
        .expect("an inner node has children")
    }

    fn mark(&self, number: usize, skip: Skip, skips: &mut [Option<Skip>]) {
        skips[number] = Some(skip);
        for &child in &self.nodes[number].children {
            self.mark(child, skip, skips);
        }
    }
}

#[cfg(test)]
mod tests;
