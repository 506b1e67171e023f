//! What the user of an engine says.

use super::{looks_like_move, one_word};
use crate::protocol::{Moves, one_line};
use std::{fmt, str::FromStr};

/// What is asked of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Speak UCI, and say who you are.
    Uci,
    /// Whether the engine should explain itself with `info string`.
    Debug(bool),
    /// Answer `readyok` when everything before is done.
    IsReady,
    /// Change a setting; a button has no value.
    SetOption {
        name: String,
        value: Option<String>,
    },
    /// The next position is of another game.
    NewGame,
    /// The position to think about, and the moves that led to it.
    Position {
        start: Start,
        /// In coordinates, as [`looks_like_move`] describes.
        moves: Moves,
    },
    Go(Go),
    /// Answer `bestmove` at once.
    Stop,
    /// The expected move was played: go on thinking, now on your own time.
    PonderHit,
    Quit,
}

/// Where the moves of a position begin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Start {
    /// The usual start of chess.
    #[default]
    Usual,
    /// A position in Forsyth-Edwards notation.
    Fen(String),
}

/// How to think. What is not said does not limit the search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Go {
    /// Only these moves are looked at; none means all.
    pub search_moves: Vec<String>,
    /// Think on the opponent's time.
    pub ponder: bool,
    pub white_ms: Option<u64>,
    pub black_ms: Option<u64>,
    pub white_increment_ms: Option<u64>,
    pub black_increment_ms: Option<u64>,
    /// Moves until more time is added.
    pub moves_to_go: Option<u32>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Look for a mate in so many moves.
    pub mate: Option<u32>,
    /// Take exactly so long.
    pub move_ms: Option<u64>,
    /// Until `stop`.
    pub infinite: bool,
}

/// The line is no command; the protocol wants it ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a UCI command such as uci, isready, position startpos or go depth 10")]
pub struct ParseCommandError;

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::Debug(true) => f.write_str("debug on"),
            Self::Debug(false) => f.write_str("debug off"),
            Self::IsReady => f.write_str("isready"),
            Self::SetOption { name, value } => {
                write!(f, "setoption name {}", one_line(name))?;
                match value {
                    Some(value) => write!(f, " value {}", one_line(value)),
                    None => Ok(()),
                }
            }
            Self::NewGame => f.write_str("ucinewgame"),
            Self::Position { start, moves } => {
                match start {
                    Start::Usual => f.write_str("position startpos")?,
                    Start::Fen(fen) => write!(f, "position fen {}", one_line(fen))?,
                }
                if moves.is_empty() {
                    return Ok(());
                }
                write!(f, " moves {moves}")
            }
            Self::Go(go) => go.fmt(f),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        for (name, value) in [
            ("wtime", self.white_ms),
            ("btime", self.black_ms),
            ("winc", self.white_increment_ms),
            ("binc", self.black_increment_ms),
            ("movestogo", self.moves_to_go.map(u64::from)),
            ("depth", self.depth.map(u64::from)),
            ("nodes", self.nodes),
            ("mate", self.mate.map(u64::from)),
            ("movetime", self.move_ms),
        ] {
            if let Some(value) = value {
                write!(f, " {name} {value}")?;
            }
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        // Last, for some engines read moves up to the end of the line.
        write_moves(f, "searchmoves", &self.search_moves)
    }
}

fn write_moves(f: &mut fmt::Formatter<'_>, name: &str, moves: &[String]) -> fmt::Result {
    if moves.is_empty() {
        return Ok(());
    }
    write!(f, " {name}")?;
    moves
        .iter()
        .try_for_each(|it| write!(f, " {}", one_word(it)))
}

impl FromStr for Command {
    type Err = ParseCommandError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let line = one_line(line);
        let mut words = line.split_whitespace();
        let name = words.next().ok_or(ParseCommandError)?;
        let rest: Vec<&str> = words.collect();
        Ok(match (name, rest.as_slice()) {
            ("uci", _) => Self::Uci,
            ("debug", ["on", ..]) => Self::Debug(true),
            ("debug", ["off", ..]) => Self::Debug(false),
            ("isready", _) => Self::IsReady,
            ("setoption", rest) => parse_option(rest).ok_or(ParseCommandError)?,
            ("ucinewgame", _) => Self::NewGame,
            ("position", rest) => parse_position(rest).ok_or(ParseCommandError)?,
            ("go", rest) => Self::Go(parse_go(rest)),
            ("stop", _) => Self::Stop,
            ("ponderhit", _) => Self::PonderHit,
            ("quit", _) => Self::Quit,
            _ => return Err(ParseCommandError),
        })
    }
}

/// The words `name … value …`. A name with the word `value` in it cannot be told apart.
fn parse_option(words: &[&str]) -> Option<Command> {
    let ["name", rest @ ..] = words else {
        return None;
    };
    let at = rest.iter().position(|&word| word == "value");
    let (name, value) = match at {
        Some(at) => (&rest[..at], Some(rest[at + 1..].join(" "))),
        None => (rest, None),
    };
    let name = name.join(" ");
    (!name.is_empty()).then_some(Command::SetOption { name, value })
}

