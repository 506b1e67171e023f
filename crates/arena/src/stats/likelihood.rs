//! Which distribution explains the observed scores best, if its mean or its normalised Elo is
//! given: maximum likelihood under one constraint.
//!
//! The observed frequencies p are kept and only reweighted. With Lagrange multipliers the best
//! distribution is `q_i = p_i / (1 + x·c_i)`, where `c_i` is the derivative of the constraint by
//! `q_i`, shifted so that `Σ q_i c_i = 0`, and x follows from that sum. For a given mean s this is
//! `c_i = a_i - s`, and done. For a given t-value t = (μ - ½)/σ, c depends on σ and μ of the
//! solution itself. Substituting c again and again, as is often done, oscillates for lopsided
//! samples; but because μ = ½ + tσ the only unknown is σ, which is searched for.

/// Frequencies of the scores 0 to 1 in equal steps.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Distribution {
    weights: Vec<f64>,
}

impl Distribution {
    /// Relative frequencies; at least one count must be positive.
    pub(super) fn new(counts: &[f64]) -> Self {
        let total: f64 = counts.iter().sum();
        Self {
            weights: counts.iter().map(|count| count / total).collect(),
        }
    }

    fn scores(&self) -> impl Iterator<Item = f64> {
        let steps = (self.weights.len() - 1) as f64;
        (0..self.weights.len()).map(move |index| index as f64 / steps)
    }

    fn mean_of(&self, value: impl Fn(f64) -> f64) -> f64 {
        self.scores()
            .zip(&self.weights)
            .map(|(score, weight)| weight * value(score))
            .sum()
    }

    pub(super) fn mean(&self) -> f64 {
        self.mean_of(|score| score)
    }

    /// The variance of the score.
    pub(super) fn variance(&self) -> f64 {
        let mean = self.mean();
        self.mean_of(|score| (score - mean).powi(2))
    }

    /// The most likely distribution with this mean, strictly between 0 and 1.
    pub(super) fn with_mean(&self, mean: f64) -> Self {
        self.reweighted(|score| score - mean)
            .unwrap_or_else(|| self.clone())
    }

    /// The most likely distribution with this `(mean - ½) / standard deviation`.
    pub(super) fn with_t_value(&self, t: f64) -> Self {
        if t == 0.0 {
            return self.with_mean(0.5);
        }
        self.t_value_candidates(t)
            .into_iter()
            .max_by(|a, b| self.log_likelihood(a).total_cmp(&self.log_likelihood(b)))
            // Not seen for the ratings that a test admits; the neighbour in the family of given
            // means is close, and finite.
            .unwrap_or_else(|| {
                let mean = 0.5 + t * self.variance().sqrt();
                self.with_mean(mean.clamp(0.01, 0.99))
            })
    }

    /// The mean of ln(numerator / denominator) over this distribution.
    pub(super) fn mean_log_ratio(&self, numerator: &Self, denominator: &Self) -> f64 {
        self.weights
            .iter()
            .zip(numerator.weights.iter().zip(&denominator.weights))
            .map(|(weight, (above, below))| weight * (above / below).ln())
            .sum()
    }

    fn log_likelihood(&self, model: &Self) -> f64 {
        self.mean_log_ratio(model, self)
    }

    /// Every stationary point of the likelihood under the t-value constraint: changes of sign
    /// along a logarithmic grid of standard deviations, refined by bisection. Lopsided samples
    /// have up to three.
    fn t_value_candidates(&self, t: f64) -> Vec<Self> {
        // From below what a thousandth of a game among 10^8 makes up to the greatest possible.
        const GRID: i32 = 96;
        const DECADES: f64 = 4.5;
        let mut found = Vec::new();
        let mut previous: Option<(f64, f64)> = None;
        for step in 0..GRID {
            let exponent = -DECADES * f64::from(GRID - 1 - step) / f64::from(GRID - 1);
            let sigma = 0.5 * 10f64.powf(exponent);
            let excess = self.at_deviation(t, sigma).map(|(_, excess)| excess);
            if let (Some((low, low_excess)), Some(excess)) = (previous, excess)
                && (low_excess > 0.0) != (excess > 0.0)
            {
                let root = bisect(low, sigma, |middle| {
                    self.at_deviation(t, middle)
                        .is_some_and(|(_, it)| (it > 0.0) == (low_excess > 0.0))
                });
                found.extend(self.at_deviation(t, root).map(|(model, _)| model));
            }
            previous = excess.map(|excess| (sigma, excess));
        }
        found.retain(|model| {
            let t_found = (model.mean() - 0.5) / model.variance().sqrt();
            let total: f64 = model.weights.iter().sum();
            (t_found - t).abs() < 1e-6 && (total - 1.0).abs() < 1e-6
        });
        found
    }

