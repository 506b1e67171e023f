//! Tuning by simultaneous perturbation (SPSA, Spall 1992): all parameters are moved at once, a
//! little up or down by chance, both settings play each other, and the winner's direction is
//! followed a little.
//!
//! Pure: whoever plays hands the result in. What is chance follows from the seed and the number of
//! the step, so that a tuning that was interrupted goes on as if it had not been.

use othello::sample::SplitMix64;

/// A number to be tuned.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    pub name: String,
    /// The value that it begins with.
    pub start: f64,
    pub min: f64,
    pub max: f64,
    /// How far it is moved at the last step.
    pub step: f64,
    /// Whether only whole numbers are played.
    pub is_whole: bool,
}

/// How fast a tuning goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    /// How many steps are taken in all.
    pub steps: u64,
    /// How far a win moves the parameters at the last step, for each square of `step`.
    pub rate: f64,
    pub seed: u64,
}

/// How the gains shrink, as Spall recommends.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// The share of the steps by which the first ones are held back.
const STABILITY: f64 = 0.1;

/// Why there is nothing to tune.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TuningError {
    #[error("expected at least one parameter and one step")]
    Nothing,
    #[error(
        "{name}: expected min < max, a start between them, a step above 0, and a whole number between \
         min and max unless it may have fractions"
    )]
    Parameter { name: String },
    #[error("two parameters are called {0:?}")]
    Twice(String),
    #[error("rate: expected a number above 0")]
    Rate,
}

/// Where a tuning stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuning {
    parameters: Vec<Parameter>,
    schedule: Schedule,
    values: Vec<f64>,
    done: u64,
}

/// What plays in a step: the values of both sides, in the order of the parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The number of the step, counted from 0.
    pub step: u64,
    pub plus: Vec<f64>,
    pub minus: Vec<f64>,
}

impl Tuning {
    /// A tuning of which nothing was played.
    pub fn new(parameters: Vec<Parameter>, schedule: Schedule) -> Result<Self, TuningError> {
        if parameters.is_empty() || schedule.steps == 0 {
            return Err(TuningError::Nothing);
        }
        if !(schedule.rate.is_finite() && schedule.rate > 0.0) {
            return Err(TuningError::Rate);
        }
        for (at, it) in parameters.iter().enumerate() {
            let is_right = it.min < it.max
                && (it.min..=it.max).contains(&it.start)
                && it.step.is_finite()
                && it.step > 0.0
                && (!it.is_whole || it.min.ceil() <= it.max.floor());
            if !is_right {
                let name = it.name.clone();
                return Err(TuningError::Parameter { name });
            }
            if parameters[..at].iter().any(|other| other.name == it.name) {
                return Err(TuningError::Twice(it.name.clone()));
            }
        }
        Ok(Self {
            values: parameters.iter().map(|it| it.start).collect(),
            parameters,
            schedule,
            done: 0,
        })
    }

    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The values that are best so far, in the order of the parameters.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Steps that were taken.
    pub const fn done(&self) -> u64 {
        self.done
    }

    /// The next trial; `None` when all steps were taken.
    pub fn trial(&self) -> Option<Trial> {
        if self.done >= self.schedule.steps {
            return None;
        }
        let moved = |sign: f64| {
            let signs = self.signs();
            self.parameters
                .iter()
                .zip(&self.values)
                .zip(signs)
                .map(|((it, value), direction)| {
                    let wanted = value + sign * direction * self.width(it);
                    let wanted = wanted.clamp(it.min, it.max);
                    if it.is_whole {
                        self.rounded(it, wanted)
                    } else {
                        wanted
                    }
                })
                .collect()
        };
        Some(Trial {
            step: self.done,
            plus: moved(1.0),
            minus: moved(-1.0),
        })
    }

    /// A whole number near a value, by chance such that the mean is the value.
    fn rounded(&self, parameter: &Parameter, value: f64) -> f64 {
        let mut random = SplitMix64::new(self.schedule.seed ^ self.done.rotate_left(24) ^ 0x5ca1e);
        let chance = f64::from(random.below(1 << 20)) / f64::from(1 << 20);
        (value + chance)
            .floor()
            .clamp(parameter.min.ceil(), parameter.max.floor())
    }

