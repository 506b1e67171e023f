//! The sequential test: play until one of two hypotheses about the strength is clear enough.
//!
//! Wald's test compares how well two ratings explain the results. A rating does not give the
//! chance of each result, only a constraint on them; the generalised test takes, for each
//! hypothesis, the most likely distribution that keeps the constraint, and compares these
//! (Van den Bergh, *Generalized SPRT*, and *Normalized Elo*, for Fishtest). The maximisation is
//! solved to the last digits, not approximated by a normal distribution.

use super::{NORMALISED_ELO, Results, Trinomial, likelihood::Distribution, score_of_elo};
use std::fmt;

/// What the bounds of a test are measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EloModel {
    /// Elo as in rating lists: an expected score.
    Logistic,
    /// The expected score's distance from ½ in standard deviations: how long a test takes then
    /// does not depend on how many games are drawn.
    Normalised,
    /// `BayesElo`: an expected score that depends on how many games are drawn, which is estimated
    /// from the games. Without a win or without a loss the test cannot begin; its ratio is 0.
    Bayesian,
}

/// Why a test cannot be set up.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are not in order, or absurd.
    #[error("expected -{limit} <= elo0 < elo1 <= {limit}, found {elo0} and {elo1}", limit = Sprt::ELO_LIMIT)]
    Elo { elo0: f64, elo1: f64 },
    /// An error probability that is none, or both together leave nothing to decide.
    #[error("expected 0 < alpha, 0 < beta, alpha + beta < 1, found {alpha} and {beta}")]
    Errors {
        /// Probability to accept H1 wrongly.
        alpha: f64,
        /// Probability to accept H0 wrongly.
        beta: f64,
    },
}

/// What a test says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    Continue,
    /// The lower rating it is.
    AcceptH0,
    /// The upper rating it is.
    AcceptH1,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Continue => "continue",
            Self::AcceptH0 => "H0",
            Self::AcceptH1 => "H1",
        })
    }
}

/// Where a test stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// The logarithm of the likelihood ratio, H1 over H0.
    pub llr: f64,
    /// At this or less H0 is accepted.
    pub lower: f64,
    /// At this or more H1 is accepted.
    pub upper: f64,
    pub decision: Decision,
}

/// `LLR 2.25 [-2.94, 2.94] continue`.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            llr,
            lower,
            upper,
            decision,
        } = self;
        write!(f, "LLR {llr:.2} [{lower:.2}, {upper:.2}] {decision}")
    }
}

/// A sequential test of "the difference is `elo1`" (H1) against "it is `elo0`" (H0).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    model: EloModel,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl Sprt {
    /// The greatest rating difference that can be asked for: beyond, no sane match needs a test.
    pub const ELO_LIMIT: f64 = 200.0;

    /// Stands in for a score that has not been seen, so that no hypothesis is ruled out by it.
    const UNSEEN: f64 = 1e-3;

    /// A test that accepts H1 wrongly with probability `alpha` and H0 wrongly with `beta`.
    pub fn new(
        model: EloModel,
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
    ) -> Result<Self, SprtError> {
        let sane = -Self::ELO_LIMIT..=Self::ELO_LIMIT;
        if !(sane.contains(&elo0) && sane.contains(&elo1) && elo0 < elo1) {
            return Err(SprtError::Elo { elo0, elo1 });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Errors { alpha, beta });
        }
        Ok(Self {
            model,
            elo0,
            elo1,
            alpha,
            beta,
        })
    }

    /// What the ratings are measured in.
    pub const fn model(&self) -> EloModel {
        self.model
    }

    /// The two hypotheses, H0 and H1.
    pub const fn elo_bounds(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The ratios at which the test ends, for H0 and for H1.
    pub fn llr_bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The logarithm of the likelihood ratio, H1 over H0; 0 without games.
    pub fn llr(&self, results: impl Into<Results>) -> f64 {
        let results = results.into();
        let games = results.trinomial();
        if games.games() == 0 {
            return 0.0;
        }
        let counts: Vec<f64> = results
            .histogram()
            .into_iter()
            .map(|count| if count > 0.0 { count } else { Self::UNSEEN })
            .collect();
        let sample = Distribution::new(&counts);
        let hypothesis = |elo: f64| match self.model {
            EloModel::Logistic => Some(sample.with_mean(score_of_elo(elo))),
            EloModel::Normalised => {
                let t_of_game = elo / NORMALISED_ELO;
                Some(sample.with_t_value(t_of_game * results.games_per_sample().sqrt()))
            }
            EloModel::Bayesian => {
                let draw_elo = draw_elo(games)?;
                Some(sample.with_mean(score_of_bayes_elo(elo, draw_elo)))
            }
        };
        match (hypothesis(self.elo0), hypothesis(self.elo1)) {
            (Some(h0), Some(h1)) => counts.iter().sum::<f64>() * sample.mean_log_ratio(&h1, &h0),
            _ => 0.0,
        }
    }

    /// The ratio, the bounds and what follows.
    pub fn judge(&self, results: impl Into<Results>) -> Verdict {
        let llr = self.llr(results);
        let (lower, upper) = self.llr_bounds();
        let decision = if llr >= upper {
            Decision::AcceptH1
        } else if llr <= lower {
            Decision::AcceptH0
        } else {
            Decision::Continue
        };
        Verdict {
            llr,
            lower,
            upper,
            decision,
        }
    }
}

