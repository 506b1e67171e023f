//! The store tried from outside: every answer is compared with a plain replay of all games.

mod finding;
mod keeping;
mod kills;
mod opening;
mod reviews;
mod sample;
