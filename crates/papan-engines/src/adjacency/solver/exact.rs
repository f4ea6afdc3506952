//! The exact solver: the value, best moves, bounds when it is stopped.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::session::{Board, Session, TICK, Tick, shared_for};
use super::transposition::TranspositionTable;
use crate::adjacency::filling::earnings::settled_margin;
use crate::adjacency::filling::values::{Values, bytes_for};
use crate::adjacency::rule::{Eight, Four, Rule};
use crate::common::bits::SetBits;
use crate::common::deadline::Deadline;
use papan_core::Score;
use papan_core::solver::SolveProgress;

/// How much is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// The value and one best move.
    Value,
    /// The value and every best move.
    BestMoves,
    /// The exact value of every move.
    AllMoves,
}

/// A position to solve, and how long to try.
pub struct Task<'a> {
    /// Marks of the side to move.
    pub own: u64,
    /// Marks of the other side.
    pub opp: u64,
    /// Plies left; at most the number of empty cells.
    pub plies: u32,
    /// How much is wanted.
    pub detail: Detail,
    /// When to stop at the latest.
    pub deadline: Deadline<'a>,
}

/// A root move and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The cell.
    pub cell: u32,
    /// The final margin for the side to move is at least this after the move.
    pub lower: i32,
    /// … and at most this.
    pub upper: i32,
}

/// What was found out. All values are final margins for the side to move.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The value is at least this.
    pub lower: i32,
    /// The value is at most this; equal to `lower` if the position was solved.
    pub upper: i32,
    /// Best moves, lowest cell first; every one of them if `best_complete`.
    pub best: Vec<u32>,
    /// Whether `best` has every best move.
    pub best_complete: bool,
    /// A move that reaches at least `lower`, if that was proved here.
    pub proved: Option<u32>,
    /// What is known of each move, in the order of the cells.
    pub moves: Vec<RootMove>,
    /// Best play from here, as far as time allowed; empty if the position was not solved.
    pub line: Vec<u32>,
    /// Nodes of all threads (from four plies up, and leaves asked directly).
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
}

