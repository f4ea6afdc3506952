//! The proof search: "does the mover gain at least `t` in the plies left?"
//!
//! A cell ends with the colour of the last player to move in its closed neighbourhood. Hence more
//! own marks never hurt, and an extra mark of the loser costs the winner at most one point unless
//! he needs that cell. So a **virtual move**, which flips a set F, counts one point and fills no
//! cell, stands for all moves outside Z whose flips lie within F, where Z are the cells that its
//! refutation needed.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::busy::Busy;
use super::leaves::{Proof, prove_1, prove_2};
use super::symmetry::reflect;
use super::table::{Entry, Key, Table};
use super::three::prove_3;
use super::twins::Twins;
use crate::adjacency::rule::{Cells, Levels, Rule};

/// No move.
pub(super) const NONE: u32 = 64;

/// What all threads of one search share.
pub(super) struct Shared<'a> {
    pub table: &'a Table,
    pub stop: &'a AtomicBool,
    pub deadline: Option<Instant>,
    pub nodes: AtomicU64,
    /// See [`super::leaves`].
    pub limit: u32,
    /// The board of the question is its own reflection.
    pub symmetric: bool,
    /// Whether virtual moves are worth their while: not on a filling board.
    pub virtual_moves: bool,
    pub threads: usize,
    pub busy: Busy,
    /// Some thread has answered the question.
    pub finished: AtomicBool,
}

/// Below this many plies threads do not share the work of a position.
const SHARE_FROM: u32 = 7;

/// One thread's search.
pub(super) struct Prover<'a, R> {
    pub shared: &'a Shared<'a>,
    pub nodes: u64,
    pub stopped: bool,
    history: Box<[[i32; 64]; 64]>,
    rule: PhantomData<R>,
}

/// What the virtual moves of a position have shown.
#[derive(Clone, Copy)]
struct Cover {
    /// The flips of the last virtual move.
    flips: u64,
    /// Whether the opponent refuted it.
    refuted: bool,
    /// Cells that the mover needed in virtual lines that he won: good real moves.
    plan: u64,
}

/// A position and the question about it.
#[derive(Clone, Copy)]
pub(super) struct Question {
    pub own: u64,
    pub opp: u64,
    pub plies: u32,
    pub t: i32,
}

impl<'a, R: Rule> Prover<'a, R> {
    pub(super) fn new(shared: &'a Shared<'a>) -> Self {
        Self { shared, nodes: 0, stopped: false, history: Box::new([[0; 64]; 64]), rule: PhantomData }
    }

    /// The table key of a position; the flag says that it was reflected.
    fn key(symmetric: bool, own: u64, opp: u64, plies: u32) -> (Key, bool) {
        let empty = !(own | opp);
        let exposed = own & R::spread(empty);
        if symmetric && plies >= 8 {
            let (e, x) = (reflect(empty), reflect(exposed));
            if (e, x) < (empty, exposed) {
                return (Key { empty: e, exposed: x, plies }, true);
            }
        }
        (Key { empty, exposed, plies }, false)
    }

    /// What the table knows of a position.
    pub(super) fn probe(&self, own: u64, opp: u64, plies: u32) -> Option<Entry> {
        let (key, mirrored) = Self::key(self.shared.symmetric, own, opp, plies);
        let mut entry = self.shared.table.probe(key).filter(|e| e.limit >= self.shared.limit)?;
        if mirrored {
            entry.needed = reflect(entry.needed);
            if entry.mv != NONE {
                entry.mv = reflect(1 << entry.mv).trailing_zeros();
            }
        }
        Some(entry)
    }

    fn store(&mut self, q: Question, proof: Proof, mv: u32) {
        let (key, mirrored) = Self::key(self.shared.symmetric, q.own, q.opp, q.plies);
        let mut entry = Entry { bound: q.t, wins: proof.wins, needed: proof.needed, mv, limit: self.shared.limit };
        if mirrored {
            entry.needed = reflect(entry.needed);
            if mv != NONE {
                entry.mv = reflect(1 << mv).trailing_zeros();
            }
        }
        self.shared.table.store(key, entry);
    }

    fn should_stop(&mut self) -> bool {
        if self.nodes & 0xfff == 0 {
            let late = self.shared.deadline.is_some_and(|d| Instant::now() >= d);
            let shared = self.shared;
            self.stopped |= late || shared.stop.load(Relaxed) || shared.finished.load(Relaxed);
            shared.nodes.fetch_add(0x1000, Relaxed);
        }
        self.stopped
    }

