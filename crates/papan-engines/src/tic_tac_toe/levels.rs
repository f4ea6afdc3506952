//! Weaker players that err on purpose.

use super::board::Board;
use super::player::{Player, ranked};
use super::state::State;
use crate::common::choice::{Choice, Watch};
use crate::common::levels::EngineSettings;
use crate::common::random::SplitMix;
use papan_core::Budget;

/// Megabytes of the solver's table at full strength, and at a level.
const TABLE_MEGABYTES: [usize; 2] = [64, 16];

/// What a level overlooks.
#[derive(Clone, Copy, Debug)]
struct Skill {
    /// How often, in percent, it plays a cell without thought.
    careless: usize,
    /// How often, in percent, it does not see that it could complete a row, or must stop one.
    overlooks: usize,
    /// How far it looks ahead.
    depth: u8,
}

const fn skill(level: u8) -> Skill {
    let (careless, overlooks, depth) = match level {
        0 | 1 => (60, 40, 1),
        2 => (42, 25, 1),
        3 => (28, 14, 1),
        4 => (18, 7, 2),
        5 => (11, 3, 2),
        6 => (7, 0, 2),
        7 => (5, 0, 3),
        8 => (3, 0, 4),
        _ => (1, 0, 5),
    };
    Skill { careless, overlooks, depth }
}

/// A player at full strength or of a level.
pub(super) struct LevelPlayer {
    skill: Option<Skill>,
    random: SplitMix,
    strong: Player,
}

impl LevelPlayer {
    pub(super) fn new(board: Board, settings: EngineSettings) -> Self {
        let megabytes = TABLE_MEGABYTES[usize::from(settings.level.is_some())];
        Self {
            skill: settings.weaker().map(skill),
            random: SplitMix::new(settings.seed ^ 0x7469_635F_7461_635F),
            strong: Player::new(board, megabytes),
        }
    }

    /// The cell to mark in a game that is not over.
    pub(super) fn choose(&mut self, state: &State, budget: &Budget, watch: Watch) -> Choice {
        let Some(skill) = self.skill else { return self.strong.choose(state, budget, watch) };
        let attentive = self.random.roll(100) >= skill.overlooks;
        if attentive && let Some(cell) = urgent(state) {
            return Choice::unrated(cell);
        }
        if self.random.roll(100) < skill.careless {
            return Choice::unrated(self.careless_cell(state));
        }
        let cells = ranked(state, budget, skill.depth);
        // Moves that look equally good are not always the same.
        let equals = cells.iter().take_while(|&&(_, value)| value == cells[0].1).count();
        Choice::unrated(cells[self.random.roll(equals)].0)
    }

    /// Any cell next to a mark, or any at all: careless, not absurd.
    fn careless_cell(&mut self, state: &State) -> usize {
        let board = state.board();
        let near = |cell: &usize| {
            let (row, col) = (cell / board.cols(), cell % board.cols());
            (0..board.cells()).any(|other| {
                let apart = (other / board.cols()).abs_diff(row).max((other % board.cols()).abs_diff(col));
                !state.is_empty(other) && apart <= 2
            })
        };
        let mut cells: Vec<usize> = state.free_cells().filter(near).collect();
        if cells.is_empty() {
            cells = state.free_cells().collect();
        }
        cells[self.random.roll(cells.len())]
    }
}

/// The cell that wins now, or stops the other side from doing so.
fn urgent(state: &State) -> Option<usize> {
    if state.board().is_misere() {
        return None;
    }
    let side = state.to_move();
    state.winning_cell(side).or_else(|| state.winning_cell(1 - side))
}
