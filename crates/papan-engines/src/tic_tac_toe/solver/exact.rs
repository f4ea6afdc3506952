//! Exact values: won, drawn or lost under best play.

use super::proof_search::{Node, ProofSearch};
use crate::common::deadline::{Control, Stopped};
use crate::common::solving::Bounds;
use crate::common::summed::Summed;
use crate::tic_tac_toe::board::Board;
use crate::tic_tac_toe::move_ordering::ordered_moves;
use crate::tic_tac_toe::state::State;
use crate::tic_tac_toe::threats;
use crate::tic_tac_toe::transposition::{TranspositionTable, UNKNOWN};
use papan_core::Score;
use papan_core::solver::SolveProgress;
use std::io::{self, Read, Write};

/// Nodes between two looks at the clock: a search for forced wins can make a node slow.
const CHECK_EVERY: u64 = 32;
/// Nodes between two reports.
const REPORT_EVERY: u64 = 1 << 14;
/// Begins a saved solve; the last four bytes are replaced by the board's numbers.
const FILE_MARK: [u8; 12] = *b"PAPANMN2....";

fn file_mark(board: &Board) -> [u8; 12] {
    let mut mark = FILE_MARK;
    let numbers = [board.rows(), board.cols(), board.in_a_row(), usize::from(board.is_misere())];
    std::iter::zip(&mut mark[8..], numbers).for_each(|(byte, number)| *byte = number as u8);
    mark
}

/// Solves positions of one board.
pub struct Solver {
    board: Board,
    order: Vec<u8>,
    /// The quick way, where the board allows it.
    quick: Option<ProofSearch>,
    table: TranspositionTable,
    counter: Counter,
}

impl Solver {
    /// A solver with a table of `megabytes`.
    #[must_use]
    pub fn new(board: Board, megabytes: usize) -> Self {
        let (order, quick) = (board.by_rows_through(), ProofSearch::new(&board));
        let counter = Counter { nodes: 0, began: 0, known: UNKNOWN };
        Self { board, order, quick, table: TranspositionTable::new(megabytes), counter }
    }

