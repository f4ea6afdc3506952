//! The exact value of every subset of a set of empty cells.
//!
//! The value of a set is the best of "earned minus the value of the set without the cell", so one
//! sweep over all subsets, the smaller numbers first, finds them all: 2 to the power of the empty
//! cells, a byte each. The sweep is laid out for vector registers:
//!
//! ```text
//! number of a subset    top 4 bits    middle bits     low 5 bits
//!                       which chunk   which block     which lane of the block
//! ```
//!
//! 1. A move on a high cell leads to another block, lane by lane. Cells that it settles depend on
//!    the high cells by the block and on the low cells by the lane, so what is earned is a sum of
//!    ready-made rows of ones.
//! 2. A move on a low cell leads to a lower lane of the same block.
//!    Registers of 32 bytes do that for all lanes at once, in five rounds.
//! 3. A chunk needs only chunks with fewer top bits: threads share those of one number of bits.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use super::earnings::{about, last_left};
use super::wide::{self, Work};
use crate::adjacency::rule::{Cells, Rule};

/// The most empty cells: 256 MiB.
pub const MOST_CELLS: u32 = 28;

const LOW: usize = 5;
const LANES: usize = 1 << LOW;
const TOP: usize = 4;
/// Blocks between two looks at the clock.
const LOOK_EVERY: usize = 1 << 12;
/// Added to values, so that bytes have no sign; earnings start at twice as much, for the value that
/// is taken off them.
const ZERO: u8 = 64;

/// A lane for each subset of the low cells.
type Lanes = [u8; LANES];

/// Lanes eight to a word, the lowest in the lowest byte. Sums of few ones never carry into the next
/// lane; and words keep the compiler from taking the sums apart into single bytes.
type Packed = [u64; LANES / 8];

fn packed(lanes: &Lanes) -> Packed {
    std::array::from_fn(|word| u64::from_le_bytes(lanes[8 * word..8 * word + 8].try_into().expect("eight lanes")))
}

/// When a sweep is given up.
#[derive(Clone, Copy)]
pub struct SweepLimits<'a> {
    /// Set from outside to stop.
    pub stop: &'a AtomicBool,
    /// When to stop at the latest.
    pub deadline: Option<Instant>,
    /// Threads.
    pub threads: usize,
}

/// The values of all subsets of `root`.
pub struct Values {
    root: u64,
    cells: Vec<u32>,
    chunks: Vec<Vec<u8>>,
    /// Bits of a subset's number inside a chunk.
    chunk_bits: usize,
}

impl Values {
    /// All values; nothing if stopped, or if there are more than [`MOST_CELLS`] cells.
    #[must_use]
    pub fn sweep<R: Rule>(root: u64, limits: SweepLimits<'_>) -> Option<Self> {
        let cells: Vec<u32> = Cells(root).collect();
        if root.count_ones() > MOST_CELLS {
            return None;
        }
        let top = cells.len().saturating_sub(LOW).min(TOP);
        let chunk_bits = cells.len().max(LOW) - top;
        let plan = Plan::new::<R>(&cells, chunk_bits, limits);
        let mut chunks = vec![Vec::new(); 1 << top];
        for bits in 0..=top as u32 {
            let layer: Vec<usize> = (0..chunks.len()).filter(|c| c.count_ones() == bits).collect();
            for (chunk, values) in plan.layer::<R>(&layer, &chunks)? {
                chunks[chunk] = values;
            }
        }
        Some(Self { root, cells, chunks, chunk_bits })
    }

    /// Whether all of these cells are among the root's.
    #[must_use]
    pub fn cover(&self, empty: u64) -> bool {
        empty & !self.root == 0
    }

    /// What the side to move will earn more than the other until the board is full, if just these
    /// cells of the root are still empty.
    #[must_use]
    pub fn of(&self, empty: u64) -> i32 {
        debug_assert!(self.cover(empty));
        let number = (self.cells.iter().enumerate())
            .fold(0usize, |number, (place, cell)| number | ((empty >> cell & 1) as usize) << place);
        let value = self.chunks[number >> self.chunk_bits][number & ((1 << self.chunk_bits) - 1)];
        i32::from(value) - i32::from(ZERO)
    }

    /// The value of a move: what is earned and lost from it on.
    #[must_use]
    pub fn after<R: Rule>(&self, empty: u64, cell: u32) -> i32 {
        super::earnings::earned::<R>(last_left::<R>(empty), cell) - self.of(empty & !(1 << cell))
    }
}

/// Everything that is made before the sweep.
struct Plan<'a> {
    high: &'a [u32],
    /// The neighbourhoods of the low cells; 0 where there are fewer than five cells.
    low: [u64; LOW],
    /// By cell: the lanes in which no low cell is about it.
    free: Box<[Lanes; 64]>,
    /// By low cell and cell: the lanes in which that low cell is the only one about it.
    only: Box<[[Packed; 64]; LOW]>,
    chunk_bits: usize,
    limits: SweepLimits<'a>,
}

