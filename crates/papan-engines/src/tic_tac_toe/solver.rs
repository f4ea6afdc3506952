//! Exact values: won, drawn or lost under best play.

use super::board::Board;
use super::search::{Node, Search};
use super::state::State;
use super::threats;
use super::transposition::{Bounds, TranspositionTable};
use crate::common::summed::Summed;
use papan_core::observer::{Progress, UNWATCHED};
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Nodes between two looks at the clock: a search for forced wins can make a node slow.
const PATIENCE: u64 = 32;
/// Begins a saved solve; the last four bytes are replaced by the board's numbers.
const FILE_MARK: [u8; 12] = *b"PAPANMN2....";

fn file_mark(board: &Board) -> [u8; 12] {
    let mut mark = FILE_MARK;
    let numbers = [board.rows(), board.cols(), board.in_a_row(), usize::from(board.is_misere())];
    std::iter::zip(&mut mark[8..], numbers).for_each(|(byte, number)| *byte = number as u8);
    mark
}

/// When to stop, and whom to tell how it goes.
pub struct Control<'a> {
    /// Set by anyone to stop.
    pub stop: &'a AtomicBool,
    /// The search stops at this moment.
    pub deadline: Option<Instant>,
    /// Called now and then with the nodes searched and the share of the table in use.
    pub progress: Option<&'a mut dyn FnMut(u64, f64)>,
    /// Says how far the search is, for whoever looks at it.
    pub told: &'a Progress,
}

impl<'a> Control<'a> {
    /// Stops only when told to.
    #[must_use]
    pub fn until_stopped(stop: &'a AtomicBool) -> Self {
        Self { stop, deadline: None, progress: None, told: &UNWATCHED }
    }

    /// Stops when told to or when the time is over.
    #[must_use]
    pub fn with_time(stop: &'a AtomicBool, time: Option<Duration>) -> Self {
        Self { deadline: time.map(|time| Instant::now() + time), ..Self::until_stopped(stop) }
    }

