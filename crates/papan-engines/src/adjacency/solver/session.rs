//! One solving session: the threads, and the questions that are put to them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use super::full_board::{FillQuestion, FullBoardProver};
use super::leaves::Proof;
use super::prover::{Prover, Question, Shared};
use super::symmetry::reflect;
use super::transposition::TranspositionTable;
use super::virtual_lines::VirtualLines;
use crate::adjacency::filling::earnings::settled_margin;
use crate::adjacency::rule::Rule;
use crate::common::claims::Claims;
use crate::common::deadline::Deadline;

/// Positions that may be claimed at a time.
const CLAIM_SLOTS: usize = 1 << 12;

/// Questions with fewer plies than this are left to one thread.
const THREADS_FROM: u32 = 9;

/// How often the waiting thread looks after the clock and reports progress.
pub(super) const TICK: Duration = Duration::from_millis(20);

/// Called now and then with the nodes so far.
pub(super) type Tick<'t> = &'t mut dyn FnMut(u64);

/// A board and the plies left, from the chair of the side to move.
#[derive(Clone, Copy)]
pub(super) struct Board {
    pub own: u64,
    pub opp: u64,
    pub plies: u32,
}

impl Board {
    pub(super) fn empty(&self) -> u64 {
        !(self.own | self.opp)
    }

    pub(super) fn margin(&self) -> i32 {
        self.own.count_ones() as i32 - self.opp.count_ones() as i32
    }

    /// The board after a move, from the other chair, and what the move gained.
    pub(super) fn after<R: Rule>(&self, cell: u32) -> (Self, i32) {
        let flipped = R::neighbours(cell) & self.opp;
        let next = Self { own: self.opp & !flipped, opp: self.own | 1 << cell | flipped, plies: self.plies - 1 };
        (next, 1 + 2 * flipped.count_ones() as i32)
    }
}

/// Whether virtual moves pay: measured, they do while many cells stay empty to the end.
fn virtual_moves_pay(board: Board) -> bool {
    let spare = board.empty().count_ones() - board.plies;
    spare * 2 >= board.plies
}

/// The workers of one session.
pub(super) struct Session<'a, R> {
    shared: &'a Shared<'a>,
    provers: Vec<Prover<'a, R>>,
    full_board_provers: Vec<FullBoardProver<'a, R>>,
    filling: bool,
}

/// What the threads of a session share for this board.
pub(super) fn shared_for<'a>(
    board: Board,
    table: &'a TranspositionTable,
    deadline: Deadline<'a>,
    threads: usize,
) -> Shared<'a> {
    Shared {
        table,
        deadline,
        nodes: AtomicU64::new(0),
        // More than the moves that either side has, so that a last reply is always left.
        limit: board.plies / 2 + 1,
        symmetric: reflect(board.own) == board.own && reflect(board.opp) == board.opp,
        virtual_moves: virtual_moves_pay(board),
        threads,
        claims: Claims::new(CLAIM_SLOTS),
        finished: AtomicBool::new(false),
    }
}

impl<'a, R: Rule> Session<'a, R> {
    pub(super) fn new(shared: &'a Shared<'a>, board: Board) -> Self {
        let filling = board.empty().count_ones() == board.plies;
        let threads = shared.threads;
        Self {
            shared,
            provers: (0..if filling { 0 } else { threads }).map(|_| Prover::new(shared)).collect(),
            full_board_provers: (0..if filling { threads } else { 0 }).map(|_| FullBoardProver::new(shared)).collect(),
            filling,
        }
    }

    /// Nodes so far, of all threads.
    pub(super) fn nodes(&self) -> u64 {
        self.provers.iter().map(|p| p.nodes).chain(self.full_board_provers.iter().map(|f| f.nodes)).sum()
    }

    /// Whether the mover gains at least `t`; nothing if stopped first. `tick` is called now and
    /// then with the nodes of all threads.
    pub(super) fn ask(&mut self, board: Board, t: i32, expect: bool, tick: Tick<'_>) -> Option<bool> {
        self.prove(board, t, expect, tick).map(|proof| proof.wins)
    }

    /// Moves that gain less than `t` because the virtual pass, refuted, stands for them. None on a filling board.
    pub(super) fn covered(&mut self, board: Board, t: i32, tick: Tick<'_>) -> Option<u64> {
        if self.filling || !self.shared.virtual_moves {
            return Some(0);
        }
        let passed = Board { own: board.opp, opp: board.own, plies: board.plies - 1 };
        let proof = self.prove(passed, 3 - t, true, tick)?;
        let quiet = board.empty() & !R::spread(board.opp);
        Some(if proof.wins { quiet & !proof.needed } else { 0 })
    }

    /// The move that the table remembers for a board, if any.
    pub(super) fn remembered(&self, board: Board) -> Option<u32> {
        if self.filling {
            let q = FillQuestion { empty: board.empty(), switches: 0, t: 0 };
            return self.full_board_provers[0].remembered(q);
        }
        let entry = self.provers[0].probe(board.own, board.opp, board.plies)?;
        (entry.mv < 64).then_some(entry.mv)
    }