    /// The result of the trial: what its plus side won and lost, as pairs of points over their
    /// number, from −1 (lost all) to 1 (won all).
    pub fn record(&mut self, result: f64) {
        let signs = self.signs();
        let result = result.clamp(-1.0, 1.0);
        let gain = self.gain();
        for (at, direction) in signs.into_iter().enumerate() {
            let parameter = &self.parameters[at];
            let width = self.width(parameter);
            let next = self.values[at]
                + gain * parameter.step * parameter.step * result * direction / width;
            self.values[at] = next.clamp(parameter.min, parameter.max);
        }
        self.done += 1;
    }

    /// Up or down for each parameter, by chance.
    fn signs(&self) -> Vec<f64> {
        let mut random =
            SplitMix64::new(self.schedule.seed.wrapping_add(self.done.rotate_left(32)));
        let sign = |_| if random.below(2) == 0 { -1.0 } else { 1.0 };
        (0..self.parameters.len()).map(sign).collect()
    }

    /// How far a parameter is moved in this step: its `step` at the last one, more before.
    fn width(&self, parameter: &Parameter) -> f64 {
        let last = self.schedule.steps as f64;
        parameter.step * (last / (self.done as f64 + 1.0)).powf(GAMMA)
    }

    /// How much a result counts in this step: `rate` at the last one, more before.
    fn gain(&self) -> f64 {
        let last = self.schedule.steps as f64;
        let held = STABILITY * last;
        self.schedule.rate * ((last + held) / (self.done as f64 + 1.0 + held)).powf(ALPHA)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str, start: f64) -> Parameter {
        Parameter {
            name: name.to_owned(),
            start,
            min: 0.0,
            max: 100.0,
            step: 4.0,
            is_whole: false,
        }
    }

    const SCHEDULE: Schedule = Schedule {
        steps: 4_000,
        rate: 0.05,
        seed: 3,
    };

    /// Strength falls with the distance from 70 and 20; games are noisy.
    fn play(trial: &Trial, random: &mut SplitMix64) -> f64 {
        let strength = |values: &[f64]| -((values[0] - 70.0).powi(2) + (values[1] - 20.0).powi(2));
        let lead = (strength(&trial.plus) - strength(&trial.minus)) / 2_000.0;
        let chance = 1.0 / (1.0 + (-lead).exp());
        let dice = f64::from(random.below(1 << 20)) / f64::from(1 << 20);
        if dice < chance { 1.0 } else { -1.0 }
    }

    #[test]
    fn it_finds_the_best_values_among_noise() {
        let mut tuning =
            Tuning::new(vec![parameter("a", 30.0), parameter("b", 60.0)], SCHEDULE).unwrap();
        let mut random = SplitMix64::new(9);
        while let Some(trial) = tuning.trial() {
            let result = play(&trial, &mut random);
            tuning.record(result);
        }
        let [a, b] = *tuning.values() else { panic!() };
        assert!(
            (a - 70.0).abs() < 10.0 && (b - 20.0).abs() < 10.0,
            "{a} {b}"
        );
    }

    #[test]
    fn what_was_recorded_again_stands_as_before() {
        let make = || Tuning::new(vec![parameter("a", 30.0)], SCHEDULE).unwrap();
        let mut whole = make();
        let results = [1.0, -0.5, 0.0, 1.0];
        for result in results {
            whole.record(result);
        }
        let mut again = make();
        for result in results {
            again.record(result);
        }
        assert_eq!(whole, again);
        assert_eq!(whole.trial(), again.trial());
    }

    #[test]
    fn whole_numbers_stay_whole_and_inside() {
        let mut it = parameter("a", 0.5);
        it.is_whole = true;
        let mut tuning = Tuning::new(vec![it], SCHEDULE).unwrap();
        for _ in 0..100 {
            let trial = tuning.trial().unwrap();
            for value in [trial.plus[0], trial.minus[0]] {
                assert!(
                    value.fract() == 0.0 && (0.0..=100.0).contains(&value),
                    "{value}"
                );
            }
            tuning.record(-1.0);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert_eq!(Tuning::new(Vec::new(), SCHEDULE), Err(TuningError::Nothing));
        let mut wrong = parameter("a", 30.0);
        wrong.max = 10.0;
        assert!(Tuning::new(vec![wrong], SCHEDULE).is_err());
        let twice = vec![parameter("a", 1.0), parameter("a", 2.0)];
        assert_eq!(
            Tuning::new(twice, SCHEDULE),
            Err(TuningError::Twice("a".to_owned()))
        );
    }
}
