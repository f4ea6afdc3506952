//! Makes the file of `first_lines`.

use super::board::{Board, Lines};
use super::canonical::Scratch;
use super::contract::contract;
use super::first_lines::SIDE;
use super::solver::Solver;
use crate::common::deadline::Control;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

const MOST_LINES: u32 = 4;
const TABLE_MEGABYTES: usize = 16;

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
