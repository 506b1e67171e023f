//! The crate from outside: what must hold for any conversation.

mod conversations;
mod laws;
mod referee;
