//! The values of the first positions of 3x3, so that this board needs no thought.
//!
//! The file has every quiet position of up to four lines once, isomorphic ones being the same, in ascending
//! order of fingerprints. Later positions are solved in a millisecond or two.
//!
//! ```text
//!   byte  0                          8       9
//!        +--------------------------+-------+
//!        | fingerprint, lower half  | value |
//!        +--------------------------+-------+
//! ```
//!
//! Made by `cargo run --release -p papan-engines --example dots_first_lines -- FILE`.

use super::board::{Board, Lines};
use super::canonical::Scratch;
use super::contract::contract;
use super::graph::Graph;
use super::solver::Solver;
use crate::common::deadline::Control;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

const SIDE: usize = 3;
const MOST_LINES: u32 = 4;
const RECORD: usize = 9;
const TABLE_MEGABYTES: usize = 16;

static FILE: &[u8] = include_bytes!("first_lines.bin");

/// The value of a position for the side to move, if it is one of the first of 3x3.
pub(super) fn value<const J: usize, const L: usize>(graph: &Graph<J, L>) -> Option<i32> {
    if graph.joints == 0 || graph.boxes as usize > SIDE * SIDE {
        return None;
    }
    let records = FILE.as_chunks::<RECORD>().0;
    let fingerprint = Scratch::new().key(graph).low;
    let found = records.binary_search_by_key(&fingerprint, fingerprint_of).ok()?;
    Some(i32::from(records[found][RECORD - 1] as i8))
}

fn fingerprint_of(record: &[u8; RECORD]) -> u64 {
    u64::from_le_bytes(record[..RECORD - 1].try_into().expect("a record begins with eight bytes"))
}

/// Solves the positions of the file.
#[must_use]
pub fn made() -> Vec<u8> {
    let board = Board::new(SIDE, SIDE).expect("there is such a board");
    let stop = AtomicBool::new(false);
    let control = Control::until_stopped(&stop);
    let mut solver = Solver::new(TABLE_MEGABYTES, 1).searching();
    let mut values = BTreeMap::new();
    for drawn in (0_u64..1 << board.lines()).filter(|bits| bits.count_ones() <= MOST_LINES).map(Lines::from_bits) {
        let contracted = contract(board, drawn);
        if contracted.offer.taken == 0 {
            let key = Scratch::new().key(&contracted.quiet.graph::<9, 4>().0).low;
            values.entry(key).or_insert_with(|| solver.value(board, drawn, &control).low as i8);
        }
    }
    values.into_iter().flat_map(|(key, value)| key.to_le_bytes().into_iter().chain([value as u8])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_what_the_solver_makes_of_it() {
        assert_eq!(made(), FILE);
    }

    #[test]
    fn the_empty_board_is_lost_by_three_and_later_positions_are_unknown() {
        let value = |rows: usize, bits: u64| {
            let board = Board::new(rows, 3).unwrap();
            value(&contract(board, Lines::from_bits(bits)).quiet.graph::<16, 8>().0)
        };
        assert_eq!(value(3, 0), Some(-3));
        assert_eq!(value(3, 0b1), Some(3));
        assert_eq!(value(3, 0b1111_1111), None);
        assert_eq!(value(4, 0), None);
    }
}
