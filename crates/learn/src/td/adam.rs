//! Adam (Kingma and Ba, *Adam: A Method for Stochastic Optimization*, 2015) with one clock for all
//! parameters and moments that stay where they are while a parameter is not visited.

/// The constants of the Adam optimizer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Constants {
    pub alpha: f32,
    /// Decay of the first moment.
    pub beta1: f32,
    /// Decay of the second moment.
    pub beta2: f32,
    /// Keeps the division sane.
    pub epsilon: f32,
}

/// The moments of all parameters, and the clock.
#[derive(Debug, Clone, PartialEq)]
pub struct Adam {
    /// The gradients' moving averages.
    pub m: Vec<f32>,
    pub v: Vec<f32>,
    pub t: u64,
}

/// The memory for so many parameters is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not enough memory for the moments of {parameters} weights: {megabytes} MB are needed")]
pub struct MemoryError {
    parameters: usize,
    megabytes: usize,
}

fn zeros(n: usize) -> Result<Vec<f32>, MemoryError> {
    // Asking first makes failure an error; the pages themselves come when they are used.
    let mut probe = Vec::<f32>::new();
    probe.try_reserve_exact(n).map_err(|_| MemoryError {
        parameters: n,
        megabytes: n.saturating_mul(2 * size_of::<f32>()) >> 20,
    })?;
    drop(probe);
    Ok(vec![0.0; n])
}

/// One step's constants with the bias corrections of its time.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    constants: Constants,
    correction1: f32,
    correction2: f32,
}

impl Adam {
    pub fn new(n: usize) -> Result<Self, MemoryError> {
        Ok(Self {
            m: zeros(n)?,
            v: zeros(n)?,
            t: 0,
        })
    }

    pub fn step(&mut self, constants: Constants) -> Step {
        self.t += 1;
        let t = self.t as f64;
        let correction = |beta: f32| (1.0 / (1.0 - f64::from(beta).powf(t))) as f32;
        Step {
            constants,
            correction1: correction(constants.beta1),
            correction2: correction(constants.beta2),
        }
    }

    /// How far to move a parameter in the direction of `gradient`; nothing, with its moments
    /// reset, if that is no number.
    #[inline]
    pub fn delta(&mut self, step: &Step, parameter: usize, gradient: f32) -> Option<f32> {
        let Constants {
            alpha,
            beta1,
            beta2,
            epsilon,
        } = step.constants;
        let (m, v) = (&mut self.m[parameter], &mut self.v[parameter]);
        *m = beta1 * *m + (1.0 - beta1) * gradient;
        *v = beta2 * *v + (1.0 - beta2) * gradient * gradient;
        let (m_hat, v_hat) = (*m * step.correction1, *v * step.correction2);
        let delta = alpha * m_hat / (v_hat.sqrt() + epsilon);
        if m.is_finite() && v.is_finite() && delta.is_finite() {
            Some(delta)
        } else {
            (*m, *v) = (0.0, 0.0);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::sample::SplitMix64;

    const CONSTANTS: Constants = Constants {
        alpha: 0.025,
        beta1: 0.9,
        beta2: 0.999,
        epsilon: 1e-8,
    };

    /// The paper's algorithm, one parameter in 64 bits.
    #[derive(Default)]
    struct Reference {
        m: f64,
        v: f64,
    }

    impl Reference {
        fn delta(&mut self, t: i32, gradient: f64) -> f64 {
            self.m = 0.9 * self.m + 0.1 * gradient;
            self.v = 0.999 * self.v + 0.001 * gradient * gradient;
            let m_hat = self.m / (1.0 - 0.9f64.powi(t));
            let v_hat = self.v / (1.0 - 0.999f64.powi(t));
            0.025 * m_hat / (v_hat.sqrt() + 1e-8)
        }
    }

    #[test]
    fn steps_equal_the_reference() {
        let mut random = SplitMix64::new(5);
        let mut adam = Adam::new(3).unwrap();
        let mut reference: [Reference; 3] = std::array::from_fn(|_| Reference::default());
        for t in 1..=2_000 {
            let step = adam.step(CONSTANTS);
            for (parameter, reference) in reference.iter_mut().enumerate() {
                // The last one is visited now and then, as most weights are.
                if parameter == 2 && random.below(50) > 0 {
                    continue;
                }
                let gradient = (random.unit_f64() - 0.4) * 60.0;
                let delta = adam.delta(&step, parameter, gradient as f32).unwrap();
                let expected = reference.delta(t, f64::from(gradient as f32));
                assert!((f64::from(delta) - expected).abs() < 1e-5 + 1e-3 * expected.abs());
            }
        }
        assert_eq!(adam.t, 2_000);
    }

    #[test]
    fn the_first_step_is_alpha_long_whatever_the_gradient() {
        for gradient in [1e-3, 0.5, -40.0] {
            let mut adam = Adam::new(1).unwrap();
            let step = adam.step(CONSTANTS);
            let delta = adam.delta(&step, 0, gradient).unwrap();
            assert!((delta - 0.025 * gradient.signum()).abs() < 1e-5, "{delta}");
        }
    }

    #[test]
    fn what_is_no_number_moves_nothing_and_is_forgotten() {
        let mut adam = Adam::new(2).unwrap();
        for poison in [f32::NAN, f32::INFINITY, f32::MAX] {
            let step = adam.step(CONSTANTS);
            assert_eq!(adam.delta(&step, 0, poison), None);
            assert_eq!((adam.m[0], adam.v[0]), (0.0, 0.0));
            assert!(
                adam.delta(&step, 0, 1.0).is_some(),
                "it goes on after {poison}"
            );
        }
        adam.m[1] = f32::NAN;
        let step = adam.step(CONSTANTS);
        assert_eq!(adam.delta(&step, 1, 1.0), None);
    }

    #[test]
    fn memory_that_is_not_there_is_an_error() {
        assert!(Adam::new(usize::MAX / 8).is_err());
    }
}
