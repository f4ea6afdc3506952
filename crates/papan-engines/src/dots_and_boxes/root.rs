//! The root of the search: the candidates one depth after the other, and what is known of each.

use super::candidates::{Candidate, Root};
use super::iterative_deepening::{Deepener, SCALE};
use super::search::Shared;
use crate::common::choice::Watch;
use crate::common::deadline::Stopped;
use papan_core::Score;
use papan_core::observer::BestSoFar;

/// Below every value there is.
const LOWEST: i32 = -(i8::MAX as i32) * SCALE;
/// Beyond every value there is, with room for sums.
const EVERYTHING: i32 = i32::MAX / 4;

/// How a candidate's value is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// The value itself.
    Value,
    /// At most that: it was only shown to be no better than another.
    AtMost,
    /// It was not searched at the depth of the best.
    Nothing,
}

/// A candidate with what is known of it.
#[derive(Clone, Copy)]
pub(super) struct Ranked<'a, const J: usize, const L: usize> {
    /// In units of 1 / `SCALE` boxes.
    pub(super) value: i32,
    pub(super) known: Known,
    pub(super) candidate: &'a Candidate<J, L>,
}

/// What a search has found.
pub(super) struct Found<'a, const J: usize, const L: usize> {
    /// The candidates, best first.
    pub(super) ranked: Vec<Ranked<'a, J, L>>,
    /// The last depth that was finished.
    pub(super) depth: u8,
    /// The depth that the values are of, less one.
    below: u8,
}

/// Ranks the candidates one depth after the other.
pub(super) fn deepen<'a, const J: usize, const L: usize>(
    root: &'a Root<J, L>,
    search: &mut Deepener<'_, J, L>,
    shared: &Shared,
    max_depth: u8,
    watch: Watch,
) -> Found<'a, J, L> {
    let first = |candidate: &'a Candidate<J, L>| Ranked {
        value: -i32::from(candidate.offer.taken),
        known: Known::Nothing,
        candidate,
    };
    let mut found = Found { ranked: root.candidates.iter().map(first).collect(), depth: 0, below: 0 };
    found.ranked.sort_by_key(|ranked| -ranked.value);
    // Nothing new comes to light once every line can be played out.
    let last = max_depth.min(root.rest.links.saturating_add(1));
    'deeper: for depth in 0..last {
        shared.deadline.progress.set_depth(u32::from(depth) + 1);
        let mut best = LOWEST;
        let mut values = vec![None; found.ranked.len()];
        for (value, Ranked { candidate, .. }) in values.iter_mut().zip(&found.ranked) {
            match value_of(search, candidate, depth, best) {
                Ok(new) => {
                    *value = Some((new, if new > best { Known::Value } else { Known::AtMost }));
                    if new > best {
                        best = new;
                        let (mv, depth, nodes) = (candidate.lines[0], u32::from(depth) + 1, shared.nodes());
                        watch(BestSoFar { mv, score: Score(new), depth, nodes });
                    }
                }
                // The first move has been searched deeper than before, so what is known of this
                // iteration counts if another has overtaken it.
                Err(_) => {
                    found.promote(&values, depth);
                    break 'deeper;
                }
            }
        }
        found.promote(&values, depth);
        found.depth = depth + 1;
    }
    found
}

/// The value of a candidate if it is above `best`, else a bound that is not.
fn value_of<const J: usize, const L: usize>(
    search: &mut Deepener<'_, J, L>,
    candidate: &Candidate<J, L>,
    depth: u8,
    best: i32,
) -> Result<i32, Stopped> {
    let gained = candidate.gained * SCALE;
    let sign = if gained > 0 { 1 } else { -1 };
    let (low, high) = if gained > 0 { (best - gained, EVERYTHING) } else { (-EVERYTHING, -best) };
    let rest = search.taker_value(&candidate.rest, candidate.offer, depth, low, high)?;
    Ok(gained + sign * rest)
}

impl<const J: usize, const L: usize> Found<'_, J, L> {
    /// Takes over the values found and sorts by them, the best first; what was not searched stays behind.
    fn promote(&mut self, values: &[Option<(i32, Known)>], below: u8) {
        if values.first().is_none_or(Option::is_none) {
            return;
        }
        for (ranked, new) in self.ranked.iter_mut().zip(values) {
            (ranked.value, ranked.known) = new.unwrap_or((LOWEST, Known::Nothing));
        }
        self.ranked.sort_by_key(|ranked| -ranked.value);
        self.below = below;
    }
}

/// Values the candidates that were only shown to be no better than the best, at the depth of the best, as long as
/// there is time. A value above the best's would be chance, since the best was sought: then the bound stays.
pub(super) fn rate_the_rest<const J: usize, const L: usize>(
    search: &mut Deepener<'_, J, L>,
    found: &mut Found<'_, J, L>,
) {
    if found.ranked[0].known == Known::Nothing {
        return;
    }
    let best = found.ranked[0].value;
    for ranked in found.ranked.iter_mut().filter(|ranked| ranked.known != Known::Value) {
        match value_of(search, ranked.candidate, found.below, LOWEST) {
            Ok(value) if value <= best => (ranked.value, ranked.known) = (value, Known::Value),
            Ok(_) => (ranked.value, ranked.known) = (best, Known::AtMost),
            Err(_) => break,
        }
    }
    found.ranked[1..].sort_by_key(|ranked| -ranked.value);
}
