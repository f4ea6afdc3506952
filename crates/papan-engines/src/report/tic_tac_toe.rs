//! `report-2023-minimax`: the player of the Tic-tac-toe report of 2023, as its
//! published program plays. It can be beaten, and this is why:
//!
//! 1. After a mark it asks whether the same player could complete a row with
//!    **a further mark**. If so, the move counts as decided (1000), although it
//!    is the other player's turn, who may block the row or complete one.
//! 2. An open two so counts for more than a completed row (10).
//! 3. When the window closes, only **the current row of cells** is left: the
//!    next row is tried all the same.
//! 4. Each node takes its level off what it found, on every level again.

use arrayvec::ArrayVec;
use papan_core::observer::{BestSoFar, Cut, LeafReason, Visit};
use papan_core::{
    Bits, Bot, BotEntry, BotInfo, Budget, Decision, Exactness, Meter, MoveSet as _, MoveValue, Observer, Place, Player,
    Position as _, Score, Settings, Text, Window, seen_by,
};
use papan_games::tic_tac_toe::{TicTacToe, TicTacToePosition};

use super::{capped, shared_options};

const SIDE: usize = 3;
const CELLS: usize = SIDE * SIDE;
/// The window at each move of the root, and the least that a node can find.
const WINDOW: Window = Window { alpha: Score(-1000), beta: Score(1000) };
/// A completed row, for its owner.
const ROW: Score = Score(10);
/// A row that a further mark would complete, for whoever has just moved.
const OPEN_TWO: Score = Score(1000);

/// A line of play.
type Line = ArrayVec<Place, CELLS>;

/// The player of the 2023 program, for three in a row on 3×3.
#[derive(Clone, Debug)]
pub struct Report2023Minimax {
    settings: Settings,
    board: Board,
}

impl Report2023Minimax {
    /// Its name on the roster.
    pub const NAME: &'static str = "report-2023-minimax";

    /// Its line on the roster.
    #[must_use]
    pub fn entry<B: Bits>() -> BotEntry<TicTacToe<B>> {
        BotEntry {
            info: BotInfo {
                name: Self::NAME,
                title: Text::new("Minimax of the 2023 report", "Minimax dari laporan 2023"),
                about: Text::new(
                    "Plays as the 2023 report's program does, which can be beaten: it takes two marks in an open row for a won game, although it is the opponent's turn. For 3×3 with three in a row only.",
                    "Bermain seperti program laporan 2023, yang dapat dikalahkan: dua marka di baris yang masih terbuka dianggap sudah menang, padahal giliran lawan. Hanya untuk papan 3×3 dengan tiga sebaris.",
                ),
                searches_tree: true,
                options: shared_options(),
            },
            build: |game, settings| Box::new(Self { settings: settings.clone(), board: Board::of(game) }),
        }
    }

    /// Is this the game of the report?
    #[must_use]
    pub fn plays<B: Bits>(game: &TicTacToe<B>) -> bool {
        [game.rows(), game.cols(), game.in_a_row()] == [SIDE; 3] && !game.is_misere()
    }
}

/// The eight rows of three: across, down, and the diagonals.
#[derive(Clone, Debug)]
struct Board([[Place; SIDE]; 2 * SIDE + 2]);

impl Board {
    fn of<B: Bits>(game: &TicTacToe<B>) -> Self {
        let line = |cell: &dyn Fn(usize) -> (usize, usize)| {
            std::array::from_fn(|number| {
                let (row, column) = cell(number);
                game.cell(row, column)
            })
        };
        Self(std::array::from_fn(|number| match number {
            0..SIDE => line(&|n| (number, n)),
            6 => line(&|n| (n, n)),
            7 => line(&|n| (n, SIDE - 1 - n)),
            _ => line(&|n| (n, number - SIDE)),
        }))
    }

    /// The number of the row of cells that `cell` is in.
    fn row_of(&self, cell: Place) -> Option<usize> {
        self.0[..SIDE].iter().position(|row| row.contains(&cell))
    }

    /// Could `player` complete a row with one more mark?
    fn has_open_two<B: Bits>(&self, position: &TicTacToePosition<B>, player: Player) -> bool {
        self.0.iter().any(|row| {
            let count = |owner: Option<Player>| row.iter().filter(|&&cell| position.mark_at(cell) == owner).count();
            count(Some(player)) == SIDE - 1 && count(None) == 1
        })
    }
}

/// A value for the player to move, and the play that it comes from.
struct Found {
    score: Score,
    line: Line,
}

impl Found {
    fn leaf(score: Score) -> Self {
        Self { score, line: Line::new() }
    }
}

struct Search<'a, O> {
    board: &'a Board,
    meter: Meter,
    observer: &'a mut O,
    /// The ply beyond which the budget does not allow to look.
    deepest: u32,
}

