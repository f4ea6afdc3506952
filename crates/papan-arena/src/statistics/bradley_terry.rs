//! Ratings of many bots from games among them: Bradley–Terry with draws after
//! Davidson, by Newton's method, with errors from the curvature.

use super::{WinCounts, Z95};

/// Games between two players, counted from the first one's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// The number of the first player.
    pub first: usize,
    /// The number of the second player.
    pub second: usize,
    /// How their games ended.
    pub counts: WinCounts,
}

/// A player's rating in Elo points; the mean over all players is 0. Where the
/// games alone do not bound it the prior does: [`strengths`](super::strengths)
/// has what may be said of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The estimate.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
}

/// A fitted model.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// Each player's rating.
    pub players: Vec<Rating>,
    /// How drawish the games are: a draw between equals is `ν / (2 + ν)`.
    pub nu: f64,
}

/// Elo points in one natural-logarithm unit of strength.
pub(super) const ELO: f64 = 173.717_792_761;

/// A weak belief that ratings are near the mean, in units of ln strength:
/// keeps a player who won or lost everything at a finite distance. It weighs
/// as little as a hundredth of a drawn game.
const PRIOR: f64 = 0.005;

/// The same for ln ν, as much as two games: where nearly all games are drawn,
/// ν and the ratings cannot be told apart without it, and however many draws
/// would not say that two are alike.
const DRAW_PRIOR: f64 = 1.0;

/// Fits ratings to `pairings` among `players` players.
#[must_use]
pub fn fit(players: usize, pairings: &[Pairing]) -> Ratings {
    // The unknowns: ln strength of each player, then ln ν.
    let mut unknowns = vec![0.0; players + 1];
    let mut model = Model::at(&unknowns, players, pairings);
    for _ in 0..200 {
        let step = model.newton_step();
        let mut size = 1.0;
        // A full step can overshoot far from the optimum: halve it until it helps.
        let improved = loop {
            let next: Vec<f64> = unknowns.iter().zip(&step).map(|(x, d)| x + size * d.clamp(-4.0, 4.0)).collect();
            let at_next = Model::at(&next, players, pairings);
            if at_next.likelihood >= model.likelihood {
                let gain = at_next.likelihood - model.likelihood;
                unknowns = next;
                model = at_next;
                break gain;
            }
            size /= 2.0;
            if size < 1e-9 {
                break 0.0;
            }
        };
        if improved < 1e-12 {
            break;
        }
    }
    let covariance = model.covariance();
    let mean = unknowns[..players].iter().sum::<f64>() / players.max(1) as f64;
    let rated = |i: usize| {
        let (elo, error) = ((unknowns[i] - mean) * ELO, Z95 * covariance[i][i].max(0.0).sqrt() * ELO);
        Rating { elo, error }
    };
    let ratings = (0..players).map(rated).collect();
    Ratings { players: ratings, nu: unknowns[players].exp() }
}

/// The log-likelihood with its gradient and negated curvature.
struct Model {
    likelihood: f64,
    gradient: Vec<f64>,
    curvature: Vec<Vec<f64>>,
}

impl Model {
    fn at(unknowns: &[f64], players: usize, pairings: &[Pairing]) -> Self {
        let size = players + 1;
        let mut model = Self { likelihood: 0.0, gradient: vec![0.0; size], curvature: vec![vec![0.0; size]; size] };
        for (i, &x) in unknowns.iter().enumerate() {
            let prior = if i == players { DRAW_PRIOR } else { PRIOR };
            model.likelihood -= prior * x * x / 2.0;
            model.gradient[i] -= prior * x;
            model.curvature[i][i] += prior;
        }
        for pairing in pairings {
            model.add(unknowns, players, pairing);
        }
        model
    }

