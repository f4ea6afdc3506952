//! The exact value of every subset of a set of empty cells.
//!
//! Call **prospects** of a set what the side that has just moved will be ahead by in the end, if all
//! settled cells are counted as its own: the settled cells less the value of the set for the other
//! side. A move that settles more is then nothing but a step to a set with better prospects, and
//!
//! ```text
//! prospects of a set = twice its settled cells − the best prospects among the sets that lack one more cell
//! ```
//!
//! One sweep over all subsets, the smaller numbers first, finds them all: 2 to the power of the empty
//! cells, a byte each. The sweep is laid out for vector registers:
//!
//! ```text
//! number of a subset    top 4 bits    middle bits     low 5 bits
//!                       which chunk   which block     which lane of the block
//! ```
//!
//! 1. A move on a high cell leads to another block, lane by lane: the best of all of them is one load
//!    and one comparison a cell.
//! 2. Cells that are settled depend on the high cells by the block and on the low cells by the lane; for each
//!    row of the board they are looked up, all lanes at once.
//! 3. A move on a low cell leads to a lower lane of the same block: five rounds of exchanges.
//! 4. A chunk needs only chunks with fewer top bits: threads share those of one number of bits.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::earnings::{about, earned, last_left, settled};
use super::wide::{self, LANES, Lanes, Row, Work};
use crate::adjacency::rule::Rule;
use crate::common::bits::SetBits;
use crate::common::deadline::Deadline;

const LOW: usize = LANES.ilog2() as usize;
const TOP: usize = 4;
/// Blocks between two looks at the clock.
const LOOK_EVERY: usize = 1 << 12;
/// Added to prospects, so that bytes have no sign.
const ZERO: u8 = 64;

/// The values of all subsets of `root`.
pub struct Values {
    root: u64,
    cells: Vec<u32>,
    /// The prospects of the subsets.
    chunks: Vec<Vec<u8>>,
    /// Bits of a subset's number inside a chunk.
    chunk_bits: usize,
    /// How many cells a set leaves settled, by the rule of the sweep.
    settled: fn(u64) -> u32,
}

/// The bytes that a sweep over so many cells takes: how many are too many is the caller's choice.
#[must_use]
pub fn bytes_for(cells: u32) -> u64 {
    1 << cells
}

impl Values {
    /// All values, by so many threads; nothing if stopped.
    #[must_use]
    pub fn sweep<R: Rule>(root: u64, deadline: Deadline<'_>, threads: usize) -> Option<Self> {
        Self::sweep_counted::<R>(root, deadline, threads, &AtomicU64::new(0))
    }

    /// All values, as [`Values::sweep`]; `swept` counts the subsets meanwhile.
    pub(in crate::adjacency) fn sweep_counted<R: Rule>(
        root: u64,
        deadline: Deadline<'_>,
        threads: usize,
        swept: &AtomicU64,
    ) -> Option<Self> {
        let cells: Vec<u32> = SetBits(root).collect();
        let top = cells.len().saturating_sub(LOW).min(TOP);
        let chunk_bits = cells.len().max(LOW) - top;
        let plan = Plan::new::<R>(&cells, chunk_bits, deadline, swept);
        let mut chunks = vec![Vec::new(); 1 << top];
        for bits in 0..=top as u32 {
            let layer: Vec<usize> = (0..chunks.len()).filter(|c| c.count_ones() == bits).collect();
            for (chunk, prospects) in plan.layer::<R>(&layer, &chunks, threads)? {
                chunks[chunk] = prospects;
            }
        }
        Some(Self { root, cells, chunks, chunk_bits, settled: |empty| settled::<R>(empty).count_ones() })
    }

    /// Whether all of these cells are among the root's.
    #[must_use]
    pub fn cover(&self, empty: u64) -> bool {
        empty & !self.root == 0
    }

    /// How many cells the root has.
    #[must_use]
    pub fn cells(&self) -> u32 {
        self.root.count_ones()
    }

