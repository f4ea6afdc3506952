//! Threats: cells that win at once, cells that make two threats, wins by one threat after the other.

use super::board::Board;
use super::state::State;

/// What a side threatens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Threats {
    /// Cells that complete a row.
    pub wins: Vec<usize>,
    /// Cells after which two cells would complete a row.
    pub forks: Vec<usize>,
    /// Cells that begin a win by forced replies, with the whole line: own move, reply, own move …
    pub forced_win: Option<Vec<usize>>,
}

/// Positions a search for forced wins may look at.
const FORCED_WIN_NODES: usize = 20_000;

/// Lists the threats of a side, as if it were to move. In misère a completed row is a loss, so there is
/// nothing to threaten with and only `wins` (cells to stay away from) is filled.
#[must_use]
pub fn threats(state: &State, side: usize) -> Threats {
    let cells = || 0..state.board().cells();
    let wins: Vec<usize> = cells().filter(|&cell| state.completes(side, cell)).collect();
    if state.board().is_misere() {
        return Threats { wins, ..Threats::default() };
    }
    let forks = cells().filter(|&cell| is_fork(state, side, cell)).collect();
    let forced_win = if state.to_move() == side && !state.is_over() {
        forced_win(&mut state.clone(), &mut at_most(FORCED_WIN_NODES))
    } else {
        None
    };
    Threats { wins, forks, forced_win }
}

/// Whether a mark of the side in a free cell would leave two cells that complete a row.
pub(super) fn is_fork(state: &State, side: usize, cell: usize) -> bool {
    let k = state.board().in_a_row() as u8;
    if k < 2 || !state.is_empty(cell) {
        return false;
    }
    let mut first = None;
    for (line, marks) in state.own_rows(side, cell) {
        if marks + 2 != k {
            continue;
        }
        let completes = state.other_empty(line, cell);
        if first.is_some_and(|earlier| earlier != completes) {
            return true;
        }
        first = Some(completes);
    }
    false
}

/// A cell that makes a fork, if there is one.
pub(super) fn fork(state: &State, side: usize) -> Option<usize> {
    (0..state.board().cells()).find(|&cell| is_fork(state, side, cell))
}

/// Lets a search look at so many positions.
pub(super) fn at_most(mut nodes: usize) -> impl FnMut() -> bool {
    move || {
        let more = nodes > 0;
        nodes -= usize::from(more);
        more
    }
}

/// A win for the side to move by threats that leave one reply each: the moves of both sides. Nothing if
/// there is none or `may_go_on`, asked at each position, says no.
pub(super) fn forced_win(state: &mut State, may_go_on: &mut dyn FnMut() -> bool) -> Option<Vec<usize>> {
    let (side, other) = (state.to_move(), 1 - state.to_move());
    if let Some(win) = state.winning_cell(side) {
        return Some(vec![win]);
    }
    if state.winning_cells(other) > 1 {
        return None;
    }
    let forced = state.winning_cell(other);
    let k = state.board().in_a_row() as u8;
    for cell in 0..state.board().cells() {
        if !state.is_empty(cell) || forced.is_some_and(|must| must != cell) {
            continue;
        }
        // The last such row decides where the reply must be; a second one makes the reply useless.
        let threatens = state.own_rows(side, cell).any(|(_, marks)| marks + 2 == k);
        if !threatens {
            continue;
        }
        if !may_go_on() {
            return None;
        }
        state.play(cell);
        let line = follow_up(state, side, may_go_on);
        state.take_back(cell);
        if let Some(mut line) = line {
            line.insert(0, cell);
            return Some(line);
        }
    }
    None
}

/// The rest of a forced win after a threat: the reply and what follows.
fn follow_up(state: &mut State, attacker: usize, may_go_on: &mut dyn FnMut() -> bool) -> Option<Vec<usize>> {
    // The defender completes a row instead of replying.
    if state.winning_cells(1 - attacker) > 0 {
        return None;
    }
    let reply = state.winning_cell(attacker)?;
    state.play(reply);
    let rest = forced_win(state, may_go_on);
    state.take_back(reply);
    rest.map(|mut line| {
        line.insert(0, reply);
        line
    })
}

/// The cell names of a board as people write them: letters for columns, numbers for rows from the top.
#[must_use]
pub fn cell_name(board: &Board, cell: usize) -> String {
    let column = char::from(b'a' + (cell % board.cols()) as u8);
    format!("{column}{}", cell / board.cols() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_three_on_gomoku_wins_by_force() {
        let board = Board::new(15, 15, 5, false);
        let at = |row: usize, col: usize| row * 15 + col;
        let state = State::with_marks(&board, &[at(7, 5), at(7, 6), at(7, 7)], &[at(0, 0), at(0, 14)], 0);
        let found = threats(&state, 0);
        assert!(found.wins.is_empty());
        assert_eq!(found.forks, [at(7, 4), at(7, 8)]);
        assert_eq!(found.forced_win.map(|line| line.len()), Some(3));
    }

    #[test]
    fn a_defender_who_can_complete_a_row_is_not_forced() {
        let board = Board::new(5, 5, 3, false);
        let state = State::with_marks(&board, &[0, 1], &[10, 11], 1);
        let found = threats(&state, 1);
        assert_eq!(found.wins, [12]);
        assert_eq!(found.forced_win, Some(vec![12]));
        assert_eq!(cell_name(&board, 12), "c3");
    }
}
