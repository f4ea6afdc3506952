//! The proof search: "does the mover gain at least `t` in the plies left?"
//!
//! A cell ends with the colour of the last player to move in its closed neighbourhood. Hence more
//! own marks never hurt, and an extra mark of the loser costs the winner at most one point unless
//! he needs that cell. So a **virtual move**, which flips a set F, counts one point and fills no
//! cell, stands for all moves outside Z whose flips lie within F, where Z are the cells that its
//! refutation needed.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::leaves::{Proof, prove_1, prove_2};
use super::symmetry::reflect;
use super::three::prove_3;
use super::transposition::{Entry, Key, TranspositionTable};
use super::virtual_lines::VirtualLines;
use crate::adjacency::rule::Rule;
use crate::common::bits::SetBits;
use crate::common::claims::Claims;
use crate::common::deadline::Deadline;

/// No move.
pub(super) const NONE: u32 = 64;

/// What all threads of one search share.
pub(super) struct Shared<'a> {
    pub table: &'a TranspositionTable,
    pub deadline: Deadline<'a>,
    pub nodes: AtomicU64,
    /// See [`super::leaves`].
    pub limit: u32,
    /// The board of the question is its own reflection.
    pub symmetric: bool,
    /// Whether virtual moves pay: not on a filling board.
    pub virtual_moves: bool,
    pub threads: usize,
    pub claims: Claims,
    /// Some thread has answered the question.
    pub finished: AtomicBool,
}

impl Shared<'_> {
    /// Tells of [`CHECK_EVERY`] nodes of a thread; true if the search is to end.
    pub(super) fn check(&self) -> bool {
        self.nodes.fetch_add(CHECK_EVERY, Relaxed);
        self.deadline.progress.add_nodes(CHECK_EVERY);
        self.deadline.is_over() || self.finished.load(Relaxed)
    }
}

/// Below this many plies threads do not share the work of a position.
pub(super) const SHARE_FROM: u32 = 7;

/// Nodes between two looks at the clock and at what other threads have found.
pub(super) const CHECK_EVERY: u64 = 0x400;

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
    /// How often a cell has won, by plies left.
    pub history: Box<[[i32; 64]; 64]>,
    rule: PhantomData<R>,
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
    pub(super) fn key(symmetric: bool, own: u64, opp: u64, plies: u32) -> (Key, bool) {
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
            self.look_at = self.nodes + CHECK_EVERY;
            self.stopped |= self.shared.check();
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
    pub(super) fn answer(&mut self, q: Question, lines: &VirtualLines) -> Option<Proof> {
        self.stopped = false;
        self.overtaken = None;
        self.line.clear();
        let proof = self.prove(q, lines, [0, 0]);
        (!self.stopped).then_some(proof)
    }

    /// Answers the question. If the search is stopped, `self.stopped` is set and the answer means
    /// nothing.
    pub(super) fn prove(&mut self, q: Question, lines: &VirtualLines, anyway: [u64; 2]) -> Proof {
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

        // Step 1: the table, for the position and for its virtual counterparts.
        let mut hint = NONE;
        if let Some(entry) = self.probe(own, opp, plies) {
            hint = entry.mv;
            if let Some(proof) = answer_of(&entry, t) {
                return proof;
            }
        }
        let symmetric = self.shared.symmetric;
        let key_of = |own, opp, plies| Self::key(symmetric, own, opp, plies);
        if let Some(proof) = lines.probe(self.shared, q, key_of, reflect, &mut hint) {
            self.store(q, proof, NONE);
            return proof;
        }
        if plies >= 7
            && let Some((proof, mv)) = self.enhanced_transposition_cutoff(q)
        {
            self.store(q, proof, mv);
            return proof;
        }
        if self.shared.threads > 1 && plies >= SHARE_FROM {
            return self.expand_shared(q, lines, anyway, hint);
        }
        let (proof, mv) = self.expand(q, lines, anyway, hint);
        if !self.stopped {
            self.store(q, proof, mv);
        }
        proof
    }

    /// As [`Self::expand`], and gives up as soon as another thread has the answer.
    fn expand_shared(&mut self, q: Question, lines: &VirtualLines, anyway: [u64; 2], hint: u32) -> Proof {
        let place = self.line.len();
        self.line.push(q);
        let proof = loop {
            let (proof, mv) = self.expand(q, lines, anyway, hint);
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

    /// A child that the table already knows to be lost for the opponent (enhanced transposition cut-off: Schaeffer and
    /// Plaat 1996).
    fn enhanced_transposition_cutoff(&self, q: Question) -> Option<(Proof, u32)> {
        let empty = !(q.own | q.opp);
        // All buckets are asked for before the first is read, so that the waits overlap.
        let mut children = [(Key::default(), false); 64];
        for (child, cell) in children.iter_mut().zip(SetBits(empty)) {
            let next = Self::after(q, cell);
            *child = Self::key(self.shared.symmetric, next.own, next.opp, next.plies);
            self.shared.table.prefetch(child.0);
        }
        for (&(key, mirrored), cell) in children.iter().zip(SetBits(empty)) {
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
    pub(super) fn after(q: Question, cell: u32) -> Question {
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
    pub(super) fn after_virtual(q: Question, flipped: u64) -> Question {
        Question {
            own: q.opp & !flipped,
            opp: q.own | flipped,
            plies: q.plies - 1,
            t: 3 + 2 * flipped.count_ones() as i32 - q.t,
            expect: !q.expect,
        }
    }
}

/// What a remembered proof says to the question whether the mover gains at least `t`.
fn answer_of(entry: &Entry, t: i32) -> Option<Proof> {
    let proof = Proof { wins: entry.wins, needed: entry.needed };
    let tells = if entry.wins { entry.bound >= t } else { entry.bound <= t };
    tells.then_some(proof)
}
