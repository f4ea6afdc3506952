//! Principal variation search (Marsland and Campbell 1982) with iterative deepening, for any kind of board; killer
//! moves (Akl and Newborn 1977) and the history heuristic (Schaeffer 1983) order the moves.
//!
//! Evaluations know who makes the last move, so depths of both parities compare well enough to
//! deepen ply by ply.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::evaluation::UNIT;
use super::search::{Found, RatingLimits, Scored, SearchLimits};
use super::transposition::{Bound, Entry, TranspositionTable};
use crate::common::bits::SetBits;

const NO_MOVE: u32 = 64;
const INFINITE: i32 = 30_000;
/// Nodes between two looks at the clock.
const CHECK_EVERY: u64 = 256;

/// A position as the search sees it, from the chair of the side to move.
pub(in crate::adjacency) trait Node: Copy + Send {
    /// What values positions.
    type Evaluation: Sync;
    /// What is worked out once for all moves of a position.
    type Ready: Copy;
    /// The cells to move on.
    fn open(&self) -> u64;
    /// Those of them to try first one ply before the horizon.
    fn promising(&self, ready: Self::Ready) -> u64;
    /// Plies left.
    fn plies(&self) -> u32;
    /// The position's key in the table.
    fn key(&self) -> u64;
    /// What is worked out once.
    fn ready(&self) -> Self::Ready;
    /// What a move earns at once that the value of the position after it leaves out, in [`UNIT`]s.
    fn earned(ready: Self::Ready, cell: u32) -> i32;
    /// The position after a move.
    fn after(&self, cell: u32) -> Self;
    /// An estimate for the side to move, in [`UNIT`]s; exact at the end.
    fn value(&self, evaluation: &Self::Evaluation) -> i32;
    /// Whether the value is exact.
    fn is_exact(&self) -> bool;
}

/// Searches a position with at least one ply left. `report` hears of each finished depth.
pub(in crate::adjacency) fn deepen<N: Node>(
    table: &TranspositionTable,
    evaluation: &N::Evaluation,
    root: N,
    limits: &SearchLimits<'_>,
    report: &mut dyn FnMut(&Found),
) -> Found {
    let finished = AtomicBool::new(false);
    let nodes = AtomicU64::new(0);
    let worker = |first: bool| Worker::<N> {
        evaluation,
        table,
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
            // Helpers start at different depths, so that they fill the table ahead.
            scope.spawn(move || helper.deepen(root, 2 + index as u32 % 2, &mut |_| {}));
        }
        let mut main = worker(true);
        let mut found = main.deepen(root, 2, report);
        main.rate(root, &mut found);
        finished.store(true, Relaxed);
        nodes.fetch_add(main.nodes % CHECK_EVERY, Relaxed);
        found
    });
    found.nodes = nodes.load(Relaxed);
    found
}

struct Worker<'a, N: Node> {
    evaluation: &'a N::Evaluation,
    table: &'a TranspositionTable,
    limits: SearchLimits<'a>,
    finished: &'a AtomicBool,
    shared_nodes: &'a AtomicU64,
    first: bool,
    nodes: u64,
    stopped: bool,
    killers: [[u32; 2]; 64],
    history: [[i32; 64]; 2],
}

