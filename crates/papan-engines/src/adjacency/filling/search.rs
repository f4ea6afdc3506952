//! Principal variation search on sets of empty cells.
//!
//! The same method as in the search for other boards; but a position is 64 bits, so the memory
//! meets far more positions again, and whoever came to them by whatever marks.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::earnings::{earned, last_left};
use super::worth::{UNIT, Windows, Worth};
use crate::adjacency::play::memory::{Bound, Memo, Memory, hash};
use crate::adjacency::play::search::{Found, Scored, SearchLimits};
use crate::adjacency::rule::{Cells, Four};

const NO_MOVE: u32 = 64;
const INFINITE: i32 = 30_000;
/// Nodes between two looks at the clock.
const LOOK_EVERY: u64 = 256;

/// The search with its memory, for four neighbours.
pub struct FillSearcher {
    memory: Memory,
}

/// A set of empty cells and its windows.
#[derive(Clone, Copy)]
struct Node {
    empty: u64,
    windows: Windows,
}

impl Node {
    #[inline(always)]
    fn without(&self, cell: u32) -> Self {
        Self { empty: self.empty & !(1 << cell), windows: self.windows.without(cell) }
    }
}

impl FillSearcher {
    /// A search with a memory of so many MiB.
    #[must_use]
    pub fn new(megabytes: usize) -> Self {
        Self { memory: Memory::new(megabytes) }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.memory.clear();
    }

    /// Searches a set with at least one cell. Scores are what the side to move will earn more than
    /// the other from here on. `report` hears of each finished depth.
    pub fn search(
        &self,
        worth: &Worth,
        empty: u64,
        limits: &SearchLimits<'_>,
        report: &mut dyn FnMut(&Found),
    ) -> Found {
        let root = Node { empty, windows: Windows::new(empty) };
        let finished = AtomicBool::new(false);
        let nodes = AtomicU64::new(0);
        let worker = |first: bool| Worker {
            worth,
            memory: &self.memory,
            limits: *limits,
            finished: &finished,
            shared_nodes: &nodes,
            first,
            nodes: 0,
            stopped: false,
            killers: [[NO_MOVE; 2]; 64],
            history: [[0; 64]; 2],
        };
        let mut found = std::thread::scope(|scope| {
            for index in 1..limits.threads {
                let mut helper = worker(false);
                // Helpers start at different depths, so that they fill the memory ahead.
                scope.spawn(move || helper.deepen(root, 2 + index as u32 % 2, &mut |_| {}));
            }
            let mut main = worker(true);
            let found = main.deepen(root, 2, report);
            finished.store(true, Relaxed);
            nodes.fetch_add(main.nodes % LOOK_EVERY, Relaxed);
            found
        });
        found.nodes = nodes.load(Relaxed);
        found
    }
}

struct Worker<'a> {
    worth: &'a Worth,
    memory: &'a Memory,
    limits: SearchLimits<'a>,
    finished: &'a AtomicBool,
    shared_nodes: &'a AtomicU64,
    first: bool,
    nodes: u64,
    stopped: bool,
    killers: [[u32; 2]; 64],
    history: [[i32; 64]; 2],
}

