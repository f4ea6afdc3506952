//! Exact values of whole positions, with progress, stopping, saving and resuming.

use crate::common::deadline::Control;
use crate::common::solving::Bounds;
use crate::common::summed::Summed;
use crate::dots_and_boxes::board::{Board, Lines};
use crate::dots_and_boxes::contract::{Contracted, QuietBoxes, contract};
use crate::dots_and_boxes::first_lines;
use crate::dots_and_boxes::graph::{Graph, MAX_LONE, Offer};
use crate::dots_and_boxes::reference::completed;
use crate::dots_and_boxes::search::{Search, Shared};
use crate::dots_and_boxes::transposition::TranspositionTable;
use papan_core::Score;
use papan_core::solver::SolveProgress;
use std::cell::Cell;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// Time between two reports of progress.
const REPORT_EVERY: Duration = Duration::from_millis(200);
/// Positions one thread searches before the others are woken: most tests are over by then.
const ALONE: u64 = 500;
/// A table this full grows.
const CROWDED: f64 = 0.5;
/// Share of the table filled between two looks at how full it is, at least.
const LEAST_FREE: f64 = 1.0 / 16.0;
const FILE_MARK: &[u8; 8] = b"PAPANDB3";

/// What is known before anything is searched.
fn anything(board: Board) -> Bounds {
    let all = board.boxes() as i32;
    Bounds { low: -all, high: all }
}

/// The same seen from the other side.
fn negated(bounds: Bounds) -> Bounds {
    Bounds { low: -bounds.high, high: -bounds.low }
}

fn shifted(bounds: Bounds, by: i32) -> Bounds {
    Bounds { low: bounds.low + by, high: bounds.high + by }
}

/// Bounds for the taker of an offer, given those of the rest.
fn for_taker(rest: Bounds, offer: Offer) -> Bounds {
    let ends = [offer.value_for_taker(rest.low), offer.value_for_taker(rest.high)];
    let indifferent = -i32::from(offer.declined) / 2;
    let between = offer.declined > 0 && rest.low < indifferent && indifferent < rest.high;
    let low = if between { i32::from(offer.taken) + indifferent } else { ends[0].min(ends[1]) };
    Bounds { low, high: ends[0].max(ends[1]) }
}

/// How much to find out about the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// One best move.
    One,
    /// All best moves; the others get an upper bound below the best.
    AllBest,
    /// The exact value of every line.
    Everything,
}

/// What a solve found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The value of the position.
    pub value: Bounds,
    /// Every undrawn line with what is known of its value, in ascending order of lines.
    pub moves: Vec<(usize, Bounds)>,
    /// Positions searched.
    pub nodes: u64,
}

impl Solution {
    /// The lines known to be best. All of them unless only one was asked for or the solve was stopped.
    #[must_use]
    pub fn best(&self) -> Vec<usize> {
        let Some(value) = self.value.exact() else { return Vec::new() };
        let best = |&&(_, of_move): &&(usize, Bounds)| of_move.low >= value;
        self.moves.iter().filter(best).map(|&(line, _)| line).collect()
    }
}

/// Solves positions of any size. The table is kept from one position to the next: what is in it holds on
/// every board.
pub struct Solver {
    table: TranspositionTable,
    /// The use of the table is looked at again when `nodes` gets here.
    look_again: u64,
    threads: usize,
    nodes: u64,
    /// `nodes` when the solve in hand began.
    began: u64,
    /// Whether positions are looked up that are known without a search.
    looks_up: bool,
}

/// The positions that fill a share of a table, at least `LEAST_FREE` of it.
fn room(table: &TranspositionTable, share: f64) -> u64 {
    (table.capacity() as f64 * share.max(LEAST_FREE)) as u64
}

/// One quiet position ready to be searched.
struct Root<const J: usize, const L: usize> {
    graph: Graph<J, L>,
    order: Vec<u16>,
    offer: Offer,
    start: Instant,
}

impl Solver {
    /// A solver with a table of `megabytes` and this many threads (at least one).
    #[must_use]
    pub fn new(megabytes: usize, threads: usize) -> Self {
        let table = TranspositionTable::new(megabytes);
        // Nothing is stored yet, so there is nothing to look at.
        let look_again = room(&table, CROWDED);
        Self { table, look_again, threads: threads.max(1), nodes: 0, began: 0, looks_up: true }
    }

    /// The same solver, but one that searches even what is known without.
    #[must_use]
    pub fn searching(self) -> Self {
        Self { looks_up: false, ..self }
    }