impl Solution {
    /// The exact value, if it was found.
    #[must_use]
    pub fn value(&self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// An exact solver with a table that it keeps from one position to the next.
pub struct Solver {
    eight: bool,
    threads: usize,
    table: TranspositionTable,
    /// The most bytes of a sweep: as many as the table may have, and not less than [`LEAST_SWEEP`].
    sweep_bytes: u64,
}

/// Sweeps over fewer cells are done before anyone would hear of them.
const SWEEP_ASIDE_FROM: u32 = 24;
/// Bytes that a sweep may always have.
const LEAST_SWEEP: u64 = 256 << 20;

impl Solver {
    /// A solver for the rule with four or eight neighbours.
    #[must_use]
    pub fn new(eight: bool, threads: usize, table_megabytes: usize) -> Self {
        let sweep_bytes = ((table_megabytes as u64) << 20).max(LEAST_SWEEP);
        Self { eight, threads: threads.max(1), table: TranspositionTable::new(table_megabytes), sweep_bytes }
    }

    /// Solves a position, or as much of it as time allows.
    pub fn solve(&mut self, task: &Task<'_>, progress: &mut dyn FnMut(&SolveProgress)) -> Solution {
        if self.eight { self.run::<Eight>(task, progress) } else { self.run::<Four>(task, progress) }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Whether the board will be full, and a sweep has the memory for it.
    fn may_sweep(&self, board: Board) -> bool {
        board.plies == board.empty().count_ones() && bytes_for(board.plies) <= self.sweep_bytes
    }

    fn run<R: Rule>(&self, task: &Task<'_>, progress: &mut dyn FnMut(&SolveProgress)) -> Solution {
        let started = Instant::now();
        let board = Board { own: task.own, opp: task.opp, plies: task.plies };
        assert!(board.own & board.opp == 0, "a cell has one owner");
        assert!(board.plies <= board.empty().count_ones(), "more plies than empty cells");
        // No margin is greater than all marks at the end.
        let marks = (board.own | board.opp).count_ones() + board.plies;
        let lower = (board.margin() - most_gain::<R>(board.plies / 2)).max(-(marks as i32));
        let upper = (board.margin() + most_gain::<R>(board.plies.div_ceil(2))).min(marks as i32);
        if self.may_sweep(board) {
            let mut tick = ticker(&self.table, (lower, upper), progress);
            if let Some(values) = sweep_aside::<R>(board.empty(), task.deadline, self.threads, &mut tick) {
                return swept::<R>(board, &values, started);
            }
        }
        let shared = shared_for(board, &self.table, task.deadline, self.threads);
        let mut root = Root::<R> {
            session: Session::new(&shared, board),
            board,
            lower,
            upper,
            moves: Vec::new(),
            best: 0,
            best_complete: false,
            proved: None,
            table: &self.table,
            progress,
        };
        // Stopped searches leave their bounds behind, so the result of each step is not needed.
        let _ = root.solve(task.detail);
        let line = root.line();
        Solution {
            lower: root.lower,
            upper: root.upper,
            best: SetBits(root.best).collect(),
            best_complete: root.best_complete,
            proved: root.proved,
            moves: {
                root.moves.sort_unstable_by_key(|m| m.cell);
                root.moves
            },
            line,
            nodes: root.session.nodes(),
            elapsed: started.elapsed(),
        }
    }
}

/// Sweeps; `tick` hears of the subsets meanwhile if there are many.
fn sweep_aside<R: Rule>(empty: u64, deadline: Deadline<'_>, threads: usize, tick: Tick<'_>) -> Option<Values> {
    if empty.count_ones() < SWEEP_ASIDE_FROM {
        return Values::sweep::<R>(empty, deadline, threads);
    }
    let (swept, finished) = (AtomicU64::new(0), AtomicBool::new(false));
    let waiting = std::thread::current();
    std::thread::scope(|scope| {
        let sweep = scope.spawn(|| {
            let values = Values::sweep_counted::<R>(empty, deadline, threads, &swept);
            finished.store(true, Relaxed);
            waiting.unpark();
            values
        });
        while !finished.load(Relaxed) {
            std::thread::park_timeout(TICK);
            tick(swept.load(Relaxed));
        }
        tick(swept.load(Relaxed));
        sweep.join().expect("a sweep does not panic")
    })
}

/// The answer to every question at once.
fn swept<R: Rule>(board: Board, values: &Values, started: Instant) -> Solution {
    let settled = settled_margin::<R>(board.own, board.opp);
    let value = settled + values.of(board.empty());
    let moves: Vec<RootMove> = SetBits(board.empty())
        .map(|cell| {
            let value = settled + values.after::<R>(board.empty(), cell);
            RootMove { cell, lower: value, upper: value }
        })
        .collect();
    let best: Vec<u32> = moves.iter().filter(|m| m.lower == value).map(|m| m.cell).collect();
    let mut line: Vec<u32> = best.first().copied().into_iter().collect();
    let mut empty = board.empty() & !line.iter().fold(0, |set, cell| set | 1u64 << cell);
    while let Some(cell) = SetBits(empty).find(|&cell| values.after::<R>(empty, cell) == values.of(empty)) {
        line.push(cell);
        empty &= !(1 << cell);
    }
    Solution {
        lower: value,
        upper: value,
        proved: best.first().copied(),
        best,
        best_complete: true,
        moves,
        line,
        nodes: 1 << board.plies,
        elapsed: started.elapsed(),
    }
}

/// No `moves` gain more than this.
fn most_gain<R: Rule>(moves: u32) -> i32 {
    moves as i32 * (1 + 2 * R::MAX)
}

/// Reports the nodes so far together with what else is known.
fn ticker<'t>(
    table: &'t TranspositionTable,
    (lower, upper): (i32, i32),
    progress: &'t mut dyn FnMut(&SolveProgress),
) -> impl FnMut(u64) + 't {
    move |nodes| {
        progress(&SolveProgress { lower: Score(lower), upper: Score(upper), nodes, table_use: table.fill() });
    }
}

/// The state of one solving run. Bounds are final margins for the side to move.
struct Root<'a, 'p, R> {
    session: Session<'a, R>,
    board: Board,
    lower: i32,
    upper: i32,
    moves: Vec<RootMove>,
    best: u64,
    best_complete: bool,
    proved: Option<u32>,
    table: &'a TranspositionTable,
    progress: &'p mut dyn FnMut(&SolveProgress),
}

impl<R: Rule> Root<'_, '_, R> {
    fn solve(&mut self, detail: Detail) -> Option<()> {
        let guess = self.guess()?;
        self.pin_value(guess)?;
        if self.board.plies == 0 {
            self.best_complete = true;
            return Some(());
        }
        self.moves =
            SetBits(self.board.empty()).map(|cell| RootMove { cell, lower: i32::MIN, upper: self.upper }).collect();
        match detail {
            Detail::Value => self.find_best(true),
            Detail::BestMoves => self.find_best(false),
            Detail::AllMoves => {
                self.find_best(false)?;
                self.pin_moves()
            }
        }
    }

    /// Asks whether the final margin is at least `value`, and keeps the bounds up to date.
    fn ask(&mut self, board: Board, value: i32, expect: bool) -> Option<bool> {
        let mut tick = ticker(self.table, (self.lower, self.upper), &mut *self.progress);
        self.session.ask(board, value - board.margin(), expect, &mut tick)
    }

    /// A likely gain: the value two plies shallower, searched from the shortest up. The shallow
    /// searches also teach the order of moves. A filling board cannot be searched shallower.
    fn guess(&mut self) -> Option<i32> {
        let board = self.board;
        let mut value = board.margin() + (board.plies % 2) as i32;
        if board.plies == board.empty().count_ones() {
            return Some(value);
        }
        let mut plies = 4 + board.plies % 2;
        while plies < board.plies {
            value = self.pin(Board { plies, ..board }, value)?;
            plies += 2;
        }
        Some(value)
    }

