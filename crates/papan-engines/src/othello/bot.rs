//! The engine as a bot of the project's own Othello positions.

use super::answer::{Answer, Trust, Valued, move_on};
use super::board::NO_SQUARE;
use super::engine::{DEFAULT_MEGABYTES, Engine};
use super::levels::Level;
use super::limits::SearchLimits;
use papan_core::observer::BestSoFar;
use papan_core::{Bot, Budget, Decision, Exactness, MoveValue, Observer, Position, Random, Score, mix};
use papan_games::othello::{OthelloMove, OthelloPosition};
use std::cmp::Reverse;
use std::panic::resume_unwind;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Instant;

/// Who sets no limit at all waits for so many plies, or for the end from so many empties: some seconds.
const FREE_DEPTH: u32 = 18;
const FREE_SOLVE: u32 = 24;
/// Share of the budget of an analysis in which the best move is sought; the others are valued in the rest.
const CHOOSING_SHARE: f64 = 0.6;

/// The strongest Othello player, or one of its weaker levels.
pub struct OthelloEngine {
    engine: Engine,
    level: Option<u32>,
    seed: u64,
    random: Random,
}

impl OthelloEngine {
    /// An engine of a level (1 to 10), or of its full strength, with so many threads.
    #[must_use]
    pub fn new(level: Option<u32>, seed: u64, threads: usize) -> Self {
        Self { engine: Engine::new(DEFAULT_MEGABYTES, threads), level, seed, random: Random::new(seed) }
    }
}

impl OthelloEngine {
    /// The best move by a part of the budget, and in the rest what the others are worth by the same effort.
    fn every_move<O: Observer<OthelloPosition>>(
        &mut self,
        position: &OthelloPosition,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<OthelloMove> {
        let started = Instant::now();
        let limits = limits_of(budget);
        let choosing = SearchLimits {
            time: limits.time.map(|time| time.mul_f64(CHOOSING_SHARE)),
            nodes: limits.nodes.map(|nodes| (nodes as f64 * CHOOSING_SHARE) as u64),
            ..limits
        };
        let engine = &mut self.engine;
        let answer = think_aloud(
            move |told| engine.think(position, choosing, told),
            observer.hears_best(),
            |answer| observer.best(&best_so_far(&decision(position, answer))),
        );
        let mut decision = decision(position, &answer);
        if answer.best != NO_SQUARE {
            let left = SearchLimits {
                time: limits.time.map(|time| time.saturating_sub(started.elapsed())),
                nodes: limits.nodes.map(|nodes| nodes.saturating_sub(answer.nodes)),
                ..limits
            };
            let (others, nodes) = self.engine.rate(position, &answer, left);
            decision.per_move.extend(others.iter().map(|one| value_of(position, one)));
            decision.per_move.sort_by_key(|one| (Reverse(one.score), one.exactness == Exactness::AtMost));
            decision.nodes += nodes;
        }
        observer.best(&best_so_far(&decision));
        decision
    }
}

/// What a budget allows; who sets no limit at all gets some.
fn limits_of(budget: &Budget) -> SearchLimits<'_> {
    let limits = SearchLimits {
        time: budget.time,
        depth: budget.depth,
        nodes: budget.nodes,
        progress: &budget.progress,
        ..SearchLimits::until(budget.stop.flag())
    };
    let limited = limits.time.is_some() || limits.depth.is_some() || limits.nodes.is_some();
    if limited { limits } else { SearchLimits { depth: Some(FREE_DEPTH), solve_from: Some(FREE_SOLVE), ..limits } }
}

fn exactness(trust: Trust) -> Exactness {
    match trust {
        Trust::Exact => Exactness::Exact,
        Trust::Search { .. } => Exactness::Estimate,
    }
}

/// The line as moves, with the forced passes put in.
pub(super) fn line_of(position: &OthelloPosition, line: &[u8]) -> Vec<OthelloMove> {
    let mut now = *position;
    let mut moves = Vec::with_capacity(line.len());
    for &square in line {
        if now.legal_moves().into_iter().eq([OthelloMove::PASS]) {
            moves.push(OthelloMove::PASS);
            now = now.after(OthelloMove::PASS);
        }
        let mv = move_on(square);
        if !now.legal_moves().into_iter().any(|legal| legal == mv) {
            break;
        }
        moves.push(mv);
        now = now.after(mv);
    }
    moves
}

