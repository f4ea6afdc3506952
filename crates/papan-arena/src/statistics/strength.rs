//! What may be said of a strength: the one rule for matches, tournaments,
//! reports and the page.

use std::fmt;

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use super::elo_of_score;

/// Half the width of the widest interval that is still told: odds of ten to
/// one, so that whoever is ahead could as well be far behind.
const WIDEST: f64 = 400.0;

/// What can be said of a strength in Elo points, at 95 %.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Strength {
    /// An estimate and half the width of its interval.
    About {
        /// The estimate.
        elo: f64,
        /// Half the width.
        error: f64,
    },
    /// Nothing was lost, or so little that only the lower end is known; that
    /// end is above 0.
    AtLeast(f64),
    /// Nothing was won, or so little that only the upper end is known; that
    /// end is below 0.
    AtMost(f64),
    /// Nothing can be said.
    #[default]
    Unknown,
}

impl Strength {
    /// The rule. An end that is `None` is unbounded. Told are an estimate with
    /// an interval of at most ± 400, else an end that says on which side of 0
    /// the strength lies, else nothing.
    #[must_use]
    pub fn told(elo: Option<f64>, low: Option<f64>, high: Option<f64>) -> Self {
        match (elo, low, high) {
            (Some(elo), Some(low), Some(high)) if high - low <= 2.0 * WIDEST => {
                Self::About { elo, error: (high - low) / 2.0 }
            }
            (_, Some(low), _) if low > 0.0 => Self::AtLeast(low),
            (_, _, Some(high)) if high < 0.0 => Self::AtMost(high),
            _ => Self::Unknown,
        }
    }

    /// The estimate, where one is told.
    #[must_use]
    pub const fn elo(self) -> Option<f64> {
        if let Self::About { elo, .. } = self { Some(elo) } else { None }
    }

    /// Half the width of its interval.
    #[must_use]
    pub const fn error(self) -> Option<f64> {
        if let Self::About { error, .. } = self { Some(error) } else { None }
    }

    /// The lower end, where it alone is told.
    #[must_use]
    pub const fn at_least(self) -> Option<f64> {
        if let Self::AtLeast(low) = self { Some(low) } else { None }
    }

    /// The upper end, where it alone is told.
    #[must_use]
    pub const fn at_most(self) -> Option<f64> {
        if let Self::AtMost(high) = self { Some(high) } else { None }
    }

    /// Is this more than chance above `other`? Estimates' errors are taken as
    /// independent, which overstates that of their difference a little; where
    /// only an end is told, the intervals must not meet.
    #[must_use]
    pub fn is_above(self, other: Self) -> bool {
        match (self, other) {
            (Self::About { elo, error }, Self::About { elo: other, error: others }) => {
                elo - other > error.hypot(others)
            }
            (own, other) => own.low() > other.high(),
        }
    }

    fn low(self) -> f64 {
        match self {
            Self::About { elo, error } => elo - error,
            Self::AtLeast(low) => low,
            Self::AtMost(_) | Self::Unknown => f64::NEG_INFINITY,
        }
    }

    fn high(self) -> f64 {
        match self {
            Self::About { elo, error } => elo + error,
            Self::AtMost(high) => high,
            Self::AtLeast(_) | Self::Unknown => f64::INFINITY,
        }
    }

    /// The same in another measure.
    pub(super) fn scaled(self, factor: f64) -> Self {
        match self {
            Self::About { elo, error } => Self::About { elo: factor * elo, error: factor * error },
            Self::AtLeast(low) => Self::AtLeast(factor * low),
            Self::AtMost(high) => Self::AtMost(factor * high),
            Self::Unknown => Self::Unknown,
        }
    }
}

/// `+40.70 ± 30.43`, `≥ +112`, `≤ -112` or words; `{:.0}` without decimals.
impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(2);
        let text = match *self {
            Self::About { elo, error } => format!("{elo:+.decimals$} ± {error:.decimals$}"),
            Self::AtLeast(low) => format!("≥ {low:+.0}"),
            Self::AtMost(high) => format!("≤ {high:.0}"),
            Self::Unknown => "too few games to tell".to_owned(),
        };
        f.write_str(&text)
    }
}