impl<'a> Plan<'a> {
    fn new<R: Rule>(cells: &'a [u32], chunk_bits: usize, limits: SweepLimits<'a>) -> Self {
        let (low, high) = cells.split_at(cells.len().min(LOW));
        let board = |lane: usize| {
            (low.iter().enumerate()).filter(|(place, _)| lane >> place & 1 == 1).fold(0u64, |set, (_, c)| set | 1 << c)
        };
        let mut plan = Self {
            high,
            low: std::array::from_fn(|place| low.get(place).map_or(0, |&cell| about::<R>(cell))),
            free: Box::new([[0; LANES]; 64]),
            only: Box::new([[[0; LANES / 8]; 64]; LOW]),
            chunk_bits,
            limits,
        };
        for cell in 0..64 {
            let near = |lane: usize| about::<R>(cell as u32) & board(lane);
            plan.free[cell] = std::array::from_fn(|lane| u8::from(near(lane) == 0));
            for (place, low_cell) in low.iter().enumerate() {
                plan.only[place][cell] = packed(&std::array::from_fn(|lane| u8::from(near(lane) == 1 << low_cell)));
            }
        }
        plan
    }

    /// The chunks of one number of top bits.
    fn layer<R: Rule>(&self, layer: &[usize], done: &[Vec<u8>]) -> Option<Vec<(usize, Vec<u8>)>> {
        let share = layer.len().div_ceil(self.limits.threads.max(1));
        std::thread::scope(|scope| {
            let work = |part: &'_ [usize]| -> Option<Vec<(usize, Vec<u8>)>> {
                let sweep = |chunk| wide::run(ChunkWork::<R> { plan: self, chunk, done, rule: PhantomData });
                part.iter().map(|&chunk| Some((chunk, sweep(chunk)?))).collect()
            };
            let mut parts = layer.chunks(share);
            let mine = parts.next();
            let others: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
            let mut found = work(mine.expect("a layer has a chunk"))?;
            for other in others {
                found.extend(other.join().expect("a sweep does not panic")?);
            }
            Some(found)
        })
    }

    fn stopped(&self) -> bool {
        self.limits.stop.load(Relaxed) || self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    #[inline(always)]
    fn chunk<R: Rule, const WIDE: bool>(&self, chunk: usize, done: &[Vec<u8>]) -> Option<Vec<u8>> {
        let mut values = vec![0u8; 1 << self.chunk_bits];
        let block_bits = self.chunk_bits - LOW;
        for block in 0..1usize << block_bits {
            if block % LOOK_EVERY == 0 && self.stopped() {
                return None;
            }
            let (before, rest) = values.split_at_mut(block << LOW);
            let number = chunk << block_bits | block;
            let lanes = self.block::<R, WIDE>(number, |place| {
                let other = number & !(1 << place);
                let from = (other & ((1 << block_bits) - 1)) << LOW;
                let slice = if place < block_bits { &before[from..] } else { &done[other >> block_bits][from..] };
                slice.first_chunk().expect("blocks are whole")
            });
            rest[..LANES].copy_from_slice(&lanes);
        }
        Some(values)
    }

    /// The values of one block; `without` gives the block that lacks one high cell.
    #[inline(always)]
    fn block<'v, R: Rule, const WIDE: bool>(&self, number: usize, without: impl Fn(usize) -> &'v Lanes) -> Lanes {
        let places = Cells(number as u64);
        let empty = places.fold(0u64, |set, place| set | 1 << self.high[place as usize]);
        let last = last_left::<R>(empty);
        let untouched = !(empty | R::spread(empty));
        let mut best = [0u8; LANES];
        if number == 0 {
            best[0] = ZERO;
        }
        for place in places {
            let next = without(place as usize);
            let mut earned = [2 * ZERO; LANES];
            for cell in Cells(about::<R>(self.high[place as usize]) & last) {
                add(&mut earned, &self.free[cell as usize]);
            }
            for lane in 0..LANES {
                best[lane] = best[lane].max(earned[lane] - next[lane]);
            }
        }
        let mut earned = [packed(&[2 * ZERO; LANES]); LOW];
        for (place, earned) in earned.iter_mut().enumerate() {
            for cell in Cells(self.low[place] & untouched) {
                earned.iter_mut().zip(&self.only[place][cell as usize]).for_each(|(sum, ones)| *sum += ones);
            }
        }
        if WIDE { low_moves_by_rounds(best, &earned) } else { low_moves_by_lanes(best, &earned) }
    }
}

/// The work of one chunk.
struct ChunkWork<'p, R> {
    plan: &'p Plan<'p>,
    chunk: usize,
    done: &'p [Vec<u8>],
    rule: PhantomData<R>,
}

impl<R: Rule> Work for ChunkWork<'_, R> {
    type Output = Option<Vec<u8>>;

    #[inline(always)]
    fn work<const WIDE: bool>(self) -> Self::Output {
        self.plan.chunk::<R, WIDE>(self.chunk, self.done)
    }
}