    /// What the side to move will earn more than the other until the board is full, if just these
    /// cells of the root are still empty.
    #[must_use]
    pub fn of(&self, empty: u64) -> i32 {
        debug_assert!(self.cover(empty));
        let number = (self.cells.iter().enumerate())
            .fold(0usize, |number, (place, cell)| number | ((empty >> cell & 1) as usize) << place);
        let prospects = self.chunks[number >> self.chunk_bits][number & ((1 << self.chunk_bits) - 1)];
        (self.settled)(empty) as i32 - (i32::from(prospects) - i32::from(ZERO))
    }

    /// The value of a move: what is earned and lost from it on.
    #[must_use]
    pub fn after<R: Rule>(&self, empty: u64, cell: u32) -> i32 {
        earned::<R>(last_left::<R>(empty), cell) - self.of(empty & !(1 << cell))
    }
}

/// Everything that is made before the sweep.
struct Plan<'a> {
    /// The cells that tell blocks and chunks apart.
    high: &'a [u32],
    /// The cells that no low cell is about.
    apart: u64,
    /// By row of the board that low cells are about, and by cells of it that high cells leave settled:
    /// twice how many of them are settled, lane by lane.
    rows: Vec<(u32, Vec<Lanes>)>,
    chunk_bits: usize,
    deadline: Deadline<'a>,
    swept: &'a AtomicU64,
}

impl<'a> Plan<'a> {
    fn new<R: Rule>(cells: &'a [u32], chunk_bits: usize, deadline: Deadline<'a>, swept: &'a AtomicU64) -> Self {
        let (low, high) = cells.split_at(cells.len().min(LOW));
        let near = low.iter().fold(0, |near, &cell| near | about::<R>(cell));
        let open: [u64; LANES] = std::array::from_fn(|lane| {
            let in_lane = low.iter().enumerate().filter(|(place, _)| lane >> place & 1 == 1);
            settled::<R>(in_lane.fold(0, |set, (_, cell)| set | 1 << cell)) & near
        });
        let twice = |cells: u64| -> Lanes { std::array::from_fn(|lane| 2 * (cells & open[lane]).count_ones() as u8) };
        let rows = (0..64).step_by(8).filter(|row| near >> row & 0xff != 0);
        let rows = rows.map(|row| (row, (0..=0xff).map(|cells| twice(cells << row)).collect()));
        Self { high, apart: !near, rows: rows.collect(), chunk_bits, deadline, swept }
    }

