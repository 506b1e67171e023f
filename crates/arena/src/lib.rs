//! How engines talk, how a game is played between any two players, and who is better.
//!
//! [`player`] is the one door through which a game is played by any player, [`referee`] plays a game
//! between two players and gives it a result whatever they do.
//! [`protocol`] turns lines of text into commands and answers into text, for UCI, GTP and NBoard, in
//! both directions. [`process`] starts foreign engines, talks to them within deadlines and ends them;
//! [`thought`] is what they say. [`stats`] turns results of games into ratings with error bars and
//! decides sequential tests. What is deliberately absent: any engine of our own, files, networks, and
//! clocks that were not handed in. Outside of [`process`] nothing reads, writes or waits.

#![forbid(unsafe_code)]

pub mod player;
pub mod process;
pub mod protocol;
pub mod referee;
pub mod stats;
pub mod thought;
pub mod tournament;
pub mod tuning;
