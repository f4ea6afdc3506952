//! One node of the principal variation search (Marsland and Campbell 1982), in numbered steps.

use super::leaf::{LEAF_DEPTH, LeafSearch};
use super::move_ordering::Ordering;
use super::probcut::EXACT;
use super::{Effort, Node, Searcher, Window};
use crate::common::bits::SetBits;
use crate::othello::board::{Board, NO_SQUARE};
use crate::othello::endgame::Endgame;
use crate::othello::endgame::fastest_first::solve_fast;
use crate::othello::endgame::last_empties::MINUS_INFINITY;
use crate::othello::endgame::leaf_cache::LeafCache;
use crate::othello::limits::Cancel;
use crate::othello::move_generation::{Cpu, Task};
use crate::othello::move_list::MoveList;
use crate::othello::stability;
use crate::othello::transposition::Entry;

/// The search was ended from outside, or what it was to find is no longer wanted: there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Aborted;

/// Searches to the end with at most so many empties do without evaluation and the large table.
pub(crate) const FAST_EMPTIES: u32 = 11;
/// Searches to the end from so many empties on, and others of so many plies, look up all children first.
const ETC_EMPTIES: u32 = 13;
const ETC_DEPTH: u32 = 6;
/// The least number of empties at which a search to the end is shared, and the least depth of another search.
const PARALLEL_EMPTIES: u32 = 15;
const PARALLEL_DEPTH: u32 = 7;
/// Searches of this many plies tell the watcher how many nodes there have been.
const TELL_FROM: u32 = 10;
/// The least depth at which selective cuts are tried.
const PROBCUT_DEPTH: u32 = 3;
/// Searches to the end with at most so many empties are too cheap for selective cuts.
const PROBCUT_EMPTIES: u32 = 13;

struct Visit<'a, C: Cpu> {
    searcher: &'a Searcher<'a, C>,
    node: &'a Node,
    window: Window,
    effort: Effort,
    nodes: &'a mut u64,
    cancel: &'a Cancel<'a>,
}

