//! Foreign engines as processes: how they are started, spoken with, watched and ended.
//!
//! [`Engine`] is the door: a program that speaks UCI, GTP or NBoard goes through the states of
//! [`State`], and every step of it has a deadline. Whatever the program does, a call here ends in
//! bounded time and memory, with an answer or with [`Trouble`] that says what happened and what to
//! do. The only place of the project that starts processes.
//!
//! An engine runs below a keeper ([`keeper`]): our own program, started again, which passes on what
//! it is told, and ends the engine with everything that the engine started when its own input ends.
//! So no engine outlives us, not even if we are killed.

mod client;
mod engine;
pub mod keeper;
mod link;
mod program;
mod question;
mod restarts;
mod seat;
mod tail;
mod trouble;

pub use engine::{Deadlines, Engine, Identity, Language, Ready, Setup, State};
pub use program::{Keeper, Program, keep_to_core};
pub use question::{Clocks, Limits, Question};
pub use restarts::Restarts;
pub use seat::Foreign;
pub use tail::Tail;
pub use trouble::{Step, Trouble, plain};

use std::sync::Arc;

/// Milliseconds since whenever the caller likes. It must not stand still for ever: deadlines are
/// kept by it.
pub type Now = Arc<dyn Fn() -> u64 + Send + Sync>;
