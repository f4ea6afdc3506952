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
//! Made by `cargo run --release -p papan-engines --features training --example dots_first_lines -- FILE`.

use super::canonical::Scratch;
use super::graph::Graph;

pub(super) const SIDE: usize = 3;
const RECORD: usize = 9;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dots_and_boxes::board::{Board, Lines};
    use crate::dots_and_boxes::contract::contract;
    use crate::dots_and_boxes::first_lines_making::made;

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