    /// [`Session::ask`] for many boards at once, each with what its mover is to gain: the threads take one after
    /// another, which costs less than sharing each. Boards that were not answered before a stop have no answer.
    pub(super) fn ask_each(&mut self, questions: &[(Board, i32)], tick: Tick<'_>) -> Vec<Option<bool>> {
        let plies = questions.iter().map(|(board, _)| board.plies).max().unwrap_or(0);
        let count = self.threads_for(plies);
        if self.filling {
            answer_each(self.shared, &mut self.full_board_provers[..count], plies, questions, tick)
        } else {
            answer_each(self.shared, &mut self.provers[..count], plies, questions, tick)
        }
    }

    fn threads_for(&self, plies: u32) -> usize {
        if plies < THREADS_FROM { 1 } else { self.shared.threads }
    }

    fn prove(&mut self, board: Board, t: i32, expect: bool, tick: Tick<'_>) -> Option<Proof> {
        let count = self.threads_for(board.plies);
        if self.filling {
            answer_together(self.shared, &mut self.full_board_provers[..count], board, t, expect, tick)
        } else {
            answer_together(self.shared, &mut self.provers[..count], board, t, expect, tick)
        }
    }
}

/// One thread's search, whatever the kind of board.
trait Worker: Send {
    /// Whether the mover gains at least `t`; nothing if stopped first.
    fn answer_to(&mut self, board: Board, t: i32, expect: bool) -> Option<Proof>;
}

impl<R: Rule> Worker for Prover<'_, R> {
    fn answer_to(&mut self, board: Board, t: i32, expect: bool) -> Option<Proof> {
        if board.plies == 0 {
            return Some(Proof { wins: t <= 0, needed: 0 });
        }
        self.answer(
            Question { own: board.own, opp: board.opp, plies: board.plies, t, expect },
            &VirtualLines::default(),
        )
    }
}

impl<R: Rule> Worker for FullBoardProver<'_, R> {
    fn answer_to(&mut self, board: Board, t: i32, _expect: bool) -> Option<Proof> {
        if board.plies == 0 {
            return Some(Proof { wins: t <= 0, needed: 0 });
        }
        // The gain counts marks that are not settled yet; earnings do not.
        let t = t + board.margin() - settled_margin::<R>(board.own, board.opp);
        self.answer(FillQuestion { empty: board.empty(), switches: 0, t })
    }
}

/// Lets all workers answer the same question; the first answer counts and stops the others.
fn answer_together<W: Worker>(
    shared: &Shared<'_>,
    workers: &mut [W],
    board: Board,
    t: i32,
    expect: bool,
    tick: Tick<'_>,
) -> Option<Proof> {
    let found = Mutex::new(None);
    at_once(shared, workers, board.plies, tick, |worker| {
        if let Some(proof) = worker.answer_to(board, t, expect) {
            *found.lock().expect("no worker panics") = Some(proof);
        }
    });
    found.into_inner().expect("no worker panics")
}

/// Lets each worker take the next question that nobody has taken; who finds none helps with one that is not
/// answered yet.
fn answer_each<W: Worker>(
    shared: &Shared<'_>,
    workers: &mut [W],
    plies: u32,
    questions: &[(Board, i32)],
    tick: Tick<'_>,
) -> Vec<Option<bool>> {
    let next = AtomicUsize::new(0);
    let answers = Mutex::new(vec![None; questions.len()]);
    at_once(shared, workers, plies, tick, |worker| {
        loop {
            let taken = next.fetch_add(1, Relaxed);
            let open = || answers.lock().expect("no worker panics").iter().position(Option::is_none);
            let Some(index) = (taken < questions.len()).then_some(taken).or_else(open) else { return };
            let (board, t) = questions[index];
            let Some(proof) = worker.answer_to(board, t, true) else { return };
            answers.lock().expect("no worker panics")[index] = Some(proof.wins);
        }
    });
    answers.into_inner().expect("no worker panics")
}

/// Lets all workers work at once, until the first of them is done; `tick` is called meanwhile. With few plies left
/// there is one worker, who is done before a thread would have begun.
fn at_once<W: Send>(shared: &Shared<'_>, workers: &mut [W], plies: u32, tick: Tick<'_>, work: impl Fn(&mut W) + Sync) {
    shared.finished.store(false, Relaxed);
    if plies < THREADS_FROM {
        return work(&mut workers[0]);
    }
    let waiting = std::thread::current();
    std::thread::scope(|scope| {
        for worker in workers.iter_mut() {
            let (waiting, work) = (&waiting, &work);
            scope.spawn(move || {
                work(worker);
                shared.finished.store(true, Relaxed);
                waiting.unpark();
            });
        }
        while !shared.finished.load(Relaxed) {
            std::thread::park_timeout(TICK);
            tick(shared.nodes.load(Relaxed));
        }
    });
}
