//! How engines talk and who is better.
//!
//! [`protocol`] turns lines of text into commands and answers into text, for GTP and NBoard, in
//! both directions. [`stats`] turns results of games into ratings with error bars and decides
//! sequential tests. What is deliberately absent: reading and writing, processes, threads, clocks,
//! and any engine. Whoever drives a session reads the lines, searches where the session asks for
//! it, and writes what it answers.

#![forbid(unsafe_code)]

pub mod protocol;
pub mod stats;
