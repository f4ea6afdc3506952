//! One node of the search.

use crate::othello::board::NO_SQUARE;

use super::Searcher;
use super::leaf::{LEAF_DEPTH, LeafSearch};
use super::node::Node;
use super::parallel::Split;
use super::probcut::EXACT;
use crate::common::bits::SetBits;
use crate::othello::cpu::{Cpu, Task};
use crate::othello::endgame::fastest_first::solve_fast;
use crate::othello::endgame::last_empties::MINUS_INFINITY;
use crate::othello::endgame::parity::Endgame;
use crate::othello::leaf_cache::LeafCache;
use crate::othello::moves::MoveList;
use crate::othello::stability;
use crate::othello::stop_condition::Cancel;
use crate::othello::transposition::Entry;

/// The search was ended from outside, or what it was to find is no longer wanted: there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aborted;

/// Searches to the end with at most so many empties do without evaluation and the large table.
pub const FAST_EMPTIES: u32 = 11;
/// From so many empties on, children are looked up before any is searched.
const LOOK_UP_CHILDREN: u32 = 13;
/// Searches of this many plies tell the watcher how many nodes there have been.
const TELL_FROM: u32 = 10;
/// The least depth at which selective cuts are tried.
const PROBCUT_DEPTH: u32 = 3;
/// Searches to the end with at most so many empties are too cheap for selective cuts.
const PROBCUT_EMPTIES: u32 = 13;

struct Visit<'a, C: Cpu> {
    searcher: &'a Searcher<'a, C>,
    node: &'a Node,
    alpha: i32,
    beta: i32,
    depth: u32,
    level: u8,
    nodes: &'a mut u64,
    cancel: &'a Cancel<'a>,
}

impl<C: Cpu> Searcher<'_, C> {
    /// The value of a node, fail-soft in the window `(alpha, beta)`: at most `alpha` is an upper bound, at least
    /// `beta` a lower bound, between them it is the value, of a search of `depth` plies (to the end if `depth` is
    /// the number of empties) at a level of selectivity.
    #[allow(clippy::too_many_arguments)]
    pub fn pvs(
        &self,
        node: &Node,
        alpha: i32,
        beta: i32,
        depth: u32,
        level: u8,
        nodes: &mut u64,
        cancel: &Cancel<'_>,
    ) -> Result<i32, Aborted> {
        if depth >= node.empties {
            if node.empties <= FAST_EMPTIES {
                let before = *nodes;
                let found = self.solve_window(node, alpha, beta, nodes);
                self.endgame.stop.count(*nodes - before);
                return found;
            }
        } else if depth <= LEAF_DEPTH {
            let before = *nodes;
            let found = self.cpu.run(LeafSearch { searcher: self, node, alpha, beta, depth, nodes });
            self.endgame.stop.count(*nodes - before);
            return Ok(found);
        }
        let depth = depth.min(node.empties);
        self.cpu.run(Visit { searcher: self, node, alpha, beta, depth, level, nodes, cancel })
    }

    /// The exact value by null windows, as far as the window asks.
    fn solve_window(&self, node: &Node, alpha: i32, beta: i32, nodes: &mut u64) -> Result<i32, Aborted> {
        let endgame = Endgame { cache: self.own_cache(), ..self.endgame.clone() };
        let (mut lower, mut upper) = (MINUS_INFINITY, -MINUS_INFINITY);
        let mut at = alpha;
        while lower < upper && lower < beta && upper > alpha {
            let found = solve_fast(self.cpu, &endgame, nodes, node.board, at, node.empties);
            if self.endgame.stop.ended(*nodes) {
                return Err(Aborted);
            }
            if found > at {
                lower = found;
                at = found;
            } else {
                upper = found;
                at = found - 1;
            }
        }
        Ok(if lower >= beta || lower == upper { lower } else { upper })
    }

    /// The cache of the thread that asks.
    fn own_cache(&self) -> &LeafCache {
        let thread = if self.parallel { rayon::current_thread_index() } else { None };
        thread.and_then(|index| self.caches.get(index)).unwrap_or(self.endgame.cache)
    }
}

