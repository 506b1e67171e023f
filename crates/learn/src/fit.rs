//! Regularised least squares for one stage of the pattern evaluation.
//!
//! The model is a sum of one weight per pattern instance, so the design matrix is sparse with
//! ones only. The normal equations are solved by conjugate gradients, preconditioned with their
//! diagonal (how often each weight occurs), in one pass over the samples an iteration. Weights are
//! pulled towards a prior, usually a neighbouring stage's solution: what the data says little
//! about stays where it was.

use engine::eval::{
    pattern::{Indices, mobility_terms},
    shapes::{LANE_OFFSETS, LANES},
};
use othello::Board;
use rayon::prelude::*;

/// One weight per lane, and the two of mobility.
const TERMS: usize = LANES + 2;

/// A position with the value to be learned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    pub board: Board,
    /// Its value for the side to move, in discs.
    pub value: f32,
    /// How much it counts.
    pub weight: f32,
}

/// The samples as the solver wants them: the parameter of every lane.
#[derive(Debug)]
pub struct Design {
    parameters: Vec<[u32; TERMS]>,
    values: Vec<f32>,
    weights: Vec<f32>,
}

impl Design {
    /// Looks up the parameters of all samples.
    pub fn new(samples: &[Sample], sharing: &[u32]) -> Self {
        let parameters = samples
            .par_iter()
            .map(|sample| {
                let lanes = Indices::of(sample.board).lanes();
                let mobility = mobility_terms(sample.board);
                std::array::from_fn(|term| match term.checked_sub(LANES) {
                    Some(side) => mobility[side] as u32,
                    None => sharing[LANE_OFFSETS[term] + usize::from(lanes[term])],
                })
            })
            .collect();
        Self {
            parameters,
            values: samples.iter().map(|s| s.value).collect(),
            weights: samples.iter().map(|s| s.weight).collect(),
        }
    }

    /// The model's value of every sample.
    pub fn predict(&self, weights: &[f32]) -> Vec<f32> {
        self.parameters
            .par_iter()
            .map(|parameters| predict_one(parameters, weights))
            .collect()
    }

    /// Mean absolute error in discs.
    pub fn mean_absolute_error(&self, weights: &[f32]) -> f64 {
        let sum: f64 = self
            .predict(weights)
            .iter()
            .zip(&self.values)
            .map(|(p, v)| f64::from((p.clamp(-64.0, 64.0) - v).abs()))
            .sum();
        sum / self.values.len().max(1) as f64
    }
}

#[inline]
fn predict_one(parameters: &[u32; TERMS], weights: &[f32]) -> f32 {
    parameters.iter().map(|&p| weights[p as usize]).sum()
}

/// How a fit is done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Strength of the pull towards the prior, in samples.
    pub ridge: f32,
    /// At most so many conjugate-gradient steps.
    pub max_iterations: usize,
}

/// The weights that minimise squared error plus the pull towards `prior`, looked for from `start`
/// on. `observe` is told each iteration's number and weights and stops the fit by returning false.
pub fn fit(
    design: &Design,
    start: &[f32],
    prior: &[f32],
    settings: Settings,
    mut observe: impl FnMut(usize, &[f32]) -> bool,
) -> Vec<f32> {
    let n = prior.len();
    let counts = design.transposed(n, |i, _| design.weights[i]);
    let diagonal: Vec<f32> = counts.iter().map(|c| c + settings.ridge).collect();
    let predicted = design.predict(start);
    let mut residual = design.transposed(n, |i, _| {
        design.weights[i] * (design.values[i] - predicted[i])
    });
    for ((r, s), p) in residual.iter_mut().zip(start).zip(prior) {
        *r -= settings.ridge * (s - p);
    }
    let mut weights = start.to_vec();
    let mut conditioned: Vec<f32> = residual.iter().zip(&diagonal).map(|(r, d)| r / d).collect();
    let mut direction = conditioned.clone();
    let mut energy = dot(&residual, &conditioned);
    for iteration in 0..settings.max_iterations {
        let mut image = design.transposed(n, |i, parameters| {
            design.weights[i] * predict_one(parameters, &direction)
        });
        for (image, d) in image.iter_mut().zip(&direction) {
            *image += settings.ridge * d;
        }
        let step = (energy / dot(&direction, &image).max(f64::MIN_POSITIVE)) as f32;
        for (w, d) in weights.iter_mut().zip(&direction) {
            *w += step * d;
        }
        for (r, q) in residual.iter_mut().zip(&image) {
            *r -= step * q;
        }
        if !observe(iteration, &weights) {
            break;
        }
        for ((z, r), d) in conditioned.iter_mut().zip(&residual).zip(&diagonal) {
            *z = r / d;
        }
        let next_energy = dot(&residual, &conditioned);
        let ratio = (next_energy / energy.max(f64::MIN_POSITIVE)) as f32;
        energy = next_energy;
        for (d, z) in direction.iter_mut().zip(&conditioned) {
            *d = z + ratio * *d;
        }
        if energy < 1e-9 {
            break;
        }
    }
    weights
}

impl Design {
    /// Adds `term(sample)` to every parameter of each sample. Chunks are summed in order, so the
    /// result does not depend on the number of threads.
    fn transposed(&self, n: usize, term: impl Fn(usize, &[u32; TERMS]) -> f32 + Sync) -> Vec<f32> {
        const CHUNKS: usize = 4;
        let chunk = self.parameters.len().div_ceil(CHUNKS).max(1);
        let partial: Vec<Vec<f32>> = self
            .parameters
            .par_chunks(chunk)
            .enumerate()
            .map(|(c, rows)| {
                let mut sums = vec![0.0; n];
                for (i, parameters) in rows.iter().enumerate() {
                    let term = term(c * chunk + i, parameters);
                    for &p in parameters {
                        sums[p as usize] += term;
                    }
                }
                sums
            })
            .collect();
        let mut partial = partial.into_iter();
        let mut total = partial.next().unwrap_or_else(|| vec![0.0; n]);
        for sums in partial {
            for (t, s) in total.iter_mut().zip(sums) {
                *t += s;
            }
        }
        total
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(x, y)| f64::from(*x) * f64::from(*y))
        .sum()
}
