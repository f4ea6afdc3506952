//! Fits the evaluation's weights on self-play: linear least squares of the final margin on the
//! features, apart for each parity of the plies left and each class of share.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use papan_core::Random;

use super::evaluation::{FEATURES, SHARES, UNIT, Weights, features, share_class};
use super::search::{SearchLimits, Searcher};
use crate::adjacency::reference::START;
use crate::adjacency::rule::Rule;
use crate::common::bits::SetBits;
use crate::common::deadline::Deadline;

/// How to make the games.
#[derive(Clone, Copy, Debug)]
pub struct FitPlan {
    /// Games of self-play in each pass.
    pub games: u32,
    /// How often to play and fit; each pass plays with the weights of the one before.
    pub passes: u32,
    /// Search depth of both players.
    pub depth: u32,
    /// Same seed, same weights.
    pub seed: u64,
}

/// Fitted weights and how well they foretell the final margin.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The weights.
    pub weights: Weights,
    /// Root of the mean squared error of the fit on its own positions, in marks.
    pub error: f64,
    /// The same for the marks at the time taken as the forecast.
    pub error_of_marks: f64,
    /// Positions.
    pub positions: u64,
}

#[derive(Clone)]
struct Class {
    products: [[f64; FEATURES]; FEATURES],
    targets: [f64; FEATURES],
    square: f64,
    naive: f64,
    count: u64,
}

/// The weights that the first pass plays with: a mark counts by the chance that none of its empty
/// neighbours is filled, if each empty cell is filled with the same chance.
fn survival_weights<R: Rule>() -> Weights {
    let mut rows = [[0; FEATURES]; SHARES];
    for (share, row) in rows.iter_mut().enumerate() {
        let stays = 1.0 - (share as f64 + 0.5) / SHARES as f64;
        let weight = |k: i32| f64::from(UNIT) * stays.powi(k);
        row[0] = UNIT;
        for k in 1..=R::MAX {
            row[k as usize] = (weight(k) - weight(k - 1)).round() as i32;
        }
    }
    [rows; 2]
}

/// Plays the games and fits the weights.
#[must_use]
pub fn fit<R: Rule>(plan: FitPlan) -> Fitted {
    let mut random = Random::new(plan.seed);
    let mut fitted = fit_once::<R>(plan, survival_weights::<R>(), &mut random);
    for _ in 1..plan.passes {
        fitted = fit_once::<R>(plan, fitted.weights, &mut random);
    }
    fitted
}

fn fit_once<R: Rule>(plan: FitPlan, weights: Weights, random: &mut Random) -> Fitted {
    let empty =
        Class { products: [[0.0; FEATURES]; FEATURES], targets: [0.0; FEATURES], square: 0.0, naive: 0.0, count: 0 };
    let mut classes = vec![empty; 2 * SHARES];
    let searcher = Searcher::with_weights(8, weights);
    for _ in 0..plan.games {
        let history = play_game::<R>(&searcher, plan, random);
        let &(own, opp, _) = history.last().expect("a game has a last position");
        let mut margin = own.count_ones() as i32 - opp.count_ones() as i32;
        for &(own, opp, plies) in history.iter().rev() {
            if plies >= 2 {
                let class = share_class(plies, (!(own | opp)).count_ones());
                classes[(plies & 1) as usize * SHARES + class].add(&features::<R>(own, opp), margin);
            }
            margin = -margin;
        }
    }
    summarise(&classes)
}

/// One game of random length from a random opening: every position with its plies left.
fn play_game<R: Rule>(searcher: &Searcher, plan: FitPlan, random: &mut Random) -> Vec<(u64, u64, u32)> {
    let stop = AtomicBool::new(false);
    let mut plies = 2 * (2 + random.below(27) as u32);
    let opening = plies - (2 + random.below(4) as u32).min(plies);
    let (mut own, mut opp) = START;
    let mut history = vec![(own, opp, plies)];
    while plies > 0 {
        // Random first moves, and one random move in ten later, show the fit many kinds of boards.
        let cells: Vec<u32> = SetBits(!(own | opp)).collect();
        let cell = if plies > opening || random.below(10) == 0 {
            cells[random.below(cells.len())]
        } else {
            let limits = SearchLimits::to_depth(Deadline::until_stopped(&stop), plan.depth);
            searcher.search::<R>(own, opp, plies, &limits, &mut |_| {}).moves[0].cell
        };
        let flipped = R::neighbours(cell) & opp;
        (own, opp) = (opp & !flipped, own | 1 << cell | flipped);
        plies -= 1;
        history.push((own, opp, plies));
    }
    history
}

