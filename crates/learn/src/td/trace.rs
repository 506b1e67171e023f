//! Eligibility traces: how much each weight that a game visited answers for the error at hand.
//!
//! A game visits a few thousand of millions of weights, so only those are kept, in a hash table.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

/// The traces of one game.
#[derive(Debug, Default)]
pub(super) struct Traces {
    by_weight: HashMap<u32, f32, BuildHasherDefault<Spread>>,
}

impl Traces {
    /// Forgets the last game.
    pub(super) fn reset(&mut self) {
        self.by_weight.clear();
    }

    /// Multiplies all traces by `lambda` and drops those that became smaller than `floor`.
    pub(super) fn decay(&mut self, lambda: f32, floor: f32) {
        self.by_weight.retain(|_, trace| {
            *trace *= lambda;
            trace.abs() >= floor
        });
    }

    /// A visit adds one, seen by the side whose sign it has.
    #[inline]
    pub(super) fn visit(&mut self, weight: u32, sign: f32) {
        *self.by_weight.entry(weight).or_insert(0.0) += sign;
    }

    /// All weights with their traces, in no order: each is updated by itself.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, f32)> {
        self.by_weight
            .iter()
            .map(|(&weight, &trace)| (weight, trace))
    }
}

/// Weights are numbers already; one multiplication spreads them.
#[derive(Debug, Default, Clone, Copy)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        let mixed = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(traces: &Traces) -> Vec<(u32, f32)> {
        let mut all: Vec<_> = traces.iter().collect();
        all.sort_by_key(|&(weight, _)| weight);
        all
    }

    #[test]
    fn visits_add_one_and_time_takes_its_share() {
        let mut traces = Traces::default();
        traces.visit(7, 1.0);
        traces.visit(9, 1.0);
        traces.visit(9, 1.0);
        traces.decay(0.5, 0.01);
        traces.visit(7, 1.0);
        traces.visit(3, -1.0);
        assert_eq!(sorted(&traces), [(3, -1.0), (7, 1.5), (9, 1.0)]);
        traces.decay(0.5, 0.6);
        assert_eq!(
            sorted(&traces),
            [(7, 0.75)],
            "what is below the floor is gone"
        );
        traces.reset();
        assert_eq!(traces.iter().count(), 0);
    }
}
