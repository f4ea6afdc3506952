//! What match results say, and how surely.
//!
//! A score is a share of the points, 0 to 1. Every interval is a 95 % one.

mod bradley_terry;
mod groups;
mod scores;
mod sprt;
mod strength;

pub use bradley_terry::{Pairing, Rating, Ratings, fit};
pub use groups::strengths;
pub use scores::{PairCounts, ScoreSummary, WinCounts};
pub use sprt::{Sprt, SprtVerdict};
pub use strength::{Elo, Strength};

/// Two-sided 95 % of the normal distribution.
pub const Z95: f64 = 1.959_964;

/// Elo points per unit of normalised score: 800 / ln 10.
const NORMALISED: f64 = 347.435_585_522_601;

/// The Elo difference that gives the expected score `s`, which must lie
/// strictly between 0 and 1.
#[must_use]
pub fn elo_of_score(s: f64) -> f64 {
    -400.0 * (1.0 / s - 1.0).log10()
}

/// The expected score at an Elo difference.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The standard normal distribution function.
#[must_use]
pub fn normal(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}
