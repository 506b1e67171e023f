//! A weight as it is kept: 16 bits without a sign, 256 steps to a disc, 32768 for nothing.
//!
//! The evaluator has the same 256 steps with a sign, so that turning one into the other loses
//! nothing.

/// The weight that is worth nothing.
pub const CENTRE: u16 = 32_768;

/// Steps to a disc.
pub const SCALE: f32 = 256.0;

/// What a weight is worth in discs.
#[inline]
pub fn to_discs(weight: u16) -> f32 {
    (f32::from(weight) - f32::from(CENTRE)) / SCALE
}

/// The weight nearest to so many discs, within what 16 bits can say. Nothing that is not a number
/// is worth anything.
#[inline]
pub fn from_discs(discs: f32) -> u16 {
    if discs.is_nan() {
        return CENTRE;
    }
    let weight = (discs * SCALE + f32::from(CENTRE)).round();
    weight.clamp(0.0, f32::from(u16::MAX)) as u16
}

/// The weight as the evaluator holds it, from the trainer's offset form.
#[inline]
pub const fn to_signed(weight: u16) -> i16 {
    (weight ^ CENTRE) as i16
}

/// The trainer's offset form of a weight that the evaluator holds.
#[inline]
pub const fn from_signed(weight: i16) -> u16 {
    weight as u16 ^ CENTRE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_survives_every_conversion() {
        for weight in 0..=u16::MAX {
            assert_eq!(from_discs(to_discs(weight)), weight);
            assert_eq!(from_signed(to_signed(weight)), weight);
            let signed = f32::from(to_signed(weight)) / SCALE;
            assert!((signed - to_discs(weight)).abs() < 1e-6);
        }
    }

    #[test]
    fn conversions_are_the_documented_ones_and_clamp() {
        assert_eq!(from_discs(0.0), 32_768);
        assert_eq!(from_discs(1.0), 33_024);
        assert_eq!(from_discs(-64.0), 16_384);
        assert_eq!(from_discs(0.001), 32_768, "less than half a step");
        assert_eq!(from_discs(0.002), 32_769, "more than half a step");
        assert_eq!(from_discs(500.0), 65_535);
        assert_eq!(from_discs(-500.0), 0);
        assert_eq!(from_discs(f32::INFINITY), 65_535);
        assert_eq!(from_discs(f32::NAN), 32_768);
        assert!((to_discs(0) + 128.0).abs() < 1e-6);
    }
}
