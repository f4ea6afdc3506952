//! Weaker players on purpose: they look less far and misjudge moves by some marks.

use papan_core::Random;

use super::play::evaluation::UNIT;
use super::play::search::Scored;

/// How a level plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Plies of look-ahead.
    pub depth: u32,
    /// The most by which a move is overestimated, in hundredths of a mark.
    pub noise: i32,
}

/// By level from 1: look-ahead and noise. A beginner sees the marks he flips, hardly the reply.
const LEVELS: [Level; 10] = [
    Level { depth: 1, noise: 600 },
    Level { depth: 1, noise: 350 },
    Level { depth: 1, noise: 150 },
    Level { depth: 2, noise: 300 },
    Level { depth: 2, noise: 120 },
    Level { depth: 3, noise: 120 },
    Level { depth: 3, noise: 40 },
    Level { depth: 4, noise: 40 },
    Level { depth: 5, noise: 10 },
    Level { depth: 6, noise: 0 },
];

impl Level {
    /// Level 1 to 10; others are taken as the nearest.
    #[must_use]
    pub fn new(level: u32) -> Self {
        LEVELS[level.clamp(1, 10) as usize - 1]
    }

    /// The move that looks best once each is misjudged at random.
    #[must_use]
    pub fn misjudge(&self, moves: &[Scored], random: &mut Random) -> u32 {
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
