//! Where five in a row can be forced, the advice forces it.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use papan_core::{Budget, Random};
use papan_engines::Control;
use papan_engines::tic_tac_toe::board::Board;
use papan_engines::tic_tac_toe::solver::Solver;
use papan_engines::tic_tac_toe::state::State;
use papan_engines::tic_tac_toe::threats::{cell_name, threats};
use papan_roster::advice::analyse;

/// Positions to check of each size.
const COUNT: usize = 200;
/// What the solver may search to prove that a random position is won.
const PROOF_NODES: u64 = 400;
/// What may be searched to prove that an advised cell wins.
const CHECK_NODES: u64 = 200_000;

/// Marks of both sides.
struct Marks {
    first: Vec<usize>,
    second: Vec<usize>,
}

impl Marks {
    /// As many for each side, or one more for the first: nobody has a row yet.
    fn random(board: &Board, random: &mut Random) -> Option<(Self, usize)> {
        let count = board.cells() / 16 + random.below(board.cells() / 5);
        let mut cells = BTreeSet::new();
        while cells.len() < count {
            cells.insert(random.below(board.cells()));
        }
        let mut cells: Vec<usize> = cells.into_iter().collect();
        random.shuffle(&mut cells);
        let (first, second) = cells.split_at(count.div_ceil(2));
        let marks = Self { first: first.to_vec(), second: second.to_vec() };
        let to_move = count % 2;
        (!marks.state(board, to_move).is_over()).then_some((marks, to_move))
    }

    fn state<'a>(&self, board: &'a Board, to_move: usize) -> State<'a> {
        State::with_marks(board, &self.first, &self.second, to_move)
    }

    /// The position as people write it.
    fn text(&self, board: &Board, to_move: usize) -> String {
        let mark = |cell: usize| match (self.first.contains(&cell), self.second.contains(&cell)) {
            (true, _) => 'X',
            (_, true) => 'O',
            _ => '.',
        };
        let row = |row: usize| (0..board.cols()).map(|col| mark(row * board.cols() + col)).collect::<String>();
        let rows: Vec<String> = (0..board.rows()).map(row).collect();
        format!("{} {}", rows.join("/"), ['X', 'O'][to_move])
    }
}

/// Is the position won for the side to move, as far as so many positions show?
fn is_won(solver: &mut Solver, state: &mut State, nodes: u64) -> bool {
    let stop = AtomicBool::new(false);
    if threats(state, state.to_move()).forced_win.is_some() {
        return true;
    }
    let control = Control::until_stopped(&stop).up_to(solver.nodes() + nodes);
    solver.at_least(state, 1, &control) == Ok(true)
}

/// Does this cell keep the win? By plain play: a row, two ways to complete one, or one and the only reply to it; for
/// quiet cells the solver is asked.
fn wins(solver: &mut Solver, state: &mut State, cell: usize) -> bool {
    let (side, board) = (state.to_move(), solver.board().clone());
    let stop = AtomicBool::new(false);
    state.play(cell);
    let completing = |state: &State, side: usize| -> Vec<usize> {
        (0..board.cells()).filter(|&cell| state.completes(side, cell)).collect()
    };
    let (own, others) = (completing(state, side), completing(state, 1 - side));
    let won = if state.row_owner() == Some(side) {
        true
    } else if !others.is_empty() {
        false
    } else if own.len() == 1 {
        state.play(own[0]);
        let won = !state.is_over() && is_won(solver, state, CHECK_NODES);
        state.take_back(own[0]);
        won
    } else if own.len() > 1 {
        true
    } else {
        let control = Control::until_stopped(&stop).up_to(solver.nodes() + CHECK_NODES);
        solver.at_least(state, 0, &control) == Ok(false)
    };
    state.take_back(cell);
    won
}

/// Every move that is called best in won positions wins.
fn check(size: usize, seed: u64) {
    let board = Board::new(size, size, 5, false);
    let spec = format!("tic-tac-toe:rows={size},cols={size},k=5");
    let mut solver = Solver::new(board.clone(), 16);
    let mut random = Random::new(seed);
    let mut checked = 0;
    while checked < COUNT {
        let Some((marks, to_move)) = Marks::random(&board, &mut random) else { continue };
        let mut state = marks.state(&board, to_move);
        if !is_won(&mut solver, &mut state, PROOF_NODES) {
            continue;
        }
        checked += 1;
        let text = marks.text(&board, to_move);
        let table = papan_roster::table(&spec, Some(&text)).unwrap();
        let analysis = analyse(&*table, "engine", &Budget::nodes(20_000)).unwrap();
        assert!(analysis.readable.exact && analysis.readable.value == Some(1), "{text}: {:?}", analysis.readable);
        for best in &analysis.best {
            let cell = (0..board.cells()).find(|&cell| cell_name(&board, cell) == *best).unwrap();
            assert!(wins(&mut solver, &mut state, cell), "{best} of {:?} does not win {text}", analysis.best);
        }
    }
}

#[test]
fn fifteen_by_fifteen() {
    check(15, 15);
}

#[test]
fn nine_by_nine() {
    check(9, 9);
}

/// The first player has an open row of three and the move: either end wins, and nothing else is called best.
#[test]
fn an_open_row_of_three_is_continued() {
    let mut table = papan_roster::table("tic-tac-toe:rows=15,cols=15,k=5", Some("h8 i8 h7 i7 h9")).unwrap();
    let defence = analyse(&*table, "engine", &Budget::nodes(20_000)).unwrap();
    assert!(["h6", "h10"].contains(&defence.best[0].as_str()), "{:?}", defence.best);
    assert_eq!(defence.best.len(), 1, "estimates are no ties: {:?}", defence.best);
    table.play("i9").unwrap();
    let attack = analyse(&*table, "engine", &Budget::nodes(20_000)).unwrap();
    assert_eq!(attack.best, ["h6", "h10"]);
}
