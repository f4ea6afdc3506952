//! One position of the proof search: its moves, real and virtual, and how threads share them.

use super::leaves::Proof;
use super::prover::{NONE, Prover, Question, SHARE_FROM};
use super::virtual_lines::VirtualLines;
use crate::adjacency::rule::{Levels, Rule};
use crate::common::bits::SetBits;

/// What came of one move.
enum Attempt {
    /// The mover wins with it.
    Won(Proof, u32),
    /// The opponent has an answer.
    Failed,
    /// Another thread is working on it.
    Claimed,
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

/// A question while its moves are tried.
struct Expansion<'a> {
    q: Question,
    lines: &'a VirtualLines,
    anyway: [u64; 2],
    cover: Cover,
    /// Cells that the opponent needed so far.
    needed: u64,
    /// Moves that are not refuted yet.
    open: u64,
}

impl<R: Rule> Prover<'_, R> {
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
        SetBits(captures).max_by_key(|&c| self.score(q, c)).unwrap_or(NONE)
    }

    /// Looks for a winning move: the answer, and the move that won or looked best.
    pub(super) fn expand(&mut self, q: Question, lines: &VirtualLines, anyway: [u64; 2], hint: u32) -> (Proof, u32) {
        let share = self.shared.threads > 1 && q.plies >= SHARE_FROM && !q.expect;
        let cover = Cover { flips: 0, refuted: false, plan: 0 };
        let mut x = Expansion { q, lines, anyway, cover, needed: 0, open: !(q.own | q.opp) };

        // Step 2: the remembered move or the best capture.
        let first = if hint != NONE && x.open >> hint & 1 == 1 { hint } else { self.best_capture(q) };
        let mut first_is_claimed = false;
        if first != NONE {
            x.open &= !(1 << first);
            x.cover.flips = R::neighbours(first) & q.opp;
            match self.attempt(&mut x, first, share) {
                Attempt::Won(proof, cell) => return (proof, cell),
                Attempt::Failed => {}
                Attempt::Claimed => first_is_claimed = true,
            }
        }

        // Step 3: the virtual moves. While another thread is at them, the moves that they will
        // certainly not stand for.
        if self.shared.virtual_moves && !self.stopped {
            let ticket = if share { self.claim(Self::after_virtual(q, x.cover.flips)) } else { None };
            if share && ticket.is_none() {
                for cell in self.sorted(q, R::spread(q.opp & !x.cover.flips) & x.open, 0) {
                    match self.attempt(&mut x, cell, true) {
                        Attempt::Won(proof, cell) => return (proof, cell),
                        Attempt::Failed => x.open &= !(1 << cell),
                        Attempt::Claimed => {}
                    }
                }
            }
            self.try_virtual(&mut x);
            if let Some(ticket) = ticket {
                self.shared.claims.release(ticket);
            }
        }
        if first_is_claimed && let Attempt::Won(proof, cell) = self.attempt(&mut x, first, false) {
            return (proof, cell);
        }

        // Step 4: what the virtual move does not cover; first what no other thread is at.
        let mut waiting = 0u64;
        let mut cells = self.sorted(q, x.open, x.cover.plan).peekable();
        while let Some(cell) = cells.next() {
            if let Some(&next) = cells.peek() {
                self.prefetch(q, lines, next);
            }
            match self.attempt(&mut x, cell, share) {
                Attempt::Won(proof, cell) => return (proof, cell),
                Attempt::Failed => {}
                Attempt::Claimed => waiting |= 1 << cell,
            }
        }
        for cell in SetBits(waiting) {
            if let Attempt::Won(proof, cell) = self.attempt(&mut x, cell, false) {
                return (proof, cell);
            }
        }
        (Proof::lost(x.needed), first)
    }

    /// Cells of a set, the most promising first; those of `plan` get a bonus.
    fn sorted(&self, q: Question, set: u64, plan: u64) -> impl Iterator<Item = u32> + use<R> {
        let mut list = [(0i32, 0u32); 64];
        let mut count = 0;
        for cell in SetBits(set) {
            list[count] = (-self.score(q, cell) - (plan >> cell & 1) as i32 * 30, cell);
            count += 1;
        }
        list[..count].sort_unstable();
        list.into_iter().take(count).map(|(_, cell)| cell)
    }

    /// Asks for the table's buckets of a move that will be tried soon.
    #[inline(always)]
    fn prefetch(&self, q: Question, lines: &VirtualLines, cell: u32) {
        if q.plies > 4 {
            let Question { own, opp, plies, .. } = Self::after(q, cell);
            let fetch = |own, opp| self.shared.table.prefetch(Self::key(self.shared.symmetric, own, opp, plies).0);
            fetch(own, opp);
            lines.boards_after::<R>(cell).for_each(|(own, opp)| fetch(own, opp));
        }
    }

    /// Claims a question for this thread; nothing if another thread is working on it.
    fn claim(&self, q: Question) -> Option<u64> {
        self.shared.claims.enter(Self::key(self.shared.symmetric, q.own, q.opp, q.plies).0.hash())
    }

    /// Tries a real move. With `share` it is left alone if another thread is at it. If the search
    /// is stopped, the outcome means nothing.
    fn attempt(&mut self, x: &mut Expansion<'_>, cell: u32, share: bool) -> Attempt {
        if self.stopped {
            return Attempt::Failed;
        }
        let ticket = if share { self.claim(Self::after(x.q, cell)) } else { None };
        if share && ticket.is_none() {
            return Attempt::Claimed;
        }
        let reply = self.try_real(x, cell);
        if let Some(ticket) = ticket {
            self.shared.claims.release(ticket);
        }
        if !reply.wins && !self.stopped {
            return Attempt::Won(Proof::won(reply.needed | 1 << cell), cell);
        }
        x.needed |= reply.needed;
        Attempt::Failed
    }

    /// The opponent's answer to a real move.
    fn try_real(&mut self, x: &Expansion<'_>, cell: u32) -> Proof {
        let mut lines = x.lines.after_move::<R>(cell);
        if x.cover.refuted && R::neighbours(cell) & x.q.opp & !x.cover.flips == 0 {
            let board = Self::after_virtual(x.q, x.cover.flips);
            lines.push(board.own, board.opp, cell);
        }
        let reply = self.prove(Self::after(x.q, cell), &lines, [x.anyway[1] | x.needed, x.anyway[0]]);
        if !reply.wins && !self.stopped {
            self.reward(x.q.plies, cell);
        }
        reply
    }

    /// Tries the virtual move that flips what the cover says, else the virtual pass. If one is refuted, the
    /// moves that it stands for are no longer open.
    fn try_virtual(&mut self, x: &mut Expansion<'_>) {
        loop {
            let flips = x.cover.flips;
            let loose = R::spread(x.q.opp & !flips) & x.open;
            let anyway = [x.anyway[1] | x.needed | loose, x.anyway[0]];
            let reply = self.prove(Self::after_virtual(x.q, flips), &x.lines.after_virtual(flips), anyway);
            if self.stopped {
                return;
            }
            if reply.wins {
                x.cover.refuted = true;
                x.needed |= reply.needed;
                x.open &= reply.needed | loose;
                return;
            }
            x.cover.plan |= reply.needed;
            if flips == 0 {
                return;
            }
            x.cover.flips = 0;
        }
    }
}
