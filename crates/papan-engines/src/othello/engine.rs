//! The engine as its users see it: a board and limits go in, a move, a score or all moves' scores come out.

use super::board::{Board, Shape};
use super::cpu::{Cpu, Task, dispatch};
use super::endgame::parity::Endgame;
use super::endgame::quadrants::Quadrants;
use super::evaluation::embedded_weights;
use super::evaluation::features::PLACE_VALUES;
use super::iterative_deepening::{analyse, prove, rate, think};
use super::leaf_cache::LeafCache;
use super::search::Searcher;
use super::search::probcut::ErrorModel;
use super::search::solve::Question;
use super::stability;
use super::stop_condition::{SolverStatus, StopCondition};
use super::transposition::TranspositionTable;
use papan_core::observer::{Progress, UNWATCHED};
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The size of the hash table unless it is chosen.
pub const DEFAULT_MEGABYTES: usize = 128;
/// Log2 of the positions in the cache near the leaves: 2 MB, not much more than a core's own cache.
const LEAF_CACHE_LOG2: u32 = 16;
/// What is kept back of the time for unwinding the search.
const RESERVE: Duration = Duration::from_millis(8);

/// What one question may cost.
#[derive(Clone, Copy, Debug)]
pub struct SearchLimits<'a> {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// The time meant for the move, where some may be saved for harder ones; `time` stays the limit.
    pub soft: Option<Duration>,
    /// Plies; searches that reach the end of the game may look further.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Positions with at most so many empties are solved, however small the depth; `None` lets the time decide.
    pub solve_from: Option<u32>,
    /// Set from outside to end the search.
    pub stop: &'a AtomicBool,
    /// Told of nodes and bounds on the way.
    pub status: Option<&'a SolverStatus>,
    /// Told of nodes and depth on the way.
    pub progress: &'a Progress,
}

impl<'a> SearchLimits<'a> {
    /// No limit but the token.
    #[must_use]
    pub const fn until(stop: &'a AtomicBool) -> Self {
        Self {
            time: None,
            soft: None,
            depth: None,
            nodes: None,
            solve_from: None,
            stop,
            status: None,
            progress: &UNWATCHED,
        }
    }
}

/// How far a score can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The result under best play.
    Exact,
    /// A search of some plies whose cuts are right with some probability (in percent).
    Search {
        /// Plies.
        depth: u32,
        /// Percent.
        percent: u8,
    },
}

/// A move with its score for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Valued {
    /// Where.
    pub square: u8,
    /// The score in discs.
    pub score: i32,
    /// How far to trust it.
    pub trust: Trust,
    /// Whether the score is at most that, and may be less.
    pub at_most: bool,
}

/// What the engine answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move; [`super::board::NO_SQUARE`] for a pass or a finished game.
    pub best: u8,
    /// Its score for the side to move, in discs.
    pub score: i32,
    /// How far to trust the score.
    pub trust: Trust,
    /// Nodes visited.
    pub nodes: u64,
    /// The expected line, passes left out.
    pub line: Vec<u8>,
}

