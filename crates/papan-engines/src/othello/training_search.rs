//! The searches that training needs: any weights, one thread, no limits, the same values every time.

use super::answer::move_on;
use super::board::{Board, NO_SQUARE, Shape};
use super::endgame::exact::exact_score;
use super::endgame::leaf_cache::LeafCache;
use super::evaluation::Weights;
use super::limits::{Cancel, SearchLimits, StopCondition};
use super::move_generation::{Cpu, dispatch};
use super::search::probcut::EXACT;
use super::search::pvs::Aborted;
use super::search::{Effort, Node, Question, Search, Searcher, Window};
use super::transposition::TranspositionTable;
use papan_games::othello::{OthelloMove, OthelloPosition};
use std::sync::atomic::AtomicBool;

/// Nothing stops these searches, so that none is ever aborted.
static NEVER: AtomicBool = AtomicBool::new(false);
const UNLIMITED: &str = "nothing limits this search";

/// A search of the standard game with weights that may be other than the binary's, and a table of one megabyte, which
/// is quick to clear.
pub struct TrainingSearch<'a> {
    weights: &'a Weights,
    table: TranspositionTable,
    caches: [LeafCache; 1],
}

impl<'a> TrainingSearch<'a> {
    /// A search with empty tables.
    #[must_use]
    pub fn new(weights: &'a Weights) -> Self {
        Self { weights, table: TranspositionTable::new(1), caches: [LeafCache::new(15)] }
    }

    /// Forgets earlier searches, so that they cannot change the next one.
    pub fn clear(&self) {
        self.table.clear();
    }

    /// The value of a position by the boldest search of some plies, with its best move.
    #[must_use]
    pub fn value(&self, position: &OthelloPosition, depth: u32) -> (i32, OthelloMove) {
        let (score, best) = self.ask(Value { board: Board::of(position).0, depth });
        (score, move_on(best))
    }

    /// Values of searches of 0, 1, … plies without selectivity, as long as they do not reach the end.
    #[must_use]
    pub fn values(&self, position: &OthelloPosition, deepest: u32) -> Vec<i32> {
        self.clear();
        self.ask(Values { board: Board::of(position).0, deepest })
    }

    /// The exact score of a position with few empties; `guess` is where the first window is put.
    #[must_use]
    pub fn exact(&self, position: &OthelloPosition, guess: i32) -> i32 {
        self.ask(Exact { board: Board::of(position).0, guess })
    }

    fn ask<Q: Question>(&self, question: Q) -> Q::Answer {
        dispatch(Search {
            shape: Shape::STANDARD,
            stop: &StopCondition::new(SearchLimits::until(&NEVER), None),
            table: &self.table,
            caches: &self.caches,
            weights: self.weights,
            parallel: false,
            question,
        })
    }
}

struct Value {
    board: Board,
    depth: u32,
}

impl Question for Value {
    type Answer = (i32, u8);

    fn answer<C: Cpu>(self, searcher: &Searcher<'_, C>) -> (i32, u8) {
        let mut root = searcher.root(self.board);
        if root.moves.is_empty() {
            let over = searcher.without_moves(self.board);
            let pass = || -Self { board: self.board.passed(), depth: self.depth }.answer(searcher).0;
            return (over.unwrap_or_else(pass), NO_SQUARE);
        }
        let mut score = 0;
        for depth in [self.depth / 2, self.depth].into_iter().filter(|&depth| depth > 0) {
            let effort = Effort { depth: depth.min(root.node.empties), level: 0 };
            score = searcher.aspiration_search(&mut root, score, effort, &mut 0).expect(UNLIMITED);
        }
        (score, root.moves[0].square)
    }
}

struct Values {
    board: Board,
    deepest: u32,
}

impl Question for Values {
    type Answer = Vec<i32>;

    fn answer<C: Cpu>(self, searcher: &Searcher<'_, C>) -> Vec<i32> {
        let node = Node::new(self.board, Shape::STANDARD);
        let value = |depth| {
            let effort = Effort { depth, level: EXACT };
            searcher.pvs(&node, Window::FULL, effort, &mut 0, &Cancel::default())
        };
        let last = self.deepest.min(node.empties.saturating_sub(1));
        (0..=last).map(value).collect::<Result<_, Aborted>>().expect(UNLIMITED)
    }
}

struct Exact {
    board: Board,
    guess: i32,
}

impl Question for Exact {
    type Answer = i32;

    fn answer<C: Cpu>(self, searcher: &Searcher<'_, C>) -> i32 {
        exact_score(searcher.cpu, &searcher.endgame, &mut 0, self.board, self.guess)
    }
}