impl Class {
    fn add(&mut self, features: &[i32; FEATURES], margin: i32) {
        let x = features.map(f64::from);
        let y = f64::from(margin);
        for i in 0..FEATURES {
            for j in 0..FEATURES {
                self.products[i][j] += x[i] * x[j];
            }
            self.targets[i] += x[i] * y;
        }
        self.square += y * y;
        self.naive += (y - x[0]) * (y - x[0]);
        self.count += 1;
    }

    /// Ridge regression by Gaussian elimination: the matrix is positive definite, so no pivoting.
    fn solve(&self) -> [f64; FEATURES] {
        let mut a = self.products;
        let mut b = self.targets;
        for (i, row) in a.iter_mut().enumerate() {
            row[i] += 5.0;
        }
        for i in 0..FEATURES {
            for j in i + 1..FEATURES {
                let factor = a[j][i] / a[i][i];
                let pivot = a[i];
                for (cell, above) in a[j].iter_mut().zip(pivot).skip(i) {
                    *cell -= factor * above;
                }
                b[j] -= factor * b[i];
            }
        }
        for i in (0..FEATURES).rev() {
            for k in i + 1..FEATURES {
                b[i] -= a[i][k] * b[k];
            }
            b[i] /= a[i][i];
        }
        b
    }

    /// The sum of squared errors of weights.
    fn squared_error(&self, w: &[f64; FEATURES]) -> f64 {
        let mut sum = self.square;
        for i in 0..FEATURES {
            sum -= 2.0 * w[i] * self.targets[i];
            for j in 0..FEATURES {
                sum += w[i] * w[j] * self.products[i][j];
            }
        }
        sum
    }
}

fn summarise(classes: &[Class]) -> Fitted {
    let mut weights: Weights = [[[0; FEATURES]; SHARES]; 2];
    let (mut error, mut naive, mut positions) = (0.0, 0.0, 0);
    for (index, class) in classes.iter().enumerate() {
        let fitted = class.solve();
        weights[index / SHARES][index % SHARES] = fitted.map(|w| (w * f64::from(UNIT)).round() as i32);
        error += class.squared_error(&fitted);
        naive += class.naive;
        positions += class.count;
    }
    let root_mean = |sum: f64| (sum / positions.max(1) as f64).sqrt();
    Fitted { weights, error: root_mean(error), error_of_marks: root_mean(naive), positions }
}

/// The weights of both rules as the source file that the engine is built with.
#[must_use]
pub fn as_source(command: &str, four: &Fitted, eight: &Fitted) -> String {
    let mut text = format!(
        "//! Weights fitted on self-play. Made by `{command}`; do not edit.\n//!\n\
         //! Error of the forecast of the final margin, in marks (of the marks at the time):\n\
         //! four neighbours {:.2} ({:.2}) on {} positions, eight {:.2} ({:.2}) on {}.\n\n\
         use super::evaluation::Weights;\n\n\
         /// By rule: four neighbours, eight neighbours.\n\
         pub(super) static WEIGHTS: [Weights; 2] = [\n",
        four.error, four.error_of_marks, four.positions, eight.error, eight.error_of_marks, eight.positions
    );
    for fitted in [four, eight] {
        text.push_str("    [\n");
        for parity in &fitted.weights {
            text.push_str("        [\n");
            for row in parity {
                writeln!(text, "            {row:?},").expect("writing to a string");
            }
            text.push_str("        ],\n");
        }
        text.push_str("    ],\n");
    }
    text.push_str("];\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adjacency::rule::{Eight, Four};

    #[test]
    fn the_same_seed_gives_the_same_weights_and_they_forecast_better_than_marks() {
        let plan = FitPlan { games: 60, passes: 2, depth: 1, seed: 5 };
        let (one, two) = (fit::<Four>(plan), fit::<Four>(plan));
        assert_eq!(one.weights, two.weights);
        assert!(one.error < one.error_of_marks);
        let eight = fit::<Eight>(plan);
        assert!(eight.error < eight.error_of_marks);
    }
}
