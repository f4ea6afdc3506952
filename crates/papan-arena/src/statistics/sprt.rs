//! The sequential probability ratio test: stop a match as soon as its result
//! is clear.

use serde::Serialize;

use super::score_of_elo;

/// A test of "the difference is `elo0`" against "it is `elo1`".
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    /// The lower hypothesis.
    pub elo0: f64,
    /// The upper hypothesis.
    pub elo1: f64,
    /// How often the upper one may be accepted wrongly.
    pub alpha: f64,
    /// How often the lower one may be accepted wrongly.
    pub beta: f64,
}

/// What a test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtVerdict {
    /// The difference is at least the upper hypothesis.
    Accepted,
    /// The difference is at most the lower hypothesis.
    Rejected,
    /// More games are needed.
    Undecided,
}

impl Sprt {
    /// The log-likelihood ratios at which the test ends.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the outcomes, given as (score, count) from
    /// the worst up: wins, draws and losses, or the five kinds of pairs.
    #[must_use]
    pub fn log_likelihood_ratio(&self, outcomes: &[(f64, u64)]) -> f64 {
        // A zero count would rule an outcome out for ever.
        let counts: Vec<(f64, f64)> =
            outcomes.iter().map(|&(a, n)| (a, if n == 0 { 0.001 } else { n as f64 })).collect();
        let total: f64 = counts.iter().map(|&(_, n)| n).sum();
        let shares: Vec<(f64, f64)> = counts.iter().map(|&(a, n)| (a, n / total)).collect();
        let p0 = most_likely(&shares, score_of_elo(self.elo0));
        let p1 = most_likely(&shares, score_of_elo(self.elo1));
        let each = shares.iter().zip(p0.iter().zip(&p1)).map(|(&(_, share), (p0, p1))| share * (p1 / p0).ln());
        total * each.sum::<f64>()
    }

    /// What a log-likelihood ratio says.
    #[must_use]
    pub fn verdict(&self, llr: f64) -> SprtVerdict {
        let (low, high) = self.bounds();
        match llr {
            _ if llr >= high => SprtVerdict::Accepted,
            _ if llr <= low => SprtVerdict::Rejected,
            _ => SprtVerdict::Undecided,
        }
    }
}

/// The distribution nearest to the observed `shares` whose mean is `score`:
/// share / (1 + θ (a − score)), with θ such that the mean fits. The left side
/// falls with θ over its whole range, so halving finds it.
fn most_likely(shares: &[(f64, f64)], score: f64) -> Vec<f64> {
    let (least, most) = (shares[0].0, shares[shares.len() - 1].0);
    let (mut low, mut high) = (-1.0 / (most - score), -1.0 / (least - score));
    let excess = |theta: f64| shares.iter().map(|&(a, p)| p * (a - score) / (1.0 + theta * (a - score))).sum::<f64>();
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let theta = f64::midpoint(low, high);
    shares.iter().map(|&(a, p)| p / (1.0 + theta * (a - score))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{PairCounts, WinCounts};
    use super::*;

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    #[test]
    fn ratios_match_the_published_vectors() {
        let pairs = PairCounts([223, 9_863, 21_279, 10_037, 246]);
        assert_eq!(format!("{:.2}", sprt(0.5, 2.5).log_likelihood_ratio(&pairs.outcomes())), "-3.07");
        let pairs = PairCounts([871, 26_175, 55_983, 26_678, 821]);
        assert_eq!(format!("{:.2}", sprt(0.0, 2.0).log_likelihood_ratio(&pairs.outcomes())), "-4.98");
        let games = WinCounts { wins: 21_404, draws: 40_708, losses: 21_184 };
        assert_eq!(format!("{:.2}", sprt(0.5, 2.5).log_likelihood_ratio(&games.outcomes())), "-1.57");
    }

    #[test]
    fn bounds_are_2_944_at_five_per_cent() {
        let (low, high) = sprt(0.0, 5.0).bounds();
        assert_eq!((format!("{low:.3}"), format!("{high:.3}")), ("-2.944".to_owned(), "2.944".to_owned()));
        assert_eq!(sprt(0.0, 5.0).verdict(3.0), SprtVerdict::Accepted);
        assert_eq!(sprt(0.0, 5.0).verdict(-3.0), SprtVerdict::Rejected);
        assert_eq!(sprt(0.0, 5.0).verdict(0.0), SprtVerdict::Undecided);
    }

    #[test]
    fn one_sided_results_give_a_finite_ratio() {
        let all_won = PairCounts([0, 0, 0, 0, 50]);
        let llr = sprt(0.0, 10.0).log_likelihood_ratio(&all_won.outcomes());
        assert!(llr.is_finite() && llr > 0.0, "{llr}");
    }
}
