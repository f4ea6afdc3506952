//! `report-minimax`: three plies of alpha-beta on a board where marks spread.

use papan_core::observer::BestSoFar;
use papan_core::{
    Bot, BotEntry, BotInfo, Budget, Decision, Exactness, Meter, MoveSet as _, MoveValue, Observer, Place, Player,
    Position as _, Score, Settings, Text, Window, seen_by,
};
use papan_games::adjacency::{Adjacency, AdjacencyPosition};

use crate::report::{capped, shared_options};

/// Plies that are searched below each move of the root.
const DEPTH: u32 = 2;
/// The window at each move of the root.
const WINDOW: Window = Window { alpha: Score(-9999), beta: Score(9999) };

/// The report's minimax player.
#[derive(Clone, Debug)]
pub struct ReportMinimax {
    settings: Settings,
}

impl ReportMinimax {
    /// Its line on the roster.
    #[must_use]
    pub fn entry() -> BotEntry<Adjacency> {
        BotEntry {
            info: BotInfo {
                name: "report-minimax",
                title: Text::new("Minimax of the report", "Minimax dari laporan"),
                about: Text::new(
                    "The 2023 report's minimax: three plies with alpha-beta, last best move, in a look-ahead whose marks also paint empty neighbours.",
                    "Minimax dari laporan 2023: tiga langkah dengan alpha-beta, langkah terbaik terakhir, dengan pandangan ke depan yang ikut mewarnai tetangga kosong.",
                ),
                options: shared_options(),
            },
            build: |_, settings| Box::new(Self { settings: settings.clone() }),
        }
    }
}

/// The board of the look-ahead, from the chair of the player to move.
///
/// **The quirk.** A move paints its cell and *all four* orthogonal neighbours,
/// the empty ones too, in the mover's colour. By the true rules, by which the
/// game itself is played, only enemy marks turn.
#[derive(Clone, Copy, Debug)]
struct Painted {
    own: u64,
    other: u64,
    mover: Player,
}

impl Painted {
    fn of(position: &AdjacencyPosition) -> Self {
        let marks = position.marks();
        let mover = position.to_move();
        Self { own: marks[mover.index()], other: marks[mover.other().index()], mover }
    }

    fn empties(self) -> u64 {
        !(self.own | self.other)
    }

    /// The board after the mover paints around `cell`, from the other chair.
    fn after(self, cell: u32) -> Self {
        let mark = 1u64 << cell;
        let sideways = (mark & 0x7f7f_7f7f_7f7f_7f7f) << 1 | (mark & 0xfefe_fefe_fefe_fefe) >> 1;
        let painted = mark | sideways | mark << 8 | mark >> 8;
        Self { own: self.other & !painted, other: self.own | painted, mover: self.mover.other() }
    }

    /// Own marks minus the opponent's.
    fn difference(self) -> Score {
        Score(self.own.count_ones() as i32 - self.other.count_ones() as i32)
    }
}

/// The cells of a set, rows then columns.
fn cells(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let cell = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (cell < 64).then_some(cell)
    })
}

/// The value for the player to move. A board without empty cells
/// leaves alpha as it is: the loop has nothing to raise it with.
fn value(board: Painted, depth: u32, rounds: u32, mut window: Window, meter: &mut Meter) -> Score {
    if meter.visit() {
        return Score(0);
    }
    if depth == 0 || rounds == 0 {
        return board.difference();
    }
    let mut best = WINDOW.alpha;
    for cell in cells(board.empties()) {
        let after = board.after(cell);
        let window_there = seen_by(window, board.mover, after.mover);
        let score = seen_by(value(after, depth - 1, rounds - 1, window_there, meter), after.mover, board.mover);
        if meter.stopped() {
            break;
        }
        best = best.max(score);
        window.alpha = window.alpha.max(score);
        if window.alpha >= window.beta {
            break;
        }
    }
    best
}

impl Bot<AdjacencyPosition> for ReportMinimax {
    fn choose_observed<O: Observer<AdjacencyPosition>>(
        &mut self,
        position: &AdjacencyPosition,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<Place> {
        let mut meter = capped(budget, &self.settings).start();
        let board = Painted::of(position);
        // Rounds, not plies: passed on unchanged to the moves of the root, and
        // one less at each ply below them.
        let rounds = position.rounds_left();
        let mut decision = Decision::unsearched(position.legal_moves().nth(0));
        if !meter.visit() {
            for cell in cells(board.empties()) {
                let mv = Place(cell as u8);
                let after = board.after(cell);
                let score = seen_by(value(after, DEPTH, rounds, WINDOW, &mut meter), after.mover, board.mover);
                if meter.stopped() {
                    break;
                }
                decision.per_move.push(MoveValue { mv, score, exactness: Exactness::Estimate });
                if decision.depth == 0 || score >= decision.score {
                    (decision.mv, decision.score, decision.depth) = (mv, score, 1 + DEPTH);
                    observer.best(&BestSoFar { mv, score, depth: 1 + DEPTH, nodes: meter.nodes() });
                }
            }
        }
        decision.per_move.sort_by_key(|value| (std::cmp::Reverse(value.score), value.mv != decision.mv));
        Decision { nodes: meter.nodes(), pv: vec![decision.mv], ..decision }
    }
}