impl Worker<'_> {
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

    /// What a move seems to be worth without a search.
    #[inline(always)]
    fn glance(&self, node: &Node, last: u64, cell: u32) -> i32 {
        UNIT * earned::<Four>(last, cell) - self.leaf(&node.without(cell))
    }

    #[inline(always)]
    fn leaf(&self, node: &Node) -> i32 {
        if node.empty == 0 { 0 } else { self.worth.of(&node.windows, node.empty.count_ones()) }
    }

    /// Deepens until a limit is reached; the result is that of the last finished depth, improved
    /// by a better move found in the unfinished one.
    fn deepen(&mut self, root: Node, from: u32, report: &mut dyn FnMut(&Found)) -> Found {
        let last = last_left::<Four>(root.empty);
        let mut moves: Vec<Scored> =
            Cells(root.empty).map(|cell| Scored { cell, score: self.glance(&root, last, cell), full: true }).collect();
        moves.sort_by_key(|m| -m.score);
        let mut found = Found { moves: moves.clone(), depth: 1, nodes: 0 };
        for depth in from..=self.limits.depth.min(root.empty.count_ones()) {
            let complete = self.search_root(&root, last, depth, &mut moves);
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
    fn search_root(&mut self, root: &Node, last: u64, depth: u32, moves: &mut [Scored]) -> bool {
        let mut best = -INFINITE;
        for index in 0..moves.len() {
            let cell = moves[index].cell;
            let next = root.without(cell);
            let earned = UNIT * earned::<Four>(last, cell);
            let mut full = index == 0 || self.limits.all_moves;
            let mut score = best;
            if !full {
                score = earned - self.search(&next, depth - 1, earned - best - 1, earned - best);
            }
            if full || score > best {
                let floor = if self.limits.all_moves { -INFINITE } else { best };
                score = earned - self.search(&next, depth - 1, -INFINITE, earned - floor);
                full = true;
            }
            if self.stopped {
                return false;
            }
            moves[index] = Scored { score, full, cell };
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
        // Step 1: leaves, and the ply before them.
        if depth == 0 || node.empty == 0 {
            return self.leaf(node);
        }
        self.look();
        if self.stopped {
            return 0;
        }
        let last = last_left::<Four>(node.empty);
        if depth == 1 {
            return self.last_move(node, last, beta);
        }

        // Step 2: what is remembered.
        let left = node.empty.count_ones();
        let key = hash(node.empty, 0, left);
        let mut remembered = NO_MOVE;
        if let Some(memo) = self.memory.recall(key) {
            remembered = memo.mv;
            let fits = match memo.bound {
                Bound::Exact => true,
                Bound::Lower => memo.score >= beta,
                Bound::Upper => memo.score <= alpha,
            };
            if fits && memo.depth >= depth.min(left) {
                return memo.score;
            }
        }

        // Step 3: the moves in order; late ones are searched less deeply at first.
        let mut list = [(0i32, 0u32); 64];
        let count = self.order(node, last, remembered, &mut list);
        let floor = alpha;
        let (mut best, mut best_move) = (-INFINITE, NO_MOVE);
        for (index, &(_, cell)) in list[..count].iter().enumerate() {
            let next = node.without(cell);
            let earned = UNIT * earned::<Four>(last, cell);
            let reduced = depth - 1 - reduction(depth, left, index);
            let mut score = best;
            let mut again = index == 0;
            if index > 0 {
                score = earned - self.search(&next, reduced, earned - alpha - 1, earned - alpha);
                if score > alpha && reduced < depth - 1 {
                    score = earned - self.search(&next, depth - 1, earned - alpha - 1, earned - alpha);
                }
                again = score > alpha && score < beta;
            }
            if again {
                score = earned - self.search(&next, depth - 1, earned - beta, earned - alpha);
            }
            if self.stopped {
                return 0;
            }
            if score > best {
                (best, best_move) = (score, cell);
                alpha = alpha.max(score);
                if score >= beta {
                    self.reward(left, depth, cell);
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
    fn last_move(&self, node: &Node, last: u64, beta: i32) -> i32 {
        let mut best = -INFINITE;
        for cell in Cells(node.empty) {
            best = best.max(self.glance(node, last, cell));
            if best >= beta {
                break;
            }
        }
        best
    }

    fn reward(&mut self, left: u32, depth: u32, cell: u32) {
        let killers = &mut self.killers[left as usize];
        if killers[0] != cell {
            *killers = [cell, killers[0]];
        }
        let row = &mut self.history[(left & 1) as usize];
        row[cell as usize] += (depth * depth) as i32;
        if row[cell as usize] > 4000 {
            row.iter_mut().for_each(|h| *h /= 2);
        }
    }

    /// Lists the moves, best guess first: the remembered one, then by the estimate after the move,
    /// helped by killers and history.
    fn order(&self, node: &Node, last: u64, remembered: u32, list: &mut [(i32, u32); 64]) -> usize {
        let left = node.empty.count_ones();
        let killers = self.killers[left as usize];
        let history = &self.history[(left & 1) as usize];
        let mut count = 0;
        for cell in Cells(node.empty) {
            let mut score =
                if cell == remembered { INFINITE } else { self.glance(node, last, cell) + history[cell as usize] / 64 };
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
fn reduction(depth: u32, left: u32, index: usize) -> u32 {
    if depth < 3 || left <= depth || index < 3 {
        return 0;
    }
    (index.ilog2() * depth / 8).clamp(1, depth - 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adjacency::filling::values::{SweepLimits, Values};
    use crate::adjacency::reference::{TestRandom, random_board};

    fn plain(worth: &Worth, empty: u64, depth: u32) -> i32 {
        if empty == 0 {
            return 0;
        }
        if depth == 0 {
            return worth.of(&Windows::new(empty), empty.count_ones());
        }
        let last = last_left::<Four>(empty);
        Cells(empty)
            .map(|cell| UNIT * earned::<Four>(last, cell) - plain(worth, empty & !(1 << cell), depth - 1))
            .max()
            .expect("there is an empty cell")
    }

    #[test]
    fn the_search_equals_plain_minimax_and_the_exact_values() {
        let mut random = TestRandom(3);
        let stop = AtomicBool::new(false);
        let worth = Worth::built_in();
        for empties in 6..14 {
            let (own, opp) = random_board(&mut random, empties, false);
            let empty = !(own | opp);
            // Depth two has no reductions, so every root value must equal plain minimax.
            let limits =
                SearchLimits { deadline: None, nodes: None, depth: 2, stop: &stop, threads: 1, all_moves: true };
            let found = FillSearcher::new(1).search(worth, empty, &limits, &mut |_| {});
            assert_eq!(found.moves[0].score, plain(worth, empty, 2));
            // Where the end is in sight, nothing is reduced.
            let limits = SearchLimits { depth: 64, ..limits };
            let found = FillSearcher::new(1).search(worth, empty, &limits, &mut |_| {});
            let sweep = SweepLimits { stop: &stop, deadline: None, threads: 1 };
            let values = Values::sweep::<Four>(empty, sweep).expect("nothing stops the sweep");
            assert_eq!(found.moves[0].score, values.of(empty) * UNIT);
        }
    }
}
