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

/// Nodes between two looks at the clock and at what other threads have found.
const LOOK_EVERY: u64 = 0x800;

/// One thread's search.
pub(super) struct Prover<'a, R> {
    pub shared: &'a Shared<'a>,
    pub nodes: u64,
    pub stopped: bool,
    /// The node count at which to look up next.
    look_at: u64,
    /// The questions from the root down to here that other threads may answer too.
    line: Vec<Question>,
    /// Which question of the line another thread has answered: the search unwinds to it.
    overtaken: Option<usize>,
    history: Box<[[i32; 64]; 64]>,
    rule: PhantomData<R>,
}

/// What came of one move.
enum Attempt {
    /// The mover wins with it.
    Won(Proof, u32),
    /// The opponent has an answer.
    Failed,
    /// Another thread is working on it.
    Busy,
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
    /// The likely answer. It matters to threads only: they share the moves of a mover who will
    /// lose, since all of them must be refuted, and follow the best move of one who will win.
    pub expect: bool,
}

impl<'a, R: Rule> Prover<'a, R> {
    pub(super) fn new(shared: &'a Shared<'a>) -> Self {
        Self {
            shared,
            nodes: 0,
            stopped: false,
            look_at: 0,
            line: Vec::new(),
            overtaken: None,
            history: Box::new([[0; 64]; 64]),
            rule: PhantomData,
        }
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

    /// Looks now and then whether the search is to end, or a question of the line is answered.
    fn should_stop(&mut self) -> bool {
        if self.nodes >= self.look_at {
            let shared = self.shared;
            shared.nodes.fetch_add(LOOK_EVERY, Relaxed);
            self.look_at = self.nodes + LOOK_EVERY;
            let late = shared.deadline.is_some_and(|d| Instant::now() >= d);
            self.stopped |= late || shared.stop.load(Relaxed) || shared.finished.load(Relaxed);
            if !self.stopped {
                self.overtaken = (0..self.line.len()).find(|&i| self.known(self.line[i]).is_some());
                self.stopped = self.overtaken.is_some();
            }
        }
        self.stopped
    }

    /// The table's answer to a question, if it has one.
    fn known(&self, q: Question) -> Option<Proof> {
        let entry = self.probe(q.own, q.opp, q.plies)?;
        answer_of(&entry, q.t)
    }

    /// Answers a question from the root; nothing if stopped.
    pub(super) fn answer(&mut self, q: Question, twins: &Twins) -> Option<Proof> {
        self.stopped = false;
        self.overtaken = None;
        self.line.clear();
        let proof = self.prove(q, twins, [0, 0]);
        (!self.stopped).then_some(proof)
    }

    /// Answers the question. If the search is stopped, `self.stopped` is set and the answer means
    /// nothing.
    pub(super) fn prove(&mut self, q: Question, twins: &Twins, anyway: [u64; 2]) -> Proof {
        self.nodes += 1;
        let Question { own, opp, plies, t, .. } = q;
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
            if let Some(proof) = answer_of(&entry, t) {
                return proof;
            }
        }
        let symmetric = self.shared.symmetric;
        let key_of = |own, opp, plies| Self::key(symmetric, own, opp, plies);
        if let Some(proof) = twins.probe(self.shared, q, key_of, reflect, &mut hint) {
            self.store(q, proof, NONE);
            return proof;
        }
        if plies >= 7
            && let Some((proof, mv)) = self.child_cut(q)
        {
            self.store(q, proof, mv);
            return proof;
        }
        if self.shared.threads > 1 && plies >= SHARE_FROM {
            return self.expand_shared(q, twins, anyway, hint);
        }
        let (proof, mv) = self.expand(q, twins, anyway, hint);
        if !self.stopped {
            self.store(q, proof, mv);
        }
        proof
    }

    /// As [`Self::expand`], and gives up as soon as another thread has the answer.
    fn expand_shared(&mut self, q: Question, twins: &Twins, anyway: [u64; 2], hint: u32) -> Proof {
        let place = self.line.len();
        self.line.push(q);
        let proof = loop {
            let (proof, mv) = self.expand(q, twins, anyway, hint);
            if !self.stopped {
                self.store(q, proof, mv);
                break proof;
            }
            if self.overtaken != Some(place) {
                break proof;
            }
            self.overtaken = None;
            self.stopped = false;
            // The entry may have been replaced since; then there is nothing for it but to go on.
            if let Some(known) = self.known(q) {
                break known;
            }
        };
        self.line.truncate(place);
        proof
    }

