//! Fits [`WindowEvaluation`] on self-play with exact endings.
//!
//! 1. Games are played by the built-in weights at depth two from random openings of many lengths.
//! 2. From [`EXACT_FROM`] empty cells on the exact values are known. Positions before are labelled by how
//!    the game went on; of the subsets after, those on paths of good and random moves are taken too.
//! 3. The weights of each stage are fitted by stochastic gradient descent (Adagrad) on its positions and
//!    on those of the neighbouring stages near by; one game in twenty is held out to tell the error.

use std::sync::atomic::AtomicBool;

use papan_core::Random;

use super::earnings::{earned, last_left};
use super::evaluation::{KINDS, STAGES, STATES, UNIT, WINDOWS, WindowEvaluation, Windows, representative, stage};
use super::search::FillSearcher;
use super::values::Values;
use crate::adjacency::reference::START;
use crate::adjacency::rule::Four;
use crate::adjacency::search::SearchLimits;
use crate::common::bits::SetBits;
use crate::common::deadline::Deadline;

/// Empty cells from which on labels are exact.
pub const EXACT_FROM: u32 = 20;
/// Empty cells below which nothing is learnt: the search sees the end.
const LEAST: u32 = 5;
/// Paths down from each exact set.
const PATHS: u32 = 12;
/// One game in so many is held out.
const HELD_OUT: u32 = 20;
/// Passes over the positions.
const EPOCHS: u32 = 4;
/// The first step of the descent.
const STEP: f32 = 0.01;
/// How strongly weights are pulled to zero.
const DECAY: f32 = 0.01;

/// A set of empty cells and what the side to move earned from it on, in marks.
#[derive(Clone, Copy)]
struct Sample {
    empty: u64,
    value: f32,
}

/// How well one stage was fitted; errors are roots of mean squares, in marks.
#[derive(Clone, Copy, Debug)]
pub struct StageReport {
    /// The stage, see [`stage`].
    pub stage: usize,
    /// Positions that were learnt from.
    pub learnt: usize,
    /// Positions held out.
    pub held_out: usize,
    /// The error on them.
    pub error: f64,
    /// The error of taking the mean for every position.
    pub spread: f64,
}

/// Plays so many games and fits new weights; stages without positions keep the old ones.
#[must_use]
pub fn fit(games: u32, seed: u64, old: &WindowEvaluation) -> (WindowEvaluation, Vec<StageReport>) {
    let mut random = Random::new(seed);
    let searcher = FillSearcher::new(8);
    let (mut learnt, mut held_out) = (vec![Vec::new(); STAGES], vec![Vec::new(); STAGES]);
    for game in 0..games {
        for sample in play_game(&searcher, old, &mut random) {
            let empties = sample.empty.count_ones();
            if game % HELD_OUT == HELD_OUT - 1 {
                held_out[stage(empties)].push(sample);
                continue;
            }
            let near = [empties.saturating_sub(2), empties, (empties + 2).min(58)];
            for (place, &other) in near.iter().enumerate() {
                if place == 1 || stage(other) != stage(empties) {
                    learnt[stage(other)].push(sample);
                }
            }
        }
    }
    let mut evaluation = old.clone();
    let mut reports = Vec::new();
    for number in 0..STAGES {
        if !learnt[number].is_empty() {
            let mut fitted = Fitted::new();
            fitted.learn(&mut learnt[number], &mut random);
            reports.push(fitted.report(number, learnt[number].len(), &held_out[number]));
            fitted.put(number, &learnt[number], &mut evaluation);
        }
    }
    (evaluation, reports)
}

fn play_game(searcher: &FillSearcher, evaluation: &WindowEvaluation, random: &mut Random) -> Vec<Sample> {
    let stop = AtomicBool::new(false);
    let mut empty = !(START.0 | START.1);
    let first_chosen = 52 - random.below(36) as u32;
    let mut path = Vec::new();
    while empty.count_ones() > EXACT_FROM {
        let cell = if empty.count_ones() > first_chosen {
            random_cell(empty, random)
        } else {
            let limits = SearchLimits::to_depth(Deadline::until_stopped(&stop), 2);
            let cell = searcher.search(evaluation, empty, &limits, &mut |_| {}).moves[0].cell;
            path.push((empty, earned::<Four>(last_left::<Four>(empty), cell)));
            cell
        };
        empty &= !(1 << cell);
    }
    let values = Values::sweep::<Four>(empty, Deadline::until_stopped(&stop), 1).expect("nothing stops the sweep");
    let mut value = values.of(empty);
    let mut samples = vec![Sample { empty, value: value as f32 }];
    for &(empty, earned) in path.iter().rev() {
        value = earned - value;
        samples.push(Sample { empty, value: value as f32 });
    }
    for _ in 0..PATHS {
        walk_down(&values, empty, random, &mut samples);
    }
    samples
}

