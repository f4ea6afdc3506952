//! The fit: ridge regression by conjugate gradients, phase by phase from the end of the game to its start.
//!
//! For one phase let X have a row per position with a one in the column of each of its patterns' classes, and y
//! the scores. With the weights p of the phase after it, the new weights are p + d where d minimises
//! |y − X (p + d)|² + λ |d|². A class that is rarely seen keeps the weight that it has in the later phase (zero in
//! the last one); a class that is seen much more often than λ times is free. The minimum is unique, sums are made
//! in a fixed order by one thread, so the same samples give the same weights.

use papan_engines::othello::evaluation::{ClassIndex, PATTERNS, PHASES, RawPhase, STEPS_PER_DISC};

use super::sample::Sample;

/// What the fit may be told.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    /// λ: how often a class must be seen to count as much as what is known of it.
    pub lambda: f32,
    /// Steps of conjugate gradients for each phase.
    pub iterations: usize,
    /// Positions with up to so many discs more or fewer than the phase has help to fit it.
    pub reach: u32,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self { lambda: 30.0, iterations: 20, reach: 1 }
    }
}

/// The error of the weights of one phase, in discs.
#[derive(Clone, Copy, Debug)]
pub struct PhaseReport {
    /// The phase.
    pub phase: usize,
    /// Positions it was fitted to.
    pub trained: usize,
    /// Root of the mean square error on those.
    pub training_error: f64,
    /// Positions held out, of this phase alone.
    pub held_out: usize,
    /// Root of the mean square error on those.
    pub hold_out_error: f64,
    /// Mean of the absolute error on those.
    pub hold_out_absolute: f64,
}

/// The rows of X as places of ones, and y.
struct Rows {
    places: Vec<u32>,
    scores: Vec<f32>,
    columns: usize,
}

impl Rows {
    fn new(index: &ClassIndex, samples: &[&Sample], columns: usize) -> Self {
        let mut places = Vec::with_capacity(samples.len() * PATTERNS);
        for sample in samples {
            places.extend(index.places([sample.player, sample.opponent]));
        }
        Self { places, scores: samples.iter().map(|sample| f32::from(sample.score)).collect(), columns }
    }

    /// X·w; the last column is the bias, a one in every row.
    fn times(&self, weights: &[f32], result: &mut Vec<f32>) {
        let bias = weights[self.columns];
        result.clear();
        result.extend(
            self.places
                .chunks_exact(PATTERNS)
                .map(|row| bias + row.iter().map(|&place| weights[place as usize]).sum::<f32>()),
        );
    }

    /// Xᵀ·r.
    fn transposed_times(&self, values: &[f32], result: &mut [f32]) {
        result.fill(0.0);
        for (row, &value) in self.places.chunks_exact(PATTERNS).zip(values) {
            for &place in row {
                result[place as usize] += value;
            }
        }
        result[self.columns] = values.iter().map(|&value| f64::from(value)).sum::<f64>() as f32;
    }

    /// How often each column is seen.
    fn counts(&self) -> Vec<f32> {
        let mut counts = vec![0.0; self.columns + 1];
        for &place in &self.places {
            counts[place as usize] += 1.0;
        }
        counts[self.columns] = self.scores.len() as f32;
        counts
    }