impl<C: Cpu> Searcher<'_, C> {
    /// The value of a node, fail-soft in the window: at most `alpha` is an upper bound, at least `beta` a lower bound,
    /// between them it is the value, of a search of `depth` plies (to the end if `depth` is the number of empties) at
    /// a level of selectivity.
    pub(crate) fn pvs(
        &self,
        node: &Node,
        window: Window,
        effort: Effort,
        nodes: &mut u64,
        cancel: &Cancel<'_>,
    ) -> Result<i32, Aborted> {
        let Effort { depth, level } = effort;
        if depth >= node.empties {
            if node.empties <= FAST_EMPTIES {
                let before = *nodes;
                let found = self.solve_window(node, window, nodes);
                self.endgame.stop.count(*nodes - before);
                return found;
            }
        } else if depth <= LEAF_DEPTH {
            let before = *nodes;
            let found = self.cpu.run(LeafSearch { searcher: self, node, window, depth, nodes });
            self.endgame.stop.count(*nodes - before);
            return Ok(found);
        }
        let effort = Effort { depth: depth.min(node.empties), level };
        self.cpu.run(Visit { searcher: self, node, window, effort, nodes, cancel })
    }

    /// The exact value by null windows, as far as the window asks.
    fn solve_window(&self, node: &Node, window: Window, nodes: &mut u64) -> Result<i32, Aborted> {
        let Window { alpha, beta } = window;
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

    /// Enhanced transposition cut-off (Schaeffer and Plaat 1996): the value of a child that is known to cut.
    #[inline(always)]
    fn enhanced_cut(&self, board: Board, list: &mut MoveList, beta: i32, effort: Effort) -> Option<i32> {
        for one in list.rest_mut() {
            let child = board.after(u32::from(one.square), one.flips);
            if let Some(entry) = self.table.probe(child)
                && u32::from(entry.depth) + 1 >= effort.depth
                && entry.selectivity >= effort.level
                && -i32::from(entry.upper) >= beta
            {
                return Some(-i32::from(entry.upper));
            }
        }
        None
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
        let Self { searcher, node, window, effort, nodes, cancel } = self;
        let (Window { alpha, beta }, Effort { depth, level }) = (window, effort);
        let null_window = window.is_null();
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
        // Step 3: the transposition table.
        let known = searcher.table.probe(board);
        if let Some(value) = known.and_then(|entry| known_cut(entry, window, effort)) {
            return Ok(value);
        }
        // Step 4: no move is a pass or the end.
        let moves = searcher.moves(board);
        if moves == 0 {
            if searcher.without_moves(board).is_some() {
                return Ok(board.final_score(node.empties));
            }
            let passed = node.passed();
            return Ok(-searcher.pvs(&passed, window.turned(), effort, nodes, cancel)?);
        }
        // Step 5: selective cuts (ProbCut).
        if null_window && level < EXACT && depth >= PROBCUT_DEPTH {
            let worth_it = depth < node.empties || node.empties > PROBCUT_EMPTIES;
            if worth_it && let Some(value) = searcher.probable_cut(node, alpha, effort, nodes, cancel)? {
                return Ok(value);
            }
        }
        // Step 6: the moves.
        let mut list = MoveList::new();
        for square in SetBits(moves) {
            let flips = searcher.cpu.flips(square, board.player, board.opponent);
            list.push(square as u8, flips, 0);
        }
        // Step 7: enhanced transposition cut-off.
        let etc_from = if depth == node.empties { ETC_EMPTIES } else { ETC_DEPTH };
        if null_window
            && depth >= etc_from
            && let Some(value) = searcher.enhanced_cut(board, &mut list, beta, effort)
        {
            return Ok(value);
        }
        // Step 8: move ordering.
        if list.len() > 1 {
            let before = *nodes;
            searcher.order(node, &mut list, Ordering { known, depth, alpha }, nodes);
            searcher.endgame.stop.count(*nodes - before);
        }
        // Step 9: the eldest move alone, then its younger brothers with a null window, in parallel if it pays.
        let mut split = Split::new(node, window, effort, cancel);
        while let Some((square, flips)) = list.next_best() {
            let child = node.after(searcher.places, u32::from(square), flips);
            let score = if split.best == MINUS_INFINITY {
                -searcher.pvs(&child, window.turned(), effort.after_a_move(), nodes, cancel)?
            } else {
                split.younger(searcher, &child, nodes, cancel)?
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
        // Step 10: remember.
        searcher.table.store(board, split.entry(window, *nodes - nodes_before));
        Ok(split.best)
    }
}

/// The state of a node whose moves are being searched.
#[derive(Clone, Copy)]
pub(super) struct Split<'a> {
    pub node: &'a Node,
    /// The window, its lower end raised by what has been found.
    pub window: Window,
    effort: Effort,
    pub cancel: &'a Cancel<'a>,
    /// The best value found, or less than every value.
    pub best: i32,
    /// The move that gave it.
    best_move: u8,
}

impl<'a> Split<'a> {
    /// A node of which nothing has been searched.
    #[inline(always)]
    fn new(node: &'a Node, window: Window, effort: Effort, cancel: &'a Cancel<'a>) -> Self {
        Self { node, window, effort, cancel, best: MINUS_INFINITY, best_move: NO_SQUARE }
    }

    /// Takes in the value of a move.
    #[inline(always)]
    pub(super) fn enter(&mut self, score: i32, square: u8) {
        if score > self.best {
            self.best = score;
            self.best_move = square;
            self.window.alpha = self.window.alpha.max(score);
        }
    }

    /// What is found, for the transposition table: `window` is the one that was asked for.
    #[inline(always)]
    fn entry(&self, window: Window, nodes: u64) -> Entry {
        let best = self.best;
        Entry {
            lower: if best > window.alpha { best.clamp(-64, 64) as i8 } else { -64 },
            upper: if best < window.beta { best.clamp(-64, 64) as i8 } else { 64 },
            depth: self.effort.depth as u8,
            selectivity: self.effort.level,
            moves: [self.best_move, NO_SQUARE],
            cost: nodes.max(1).ilog2() as u8,
        }
    }

    /// Whether there is enough work to share.
    #[inline(always)]
    fn wide_enough(&self) -> bool {
        let depth = self.effort.depth;
        depth >= if depth == self.node.empties { PARALLEL_EMPTIES } else { PARALLEL_DEPTH }
    }

    /// A move after the first: a null window above `alpha`, and the full one only if it turns out to be better.
    #[inline(always)]
    pub(super) fn younger<C: Cpu>(
        &self,
        searcher: &Searcher<'_, C>,
        child: &Node,
        nodes: &mut u64,
        cancel: &Cancel<'_>,
    ) -> Result<i32, Aborted> {
        let (window, effort) = (self.window, self.effort.after_a_move());
        let score = -searcher.pvs(child, Window::above(window.alpha).turned(), effort, nodes, cancel)?;
        if score > window.alpha && score < window.beta {
            return Ok(-searcher.pvs(child, window.turned(), effort, nodes, cancel)?);
        }
        Ok(score)
    }
}

/// The value by which an entry of the transposition table answers a null window, if it was searched well enough.
#[inline(always)]
fn known_cut(entry: Entry, window: Window, effort: Effort) -> Option<i32> {
    if !window.is_null() || entry.depth < effort.depth as u8 || entry.selectivity < effort.level {
        return None;
    }
    let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
    if lower >= window.beta { Some(lower) } else { (upper <= window.alpha).then_some(upper) }
}

/// Lower ends of windows from which looking for stable discs pays.
#[inline(always)]
const fn stability_from(empties: u32) -> i32 {
    if empties > 45 { 99 } else { 14 + empties as i32 * 3 / 2 }
}
