//! How weights move: data sets, regression, self-play and temporal differences.
//!
//! This room turns games and labels into the weights that `engine` reads. It does not serve, store
//! in a database or print; callers hand in data, seeds and observers.

#![forbid(unsafe_code)]

pub mod course;
pub mod data;
pub mod fit;
pub mod games;
pub mod hidden;
pub mod label;
pub mod linear;
pub mod order;
pub mod playing;
pub mod probcut;
pub mod selfplay;
pub mod settings;
pub mod stages;
pub mod td;