    /// Lets the table grow if it is crowded; returns how many positions may be searched before the next look.
    fn make_room(&mut self) -> u64 {
        if self.nodes >= self.look_again {
            if self.table.used() >= CROWDED && self.table.can_grow() {
                self.table = self.table.grown();
            }
            self.look_again = self.nodes + room(&self.table, CROWDED - self.table.used());
        }
        if self.table.can_grow() { self.look_again - self.nodes } else { u64::MAX }
    }

    /// The table, large enough for so many more positions if it can be.
    pub(in crate::dots_and_boxes) fn table_for(&mut self, nodes: u64) -> &TranspositionTable {
        while self.make_room() < nodes {
            self.table = self.table.grown();
            self.look_again = self.nodes;
        }
        &self.table
    }

    /// Positions searched since the solver was made.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of any position, exact unless stopped.
    pub fn value(&mut self, board: Board, drawn: Lines, control: &Control) -> Bounds {
        self.began = self.nodes;
        self.value_within(board, drawn, anything(board), control)
    }

    /// The value of any position: exact if it lies in `window`, else at least on which side of it it is.
    /// Less is known only if the solve was stopped.
    pub fn value_within(&mut self, board: Board, drawn: Lines, window: Bounds, control: &Control) -> Bounds {
        let Contracted { offer, quiet } = contract(board, drawn);
        let mut rest_window = shifted(window, -i32::from(offer.taken));
        if offer.declined > 0 {
            // Declining brings the window's upper end as well when the rest is bad enough.
            rest_window.low = -i32::from(offer.declined) - rest_window.high;
        }
        let (joints, boxes) = (quiet.joints(), quiet.boxes());
        // The smallest capacity that fits is the fastest.
        let rest = if joints <= 16 && boxes <= 26 {
            self.solve_quiet::<16, 8>(&quiet, offer, rest_window, control)
        } else if joints <= 25 && boxes <= 36 {
            self.solve_quiet::<25, 12>(&quiet, offer, rest_window, control)
        } else {
            self.solve_quiet::<100, MAX_LONE>(&quiet, offer, rest_window, control)
        };
        for_taker(rest, offer)
    }

    fn solve_quiet<const J: usize, const L: usize>(
        &mut self,
        quiet: &QuietBoxes,
        offer: Offer,
        window: Bounds,
        control: &Control,
    ) -> Bounds {
        let (graph, order) = quiet.graph::<J, L>();
        Root { graph, order, offer, start: Instant::now() }.narrow(self, window, control)
    }

    /// The value of a position and of its moves.
    pub fn solve(&mut self, board: Board, drawn: Lines, depth: Depth, control: &Control) -> Solution {
        let before = self.nodes;
        let value = self.value(board, drawn, control);
        let unknown = Bounds { low: -(board.boxes() as i32), high: value.high };
        let mut moves: Vec<(usize, Bounds)> = board.all().without(drawn).iter().map(|line| (line, unknown)).collect();
        let window = match (depth, value.exact()) {
            (Depth::Everything, _) => anything(board),
            (_, Some(best)) => Bounds { low: best, high: best },
            (_, None) => return Solution { value, moves, nodes: self.nodes - before },
        };
        let is_best = |of_move: Bounds| value.exact().is_some_and(|best| of_move.low >= best);
        // Step 1: what the table knows from finding the value, a best move most likely. Step 2: the rest.
        let at_once = Control { nodes: Some(self.nodes), report: None, ..*control };
        let mut found = false;
        for control in [&at_once, control] {
            for (line, of_move) in &mut moves {
                let settled = of_move.low > window.high || of_move.high < window.low || of_move.exact().is_some();
                let wanted = !found || depth != Depth::One;
                if wanted && !settled {
                    *of_move = self.value_of_move(board, drawn, *line, window, control);
                    found |= is_best(*of_move);
                }
            }
        }
        Solution { value, moves, nodes: self.nodes - before }
    }

    /// The value of drawing a line, within a window as for `value_within`.
    pub fn value_of_move(
        &mut self,
        board: Board,
        drawn: Lines,
        line: usize,
        window: Bounds,
        control: &Control,
    ) -> Bounds {
        let gained = completed(board, drawn, line) as i32;
        let after = drawn.with(line);
        if gained > 0 {
            shifted(self.value_within(board, after, shifted(window, -gained), control), gained)
        } else {
            negated(self.value_within(board, after, negated(window), control))
        }
    }

