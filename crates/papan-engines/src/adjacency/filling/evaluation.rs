//! An estimate of a filling board's value, read from its 36 windows of three by three cells.
//!
//! Each window is a number of nine bits, one for each empty cell. Turns and reflections of the
//! board do not change its value; so each kind of window has one order of its cells, and a window
//! is read in whichever turn or reflection brings the board's edges to the same place:
//!
//! ```text
//! corner (4 windows)     edge (16)           inner (16)
//! # # # # #              # # # # #           . . . . .
//! # 0 1 2 .              . 0 1 2 .           . 0 1 2 .
//! # 3 4 5 .              . 3 4 5 .           . 3 4 5 .
//! # 6 7 8 .              . 6 7 8 .           . 6 7 8 .
//! # . . . .              . . . . .           . . . . .     # beyond the board
//! ```

use std::sync::OnceLock;

use crate::common::bits::SetBits;

/// Points of the estimate for one mark.
pub(crate) use crate::adjacency::evaluation::UNIT;

/// Windows on the board.
pub const WINDOWS: usize = 36;
/// The windows in whole vector registers.
const LANES: usize = 40;
/// Numbers that a window can have.
pub const STATES: usize = 512;
/// Kinds of windows.
pub const KINDS: usize = 3;
/// Numbers of empty cells that share weights, apart from their parity.
const GROUP: u32 = 4;
/// Sets of weights: by parity and number of the empty cells.
pub const STAGES: usize = 30;

/// The kind of each window, row by row: 0 corner, 1 edge, 2 inner.
pub static KIND: [u8; WINDOWS] = kinds();

/// By cell: its bit in each window.
static BITS: [[u16; LANES]; 64] = bits();

const fn on_rim(x: usize) -> bool {
    x == 0 || x == 5
}

const fn kinds() -> [u8; WINDOWS] {
    let mut kinds = [0; WINDOWS];
    let mut window = 0;
    while window < WINDOWS {
        kinds[window] = 2 - on_rim(window / 6) as u8 - on_rim(window % 6) as u8;
        window += 1;
    }
    kinds
}

const fn bits() -> [[u16; LANES]; 64] {
    let mut bits = [[0; LANES]; 64];
    let mut window = 0;
    while window < WINDOWS {
        let (row, column) = (window / 6, window % 6);
        let mut place = 0;
        while place < 9 {
            // Where the board's edge is at the bottom or at the right, the window is mirrored;
            // where it is only at a side, rows and columns are exchanged.
            let (mut r, mut c) = (place / 3, place % 3);
            if on_rim(column) && !on_rim(row) {
                (r, c) = (c, r);
            }
            if row == 5 {
                r = 2 - r;
            }
            if column == 5 {
                c = 2 - c;
            }
            bits[8 * (row + r) + column + c][window] = 1 << place;
            place += 1;
        }
        window += 1;
    }
    bits
}

/// The numbers of all windows of a set of empty cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Windows([u16; LANES]);

impl Windows {
    /// The windows of a set of empty cells.
    #[must_use]
    pub fn new(empty: u64) -> Self {
        let mut windows = Self([0; LANES]);
        for cell in SetBits(empty) {
            for (number, bit) in windows.0.iter_mut().zip(&BITS[cell as usize]) {
                *number |= bit;
            }
        }
        windows
    }

    /// The windows after one of the empty cells is filled.
    #[inline(always)]
    #[must_use]
    pub fn without(mut self, cell: u32) -> Self {
        for (number, bit) in self.0.iter_mut().zip(&BITS[(cell & 63) as usize]) {
            *number &= !bit;
        }
        self
    }

    /// Where each window's weight stands in a stage.
    #[inline(always)]
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().zip(&KIND).map(|(&number, &kind)| usize::from(kind) * STATES + usize::from(number) % STATES)
    }
}

/// The stage of a number of empty cells.
#[inline(always)]
#[must_use]
pub fn stage(empties: u32) -> usize {
    (empties % 2 * (STAGES as u32 / 2) + empties / GROUP) as usize
}

