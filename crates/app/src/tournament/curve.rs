//! How a value went from pair to pair, in few points.

/// A value after so many pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub pairs: u64,
    pub value: f64,
    /// Half of its 95 % interval, where it has one.
    pub error: Option<f64>,
}

/// Values after so many pairs, few enough to be drawn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Curve(pub Vec<Point>);

/// Points of a curve; when there are more, every second one is left out.
const CURVE_POINTS: usize = 400;

/// A curve that keeps its shape in few points.
#[derive(Debug, Clone, Default)]
pub(super) struct Thinned {
    points: Vec<Point>,
    every: u64,
}

impl Thinned {
    pub(super) fn is_due(&self, at: u64) -> bool {
        at.is_multiple_of(self.every.max(1))
    }

    pub(super) fn add(&mut self, pairs: u64, value: f64, error: Option<f64>) {
        self.every = self.every.max(1);
        if !value.is_finite() {
            return;
        }
        self.points.push(Point {
            pairs,
            value,
            error: error.filter(|it| it.is_finite()),
        });
        if self.points.len() >= CURVE_POINTS {
            self.every *= 2;
            let every = self.every;
            self.points.retain(|it| it.pairs % every == 0);
        }
    }

    /// The curve as far as it was added to.
    pub(super) fn kept(&self) -> Curve {
        Curve(self.points.clone())
    }

    /// The curve up to its latest value, which may stand between two that are kept.
    pub(super) fn up_to(&self, pairs: u64, value: f64, error: Option<f64>) -> Curve {
        let mut points = self.points.clone();
        let is_there = self.points.last().is_some_and(|it| it.pairs >= pairs);
        if pairs > 0 && !is_there && value.is_finite() {
            let error = error.filter(|it| it.is_finite());
            points.push(Point {
                pairs,
                value,
                error,
            });
        }
        Curve(points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_has_few_points_and_ends_at_the_latest() {
        let mut curve = Thinned::default();
        for pairs in 1..=1_001 {
            if curve.is_due(pairs) {
                curve.add(pairs, pairs as f64, None);
            }
        }
        assert!(curve.points.len() < CURVE_POINTS);
        assert!(curve.points.last().unwrap().pairs < 1_001);
        let shown = curve.up_to(1_001, 1_001.0, None);
        assert_eq!(shown.0.last().unwrap().pairs, 1_001);
        assert_eq!(shown.0.len(), curve.points.len() + 1);
        let again = curve.up_to(curve.points.last().unwrap().pairs, 5.0, None);
        assert_eq!(again, curve.kept());
        assert_eq!(curve.up_to(1_001, f64::NAN, None), curve.kept());
    }
}
