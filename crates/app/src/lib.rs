//! In which order things happen: one function, or one small type, per wish of a user.
//!
//! Callers (the terminal, later the server) hand in files' contents and clocks and get values back.
//! What is deliberately absent: JSON, command lines, printing.

#![forbid(unsafe_code)]

mod analyst;
pub mod bench;
pub mod explain;
pub mod matches;
mod ordered;
mod player;
pub mod probcut;
pub mod selfplay;
pub mod training;

pub use analyst::{Analyst, AnalystError, EngineChoice, Evaluation, EvaluatorChoice, Settings};
pub use engine::{
    Bound, Control, Goal, Limits, Line, Report, Selectivity, TableStats,
    book::Book,
    levels::{PROFILES, Profile},
    time::TimeControl,
};
pub use player::{Decision, Pace, Player, SearchPanicError};