impl<N: Node> Worker<'_, N> {
    /// Counts a position and looks at the limits; a stopped search counts no more.
    fn count_node(&mut self) {
        self.stopped |= self.first && self.limits.nodes.is_some_and(|most| self.nodes >= most);
        if self.stopped {
            return;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(CHECK_EVERY) {
            self.shared_nodes.fetch_add(CHECK_EVERY, Relaxed);
            self.stopped |= self.limits.deadline.is_over_at(self.nodes, CHECK_EVERY) || self.finished.load(Relaxed);
        }
    }

    /// A move's value without a search.
    #[inline(always)]
    fn static_value(&self, node: &N, ready: N::Ready, cell: u32) -> i32 {
        N::earned(ready, cell) - node.after(cell).value(self.evaluation)
    }

    /// Deepens until a limit is reached; the result is that of the last finished depth, improved
    /// by a better move found in the unfinished one.
    fn deepen(&mut self, root: N, from: u32, report: &mut dyn FnMut(&Found)) -> Found {
        let ready = root.ready();
        let mut moves: Vec<Scored> = SetBits(root.open())
            .map(|cell| Scored { cell, score: self.static_value(&root, ready, cell), full: true, depth: 1 })
            .collect();
        moves.sort_by_key(|m| -m.score);
        let mut found = Found { moves: moves.clone(), depth: 1, nodes: 0 };
        for depth in from..=self.limits.depth.min(root.plies()) {
            if self.first {
                self.limits.deadline.progress.set_depth(depth);
            }
            let complete = self.search_root(&root, ready, depth, &mut moves);
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

    /// Values the moves that are known only to be no better than the best one, at its depth. One that comes out
    /// better after all keeps its bound: the best was searched for, this is a look at the others.
    fn rate(&mut self, root: N, found: &mut Found) {
        let Some(RatingLimits { deadline, nodes }) = self.limits.rating else { return };
        self.limits = SearchLimits { deadline: self.limits.deadline.until(deadline), nodes, ..self.limits };
        self.stopped = false;
        let ready = root.ready();
        let Scored { score: best, depth, .. } = found.moves[0];
        for m in found.moves.iter_mut().filter(|m| !(m.full && m.depth == depth)) {
            let earned = N::earned(ready, m.cell);
            let score = earned - self.search(&root.after(m.cell), depth - 1, -INFINITE, INFINITE);
            if self.stopped {
                break;
            }
            (m.score, m.full, m.depth) = (score.min(best), score <= best, depth);
        }
        found.moves[1..].sort_by_key(|m| (m.depth != depth, -m.score));
    }

    /// One depth at the root. Keeps `moves` sorted, best first; false if stopped midway, and then
    /// the first move is still the best of those that were finished.
    fn search_root(&mut self, root: &N, ready: N::Ready, depth: u32, moves: &mut [Scored]) -> bool {
        let mut best = -INFINITE;
        for index in 0..moves.len() {
            let cell = moves[index].cell;
            let next = root.after(cell);
            let earned = N::earned(ready, cell);
            let mut full = index == 0 || self.limits.all_moves;
            let mut score = best;
            if !full {
                score = earned - self.search(&next, depth - 1, earned - best - 1, earned - best);
            }
            if full || score > best {
                let floor = if self.limits.all_moves { -INFINITE } else { best };
                score = earned - self.search(&next, depth - 1, -INFINITE, earned - floor);
                full = self.limits.all_moves || score > best;
            }
            if self.stopped {
                return false;
            }
            moves[index] = Scored { score, full, cell, depth };
            if score > best {
                best = score;
                moves[..=index].rotate_right(1);
            }
        }
        moves[1..].sort_by_key(|m| -m.score);
        true
    }

    /// Fail-soft: at most `alpha` means an upper bound, at least `beta` a lower bound.
    fn search(&mut self, node: &N, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        // Step 1: leaves, and the ply before them.
        if depth == 0 || node.is_exact() {
            return node.value(self.evaluation);
        }
        self.count_node();
        if self.stopped {
            return 0;
        }
        let ready = node.ready();
        if depth == 1 {
            return self.frontier(node, ready, beta);
        }

        // Step 2: the transposition table.
        let left = node.plies();
        let key = node.key();
        let mut hash_move = NO_MOVE;
        if let Some(memo) = self.table.probe(key) {
            hash_move = memo.mv;
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
        let count = self.order_moves(node, ready, hash_move, &mut list);
        let floor = alpha;
        let (mut best, mut best_move) = (-INFINITE, NO_MOVE);
        for (index, &(_, cell)) in list[..count].iter().enumerate() {
            let next = node.after(cell);
            let earned = N::earned(ready, cell);
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
                    self.update_history(left, depth, cell);
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
        self.table.store(key, Entry { score: best, depth, bound, mv: best_move });
        best
    }

    /// One ply before the horizon: the best value after a move, or one that reaches `beta`.
    fn frontier(&self, node: &N, ready: N::Ready, beta: i32) -> i32 {
        let mut best = -INFINITE;
        let promising = node.promising(ready);
        for cell in SetBits(promising).chain(SetBits(node.open() & !promising)) {
            best = best.max(self.static_value(node, ready, cell));
            if best >= beta {
                break;
            }
        }
        best
    }

    fn update_history(&mut self, left: u32, depth: u32, cell: u32) {
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

    /// Lists the moves, best guess first: the hash move, then by the estimate after the move,
    /// helped by killers and history.
    fn order_moves(&self, node: &N, ready: N::Ready, hash_move: u32, list: &mut [(i32, u32); 64]) -> usize {
        let left = node.plies();
        let killers = self.killers[left as usize];
        let history = &self.history[(left & 1) as usize];
        let mut count = 0;
        for cell in SetBits(node.open()) {
            let mut score = if cell == hash_move {
                INFINITE
            } else {
                self.static_value(node, ready, cell) + history[cell as usize] / 64
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
fn reduction(depth: u32, left: u32, index: usize) -> u32 {
    if depth < 3 || left <= depth || index < 3 {
        return 0;
    }
    (index.ilog2() * depth / 8).clamp(1, depth - 2)
}
