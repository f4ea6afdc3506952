//! The observer that keeps what it hears, within a bound.
//!
//! Moves are kept as their numbers, so that one recorder serves every game: a
//! [`crate::table::Table`] turns the numbers back into words. A kept position
//! of a search tree takes about 50 bytes, whatever the game.

use super::{BestSoFar, Child, Cut, Generation, LeafReason, LocalStep, Observer, Redrawn, Tally, Visit, Visits};
use crate::{Bound, Move, Player, Position, Score, Window};

/// A cut as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CutRecord {
    /// The number of the tree position.
    pub node: u32,
    /// The move whose value caused the cut.
    pub by: u16,
    /// The moves that were not looked at.
    pub skipped: Vec<u16>,
    /// The window when it closed, for the player to move.
    pub window: Window,
}

/// A position of the search tree as it is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeRecord {
    /// The number of the position above; `None` at a root.
    pub parent: Option<u32>,
    /// The move that led here.
    pub mv: Option<u16>,
    /// Plies from the root.
    pub ply: u16,
    /// Whose turn it is.
    pub to_move: Player,
    /// Why this is a leaf, if it is one.
    pub leaf: Option<LeafReason>,
    /// The window on entry, for the player to move.
    pub window: Window,
    /// The value for the player to move; `None` if the search was stopped here.
    pub score: Option<Score>,
    /// The number of its cut in [`Recorder::cuts`].
    pub cut: Option<u32>,
    /// The kept positions below it and itself: those numbered from its own
    /// number on. 0 while the search is in it.
    size: u32,
    /// Positions below that were counted but not kept.
    pub unkept: u64,
}

impl NodeRecord {
    /// What the score says of the value, for the player to move. A leaf that
    /// was looked at itself has its value, whatever the window. Any other score
    /// is the value only inside the window and if nothing was skipped; a score
    /// from a table too, for outside the window a stored bound suffices.
    #[must_use]
    pub fn bound(&self) -> Option<Bound> {
        let score = self.score?;
        Some(match self.leaf {
            Some(LeafReason::Over | LeafReason::Horizon) => Bound::Exact,
            _ if self.cut.is_some() => Bound::AtLeast,
            _ => self.window.bound(score),
        })
    }
}

/// What happened on one ply of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct PlyCount {
    /// Positions entered.
    pub nodes: u64,
    /// Leaves among them.
    pub leaves: u64,
    /// Positions whose remaining moves were skipped.
    pub cuts: u64,
}

/// The best move so far as it is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BestRecord {
    /// The move.
    pub mv: u16,
    /// Its value for the player to move at the root.
    pub score: Score,
    /// Plies of look-ahead behind it.
    pub depth: u32,
    /// Positions visited so far.
    pub nodes: u64,
}

/// One look of a local search at its neighbours as it is kept.
#[derive(Clone, PartialEq, Debug)]
pub struct StepRecord {
    /// Which step of the restart this is.
    pub step: u32,
    /// Counts the restarts from 0.
    pub restart: u32,
    /// The value before the step.
    pub before: Score,
    /// Each neighbour with its value.
    pub neighbours: Vec<(u16, Score)>,
    /// The neighbour taken; `None` at a local optimum.
    pub taken: Option<u16>,
    /// The value after the step.
    pub score: Score,
    /// The temperature, for annealing.
    pub temperature: Option<f64>,
}

/// A plan of a genetic search, and how it came to be, as it is kept.
#[derive(Clone, PartialEq, Debug)]
pub struct ChildRecord {
    /// The generation that it belongs to.
    pub generation: u32,
    /// The places of its parents in the generation before, the fittest being
    /// 0: none in the first generation, one for a copy.
    pub parents: Vec<u32>,
    /// How many moves are the first parent's.
    pub cut: Option<u32>,
    /// The moves before mutation and repair.
    pub inherited: Vec<u16>,
    /// The moves in the end.
    pub plan: Vec<u16>,
    /// The places that were drawn anew, and why.
    pub redrawn: Vec<(u32, Redrawn)>,
    /// Its fitness.
    pub fitness: Score,
}

