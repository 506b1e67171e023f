//! Foreign engines: which there are, how they are installed and set up, and what they say side by
//! side.
//!
//! An engine is a folder `engines/ID` in the home ([`Shelf`]): `engine.toml` says what it is,
//! `config.toml` what the user changed, `files` is what was unpacked. [`Registry`] describes engines
//! that could be installed and explains their settings; [`discover`] finds programs that are on the
//! disk already; [`install`] brings one in.

mod adding;
pub mod discover;
pub mod install;
pub mod options;
pub mod panel;
mod platform;
mod registry;
mod shelf;
#[cfg(test)]
mod tests;

pub use adding::{AddError, Trial, Wish, add, try_out};
pub use platform::{Feature, Platform};
pub use registry::{
    Archive, Build, Definition, Game, Network, OptionNote, Registry, RegistryError, Remote,
    Setting, load_registry,
};
pub(crate) use shelf::definition_of;
pub use shelf::{Entry, EntryError, Id, IdError, Overrides, Shelf, ShelfError};