/// `BayesElo`'s inclination to draw; unknown without wins or losses.
fn draw_elo(games: Trinomial) -> Option<f64> {
    if games.wins == 0 || games.losses == 0 {
        return None;
    }
    let regularised = |count: u64| {
        if count == 0 {
            Sprt::UNSEEN
        } else {
            count as f64
        }
    };
    let [wins, draws, losses] = [games.wins, games.draws, games.losses].map(regularised);
    let odds = ((draws + losses) / wins) * ((draws + wins) / losses);
    Some(200.0 * odds.log10())
}

fn score_of_bayes_elo(elo: f64, draw_elo: f64) -> f64 {
    let win = score_of_elo(elo - draw_elo);
    let loss = score_of_elo(-elo - draw_elo);
    (1.0 + win - loss) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Estimate, GameResult, Pentanomial};
    use othello::sample::SplitMix64;
    use serde_json::Value;
    use std::path::PathBuf;

    const fn games(wins: u64, losses: u64, draws: u64) -> Results {
        Results::Games(Trinomial {
            wins,
            draws,
            losses,
        })
    }

    /// In the order LL, LD, WL, DD, WD, WW.
    const fn pairs(counts: [u64; 6]) -> Results {
        let [loss_loss, loss_draw, win_loss, draw_draw, win_draw, win_win] = counts;
        Results::Pairs(Pentanomial {
            loss_loss,
            loss_draw,
            win_loss,
            draw_draw,
            win_draw,
            win_win,
        })
    }

    /// Ratios that were computed independently, with errors of 5 % (where not, see the file).
    const KNOWN: &[(Results, EloModel, f64, f64, f64)] = &[
        (
            games(36_433, 36_027, 68_692),
            EloModel::Normalised,
            0.0,
            2.0,
            0.923_293_450_953_936_3,
        ),
        (
            games(21_404, 21_184, 40_708),
            EloModel::Logistic,
            0.5,
            2.5,
            -1.571_888_792_689_533_5,
        ),
        (
            games(68_965, 68_526, 128_429),
            EloModel::Bayesian,
            0.0,
            2.0,
            -1.262_155_889_222_361_2,
        ),
        (
            games(10, 0, 0),
            EloModel::Logistic,
            0.0,
            10.0,
            0.283_680_766_269_059_1,
        ),
        (games(0, 10, 0), EloModel::Bayesian, 0.0, 10.0, 0.0),
        (
            pairs([365, 16_618, 36_029, 200, 16_974, 390]),
            EloModel::Normalised,
            0.0,
            2.0,
            2.250_367_703_551_295_7,
        ),
        (
            pairs([0, 0, 0, 0, 0, 5_550]),
            EloModel::Normalised,
            0.0,
            5.0,
            111.797_555_086_714_17,
        ),
        (
            pairs([223, 9_863, 20_279, 1_000, 10_037, 246]),
            EloModel::Logistic,
            0.5,
            2.5,
            -3.074_126_439_586_767,
        ),
        (
            pairs([7_895, 8_757, 5_485, 200, 568, 9_999]),
            EloModel::Normalised,
            0.0,
            5.0,
            -58.129_282_500_629_53,
        ),
        (
            pairs([0, 0, 10, 0, 0, 0]),
            EloModel::Logistic,
            0.0,
            5.0,
            -0.139_427_638_815_399,
        ),
    ];

    #[test]
    fn known_ratios() {
        for &(results, model, elo0, elo1, expected) in KNOWN {
            let verdict = Sprt::new(model, elo0, elo1, 0.05, 0.05)
                .unwrap()
                .judge(results);
            assert!((verdict.llr - expected).abs() < 1e-6, "{results:?}");
            assert!((verdict.upper - 2.944_438_979_166_44).abs() < 1e-12);
            let decision = match expected {
                llr if llr > 2.95 => Decision::AcceptH1,
                llr if llr < -2.95 => Decision::AcceptH0,
                _ => Decision::Continue,
            };
            assert_eq!(verdict.decision, decision);
        }
    }

    fn close(found: f64, expected: &Value, tolerance: f64, what: &str, case: &Value) {
        // Text and null stand for infinity and NaN, for which our conventions differ.
        if let Some(expected) = expected.as_f64() {
            let error = (found - expected).abs();
            assert!(error < tolerance, "{what}: {found}, expected in {case}");
        }
    }

    /// A sample of the file is in `KNOWN`, which is always tested.
    #[test]
    #[ignore = "needs oracles/sprt.json in the folder data of KIBITZ_SHARED"]
    fn shared_data_has_the_same_ratios() {
        let shared = std::env::var_os("KIBITZ_SHARED")
            .expect("KIBITZ_SHARED must name the folder that has data/oracles/sprt.json");
        let file = PathBuf::from(shared).join("data/oracles/sprt.json");
        let text = std::fs::read_to_string(file).unwrap();
        let file: Value = serde_json::from_str(&text).unwrap();
        let cases = file["cases"].as_array().unwrap();
        assert!(cases.len() >= 20);
        for case in cases {
            let count = |key: &str| case[key].as_u64().unwrap();
            let number = |key: &str| case[key].as_f64().unwrap();
            let results = match case["kind"].as_str().unwrap() {
                "trinomial" => games(count("W"), count("L"), count("D")),
                _ => pairs(["LL", "LD", "WL", "DD", "WD", "WW"].map(count)),
            };
            let model = match case["model"].as_str().unwrap() {
                "logistic" => EloModel::Logistic,
                "normalized" => EloModel::Normalised,
                _ => EloModel::Bayesian,
            };
            let errors = (number("alpha"), number("beta"));
            let test = Sprt::new(model, number("elo0"), number("elo1"), errors.0, errors.1);
            let verdict = test.unwrap().judge(results);
            close(verdict.llr, &case["llr_exact"], 1e-6, "LLR", case);
            close(verdict.llr, &case["llr"], 1e-3, "printed LLR", case);
            close(verdict.lower, &case["lower"], 1e-12, "lower bound", case);
            close(verdict.upper, &case["upper"], 1e-12, "upper bound", case);
            assert_eq!(verdict.decision.to_string(), case["result"], "{case}");

            let estimate = Estimate::of(results);
            close(estimate.score, &case["score"], 1e-12, "score", case);
            close(estimate.elo.0, &case["elo"], 1e-9, "Elo", case);
            let normalised = estimate.normalised_elo.0;
            close(normalised, &case["nelo"], 1e-8, "normalised Elo", case);
            close(estimate.los, &case["los_value"], 1e-9, "LOS", case);
            if let Some(error) = estimate.elo_error {
                close(error, &case["elo_error"], 1e-9, "Elo error", case);
            }
            if let Some(error) = estimate.normalised_elo_error {
                close(error, &case["nelo_error"], 1e-8, "normalised error", case);
            }
        }
    }

    #[test]
    fn swapping_the_engines_changes_the_sign() {
        let mut random = SplitMix64::new(3);
        for round in 0..120 {
            let mut counts = [0; 6];
            for count in &mut counts {
                *count = u64::from(random.below(40) * random.below(2));
            }
            let [ll, ld, wl, dd, wd, ww] = counts;
            let (one, other) = (pairs(counts), pairs([ww, wd, wl, dd, ld, ll]));
            let model = [EloModel::Logistic, EloModel::Normalised, EloModel::Bayesian][round % 3];
            let up = Sprt::new(model, -1.0, 4.0, 0.05, 0.05).unwrap();
            let down = Sprt::new(model, -4.0, 1.0, 0.05, 0.05).unwrap();
            let (llr, mirrored) = (up.llr(one), down.llr(other));
            assert!(llr.is_finite());
            assert!((llr + mirrored).abs() < 1e-8, "{counts:?} {llr} {mirrored}");
        }
    }

    /// How many of so many matches, at exactly this rating, end with this decision. Scores have 20 %
    /// draws.
    fn n_decided(test: &Sprt, score: f64, decision: Decision, in_pairs: bool, n: u32) -> u32 {
        let mut random = SplitMix64::new(4);
        let win = score - 0.1;
        let mut game = || match random.unit_f64() {
            chance if chance < win => GameResult::Win,
            chance if chance < win + 0.2 => GameResult::Draw,
            _ => GameResult::Loss,
        };
        let mut match_ = || {
            let (mut pairs, mut games) = (Pentanomial::default(), Trinomial::default());
            loop {
                let verdict = if in_pairs {
                    pairs.record(game(), game());
                    test.judge(pairs)
                } else {
                    games.record(game());
                    test.judge(games)
                };
                if verdict.decision != Decision::Continue {
                    return verdict.decision;
                }
            }
        };
        (0..n).map(|_| u32::from(match_() == decision)).sum()
    }

    /// Matches of random pairs at exactly one of the hypotheses end with the other one about as
    /// often as was allowed.
    #[test]
    fn errors_are_as_rare_as_asked_for() {
        let test = Sprt::new(EloModel::Logistic, 0.0, 60.0, 0.05, 0.05).unwrap();
        for (elo, wrong) in [(0.0, Decision::AcceptH1), (60.0, Decision::AcceptH0)] {
            let errors = n_decided(&test, score_of_elo(elo), wrong, true, 400);
            // 5 % of 400 is 20, with a standard deviation of 4.
            assert!((4..=34).contains(&errors), "{elo}: {errors} of 400");
        }
    }

    #[test]
    #[ignore = "takes minutes"]
    fn errors_are_as_rare_as_asked_for_in_ten_thousand_matches() {
        const MATCHES: u32 = 10_000;
        // Three standard deviations of the count.
        let most = 0.05 * f64::from(MATCHES) + 3.0 * (0.05 * 0.95 * f64::from(MATCHES)).sqrt();
        for model in [EloModel::Logistic, EloModel::Normalised] {
            let test = Sprt::new(model, 0.0, 40.0, 0.05, 0.05).unwrap();
            let score_at = |elo: f64| match model {
                EloModel::Normalised => {
                    // (score - ½)/σ is given, and σ² = ¼ - draws/4 - (score - ½)².
                    let t = elo / NORMALISED_ELO;
                    0.5 + t * (0.2 / (1.0 + t * t)).sqrt()
                }
                _ => score_of_elo(elo),
            };
            for in_pairs in [false, true] {
                for (elo, wrong) in [(0.0, Decision::AcceptH1), (40.0, Decision::AcceptH0)] {
                    let errors = n_decided(&test, score_at(elo), wrong, in_pairs, MATCHES);
                    println!("{model:?}, pairs {in_pairs}, at {elo}: {errors} of {MATCHES}");
                    assert!(f64::from(errors) <= most, "{errors} of {MATCHES}");
                }
            }
        }
    }

    #[test]
    fn nonsense_is_refused() {
        let test = |elo0, elo1, alpha, beta| Sprt::new(EloModel::Logistic, elo0, elo1, alpha, beta);
        assert!(test(0.0, 5.0, 0.05, 0.05).is_ok());
        for (elo0, elo1) in [(5.0, 5.0), (5.0, 0.0), (0.0, 1e9), (f64::NAN, 1.0)] {
            assert!(matches!(
                test(elo0, elo1, 0.05, 0.05),
                Err(SprtError::Elo { .. })
            ));
        }
        for (alpha, beta) in [(0.0, 0.1), (0.5, 0.5), (0.1, f64::NAN), (-0.1, 0.1)] {
            assert!(matches!(
                test(0.0, 5.0, alpha, beta),
                Err(SprtError::Errors { .. })
            ));
        }
        let text = test(5.0, 0.0, 0.05, 0.05).unwrap_err().to_string();
        assert_eq!(text, "expected -200 <= elo0 < elo1 <= 200, found 5 and 0");
    }

    #[test]
    fn no_games_decide_nothing() {
        for model in [EloModel::Logistic, EloModel::Normalised, EloModel::Bayesian] {
            let test = Sprt::new(model, 0.0, 5.0, 0.05, 0.05).unwrap();
            let verdict = test.judge(Trinomial::default());
            assert_eq!(verdict.to_string(), "LLR 0.00 [-2.94, 2.94] continue");
        }
    }
}
