//! A UCI engine without a thought: it answers at once with a legal move that follows from the
//! position. For measuring what a referee costs, and for games that replay. With a number behind it,
//! it waits so many milliseconds before each move.
//!
//! `cargo build --release -p arena --example null_mover`

use game::{Kind, Move, Position};
use std::{
    env,
    io::{self, BufRead as _, Write as _},
    thread,
    time::Duration,
};

/// The position of the last command, with the words that led there.
struct Board {
    words: String,
    position: Position,
}

impl Board {
    /// Plays only the moves that are new.
    fn set(&mut self, words: &str) -> Option<()> {
        if let Some(rest) = words.strip_prefix(self.words.as_str())
            && !self.words.is_empty()
            && rest.starts_with(" moves ") != self.words.contains(" moves ")
        {
            let rest = rest.strip_prefix(" moves").unwrap_or(rest);
            self.play(rest)?;
        } else if words != self.words {
            let (start, moves) = words.split_once(" moves").unwrap_or((words, ""));
            self.position = match start.strip_prefix("fen ") {
                Some(fen) => Kind::Chess.parse_position(fen).ok()?,
                None => Kind::Chess.start(),
            };
            self.play(moves)?;
        }
        words.clone_into(&mut self.words);
        Some(())
    }

    fn play(&mut self, moves: &str) -> Option<()> {
        for text in moves.split_whitespace() {
            let action = self.position.parse_move(text).ok()?;
            self.position = self.position.play(action).ok()?;
        }
        Some(())
    }

    /// Any legal move, the same each time.
    fn choice(&self) -> Option<Move> {
        let moves = self.position.legal_moves();
        let at = (self.position.hash() >> 32) as usize % moves.len().max(1);
        moves.get(at).copied()
    }
}

fn main() -> io::Result<()> {
    let mut board = Board {
        words: String::new(),
        position: Kind::Chess.start(),
    };
    let pause_ms = env::args().nth(1).and_then(|it| it.parse().ok());
    let pause = Duration::from_millis(pause_ms.unwrap_or(0));
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (command, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match command {
            "uci" => writeln!(out, "id name Null mover 1\nid author nobody\nuciok")?,
            "isready" => writeln!(out, "readyok")?,
            "position" => {
                board.set(rest);
            }
            "go" => match board.choice() {
                Some(action) => {
                    thread::park_timeout(pause);
                    writeln!(
                        out,
                        "info depth 1 score cp 0 nodes 1 pv {action}\nbestmove {action}"
                    )?;
                }
                None => writeln!(out, "bestmove (none)")?,
            },
            "quit" => break,
            _ => {}
        }
        out.flush()?;
    }
    Ok(())
}