    /// y − X·w.
    fn residual(&self, weights: &[f32]) -> Vec<f32> {
        let mut fitted = Vec::new();
        self.times(weights, &mut fitted);
        self.scores.iter().zip(fitted).map(|(score, fit)| score - fit).collect()
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum()
}

/// Improves `weights` in place; see the head of this file. The bias is not held back.
fn fit_rows(rows: &Rows, options: FitOptions, weights: &mut [f32]) {
    let columns = rows.columns;
    let counts = rows.counts();
    let held_back = |column: usize| if column == columns { 0.0 } else { options.lambda };
    let scale: Vec<f32> =
        counts.iter().enumerate().map(|(column, count)| 1.0 / (count + held_back(column)).max(1.0)).collect();
    // Step 1: the right side, Xᵀ (y − X p), which is also the first residual since d starts at zero.
    let mut residual = vec![0.0; columns + 1];
    rows.transposed_times(&rows.residual(weights), &mut residual);
    let scaled = |residual: &[f32]| -> Vec<f32> { residual.iter().zip(&scale).map(|(r, s)| r * s).collect() };
    let mut direction = scaled(&residual);
    let mut energy = dot(&residual, &direction);
    let mut image = vec![0.0; columns + 1];
    let mut along = Vec::new();
    for _ in 0..options.iterations {
        // Step 2: (Xᵀ X + λ) · direction.
        rows.times(&direction, &mut along);
        rows.transposed_times(&along, &mut image);
        for (column, value) in image.iter_mut().enumerate() {
            *value += held_back(column) * direction[column];
        }
        // Step 3: the step that is best along the direction.
        let curvature = dot(&direction, &image);
        if curvature <= f64::EPSILON {
            break;
        }
        let step = (energy / curvature) as f32;
        for (weight, along) in weights.iter_mut().zip(&direction) {
            *weight += step * along;
        }
        for (rest, done) in residual.iter_mut().zip(&image) {
            *rest -= step * done;
        }
        // Step 4: the next direction, conjugate to all before.
        let next = scaled(&residual);
        let next_energy = dot(&residual, &next);
        let keep = (next_energy / energy) as f32;
        energy = next_energy;
        for (old, new) in direction.iter_mut().zip(next) {
            *old = new + keep * *old;
        }
    }
}

/// Fits all phases to the samples that are not held out, telling `report` of each phase as it is done. With
/// weights to start from, p is what they have for the phase instead of what was fitted to the phase after it.
pub fn fit(
    samples: &[Sample],
    start: Option<&[RawPhase]>,
    options: FitOptions,
    mut report: impl FnMut(PhaseReport),
) -> Vec<RawPhase> {
    let index = ClassIndex::new();
    let columns = index.classes();
    let mut weights = vec![0.0_f32; columns + 1];
    let mut phases = Vec::with_capacity(PHASES);
    for phase in (0..PHASES).rev() {
        // Up to symmetry there are two positions with four and five discs: their phase is that of six and seven.
        let enough_positions = phase > 0;
        if let Some(known) = start.and_then(|phases| phases.get(phase)).filter(|_| enough_positions) {
            weights = in_discs(known);
        }
        let first = 4 + 2 * phase as u32;
        let near = |sample: &&Sample| {
            (first.saturating_sub(options.reach)..=first + 1 + options.reach).contains(&sample.discs())
        };
        let of_phase = |sample: &&Sample| (first..=first + 1).contains(&sample.discs());
        let training: Vec<&Sample> = samples.iter().filter(near).filter(|sample| !sample.held_out()).collect();
        let rows = Rows::new(&index, &training, columns);
        if enough_positions {
            fit_rows(&rows, options, &mut weights);
            cut(&rows, &mut weights);
        }
        let raw = quantised(&weights);
        let held_out: Vec<&Sample> = samples.iter().filter(of_phase).filter(|sample| sample.held_out()).collect();
        let (hold_out_error, hold_out_absolute) = errors(&index, &raw, &held_out);
        let (training_error, _) = errors(&index, &raw, &training);
        report(PhaseReport {
            phase,
            trained: training.len(),
            training_error,
            held_out: held_out.len(),
            hold_out_error,
            hold_out_absolute,
        });
        phases.push(raw);
    }
    phases.reverse();
    phases
}

/// Cuts weights that are too large to be stored; the bias makes up for it in the mean. Where a phase has few different
/// positions, large weights that cancel out fit them as well as small ones.
fn cut(rows: &Rows, weights: &mut [f32]) {
    let most = f32::from(i8::MAX) / STEPS_PER_DISC as f32;
    weights[..rows.columns].iter_mut().for_each(|weight| *weight = weight.clamp(-most, most));
    let residual = rows.residual(weights);
    if !residual.is_empty() {
        weights[rows.columns] += residual.iter().sum::<f32>() / residual.len() as f32;
    }
}

/// Stored weights in discs, the bias last: the inverse of [`quantised`].
fn in_discs(raw: &RawPhase) -> Vec<f32> {
    let steps = STEPS_PER_DISC as f32;
    let classes = raw.weights.iter().map(|&weight| i16::from(weight));
    classes.chain([raw.bias]).map(|weight| f32::from(weight) / steps).collect()
}

fn quantised(weights: &[f32]) -> RawPhase {
    // What is too large for a weight becomes the largest one.
    let round = |weight: f32| (weight * STEPS_PER_DISC as f32).round();
    let (bias, classes) = (weights[weights.len() - 1], &weights[..weights.len() - 1]);
    RawPhase { bias: round(bias) as i16, weights: classes.iter().map(|&weight| round(weight) as i8).collect() }
}

/// Root mean square and mean absolute error in discs of stored weights.
#[must_use]
pub fn errors(index: &ClassIndex, raw: &RawPhase, samples: &[&Sample]) -> (f64, f64) {
    let (mut squares, mut absolutes) = (0.0, 0.0);
    for sample in samples {
        let places = index.places([sample.player, sample.opponent]);
        let sum: i32 = places.map(|place| i32::from(raw.weights[place as usize])).sum();
        let steps = f64::from(STEPS_PER_DISC);
        let fitted = (f64::from(sum + i32::from(raw.bias)) / steps).clamp(-64.0, 64.0);
        let error = fitted - f64::from(sample.score);
        squares += error * error;
        absolutes += error.abs();
    }
    let count = samples.len().max(1) as f64;
    ((squares / count).sqrt(), absolutes / count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_core::{Position as _, Random};
    use papan_games::othello::{OthelloPosition, Rules};

    /// Positions of random games, as the discs of the side to move and of the other.
    fn random_discs(count: usize, seed: u64) -> Vec<[u64; 2]> {
        let mut random = Random::new(seed);
        let mut list = Vec::with_capacity(count);
        let mut position = OthelloPosition::start(Rules::STANDARD);
        while list.len() < count {
            list.push(position.own_and_other());
            let moves: Vec<_> = position.legal_moves().into_iter().collect();
            position = match moves.as_slice() {
                [] => OthelloPosition::start(Rules::STANDARD),
                moves => position.after(moves[random.below(moves.len())]),
            };
        }
        list
    }

    /// One position fitted by a weight and a bias that cancel out.
    #[test]
    fn cut_weights_fit_in_the_mean() {
        let rows = Rows { places: vec![0; PATTERNS], scores: vec![10.0], columns: 1 };
        let mut weights = [100.0, 10.0 - 100.0 * PATTERNS as f32];
        assert!(rows.residual(&weights)[0].abs() < 0.01);
        cut(&rows, &mut weights);
        assert!(weights[0] < 8.0);
        assert!(rows.residual(&weights)[0].abs() < 0.01);
    }

    #[test]
    fn a_score_that_is_a_sum_over_patterns_is_learnt() {
        let sample = |(game, [player, opponent]): (u32, [u64; 2])| {
            let corners = |discs: u64| (discs & 0x8100_0000_0000_0081).count_ones() as i8;
            Sample { player, opponent, score: 8 * (corners(player) - corners(opponent)) + 2, game: game / 60 }
        };
        let samples: Vec<Sample> = (0..).zip(random_discs(12_000, 9)).map(sample).collect();
        let mut reports = Vec::new();
        let phases =
            fit(&samples, None, FitOptions { lambda: 0.5, ..FitOptions::default() }, |report| reports.push(report));
        assert_eq!(phases.len(), PHASES);
        // Few positions, many classes: a part of the score is learnt, not all of it.
        let scores = || samples.iter().filter(|sample| sample.discs() > 44).map(|sample| f64::from(sample.score));
        let mean = scores().sum::<f64>() / scores().count() as f64;
        let guessing = (scores().map(|score| (score - mean).powi(2)).sum::<f64>() / scores().count() as f64).sqrt();
        let late = reports.iter().filter(|report| report.phase > 20 && report.held_out > 0);
        let errors: Vec<f64> = late.map(|report| report.hold_out_error).collect();
        let learnt = errors.iter().sum::<f64>() / errors.len() as f64;
        assert!(learnt < 0.75 * guessing, "{learnt} after {guessing}");
        let again = fit(&samples, None, FitOptions { lambda: 0.5, ..FitOptions::default() }, |_| ());
        assert!(phases == again, "the same samples must give the same weights");
    }
}
