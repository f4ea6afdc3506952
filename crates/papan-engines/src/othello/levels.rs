//! Ten levels, from a beginner to all that the engine can do.
//!
//! A weak player is not one who throws discs at random squares: it sees less far, and among moves that look almost
//! as good it often takes the wrong one. So the weak levels draw their move with a chance that falls with what the
//! move loses: a small loss is likely, a blunder rare.

use super::answer::{Answer, Valued};
use super::board::NO_SQUARE;
use super::engine::Engine;
use super::limits::SearchLimits;
use papan_core::Random;
use papan_games::othello::OthelloPosition;

/// What a level may do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Level {
    /// Plies; `None` is no limit.
    pub depth: Option<u32>,
    /// Positions with at most so many empties are solved.
    pub solve_from: Option<u32>,
    /// The loss in discs that makes a move e times less likely; zero always takes the best one.
    pub carelessness: f64,
}

/// The levels 1 to 10.
pub(super) const LEVELS: [Level; 10] = [
    Level { depth: Some(1), solve_from: Some(0), carelessness: 7.0 },
    Level { depth: Some(1), solve_from: Some(2), carelessness: 4.0 },
    Level { depth: Some(2), solve_from: Some(4), carelessness: 2.5 },
    Level { depth: Some(3), solve_from: Some(6), carelessness: 1.5 },
    Level { depth: Some(4), solve_from: Some(8), carelessness: 0.8 },
    Level { depth: Some(5), solve_from: Some(10), carelessness: 0.0 },
    Level { depth: Some(7), solve_from: Some(13), carelessness: 0.0 },
    Level { depth: Some(10), solve_from: Some(16), carelessness: 0.0 },
    Level { depth: Some(14), solve_from: Some(20), carelessness: 0.0 },
    Level { depth: None, solve_from: None, carelessness: 0.0 },
];

impl Level {
    /// The level with a number from 1 to 10; numbers outside are taken as the nearest.
    #[must_use]
    pub(super) fn number(number: u32) -> Self {
        LEVELS[number.clamp(1, 10) as usize - 1]
    }

    /// What may be spent, limited to the level.
    #[must_use]
    pub(super) fn limited<'a>(&self, limits: SearchLimits<'a>) -> SearchLimits<'a> {
        let depth = match (self.depth, limits.depth) {
            (Some(own), Some(asked)) => Some(own.min(asked)),
            (own, asked) => own.or(asked),
        };
        SearchLimits { depth, solve_from: self.solve_from.or(limits.solve_from), ..limits }
    }

    /// The move of this level; `told` hears of each finished iteration. The random numbers are used only by
    /// careless levels, who tell nothing before they have drawn their move.
    pub(super) fn choose(
        &self,
        engine: &mut Engine,
        position: &OthelloPosition,
        limits: SearchLimits<'_>,
        rng: &mut Random,
        told: &mut (dyn FnMut(&Answer) + Send),
    ) -> Answer {
        let limits = self.limited(limits);
        if self.carelessness == 0.0 {
            return engine.think(position, limits, told);
        }
        let (moves, nodes) = engine.analyse(position, limits);
        match self.draw(&moves, rng) {
            Some(one) => Answer { best: one.square, score: one.score, trust: one.trust, nodes, line: vec![one.square] },
            None => engine.think(position, limits, told),
        }
    }

    /// Draws one of the moves, which are sorted best first; `None` if there are none.
    fn draw(&self, moves: &[Valued], rng: &mut Random) -> Option<Valued> {
        let best = moves.first()?.score;
        let weight = |one: &Valued| (f64::from(one.score - best) / self.carelessness).exp();
        let mut left = moves.iter().map(weight).sum::<f64>() * rng.unit();
        let drawn = moves.iter().find(|one| {
            left -= weight(one);
            left < 0.0
        });
        drawn.or(moves.first()).copied().filter(|one| one.square != NO_SQUARE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::answer::Trust;
    use papan_core::Position as _;
    use papan_games::othello::Rules;

    #[test]
    fn careless_levels_lose_discs_but_seldom_blunder() {
        let trust = Trust::Search { depth: 1, percent: 73 };
        let moves: Vec<Valued> =
            (0..).zip([4, 3, 0, -30]).map(|(square, score)| Valued { square, score, trust, at_most: false }).collect();
        let mut rng = Random::new(1);
        let mut drawn = [0; 4];
        for _ in 0..2_000 {
            drawn[usize::from(LEVELS[1].draw(&moves, &mut rng).unwrap().square)] += 1;
        }
        assert!(drawn[0] > drawn[1] && drawn[1] > drawn[2] && drawn[2] > 100, "{drawn:?}");
        assert!(drawn[3] < 5, "{drawn:?}");
    }

    #[test]
    fn every_level_plays_legal_moves_to_the_end() {
        let stop = std::sync::atomic::AtomicBool::new(false);
        let mut engine = Engine::new(1, 1);
        let mut rng = Random::new(2);
        let mut position = OthelloPosition::start(Rules::STANDARD);
        for ply in 0.. {
            if position.is_over() {
                break;
            }
            let limits = SearchLimits::until(&stop);
            let answer = LEVELS[ply % 6].choose(&mut engine, &position, limits, &mut rng, &mut |_| ());
            position = position.play(answer.mv()).expect("a legal move");
        }
    }
}
