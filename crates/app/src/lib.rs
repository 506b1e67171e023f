//! In which order things happen: one function, or one small type, per wish of a user.
//!
//! Callers (the terminal, later the server) hand in files' contents and clocks and get values back.
//! What is deliberately absent: JSON, command lines, printing.

#![forbid(unsafe_code)]

mod analyst;
pub mod bench;
pub mod explain;
mod player;
pub mod training;

pub use analyst::{Analyst, AnalystError, EngineChoice, EvaluatorChoice, Settings};
pub use engine::{
    Bound, Control, Goal, Limits, Line, Report, Selectivity, TableStats,
    book::Book,
    levels::{PROFILES, Profile},
    time::TimeControl,
};
pub use player::{Decision, Pace, Player, SearchPanicError};
