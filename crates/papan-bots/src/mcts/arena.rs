//! The nodes of the tree, in one block of memory.

use std::ops::Range;

use papan_core::{Margin, Move, MoveSet as _, Perspective, Player, Position, Score, seen_by};

/// The root's number.
pub(super) const ROOT: u32 = 0;

/// A result between a sure loss (−1) and a sure win (1) of some chair.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub(super) struct Reward(pub(super) f64);

impl Perspective for Reward {
    #[inline(always)]
    fn flipped(self) -> Self {
        Self(-self.0)
    }
}

/// Proved bounds on the outcome from one chair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) lower: Score,
    pub(super) upper: Score,
}

impl Perspective for Bounds {
    #[inline(always)]
    fn flipped(self) -> Self {
        Self { lower: self.upper.flipped(), upper: self.lower.flipped() }
    }
}

/// A node. Everything in it is seen from First's chair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<M> {
    pub(super) mv: M,
    children: u16,
    lower: i16,
    upper: i16,
    first_child: u32,
    pub(super) visits: u32,
    rewards: f64,
}

impl<M> Node<M> {
    fn new(mv: M, bound: i16) -> Self {
        Self { mv, children: 0, lower: -bound, upper: bound, first_child: 0, visits: 0, rewards: 0.0 }
    }

    /// The mean reward for `chair`; the node must have been visited.
    #[inline(always)]
    pub(super) fn mean(&self, chair: Player) -> Reward {
        seen_by(Reward(self.rewards / f64::from(self.visits)), Player::First, chair)
    }

    /// The bounds for `chair`.
    #[inline(always)]
    pub(super) fn bounds(&self, chair: Player) -> Bounds {
        let bounds = Bounds { lower: Score(self.lower.into()), upper: Score(self.upper.into()) };
        seen_by(bounds, Player::First, chair)
    }

    fn set_bounds(&mut self, bounds: Bounds, chair: Player) {
        let bounds = seen_by(bounds, chair, Player::First);
        (self.lower, self.upper) = (bounds.lower.0 as i16, bounds.upper.0 as i16);
    }

    /// Is the outcome proved?
    #[inline(always)]
    pub(super) fn is_solved(&self) -> bool {
        self.lower == self.upper
    }

    #[inline(always)]
    pub(super) fn has_children(&self) -> bool {
        self.children > 0
    }

    #[inline(always)]
    pub(super) fn children(&self) -> Range<u32> {
        self.first_child..self.first_child + u32::from(self.children)
    }
}

/// All nodes; the memory is reserved once, when the first search begins.
#[derive(Debug)]
pub(super) struct Arena<M> {
    nodes: Vec<Node<M>>,
    capacity: usize,
    bound: i16,
    depth: u32,
}

/// A clone has no nodes: a tree lives for one move only.
impl<M: Copy> Clone for Arena<M> {
    fn clone(&self) -> Self {
        Self { nodes: Vec::new(), ..*self }
    }
}

impl<M: Move> Arena<M> {
    /// Room for `megabytes` of nodes.
    pub(super) fn new(megabytes: usize) -> Self {
        let capacity = ((megabytes << 20) / size_of::<Node<M>>()).min(u32::MAX as usize);
        Self { nodes: Vec::new(), capacity, bound: 0, depth: 0 }
    }

    /// A new tree with the root's moves in it; outcomes are within `bound`.
    pub(super) fn begin<P: Position<Move = M>>(&mut self, position: &P, bound: i32) {
        let moves = position.legal_moves();
        self.bound = bound as i16;
        self.depth = 0;
        self.nodes.clear();
        self.nodes.reserve_exact(self.capacity);
        self.nodes.push(Node::new(moves.nth(0), self.bound));
        self.expand(ROOT, moves, 0);
    }

    #[inline(always)]
    pub(super) fn node(&self, number: u32) -> &Node<M> {
        &self.nodes[number as usize]
    }

    /// The deepest ply in the tree.
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// Gives the node `ply` plies below the root its children; false if there
    /// is no room. The root always has room: its moves are few.
    pub(super) fn expand(&mut self, number: u32, moves: impl Copy + IntoIterator<Item = M>, ply: u32) -> bool {
        let first = self.nodes.len();
        if number != ROOT && first + M::LIMIT > self.capacity {
            return false;
        }
        let bound = self.bound;
        self.nodes.extend(moves.into_iter().map(|mv| Node::new(mv, bound)));
        let children = (self.nodes.len() - first) as u16;
        let node = &mut self.nodes[number as usize];
        (node.first_child, node.children) = (first as u32, children);
        self.depth = self.depth.max(ply + 1);
        true
    }

    /// Counts a visit with its reward for First.
    #[inline(always)]
    pub(super) fn add_visit(&mut self, number: u32, reward: Reward) {
        let node = &mut self.nodes[number as usize];
        node.visits += 1;
        node.rewards += reward.0;
    }

    /// Sets the outcome of a finished game.
    pub(super) fn set_solved(&mut self, number: u32, outcome: Margin) {
        let outcome = outcome.for_player(Player::First);
        self.nodes[number as usize].set_bounds(Bounds { lower: outcome, upper: outcome }, Player::First);
    }

    /// Takes a node's bounds from its children, as minimax would: `mover` has
    /// the best of them. False if nothing changed.
    pub(super) fn update_bounds(&mut self, number: u32, mover: Player) -> bool {
        let known = self.node(number).bounds(mover);
        let (mut lower, mut upper) = (known.lower, Score::MIN);
        for child in self.node(number).children() {
            let bounds = self.node(child).bounds(mover);
            lower = lower.max(bounds.lower);
            upper = upper.max(bounds.upper);
        }
        let bounds = Bounds { lower, upper: upper.min(known.upper) };
        self.nodes[number as usize].set_bounds(bounds, mover);
        bounds != known
    }
}