    /// The three outcomes have weights a, b and ν√(ab): each is the
    /// exponential of a linear form in the unknowns, so the gradient is
    /// observed minus expected forms, and the curvature their covariance.
    fn add(&mut self, unknowns: &[f64], draw: usize, pairing: &Pairing) {
        let (i, j) = (pairing.first, pairing.second);
        let logs = [unknowns[i], unknowns[j], unknowns[draw] + f64::midpoint(unknowns[i], unknowns[j])];
        let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights = logs.map(|log| (log - top).exp());
        let total: f64 = weights.iter().sum();
        let chances = weights.map(|weight| weight / total);
        let WinCounts { wins, draws, losses } = pairing.counts;
        let counts = [wins as f64, losses as f64, draws as f64];
        let games: f64 = counts.iter().sum();
        let indices = [i, j, draw];
        let forms = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 1.0]];
        let mean: [f64; 3] = std::array::from_fn(|k| (0..3).map(|o| chances[o] * forms[o][k]).sum());
        for outcome in 0..3 {
            if counts[outcome] > 0.0 {
                self.likelihood += counts[outcome] * (logs[outcome] - top - total.ln());
            }
            for k in 0..3 {
                self.gradient[indices[k]] += counts[outcome] * (forms[outcome][k] - mean[k]);
                for l in 0..3 {
                    let spread = (forms[outcome][k] - mean[k]) * (forms[outcome][l] - mean[l]);
                    self.curvature[indices[k]][indices[l]] += games * chances[outcome] * spread;
                }
            }
        }
    }

    fn newton_step(&self) -> Vec<f64> {
        let inverse = inverted(&self.curvature);
        inverse.iter().map(|row| row.iter().zip(&self.gradient).map(|(a, b)| a * b).sum()).collect()
    }

    /// The covariance of the ratings about their mean: the prior alone fixes
    /// the mean, and its uncertainty is nobody's.
    fn covariance(&self) -> Vec<Vec<f64>> {
        let inverse = inverted(&self.curvature);
        let players = inverse.len() - 1;
        let count = players.max(1) as f64;
        let row_mean: Vec<f64> = (0..players).map(|i| inverse[i][..players].iter().sum::<f64>() / count).collect();
        let mean = row_mean.iter().sum::<f64>() / count;
        (0..players).map(|i| (0..players).map(|j| inverse[i][j] - row_mean[i] - row_mean[j] + mean).collect()).collect()
    }
}

/// The inverse of a symmetric positive definite matrix, by elimination.
fn inverted(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut rows: Vec<Vec<f64>> = (0..size)
        .map(|i| {
            let identity = (0..size).map(|j| f64::from(u8::from(i == j)));
            matrix[i].iter().copied().chain(identity).collect()
        })
        .collect();
    for pivot in 0..size {
        let scale = rows[pivot][pivot];
        for value in &mut rows[pivot] {
            *value /= scale;
        }
        let pivot_row = rows[pivot].clone();
        for (index, row) in rows.iter_mut().enumerate() {
            let factor = row[pivot];
            if index != pivot && factor != 0.0 {
                for (value, p) in row.iter_mut().zip(&pivot_row) {
                    *value -= factor * p;
                }
            }
        }
    }
    rows.into_iter().map(|row| row[size..].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use papan_core::Random;

    use super::*;

    /// Plays `games` games a pairing by the model itself.
    fn simulate(strengths: &[f64], nu: f64, games: u64, seed: u64) -> Vec<Pairing> {
        let mut random = Random::new(seed);
        let mut pairings = Vec::new();
        for first in 0..strengths.len() {
            for second in first + 1..strengths.len() {
                let (a, b) = (10f64.powf(strengths[first] / 400.0), 10f64.powf(strengths[second] / 400.0));
                let draw = nu * (a * b).sqrt();
                let total = a + b + draw;
                let mut counts = WinCounts::default();
                for _ in 0..games {
                    match random.unit() * total {
                        x if x < a => counts.wins += 1,
                        x if x < a + b => counts.losses += 1,
                        _ => counts.draws += 1,
                    }
                }
                pairings.push(Pairing { first, second, counts });
            }
        }
        pairings
    }

    #[test]
    fn known_ratings_are_recovered_within_their_errors() {
        let known = [-250.0, -90.0, -20.0, 0.0, 60.0, 100.0, 200.0];
        let (mut inside, mut all) = (0, 0);
        for seed in 0..40 {
            let ratings = fit(known.len(), &simulate(&known, 0.6, 60, seed));
            assert!((ratings.nu - 0.6).abs() < 0.25, "ν is {}", ratings.nu);
            for (rating, &truth) in ratings.players.iter().zip(&known) {
                all += 1;
                inside += u32::from((rating.elo - truth).abs() <= rating.error);
            }
        }
        let share = f64::from(inside) / f64::from(all);
        assert!((0.90..=0.99).contains(&share), "{share} of the 95 % intervals hold the truth");
    }

    #[test]
    fn a_player_who_never_loses_has_a_finite_rating() {
        let counts = WinCounts { wins: 10, draws: 0, losses: 0 };
        let ratings = fit(2, &[Pairing { first: 0, second: 1, counts }]);
        assert!(ratings.players[0].elo.is_finite() && ratings.players[0].elo > 200.0, "{ratings:?}");
        assert!(ratings.players[0].error > 100.0, "the error shows how little is known");
    }

    #[test]
    fn two_players_agree_with_the_elo_formula() {
        let counts = WinCounts { wins: 136, draws: 111, losses: 96 };
        let ratings = fit(2, &[Pairing { first: 0, second: 1, counts }]);
        let difference = ratings.players[0].elo - ratings.players[1].elo;
        // Davidson's expected score differs from the logistic one by the draws.
        assert!((difference - 60.5).abs() < 3.0, "{difference}");
    }
}