    /// Answers a question from the root; nothing if stopped.
    pub(super) fn answer(&mut self, q: Question, twins: &Twins) -> Option<Proof> {
        self.stopped = false;
        let proof = self.prove(q, twins, [0, 0]);
        (!self.stopped).then_some(proof)
    }

    /// Answers the question. If the search is stopped, `self.stopped` is set and the answer means
    /// nothing.
    pub(super) fn prove(&mut self, q: Question, twins: &Twins, anyway: [u64; 2]) -> Proof {
        self.nodes += 1;
        let Question { own, opp, plies, t } = q;
        let limit = self.shared.limit;
        match plies {
            1 => return prove_1::<R>(own, opp, t, anyway[0], limit),
            2 => return prove_2::<R>(own, opp, t, anyway[0], limit),
            3 => return prove_3::<R>(own, opp, t, anyway, limit),
            _ => {}
        }
        if self.should_stop() {
            return Proof::lost(0);
        }

        // Step 1: the table, for the position and for its twins.
        let mut hint = NONE;
        if let Some(entry) = self.probe(own, opp, plies) {
            hint = entry.mv;
            if entry.wins && entry.bound >= t {
                return Proof::won(entry.needed);
            }
            if !entry.wins && entry.bound <= t {
                return Proof::lost(entry.needed);
            }
        }
        let symmetric = self.shared.symmetric;
        let key_of = |own, opp, plies| Self::key(symmetric, own, opp, plies);
        if let Some(proof) = twins.probe::<R>(self.shared, own, opp, plies, t, key_of, reflect, &mut hint) {
            self.store(q, proof, NONE);
            return proof;
        }
        if plies >= 7 {
            if let Some((proof, mv)) = self.child_cut(q) {
                self.store(q, proof, mv);
                return proof;
            }
        }
        let (proof, mv) = self.expand(q, twins, anyway, hint);
        if !self.stopped {
            self.store(q, proof, mv);
        }
        proof
    }

    /// A child that the table already knows to be lost for the opponent.
    fn child_cut(&self, q: Question) -> Option<(Proof, u32)> {
        for cell in Cells(!(q.own | q.opp)) {
            let next = Self::after(q, cell);
            if let Some(entry) = self.probe(next.own, next.opp, next.plies) {
                if !entry.wins && entry.bound <= next.t {
                    return Some((Proof::won(entry.needed | 1 << cell), cell));
                }
            }
        }
        None
    }

    /// The question to the opponent after a move: if he can answer yes, the move has failed.
    #[inline(always)]
    fn after(q: Question, cell: u32) -> Question {
        let flipped = R::neighbours(cell) & q.opp;
        Question {
            own: q.opp & !flipped,
            opp: q.own | 1 << cell | flipped,
            plies: q.plies - 1,
            t: 3 + 2 * flipped.count_ones() as i32 - q.t,
        }
    }

    #[inline(always)]
    fn after_virtual(q: Question, flipped: u64) -> Question {
        Question {
            own: q.opp & !flipped,
            opp: q.own | flipped,
            plies: q.plies - 1,
            t: 3 + 2 * flipped.count_ones() as i32 - q.t,
        }
    }

    fn score(&self, q: Question, cell: u32) -> i32 {
        let bit = 1u64 << cell;
        let near = R::neighbours(cell);
        let flipped = near & q.opp;
        let empty = !(q.own | q.opp) & !bit;
        let replies = R::levels(q.own | bit | flipped);
        let mut best = 0;
        while best < R::MAX && empty & replies.at_least(best + 1) != 0 {
            best += 1;
        }
        40 * flipped.count_ones() as i32 - 30 * best - 4 * (near & empty).count_ones() as i32
            + self.history[q.plies as usize][cell as usize] / 4
    }

    fn reward(&mut self, plies: u32, cell: u32) {
        let row = &mut self.history[plies as usize];
        row[cell as usize] += 8;
        if row[cell as usize] > 640 {
            row.iter_mut().for_each(|h| *h /= 2);
        }
    }

    fn best_capture(&self, q: Question) -> u32 {
        let captures = !(q.own | q.opp) & R::spread(q.opp);
        Cells(captures).max_by_key(|&c| self.score(q, c)).unwrap_or(NONE)
    }

