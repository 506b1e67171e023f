//! What a front end says.

use super::move_text;
use crate::protocol::{Discs, Seconds, one_line};
use othello::Move;
use std::fmt;

/// A move with what its player thought of it: `F5/1.50/2.250`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MoveReport {
    pub action: Move,
    /// Its value for the player, in hundredths of a disc.
    pub score_centidiscs: Option<i32>,
    /// The time it took.
    pub time_ms: Option<u64>,
}

impl MoveReport {
    /// Reads a move and what follows it after slashes. Spaces do as well: so some engines write.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let mut parts: Box<dyn Iterator<Item = &str>> = if text.contains('/') {
            Box::new(text.split('/').map(str::trim))
        } else {
            Box::new(text.split_whitespace())
        };
        let action = parts.next()?.parse().ok()?;
        let mut optional = || parts.next().filter(|part| !part.is_empty());
        let score_centidiscs = match optional() {
            Some(score) => Some(Discs::parse_centidiscs(score)?),
            None => None,
        };
        let time_ms = match optional() {
            Some(time) => Some(Seconds::parse_ms(time)?),
            None => None,
        };
        Some(Self {
            action,
            score_centidiscs,
            time_ms,
        })
    }
}

impl From<Move> for MoveReport {
    fn from(action: Move) -> Self {
        Self {
            action,
            score_centidiscs: None,
            time_ms: None,
        }
    }
}

impl fmt::Display for MoveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&move_text(self.action))?;
        match (self.score_centidiscs, self.time_ms) {
            (None, None) => Ok(()),
            (Some(score), None) => write!(f, "/{}", Discs(score)),
            (None, Some(time)) => write!(f, "//{}", Seconds(time)),
            (Some(score), Some(time)) => write!(f, "/{}/{}", Discs(score), Seconds(time)),
        }
    }
}

/// What a front end asks of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Command {
    /// The version of the protocol; the first command.
    NBoard(u32),
    /// How many plies to search.
    SetDepth(u32),
    /// The game so far, as GGF.
    SetGame(String),
    /// How much worse than even a draw is, in the engine's eyes.
    SetContempt(i32),
    /// A move was made.
    Move(MoveReport),
    /// Tell what the best moves are, about so many.
    Hint(u32),
    /// Tell which move the engine would play; it is not made.
    Go,
    /// Stop, then answer with the same number.
    Ping(i64),
    /// Learn from the game.
    Learn,
    /// Value every position of the game, from the last to the first.
    Analyze,
    /// The end; not part of the protocol, but what people type.
    Quit,
}

/// Why a line is not a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// Nothing that we know; the protocol wants it ignored.
    #[error("unknown command")]
    Unknown,
    /// The rest of the line is wrong.
    #[error("expected {0}")]
    Syntax(&'static str),
}

impl Command {
    /// Reads a line; an empty one is unknown, too.
    pub fn parse(line: &str) -> Result<Self, CommandError> {
        let line = one_line(line);
        let (name, rest) = split_word(&line);
        match (name, rest) {
            ("nboard", version) => Ok(Self::NBoard(number(version, "nboard 2")?)),
            ("set", rest) => {
                let (name, value) = split_word(rest);
                Self::parse_setting(name, value)
            }
            ("move", report) => {
                let report = MoveReport::parse(report);
                let expected = CommandError::Syntax("a move such as F5, PA or F5/1.50/2.25");
                report.map(Self::Move).ok_or(expected)
            }
            // "hint" alone means one line.
            ("hint", "") => Ok(Self::Hint(1)),
            ("hint", lines) => Ok(Self::Hint(number(lines, "hint and a number of moves")?)),
            ("go", _) => Ok(Self::Go),
            ("ping", id) => Ok(Self::Ping(number(id, "ping and a number")?)),
            ("learn", _) => Ok(Self::Learn),
            ("analyze" | "analyse", _) => Ok(Self::Analyze),
            ("quit", _) => Ok(Self::Quit),
            // The first version of the protocol sent moves without a word before them.
            (word, "") => match MoveReport::parse(word) {
                Some(report) => Ok(Self::Move(report)),
                None => Err(CommandError::Unknown),
            },
            _ => Err(CommandError::Unknown),
        }
    }

