//! HTTP: one page and one API on the loopback interface, for one person.
//!
//! Here are the routes, the wire types with their TypeScript, the event stream, who may come in,
//! and how a refusal looks. What is deliberately absent: deciding anything. Every route turns a
//! request into one call of [`app::Desk`] and its answer into JSON. `docs/API.md` lists them.

#![forbid(unsafe_code)]

mod assets;
mod connections;
mod error;
mod events;
mod extract;
mod guard;
mod passes;
mod patience;
mod rate;
mod reports;
mod routes;
mod running;
mod seats;
mod serve;
pub mod wire;

pub use running::Elsewhere;
pub use serve::{EndSignals, Server, StartError, Started, start};
