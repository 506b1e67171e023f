//! How engines talk, how a game is played between any two players, and who is better.
//!
//! [`player`] is the one door through which a game is played by any player, [`referee`] plays a game
//! between two players and gives it a result whatever they do.
//! [`protocol`] turns lines of text into commands and answers into text, for GTP and NBoard, in
//! both directions. [`stats`] turns results of games into ratings with error bars and decides
//! sequential tests. What is deliberately absent: reading and writing, processes, threads, clocks
//! that were not handed in, and any engine. The driver of a session reads the lines, searches where
//! the session asks for it, and writes what it answers.

#![forbid(unsafe_code)]

pub mod player;
pub mod protocol;
pub mod referee;
pub mod stats;
