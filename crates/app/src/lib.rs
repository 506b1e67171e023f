//! In which order things happen: one function, or one small type, per wish of a user.
//!
//! [`Desk`] is what the server stands on: games with their trees, engines on their own threads,
//! analyses, jobs, settings, all that outlives a request. The other types serve the terminal, too.
//! Clocks come in through the door. What is deliberately absent: JSON, HTTP, command lines,
//! printing.

#![forbid(unsafe_code)]

// The laws are shared with the fuzz targets, which know this crate by its name.
#[cfg(test)]
extern crate self as app;

mod analyst;
pub mod archive;
pub mod book;
pub mod calendar;
pub mod config;
pub mod desk;
pub mod diag;
pub mod disk;
pub mod engines;
mod evaluation;
pub mod explain;
pub mod home;
pub mod input;
pub mod ladder;
#[cfg(test)]
mod laws;
mod level_words;
pub mod library;
pub mod live;
mod logging;
pub mod matches;
pub mod memory;
mod net;
mod ordered;
pub mod output;
mod player;
pub mod probcut;
pub mod review;
pub mod selfplay;
pub mod selftest;
pub mod session;
pub mod tournament;
pub mod training;
mod worker;

pub use analyst::{Analyst, AnalystError, EngineChoice, Settings, Tuning};
pub use arena::{
    process::{Keeper, Language},
    protocol::uci::Domain,
};
pub use book::{BookChoice, BookError, OpenBook};
pub use config::{Config, ConfigFile, LogConfig};
pub use desk::Desk;
pub use disk::Disk;
pub(crate) use engine::levels as engine_levels;
pub use engine::{
    Goal, LateMoves, Limits, Selectivity, bench,
    book::Book,
    levels::{BOTS, Kind, OPPONENTS, PROFILES, Profile, STRONGEST},
    time::Remaining,
};
pub use evaluation::{Evaluation, EvaluatorChoice, Origin, WeightsFile};
pub use game::Control;
pub use home::Home;
pub use level_words::{level_description, level_title};
pub use logging::{Log, LogError, start_log};
pub use net::{NetError, Patience};
pub use othello::notation::Format;
pub use player::{Pace, Player, SearchPanicError, Seat};
pub use session::{Mode, People, Session};