impl<O> Search<'_, O> {
    /// The value of `position`, reached by `mv`, for its player to move;
    /// `None` if the budget is spent.
    fn value<B: Bits>(&mut self, position: &TicTacToePosition<B>, mv: Place, ply: u32, window: Window) -> Option<Found>
    where
        O: Observer<TicTacToePosition<B>>,
    {
        if self.meter.visit() {
            return None;
        }
        self.observer.enter(&Visit { position, mv: Some(mv), ply, window });
        // The other player has just moved. Looked at below the moves of the
        // root only: a root move that makes an open two is searched.
        let mover = position.to_move();
        let found = if ply > 1 && self.board.has_open_two(position, mover.other()) {
            self.leaf::<B>(seen_by(OPEN_TWO, mover.other(), mover), LeafReason::Horizon)
        } else if let Some(winner) = position.winner() {
            self.leaf::<B>(seen_by(ROW, winner, mover), LeafReason::Over)
        } else if position.is_over() {
            self.leaf::<B>(Score(0), LeafReason::Over)
        } else if ply >= self.deepest {
            self.leaf::<B>(Score(0), LeafReason::Horizon)
        } else {
            self.best_reply(position, ply, window)?
        };
        self.observer.exit(mover, found.score);
        Some(found)
    }

    fn leaf<B: Bits>(&mut self, score: Score, reason: LeafReason) -> Found
    where
        O: Observer<TicTacToePosition<B>>,
    {
        self.observer.leaf(score, reason);
        Found::leaf(score)
    }

    fn best_reply<B: Bits>(&mut self, position: &TicTacToePosition<B>, ply: u32, mut window: Window) -> Option<Found>
    where
        O: Observer<TicTacToePosition<B>>,
    {
        let mut best = Found::leaf(WINDOW.alpha);
        let mut left_row = None;
        let mut closed = None;
        let mut skipped = Line::new();
        for cell in position.legal_moves() {
            let row = self.board.row_of(cell);
            if left_row == Some(row) {
                skipped.push(cell);
                continue;
            }
            let after = position.after(cell);
            let window_there = seen_by(window, position.to_move(), after.to_move());
            let reply = self.value(&after, cell, ply + 1, window_there)?;
            let score = seen_by(reply.score, after.to_move(), position.to_move());
            if score > best.score {
                best = Found { score, line: std::iter::once(cell).chain(reply.line).collect() };
            }
            window.alpha = window.alpha.max(best.score);
            if window.alpha >= window.beta {
                left_row = Some(row);
                closed.get_or_insert((cell, window));
            }
        }
        // One report a node, as observers expect: what closed the window
        // first, and everything that was skipped for it.
        if let Some((by, window)) = closed
            && !skipped.is_empty()
        {
            self.observer.cut(&Cut { by, skipped: &skipped, window });
        }
        let level = ply as i32 - 1;
        Some(Found { score: Score(best.score.0 - level), ..best })
    }
}

impl<B: Bits> Bot<TicTacToePosition<B>> for Report2023Minimax {
    fn choose_observed<O: Observer<TicTacToePosition<B>>>(
        &mut self,
        position: &TicTacToePosition<B>,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<Place> {
        let moves = position.legal_moves();
        let budget = capped(budget, &self.settings);
        let deepest = budget.depth.map_or(u32::MAX, |depth| depth.max(1)).min(moves.len() as u32);
        let mut search = Search { board: &self.board, meter: budget.start(), observer, deepest };
        let mut decision = Decision::unsearched(moves.nth(0));
        if search.meter.visit() {
            return decision;
        }
        search.observer.enter(&Visit { position, mv: None, ply: 0, window: WINDOW });
        for mv in moves {
            let after = position.after(mv);
            let window = seen_by(WINDOW, position.to_move(), after.to_move());
            let Some(found) = search.value(&after, mv, 1, window) else { break };
            let score = seen_by(found.score, after.to_move(), position.to_move());
            decision.per_move.push(MoveValue { mv, score, exactness: Exactness::Estimate });
            // The last of equals.
            if decision.depth == 0 || score >= decision.score {
                (decision.mv, decision.score, decision.depth) = (mv, score, deepest);
                decision.pv = std::iter::once(mv).chain(found.line).collect();
                search.observer.best(&BestSoFar { mv, score, depth: deepest, nodes: search.meter.nodes() });
            }
        }
        if !search.meter.stopped() {
            search.observer.exit(position.to_move(), decision.score);
        }
        decision.per_move.sort_by_key(|value| (std::cmp::Reverse(value.score), value.mv != decision.mv));
        Decision { nodes: search.meter.nodes(), ..decision }
    }
}