/// As fields of whatever has the strength; those that are not told are null.
impl Serialize for Strength {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Strength", 4)?;
        fields.serialize_field("rating", &self.elo())?;
        fields.serialize_field("rating_error", &self.error())?;
        fields.serialize_field("rating_at_least", &self.at_least())?;
        fields.serialize_field("rating_at_most", &self.at_most())?;
        fields.end()
    }
}

/// An Elo difference with its 95 % interval. At a score of 0 or 1 the
/// difference is unbounded on one side: that side is `None`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// The estimate, `None` when no game was lost or none was won.
    pub value: Option<f64>,
    /// The lower end.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

impl Elo {
    /// The difference that a score and the ends of its interval stand for.
    pub(super) fn of_score(score: f64, (low, high): (f64, f64)) -> Self {
        let inner = |s: f64| (s > 0.0 && s < 1.0).then(|| elo_of_score(s) + 0.0);
        Self { value: inner(score), low: inner(low), high: inner(high) }
    }

    /// What may be said of it.
    #[must_use]
    pub fn strength(&self) -> Strength {
        Strength::told(self.value, self.low, self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PairCounts, WinCounts};
    use super::*;

    fn games(wins: u64, draws: u64, losses: u64) -> String {
        let summary = WinCounts { wins, draws, losses }.summary().unwrap();
        summary.elo().strength().to_string()
    }

    #[test]
    fn few_games_say_nothing_and_a_clean_sweep_has_one_bound() {
        assert_eq!(games(1, 0, 1), "too few games to tell");
        assert_eq!(games(0, 1, 0), "too few games to tell");
        assert_eq!(games(2, 0, 0), "too few games to tell", "two won games do not even say who is better");
        assert_eq!(games(20, 0, 0), "≥ +277");
        assert_eq!(games(0, 0, 20), "≤ -277");
        assert_eq!(games(136, 111, 96), "+40.70 ± 30.43");
        let pairs = PairCounts([0, 0, 0, 0, 10]).summary().unwrap();
        assert_eq!(pairs.elo().strength().to_string(), "≥ +140");
    }

    #[test]
    fn who_is_above_whom() {
        let about = |elo, error| Strength::About { elo, error };
        assert!(about(100.0, 30.0).is_above(about(0.0, 30.0)) && !about(40.0, 30.0).is_above(about(0.0, 30.0)));
        assert!(Strength::AtLeast(70.0).is_above(Strength::AtMost(-70.0)), "ten games of ten");
        assert!(
            Strength::AtLeast(70.0).is_above(about(0.0, 60.0)) && !Strength::AtLeast(70.0).is_above(about(0.0, 80.0))
        );
        let all = [about(100.0, 30.0), Strength::AtLeast(70.0), Strength::AtMost(-70.0), Strength::Unknown];
        for one in all {
            assert!(!one.is_above(one) && !one.is_above(Strength::Unknown) && !Strength::Unknown.is_above(one));
        }
    }

    #[test]
    fn whatever_the_counts_the_words_hold_no_infinity_and_no_absurd_width() {
        for wins in 0..12 {
            for draws in 0..12 {
                for losses in 0..12 {
                    let Some(summary) = (WinCounts { wins, draws, losses }).summary() else { continue };
                    let told = summary.elo().strength();
                    let words = told.to_string();
                    assert!(!words.contains("inf") && !words.contains("NaN"), "{words}");
                    match told {
                        Strength::About { error, .. } => assert!(error <= WIDEST, "{words}"),
                        Strength::AtLeast(low) => assert!(low > 0.0 && wins > losses, "{words}"),
                        Strength::AtMost(high) => assert!(high < 0.0 && wins < losses, "{words}"),
                        Strength::Unknown => {}
                    }
                }
            }
        }
    }
}
