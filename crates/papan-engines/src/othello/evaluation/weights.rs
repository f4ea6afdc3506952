//! The weights, laid out for the search, and the sum that is the evaluation.

use super::features::Features;
use super::patterns::{KINDS, LANES, classes, patterns};
use crate::othello::board::Board;

/// Phases: one for each two discs.
pub const PHASES: usize = 30;
/// Weights are in this part of a disc.
pub(crate) const UNIT: i32 = 128;
/// Evaluations never reach the score of a game won by all discs.
pub(crate) const MAX_EVALUATION: i32 = 63;

/// The phase of a position by its number of discs.
#[inline(always)]
#[must_use]
pub const fn phase_of(discs: u32) -> usize {
    let phase = discs.saturating_sub(4) as usize / 2;
    if phase < PHASES { phase } else { PHASES - 1 }
}

/// The weights of one phase, in multiples of [`STEP`]: 263 kB, which stay in a core's own cache. Each table is indexed
/// by a code in two's complement, so its length is a power of two and no index can be out of bounds.
pub(crate) struct PhaseWeights {
    corner: [i8; 1 << 15],
    angle: [i8; 1 << 16],
    edge: [i8; 1 << 16],
    block: [i8; 1 << 16],
    row2: [i8; 1 << 13],
    row3: [i8; 1 << 13],
    row4: [i8; 1 << 13],
    diagonal8: [i8; 1 << 13],
    diagonal7: [i8; 1 << 12],
    diagonal6: [i8; 1 << 10],
    diagonal5: [i8; 1 << 8],
    diagonal4: [i8; 1 << 7],
    bias: i32,
}

/// The weights of the `COUNT` codes from `START` on. A plain loop: iterators may be compiled apart from their caller,
/// without the instructions that it has switched on.
#[inline(always)]
fn sum<const START: usize, const COUNT: usize, const N: usize>(table: &[i8; N], codes: &[i16; LANES]) -> i32 {
    let mut total = 0;
    let mut lane = START;
    while lane < START + COUNT {
        total += i32::from(table[codes[lane] as u16 as usize & (N - 1)]);
        lane += 1;
    }
    total
}

impl PhaseWeights {
    fn zero() -> Self {
        Self {
            corner: [0; 1 << 15],
            angle: [0; 1 << 16],
            edge: [0; 1 << 16],
            block: [0; 1 << 16],
            row2: [0; 1 << 13],
            row3: [0; 1 << 13],
            row4: [0; 1 << 13],
            diagonal8: [0; 1 << 13],
            diagonal7: [0; 1 << 12],
            diagonal6: [0; 1 << 10],
            diagonal5: [0; 1 << 8],
            diagonal4: [0; 1 << 7],
            bias: 0,
        }
    }

    fn table_mut(&mut self, kind: usize) -> &mut [i8] {
        match kind {
            0 => &mut self.corner,
            1 => &mut self.angle,
            2 => &mut self.edge,
            3 => &mut self.block,
            4 => &mut self.row2,
            5 => &mut self.row3,
            6 => &mut self.row4,
            7 => &mut self.diagonal8,
            8 => &mut self.diagonal7,
            9 => &mut self.diagonal6,
            10 => &mut self.diagonal5,
            _ => &mut self.diagonal4,
        }
    }

    /// The expected final score of the side to move in parts of [`UNIT`].
    #[inline(always)]
    #[must_use]
    pub(crate) fn evaluate(&self, features: &Features) -> i32 {
        let codes = &features.0;
        let steps = self.bias
            + sum::<0, 4, _>(&self.corner, codes)
            + sum::<4, 4, _>(&self.angle, codes)
            + sum::<8, 4, _>(&self.edge, codes)
            + sum::<12, 4, _>(&self.block, codes)
            + sum::<16, 4, _>(&self.row2, codes)
            + sum::<20, 4, _>(&self.row3, codes)
            + sum::<24, 4, _>(&self.row4, codes)
            + sum::<28, 2, _>(&self.diagonal8, codes)
            + sum::<30, 4, _>(&self.diagonal7, codes)
            + sum::<34, 4, _>(&self.diagonal6, codes)
            + sum::<38, 4, _>(&self.diagonal5, codes)
            + sum::<42, 4, _>(&self.diagonal4, codes);
        steps * STEP
    }
}

/// One phase as it is trained and stored: a bias and a weight per class of each kind, in multiples of [`STEP`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawPhase {
    /// What is added to every position.
    pub bias: i16,
    /// The weights of all classes, kind after kind: less than eight discs each. Larger ones, which rare patterns got
    /// from few games, made the held-out error no smaller.
    pub weights: Vec<i8>,
}

