//! How we explain and teach: what a player should see in a position, and why one move is better
//! than another.
//!
//! The coach asks an [`Analyst`] that is handed in through the door; it owns no engine, no
//! database, no clock and no file. All answers are plain data: squares, lines, tags and texts, for
//! whoever draws or prints them. The features counted here explain moves; they drive no search.
//!
//! ```
//! use coach::explain::{Features, Openings, Overlays};
//! use othello::{Side, notation::parse_transcript};
//!
//! let game = parse_transcript("f5d6c3d3c4")?;
//! let moves: Vec<_> = game.moves().collect();
//! let openings = Openings::shipped()?;
//! let found = openings.recognise(game.start(), &moves).expect("a named line");
//! assert_eq!((found.opening.title().as_str(), found.plies), ("Tiger", 5));
//!
//! let features = Features::of(game.position());
//! let overlays = Overlays::of(game.position());
//! let white = features.side(Side::White);
//! assert_eq!(overlays.previews.len() as u32, white.mobility);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod analyst;
pub mod explain;
pub mod review;
mod voice;

pub use analyst::{Analyst, Attribution, Question};
pub use othello::Area;
pub use voice::Voice;