fn parse_position(words: &[&str]) -> Option<Command> {
    let at = words.iter().position(|&word| word == "moves");
    let (setup, moves) = words.split_at(at.unwrap_or(words.len()));
    let start = match setup {
        ["startpos", ..] => Start::Usual,
        ["fen", fen @ ..] if !fen.is_empty() => Start::Fen(fen.join(" ")),
        _ => return None,
    };
    let moves = moves.iter().skip(1).collect();
    Some(Command::Position { start, moves })
}

fn parse_go(words: &[&str]) -> Go {
    let mut go = Go::default();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        // A clock that ran below zero stands at zero.
        let mut number = || {
            let value: i64 = words.peek()?.parse().ok()?;
            words.next();
            Some(value.max(0) as u64)
        };
        let small = |value: Option<u64>| value.map(|it| u32::try_from(it).unwrap_or(u32::MAX));
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "wtime" => go.white_ms = number(),
            "btime" => go.black_ms = number(),
            "winc" => go.white_increment_ms = number(),
            "binc" => go.black_increment_ms = number(),
            "movestogo" => go.moves_to_go = small(number()),
            "depth" => go.depth = small(number()),
            "nodes" => go.nodes = number(),
            "mate" => go.mate = small(number()),
            "movetime" => go.move_ms = number(),
            "searchmoves" => {
                while let Some(action) = words.next_if(|it| looks_like_move(it)) {
                    go.search_moves.push(action.to_owned());
                }
            }
            // What is unknown is skipped, as the protocol demands.
            _ => {}
        }
    }
    go
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};

    fn moves() -> impl Strategy<Value = Vec<String>> {
        proptest::collection::vec("[a-h][1-8][a-h][1-8][qrbn]?", 0..6)
    }

    fn goes() -> impl Strategy<Value = Go> {
        let ms = || proptest::option::of(0..1_000_000_000_u64);
        let small = || proptest::option::of(any::<u32>());
        (
            (moves(), any::<bool>(), any::<bool>()),
            (ms(), ms(), ms(), ms()),
            (small(), small(), small()),
            (ms(), ms()),
        )
            .prop_map(|(start, times, counts, rest)| Go {
                search_moves: start.0,
                ponder: start.1,
                infinite: start.2,
                white_ms: times.0,
                black_ms: times.1,
                white_increment_ms: times.2,
                black_increment_ms: times.3,
                moves_to_go: counts.0,
                depth: counts.1,
                mate: counts.2,
                nodes: rest.0,
                move_ms: rest.1,
            })
    }

    fn commands() -> impl Strategy<Value = Command> {
        prop_oneof![
            Just(Command::Uci),
            any::<bool>().prop_map(Command::Debug),
            Just(Command::IsReady),
            (
                "[A-Z][a-z]{1,6}( [0-9a-z_/.]{6,8}){0,3}",
                "([a-z<>/:]+( [A-Z]+)*)?"
            )
                .prop_map(|(name, value)| Command::SetOption {
                    name,
                    value: (!value.is_empty()).then_some(value),
                }),
            Just(Command::NewGame),
            (
                proptest::option::of("[a-z/1-8]{9,30} [wb] KQkq - 0 1"),
                moves()
            )
                .prop_map(|(fen, moves)| Command::Position {
                    start: fen.map_or(Start::Usual, Start::Fen),
                    moves: moves.into_iter().collect(),
                }),
            goes().prop_map(Command::Go),
            Just(Command::Stop),
            Just(Command::PonderHit),
            Just(Command::Quit),
        ]
    }

    proptest! {
        #[test]
        fn commands_round_trip(command in commands()) {
            assert_eq!(command.to_string().parse(), Ok(command));
        }

        #[test]
        fn no_text_smuggles_a_second_line(text in any::<String>()) {
            for command in [
                Command::SetOption { name: text.clone(), value: Some(text.clone()) },
                Command::Position { start: Start::Fen(text.clone()), moves: [&text].into_iter().collect() },
                Command::Go(Go { search_moves: vec![text], ..Go::default() }),
            ] {
                assert!(!command.to_string().contains(char::is_control));
            }
        }
    }

    #[test]
    fn commands_are_written_as_engines_expect_them() {
        for line in [
            "setoption name Clear Hash",
            "setoption name NalimovPath value c:\\chess\\tb\\4;c:\\chess\\tb\\5",
            "position startpos",
            "position startpos moves e2e4 e7e5",
            "position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1h1",
            "go infinite",
            "go wtime 60000 btime 59000 winc 1000 binc 1000 movestogo 40",
            "go depth 12 searchmoves e2e4 d2d4",
            "go ponder wtime 1 btime 2",
            "go mate 3",
        ] {
            let command: Command = line.parse().unwrap();
            assert_eq!(command.to_string(), line);
        }
        assert_eq!("joke".parse::<Command>(), Err(ParseCommandError));
        assert_eq!(
            "setoption value 3".parse::<Command>(),
            Err(ParseCommandError)
        );
        assert_eq!("position fen".parse::<Command>(), Err(ParseCommandError));
    }
}