/// Fitted weights, in [`UNIT`]s for the side to move.
#[derive(Clone)]
pub struct WindowEvaluation {
    /// By stage and by kind and number of a window.
    pub windows: Vec<[i16; KINDS * STATES]>,
    /// By number of empty cells.
    pub base: [i16; 64],
}

impl WindowEvaluation {
    /// The weights that the engine is built with, for four neighbours.
    pub fn built_in() -> &'static Self {
        static EVALUATION: OnceLock<WindowEvaluation> = OnceLock::new();
        EVALUATION.get_or_init(|| Self::read(include_bytes!("evaluation.bin")).expect("the file is whole"))
    }

    /// Reads what [`WindowEvaluation::bytes`] wrote.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut numbers = bytes.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]]));
        let mut evaluation = Self { windows: vec![[0; KINDS * STATES]; STAGES], base: [0; 64] };
        for weight in evaluation.windows.iter_mut().flatten().chain(&mut evaluation.base) {
            *weight = numbers.next()?;
        }
        numbers.next().is_none().then_some(evaluation)
    }

    /// The weights as a file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.windows.iter().flatten().chain(&self.base).flat_map(|weight| weight.to_le_bytes()).collect()
    }

    /// An estimate of what the side to move will earn more than the other, in [`UNIT`]s.
    #[inline(always)]
    #[must_use]
    pub fn of(&self, windows: &Windows, empties: u32) -> i32 {
        let weights = &self.windows[stage(empties)];
        i32::from(self.base[empties as usize]) + windows.places().map(|place| i32::from(weights[place])).sum::<i32>()
    }
}

/// The least number of a window under the turns and reflections that its kind keeps.
#[must_use]
pub fn representative(kind: usize, number: usize) -> usize {
    type Turn = fn(usize) -> usize;
    let exchange: Turn = |place| place % 3 * 3 + place / 3;
    let mirror: Turn = |place| place / 3 * 3 + 2 - place % 3;
    let moved = |number: usize, turn: Turn| (0..9).fold(0, |all, place| all | (number >> place & 1) << turn(place));
    let turns: &[Turn] = match kind {
        0 => &[exchange],
        1 => &[mirror],
        // All eight symmetries of a square are made by these two in turn.
        _ => &[exchange, mirror, exchange, mirror, exchange, mirror, exchange],
    };
    let mut seen = number;
    turns.iter().fold(number, |least, &turn| {
        seen = moved(seen, turn);
        least.min(seen)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adjacency::reference::SplitMix;

    fn turned(set: u64) -> u64 {
        SetBits(set).fold(0, |all, cell| all | 1u64 << (8 * (cell % 8) + 7 - cell / 8))
    }

    fn mirrored(set: u64) -> u64 {
        SetBits(set).fold(0, |all, cell| all | 1u64 << (cell ^ 7))
    }

    /// Every window in the least of its forms, sorted.
    fn forms(set: u64) -> Vec<usize> {
        let windows = Windows::new(set);
        let form = |place: usize| place / STATES * STATES + representative(place / STATES, place % STATES);
        let mut found: Vec<usize> = windows.places().map(form).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn turns_and_reflections_show_the_same_windows() {
        let mut random = SplitMix::new(2);
        for _ in 0..500 {
            let set = random.next() & random.next();
            assert_eq!(forms(set), forms(turned(set)));
            assert_eq!(forms(set), forms(mirrored(set)));
            let cell = random.below(64);
            assert_eq!(Windows::new(set | 1 << cell).without(cell), Windows::new(set & !(1 << cell)));
        }
    }

    #[test]
    fn the_built_in_weights_are_symmetric_and_survive_a_file() {
        let evaluation = WindowEvaluation::built_in();
        for stage in &evaluation.windows {
            for place in 0..KINDS * STATES {
                let (kind, number) = (place / STATES, place % STATES);
                assert_eq!(stage[place], stage[kind * STATES + representative(kind, number)]);
            }
        }
        let again = WindowEvaluation::read(&evaluation.bytes()).expect("a whole file");
        assert_eq!(again.windows, evaluation.windows);
        assert!(WindowEvaluation::read(&evaluation.bytes()[2..]).is_none());
    }
}
