//! Exact values of positions without joints: only lone chains and loops, the simple loony endgames (Berlekamp and
//! Scott 2002; Buzzard and Ciere, *Playing Simple Loony Dots-and-Boxes Endgames Optimally*, 2013).
//!
//! Making a part one box longer changes the value by exactly one as long as its kind stays the same
//! (chains of one or two boxes, longer chains, loops). It follows that within a kind opening the
//! shortest part is best, so a position is described by how many of each kind have been opened,
//! shortest first.

use super::graph::{LOOP_FLAG, Lone, MAX_LONE, Offer};

const MAX_SHORT: usize = 2;

/// Value of the lone parts for the side to move.
pub(super) fn value<const L: usize>(lone: &Lone<L>) -> i32 {
    let mut parts = [0_u8; L];
    let count = lone.long().len();
    parts[..count].copy_from_slice(lone.long());
    let parts = &mut parts[..count];
    // The mark of a loop is the highest bit, so loops come after chains.
    parts.sort_unstable();
    let chain_count = parts.iter().take_while(|&&part| part & LOOP_FLAG == 0).count();
    let (chains, loops) = parts.split_at(chain_count);
    let short: &[u8] = match lone.short() {
        0 => &[],
        1 => &[1],
        2 => &[2],
        _ => &[1, 2],
    };
    value_of_sorted(short, chains, loops)
}

/// Fills `row[s][l]`, the value with the first `s` short chains and `l` loops opened, from the position
/// with all chains opened back to the one with none.
fn value_of_sorted(short: &[u8], chains: &[u8], loops: &[u8]) -> i32 {
    let mut row = [[0_i32; MAX_LONE + 1]; MAX_SHORT + 1];
    for chain in (0..=chains.len()).rev() {
        for s in (0..=short.len()).rev() {
            for l in (0..=loops.len()).rev() {
                let options = [
                    (chain < chains.len()).then(|| (row[s][l], u32::from(chains[chain]), 4)),
                    (s < short.len()).then(|| (row[s + 1][l], u32::from(short[s]), 0)),
                    (l < loops.len()).then(|| (row[s][l + 1], u32::from(loops[l] & !LOOP_FLAG), 8)),
                ];
                let best = options
                    .into_iter()
                    .flatten()
                    .map(|(rest, taken, declined)| -Offer { taken: taken as i8, declined }.value_for_taker(rest));
                row[s][l] = best.max().unwrap_or(0);
            }
        }
    }
    row[0][0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// All parts may be opened, in any order; nothing cancels.
    fn slow(parts: &[u8], known: &mut HashMap<Vec<u8>, i32>) -> i32 {
        if parts.is_empty() {
            return 0;
        }
        if let Some(&value) = known.get(parts) {
            return value;
        }
        let mut best = i32::MIN;
        for (index, &part) in parts.iter().enumerate() {
            let mut rest = parts.to_vec();
            rest.remove(index);
            let declined = match part {
                1 | 2 => 0,
                _ if part & LOOP_FLAG == 0 => 4,
                _ => 8,
            };
            let offer = Offer { taken: (part & !LOOP_FLAG) as i8, declined };
            best = best.max(-offer.value_for_taker(slow(&rest, known)));
        }
        known.insert(parts.to_vec(), best);
        best
    }

    fn check(parts: &mut Vec<u8>, boxes_left: u8, known: &mut HashMap<Vec<u8>, i32>, checked: &mut usize) {
        let mut lone = Lone::<MAX_LONE>::EMPTY;
        for &part in parts.iter() {
            if part & LOOP_FLAG == 0 {
                lone.add_chain(part as usize);
            } else {
                lone.add_loop((part & !LOOP_FLAG) as usize);
            }
        }
        assert_eq!(value(&lone), slow(parts, known), "{parts:?}");
        *checked += 1;
        let last = parts.last().copied().unwrap_or(1);
        let chains = 1..=boxes_left;
        let loops = (4..=boxes_left).step_by(2).map(|length| length | LOOP_FLAG);
        for part in chains.chain(loops).filter(|&part| part >= last) {
            parts.push(part);
            check(parts, boxes_left - (part & !LOOP_FLAG), known, checked);
            parts.pop();
        }
    }

    #[test]
    fn equals_opening_in_every_order() {
        let mut checked = 0;
        check(&mut Vec::new(), 20, &mut HashMap::new(), &mut checked);
        assert!(checked > 5000, "{checked}");
    }
}