/// Adds the moves on low cells to the best of the others, lane by lane.
#[inline(always)]
fn low_moves_by_lanes(mut best: Lanes, earned: &[Packed; LOW]) -> Lanes {
    let earned = earned.map(|words| words.map(u64::to_le_bytes));
    // Both loops have constant bounds, so that the compiler lays out the 80 steps one by one.
    for lane in 1..LANES {
        let mut value = best[lane];
        for (place, earned) in earned.iter().enumerate() {
            if lane >> place & 1 == 1 {
                value = value.max(earned[lane / 8][lane % 8] - best[lane ^ 1 << place]);
            }
        }
        best[lane] = value;
    }
    best
}

/// The same with all lanes at once, which pays in registers of 32 bytes: after each round the lanes with one more
/// low cell are right.
#[inline(always)]
fn low_moves_by_rounds(best: Lanes, earned: &[Packed; LOW]) -> Lanes {
    let earned = earned.map(|words| {
        let mut lanes = [0; LANES];
        lanes.chunks_exact_mut(8).zip(words).for_each(|(eight, word)| eight.copy_from_slice(&word.to_le_bytes()));
        lanes
    });
    let mut values = best;
    for _ in 0..LOW {
        let mut next = best;
        low_move::<0>(&mut next, &values, &earned);
        low_move::<1>(&mut next, &values, &earned);
        low_move::<2>(&mut next, &values, &earned);
        low_move::<3>(&mut next, &values, &earned);
        low_move::<4>(&mut next, &values, &earned);
        values = next;
    }
    values
}

#[inline(always)]
fn low_move<const PLACE: usize>(best: &mut Lanes, values: &Lanes, earned: &[Lanes; LOW]) {
    for lane in 0..LANES {
        // Lanes that are not right yet may wrap round; a later round puts them right.
        let value = earned[PLACE][lane].wrapping_sub(values[lane ^ 1 << PLACE]);
        best[lane] = best[lane].max(if lane >> PLACE & 1 == 1 { value } else { 0 });
    }
}

#[inline(always)]
fn add(sum: &mut Lanes, ones: &Lanes) {
    for lane in 0..LANES {
        sum[lane] += ones[lane];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adjacency::filling::earnings::settled_margin;
    use crate::adjacency::reference::{PlainPosition, TestRandom, random_board};
    use crate::adjacency::rule::{Eight, Four};

    fn sweep<R: Rule>(root: u64, threads: usize) -> Option<Values> {
        let stop = AtomicBool::new(false);
        Values::sweep::<R>(root, SweepLimits { stop: &stop, deadline: None, threads })
    }

    /// Against plain minimax on marks of two colours, which knows nothing of settled cells.
    fn check<R: Rule>(eight: bool) {
        let mut random = TestRandom(8);
        for index in 0..300 {
            let empties = index % 8;
            let (own, opp) = random_board(&mut random, empties, eight);
            let values = sweep::<R>(!(own | opp), 1).expect("nothing stops the sweep");
            let exact = PlainPosition::new(own, opp, empties, eight).value();
            assert_eq!(settled_margin::<R>(own, opp) + values.of(!(own | opp)), exact);
        }
    }

    #[test]
    fn the_values_are_those_of_plain_minimax() {
        check::<Four>(false);
        check::<Eight>(true);
    }

    #[test]
    fn lanes_and_rounds_agree() {
        let mut random = TestRandom(17);
        for _ in 0..2_000 {
            // Values and earnings as they are on a board.
            let best: Lanes = std::array::from_fn(|_| ZERO - 20 + random.below(40) as u8);
            let earned: [Packed; LOW] =
                std::array::from_fn(|_| packed(&std::array::from_fn(|_| 2 * ZERO + random.below(6) as u8)));
            assert_eq!(low_moves_by_lanes(best, &earned), low_moves_by_rounds(best, &earned));
        }
    }

    /// Larger sets: every value follows from the smaller ones, whatever the threads.
    fn check_large<R: Rule>() {
        let mut random = TestRandom(9);
        for empties in [9, 12, 15] {
            let (own, opp) = random_board(&mut random, empties, false);
            let root = !(own | opp);
            let values = sweep::<R>(root, 3).expect("nothing stops the sweep");
            for _ in 0..2_000 {
                let empty = root & random.next_u64();
                let best = Cells(empty).map(|cell| values.after::<R>(empty, cell)).max().unwrap_or(0);
                assert_eq!(values.of(empty), best);
            }
        }
    }

    #[test]
    fn every_value_is_the_best_of_the_moves() {
        check_large::<Four>();
        check_large::<Eight>();
    }

    #[test]
    fn a_sweep_can_be_stopped_and_has_its_limit() {
        let stop = AtomicBool::new(true);
        assert!(Values::sweep::<Four>(0xffff, SweepLimits { stop: &stop, deadline: None, threads: 1 }).is_none());
        assert!(sweep::<Four>((1 << (MOST_CELLS + 1)) - 1, 1).is_none());
    }
}
