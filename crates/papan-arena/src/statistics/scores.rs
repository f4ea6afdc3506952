//! Scores with their errors, from single games and from pairs of games.

use serde::Serialize;

use super::strength::Elo;
use super::{NORMALISED, Z95, normal};

/// A mean score with its standard error.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct ScoreSummary {
    /// How many games or pairs.
    pub count: u64,
    /// The mean score, 0 to 1.
    pub score: f64,
    /// The variance of one game's or pair's score.
    pub variance: f64,
    /// Games in one observation: 1, or 2 for pairs.
    games_each: f64,
}

impl ScoreSummary {
    fn of(outcomes: &[(f64, u64)], games_each: f64) -> Option<Self> {
        let count: u64 = outcomes.iter().map(|&(_, n)| n).sum();
        if count == 0 {
            return None;
        }
        let mean = |f: &dyn Fn(f64) -> f64| outcomes.iter().map(|&(a, n)| f(a) * n as f64).sum::<f64>() / count as f64;
        let score = mean(&|a| a);
        let variance = mean(&|a| (a - score).powi(2));
        Some(Self { count, score, variance, games_each })
    }

    /// The standard error of the mean.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.count as f64).sqrt()
    }

    /// The 95 % interval of the score. Where every outcome was the same, the
    /// normal formula has no width, and the exact bound for "never seen" is
    /// used: the chance that makes this run of outcomes a 1-in-40 event.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        if self.variance == 0.0 {
            let unseen = 1.0 - 0.025f64.powf(1.0 / self.count as f64);
            return ((self.score - unseen).max(0.0), (self.score + unseen).min(1.0));
        }
        let reach = Z95 * self.standard_error();
        ((self.score - reach).max(0.0), (self.score + reach).min(1.0))
    }

    /// The Elo difference.
    #[must_use]
    pub fn elo(&self) -> Elo {
        Elo::of_score(self.score, self.interval())
    }

    /// Normalised Elo with its error: the difference in units of the spread,
    /// `None` if there is no spread.
    #[must_use]
    pub fn normalised_elo(&self) -> Option<(f64, f64)> {
        let spread = (self.games_each * self.variance).sqrt();
        let error = Z95 * NORMALISED / (self.games_each * self.count as f64).sqrt();
        (spread > 0.0).then(|| ((self.score - 0.5) / spread * NORMALISED, error))
    }

    /// How likely it is that the first is the better one. Where every outcome
    /// was the same there is no spread to go by; then each one halves the doubt.
    #[must_use]
    pub fn superiority(&self) -> f64 {
        let distance = self.score - 0.5;
        let doubt = 0.5f64.powf(self.count as f64 + 1.0);
        match self.standard_error() {
            0.0 if distance == 0.0 => 0.5,
            0.0 if distance > 0.0 => 1.0 - doubt,
            0.0 => doubt,
            error => normal(distance / error),
        }
    }
}

/// Wins, draws and losses of single games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct WinCounts {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl WinCounts {
    /// All games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Outcomes as (score, count), from the worst up.
    #[must_use]
    pub fn outcomes(&self) -> [(f64, u64); 3] {
        [(0.0, self.losses), (0.5, self.draws), (1.0, self.wins)]
    }

    /// The mean score, `None` without games.
    #[must_use]
    pub fn summary(&self) -> Option<ScoreSummary> {
        ScoreSummary::of(&self.outcomes(), 1.0)
    }
}

/// Pairs of games from one opening with sides swapped, by how many points of
/// two the first bot took: 0, ½, 1, 1½, 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct PairCounts(pub [u64; 5]);

impl PairCounts {
    /// Counts a pair by its points in halves: 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// Outcomes as (score, count), from the worst up.
    #[must_use]
    pub fn outcomes(&self) -> [(f64, u64); 5] {
        std::array::from_fn(|i| (i as f64 / 4.0, self.0[i]))
    }

    /// The mean score, `None` without pairs.
    #[must_use]
    pub fn summary(&self) -> Option<ScoreSummary> {
        ScoreSummary::of(&self.outcomes(), 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Strength;
    use super::*;

    fn shown((value, error): (f64, f64)) -> String {
        format!("{value:.2} ± {error:.2}")
    }

    fn error_of(summary: &ScoreSummary) -> f64 {
        let elo = summary.elo();
        (elo.high.unwrap() - elo.low.unwrap()) / 2.0
    }

    #[test]
    fn single_games_match_the_published_vector() {
        let counts = WinCounts { wins: 136, draws: 111, losses: 96 };
        let summary = counts.summary().unwrap();
        assert_eq!(summary.elo().strength().to_string(), "+40.70 ± 30.43");
        assert_eq!(shown(summary.normalised_elo().unwrap()), "49.77 ± 36.77");
        assert_eq!(format!("{:.2}", summary.superiority() * 100.0), "99.60");
    }

    #[test]
    fn pairs_match_the_published_vector() {
        let summary = PairCounts([34, 54, 63, 64, 75]).summary().unwrap();
        assert_eq!(summary.elo().strength().to_string(), "+55.58 ± 27.65");
        assert_eq!(shown(summary.normalised_elo().unwrap()), "57.94 ± 28.28");
    }

    #[test]
    fn error_bars_at_one_half_without_draws() {
        for (games, error) in [(16, "186"), (100, "69"), (400, "34"), (1_000, "22")] {
            let summary = WinCounts { wins: games / 2, draws: 0, losses: games / 2 }.summary().unwrap();
            assert_eq!(format!("{:.0}", error_of(&summary)), error, "{games} games");
        }
        let summary = WinCounts { wins: 5_000, draws: 0, losses: 5_000 }.summary().unwrap();
        assert_eq!(format!("{:.1}", error_of(&summary)), "6.8");
    }

    #[test]
    fn a_clean_sweep_is_bounded_on_one_side_only() {
        let summary = WinCounts { wins: 20, draws: 0, losses: 0 }.summary().unwrap();
        let elo = summary.elo();
        assert_eq!((elo.value, elo.high), (None, None));
        assert!(matches!(elo.strength(), Strength::AtLeast(low) if low > 0.0), "{elo:?}");
        assert!(summary.superiority() > 0.999_999 && summary.superiority() < 1.0);
        let lost = WinCounts { wins: 0, draws: 0, losses: 20 }.summary().unwrap();
        assert!(matches!(lost.elo().strength(), Strength::AtMost(high) if high < 0.0), "{:?}", lost.elo());
        assert_eq!(WinCounts::default().summary(), None);
    }
}