impl<D: Cpu> Task for Visit<'_, D> {
    type Output = Result<i32, Aborted>;

    #[inline(always)]
    fn work<C: Cpu>(self, _: C) -> Result<i32, Aborted> {
        let Self { searcher, node, alpha, beta, depth, level, nodes, cancel } = self;
        let null_window = beta - alpha == 1;
        let board = node.board;
        let nodes_before = *nodes;
        *nodes += 1;
        searcher.endgame.stop.count(1);
        // Step 1: time, stop token, cuts found by other threads.
        if (depth >= 4 && searcher.endgame.stop.check(*nodes)) || cancel.cancelled() {
            return Err(Aborted);
        }
        if depth >= TELL_FROM {
            searcher.endgame.stop.tell_nodes(*nodes, || searcher.table.used());
        }
        // Step 2: stable discs.
        if null_window && alpha >= stability_from(node.empties) {
            let bound = stability::upper_bound(board, searcher.endgame.shape);
            if bound <= alpha {
                return Ok(bound);
            }
        }
        // Step 3: the hash table.
        let known = searcher.table.probe(board);
        if let Some(entry) = known
            && null_window
            && entry.depth >= depth as u8
            && entry.selectivity >= level
        {
            if i32::from(entry.lower) >= beta {
                return Ok(i32::from(entry.lower));
            }
            if i32::from(entry.upper) <= alpha {
                return Ok(i32::from(entry.upper));
            }
        }
        // Step 4: no move is a pass or the end.
        let moves = searcher.moves(board);
        if moves == 0 {
            if searcher.without_moves(board).is_some() {
                return Ok(board.final_score(node.empties));
            }
            let passed = node.passed();
            return Ok(-searcher.pvs(&passed, -beta, -alpha, depth, level, nodes, cancel)?);
        }
        // Step 5: selective cuts.
        if null_window && level < EXACT && depth >= PROBCUT_DEPTH {
            let worth_it = depth < node.empties || node.empties > PROBCUT_EMPTIES;
            if worth_it && let Some(value) = searcher.probable_cut(node, alpha, depth, level, nodes, cancel)? {
                return Ok(value);
            }
        }
        // Step 6: the moves, their bounds in the hash table, their order.
        let mut list = MoveList::new();
        for square in SetBits(moves) {
            let flips = searcher.cpu.flips(square, board.player, board.opponent);
            list.push(square as u8, flips, 0);
        }
        if null_window && (depth == node.empties && depth >= LOOK_UP_CHILDREN || depth < node.empties && depth > 5) {
            for one in list.rest_mut() {
                let child = board.after(u32::from(one.square), one.flips);
                if let Some(entry) = searcher.table.probe(child)
                    && u32::from(entry.depth) + 1 >= depth
                    && entry.selectivity >= level
                    && -i32::from(entry.upper) >= beta
                {
                    return Ok(-i32::from(entry.upper));
                }
            }
        }
        if list.len() > 1 {
            let before = *nodes;
            searcher.order(node, &mut list, known, depth, alpha, nodes);
            searcher.endgame.stop.count(*nodes - before);
        }
        // Step 7: the eldest move alone, then its younger brothers with a null window, in parallel if it pays.
        let mut split = Split::new(node, alpha, beta, depth, level, cancel);
        while let Some((square, flips)) = list.next_best() {
            let child = node.after(searcher.places, u32::from(square), flips);
            let score = if split.best == MINUS_INFINITY {
                -searcher.pvs(&child, -beta, -alpha, depth - 1, level, nodes, cancel)?
            } else {
                split.younger(searcher, &child, split.alpha, nodes, cancel)?
            };
            split.enter(score, square);
            if split.best >= beta {
                break;
            }
            if searcher.parallel && list.len() > 1 && split.wide_enough() {
                searcher.in_parallel(&mut split, &mut list, nodes)?;
                break;
            }
        }
        // Step 8: remember.
        let (best, best_move) = (split.best, split.best_move);
        searcher.table.store(
            board,
            Entry {
                lower: if best > alpha { best.clamp(-64, 64) as i8 } else { -64 },
                upper: if best < beta { best.clamp(-64, 64) as i8 } else { 64 },
                depth: depth as u8,
                selectivity: level,
                moves: [best_move, NO_SQUARE],
                cost: (*nodes - nodes_before).max(1).ilog2() as u8,
            },
        );
        Ok(best)
    }
}

/// Lower ends of windows from which looking for stable discs pays.
#[inline(always)]
const fn stability_from(empties: u32) -> i32 {
    if empties > 45 { 99 } else { 14 + empties as i32 * 3 / 2 }
}