/// What the solver answers: the score lies between two bounds, which meet unless it was stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
    /// The best move, or every best move if all were asked for; empty if there is none or it is not proved.
    pub best: Vec<u8>,
    /// Whether `best` has every best move.
    pub complete: bool,
    /// Nodes visited.
    pub nodes: u64,
    /// The expected line, passes left out.
    pub line: Vec<u8>,
}

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
    /// An engine with a hash table of some megabytes and so many threads (at least one).
    #[must_use]
    pub fn new(megabytes: usize, threads: usize) -> Self {
        // Without a pool the search runs on the caller's thread: so it does if the system refuses more threads.
        prepare();
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
        board: Board,
        shape: Shape,
        limits: SearchLimits<'_>,
        told: &mut (dyn FnMut(&Answer) + Send),
    ) -> Answer {
        self.run(shape, limits, Think { board, limits, told })
    }

    /// A score for every legal move, best first, each as deep as there was time for, and the nodes it took.
    pub fn analyse(&mut self, board: Board, shape: Shape, limits: SearchLimits<'_>) -> (Vec<Valued>, u64) {
        self.run(shape, limits, Analyse { board, limits })
    }

    /// What is known of the moves beside an answer's, valued like that one as far as may be spent, and the nodes it
    /// took.
    pub fn rate(
        &mut self,
        board: Board,
        shape: Shape,
        answer: &Answer,
        limits: SearchLimits<'_>,
    ) -> (Vec<Valued>, u64) {
        self.run(shape, limits, Rate { board, answer })
    }

    /// The exact score, or its sign, with the best move or all of them.
    pub fn solve(
        &mut self,
        board: Board,
        shape: Shape,
        question: Question,
        one_best: bool,
        limits: SearchLimits<'_>,
    ) -> Proof {
        self.run(shape, limits, Solve { board, question, one_best })
    }

    fn run<W: Work>(&mut self, shape: Shape, limits: SearchLimits<'_>, work: W) -> W::Output {
        if shape != self.shape {
            self.clear();
            self.shape = shape;
        }
        self.table.new_generation();
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time.saturating_sub(RESERVE)));
        let stop =
            StopCondition::new(limits.stop, deadline, limits.nodes).watched_by(limits.status).telling(limits.progress);
        let parallel = self.pool.is_some() && limits.nodes.is_none();
        let job = Job { shape, stop: &stop, table: &self.table, caches: &self.caches, parallel, work };
        match &self.pool {
            Some(pool) if parallel => pool.install(|| dispatch(job)),
            _ => dispatch(job),
        }
    }
}

/// Makes the tables that are laid out once, so that no first move pays for them with its time.
fn prepare() {
    embedded_weights();
    LazyLock::force(&PLACE_VALUES);
    stability::prepare();
}

/// A question that is answered with a searcher.
trait Work: Send {
    type Output: Send;
    fn with<C: Cpu>(self, searcher: &Searcher<'_, C>) -> Self::Output;
}

struct Think<'a> {
    board: Board,
    limits: SearchLimits<'a>,
    told: &'a mut (dyn FnMut(&Answer) + Send),
}

impl Work for Think<'_> {
    type Output = Answer;
    fn with<C: Cpu>(self, searcher: &Searcher<'_, C>) -> Answer {
        think(searcher, self.board, self.limits, self.told)
    }
}

struct Analyse<'a> {
    board: Board,
    limits: SearchLimits<'a>,
}

impl Work for Analyse<'_> {
    type Output = (Vec<Valued>, u64);
    fn with<C: Cpu>(self, searcher: &Searcher<'_, C>) -> Self::Output {
        analyse(searcher, self.board, self.limits)
    }
}

struct Rate<'a> {
    board: Board,
    answer: &'a Answer,
}

impl Work for Rate<'_> {
    type Output = (Vec<Valued>, u64);
    fn with<C: Cpu>(self, searcher: &Searcher<'_, C>) -> Self::Output {
        rate(searcher, self.board, self.answer)
    }
}

struct Solve {
    board: Board,
    question: Question,
    one_best: bool,
}

impl Work for Solve {
    type Output = Proof;
    fn with<C: Cpu>(self, searcher: &Searcher<'_, C>) -> Proof {
        prove(searcher, self.board, self.question, self.one_best)
    }
}

/// A question with all that a searcher is made of.
struct Job<'a, W> {
    shape: Shape,
    stop: &'a StopCondition<'a>,
    table: &'a TranspositionTable,
    caches: &'a [LeafCache],
    parallel: bool,
    work: W,
}

