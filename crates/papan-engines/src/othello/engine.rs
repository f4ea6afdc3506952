//! The engine as its users see it: a position and limits go in, a move, a score or all moves' scores come out. It keeps
//! tables and threads from one search to the next.

use super::answer::{Answer, Proof, Valued};
use super::board::{Board, Shape};
use super::endgame::leaf_cache::LeafCache;
use super::evaluation::embedded_weights;
use super::evaluation::features::PLACE_VALUES;
use super::limits::{SearchLimits, SolverStatus, StopCondition};
use super::move_generation::dispatch;
use super::search::iterative_deepening::{Analyse, Rate, Think};
use super::search::solve::Solve;
use super::search::{Question, Search};
use super::stability;
use super::transposition::TranspositionTable;
use papan_games::othello::OthelloPosition;
use std::sync::LazyLock;

/// The size of the transposition table unless it is chosen.
pub const DEFAULT_MEGABYTES: usize = 128;
/// Log2 of the positions in the cache near the leaves: 2 MB, not much more than a core's own cache.
const LEAF_CACHE_LOG2: u32 = 16;

/// The engine with its memory.
pub struct Engine {
    table: TranspositionTable,
    /// One for each thread: what one writes the others would have to fetch from its processor.
    caches: Vec<LeafCache>,
    pool: Option<rayon::ThreadPool>,
    /// What the tables were filled for: the same discs are another position by other rules.
    shape: Shape,
}

