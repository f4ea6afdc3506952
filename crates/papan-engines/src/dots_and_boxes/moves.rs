//! The moves of a quiet position, lines of equal value once, in the order to try them.

use super::graph::{GROUND_MATE, Graph, LOOP_FLAG, Move, NO_LINK, Slot, length, mate, slot};

/// A link of length 0 that ends at the ground.
const TO_GROUND: Slot = slot(GROUND_MATE, 0);
/// No bound below which a move is known to stay.
pub(super) const UNBOUNDED: i8 = i8::MAX;

/// Calls `found` with each move and an upper bound of its value: first the safe moves in the order given
/// (one slot per link that had length 0 when the search began), then the openings.
///
/// Of lone parts only the shortest of a kind is opened; the longer ones are never better. Opening a long
/// chain of `n` boxes brings at most `2 - n`, because the taker may decline; a loop, `4 - n`.
#[inline]
pub(super) fn each_move<const J: usize, const L: usize>(
    graph: &Graph<J, L>,
    order: &[u16],
    mut found: impl FnMut(Move, i8),
) {
    for &at in order {
        let slot = graph.slot_at(at as usize);
        // Two lines from a joint to the ground have the same value, as those of a corner are.
        let is_second = slot == TO_GROUND && (at & !3..at).any(|before| graph.slot_at(before as usize) == TO_GROUND);
        if slot != NO_LINK && length(slot) == 0 && !is_second {
            found(Move::Safe(at), UNBOUNDED);
        }
    }
    match graph.lone.short() {
        0 => {}
        2 => found(Move::Short(2), UNBOUNDED),
        _ => found(Move::Short(1), UNBOUNDED),
    }
    for joint in graph.joint_numbers() {
        for at in joint * 4..joint * 4 + 4 {
            let slot = graph.slot_at(at);
            if slot != NO_LINK && length(slot) > 0 && mate(slot) > at {
                let boxes = length(slot) as i8;
                found(Move::Link(at as u16), if boxes > 2 { 2 - boxes } else { UNBOUNDED });
            }
        }
    }
    if let Some(part) = graph.lone.shortest_chain() {
        found(Move::Long(part), 2 - part as i8);
    }
    if let Some(part) = graph.lone.shortest_loop() {
        found(Move::Long(part), 4 - (part & !LOOP_FLAG) as i8);
    }
}
