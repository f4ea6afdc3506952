//! How a position is likely to end: who will run out of safe moves, and what that costs.

use super::graph::{Graph, Move, NO_LINK, length};
use super::loony_endgame;
use super::moves::each_move;
use crate::common::random::SplitMix;

/// The margin for the side to move if both draw safe lines at random while there are any, then open what
/// costs least, and decline exactly when that pays: control by the long-chain rule, sampled.
pub(super) fn playout<const J: usize, const L: usize>(
    mut graph: Graph<J, L>,
    order: &[u16],
    random: &mut SplitMix,
) -> i32 {
    let mut sign = 1;
    let mut safe = Vec::with_capacity(order.len());
    loop {
        if graph.joints == 0 {
            return sign * loony_endgame::value(&graph.lone);
        }
        let is_safe = |&&at: &&u16| {
            let slot = graph.slot_at(at as usize);
            slot != NO_LINK && length(slot) == 0
        };
        safe.clear();
        safe.extend(order.iter().filter(is_safe));
        if safe.is_empty() {
            return sign * open_cheapest(&graph, order, random);
        }
        graph = graph.after(Move::Safe(safe[random.roll(safe.len())])).0;
        sign = -sign;
    }
}

fn open_cheapest<const J: usize, const L: usize>(graph: &Graph<J, L>, order: &[u16], random: &mut SplitMix) -> i32 {
    let mut cheapest = None;
    each_move(graph, order, |mv, _| {
        let (next, offer) = graph.after(mv);
        let cost = offer.taken;
        if cheapest.as_ref().is_none_or(|&(least, _, _)| cost < least) {
            cheapest = Some((cost, next, offer));
        }
    });
    let (_, next, offer) = cheapest.expect("a position with joints has moves");
    -offer.value_for_taker(playout(next, order, random))
}