fn random_cell(empty: u64, random: &mut Random) -> u32 {
    SetBits(empty).nth(random.below(empty.count_ones() as usize)).expect("there is such a cell")
}

/// Best moves and, one in three, random ones; one position in three is taken.
fn walk_down(values: &Values, mut empty: u64, random: &mut Random, samples: &mut Vec<Sample>) {
    while empty.count_ones() > LEAST {
        let cell = if random.below(3) == 0 {
            random_cell(empty, random)
        } else {
            let from = random.below(64) as u32;
            let turned = |cell: u32| (cell + from) % 64;
            let best = SetBits(empty).max_by_key(|&cell| (values.after::<Four>(empty, cell), turned(cell)));
            best.expect("there is an empty cell")
        };
        empty &= !(1 << cell);
        if random.below(3) == 0 {
            samples.push(Sample { empty, value: values.of(empty) as f32 });
        }
    }
}

/// The weights of one stage while they are fitted, in marks.
struct Fitted {
    weights: Vec<f32>,
    /// The sums of squared errors that each weight has met, which shorten its steps.
    met: Vec<f32>,
    base: [f32; 64],
    forms: Vec<usize>,
}

impl Fitted {
    fn new() -> Self {
        let form = |place: usize| place / STATES * STATES + representative(place / STATES, place % STATES);
        Self {
            weights: vec![0.0; KINDS * STATES],
            met: vec![1.0; KINDS * STATES],
            base: [0.0; 64],
            forms: (0..KINDS * STATES).map(form).collect(),
        }
    }

    fn places(&self, empty: u64) -> [usize; WINDOWS] {
        let windows = Windows::new(empty);
        let mut places = [0; WINDOWS];
        for (form, place) in places.iter_mut().zip(windows.places()) {
            *form = self.forms[place];
        }
        places
    }

    fn forecast(&self, empty: u64, places: &[usize; WINDOWS]) -> f32 {
        self.base[empty.count_ones() as usize] + places.iter().map(|&place| self.weights[place]).sum::<f32>()
    }

    fn learn(&mut self, samples: &mut [Sample], random: &mut Random) {
        let mut counts = [0.0f32; 64];
        for sample in &*samples {
            let empties = sample.empty.count_ones() as usize;
            counts[empties] += 1.0;
            self.base[empties] += (sample.value - self.base[empties]) / counts[empties];
        }
        for epoch in 0..EPOCHS {
            for last in (1..samples.len()).rev() {
                samples.swap(last, random.below(last + 1));
            }
            let step = STEP * (1.0 - epoch as f32 / EPOCHS as f32);
            for sample in &*samples {
                self.correct(sample, step);
            }
        }
    }

    fn correct(&mut self, sample: &Sample, step: f32) {
        let places = self.places(sample.empty);
        let error = sample.value - self.forecast(sample.empty, &places);
        self.base[sample.empty.count_ones() as usize] += 0.2 * step * error;
        for place in places {
            self.met[place] += 0.01 * error * error;
            self.weights[place] += step * (error - DECAY * self.weights[place]) / self.met[place].sqrt();
        }
    }

    fn report(&self, stage: usize, learnt: usize, held_out: &[Sample]) -> StageReport {
        let root_mean = |of: &dyn Fn(&Sample) -> f32| {
            let sum: f64 = held_out.iter().map(|s| f64::from(of(s)).powi(2)).sum();
            (sum / held_out.len().max(1) as f64).sqrt()
        };
        StageReport {
            stage,
            learnt,
            held_out: held_out.len(),
            error: root_mean(&|s| s.value - self.forecast(s.empty, &self.places(s.empty))),
            spread: root_mean(&|s| s.value - self.base[s.empty.count_ones() as usize]),
        }
    }

    fn put(&self, number: usize, learnt: &[Sample], evaluation: &mut WindowEvaluation) {
        let rounded = |weight: f32| (weight * UNIT as f32).round() as i16;
        for (place, weight) in evaluation.windows[number].iter_mut().enumerate() {
            *weight = rounded(self.weights[self.forms[place]]);
        }
        for sample in learnt {
            let empties = sample.empty.count_ones();
            if stage(empties) == number {
                evaluation.base[empties as usize] = rounded(self.base[empties as usize]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_weights_and_they_forecast_better_than_the_mean() {
        let ((one, reports), (two, _)) =
            (fit(60, 5, WindowEvaluation::built_in()), fit(60, 5, WindowEvaluation::built_in()));
        assert_eq!(one.bytes(), two.bytes());
        let sum = |of: fn(&StageReport) -> f64| reports.iter().map(|r| of(r) * r.held_out as f64).sum::<f64>();
        assert!(sum(|r| r.error) < sum(|r| r.spread));
    }
}
