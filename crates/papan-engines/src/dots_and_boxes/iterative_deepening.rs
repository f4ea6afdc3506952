//! Iterative deepening for positions that are too large to solve.
//!
//! Plain alpha-beta on quiet graphs. Positions with few links are solved exactly, others are valued by
//! playouts once the depth is used up.

use super::canonical::{Key, Scratch};
use super::evaluation::playout;
use super::graph::{Graph, Move, Offer};
use super::loony_endgame;
use super::moves::each_move;
use super::search::{Search, Shared};
use crate::common::deadline::Stopped;
use crate::common::random::SplitMix;
use std::collections::HashMap;

/// Values are margins times this, so that averages of playouts keep their fractions.
pub(super) const SCALE: i32 = 16;
const PLAYOUTS: i32 = 4;
/// Fingerprints between two looks at the clock.
const CHECK_EVERY: usize = 16;
/// Positions with at most this many links are solved on the spot: it costs less than playouts.
const EXACT_LINKS: u8 = 11;
/// Positions remembered before the memory is cleared.
const MEMORY: usize = 1 << 20;

#[derive(Clone, Copy)]
struct Remembered {
    depth: u8,
    low: i32,
    high: i32,
}

/// Depth-limited search from one first position.
pub(super) struct Deepener<'a, const J: usize, const L: usize> {
    shared: &'a Shared<'a>,
    order: &'a [u16],
    exact: Search<'a, J, L>,
    scratch: Scratch,
    memory: HashMap<(u64, u64), Remembered>,
    random: SplitMix,
}

impl<'a, const J: usize, const L: usize> Deepener<'a, J, L> {
    pub(super) fn new(shared: &'a Shared<'a>, order: &'a [u16], seed: u64) -> Self {
        Self {
            shared,
            order,
            exact: Search::new(shared, order),
            scratch: Scratch::new(),
            memory: HashMap::new(),
            random: SplitMix::new(seed),
        }
    }

    /// Goes on within other limits, with what it remembers.
    pub(super) fn go_on(&mut self, shared: &'a Shared<'a>) {
        self.shared = shared;
        self.exact = Search::new(shared, self.order);
    }

    /// Value of an offer for its taker when the rest is searched to `depth`, exact between the bounds.
    pub(super) fn taker_value(
        &mut self,
        rest: &Graph<J, L>,
        offer: Offer,
        depth: u8,
        low: i32,
        high: i32,
    ) -> Result<i32, Stopped> {
        let (taken, declined) = (i32::from(offer.taken) * SCALE, i32::from(offer.declined) * SCALE);
        if declined == 0 {
            return Ok(taken + self.value(rest, depth, low - taken, high - taken)?);
        }
        // Outside this window the taker gets at least `high` one way or the other.
        let ceiling = high - taken;
        let floor = -declined - ceiling;
        if floor >= ceiling {
            return Ok(high);
        }
        let rest = self.value(rest, depth, floor, ceiling)?;
        Ok(taken + rest.max(-declined - rest))
    }

    /// Fail-soft alpha-beta for the side to move.
    fn value(&mut self, graph: &Graph<J, L>, depth: u8, mut low: i32, high: i32) -> Result<i32, Stopped> {
        // Step 1: what needs no search.
        if graph.joints == 0 {
            return Ok(loony_endgame::value(&graph.lone) * SCALE);
        }
        self.shared.count_node()?;
        if graph.links <= EXACT_LINKS {
            let (low, high) = (low.div_euclid(SCALE), high.div_euclid(SCALE) + 1);
            return Ok(self.exact.value_within(graph, low, high)? * SCALE);
        }
        if depth == 0 {
            return Ok(self.leaf(graph));
        }
        // Step 2: what is remembered from a search at least as deep.
        let Key { low: a, high: b } = self.scratch.key(graph);
        let all = i32::from(graph.boxes) * SCALE;
        let mut known = Remembered { depth, low: -all, high: all };
        if let Some(&found) = self.memory.get(&(a, b)).filter(|found| found.depth == depth) {
            known = found;
            if known.low >= high || known.low == known.high {
                return Ok(known.low);
            }
            if known.high <= low {
                return Ok(known.high);
            }
        }
        // Step 3: the moves.
        let (first_low, mut best) = (low, -all);
        for (next, offer) in self.children(graph)? {
            best = best.max(-self.taker_value(&next, offer, depth - 1, -high, -low)?);
            low = low.max(best);
            if low >= high {
                break;
            }
        }
        // Step 4: remember.
        if best < high {
            known.high = known.high.min(best);
        }
        if best > first_low {
            known.low = known.low.max(best);
        }
        if self.memory.len() >= MEMORY {
            self.memory.clear();
        }
        self.memory.insert((a, b), known);
        Ok(best)
    }

    /// Positions the moves lead to, each once.
    fn children(&mut self, graph: &Graph<J, L>) -> Result<Vec<(Graph<J, L>, Offer)>, Stopped> {
        let mut moves: Vec<Move> = Vec::new();
        each_move(graph, self.order, |mv, _| moves.push(mv));
        let mut seen: Vec<(Key, Offer)> = Vec::with_capacity(moves.len());
        let mut children = Vec::with_capacity(moves.len());
        for (number, mv) in moves.into_iter().enumerate() {
            // Fingerprints of large boards take a while.
            if number % CHECK_EVERY == CHECK_EVERY - 1 {
                self.shared.check()?;
            }
            let (next, offer) = graph.after(mv);
            let key = self.scratch.key(&next);
            if !seen.contains(&(key, offer)) {
                seen.push((key, offer));
                children.push((next, offer));
            }
        }
        Ok(children)
    }

    fn leaf(&mut self, graph: &Graph<J, L>) -> i32 {
        let sum: i32 = (0..PLAYOUTS).map(|_| playout(*graph, self.order, &mut self.random)).sum();
        sum * SCALE / PLAYOUTS
    }
}
