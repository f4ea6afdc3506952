//! The proof search for boards that will be filled to the last cell, and have too many empty cells for
//! [`Values`](crate::adjacency::filling::values::Values). The position is the set of empty cells.
//!
//! An empty cell with no other empty cell within distance two is **single**: nothing else that is
//! still to be played touches its neighbourhood. It is a switch: whoever takes it earns all of its
//! neighbourhood.
//! 1. Only the size matters, so singles leave the board and are kept as a set of sizes;
//! 2. two switches of one size cancel: either player answers one with the other;
//! 3. of several switches only the largest need be tried: taking the smaller first can be
//!    imitated with the roles of the two exchanged, at no loss.

use std::marker::PhantomData;

use super::leaves::Proof;
use super::prover::{CHECK_EVERY, NONE, Shared};
use super::transposition::{Entry, Key};
use crate::adjacency::filling::earnings::{about, earned, last_left, most_earned};
use crate::adjacency::rule::{Levels, Rule};
use crate::common::bits::SetBits;

/// The move "take the largest switch" in table entries.
const SWITCH: u32 = 65;

/// The fewest empty cells for which the table is asked.
const TABLE_FROM: u32 = 4;

/// The fewest empty cells for which the table is asked about every move beforehand.
const CHILD_CUTS_FROM: u32 = 7;

/// The fewest empty cells of a question that threads share between them.
const SHARE_FROM: u32 = 9;

/// Nothing is named as needed here, so no limit applies.
const MOST_LIMIT: u32 = 63;

/// One thread's search.
pub(super) struct FullBoardProver<'a, R> {
    shared: &'a Shared<'a>,
    pub nodes: u64,
    pub stopped: bool,
    /// The node count at which to look up next.
    look_at: u64,
    history: Box<[[i32; 64]; 64]>,
    rule: PhantomData<R>,
}

/// A position and the question whether the mover earns at least `t` more than the other until the
/// board is full.
#[derive(Clone, Copy)]
pub(super) struct FillQuestion {
    /// Cells still to be filled, without the singles.
    pub empty: u64,
    /// Which switches are left, by [`size_class`].
    pub switches: u32,
    pub t: i32,
}

/// Corner, side and inner cells have neighbourhoods of three sizes.
fn size_class(cell: u32) -> u32 {
    let on_side = |x: u32| u32::from(x == 0 || x == 7);
    2 - on_side(cell % 8) - on_side(cell / 8)
}

/// The size of the switch of a class: one more than the neighbours of such a cell.
fn switch_size<R: Rule>(class: u32) -> i32 {
    about::<R>([0, 1, 9][class as usize]).count_ones() as i32
}

impl<'a, R: Rule> FullBoardProver<'a, R> {
    pub(super) fn new(shared: &'a Shared<'a>) -> Self {
        Self { shared, nodes: 0, stopped: false, look_at: 0, history: Box::new([[0; 64]; 64]), rule: PhantomData }
    }

    /// Takes the singles off the board.
    #[inline(always)]
    fn reduce(q: &mut FillQuestion) {
        let crowded = R::levels(q.empty).at_least(2) & !q.empty;
        let singles = q.empty & !R::spread(q.empty) & !R::spread(crowded);
        for cell in SetBits(singles) {
            q.switches ^= 1 << size_class(cell);
        }
        q.empty &= !singles;
    }

    /// What the mover gains from switches alone: the players take them in turn, largest first.
    fn switch_value(switches: u32) -> i32 {
        let mut value = 0;
        for class in 0..3 {
            if switches >> class & 1 == 1 {
                value = switch_size::<R>(class) - value;
            }
        }
        value
    }

    fn should_stop(&mut self) -> bool {
        if self.nodes >= self.look_at {
            self.look_at = self.nodes + CHECK_EVERY;
            self.stopped |= self.shared.check();
        }
        self.stopped
    }

    /// The move that the table remembers for a board, if any.
    pub(super) fn remembered(&self, mut q: FillQuestion) -> Option<u32> {
        Self::reduce(&mut q);
        self.shared.table.probe(Self::key(&q)).map(|e| e.mv).filter(|&mv| mv < 64)
    }

    /// Answers a question from the root; nothing if stopped.
    pub(super) fn answer(&mut self, q: FillQuestion) -> Option<Proof> {
        self.stopped = false;
        let wins = self.prove(q);
        (!self.stopped).then_some(Proof { wins, needed: 0 })
    }

    /// Whether the mover gains at least `t`. If the search is stopped, `self.stopped` is set and
    /// the answer means nothing.
    pub(super) fn prove(&mut self, mut q: FillQuestion) -> bool {
        self.nodes += 1;
        Self::reduce(&mut q);
        if q.empty == 0 {
            return Self::switch_value(q.switches) >= q.t;
        }
        let left = q.empty.count_ones();
        if left < TABLE_FROM {
            return self.expand(q, NONE).0;
        }
        if self.should_stop() {
            return false;
        }
        let key = Self::key(&q);
        let mut hint = NONE;
        if let Some(entry) = self.shared.table.probe(key) {
            hint = entry.mv;
            if entry.wins && entry.bound >= q.t {
                return true;
            }
            if !entry.wins && entry.bound <= q.t {
                return false;
            }
        }
        if left >= CHILD_CUTS_FROM
            && let Some(mv) = self.enhanced_transposition_cutoff(q)
        {
            self.shared.table.store(key, Entry { bound: q.t, wins: true, needed: 0, mv, limit: MOST_LIMIT });
            return true;
        }
        let (wins, mv) = self.expand(q, hint);
        if !self.stopped {
            self.shared.table.store(key, Entry { bound: q.t, wins, needed: 0, mv, limit: MOST_LIMIT });
        }
        wins
    }

