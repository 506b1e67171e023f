//! What an engine says.

use super::{MoveReport, command::split_word, move_text};
use crate::protocol::{Discs, Seconds, one_line};
use othello::Move;
use std::{fmt, str::FromStr};

/// How far a search has looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Depth {
    Plies(u32),
    /// To the end, with so much confidence in percent that nothing was cut wrongly.
    End {
        /// 100 is a proof.
        percent: u32,
    },
    /// Who wins, but not by how much, with so much confidence in percent.
    Winner {
        /// 100 is a proof.
        percent: u32,
    },
}

/// `18`, `100%` or `100%W`.
impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plies(plies) => write!(f, "{plies}"),
            Self::End { percent } => write!(f, "{percent}%"),
            Self::Winner { percent } => write!(f, "{percent}%W"),
        }
    }
}

/// An integer with anything behind it: only `%` and `%W` have a meaning.
impl FromStr for Depth {
    type Err = ParseMessageError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let n_digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, suffix) = text.split_at(n_digits);
        let number = digits.parse().map_err(|_| ParseMessageError::Depth)?;
        Ok(match suffix.to_ascii_uppercase().as_str() {
            "%W" => Self::Winner { percent: number },
            "%" => Self::End { percent: number },
            _ => Self::Plies(number),
        })
    }
}

/// A move, what follows it, and its value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Finding {
    /// The move and the best play after it, passes included; never empty.
    pub line: Vec<Move>,
    /// The value for the side to move, in hundredths of a disc.
    pub score_centidiscs: i32,
    /// How far it was looked at.
    pub depth: Depth,
}

/// What an engine tells a front end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Message {
    MyName(String),
    /// The status line; may be empty.
    Status(String),
    /// How much was searched so far.
    NodeStats {
        nodes: u64,
        time_ms: u64,
    },
    /// What the search thinks of a move.
    Search(Finding),
    /// The move that the engine would play.
    Choice(MoveReport),
    /// The value of a position of the game.
    Analysis {
        /// Moves that led there, passes counted.
        moves_made: usize,
        /// The value for Black, in hundredths of a disc. Descriptions of the protocol leave it open
        /// or speak of the side to move, but the front end draws these values as they are beside
        /// Black's, and the engine of its author sends Black's.
        score_centidiscs: i32,
    },
    /// The answer to `ping`.
    Pong(i64),
    /// The answer to `learn`.
    Learned,
}

/// Why a line is not a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseMessageError {
    /// Nothing that we know; to be ignored.
    #[error("unknown message")]
    Unknown,
    /// The rest of the line is wrong.
    #[error("expected {0}")]
    Syntax(&'static str),
    #[error("expected a depth such as 18, 100% or 100%W")]
    Depth,
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MyName(name) => write!(f, "set myname {}", one_line(name)),
            Self::Status(text) => match &*one_line(text) {
                "" => f.write_str("status"),
                line => write!(f, "status {line}"),
            },
            Self::NodeStats { nodes, time_ms } => {
                write!(f, "nodestats {nodes} {}", Seconds(*time_ms))
            }
            Self::Search(finding) => {
                f.write_str("search ")?;
                for action in &finding.line {
                    f.write_str(&move_text(*action))?;
                }
                write!(
                    f,
                    " {} 0 {}",
                    Discs(finding.score_centidiscs),
                    finding.depth
                )
            }
            Self::Choice(report) => write!(f, "=== {report}"),
            Self::Analysis {
                moves_made,
                score_centidiscs,
            } => write!(f, "analysis {moves_made} {}", Discs(*score_centidiscs)),
            Self::Pong(id) => write!(f, "pong {id}"),
            Self::Learned => f.write_str("learned"),
        }
    }
}

impl FromStr for Message {
    type Err = ParseMessageError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let line = one_line(line);
        let (name, rest) = split_word(&line);
        let mut words = rest.split_whitespace();
        let mut next = || words.next().unwrap_or_default();
        match name {
            "set" => match split_word(rest) {
                ("myname", name) => Ok(Self::MyName(name.to_owned())),
                _ => Err(ParseMessageError::Unknown),
            },
            "status" => Ok(Self::Status(rest.to_owned())),
            "nodestats" => {
                let nodes = next().parse::<f64>().ok().filter(|nodes| nodes.is_finite());
                let time_ms = Seconds::parse_ms(next());
                match (nodes, time_ms) {
                    (Some(nodes), Some(time_ms)) => Ok(Self::NodeStats {
                        // The protocol says that it is a floating-point number.
                        nodes: nodes as u64,
                        time_ms,
                    }),
                    _ => Err(ParseMessageError::Syntax("nodes and seconds")),
                }
            }
            // A book move comes with the number of its games where a search has a 0.
            "search" | "book" => Ok(Self::Search(Finding {
                line: parse_line(next()).ok_or(ParseMessageError::Syntax("moves"))?,
                score_centidiscs: parse_score(next())?,
                depth: {
                    next();
                    next().parse()?
                },
            })),
            "===" => {
                let report = MoveReport::parse(rest);
                report
                    .map(Self::Choice)
                    .ok_or(ParseMessageError::Syntax("a move"))
            }
            "analysis" => Ok(Self::Analysis {
                moves_made: next()
                    .parse()
                    .map_err(|_| ParseMessageError::Syntax("a number of moves"))?,
                score_centidiscs: parse_score(next())?,
            }),
            "pong" => match next().parse() {
                Ok(id) => Ok(Self::Pong(id)),
                Err(_) => Err(ParseMessageError::Syntax("a number")),
            },
            "learned" | "learn" => Ok(Self::Learned),
            _ => Err(ParseMessageError::Unknown),
        }
    }
}

