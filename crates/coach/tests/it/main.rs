//! What the coach says, checked by somebody who knows nothing but the rules.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test fails by panicking, and a survey is read with --nocapture"
)]

mod cards;
mod checker;
mod claims;
mod concepts;
mod counterfactual;
mod mailbox;
mod mistakes;
mod review;
mod survey;
mod texts;
mod truth;
mod verdicts;