    /// A child that the table already knows to be lost for the opponent.
    fn child_cut(&self, q: Question) -> Option<(Proof, u32)> {
        let empty = !(q.own | q.opp);
        // All buckets are asked for before the first is read, so that the waits overlap.
        let mut children = [(Key::default(), false); 64];
        for (child, cell) in children.iter_mut().zip(Cells(empty)) {
            let next = Self::after(q, cell);
            *child = Self::key(self.shared.symmetric, next.own, next.opp, next.plies);
            self.shared.table.prefetch(child.0);
        }
        for (&(key, mirrored), cell) in children.iter().zip(Cells(empty)) {
            let Some(entry) = self.shared.table.probe(key).filter(|e| e.limit >= self.shared.limit) else { continue };
            if !entry.wins && entry.bound <= Self::after(q, cell).t {
                let needed = if mirrored { reflect(entry.needed) } else { entry.needed };
                return Some((Proof::won(needed | 1 << cell), cell));
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
            expect: !q.expect,
        }
    }

    #[inline(always)]
    fn after_virtual(q: Question, flipped: u64) -> Question {
        Question {
            own: q.opp & !flipped,
            opp: q.own | flipped,
            plies: q.plies - 1,
            t: 3 + 2 * flipped.count_ones() as i32 - q.t,
            expect: !q.expect,
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
        let share = self.shared.threads > 1 && q.plies >= SHARE_FROM && !q.expect;
        let mut needed = 0u64;
        let mut open = !(q.own | q.opp);
        let mut cover = Cover { flips: 0, refuted: false, plan: 0 };

        // Step 2: the remembered move or the best capture.
        let first = if hint != NONE && open >> hint & 1 == 1 { hint } else { self.best_capture(q) };
        let mut first_is_busy = false;
        if first != NONE {
            open &= !(1 << first);
            cover.flips = R::neighbours(first) & q.opp;
            match self.attempt(q, twins, anyway, cover, first, share, &mut needed) {
                Attempt::Won(proof, cell) => return (proof, cell),
                Attempt::Failed => {}
                Attempt::Busy => first_is_busy = true,
            }
        }

        // Step 3: the virtual moves. While another thread is at them, the moves that they will
        // certainly not stand for.
        if self.shared.virtual_moves && !self.stopped {
            let ticket = if share { self.claim(Self::after_virtual(q, cover.flips)) } else { None };
            if share && ticket.is_none() {
                let loose = R::spread(q.opp & !cover.flips) & open;
                for cell in self.sorted(q, loose, 0) {
                    match self.attempt(q, twins, anyway, cover, cell, true, &mut needed) {
                        Attempt::Won(proof, cell) => return (proof, cell),
                        Attempt::Failed => open &= !(1 << cell),
                        Attempt::Busy => {}
                    }
                }
            }
            cover = self.try_virtual(q, twins, anyway, cover.flips, &mut needed, &mut open);
            if let Some(ticket) = ticket {
                self.shared.busy.leave(ticket);
            }
        }
        if first_is_busy
            && let Attempt::Won(proof, cell) = self.attempt(q, twins, anyway, cover, first, false, &mut needed)
        {
            return (proof, cell);
        }

        // Step 4: what the virtual move does not cover; first what no other thread is at.
        let mut waiting = 0u64;
        let mut cells = self.sorted(q, open, cover.plan).peekable();
        while let Some(cell) = cells.next() {
            if let Some(&next) = cells.peek() {
                self.prefetch(q, twins, next);
            }
            match self.attempt(q, twins, anyway, cover, cell, share, &mut needed) {
                Attempt::Won(proof, cell) => return (proof, cell),
                Attempt::Failed => {}
                Attempt::Busy => waiting |= 1 << cell,
            }
        }
        for cell in Cells(waiting) {
            if let Attempt::Won(proof, cell) = self.attempt(q, twins, anyway, cover, cell, false, &mut needed) {
                return (proof, cell);
            }
        }
        (Proof::lost(needed), first)
    }

    /// Cells of a set, the most promising first; those of `plan` get a bonus.
    fn sorted(&self, q: Question, set: u64, plan: u64) -> impl Iterator<Item = u32> + use<R> {
        let mut list = [(0i32, 0u32); 64];
        let mut count = 0;
        for cell in Cells(set) {
            list[count] = (-self.score(q, cell) - (plan >> cell & 1) as i32 * 30, cell);
            count += 1;
        }
        list[..count].sort_unstable();
        list.into_iter().take(count).map(|(_, cell)| cell)
    }

    /// Asks for the table's buckets of a move that will be tried soon.
    #[inline(always)]
    fn prefetch(&self, q: Question, twins: &Twins, cell: u32) {
        if q.plies > 4 {
            let Question { own, opp, plies, .. } = Self::after(q, cell);
            let fetch = |own, opp| self.shared.table.prefetch(Self::key(self.shared.symmetric, own, opp, plies).0);
            fetch(own, opp);
            twins.boards_after::<R>(cell).for_each(|(own, opp)| fetch(own, opp));
        }
    }

    /// Claims a question for this thread; nothing if another thread is working on it.
    fn claim(&self, q: Question) -> Option<u64> {
        self.shared.busy.enter(Self::key(self.shared.symmetric, q.own, q.opp, q.plies).0.hash())
    }

    /// Tries a real move. With `share` it is left alone if another thread is at it. If the search
    /// is stopped, the outcome means nothing.
    #[expect(clippy::too_many_arguments, reason = "the state of one expansion")]
    fn attempt(
        &mut self,
        q: Question,
        twins: &Twins,
        anyway: [u64; 2],
        cover: Cover,
        cell: u32,
        share: bool,
        needed: &mut u64,
    ) -> Attempt {
        if self.stopped {
            return Attempt::Failed;
        }
        let ticket = if share { self.claim(Self::after(q, cell)) } else { None };
        if share && ticket.is_none() {
            return Attempt::Busy;
        }
        let reply = self.try_real(q, twins, [anyway[0], anyway[1] | *needed], cover, cell);
        if let Some(ticket) = ticket {
            self.shared.busy.leave(ticket);
        }
        if !reply.wins && !self.stopped {
            return Attempt::Won(Proof::won(reply.needed | 1 << cell), cell);
        }
        *needed |= reply.needed;
        Attempt::Failed
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

/// What a remembered proof says to the question whether the mover gains at least `t`.
fn answer_of(entry: &Entry, t: i32) -> Option<Proof> {
    let proof = Proof { wins: entry.wins, needed: entry.needed };
    let tells = if entry.wins { entry.bound >= t } else { entry.bound <= t };
    tells.then_some(proof)
}