/// A score in discs: an estimate can be no more than the board has.
fn discs(position: &OthelloPosition, score: i32) -> Score {
    let most = i32::from(position.rules().size).pow(2);
    Score(score.clamp(-most, most))
}

fn value_of(position: &OthelloPosition, one: &Valued) -> MoveValue<OthelloMove> {
    let exactness = if one.at_most { Exactness::AtMost } else { exactness(one.trust) };
    MoveValue { mv: one.mv(), score: discs(position, one.score), exactness }
}

fn best_so_far(decision: &Decision<OthelloMove>) -> BestSoFar<OthelloMove> {
    BestSoFar { mv: decision.mv, score: decision.score, depth: decision.depth, nodes: decision.nodes }
}

/// Thinks, on another thread if someone listens: observers stay on the caller's and hear of each iteration as soon as
/// it is finished.
fn think_aloud(
    think: impl FnOnce(&mut (dyn FnMut(&Answer) + Send)) -> Answer + Send,
    heard: bool,
    mut hear: impl FnMut(&Answer),
) -> Answer {
    if !heard {
        return think(&mut |_| ());
    }
    thread::scope(|scope| {
        let (tell, told) = channel();
        let thinker = scope.spawn(move || {
            think(&mut |answer| {
                // Who no longer listens need not be told.
                let _ = tell.send(answer.clone());
            })
        });
        for answer in told {
            hear(&answer);
        }
        thinker.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// The answer as a decision.
fn decision(position: &OthelloPosition, answer: &Answer) -> Decision<OthelloMove> {
    let mv = answer.mv();
    let depth = match answer.trust {
        Trust::Exact => position.empties().count_ones(),
        Trust::Search { depth, .. } => depth,
    };
    let mut pv = line_of(position, &answer.line);
    if pv.first() != Some(&mv) {
        pv = vec![mv];
    }
    let own = MoveValue { mv, score: discs(position, answer.score), exactness: exactness(answer.trust) };
    Decision { mv, score: own.score, exactness: own.exactness, depth, nodes: answer.nodes, pv, per_move: vec![own] }
}

impl Bot<OthelloPosition> for OthelloEngine {
    fn choose_observed<O: Observer<OthelloPosition>>(
        &mut self,
        position: &OthelloPosition,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<OthelloMove> {
        let limits = limits_of(budget);
        let level = self.level.map(Level::number);
        if level.is_none() && budget.every_move {
            return self.every_move(position, budget, observer);
        }
        let (engine, random) = (&mut self.engine, &mut self.random);
        let answer = think_aloud(
            move |told| match level {
                Some(level) => level.choose(engine, position, limits, random, told),
                None => engine.think(position, limits, told),
            },
            observer.hears_best(),
            |answer| observer.best(&best_so_far(&decision(position, answer))),
        );
        let decision = decision(position, &answer);
        observer.best(&best_so_far(&decision));
        decision
    }

    fn new_game(&mut self, number: u64) {
        self.engine.clear();
        self.random = Random::new(mix(self.seed ^ mix(number)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_core::Game;
    use papan_games::othello::Othello;
    use std::time::Duration;

    fn game(spec: &str) -> Othello {
        spec.parse().expect("a spec")
    }

    #[test]
    fn every_game_ends_by_legal_moves() {
        for spec in ["othello:size=4", "othello:size=6", "othello", "othello:size=6,passing=off"] {
            let mut bots = [OthelloEngine::new(Some(2), 1, 1), OthelloEngine::new(None, 1, 1)];
            let mut position = game(spec).start();
            while !position.is_over() {
                let bot = &mut bots[usize::from(position.to_move() == papan_core::Player::Second)];
                let mv = Bot::choose(bot, &position, &Budget::time(Duration::from_millis(20))).mv;
                assert!(position.legal_moves().into_iter().any(|legal| legal == mv), "{spec}: {mv:?}");
                position = position.after(mv);
            }
        }
    }

    #[test]
    fn an_observer_hears_of_every_iteration() {
        #[derive(Default)]
        struct Depths(Vec<u32>);
        impl Observer<OthelloPosition> for Depths {
            fn best(&mut self, best: &BestSoFar<OthelloMove>) {
                self.0.push(best.depth);
            }
        }
        let mut heard = Depths::default();
        let budget = Budget::depth(6);
        OthelloEngine::new(None, 1, 2).choose_observed(&game("othello").start(), &budget, &mut heard);
        assert_eq!(heard.0, [1, 2, 3, 4, 5, 6, 6]);
    }
}
