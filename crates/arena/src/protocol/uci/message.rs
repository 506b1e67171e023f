//! What an engine says.

use super::{Declaration, Info, one_word};
use crate::protocol::one_line;
use std::{fmt, str::FromStr};

/// What an engine tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    Name(String),
    Author(String),
    /// One of its settings.
    Option(Declaration),
    /// It has said who it is.
    UciOk,
    ReadyOk,
    /// Whether a check of the copy or of the registration is under way, succeeded or failed.
    Protection {
        /// `copyprotection` or `registration`.
        what: Guard,
        /// `checking`, `ok` or `error`.
        state: String,
    },
    Info(Box<Info>),
    /// The end of a search.
    BestMove {
        /// A word as it came: a move, or something that is none. See [`Message::is_no_move`].
        best: String,
        /// What the engine expects next.
        ponder: Option<String>,
    },
}

/// What some sold engines check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    Copy,
    Registration,
}

/// The line means nothing to us; the protocol wants it ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a message of the UCI protocol")]
pub struct ParseMessageError;

impl Message {
    /// Whether a best move is the word for "there is none".
    pub fn is_no_move(best: &str) -> bool {
        ["(none)", "none", "0000", "null"]
            .iter()
            .any(|word| word.eq_ignore_ascii_case(best))
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "id name {}", one_line(name)),
            Self::Author(author) => write!(f, "id author {}", one_line(author)),
            Self::Option(option) => option.fmt(f),
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Protection { what, state } => {
                let name = match what {
                    Guard::Copy => "copyprotection",
                    Guard::Registration => "registration",
                };
                write!(f, "{name} {}", one_word(state))
            }
            Self::Info(info) => info.fmt(f),
            Self::BestMove { best, ponder } => {
                write!(f, "bestmove {}", one_word(best))?;
                match ponder {
                    Some(ponder) => write!(f, " ponder {}", one_word(ponder)),
                    None => Ok(()),
                }
            }
        }
    }
}

impl FromStr for Message {
    type Err = ParseMessageError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let line = one_line(line);
        let (name, rest) = match line.split_once(char::is_whitespace) {
            Some((name, rest)) => (name, rest.trim()),
            None => (&*line, ""),
        };
        match name {
            "id" => match rest.split_once(char::is_whitespace) {
                Some(("name", name)) => Ok(Self::Name(name.trim().to_owned())),
                Some(("author", author)) => Ok(Self::Author(author.trim().to_owned())),
                _ => Err(ParseMessageError),
            },
            "option" => match rest.parse() {
                Ok(declaration) => Ok(Self::Option(declaration)),
                Err(_) => Err(ParseMessageError),
            },
            "uciok" => Ok(Self::UciOk),
            "readyok" => Ok(Self::ReadyOk),
            "copyprotection" | "registration" => Ok(Self::Protection {
                what: if name == "registration" {
                    Guard::Registration
                } else {
                    Guard::Copy
                },
                state: one_word(rest).to_owned(),
            }),
            "info" => Ok(Self::Info(Box::new(Info::parse(rest)))),
            "bestmove" => {
                let mut words = rest.split_whitespace();
                let best = words.next().ok_or(ParseMessageError)?.to_owned();
                let ponder = words.next().filter(|&word| word == "ponder");
                let ponder = ponder.and_then(|_| words.next()).map(str::to_owned);
                Ok(Self::BestMove { best, ponder })
            }
            _ => Err(ParseMessageError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, proptest};

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_and_reads_back(
            start in "(info|bestmove|option name|id name|id author|registration|) ?",
            rest in "(depth|score|cp|mate|pv|e2e4|wdl|type|spin|combo|var|default|[a-z0-9-]{1,4}| |string){0,12}",
            noise in any::<String>(),
        ) {
            for line in [format!("{start}{rest}"), format!("{start}{noise}"), noise] {
                if let Ok(message) = line.parse::<Message>() {
                    let text = message.to_string();
                    assert!(!text.contains(char::is_control));
                    assert_eq!(text.parse(), Ok(message), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn messages_are_read() {
        let read = |line: &str| line.parse::<Message>().map(|it| it.to_string());
        for (line, expected) in [
            ("id name Stockfish 17\r\n", "id name Stockfish 17"),
            ("  uciok  ", "uciok"),
            ("\u{0}readyok", "readyok"),
            ("bestmove e2e4 ponder e7e5", "bestmove e2e4 ponder e7e5"),
            ("bestmove (none)", "bestmove (none)"),
            ("bestmove e7e8q ponder", "bestmove e7e8q"),
            ("copyprotection checking", "copyprotection checking"),
        ] {
            assert_eq!(read(line).as_deref(), Ok(expected), "{line:?}");
        }
        for line in [
            "",
            "Stockfish 17 by the developers",
            "bestmove",
            "id",
            "option",
            "id name ",
        ] {
            assert_eq!(read(line), Err(ParseMessageError), "{line:?}");
        }
        assert!(Message::is_no_move("(NONE)") && !Message::is_no_move("e2e4"));
    }
}