impl Engine {
    /// An engine with a transposition table of some megabytes and so many threads (at least one).
    #[must_use]
    pub fn new(megabytes: usize, threads: usize) -> Self {
        // Made here, so that no first move pays for them with its time.
        embedded_weights();
        LazyLock::force(&PLACE_VALUES);
        stability::prepare();
        // Without a pool the search runs on the caller's thread: so it does if the system refuses more threads.
        let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()).flatten();
        let caches = (0..threads.max(1)).map(|_| LeafCache::new(LEAF_CACHE_LOG2)).collect();
        Self { table: TranspositionTable::new(megabytes), caches, pool, shape: Shape::STANDARD }
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.table.renew();
        self.caches.iter().for_each(LeafCache::clear);
    }

    /// The best move that can be found in what may be spent; `told` hears of each finished iteration.
    pub fn think(
        &mut self,
        position: &OthelloPosition,
        limits: SearchLimits<'_>,
        told: &mut (dyn FnMut(&Answer) + Send),
    ) -> Answer {
        self.ask(position, limits, None, |board| Think { board, limits, told })
    }

    /// A score for every legal move, best first, each as deep as there was time for, and the nodes it took.
    pub fn analyse(&mut self, position: &OthelloPosition, limits: SearchLimits<'_>) -> (Vec<Valued>, u64) {
        self.ask(position, limits, None, |board| Analyse { board, limits })
    }

    /// What is known of the moves beside an answer's, valued like that one as far as may be spent, and the nodes it
    /// took.
    pub(crate) fn rate(
        &mut self,
        position: &OthelloPosition,
        answer: &Answer,
        limits: SearchLimits<'_>,
    ) -> (Vec<Valued>, u64) {
        self.ask(position, limits, None, |board| Rate { board, answer })
    }

    /// The exact score with the best move or all of them.
    pub(crate) fn solve(
        &mut self,
        position: &OthelloPosition,
        one_best: bool,
        limits: SearchLimits<'_>,
        status: &SolverStatus,
    ) -> Proof {
        self.ask(position, limits, Some(status), |board| Solve { board, one_best })
    }

    /// Has a question about a position answered by a search for this CPU, on all threads unless nodes are counted.
    fn ask<Q: Question>(
        &mut self,
        position: &OthelloPosition,
        limits: SearchLimits<'_>,
        status: Option<&SolverStatus>,
        question: impl FnOnce(Board) -> Q,
    ) -> Q::Answer {
        let (board, shape) = Board::of(position);
        if shape != self.shape {
            self.clear();
            self.shape = shape;
        }
        self.table.new_generation();
        let search = Search {
            shape,
            stop: &StopCondition::new(limits, status),
            table: &self.table,
            caches: &self.caches,
            weights: embedded_weights(),
            parallel: self.pool.is_some() && limits.nodes.is_none(),
            question: question(board),
        };
        match &self.pool {
            Some(pool) if search.parallel => pool.install(|| dispatch(search)),
            _ => dispatch(search),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::answer::move_on;
    use crate::othello::testing::{negamax, obf, position_of, random_boards_with_empties};
    use papan_core::Position as _;
    use papan_games::othello::Rules;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn small_boards_have_their_known_scores() {
        let stop = AtomicBool::new(false);
        let start = OthelloPosition::start(Rules { size: 4, ..Rules::STANDARD });
        let proof = Engine::new(4, 1).solve(&start, false, SearchLimits::until(&stop), &SolverStatus::default());
        assert_eq!((proof.lower, proof.upper), (-10, -10));
        assert_eq!(proof.best.len(), 4, "the start is symmetric");
    }

    #[test]
    fn solving_agrees_with_plain_negamax_and_finds_every_best_move() {
        let stop = AtomicBool::new(false);
        let mut engine = Engine::new(4, 1);
        for size in [6, 8] {
            let shape = Shape::square(size);
            for board in random_boards_with_empties(12, 40 + u64::from(size), shape, 8) {
                let truth = negamax(board, shape);
                let position = position_of(board, shape);
                let proof = engine.solve(&position, false, SearchLimits::until(&stop), &SolverStatus::default());
                assert_eq!((proof.lower, proof.upper), (truth, truth));
                for &square in &proof.best {
                    let (child, _) = Board::of(&position.after(move_on(square)));
                    assert_eq!(-negamax(child, shape), truth);
                }
            }
        }
    }

    /// Sixteen to eighteen empties, solved by one thread and by two.
    #[test]
    fn threads_agree() {
        let stop = AtomicBool::new(false);
        let (mut one, mut two) = (Engine::new(16, 1), Engine::new(16, 2));
        for board in random_boards_with_empties(6, 5, Shape::STANDARD, 17) {
            let position = position_of(board, Shape::STANDARD);
            let alone = one.solve(&position, true, SearchLimits::until(&stop), &SolverStatus::default());
            let together = two.solve(&position, true, SearchLimits::until(&stop), &SolverStatus::default());
            assert_eq!((alone.lower, alone.upper), (together.lower, together.upper));
        }
    }

    #[test]
    fn the_first_position_of_the_suite_is_solved() {
        let stop = AtomicBool::new(false);
        let text = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";
        let proof = Engine::new(64, 1).solve(&obf(text), true, SearchLimits::until(&stop), &SolverStatus::default());
        assert_eq!((proof.lower, proof.upper), (38, 38));
        assert_eq!(move_on(proof.best[0]).to_string(), "a2");
    }

    #[test]
    fn a_stopped_engine_still_has_a_legal_move() {
        let stop = AtomicBool::new(true);
        let mut engine = Engine::new(1, 1);
        let start = OthelloPosition::start(Rules::STANDARD);
        let answer = engine.think(&start, SearchLimits::until(&stop), &mut |_| ());
        assert!(["d3", "c4", "f5", "e6"].contains(&answer.mv().to_string().as_str()));
    }

    /// d2 looks best by far, and after it White loses every disc: d1 b7 b8 a7 d8.
    #[test]
    fn a_side_with_few_discs_is_not_wiped_out() {
        let stop = AtomicBool::new(false);
        let text = "------------------XXXXX----XXX----XOXX-----X------XO------------ O";
        for nodes in [50_000, 500_000] {
            let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::until(&stop) };
            let answer = Engine::new(4, 1).think(&obf(text), limits, &mut |_| ());
            assert_ne!(answer.mv().to_string(), "d2", "{nodes} nodes");
        }
    }

    #[test]
    fn every_move_is_valued_like_the_best_one() {
        let stop = AtomicBool::new(false);
        let limits = SearchLimits { depth: Some(5), ..SearchLimits::until(&stop) };
        let mut engine = Engine::new(1, 1);
        let start = OthelloPosition::start(Rules::STANDARD);
        let answer = engine.think(&start, limits, &mut |_| ());
        let (others, _) = engine.rate(&start, &answer, limits);
        let alike = |one: &Valued| (one.score, one.trust, one.at_most) == (answer.score, answer.trust, false);
        assert_eq!(others.len(), 3, "the start is symmetric");
        assert!(others.iter().all(alike), "{answer:?} {others:?}");
    }
}