    /// The table key of a reduced question; bit 7 of the plies tells it from other searches.
    #[inline(always)]
    fn key(q: &FillQuestion) -> Key {
        Key { empty: q.empty, exposed: 0, plies: 128 | q.switches << 4 }
    }

    /// A move whose refutation the table already knows not to exist.
    fn enhanced_transposition_cutoff(&self, q: FillQuestion) -> Option<u32> {
        SetBits(q.empty).find(|&cell| {
            let mut next = Self::after(q, cell);
            Self::reduce(&mut next);
            let entry = self.shared.table.probe(Self::key(&next));
            entry.is_some_and(|e| !e.wins && e.bound <= next.t)
        })
    }

    #[inline(always)]
    fn after(q: FillQuestion, cell: u32) -> FillQuestion {
        if cell == SWITCH {
            let class = q.switches.ilog2();
            return FillQuestion { switches: q.switches & !(1 << class), t: switch_size::<R>(class) - q.t + 1, ..q };
        }
        let earned = earned::<R>(last_left::<R>(q.empty), cell);
        FillQuestion { empty: q.empty & !(1 << cell), switches: q.switches, t: earned - q.t + 1 }
    }

    fn score(&self, q: FillQuestion, cell: u32) -> i32 {
        let next = q.empty & !(1 << cell);
        64 * earned::<R>(last_left::<R>(q.empty), cell) - 64 * most_earned::<R>(next)
            + self.history[q.empty.count_ones() as usize][cell as usize] / 16
    }

    fn reward(&mut self, left: u32, cell: u32) {
        let row = &mut self.history[left as usize];
        row[cell as usize] += 8;
        if row[cell as usize] > 640 {
            row.iter_mut().for_each(|h| *h /= 2);
        }
    }

    fn expand(&mut self, q: FillQuestion, hint: u32) -> (bool, u32) {
        let mut open = q.empty;
        let mut switch_open = q.switches != 0;
        if hint != NONE {
            if !self.prove(Self::after(q, hint)) || self.stopped {
                return (true, hint);
            }
            if hint == SWITCH {
                switch_open = false;
            } else {
                open &= !(1 << hint);
            }
        }
        let mut list = [(0i32, 0u32); 64];
        let mut count = 0;
        for cell in SetBits(open) {
            list[count] = (-self.score(q, cell), cell);
            count += 1;
        }
        if switch_open {
            list[count] = (32 - 64 * switch_size::<R>(q.switches.ilog2()), SWITCH);
            count += 1;
        }
        let list = &mut list[..count];
        list.sort_unstable();
        let shared_work = self.shared.threads > 1 && q.empty.count_ones() >= SHARE_FROM;
        let (mut deferred, mut waiting) = ([0u32; 64], 0);
        for &(_, cell) in list.iter() {
            let next = Self::after(q, cell);
            let answer = if shared_work { self.prove_unless_claimed(next) } else { Some(self.prove(next)) };
            match answer {
                None => {
                    deferred[waiting] = cell;
                    waiting += 1;
                }
                Some(false) => return self.won_by(q, cell),
                Some(true) => {}
            }
            if self.stopped {
                return (false, NONE);
            }
        }
        for &cell in &deferred[..waiting] {
            if !self.prove(Self::after(q, cell)) {
                return self.won_by(q, cell);
            }
        }
        (false, NONE)
    }

    fn won_by(&mut self, q: FillQuestion, cell: u32) -> (bool, u32) {
        if cell != SWITCH {
            self.reward(q.empty.count_ones(), cell);
        }
        (true, cell)
    }

    /// Leaves a question alone that another thread is working on.
    fn prove_unless_claimed(&mut self, q: FillQuestion) -> Option<bool> {
        let mut reduced = q;
        Self::reduce(&mut reduced);
        let ticket = self.shared.claims.enter(Self::key(&reduced).hash())?;
        let wins = self.prove(q);
        self.shared.claims.release(ticket);
        Some(wins)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::adjacency::filling::values::Values;
    use crate::adjacency::reference::{SplitMix, random_board};
    use crate::adjacency::rule::{Eight, Four};
    use crate::adjacency::solver::session::{Board, shared_for};
    use crate::adjacency::solver::transposition::TranspositionTable;
    use crate::common::deadline::Deadline;

    fn check<R: Rule>(eight: bool) {
        let mut random = SplitMix::new(31);
        let stop = AtomicBool::new(false);
        let deadline = Deadline::until_stopped(&stop);
        for index in 0..120 {
            let plies = 4 + index % 11;
            let (own, opp) = random_board(&mut random, plies, eight);
            let board = Board { own, opp, plies };
            let value =
                Values::sweep::<R>(board.empty(), deadline, 1).expect("nothing stops the sweep").of(board.empty());
            let table = TranspositionTable::new(1);
            let shared = shared_for(board, &table, deadline, 1);
            let mut prover = FullBoardProver::<R>::new(&shared);
            for t in value - 2..=value + 2 {
                let q = FillQuestion { empty: board.empty(), switches: 0, t };
                assert_eq!(prover.answer(q).map(|proof| proof.wins), Some(value >= t), "{own:x} {opp:x} {t}");
            }
        }
    }

    #[test]
    fn proofs_agree_with_the_values_of_all_subsets() {
        check::<Four>(false);
        check::<Eight>(true);
    }
}