    /// Saves the table, so that a stopped solve can go on later.
    ///
    /// # Errors
    /// If the table cannot be written.
    pub fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut out = Summed::new(out);
        out.write_all(FILE_MARK)?;
        self.table.save(&mut out)?;
        out.finish()
    }

    /// A solver that goes on with what [`Solver::save`] wrote, with a table of the same size.
    ///
    /// # Errors
    /// If the input cannot be read, is damaged or was not saved by a solver.
    pub fn resumed(input: &mut dyn Read, threads: usize) -> io::Result<Self> {
        let mut input = Summed::new(input);
        let mut mark = [0; FILE_MARK.len()];
        input.read_exact(&mut mark)?;
        if &mark != FILE_MARK {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "not a saved Dots and Boxes solve"));
        }
        let table = TranspositionTable::load(&mut input)?;
        input.check()?;
        Ok(Self { table, look_again: 0, ..Self::new(0, threads) })
    }

    /// The size to which the table grows.
    #[must_use]
    pub fn megabytes(&self) -> usize {
        self.table.megabytes()
    }

    /// Works on this many threads from now on (at least one).
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }
}

impl<const J: usize, const L: usize> Root<J, L> {
    /// Narrows the bounds by null-window tests, as far as the window needs it.
    fn narrow(&self, solver: &mut Solver, window: Bounds, control: &Control) -> Bounds {
        if let Some(known) = solver.looks_up.then(|| first_lines::value(&self.graph)).flatten() {
            return Bounds { low: known, high: known };
        }
        let boxes = i32::from(self.graph.boxes);
        let mut value = Bounds { low: -boxes, high: boxes };
        // Of an odd number of boxes the side to move more often gets the smaller half.
        let mut guess = -(boxes & 1);
        // Targets have the parity of the boxes.
        let lowest = window.low + ((window.low ^ boxes) & 1);
        let highest = window.high - ((window.high ^ boxes) & 1) + 2;
        let is_open = |value: Bounds| value.low < value.high && value.low <= window.high && value.high >= window.low;
        // An empty window asks for nothing: declining alone brings more.
        while window.low <= window.high && is_open(value) {
            let target = guess.clamp(lowest.max(value.low + 2), highest.min(value.high));
            match self.test(solver, target, value, control) {
                None => break,
                Some(found) if found >= target => {
                    value.low = found;
                    guess = found + 2;
                }
                Some(found) => {
                    value.high = found;
                    guess = found;
                }
            }
        }
        value
    }

    /// One null-window test: a bound at least or below `target`, or nothing if stopped.
    fn test(&self, solver: &mut Solver, target: i32, so_far: Bounds, control: &Control) -> Option<i32> {
        let before = solver.nodes;
        loop {
            if control.deadline.is_over() {
                return None;
            }
            let room = solver.make_room();
            let spent = solver.nodes - before;
            let (threads, limit) = if solver.threads == 1 {
                (1, room)
            } else if spent < ALONE {
                (1, room.min(ALONE - spent))
            } else {
                (solver.threads, room / solver.threads as u64)
            };
            let shared = Shared::new(&solver.table, control, solver.nodes);
            let (began, last_report) = (solver.began, Cell::new(self.start));
            let report = || {
                if let Some(report) = control.report.filter(|_| last_report.get().elapsed() >= REPORT_EVERY) {
                    last_report.set(Instant::now());
                    let Bounds { low, high } = for_taker(so_far, self.offer);
                    report(&SolveProgress {
                        lower: Score(low),
                        upper: Score(high),
                        nodes: shared.nodes() - began,
                        table_use: shared.table_used(),
                    });
                }
            };
            let outcome = self.test_together(target, &shared, threads, limit, &report);
            solver.nodes = shared.nodes();
            // A search that reached its limit goes on with more threads or more room, and with what it has
            // found so far in the table.
            if outcome.is_some() || control.is_over(solver.nodes) {
                return outcome;
            }
        }
    }

    /// Tests on so many threads; this one gives up after `limit` nodes of its own and calls `report` now and then.
    fn test_together(
        &self,
        target: i32,
        shared: &Shared<'_>,
        threads: usize,
        limit: u64,
        report: &dyn Fn(),
    ) -> Option<i32> {
        std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..threads)
                .map(|_| {
                    scope.spawn(|| {
                        let outcome = Search::<J, L>::new(shared, &self.order).sharing().test(&self.graph, target);
                        shared.finish();
                        outcome.ok()
                    })
                })
                .collect();
            let mut search = Search::<J, L>::new(shared, &self.order).with_limit(limit).with_report(report);
            if threads > 1 {
                search = search.sharing();
            }
            let mut outcome = search.test(&self.graph, target).ok();
            shared.finish();
            for helper in helpers {
                outcome = outcome.or(helper.join().expect("a search does not panic"));
            }
            outcome
        })
    }
}
