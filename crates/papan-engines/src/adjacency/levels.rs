//! Weaker players on purpose: they look less far and misjudge moves by some marks.

use papan_core::Random;

use super::evaluation::UNIT;
use super::search::Scored;

/// How a level plays. Everything is counted, nothing timed: a level is as strong on any machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    /// Plies of look-ahead.
    pub depth: u32,
    /// The most by which a move is overestimated, in hundredths of a mark.
    pub noise: i32,
    /// The most positions for one move.
    pub nodes: u64,
}

const fn level(depth: u32, noise: i32) -> Level {
    Level { depth, noise, nodes: 1_000_000 }
}

/// By level from 1. A beginner sees the marks he flips, hardly the reply.
const LEVELS: [Level; 10] = [
    level(1, 1500),
    level(1, 800),
    level(1, 450),
    level(1, 220),
    level(2, 230),
    level(2, 150),
    level(2, 50),
    level(3, 60),
    level(4, 40),
    level(6, 0),
];

impl Level {
    /// Level 1 to 10; others are taken as the nearest.
    #[must_use]
    pub(super) fn new(level: u8) -> Self {
        LEVELS[usize::from(level.clamp(1, 10)) - 1]
    }

    /// The move that looks best once each is misjudged at random.
    #[must_use]
    pub(super) fn misjudge(&self, moves: &[Scored], random: &mut Random) -> u32 {
        if self.noise == 0 {
            return moves[0].cell;
        }
        let seen = |m: &Scored, random: &mut Random| {
            f64::from(m.score) + random.unit() * f64::from(self.noise) * f64::from(UNIT) / 100.0
        };
        let mut best = (f64::NEG_INFINITY, 0);
        for m in moves {
            let value = seen(m, random);
            if value > best.0 {
                best = (value, m.cell);
            }
        }
        best.1
    }
}
