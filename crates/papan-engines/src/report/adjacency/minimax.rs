//! `report-minimax`: three plies of alpha-beta on a board where marks spread.

use papan_core::observer::{BestSoFar, Cut, LeafReason, Visit};
use papan_core::{
    Bot, BotEntry, BotInfo, Budget, Decision, Exactness, Meter, MoveSet as _, MoveValue, Observer, Place, Player,
    Position as _, Score, Settings, Text, Window, seen_by,
};
use papan_games::adjacency::{Adjacency, AdjacencyPosition, Neighbourhood};

use crate::common::bits::SetBits;
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
                searches_tree: true,
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

    /// The board as a position, for those who watch. A round ends with Second's
    /// mark; while there are empty cells the look-ahead may go on, past the
    /// game's own end too.
    fn as_position(self, rounds: u32, neighbourhood: Neighbourhood) -> AdjacencyPosition {
        let marks = match self.mover {
            Player::First => [self.own, self.other],
            Player::Second => [self.other, self.own],
        };
        AdjacencyPosition::new(marks, self.mover, rounds.max(1), neighbourhood)
    }

    /// Own marks minus the opponent's.
    fn difference(self) -> Score {
        Score(self.own.count_ones() as i32 - self.other.count_ones() as i32)
    }
}

/// A node of the look-ahead.
#[derive(Clone, Copy, Debug)]
struct Node {
    board: Painted,
    /// The cell that was painted last.
    mv: Place,
    /// Plies still to be searched.
    depth: u32,
    /// Rounds still to be played, as the look-ahead counts them.
    rounds: u32,
    window: Window,
}

/// A running search.
struct Search<'a, O> {
    meter: Meter,
    observer: &'a mut O,
    neighbourhood: Neighbourhood,
}

impl<O: Observer<AdjacencyPosition>> Search<'_, O> {
    /// The value of a node for its player to move.
    fn value(&mut self, node: Node) -> Score {
        if self.meter.visit() {
            return Score(0);
        }
        if self.observer.is_active() {
            let position = node.board.as_position(node.rounds, self.neighbourhood);
            let (mv, ply) = (Some(node.mv), 1 + DEPTH - node.depth);
            self.observer.enter(&Visit { position: &position, mv, ply, window: node.window });
        }
        let score = if node.rounds == 0 {
            self.leaf(node.board.difference(), LeafReason::Over)
        } else if node.depth == 0 {
            self.leaf(node.board.difference(), LeafReason::Horizon)
        } else if node.board.empties() == 0 {
            // The loop over the cells has nothing to raise its lowest value with.
            self.leaf(WINDOW.alpha, LeafReason::Over)
        } else {
            self.best_reply(node)
        };
        if !self.meter.stopped() {
            self.observer.exit(node.board.mover, score);
        }
        score
    }

    fn leaf(&mut self, score: Score, reason: LeafReason) -> Score {
        self.observer.leaf(score, reason);
        score
    }

    fn best_reply(&mut self, Node { board, depth, rounds, mut window, .. }: Node) -> Score {
        let mut best = WINDOW.alpha;
        let mut rest = SetBits(board.empties());
        while let Some(cell) = rest.next() {
            let (mv, after) = (Place(cell as u8), board.after(cell));
            let window_there = seen_by(window, board.mover, after.mover);
            let child = Node { board: after, mv, depth: depth - 1, rounds: rounds - 1, window: window_there };
            let score = seen_by(self.value(child), after.mover, board.mover);
            if self.meter.stopped() {
                break;
            }
            best = best.max(score);
            window.alpha = window.alpha.max(score);
            if window.alpha >= window.beta {
                if self.observer.is_active() {
                    self.report_cut(mv, rest, window);
                }
                break;
            }
        }
        best
    }

    #[cold]
    fn report_cut(&mut self, by: Place, rest: impl Iterator<Item = u32>, window: Window) {
        let skipped: Vec<Place> = rest.map(|cell| Place(cell as u8)).collect();
        if !skipped.is_empty() {
            self.observer.cut(&Cut { by, skipped: &skipped, window });
        }
    }
}

impl Bot<AdjacencyPosition> for ReportMinimax {
    fn choose_observed<O: Observer<AdjacencyPosition>>(
        &mut self,
        position: &AdjacencyPosition,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<Place> {
        let meter = capped(budget, &self.settings).start();
        let mut search = Search { meter, observer, neighbourhood: position.neighbourhood() };
        let board = Painted::of(position);
        // Rounds, not plies: passed on unchanged to the moves of the root, and
        // one less at each ply below them.
        let rounds = position.rounds_left();
        let mut decision = Decision::unsearched(position.legal_moves().nth(0));
        if !search.meter.visit() {
            search.observer.enter(&Visit { position, mv: None, ply: 0, window: WINDOW });
            for cell in SetBits(board.empties()) {
                let (mv, after) = (Place(cell as u8), board.after(cell));
                let node = Node { board: after, mv, depth: DEPTH, rounds, window: WINDOW };
                let score = seen_by(search.value(node), after.mover, board.mover);
                if search.meter.stopped() {
                    break;
                }
                decision.per_move.push(MoveValue { mv, score, exactness: Exactness::Estimate });
                if decision.depth == 0 || score >= decision.score {
                    (decision.mv, decision.score, decision.depth) = (mv, score, 1 + DEPTH);
                    let nodes = search.meter.nodes();
                    search.observer.best(&BestSoFar { mv, score, depth: 1 + DEPTH, nodes });
                }
            }
            if !search.meter.stopped() {
                search.observer.exit(board.mover, decision.score);
            }
        }
        decision.per_move.sort_by_key(|value| (std::cmp::Reverse(value.score), value.mv != decision.mv));
        Decision { nodes: search.meter.nodes(), pv: vec![decision.mv], ..decision }
    }

    fn foreseen(position: &AdjacencyPosition, mv: Place) -> AdjacencyPosition {
        let ended = u32::from(position.to_move() == Player::Second);
        let rounds = position.rounds_left().saturating_sub(ended);
        Painted::of(position).after(u32::from(mv.0)).as_position(rounds, position.neighbourhood())
    }
}
