//! The solver as a solver of the house.

use std::cell::Cell;
use std::cmp::Reverse;
use std::io::{self, Read, Write};

use papan_core::solver::{Solution, SolveLimits, SolveProgress, Solver as HouseSolver};
use papan_core::{Bits, Exactness, MoveSet as _, MoveValue, Place, Position as _, Score};
use papan_games::tic_tac_toe::{TicTacToe, TicTacToePosition};

use super::bot::{board_of, place_of, state_of};
use super::solver::{Control, Solver, Stopped};
use super::state::State;

/// The table's size if nobody says.
const DEFAULT_MEGABYTES: usize = 256;
/// After a solve of at most so many positions every cell gets its exact value, and the expected line of
/// play is followed as far as so many more show it.
const CHEAP: u64 = 200_000;

/// Solves positions of one game. It works on one thread.
pub struct TicTacToeSolver {
    board: super::board::Board,
    solver: Option<(usize, Solver)>,
}

impl TicTacToeSolver {
    /// A solver for boards of a game.
    #[must_use]
    pub fn new<B: Bits>(game: &TicTacToe<B>) -> Self {
        Self { board: board_of(game), solver: None }
    }

    /// The solver with a table of this size; what an earlier one with the same has learnt is kept.
    fn with_table(&mut self, megabytes: Option<usize>) -> &mut Solver {
        let kept = self.solver.as_ref().map(|&(size, _)| size);
        let size = megabytes.or(kept).unwrap_or(DEFAULT_MEGABYTES);
        if kept != Some(size) {
            self.solver = None;
        }
        &mut self.solver.get_or_insert_with(|| (size, Solver::new(self.board.clone(), size))).1
    }
}

impl<B: Bits> HouseSolver<TicTacToePosition<B>> for TicTacToeSolver {
    fn solve(
        &mut self,
        position: &TicTacToePosition<B>,
        limits: &SolveLimits,
        progress: &mut dyn FnMut(&SolveProgress),
    ) -> Solution<Place> {
        let board = self.board.clone();
        let known = Cell::new((-1, 1));
        if position.is_over() {
            let value = position.margin().for_player(position.to_move());
            known.set((value.0 as i8, value.0 as i8));
            return solution(&Found { known: known.get(), complete: true, ..Found::default() }, |_| Place(0));
        }
        let solver = self.with_table(limits.table_mb);
        let before = solver.nodes();
        let mut report = |nodes: u64, table_use: f64| {
            let (low, high) = known.get();
            progress(&SolveProgress {
                lower: Score(i32::from(low)),
                upper: Score(i32::from(high)),
                nodes: nodes - before,
                table_use,
            });
        };
        let mut control = Control::with_time(limits.stop.flag(), limits.time);
        control.progress = Some(&mut report);
        let mut state = state_of(&board, position);
        let mut found = Found::default();
        solver.limit_nodes(None);
        if narrow(solver, &mut state, &known, &mut control).is_ok() {
            let value = known.get().0;
            found = rate(solver, &mut state, value, limits.one_best, &mut control);
            found.line = expected_line(solver, &mut state, value, &found, &mut control);
        }
        solver.limit_nodes(None);
        found.known = known.get();
        found.nodes = solver.nodes() - before;
        solution(&found, |cell| place_of(&board, cell))
    }

    fn depth(&self, position: &TicTacToePosition<B>) -> u32 {
        position.legal_moves().len() as u32
    }

    fn can_save(&self) -> bool {
        true
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.solver {
            Some((_, solver)) => solver.save(out),
            None => Solver::new(self.board.clone(), 0).save(out),
        }
    }

    fn resume(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let (megabytes, solver) = Solver::resumed(self.board.clone(), input)?;
        self.solver = Some((megabytes, solver));
        Ok(())
    }
}

/// What is known of a position.
#[derive(Default)]
struct Found {
    /// The value is within these.
    known: (i8, i8),
    /// The cells with their values, and whether those are exact; otherwise the value is at most that.
    moves: Vec<(usize, i8, bool)>,
    /// Is every best cell known?
    complete: bool,
    line: Vec<usize>,
    nodes: u64,
}