/// A value, or two: what it would be if draws were wins, and if they were losses. Of these the mean
/// is taken.
fn parse_score(text: &str) -> Result<i32, ParseMessageError> {
    let (first, second) = text.split_once(',').unwrap_or((text, text));
    let values = Discs::parse_centidiscs(first).zip(Discs::parse_centidiscs(second));
    let (first, second) = values.ok_or(ParseMessageError::Syntax("a value in discs"))?;
    Ok(i32::midpoint(first, second))
}

/// Moves of two characters, with or without hyphens between them.
fn parse_line(text: &str) -> Option<Vec<Move>> {
    let letters: Vec<char> = text.chars().filter(|&c| c != '-').collect();
    if letters.is_empty() {
        return None;
    }
    letters
        .chunks(2)
        .map(|pair| pair.iter().collect::<String>().parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::command::tests::{actions, reports};
    use super::*;
    use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};

    fn depths() -> impl Strategy<Value = Depth> {
        prop_oneof![
            any::<u32>().prop_map(Depth::Plies),
            (0..=100u32).prop_map(|percent| Depth::End { percent }),
            (0..=100u32).prop_map(|percent| Depth::Winner { percent }),
        ]
    }

    fn messages() -> impl Strategy<Value = Message> {
        let text = || "([a-z0-9]( ?[A-Za-z0-9.:=]){0,20})?";
        let scores = || -6_400..6_400;
        let line = proptest::collection::vec(actions(), 1..20);
        prop_oneof![
            text().prop_map(Message::MyName),
            text().prop_map(Message::Status),
            (0..1u64 << 53, 0..1_000_000_000u64)
                .prop_map(|(nodes, time_ms)| Message::NodeStats { nodes, time_ms }),
            (line, scores(), depths()).prop_map(|(line, score_centidiscs, depth)| {
                Message::Search(Finding {
                    line,
                    score_centidiscs,
                    depth,
                })
            }),
            reports().prop_map(Message::Choice),
            (0..120usize, scores()).prop_map(|(moves_made, score_centidiscs)| {
                Message::Analysis {
                    moves_made,
                    score_centidiscs,
                }
            }),
            any::<i64>().prop_map(Message::Pong),
            Just(Message::Learned),
        ]
    }

    proptest! {
        #[test]
        fn messages_round_trip(message in messages()) {
            assert_eq!(message.to_string().parse(), Ok(message));
        }

        #[test]
        fn any_text_is_read_or_refused(line in any::<String>()) {
            let _read = line.parse::<Message>();
        }

        #[test]
        fn any_text_makes_one_line(text in any::<String>()) {
            let line = Message::Status(text).to_string();
            assert!(!line.contains(char::is_control));
        }
    }

    #[test]
    fn other_engines_are_understood() {
        let read = |line: &str| match line.parse::<Message>() {
            Ok(message) => message.to_string(),
            Err(error) => error.to_string(),
        };
        for (line, expected) in [
            ("=== d6 -1.00 0.0", "=== D6/-1.00/0"),
            ("=== PA", "=== PA"),
            (
                "search F5-d6-C3 1 0 18 free text",
                "search F5D6C3 1.00 0 18",
            ),
            ("book F5d6 0.5 1234 100%w", "search F5D6 0.50 0 100%W"),
            ("search F5 2,1 0 100%", "search F5 1.50 0 100%"),
            ("search F5 2 0 24@98%", "search F5 2.00 0 24"),
            ("search F5 1,2,3 0 18", "expected a value in discs"),
            ("nodestats 3.5e6 1.25", "nodestats 3500000 1.250"),
            ("status", "status"),
            ("search", "expected moves"),
            ("search F5d 1 0 18", "expected moves"),
            (
                "search F5 1 0",
                "expected a depth such as 18, 100% or 100%W",
            ),
            ("hello", "unknown message"),
        ] {
            assert_eq!(read(line), expected, "{line:?}");
        }
    }
}
