//! Values as students read them.

use papan_core::Score;

/// A value in a few characters, the same in every language: a sign and a
/// number, `▲+3` or `▼−3` for a game that is won or lost beside estimates, `∞`
/// for an open bound.
#[must_use]
pub fn shown(score: Score) -> String {
    let sign = match score.decided_margin() {
        Some(_) if score == Score::MAX || score == Score::MIN => "",
        Some(margin) if margin > Score(0) => "▲",
        Some(_) => "▼",
        None => "",
    };
    sign.to_owned() + &shown_plainly(score)
}

/// As [`shown`], where no estimate stands beside it.
#[must_use]
pub fn shown_plainly(score: Score) -> String {
    match score {
        Score::MAX => "∞".to_owned(),
        Score::MIN => "−∞".to_owned(),
        score => signed(score.decided_margin().unwrap_or(score).0),
    }
}

/// A mean with two digits and a sign.
#[must_use]
pub fn shown_mean(mean: f64) -> String {
    format!("{mean:+.2}").replace('-', "−")
}

/// A number with its sign, 0 without one.
fn signed(number: i32) -> String {
    match number {
        0 => "0".to_owned(),
        n if n > 0 => format!("+{n}"),
        n => format!("−{}", n.unsigned_abs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_show_their_sign_and_what_is_decided() {
        let shown: Vec<_> =
            [Score(0), Score(12), Score(-3), Score::decided(Score(-5)), Score::MAX, Score::MIN].map(shown).into();
        assert_eq!(shown, ["0", "+12", "−3", "▼−5", "∞", "−∞"]);
    }
}