/// How often a Monte Carlo search visited each root move, as it is kept.
#[derive(Clone, PartialEq, Debug)]
pub struct VisitsRecord {
    /// Simulations so far.
    pub simulations: u64,
    /// Each root move with its visits and its mean for the player to move,
    /// from −1 to 1.
    pub moves: Vec<(u16, u64, f64)>,
}

/// Keeps the first `limit` tree positions, local steps, generations, children
/// and improvements each; counts all of them in `tally`.
#[derive(Clone, Debug)]
pub struct Recorder {
    /// The counts of everything, kept or not.
    pub tally: Tally,
    /// The counts of everything by ply.
    pub by_ply: Vec<PlyCount>,
    /// Tree positions in the order of their entry: parents before children.
    pub nodes: Vec<NodeRecord>,
    /// The cuts at kept positions in the order in which they happened.
    pub cuts: Vec<CutRecord>,
    /// Improvements over time.
    pub best: Vec<BestRecord>,
    /// Local steps.
    pub steps: Vec<StepRecord>,
    /// Generations.
    pub generations: Vec<Generation>,
    /// The plans of the generations, elites left out.
    pub children: Vec<ChildRecord>,
    /// Monte Carlo visits as they grow.
    pub visits: Vec<VisitsRecord>,
    limit: usize,
    /// The kept positions that the search is in.
    path: Vec<u32>,
    /// How many positions below the end of `path` the search is in.
    below: u32,
    /// The ply of the position that was entered last.
    ply: u32,
}

fn number<M: Move>(mv: M) -> u16 {
    u16::try_from(mv.index()).expect("moves are numbered below 65,536")
}

fn numbers<M: Move>(moves: &[M]) -> Vec<u16> {
    moves.iter().map(|&mv| number(mv)).collect()
}

impl Recorder {
    /// Keeps at most `limit` entries of each kind.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            tally: Tally::default(),
            by_ply: Vec::new(),
            nodes: Vec::new(),
            cuts: Vec::new(),
            best: Vec::new(),
            steps: Vec::new(),
            generations: Vec::new(),
            children: Vec::new(),
            visits: Vec::new(),
            limit: limit.min(u32::MAX as usize),
            path: Vec::new(),
            below: 0,
            ply: 0,
        }
    }

    /// The kept positions below a position and itself: they are numbered one
    /// after another from its own number on.
    #[must_use]
    pub fn size(&self, node: u32) -> u32 {
        match self.nodes[node as usize].size {
            0 => self.nodes.len() as u32 - node,
            size => size,
        }
    }

    /// The kept positions right below a position, in the order of their entry.
    pub fn children_of(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let end = node + self.size(node);
        let within = move |child: u32| (child < end).then_some(child);
        std::iter::successors(within(node + 1), move |&child| within(child + self.size(child)))
    }

    /// The roots: one for each depth of a search that deepens step by step.
    pub fn roots(&self) -> impl Iterator<Item = u32> + '_ {
        let end = self.nodes.len() as u32;
        let within = move |root: u32| (root < end).then_some(root);
        std::iter::successors(within(0), move |&root| within(root + self.size(root)))
    }

    /// The entered position, if it is kept.
    fn current(&mut self) -> Option<&mut NodeRecord> {
        if self.below > 0 {
            return None;
        }
        self.path.last().map(|&number| &mut self.nodes[number as usize])
    }

    /// Closes the innermost kept position.
    fn close(&mut self) -> Option<&mut NodeRecord> {
        let number = self.path.pop()?;
        let size = self.nodes.len() as u32 - number;
        let node = &mut self.nodes[number as usize];
        node.size = size;
        Some(node)
    }

    fn on_ply(&mut self) -> &mut PlyCount {
        let ply = self.ply as usize;
        if self.by_ply.len() <= ply {
            self.by_ply.resize(ply + 1, PlyCount::default());
        }
        &mut self.by_ply[ply]
    }
}