    /// The stationary distribution if the standard deviation were `sigma`, and by how much its
    /// mean misses what t and sigma demand.
    fn at_deviation(&self, t: f64, sigma: f64) -> Option<(Self, f64)> {
        let mean = 0.5 + t * sigma;
        let model = self.reweighted(|score| {
            let from_mean = score - mean;
            from_mean - t / (2.0 * sigma) * (from_mean * from_mean - sigma * sigma)
        })?;
        let excess = model.mean() - mean;
        Some((model, excess))
    }

    /// `p_i / (1 + x·c_i)` with the x for which `Σ q_i c_i = 0`. The sum falls strictly between the
    /// poles next to 0, which exist if c takes both signs.
    fn reweighted(&self, constraint: impl Fn(f64) -> f64) -> Option<Self> {
        let terms: Vec<(f64, f64)> = self
            .scores()
            .map(constraint)
            .zip(self.weights.iter().copied())
            .collect();
        let least = terms.iter().map(|term| term.0).fold(0.0, f64::min);
        let greatest = terms.iter().map(|term| term.0).fold(0.0, f64::max);
        if least >= 0.0 || greatest <= 0.0 {
            return None;
        }
        let x = bisect(-1.0 / greatest, -1.0 / least, |x| {
            terms
                .iter()
                .map(|(c, p)| p * c / (1.0 + x * c))
                .sum::<f64>()
                > 0.0
        });
        let weights = terms.iter().map(|(c, p)| p / (1.0 + x * c)).collect();
        Some(Self { weights })
    }
}

/// The place in an interval where `is_below` turns from true to false, to the last bit.
fn bisect(mut low: f64, mut high: f64, is_below: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::sample::SplitMix64;

    fn samples(seed: u64) -> impl Iterator<Item = Distribution> {
        let mut random = SplitMix64::new(seed);
        std::iter::from_fn(move || {
            let n_scores = if random.below(2) == 0 { 3 } else { 5 };
            let counts: Vec<f64> = (0..n_scores)
                .map(|_| match random.below(5) {
                    0 | 1 => 1e-3,
                    2 => 1.0,
                    3 => f64::from(random.below(100)) + 1.0,
                    _ => f64::from(random.below(1_000_000)) + 1.0,
                })
                .collect();
            Some(Distribution::new(&counts))
        })
    }

    #[test]
    fn constraints_hold_and_nothing_is_likelier_than_the_sample() {
        for sample in samples(1).take(200) {
            for score in [0.3, 0.5, 0.51, 0.9] {
                let model = sample.with_mean(score);
                assert!((model.mean() - score).abs() < 1e-6, "{sample:?} {score}");
                assert!(sample.log_likelihood(&model) <= 1e-12);
            }
            for t in [0.008, -0.2, 0.5, -0.8] {
                let model = sample.with_t_value(t);
                let found = (model.mean() - 0.5) / model.variance().sqrt();
                assert!((found - t).abs() < 1e-6, "{sample:?} {t} {found}");
                assert!(sample.log_likelihood(&model) <= 1e-9);
            }
        }
    }

    /// The slow twin: no distribution of a fine grid over three scores that keeps the constraint
    /// is likelier than the one found.
    #[test]
    fn no_other_distribution_is_likelier() {
        for sample in samples(2).filter(|it| it.weights.len() == 3).take(60) {
            for t in [0.1, -0.3] {
                let best = sample.log_likelihood(&sample.with_t_value(t));
                for step in 1..2_000 {
                    // The draws are given; wins and losses follow from t.
                    let draws = f64::from(step) / 2_000.0;
                    let decided = 1.0 - draws;
                    let lead = t * (decided / 4.0 / (1.0 + t * t)).sqrt();
                    let (wins, losses) = (decided / 2.0 + lead, decided / 2.0 - lead);
                    if wins > 0.0 && losses > 0.0 {
                        let other = Distribution::new(&[losses, draws, wins]);
                        let found = (other.mean() - 0.5) / other.variance().sqrt();
                        assert!((found - t).abs() < 1e-9);
                        assert!(sample.log_likelihood(&other) <= best + 1e-9);
                    }
                }
            }
        }
    }
}
