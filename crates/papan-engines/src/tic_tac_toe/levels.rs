//! Weaker players that err on purpose.

use super::board::Board;
use super::player::{Choice, Limits, Player, Watch};
use super::state::State;
use crate::common::random::SplitMix;

/// The lowest level.
pub const LOWEST: u8 = 1;
/// The highest level, which is the strong player itself.
pub const HIGHEST: u8 = 10;
const TABLE_MEGABYTES: usize = 16;

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

/// A player of a given level.
pub struct LevelPlayer {
    level: u8,
    random: SplitMix,
    strong: Player,
}

impl LevelPlayer {
    /// A player of level 1 to 10; other numbers are moved into that range.
    #[must_use]
    pub fn new(board: Board, level: u8, seed: u64) -> Self {
        Self {
            level: level.clamp(LOWEST, HIGHEST),
            random: SplitMix::new(seed ^ 0x7469_635F_7461_635F),
            strong: Player::new(board, TABLE_MEGABYTES),
        }
    }

    /// The cell to mark; nothing if the game is over.
    pub fn choose(&mut self, state: &State, limits: Limits, watch: Watch) -> Option<Choice> {
        if self.level == HIGHEST || state.is_over() {
            return self.strong.choose(state, limits, watch);
        }
        let skill = skill(self.level);
        let attentive = self.random.roll(100) >= skill.overlooks;
        if attentive && let Some(cell) = urgent(state) {
            return Some(Choice::unrated(cell));
        }
        if self.random.roll(100) < skill.careless {
            return Some(Choice::unrated(self.careless_cell(state)));
        }
        let depth = Some(limits.depth.map_or(skill.depth, |depth| depth.min(skill.depth)));
        let cells = self.strong.ranked(state, Limits { depth, ..limits });
        // Moves that look equally good are not always the same.
        let equals = cells.iter().take_while(|&&(_, value)| value == cells[0].1).count();
        let pick = self.random.roll(equals);
        Some(Choice::unrated(cells[pick].0))
    }

    /// Any cell next to a mark, or any at all: careless, not absurd.
    fn careless_cell(&mut self, state: &State) -> usize {
        let board = state.board();
        let free = |cell: &usize| state.is_empty(*cell);
        let near = |cell: &usize| {
            let (row, col) = (cell / board.cols(), cell % board.cols());
            (0..board.cells()).any(|other| {
                let apart = (other / board.cols()).abs_diff(row).max((other % board.cols()).abs_diff(col));
                !state.is_empty(other) && apart <= 2
            })
        };
        let mut cells: Vec<usize> = (0..board.cells()).filter(free).filter(near).collect();
        if cells.is_empty() {
            cells = (0..board.cells()).filter(free).collect();
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
