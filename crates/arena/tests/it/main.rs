//! The crate from outside: what must hold for any conversation.

mod conversations;
mod endings;
mod faults;
mod laws;
mod limits;
mod pondering;
mod referee;