    /// The value of a board near a guess of the right parity.
    fn pin(&mut self, board: Board, guess: i32) -> Option<i32> {
        let up = self.ask(board, guess, true)?;
        let mut value = guess;
        loop {
            let next = if up { value + 2 } else { value - 2 };
            if self.ask(board, next, !up)? != up {
                return Some(if up { value } else { next });
            }
            value = next;
        }
    }

    fn pin_value(&mut self, guess: i32) -> Option<()> {
        let mut value = guess;
        let mut expect = true;
        while self.lower < self.upper {
            if self.ask(self.board, value, expect)? {
                self.lower = value;
                self.proved = self.session.remembered(self.board);
                value += 2;
                expect = false;
            } else {
                self.upper = value - 2;
                value -= 2;
                expect = true;
            }
        }
        Some(())
    }

    /// Separates the best moves from the others, or finds one of them.
    fn find_best(&mut self, one_is_enough: bool) -> Option<()> {
        let value = self.lower;
        let covered = self.session.covered(self.board, value - self.board.margin(), &mut |_| {})?;
        for m in self.moves.iter_mut().filter(|m| covered >> m.cell & 1 == 1) {
            m.upper = value - 2;
        }
        let mut open: Vec<usize> = (0..self.moves.len()).filter(|&index| self.moves[index].upper == value).collect();
        if one_is_enough {
            // The root's own proof ended with a winning move, unless a later one replaced it.
            let first = self.session.remembered(self.board);
            open.sort_by_key(|&index| Some(self.moves[index].cell) != first);
            for index in open {
                self.ask_moves(&[index])?;
                if self.best != 0 {
                    break;
                }
            }
            return Some(());
        }
        self.ask_moves(&open)?;
        self.best_complete = true;
        Some(())
    }

    /// Pins down the values of the moves that are not best.
    fn pin_moves(&mut self) -> Option<()> {
        loop {
            let is_open = |m: &RootMove| m.lower < m.upper;
            let open: Vec<usize> = (0..self.moves.len()).filter(|&index| is_open(&self.moves[index])).collect();
            if open.is_empty() {
                return Some(());
            }
            self.ask_moves(&open)?;
        }
    }

    /// Asks of each of these moves whether it is as good as it can be: if so its value is known, if not it is worse
    /// by at least two.
    fn ask_moves(&mut self, open: &[usize]) -> Option<()> {
        let question = |&index: &usize| {
            let RootMove { cell, upper, .. } = self.moves[index];
            let next = self.board.after::<R>(cell).0;
            (next, 2 - upper - next.margin())
        };
        let questions: Vec<(Board, i32)> = open.iter().map(question).collect();
        let mut tick = ticker(self.table, (self.lower, self.upper), &mut *self.progress);
        let answers = self.session.ask_each(&questions, &mut tick);
        for (&index, &is_worse) in open.iter().zip(&answers) {
            let m = &mut self.moves[index];
            match is_worse {
                Some(true) => m.upper -= 2,
                Some(false) => {
                    m.lower = m.upper;
                    self.best |= u64::from(m.lower == self.lower) << m.cell;
                }
                None => {}
            }
        }
        answers.iter().all(Option::is_some).then_some(())
    }

    /// Best moves of both sides in turn, until the end or until time is up.
    fn line(&mut self) -> Vec<u32> {
        let mut line = Vec::new();
        let Some(first) = SetBits(self.best).next() else { return line };
        line.push(first);
        let mut board = self.board.after::<R>(first).0;
        let mut value = -self.lower;
        while let Some(cell) = self.best_reply(board, value) {
            line.push(cell);
            board = board.after::<R>(cell).0;
            value = -value;
        }
        line
    }

    /// A move that reaches the known value of a board, those first that the table remembers.
    fn best_reply(&mut self, board: Board, value: i32) -> Option<u32> {
        if board.plies == 0 {
            return None;
        }
        let remembered = self.session.remembered(board).filter(|&cell| board.empty() >> cell & 1 == 1);
        let captures = board.empty() & R::spread(board.opp);
        let others = SetBits(captures).chain(SetBits(board.empty() & !captures));
        for cell in remembered.into_iter().chain(others) {
            if !self.ask(board.after::<R>(cell).0, 2 - value, true)? {
                return Some(cell);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_has_the_memory_of_the_table_and_some_in_any_case() {
        let full_board = |cells: u32| Board { own: !((1 << cells) - 1), opp: 0, plies: cells };
        for (megabytes, most) in [(1, 28), (256, 28), (511, 28), (512, 29), (4096, 32)] {
            let solver = Solver::new(false, 1, megabytes);
            assert!(solver.may_sweep(full_board(most)) && !solver.may_sweep(full_board(most + 1)), "{megabytes} MiB");
            assert!(!solver.may_sweep(Board { plies: 10, ..full_board(most) }), "a cell stays empty");
        }
    }
}