impl<W: Work> Task for Job<'_, W> {
    type Output = W::Output;

    fn work<C: Cpu>(self, cpu: C) -> W::Output {
        let searcher = Searcher {
            cpu,
            endgame: Endgame {
                shape: self.shape,
                quadrants: Quadrants::new(self.shape),
                cache: &self.caches[0],
                stop: self.stop,
            },
            table: self.table,
            weights: embedded_weights(),
            places: &PLACE_VALUES,
            errors: ErrorModel::FITTED,
            caches: self.caches,
            parallel: self.parallel,
        };
        self.work.with(&searcher)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::square_name;
    use crate::othello::formats::obf;
    use crate::othello::testing::{negamax, random_boards_with_empties};

    #[test]
    fn small_boards_have_their_known_scores() {
        let stop = AtomicBool::new(false);
        let shape = Shape::new(4).unwrap();
        let proof = Engine::new(4, 1).solve(shape.start(), shape, Question::Score, false, SearchLimits::until(&stop));
        assert_eq!((proof.lower, proof.upper), (-10, -10));
        assert_eq!(proof.best.len(), 4, "the start is symmetric");
    }

    #[test]
    fn solving_agrees_with_plain_negamax_and_finds_every_best_move() {
        let stop = AtomicBool::new(false);
        let mut engine = Engine::new(4, 1);
        for size in [6, 8] {
            let shape = Shape::new(size).unwrap();
            for board in random_boards_with_empties(12, 40 + u64::from(size), shape, 8) {
                let truth = negamax(board, shape);
                let proof = engine.solve(board, shape, Question::Score, false, SearchLimits::until(&stop));
                assert_eq!((proof.lower, proof.upper), (truth, truth));
                let sign = engine.solve(board, shape, Question::WinDrawLoss, true, SearchLimits::until(&stop));
                assert_eq!(sign.lower.signum(), truth.signum());
                for &square in &proof.best {
                    use crate::othello::cpu::Portable;
                    let flips = Portable.flips(u32::from(square), board.player, board.opponent);
                    assert_eq!(-negamax(board.after(u32::from(square), flips), shape), truth);
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
            let alone = one.solve(board, Shape::STANDARD, Question::Score, true, SearchLimits::until(&stop));
            let together = two.solve(board, Shape::STANDARD, Question::Score, true, SearchLimits::until(&stop));
            assert_eq!((alone.lower, alone.upper), (together.lower, together.upper));
        }
    }

    #[test]
    fn the_first_position_of_the_suite_is_solved() {
        let stop = AtomicBool::new(false);
        let text = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";
        let (board, _) = obf::read(text).unwrap();
        let proof = Engine::new(64, 1).solve(board, Shape::STANDARD, Question::Score, true, SearchLimits::until(&stop));
        assert_eq!((proof.lower, proof.upper), (38, 38));
        assert_eq!(square_name(proof.best[0]), "a2");
    }

    #[test]
    fn a_stopped_engine_still_has_a_legal_move() {
        let stop = AtomicBool::new(true);
        let mut engine = Engine::new(1, 1);
        let answer = engine.think(Shape::STANDARD.start(), Shape::STANDARD, SearchLimits::until(&stop), &mut |_| ());
        assert!(["d3", "c4", "f5", "e6"].contains(&square_name(answer.best).as_str()));
    }

    /// d2 looks best by far, and after it White loses every disc: d1 b7 b8 a7 d8.
    #[test]
    fn a_side_with_few_discs_is_not_wiped_out() {
        let stop = AtomicBool::new(false);
        let text = "------------------XXXXX----XXX----XOXX-----X------XO------------ O";
        let (board, _) = obf::read(text).unwrap();
        for nodes in [50_000, 500_000] {
            let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::until(&stop) };
            let answer = Engine::new(4, 1).think(board, Shape::STANDARD, limits, &mut |_| ());
            assert_ne!(square_name(answer.best), "d2", "{nodes} nodes");
        }
    }

    #[test]
    fn every_move_is_valued_like_the_best_one() {
        let stop = AtomicBool::new(false);
        let limits = SearchLimits { depth: Some(5), ..SearchLimits::until(&stop) };
        let mut engine = Engine::new(1, 1);
        let (start, shape) = (Shape::STANDARD.start(), Shape::STANDARD);
        let answer = engine.think(start, shape, limits, &mut |_| ());
        let (others, _) = engine.rate(start, shape, &answer, limits);
        let alike = |one: &Valued| (one.score, one.trust, one.at_most) == (answer.score, answer.trust, false);
        assert_eq!(others.len(), 3, "the start is symmetric");
        assert!(others.iter().all(alike), "{answer:?} {others:?}");
    }
}