/// Stored weights are multiples of this part of [`UNIT`]: rounding 46 weights to a sixteenth of a disc adds an
/// error of 0.12 discs to one of 3 or more.
pub(crate) const STEP: i32 = UNIT / STEPS_PER_DISC;
/// Stored weights are whole numbers of such parts of a disc.
pub const STEPS_PER_DISC: i32 = 16;

/// Where the weights of each kind begin in [`RawPhase::weights`], and their number at the end.
#[must_use]
pub(crate) fn class_offsets() -> [usize; KINDS + 1] {
    let mut offsets = [0; KINDS + 1];
    for kind in 0..KINDS {
        offsets[kind + 1] = offsets[kind] + classes(kind).1;
    }
    offsets
}

/// The weights of all phases.
pub struct Weights {
    phases: Vec<PhaseWeights>,
}

impl Weights {
    /// Lays out trained weights for the search. There must be [`PHASES`] of them.
    #[must_use]
    pub fn new(raw: &[RawPhase]) -> Self {
        let offsets = class_offsets();
        let class_tables: Vec<Vec<u32>> = (0..KINDS).map(|kind| classes(kind).0).collect();
        let phases = raw
            .iter()
            .map(|phase| {
                let mut laid_out = PhaseWeights::zero();
                laid_out.bias = i32::from(phase.bias);
                for (kind, class_of) in class_tables.iter().enumerate() {
                    let half = (class_of.len() / 2) as i32;
                    let table = laid_out.table_mut(kind);
                    for (code, &class) in (-half..).zip(class_of) {
                        let place = code as u16 as usize & (table.len() - 1);
                        table[place] = phase.weights[offsets[kind] + class as usize];
                    }
                }
                laid_out
            })
            .collect();
        Self { phases }
    }

    /// The weights for a position with so many discs.
    #[inline(always)]
    #[must_use]
    pub(crate) fn phase(&self, discs: u32) -> &PhaseWeights {
        &self.phases[phase_of(discs)]
    }
}

/// The class of each pattern of a position, as places in [`RawPhase::weights`]: the slow and obvious way to the
/// evaluation, and what training works on.
pub struct ClassIndex {
    lanes: Vec<(usize, usize)>,
    class_tables: Vec<Vec<u32>>,
}

impl ClassIndex {
    /// Prepares the tables.
    #[must_use]
    pub fn new() -> Self {
        let offsets = class_offsets();
        Self {
            lanes: patterns().iter().map(|pattern| (pattern.kind, offsets[pattern.kind])).collect(),
            class_tables: (0..KINDS).map(|kind| classes(kind).0).collect(),
        }
    }

    /// How many classes there are.
    #[must_use]
    pub fn classes(&self) -> usize {
        class_offsets()[KINDS]
    }

    /// The places of the 46 patterns' weights, given the discs of the side to move and of the other side.
    pub fn places(&self, [player, opponent]: [u64; 2]) -> impl Iterator<Item = u32> {
        let features = Features::of(Board { player, opponent });
        self.lanes.iter().zip(features.0).map(|(&(kind, offset), code)| {
            let class_of = &self.class_tables[kind];
            offset as u32 + class_of[(i32::from(code) + (class_of.len() / 2) as i32) as usize]
        })
    }
}

impl Default for ClassIndex {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Shape;
    use crate::othello::testing::random_boards;
    use papan_core::Random;

    #[test]
    fn the_fast_sum_is_the_sum_over_classes_and_symmetric() {
        let mut rng = Random::new(8);
        let count = class_offsets()[KINDS];
        let raw: Vec<RawPhase> = (0..PHASES)
            .map(|_| RawPhase {
                bias: rng.below(18) as i16 - 9,
                weights: (0..count).map(|_| (rng.below(198) as i16 - 99) as i8).collect(),
            })
            .collect();
        let weights = Weights::new(&raw);
        let index = ClassIndex::new();
        for board in random_boards(300, 4, Shape::STANDARD) {
            let features = Features::of(board);
            let discs = board.occupied().count_ones();
            let phase = &raw[phase_of(discs)];
            let slow: i32 = index
                .places([board.player, board.opponent])
                .map(|place| i32::from(phase.weights[place as usize]))
                .sum();
            let fast = weights.phase(discs).evaluate(&features);
            assert_eq!(fast, (slow + i32::from(phase.bias)) * STEP);
            for picture in board.symmetries() {
                assert_eq!(weights.phase(discs).evaluate(&Features::of(picture)), fast);
            }
        }
    }
}
