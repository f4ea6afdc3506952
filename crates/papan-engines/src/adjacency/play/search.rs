//! Principal variation search with iterative deepening.
//!
//! The evaluation knows who makes the last move, so depths of both parities compare well enough to
//! deepen ply by ply.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::evaluation::{UNIT, Weights, evaluate, fitted};
use super::memory::{Bound, Memo, Memory, hash};
use crate::adjacency::rule::{Cells, Levels, Rule};

const NO_MOVE: u32 = 64;
const INFINITE: i32 = 30_000;
/// Nodes between two looks at the clock.
const LOOK_EVERY: u64 = 256;

/// How long and how deep to search.
#[derive(Clone, Copy)]
pub struct SearchLimits<'a> {
    /// When to stop.
    pub deadline: Option<Instant>,
    /// The most nodes, of the first thread.
    pub nodes: Option<u64>,
    /// The greatest depth in plies.
    pub depth: u32,
    /// Set from outside to stop.
    pub stop: &'a AtomicBool,
    /// Threads.
    pub threads: usize,
    /// Give every root move its own value, not only a bound.
    pub all_moves: bool,
}

/// A root move with its score in [`UNIT`]s; an upper bound unless `full`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
    /// The cell.
    pub cell: u32,
    /// Score for the side to move.
    pub score: i32,
    /// Whether the score is a value rather than an upper bound.
    pub full: bool,
}

/// The outcome of a search.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Root moves, best first; never empty.
    pub moves: Vec<Scored>,
    /// The depth that was finished.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
}

/// The playing search with its memory.
pub struct Searcher {
    memory: Memory,
    weights: Option<Box<Weights>>,
}

impl Searcher {
    /// A search with a memory of so many MiB.
    #[must_use]
    pub fn new(megabytes: usize) -> Self {
        Self { memory: Memory::new(megabytes), weights: None }
    }

    /// As [`Searcher::new`], with other weights than the fitted ones.
    #[must_use]
    pub fn with_weights(megabytes: usize, weights: Weights) -> Self {
        Self { memory: Memory::new(megabytes), weights: Some(Box::new(weights)) }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.memory.clear();
    }

    /// Searches a position with at least one ply left. `report` hears of each finished depth.
    pub fn search<R: Rule>(
        &self,
        own: u64,
        opp: u64,
        plies: u32,
        limits: &SearchLimits<'_>,
        report: &mut dyn FnMut(&Found),
    ) -> Found {
        let root = Node { own, opp, plies };
        let finished = AtomicBool::new(false);
        let nodes = AtomicU64::new(0);
        let worker = |first: bool| Worker::<R> {
            weights: self.weights.as_deref().unwrap_or(fitted::<R>()),
            memory: &self.memory,
            limits: *limits,
            finished: &finished,
            shared_nodes: &nodes,
            first,
            nodes: 0,
            stopped: false,
            killers: [[NO_MOVE; 2]; 64],
            history: [[0; 64]; 2],
            rule: std::marker::PhantomData,
        };
        let mut found = std::thread::scope(|scope| {
            for index in 1..limits.threads {
                let mut helper = worker(false);
                // Helpers start at different depths, so that they fill the memory ahead.
                scope.spawn(move || helper.deepen(root, 1 + index as u32 % 2, &mut |_| {}));
            }
            let mut main = worker(true);
            let found = main.deepen(root, 1, report);
            finished.store(true, Relaxed);
            nodes.fetch_add(main.nodes % LOOK_EVERY, Relaxed);
            found
        });
        found.nodes = nodes.load(Relaxed);
        found
    }
}

struct Worker<'a, R> {
    weights: &'a Weights,
    memory: &'a Memory,
    limits: SearchLimits<'a>,
    finished: &'a AtomicBool,
    shared_nodes: &'a AtomicU64,
    first: bool,
    nodes: u64,
    stopped: bool,
    killers: [[u32; 2]; 64],
    history: [[i32; 64]; 2],
    rule: std::marker::PhantomData<R>,
}

