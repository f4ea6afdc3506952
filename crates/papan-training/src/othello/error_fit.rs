//! The fit of Multi-ProbCut's error model: how far shallow searches are from deep ones.

use std::collections::BTreeMap;

use papan_engines::othello::TrainingSearch;
use papan_engines::othello::evaluation::Weights;
use papan_games::othello::OthelloPosition;

/// How far the measurement goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorFitOptions {
    /// The deepest middle game search.
    pub deepest: u32,
    /// The most empties that are solved.
    pub most_empties: u32,
}

/// The coefficients of the logarithm of the standard error, as the engine's `ErrorModel` has them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FittedErrors {
    /// Middle game: constant, empties, deep depth, shallow depth.
    pub middle: [f64; 4],
    /// Searches to the end: constant, empties, shallow depth.
    pub end: [f64; 3],
}

/// Sums of differences for one group of positions and pair of depths.
#[derive(Clone, Copy, Debug, Default)]
struct Spread {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Spread {
    fn add(&mut self, difference: i32) {
        let difference = f64::from(difference);
        self.count += 1.0;
        self.sum += difference;
        self.squares += difference * difference;
    }

    fn deviation(&self) -> f64 {
        let mean = self.sum / self.count;
        (self.squares / self.count - mean * mean).max(0.0).sqrt()
    }

    /// The natural logarithm of the deviation, which the model is linear in.
    fn logarithm(&self) -> f64 {
        self.deviation().max(0.1).ln()
    }
}

/// Ends with fewer empties are solved without selective cuts, and their errors would bend the line.
const LEAST_EMPTIES: u32 = 10;
/// Groups with fewer positions say too little.
const LEAST_GROUP: f64 = 20.0;

/// Measures the standard error on positions of all phases and fits the model.
#[must_use]
pub fn fit_errors(weights: &Weights, positions: &[OthelloPosition], options: ErrorFitOptions) -> FittedErrors {
    let search = TrainingSearch::new(weights);
    let mut middle: BTreeMap<[u32; 3], Spread> = BTreeMap::new();
    let mut end: BTreeMap<[u32; 2], Spread> = BTreeMap::new();
    for position in positions {
        let empties = position.empties().count_ones();
        let values = search.values(position, options.deepest);
        for deep in 3..values.len() {
            for shallow in 0..deep {
                let group = [empties / 4 * 4 + 2, deep as u32, shallow as u32];
                middle.entry(group).or_default().add(values[deep] - values[shallow]);
            }
        }
        if (LEAST_EMPTIES..=options.most_empties).contains(&empties) {
            let truth = search.exact(position, values[values.len() - 1]);
            for (shallow, value) in (0..).zip(&values) {
                end.entry([empties, shallow]).or_default().add(truth - value);
            }
        }
    }
    let middle = least_squares(middle.iter().filter(|(_, spread)| spread.count >= LEAST_GROUP).map(
        |(&[empties, deep, shallow], spread)| {
            ([1.0, f64::from(empties), f64::from(deep), f64::from(shallow)], spread.logarithm(), spread.count)
        },
    ));
    let end = least_squares(end.iter().filter(|(_, spread)| spread.count >= LEAST_GROUP).map(
        |(&[empties, shallow], spread)| {
            ([1.0, f64::from(empties), f64::from(shallow)], spread.logarithm(), spread.count)
        },
    ));
    FittedErrors { middle, end }
}

/// The weighted least squares solution of `row · x ≈ value`, by the normal equations and elimination.
// Rows and columns of a matrix are clearest as indices.
#[allow(clippy::needless_range_loop)]
fn least_squares<const N: usize>(rows: impl Iterator<Item = ([f64; N], f64, f64)>) -> [f64; N] {
    let mut matrix = [[0.0; N]; N];
    let mut right = [0.0; N];
    for (row, value, weight) in rows {
        for i in 0..N {
            right[i] += weight * row[i] * value;
            for j in 0..N {
                matrix[i][j] += weight * row[i] * row[j];
            }
        }
    }
    for i in 0..N {
        // A little on the diagonal keeps depths that always go together from dividing by zero.
        matrix[i][i] += 1e-6;
    }
    for pivot in 0..N {
        for row in pivot + 1..N {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            for column in pivot..N {
                matrix[row][column] -= factor * matrix[pivot][column];
            }
            right[row] -= factor * right[pivot];
        }
    }
    for row in (0..N).rev() {
        for column in row + 1..N {
            right[row] -= matrix[row][column] * right[column];
        }
        right[row] /= matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_squares_finds_the_plane_it_was_given() {
        let points = (0..6).flat_map(|x| (0..6).map(move |y| (f64::from(x), f64::from(y))));
        let rows = points.map(|(x, y)| ([1.0, x, y], 2.0 + 0.5 * x - 0.25 * y, 1.0));
        let [base, by_x, by_y] = least_squares(rows);
        assert!((base - 2.0).abs() < 1e-3 && (by_x - 0.5).abs() < 1e-3 && (by_y + 0.25).abs() < 1e-3);
    }

    #[test]
    fn deviations_do_not_count_the_mean() {
        let mut spread = Spread::default();
        for difference in [3, 5, 3, 5] {
            spread.add(difference);
        }
        assert!((spread.deviation() - 1.0).abs() < 1e-9);
    }
}