    /// The chunks of one number of top bits.
    fn layer<R: Rule>(&self, layer: &[usize], done: &[Vec<u8>], threads: usize) -> Option<Vec<(usize, Vec<u8>)>> {
        let share = layer.len().div_ceil(threads.max(1));
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

    #[inline(always)]
    fn chunk<R: Rule, W: Row>(&self, chunk: usize, done: &[Vec<u8>]) -> Option<Vec<u8>> {
        let mut prospects = vec![0u8; 1 << self.chunk_bits];
        let block_bits = self.chunk_bits - LOW;
        let (middle, top) = self.high.split_at(block_bits.min(self.high.len()));
        let middle = middle.iter().fold(0, |set, cell| set | 1 << cell);
        let always = SetBits(chunk as u64).fold(0, |set, place| set | 1 << top[place as usize]);
        let smaller: Vec<&[u8]> = SetBits(chunk as u64).map(|place| &done[chunk & !(1 << place)][..]).collect();
        let mut in_block = 0u64;
        for block in 0..1usize << block_bits {
            if block % LOOK_EVERY == 0 {
                if self.deadline.is_over() {
                    return None;
                }
                let subsets = (LOOK_EVERY.min(1 << block_bits) << LOW) as u64;
                self.swept.fetch_add(subsets, Relaxed);
                self.deadline.progress.add_nodes(subsets);
            }
            let (before, rest) = prospects.split_at_mut(block << LOW);
            let mut best = W::all(0);
            for chunk in &smaller {
                best = best.max(lanes_of(chunk, block));
            }
            for place in SetBits(block as u64) {
                best = best.max(lanes_of(before, block & !(1 << place)));
            }
            let left = self.twice_settled::<R, W>(in_block | always);
            with_low_moves(best, left).store(rest.first_chunk_mut().expect("blocks are whole"));
            // The next larger subset of the middle cells.
            in_block = in_block.wrapping_sub(middle) & middle;
        }
        Some(prospects)
    }

    /// What the best prospects are taken off, if just these of the high cells are empty.
    #[inline(always)]
    fn twice_settled<R: Rule, W: Row>(&self, high: u64) -> W {
        let settled = settled::<R>(high);
        // Twice all 64 cells is one too much for a byte; that is the full board, which has no moves.
        let mut sum = W::all((2 * ZERO).wrapping_add(2 * (settled & self.apart).count_ones() as u8));
        for (row, twice) in &self.rows {
            sum = sum.plus(W::load(&twice[(settled >> row & 0xff) as usize]));
        }
        if high == 0 {
            let mut lanes = [0; LANES];
            sum.store(&mut lanes);
            // On the full board all cells are settled, and nothing follows.
            lanes[0] = ZERO + 64;
            sum = W::load(&lanes);
        }
        sum
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
    fn work<W: Row>(self) -> Self::Output {
        self.plan.chunk::<R, W>(self.chunk, self.done)
    }
}

#[inline(always)]
fn lanes_of<W: Row>(chunk: &[u8], block: usize) -> W {
    W::load(chunk[block << LOW..].first_chunk().expect("blocks are whole"))
}

/// The prospects of a block's lanes, from the best after moves on high cells. After each round the lanes with one
/// more low cell are right; lanes that are not right yet may wrap round.
#[inline(always)]
fn with_low_moves<W: Row>(best: W, twice_settled: W) -> W {
    let mut prospects = twice_settled.minus(best);
    for _ in 0..LOW {
        let first_two = prospects.one_bit_less::<0>().max(prospects.one_bit_less::<1>());
        let next_two = prospects.one_bit_less::<2>().max(prospects.one_bit_less::<3>());
        let last = prospects.one_bit_less::<4>().max(best);
        prospects = twice_settled.minus(first_two.max(next_two).max(last));
    }
    prospects
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::adjacency::filling::earnings::settled_margin;
    use crate::adjacency::reference::{PlainPosition, SplitMix, random_board};
    use crate::adjacency::rule::{Eight, Four};

    fn sweep<R: Rule>(root: u64, threads: usize) -> Option<Values> {
        let stop = AtomicBool::new(false);
        Values::sweep::<R>(root, Deadline::until_stopped(&stop), threads)
    }

    /// Against plain minimax on marks of two colours, which knows nothing of settled cells.
    fn check<R: Rule>(eight: bool) {
        let mut random = SplitMix::new(8);
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

    /// Larger sets: every value follows from the smaller ones, whatever the threads.
    fn check_large<R: Rule>() {
        let mut random = SplitMix::new(9);
        for empties in [9, 12, 15] {
            let (own, opp) = random_board(&mut random, empties, false);
            let root = !(own | opp);
            let values = sweep::<R>(root, 3).expect("nothing stops the sweep");
            for _ in 0..2_000 {
                let empty = root & random.next();
                let best = SetBits(empty).map(|cell| values.after::<R>(empty, cell)).max().unwrap_or(0);
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
    fn a_sweep_counts_its_subsets_and_can_be_stopped() {
        for (root, subsets) in [(0x7, 1 << LOW), (0xffff, 1 << 16), (0xf_ffff, 1 << 20)] {
            let (stop, swept) = (AtomicBool::new(false), AtomicU64::new(0));
            let deadline = Deadline::until_stopped(&stop);
            assert!(Values::sweep_counted::<Four>(root, deadline, 2, &swept).is_some());
            assert_eq!(swept.load(Relaxed), subsets);
            stop.store(true, Relaxed);
            assert!(Values::sweep::<Four>(root, deadline, 2).is_none());
        }
    }
}