    fn parse_setting(name: &str, value: &str) -> Result<Self, CommandError> {
        match name {
            "depth" => Ok(Self::SetDepth(number(value, "set depth and a number")?)),
            "game" => Ok(Self::SetGame(value.to_owned())),
            "contempt" => match value.parse::<f64>() {
                Ok(contempt) if contempt.is_finite() => {
                    Ok(Self::SetContempt(contempt.round() as i32))
                }
                _ => Err(CommandError::Syntax("set contempt and a number")),
            },
            _ => Err(CommandError::Unknown),
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NBoard(version) => write!(f, "nboard {version}"),
            Self::SetDepth(depth) => write!(f, "set depth {depth}"),
            Self::SetGame(ggf) => write!(f, "set game {}", one_line(ggf)),
            Self::SetContempt(contempt) => write!(f, "set contempt {contempt}"),
            Self::Move(report) => write!(f, "move {report}"),
            Self::Hint(lines) => write!(f, "hint {lines}"),
            Self::Go => f.write_str("go"),
            Self::Ping(id) => write!(f, "ping {id}"),
            Self::Learn => f.write_str("learn"),
            Self::Analyze => f.write_str("analyze"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

/// The first word and the rest, without the white space between them.
pub(super) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim_start()),
        None => (text, ""),
    }
}

fn number<T: std::str::FromStr>(text: &str, expected: &'static str) -> Result<T, CommandError> {
    let (word, _) = split_word(text);
    word.parse().map_err(|_| CommandError::Syntax(expected))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use othello::Square;
    use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};

    pub(in super::super) fn actions() -> impl Strategy<Value = Move> {
        prop_oneof![
            Just(Move::Pass),
            (0..64u32).prop_map(|index| Move::Place(Square::from_low_bits(index))),
        ]
    }

    pub(in super::super) fn reports() -> impl Strategy<Value = MoveReport> {
        let score = proptest::option::of(-6_400..6_400);
        let time_ms = proptest::option::of(0..1_000_000_000u64);
        (actions(), score, time_ms).prop_map(|(action, score_centidiscs, time_ms)| MoveReport {
            action,
            score_centidiscs,
            time_ms,
        })
    }

    fn commands() -> impl Strategy<Value = Command> {
        prop_oneof![
            any::<u32>().prop_map(Command::NBoard),
            any::<u32>().prop_map(Command::SetDepth),
            r"\(;[A-Z\[\]/. *-]{0,30};\)".prop_map(Command::SetGame),
            any::<i32>().prop_map(Command::SetContempt),
            reports().prop_map(Command::Move),
            any::<u32>().prop_map(Command::Hint),
            Just(Command::Go),
            any::<i64>().prop_map(Command::Ping),
            Just(Command::Learn),
            Just(Command::Analyze),
            Just(Command::Quit),
        ]
    }

    proptest! {
        #[test]
        fn commands_round_trip(command in commands()) {
            assert_eq!(Command::parse(&command.to_string()), Ok(command));
        }

        #[test]
        fn any_text_is_read_or_refused(line in any::<String>()) {
            let _read = Command::parse(&line);
        }
    }

    #[test]
    fn lines_are_read_as_front_ends_write_them() {
        let read = |line: &str| match Command::parse(line) {
            Ok(command) => command.to_string(),
            Err(error) => error.to_string(),
        };
        for (line, expected) in [
            ("nboard 2\r\n", "nboard 2"),
            ("move f5/-1.5/0.3", "move F5/-1.50/0.300"),
            ("move PA", "move PA"),
            ("move F5//2", "move F5//2"),
            ("d3", "move D3"),
            ("hint", "hint 1"),
            ("set  depth\t12", "set depth 12"),
            ("set contempt 0.0", "set contempt 0"),
            ("set depth deep", "expected set depth and a number"),
            ("move", "expected a move such as F5, PA or F5/1.50/2.25"),
            (
                "move F5/x",
                "expected a move such as F5, PA or F5/1.50/2.25",
            ),
            ("ping", "expected ping and a number"),
            ("set sail", "unknown command"),
            ("remove_tree", "unknown command"),
            ("", "unknown command"),
        ] {
            assert_eq!(read(line), expected, "{line:?}");
        }
    }
}