impl<P: Position> Observer<P> for Recorder {
    fn enter(&mut self, visit: &Visit<'_, P>) {
        self.tally.enter(visit);
        self.ply = visit.ply;
        self.on_ply().nodes += 1;
        // A search that was stopped and began anew left its path open.
        while self.path.last().is_some_and(|&number| u32::from(self.nodes[number as usize].ply) >= visit.ply) {
            self.close();
            self.below = 0;
        }
        if self.nodes.len() >= self.limit {
            self.below += 1;
            if let Some(&number) = self.path.last() {
                self.nodes[number as usize].unkept += 1;
            }
            return;
        }
        let entered = self.nodes.len() as u32;
        self.nodes.push(NodeRecord {
            parent: self.path.last().copied(),
            mv: visit.mv.map(number),
            ply: visit.ply as u16,
            to_move: visit.position.to_move(),
            leaf: None,
            window: visit.window,
            score: None,
            cut: None,
            size: 0,
            unkept: 0,
        });
        self.path.push(entered);
    }

    fn leaf(&mut self, score: Score, reason: LeafReason) {
        Observer::<P>::leaf(&mut self.tally, score, reason);
        self.on_ply().leaves += 1;
        if let Some(node) = self.current() {
            node.leaf = Some(reason);
        }
    }

    fn cut(&mut self, cut: &Cut<'_, P::Move>) {
        Observer::<P>::cut(&mut self.tally, cut);
        self.on_ply().cuts += 1;
        let (node, kept) = (self.path.last().copied(), self.cuts.len() as u32);
        if let Some(current) = self.current() {
            current.cut = Some(kept);
            self.cuts.push(CutRecord {
                node: node.expect("a kept position is on the path"),
                by: number(cut.by),
                skipped: numbers(cut.skipped),
                window: cut.window,
            });
        }
    }

    fn exit(&mut self, _to_move: Player, score: Score) {
        self.ply = self.ply.saturating_sub(1);
        if self.below > 0 {
            self.below -= 1;
        } else if let Some(node) = self.close() {
            node.score = Some(score);
        }
    }

    fn best(&mut self, best: &BestSoFar<P::Move>) {
        Observer::<P>::best(&mut self.tally, best);
        if self.best.len() < self.limit {
            let BestSoFar { mv, score, depth, nodes } = *best;
            self.best.push(BestRecord { mv: number(mv), score, depth, nodes });
        }
    }

    fn local_step(&mut self, step: &LocalStep<'_, P::Move>) {
        Observer::<P>::local_step(&mut self.tally, step);
        if self.steps.len() < self.limit {
            self.steps.push(StepRecord {
                step: step.step,
                restart: step.restart,
                before: step.before,
                neighbours: step.neighbours.iter().map(|&(mv, score)| (number(mv), score)).collect(),
                taken: step.taken.map(number),
                score: step.score,
                temperature: step.temperature,
            });
        }
    }

    fn generation(&mut self, generation: &Generation) {
        Observer::<P>::generation(&mut self.tally, generation);
        if self.generations.len() < self.limit {
            self.generations.push(*generation);
        }
    }

    fn child(&mut self, child: &Child<'_, P::Move>) {
        if self.children.len() < self.limit {
            self.children.push(ChildRecord {
                generation: child.generation,
                parents: child.parents.to_vec(),
                cut: child.cut,
                inherited: numbers(child.inherited),
                plan: numbers(child.plan),
                redrawn: child.redrawn.to_vec(),
                fitness: child.fitness,
            });
        }
    }

    fn visits(&mut self, visits: &Visits<'_, P::Move>) {
        if self.visits.len() < self.limit {
            let moves = visits.moves.iter().map(|&(mv, visits, mean)| (number(mv), visits, mean)).collect();
            self.visits.push(VisitsRecord { simulations: visits.simulations, moves });
        }
    }
}