/// The board after a move, from the other side's chair.
#[inline(always)]
#[must_use]
pub fn after<R: Rule>(own: u64, opp: u64, cell: u32) -> (u64, u64) {
    let flipped = R::neighbours(cell) & opp;
    (opp & !flipped, own | 1 << cell | flipped)
}

/// A position from the chair of the side to move.
#[derive(Clone, Copy)]
struct Node {
    own: u64,
    opp: u64,
    plies: u32,
}

impl Node {
    #[inline(always)]
    fn after<R: Rule>(&self, cell: u32) -> Self {
        let (own, opp) = after::<R>(self.own, self.opp, cell);
        Self { own, opp, plies: self.plies - 1 }
    }
}

impl<R: Rule> Worker<'_, R> {
    /// Counts a position and looks at the limits; a stopped search counts no more.
    fn look(&mut self) {
        self.stopped |= self.first && self.limits.nodes.is_some_and(|most| self.nodes >= most);
        if self.stopped {
            return;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK_EVERY) {
            self.shared_nodes.fetch_add(LOOK_EVERY, Relaxed);
            let late = self.limits.deadline.is_some_and(|d| Instant::now() >= d);
            self.stopped |= late || self.limits.stop.load(Relaxed) || self.finished.load(Relaxed);
        }
    }

    #[inline(always)]
    fn value(&self, node: &Node) -> i32 {
        evaluate::<R>(self.weights, node.own, node.opp, node.plies)
    }

    /// Deepens until a limit is reached; the result is that of the last finished depth, improved
    /// by a better move found in the unfinished one.
    fn deepen(&mut self, root: Node, from: u32, report: &mut dyn FnMut(&Found)) -> Found {
        let mut moves: Vec<Scored> = Cells(!(root.own | root.opp))
            .map(|cell| Scored { cell, score: -self.value(&root.after::<R>(cell)), full: true })
            .collect();
        moves.sort_by_key(|m| -m.score);
        let mut found = Found { moves: moves.clone(), depth: 1, nodes: 0 };
        for depth in from.max(2)..=self.limits.depth.min(root.plies) {
            let complete = self.search_root(&root, depth, &mut moves);
            if complete || moves[0].cell != found.moves[0].cell {
                found.moves.clone_from(&moves);
            }
            if !complete {
                break;
            }
            found.depth = depth;
            found.nodes = self.shared_nodes.load(Relaxed);
            report(&found);
        }
        found
    }

    /// One depth at the root. Keeps `moves` sorted, best first; false if stopped midway, and then
    /// the first move is still the best of those that were finished.
    fn search_root(&mut self, root: &Node, depth: u32, moves: &mut [Scored]) -> bool {
        let mut best = -INFINITE;
        for index in 0..moves.len() {
            let next = root.after::<R>(moves[index].cell);
            let mut full = index == 0 || self.limits.all_moves;
            let mut score = best;
            if !full {
                let reduced = depth - 1 - reduction(depth, root.plies, index) / 2;
                score = -self.search(&next, reduced, -best - 1, -best);
                if score > best && reduced < depth - 1 {
                    score = -self.search(&next, depth - 1, -best - 1, -best);
                }
            }
            if full || score > best {
                let floor = if self.limits.all_moves { -INFINITE } else { best };
                score = -self.search(&next, depth - 1, -INFINITE, -floor);
                full = true;
            }
            if self.stopped {
                return false;
            }
            moves[index] = Scored { score, full, ..moves[index] };
            if score > best {
                best = score;
                moves[..=index].rotate_right(1);
            }
        }
        moves[1..].sort_by_key(|m| -m.score);
        true
    }

    /// Fail-soft: at most `alpha` means an upper bound, at least `beta` a lower bound.
    fn search(&mut self, node: &Node, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        // Step 1: leaves.
        if depth == 0 || node.plies <= 1 {
            return self.value(node);
        }
        self.look();
        if self.stopped {
            return 0;
        }
        if depth == 1 {
            return self.last_move(node, beta);
        }

        // Step 2: what is remembered.
        let key = hash(node.own, node.opp, node.plies);
        let mut remembered = NO_MOVE;
        if let Some(memo) = self.memory.recall(key) {
            remembered = memo.mv;
            let fits = match memo.bound {
                Bound::Exact => true,
                Bound::Lower => memo.score >= beta,
                Bound::Upper => memo.score <= alpha,
            };
            if fits && memo.depth >= depth.min(node.plies) {
                return memo.score;
            }
        }

        // Step 3: the moves in order; late ones are searched less deeply at first.
        let mut list = [(0i32, 0u32); 64];
        let count = self.order(node, remembered, &mut list);
        let floor = alpha;
        let (mut best, mut best_move) = (-INFINITE, NO_MOVE);
        for (index, &(_, cell)) in list[..count].iter().enumerate() {
            let next = node.after::<R>(cell);
            let reduced = depth - 1 - reduction(depth, node.plies, index);
            let mut score = best;
            let mut again = index == 0;
            if index > 0 {
                score = -self.search(&next, reduced, -alpha - 1, -alpha);
                if score > alpha && reduced < depth - 1 {
                    score = -self.search(&next, depth - 1, -alpha - 1, -alpha);
                }
                again = score > alpha && score < beta;
            }
            if again {
                score = -self.search(&next, depth - 1, -beta, -alpha);
            }
            if self.stopped {
                return 0;
            }
            if score > best {
                (best, best_move) = (score, cell);
                alpha = alpha.max(score);
                if score >= beta {
                    self.reward(node.plies, depth, cell);
                    break;
                }
            }
        }

        // Step 4: remember.
        let bound = if best >= beta {
            Bound::Lower
        } else if best <= floor {
            Bound::Upper
        } else {
            Bound::Exact
        };
        self.memory.keep(key, Memo { score: best, depth, bound, mv: best_move });
        best
    }

    /// One ply before the horizon: the best value after a move, or one that reaches `beta`.
    fn last_move(&mut self, node: &Node, beta: i32) -> i32 {
        let mut best = -INFINITE;
        let attack = R::levels(node.opp);
        let mut open = !(node.own | node.opp);
        for flips in (0..=R::MAX).rev() {
            let cells = open & attack.at_least(flips);
            open &= !cells;
            for cell in Cells(cells) {
                best = best.max(-self.value(&node.after::<R>(cell)));
                if best >= beta {
                    return best;
                }
            }
        }
        best
    }

    fn reward(&mut self, plies: u32, depth: u32, cell: u32) {
        let killers = &mut self.killers[plies as usize];
        if killers[0] != cell {
            *killers = [cell, killers[0]];
        }
        let row = &mut self.history[(plies & 1) as usize];
        row[cell as usize] += (depth * depth) as i32;
        if row[cell as usize] > 4000 {
            row.iter_mut().for_each(|h| *h /= 2);
        }
    }

    /// Lists the moves, best guess first: the remembered one, then by the evaluation after the
    /// move, helped by killers and history.
    fn order(&self, node: &Node, remembered: u32, list: &mut [(i32, u32); 64]) -> usize {
        let killers = self.killers[node.plies as usize];
        let history = &self.history[(node.plies & 1) as usize];
        let mut count = 0;
        for cell in Cells(!(node.own | node.opp)) {
            let mut score = if cell == remembered {
                INFINITE
            } else {
                -self.value(&node.after::<R>(cell)) + history[cell as usize] / 64
            };
            if killers.contains(&cell) {
                score += UNIT / 2;
            }
            list[count] = (-score, cell);
            count += 1;
        }
        list[..count].sort_unstable();
        count
    }
}

/// By how much a late move is searched less deeply: not at all where the end is in reach.
#[inline(always)]
fn reduction(depth: u32, plies: u32, index: usize) -> u32 {
    if depth < 3 || plies <= depth || index < 3 {
        return 0;
    }
    let by_index = (index as u32).ilog2();
    (by_index * depth / 8).min(depth - 2).max(1)
}

/// A score as a margin, rounded.
#[must_use]
pub fn as_margin(score: i32) -> i32 {
    (score + UNIT / 2).div_euclid(UNIT)
}