    /// The board whose positions it solves.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Positions searched so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.counter.nodes
    }

    /// The value for the side to move as far as it is found out; what is known of it so far is reported on the way.
    pub(super) fn narrow(&mut self, state: &mut State, control: &Control) -> Bounds {
        self.counter = Counter { began: self.counter.nodes, known: UNKNOWN, ..self.counter };
        // "Is it won?" first: a win is the quicker proof.
        for target in [1, 0] {
            match self.at_least(state, target, control) {
                Ok(true) => {
                    self.counter.known.low = target;
                    break;
                }
                Ok(false) => self.counter.known.high = target - 1,
                Err(Stopped) => break,
            }
        }
        self.counter.known
    }

    /// The value for the side to move: -1, 0 or 1.
    ///
    /// # Errors
    /// If it was stopped before it knew.
    pub fn value(&mut self, state: &mut State, control: &Control) -> Result<i32, Stopped> {
        if self.at_least(state, 1, control)? {
            return Ok(1);
        }
        Ok(if self.at_least(state, 0, control)? { 0 } else { -1 })
    }

    /// Whether the value for the side to move is at least `target`, which is 0 or 1.
    ///
    /// # Errors
    /// If it was stopped before it knew.
    pub fn at_least(&mut self, state: &mut State, target: i32, control: &Control) -> Result<bool, Stopped> {
        if control.deadline.is_over() {
            return Err(Stopped);
        }
        let Some(quick) = self.quick.as_ref().filter(|_| state.row_owner().is_none()) else {
            return self.search(state, target, control);
        };
        let side = state.to_move();
        let node = Node { own: state.mask(side), other: state.mask(1 - side), side };
        let counter = &mut self.counter;
        quick.at_least(node, target, &mut self.table, &mut |table| counter.count(table, control))
    }

    /// A cell that wins, if there is one and it is found before the control says stop.
    pub(in crate::tic_tac_toe) fn winning_cell(&mut self, state: &mut State, control: &Control) -> Option<usize> {
        if !self.at_least(state, 1, control).ok()? {
            return None;
        }
        // What showed that it is won is in the table: such a cell is found with little work.
        let mut cells: Vec<usize> = self.order.iter().map(|&cell| cell as usize).collect();
        cells.retain(|&cell| state.is_empty(cell));
        let mut found = None;
        for nodes in [0, 64, u64::MAX] {
            let control = control.up_to(self.nodes().saturating_add(nodes));
            let wins = |&&cell: &&usize| self.reaches(state, cell, 1, &control) == Ok(true);
            found = found.or(cells.iter().find(wins).copied());
        }
        found
    }

    /// Whether the value of marking a free cell is at least `value`, which is -1, 0 or 1, for the side that marks it.
    ///
    /// # Errors
    /// If it was stopped before it knew.
    pub fn reaches(&mut self, state: &mut State, cell: usize, value: i32, control: &Control) -> Result<bool, Stopped> {
        if value < 0 {
            return Ok(true);
        }
        state.play(cell);
        let answer = match state.row_owner() {
            Some(_) => Ok(!self.board.is_misere()),
            None => self.at_least(state, 1 - value, control).map(|other_has_more| !other_has_more),
        };
        state.take_back(cell);
        answer
    }

    /// Saves the table, so that a stopped solve can go on later.
    ///
    /// # Errors
    /// If the table cannot be written.
    pub fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut out = Summed::new(out);
        out.write_all(&file_mark(&self.board))?;
        self.table.save(&mut out)?;
        out.finish()
    }

    /// A solver that goes on with what [`Solver::save`] wrote for the same board, and its megabytes.
    ///
    /// # Errors
    /// If the input cannot be read, is damaged or is not a saved solve of this board.
    pub fn resumed(board: Board, input: &mut dyn Read) -> io::Result<(usize, Self)> {
        let mut input = Summed::new(input);
        let mut mark = [0; FILE_MARK.len()];
        input.read_exact(&mut mark)?;
        if mark != file_mark(&board) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "not a saved solve of this board"));
        }
        let table = TranspositionTable::load(&mut input)?;
        input.check()?;
        let megabytes = table.megabytes();
        Ok((megabytes, Self { table, ..Self::new(board, 0) }))
    }

    /// The value of marking a free cell, for the side that marks it.
    ///
    /// # Errors
    /// If it was stopped before it knew.
    pub fn value_of_move(&mut self, state: &mut State, cell: usize, control: &Control) -> Result<i32, Stopped> {
        state.play(cell);
        let value = match state.row_owner() {
            Some(_) => Ok(if self.board.is_misere() { 1 } else { -1 }),
            None => self.value(state, control),
        };
        state.take_back(cell);
        Ok(-value?)
    }

    fn search(&mut self, state: &mut State, target: i32, control: &Control) -> Result<bool, Stopped> {
        // Step 1: what can be seen at once.
        if let Some(answer) = self.at_once(state, target) {
            return Ok(answer);
        }
        // Step 2: what is known.
        let key = state.key();
        let known = self.table.probe(key);
        if known.low >= target {
            return Ok(true);
        }
        if known.high < target {
            return Ok(false);
        }
        self.counter.count(&self.table, control)?;
        // Step 3: try the moves, the most promising first.
        let mut moves = ordered_moves(state, &self.order);
        let mut answer = false;
        let mut next = 0;
        while next < moves.len() && !answer {
            let best = (next..moves.len()).max_by_key(|&at| (moves[at].0, usize::MAX - at)).unwrap_or(next);
            moves.swap(next, best);
            let cell = moves[next].1;
            next += 1;
            state.play(cell);
            // At least `target` for this side is less than `1 - target` for the other.
            let outcome = self.search(state, 1 - target, control);
            state.take_back(cell);
            answer = !outcome?;
        }
        // Step 4: remember.
        let bounds =
            if answer { Bounds { low: target, high: known.high } } else { Bounds { low: known.low, high: target - 1 } };
        self.table.store(key, state.left(), bounds);
        Ok(answer)
    }

    /// The answer where no search is needed.
    fn at_once(&self, state: &State, target: i32) -> Option<bool> {
        let (side, other) = (state.to_move(), 1 - state.to_move());
        if self.board.is_misere() {
            return self.at_once_in_misere(state, target);
        }
        if state.row_owner() == Some(other) {
            return Some(false);
        }
        if state.winning_cells(side) > 0 {
            return Some(true);
        }
        if state.left() == 0 {
            return Some(target <= 0);
        }
        if state.winning_cells(other) > 1 {
            return Some(false);
        }
        if state.live(side) == 0 && target > 0 {
            return Some(false);
        }
        if state.live(other) == 0 && target <= 0 {
            return Some(true);
        }
        if state.winning_cells(other) == 0 && threats::fork(state, side).is_some() {
            return Some(true);
        }
        None
    }

    fn at_once_in_misere(&self, state: &State, target: i32) -> Option<bool> {
        let (side, other) = (state.to_move(), 1 - state.to_move());
        if state.row_owner().is_some() {
            return Some(true);
        }
        if state.left() == 0 {
            return Some(target <= 0);
        }
        if state.winning_cells(side) == state.left() {
            return Some(false);
        }
        if state.live(other) == 0 && target > 0 {
            return Some(false);
        }
        if state.live(side) == 0 && target <= 0 {
            return Some(true);
        }
        None
    }
}

/// The nodes of a solver, and what it has to tell about them.
struct Counter {
    nodes: u64,
    /// `nodes` when the solve in hand began.
    began: u64,
    /// What is known of the position in hand.
    known: Bounds,
}

impl Counter {
    /// Counts a node; fails if it is time to stop.
    fn count(&mut self, table: &TranspositionTable, control: &Control) -> Result<(), Stopped> {
        if control.nodes.is_some_and(|most| self.nodes >= most) {
            return Err(Stopped);
        }
        self.nodes += 1;
        if control.deadline.is_over_at(self.nodes, CHECK_EVERY) {
            return Err(Stopped);
        }
        if let Some(report) = control.report.filter(|_| self.nodes.is_multiple_of(REPORT_EVERY)) {
            report(&SolveProgress {
                lower: Score(self.known.low),
                upper: Score(self.known.high),
                nodes: self.nodes - self.began,
                table_use: table.used(),
            });
        }
        Ok(())
    }
}