/// Narrows the bounds until they meet.
fn narrow(
    solver: &mut Solver,
    state: &mut State,
    known: &Cell<(i8, i8)>,
    control: &mut Control,
) -> Result<(), Stopped> {
    // "Is it won?" first: a win is the quicker proof.
    if solver.at_least(state, 1, control)? {
        known.set((1, 1));
    } else {
        known.set((-1, 0));
        known.set(if solver.at_least(state, 0, control)? { (0, 0) } else { (-1, -1) });
    }
    Ok(())
}

/// Rates the cells of a position of known value: all best ones, or one if that is enough.
fn rate(solver: &mut Solver, state: &mut State, value: i8, one_best: bool, control: &mut Control) -> Found {
    let before = solver.nodes();
    let mut cells: Vec<usize> = solver.board().by_rows_through().into_iter().map(usize::from).collect();
    cells.retain(|&cell| state.is_empty(cell));
    let mut best: Vec<(usize, Option<bool>)> = Vec::with_capacity(cells.len());
    // Step 1: what finding the value has shown already.
    let mut enough = false;
    solver.limit_nodes(Some(0));
    for cell in cells {
        let answer = if enough { None } else { solver.reaches(state, cell, value, control).ok() };
        enough |= one_best && answer == Some(true);
        best.push((cell, answer));
    }
    solver.limit_nodes(None);
    // Step 2: the rest, unless one is enough.
    for (cell, answer) in best.iter_mut().filter(|(_, answer)| answer.is_none()) {
        if !enough {
            *answer = solver.reaches(state, *cell, value, control).ok();
            enough = one_best && *answer == Some(true);
        }
    }
    // Step 3: the exact values of the others, if all that was cheap.
    let complete = !one_best && best.iter().all(|(_, answer)| answer.is_some());
    let spent = solver.nodes() - before;
    solver.limit_nodes(Some(if complete { CHEAP.saturating_sub(spent) } else { 0 }));
    let mut moves = Vec::new();
    for (cell, answer) in best {
        moves.push(match answer {
            Some(true) => (cell, value, true),
            Some(false) if value == 0 => (cell, -1, true),
            Some(false) => match solver.value_of_move(state, cell, control) {
                Ok(exact) => (cell, exact, true),
                Err(Stopped) => (cell, value - 1, false),
            },
            None => (cell, value, false),
        });
    }
    Found { moves, complete, ..Found::default() }
}

/// Best play from here on, as far as it is found without much work.
fn expected_line(
    solver: &mut Solver,
    state: &mut State,
    value: i8,
    found: &Found,
    control: &mut Control,
) -> Vec<usize> {
    let best = |&&(_, of_move, exact): &&(usize, i8, bool)| exact && of_move == value;
    let Some(&(first, ..)) = found.moves.iter().find(best) else { return Vec::new() };
    solver.limit_nodes(Some(CHEAP));
    let mut line = vec![first];
    state.play(first);
    let mut value = -value;
    while !state.is_over() {
        let order = solver.board().by_rows_through();
        let mut free = order.into_iter().map(usize::from).filter(|&cell| state.is_empty(cell)).collect::<Vec<_>>();
        free.retain(|&cell| line.len() < 64 && matches!(solver.reaches(state, cell, value, control), Ok(true)));
        let Some(&next) = free.first() else { break };
        line.push(next);
        state.play(next);
        value = -value;
    }
    line.iter().rev().for_each(|&cell| state.take_back(cell));
    line
}

fn solution(found: &Found, place: impl Fn(usize) -> Place) -> Solution<Place> {
    let (lower, upper) = found.known;
    let mut moves: Vec<MoveValue<Place>> = found
        .moves
        .iter()
        .map(|&(cell, value, exact)| MoveValue {
            mv: place(cell),
            score: Score(value.into()),
            exactness: if exact { Exactness::Exact } else { Exactness::AtMost },
        })
        .collect();
    moves.sort_by_key(|mv| (Reverse(mv.score), mv.exactness != Exactness::Exact, mv.mv));
    let is_best = |mv: &&MoveValue<Place>| mv.exactness == Exactness::Exact && mv.score == Score(upper.into());
    Solution {
        lower: Score(lower.into()),
        upper: Score(upper.into()),
        best: moves.iter().filter(is_best).map(|mv| mv.mv).collect(),
        best_complete: found.complete,
        moves,
        pv: found.line.iter().copied().map(place).collect(),
        nodes: found.nodes,
    }
}