    pub(super) fn is_over(&self) -> bool {
        self.stop.load(Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// The search was stopped before it knew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Solves positions of one board.
pub struct Solver {
    board: Board,
    order: Vec<u8>,
    /// The quick way, where the board allows it.
    quick: Option<Search>,
    table: TranspositionTable,
    nodes: u64,
    most_nodes: u64,
}

impl Solver {
    /// A solver with a table of `megabytes`.
    #[must_use]
    pub fn new(board: Board, megabytes: usize) -> Self {
        let (order, quick) = (board.by_rows_through(), Search::new(&board));
        Self { board, order, quick, table: TranspositionTable::new(megabytes), nodes: 0, most_nodes: u64::MAX }
    }

    /// The board whose positions it solves.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Positions searched so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Lets it search so many more positions from now on; no limit if `None`.
    pub fn limit_nodes(&mut self, nodes: Option<u64>) {
        self.most_nodes = nodes.map_or(u64::MAX, |nodes| self.nodes + nodes);
    }

    /// Share of the table in use.
    #[must_use]
    pub fn table_used(&self) -> f64 {
        self.table.used()
    }

    /// The value for the side to move: -1, 0 or 1.
    ///
    /// # Errors
    /// If it was stopped before it knew.
    pub fn value(&mut self, state: &mut State, control: &mut Control) -> Result<i8, Stopped> {
        // "Is it won?" first: a win is the quicker proof.
        if self.at_least(state, 1, control)? {
            return Ok(1);
        }
        Ok(if self.at_least(state, 0, control)? { 0 } else { -1 })
    }

    /// Whether the value for the side to move is at least `target`, which is 0 or 1.
    ///
    /// # Errors
    /// If it was stopped before it knew.
    pub fn at_least(&mut self, state: &mut State, target: i8, control: &mut Control) -> Result<bool, Stopped> {
        if control.is_over() {
            return Err(Stopped);
        }
        let Some(quick) = self.quick.as_ref().filter(|_| state.row_owner().is_none()) else {
            return self.search(state, target, control);
        };
        let side = state.to_move();
        let node = Node { own: state.mask(side), other: state.mask(1 - side), side };
        let (nodes, most) = (&mut self.nodes, self.most_nodes);
        quick.at_least(node, target, &mut self.table, &mut |table| count_node(nodes, most, table, control))
    }

    /// A cell that wins, if there is one and it is found before the control says stop.
    pub(super) fn winning_cell(&mut self, state: &mut State, control: &mut Control) -> Option<usize> {
        if !self.at_least(state, 1, control).ok()? {
            return None;
        }
        // What showed that it is won is in the table: such a cell is found with little work.
        let mut cells: Vec<usize> = self.order.iter().map(|&cell| cell as usize).collect();
        cells.retain(|&cell| state.is_empty(cell));
        let most = self.most_nodes;
        let mut found = None;
        for nodes in [0, 64, u64::MAX] {
            self.most_nodes = most.min(self.nodes.saturating_add(nodes));
            let wins = |&&cell: &&usize| self.reaches(state, cell, 1, control) == Ok(true);
            found = found.or(cells.iter().find(wins).copied());
        }
        self.most_nodes = most;
        found
    }

    /// Whether marking a free cell is worth at least `value`, which is -1, 0 or 1, to the side that marks it.
    ///
    /// # Errors
    /// If it was stopped before it knew.
    pub fn reaches(
        &mut self,
        state: &mut State,
        cell: usize,
        value: i8,
        control: &mut Control,
    ) -> Result<bool, Stopped> {
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

    /// The value of each free cell for the side to move, by cell.
    ///
    /// # Errors
    /// If it was stopped before all were known.
    pub fn values(&mut self, state: &mut State, control: &mut Control) -> Result<Vec<(usize, i8)>, Stopped> {
        let free: Vec<usize> = (0..self.board.cells()).filter(|&cell| state.is_empty(cell)).collect();
        let mut values = Vec::with_capacity(free.len());
        for cell in free {
            values.push((cell, self.value_of_move(state, cell, control)?));
        }
        Ok(values)
    }

    /// The value of marking a free cell, for the side that marks it.
    ///
    /// # Errors
    /// If it was stopped before it knew.
    pub fn value_of_move(&mut self, state: &mut State, cell: usize, control: &mut Control) -> Result<i8, Stopped> {
        state.play(cell);
        let value = match state.row_owner() {
            Some(_) => Ok(if self.board.is_misere() { 1 } else { -1 }),
            None => self.value(state, control),
        };
        state.take_back(cell);
        Ok(-value?)
    }

    fn search(&mut self, state: &mut State, target: i8, control: &mut Control) -> Result<bool, Stopped> {
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
        count_node(&mut self.nodes, self.most_nodes, &self.table, control)?;
        // Step 3: try the moves, the most promising first.
        let mut moves = self.moves(state);
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
    fn at_once(&self, state: &State, target: i8) -> Option<bool> {
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

    fn at_once_in_misere(&self, state: &State, target: i8) -> Option<bool> {
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

    /// Moves with how promising they are; a forced move alone.
    fn moves(&self, state: &State) -> Vec<(i32, usize)> {
        let (side, other) = (state.to_move(), 1 - state.to_move());
        let misere = self.board.is_misere();
        if !misere && let Some(block) = state.winning_cell(other) {
            return vec![(0, block)];
        }
        let wanted = |&cell: &usize| state.is_empty(cell) && !(misere && state.completes(side, cell));
        let cells = self.order.iter().map(|&cell| cell as usize).filter(wanted);
        let sign = if misere { -1 } else { 1 };
        let mut moves: Vec<(i32, usize)> = cells.map(|cell| (sign * state.order_of(side, cell), cell)).collect();
        // Cells that no row can use any more are all the same: a wasted move.
        let mut wasted = 0;
        moves.retain(|&(order, _)| {
            wasted += usize::from(order == 0);
            order != 0 || wasted == 1
        });
        moves
    }
}

/// Counts a node; fails if it is time to stop.
fn count_node(nodes: &mut u64, most: u64, table: &TranspositionTable, control: &mut Control) -> Result<(), Stopped> {
    if *nodes >= most {
        return Err(Stopped);
    }
    *nodes += 1;
    if nodes.is_multiple_of(PATIENCE) {
        control.told.add_nodes(PATIENCE);
        if control.is_over() {
            return Err(Stopped);
        }
        if let Some(progress) = control.progress.as_mut().filter(|_| nodes.is_multiple_of(PATIENCE << 9)) {
            progress(*nodes, table.used());
        }
    }
    Ok(())
}
