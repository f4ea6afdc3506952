//! Values: absolute margins, scores from one chair, search windows, and the
//! one place where a value changes sign.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Player;

/// First's points minus Second's: the same number whoever looks at it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Margin(pub i32);

impl Margin {
    /// The margin as `chair` sees it.
    #[inline(always)]
    #[must_use]
    pub fn for_player(self, chair: Player) -> Score {
        seen_by(Score(self.0), Player::First, chair)
    }

    /// Who is ahead, or `None` when level.
    #[must_use]
    pub fn leader(self) -> Option<Player> {
        match self.0 {
            0 => None,
            n if n > 0 => Some(Player::First),
            _ => Some(Player::Second),
        }
    }
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+}", self.0)
    }
}

/// A value from one player's chair: more is better for that player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Score(pub i32);

impl Score {
    /// Below every score a search can return.
    pub const MIN: Self = Self(-i32::MAX);
    /// Above every score a search can return.
    pub const MAX: Self = Self(i32::MAX);

    /// Added to the margin of a decided game where heuristic values are in
    /// other units than margins, so that any win outranks any estimate.
    const DECIDED: i32 = 1_000_000;

    /// The absolute margin behind this score of `chair`.
    #[inline(always)]
    #[must_use]
    pub fn margin(self, chair: Player) -> Margin {
        Margin(seen_by(self, chair, Player::First).0)
    }

    /// A finished game's score, far outside the range of any estimate; a draw
    /// stays 0. [`Score::decided_margin`] undoes it.
    #[inline(always)]
    #[must_use]
    pub fn decided(outcome: Self) -> Self {
        Self(outcome.0 + outcome.0.signum() * Self::DECIDED)
    }

    /// The outcome behind a [`Score::decided`] win or loss; `None` for
    /// estimates and draws.
    #[must_use]
    pub fn decided_margin(self) -> Option<Self> {
        (self.0.abs() > Self::DECIDED / 2).then(|| Self(self.0 - self.0.signum() * Self::DECIDED))
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+}", self.0)
    }
}

/// The open interval of scores that still matter to a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// What the player to move has already.
    pub alpha: Score,
    /// What the opponent will not let the player to move exceed.
    pub beta: Score,
}

impl Window {
    /// Everything matters.
    pub const FULL: Self = Self { alpha: Score::MIN, beta: Score::MAX };

    /// The window that asks only "more than `alpha`?".
    #[must_use]
    pub const fn null(alpha: Score) -> Self {
        Self { alpha, beta: Score(alpha.0 + 1) }
    }

    /// What a search that was asked for the value inside this window, and
    /// answered with `score`, has found out: the value itself only strictly
    /// between alpha and beta; at alpha or below, that there is no more to be
    /// had; at beta or above, that there is at least as much.
    #[inline(always)]
    #[must_use]
    pub fn bound(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::AtLeast
        } else if score <= self.alpha {
            Bound::AtMost
        } else {
            Bound::Exact
        }
    }
}

/// What a score of a search says of the value that plain minimax would find
/// with the same depth and evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is no less.
    AtLeast,
    /// The value is no more.
    AtMost,
}

impl Bound {
    /// The sign before a number, the same in every language: none for a value.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Exact => "",
            Self::AtLeast => "≥",
            Self::AtMost => "≤",
        }
    }
}

/// What looks different from the other chair.
pub trait Perspective {
    /// The same thing as the opponent sees it.
    #[must_use]
    fn flipped(self) -> Self;
}

impl Perspective for Score {
    #[inline(always)]
    fn flipped(self) -> Self {
        Self(-self.0)
    }
}

impl Perspective for Window {
    #[inline(always)]
    fn flipped(self) -> Self {
        Self { alpha: self.beta.flipped(), beta: self.alpha.flipped() }
    }
}

impl Perspective for Bound {
    fn flipped(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::AtLeast => Self::AtMost,
            Self::AtMost => Self::AtLeast,
        }
    }
}

/// **The one sign rule.** Values, windows and bounds change sign here and nowhere
/// else, and only if the chair changed: a player who moves again keeps both.
#[inline(always)]
#[must_use]
pub fn seen_by<T: Perspective>(value: T, from: Player, to: Player) -> T {
    if from == to { value } else { value.flipped() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_changes_sign_only_with_the_chair() {
        for chair in Player::BOTH {
            assert_eq!(seen_by(Score(3), chair, chair), Score(3));
            assert_eq!(seen_by(Score(3), chair, chair.other()), Score(-3));
        }
    }

    #[test]
    fn a_window_swaps_its_bounds_with_the_chair() {
        let window = Window { alpha: Score(-2), beta: Score(5) };
        let other = seen_by(window, Player::First, Player::Second);
        assert_eq!(other, Window { alpha: Score(-5), beta: Score(2) });
        assert_eq!(seen_by(Window::FULL, Player::First, Player::Second), Window::FULL);
    }

    #[test]
    fn a_score_is_a_value_only_inside_its_window_whoever_looks_at_it() {
        let window = Window { alpha: Score(-2), beta: Score(5) };
        let bounds = [-3, -2, -1, 4, 5, 6].map(|score| window.bound(Score(score)));
        use Bound::{AtLeast, AtMost, Exact};
        assert_eq!(bounds, [AtMost, AtMost, Exact, Exact, AtLeast, AtLeast]);
        for score in -9..9 {
            let (from, to) = (Player::First, Player::Second);
            let there = seen_by(window, from, to).bound(seen_by(Score(score), from, to));
            assert_eq!(seen_by(there, to, from), window.bound(Score(score)), "{score}");
        }
        assert_eq!(Window::FULL.bound(Score::decided(Score(-64))), Exact);
    }

    #[test]
    fn decided_scores_outrank_estimates_and_give_their_margin_back() {
        assert!(Score::decided(Score(1)) > Score(400_000));
        assert_eq!(Score::decided(Score(-12)).decided_margin(), Some(Score(-12)));
        assert_eq!(Score::decided(Score(0)), Score(0));
        assert_eq!(Score(40).decided_margin(), None);
    }
}
