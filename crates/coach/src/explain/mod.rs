//! Why a move is good or bad: features, reasons, mistakes, overlays, openings.
//!
//! [`Explainer`] compares two moves by the lines that an [`Analyst`](crate::Analyst) gives for
//! them. Every [`Reason`] carries a [`Claim`] as data beside its text: what exactly is said can be
//! checked, and is, by the tests of this crate. `docs/EXPLAIN.md` says what each of them means.

mod candidate;
mod chances;
mod claim;
mod compare;
mod concepts;
mod counts;
mod events;
mod explainer;
pub mod features;
mod foresight;
mod manoeuvres;
mod mistakes;
mod openings;
mod overlays;
mod parity;
mod phrases;
mod ranking;
mod refutation;
mod severity;
mod timing;
mod verdict;
mod why;
mod words;

pub use candidate::Candidate;
pub use chances::winning_chances;
pub use claim::{Claim, Deed, Fate, Pair, Zone};
pub use explainer::{Basis, ExplainError, Explainer, Explanation, Reason, SpeaksFor, Tag};
pub use features::{FeatureCache, Features, RegionFeature, SideDelta, SideFeatures};
pub use mistakes::{Evidence, Judgement, Mistake, MistakeClass};
pub use openings::{Opening, Openings, OpeningsError, Recognised};
pub use overlays::{
    CornerArrow, MobilityHeat, MovePreview, Overlays, ParityRegion, StabilityHeat, Tension,
};
pub use parity::ParityFlip;
pub use severity::Severity;
pub use verdict::{Certainty, FIRST_DEPTH};
pub use why::{Branch, Feature, Origin, Row, Table};
pub use words::{Follow, Telling};
