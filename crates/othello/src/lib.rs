//! The rules of Othello, proven and fast, as a library for engines and tools.
//!
//! Here live squares, sets of squares, boards, games, the features that players count, the
//! board's symmetries, hashing, and the notations of the field as bytes ↔ records. What is
//! deliberately absent: evaluation and search, opening files, threads and clocks. Readers take
//! any [`std::io::BufRead`] that the caller opened.
//!
//! ```
//! use othello::{Board, Game, perft};
//!
//! // Two sets of bits and fast kernels for a search …
//! assert_eq!(perft(Board::START, 7), 55_092);
//!
//! // … a checked game for all other callers.
//! let mut game = Game::new();
//! for name in ["f5", "d6", "c3", "d3"] {
//!     game.place(name.parse()?)?;
//! }
//! let position = game.position();
//! assert!(position.board.legal_moves().contains("c4".parse()?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every fast path has a slow twin: [`mod@reference`] walks squares one by one and is compared
//! with the kernels in the tests. The build chooses the kernels (`x86-64-v3` is the default target);
//! code that is compiled for several processors chooses at run time ([`tier`]). All give the same
//! results.

#![deny(unsafe_code)]

mod arch;
mod area;
mod bitboard;
mod board;
mod features;
mod game;
pub mod notation;
mod perft;
pub mod reference;
mod regions;
pub mod sample;
mod side;
mod square;
mod stability;
mod symmetry;
pub mod zobrist;

pub use arch::{last, tier};
pub use area::Area;
pub use bitboard::{Bitboard, Squares};
pub use board::{Board, IllegalMoveError, OverlapError, Position};
pub use game::{Game, Move, Outcome};
pub use perft::{PERFT_PACK_SHA256, PerftCase, perft, perft_pack, perft_reference};
pub use regions::Region;
pub use side::Side;
pub use square::{ParseSquareError, Square, SquareKind};
pub use symmetry::Symmetry;