    fn expand(&mut self, q: Question, twins: &Twins, anyway: [u64; 2], hint: u32) -> (Proof, u32) {
        let mut needed = 0u64;
        let mut open = !(q.own | q.opp);

        // Step 2: the remembered move or the best capture.
        let first = if hint != NONE && open >> hint & 1 == 1 { hint } else { self.best_capture(q) };
        if first != NONE {
            let reply = self.prove(Self::after(q, first), &twins.after_move::<R>(first), [anyway[1], anyway[0]]);
            if self.stopped {
                return (reply, NONE);
            }
            if !reply.wins {
                self.reward(q.plies, first);
                return (Proof::won(reply.needed | 1 << first), first);
            }
            needed |= reply.needed;
            open &= !(1 << first);
        }

        // Step 3: the virtual moves.
        let mut cover = Cover { flips: 0, refuted: false, plan: 0 };
        if self.shared.virtual_moves {
            let flips = if first == NONE { 0 } else { R::neighbours(first) & q.opp };
            cover = self.try_virtual(q, twins, anyway, flips, &mut needed, &mut open);
            if self.stopped {
                return (Proof::lost(0), NONE);
            }
        }

        // Step 4: what the virtual move does not cover.
        let mut list = [(0i32, 0u32); 64];
        let mut count = 0;
        for cell in Cells(open) {
            list[count] = (-self.score(q, cell) - (cover.plan >> cell & 1) as i32 * 30, cell);
            count += 1;
        }
        let list = &mut list[..count];
        list.sort_unstable();
        let share = self.shared.threads > 1 && q.plies >= SHARE_FROM;
        let (mut deferred, mut waiting) = ([0u32; 64], 0);
        for &(_, cell) in list.iter() {
            let next = Self::after(q, cell);
            let ticket = if share {
                let key = Self::key(self.shared.symmetric, next.own, next.opp, next.plies).0;
                let Some(ticket) = self.shared.busy.enter(key.hash()) else {
                    deferred[waiting] = cell;
                    waiting += 1;
                    continue;
                };
                Some(ticket)
            } else {
                None
            };
            let reply = self.try_real(q, twins, [anyway[0], anyway[1] | needed], cover, cell);
            if let Some(ticket) = ticket {
                self.shared.busy.leave(ticket);
            }
            if self.stopped || !reply.wins {
                return (Proof::won(reply.needed | 1 << cell), cell);
            }
            needed |= reply.needed;
        }
        for &cell in &deferred[..waiting] {
            let reply = self.try_real(q, twins, [anyway[0], anyway[1] | needed], cover, cell);
            if self.stopped || !reply.wins {
                return (Proof::won(reply.needed | 1 << cell), cell);
            }
            needed |= reply.needed;
        }
        (Proof::lost(needed), first)
    }

    /// The opponent's answer to a real move.
    fn try_real(&mut self, q: Question, twins: &Twins, anyway: [u64; 2], cover: Cover, cell: u32) -> Proof {
        let mut next_twins = twins.after_move::<R>(cell);
        if cover.refuted && R::neighbours(cell) & q.opp & !cover.flips == 0 {
            let board = Self::after_virtual(q, cover.flips);
            next_twins.push(board.own, board.opp, cell);
        }
        let reply = self.prove(Self::after(q, cell), &next_twins, [anyway[1], anyway[0]]);
        if !reply.wins && !self.stopped {
            self.reward(q.plies, cell);
        }
        reply
    }

    /// Tries the virtual move that flips `flips`, else the virtual pass. If one is refuted, the
    /// moves that it stands for are no longer `open`.
    fn try_virtual(
        &mut self,
        q: Question,
        twins: &Twins,
        anyway: [u64; 2],
        flips: u64,
        needed: &mut u64,
        open: &mut u64,
    ) -> Cover {
        let mut cover = Cover { flips, refuted: false, plan: 0 };
        loop {
            let loose = R::spread(q.opp & !cover.flips) & *open;
            let reply = self.prove(
                Self::after_virtual(q, cover.flips),
                &twins.after_virtual(cover.flips),
                [anyway[1] | *needed | loose, anyway[0]],
            );
            if self.stopped {
                return cover;
            }
            if reply.wins {
                cover.refuted = true;
                *needed |= reply.needed;
                *open &= reply.needed | loose;
                return cover;
            }
            cover.plan |= reply.needed;
            if cover.flips == 0 {
                return cover;
            }
            cover.flips = 0;
        }
    }
}
