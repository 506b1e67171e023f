//! The crate from outside: laws over generated and mutated input, published counts, and
//! whole files.

mod boards;
mod laws;
mod mutation;
mod perft;
mod round_trip;
mod shared_data;
