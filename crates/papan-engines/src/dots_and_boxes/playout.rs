//! How a position is likely to end: who will run out of safe moves, and what that costs.

use super::ending;
use super::graph::{Graph, Move, NO_LINK, length};
use super::moves::each_move;

/// A small generator of random numbers; the same seed gives the same numbers.
#[derive(Clone, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `sides`, which is not 0.
    pub(super) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (x ^ (x >> 31)) as usize % sides
    }

    /// True in `percent` of all cases.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.roll(100) < percent
    }
}

/// The margin for the side to move if both draw safe lines at random while there are any, then open what
/// costs least, and decline exactly when that pays: control by the long-chain rule, sampled.
pub(super) fn playout<const J: usize, const L: usize>(mut graph: Graph<J, L>, order: &[u16], dice: &mut Dice) -> i32 {
    let mut sign = 1;
    let mut safe = Vec::with_capacity(order.len());
    loop {
        if graph.joints == 0 {
            return sign * ending::value(&graph.lone);
        }
        let is_safe = |&&at: &&u16| {
            let slot = graph.slot_at(at as usize);
            slot != NO_LINK && length(slot) == 0
        };
        safe.clear();
        safe.extend(order.iter().filter(is_safe));
        if safe.is_empty() {
            return sign * open_cheapest(&graph, order, dice);
        }
        graph = graph.after(Move::Safe(safe[dice.roll(safe.len())])).0;
        sign = -sign;
    }
}

fn open_cheapest<const J: usize, const L: usize>(graph: &Graph<J, L>, order: &[u16], dice: &mut Dice) -> i32 {
    let mut cheapest = None;
    each_move(graph, order, |mv, _| {
        let (next, offer) = graph.after(mv);
        let cost = offer.taken;
        if cheapest.as_ref().is_none_or(|&(least, _, _)| cost < least) {
            cheapest = Some((cost, next, offer));
        }
    });
    let (_, next, offer) = cheapest.expect("a position with joints has moves");
    -offer.value_for_taker(playout(next, order, dice))
}
