//! Requests: a number and a command.

use super::move_text;
use crate::protocol::Seconds;
use othello::{Move, Side};
use std::fmt;

/// What a client asks of an engine.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Which version of GTP the engine speaks.
    ProtocolVersion,
    Name,
    Version,
    /// Whether there is a command of this name, one word.
    KnownCommand(String),
    ListCommands,
    /// The end of the conversation.
    Quit,
    /// The size of the board; only 8 is accepted.
    BoardSize(u32),
    ClearBoard,
    /// A Go player's compensation, which Othello has not.
    Komi(f64),
    Play {
        side: Side,
        action: Move,
    },
    /// Choose a move and make it.
    GenMove(Side),
    /// Choose a move, but leave the game as it is.
    RegGenMove(Side),
    /// Take a move back.
    Undo,
    TimeSettings(TimeSettings),
    /// What a clock shows.
    TimeLeft {
        side: Side,
        /// The time on it.
        time_ms: u64,
        /// For so many moves; 0 while the main time runs.
        moves: u32,
    },
    /// A diagram for people.
    ShowBoard,
    /// Choose a game, one word: `Othello`.
    SetGame(String),
    /// The games that can be played.
    ListGames,
}

/// The arguments of `time_settings`: main time, then periods of so many moves each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TimeSettings {
    /// Time before the first period.
    pub main_ms: u64,
    /// Time of a period; 0 means there is none.
    pub overtime_ms: u64,
    /// Moves of a period. If 0 although there is an overtime, time is not limited.
    pub overtime_moves: u32,
}

/// Why a command is refused, as it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// No command of this name.
    #[error("unknown command")]
    Unknown,
    /// Its arguments are wrong.
    #[error("syntax error: expected {0}")]
    Syntax(&'static str),
}

/// A command and the number that its answer will repeat.
///
/// ```
/// use arena::protocol::gtp::{Command, Request};
/// let request = Request::parse("7 play White\tPASS # nothing else to do").unwrap().unwrap();
/// assert_eq!(request.id, Some(7));
/// assert_eq!(request.to_string(), "7 play w PASS");
/// assert_eq!(Request::parse("  # only a remark"), Ok(None));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The number, if there is one.
    pub id: Option<u32>,
    pub command: Command,
}

/// A line that is no request, but may have a number that the refusal must repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct BadRequest {
    /// The number, if there is one.
    pub id: Option<u32>,
    pub error: CommandError,
}

impl Request {
    /// Reads a line. Remarks and control characters are skipped as the protocol says; `None` is a
    /// line without anything else. Arguments beyond those of the command are ignored.
    pub fn parse(line: &str) -> Result<Option<Self>, BadRequest> {
        let bare: String = line
            .chars()
            .take_while(|&c| c != '#')
            .filter(|&c| c == '\t' || !c.is_control())
            .collect();
        let mut words = bare.split_whitespace().peekable();
        let numbered = words.next_if(|word| word.bytes().all(|c| c.is_ascii_digit()));
        let Ok(id) = numbered.map(str::parse).transpose() else {
            return Err(BadRequest {
                id: None,
                error: CommandError::Syntax("a smaller number"),
            });
        };
        match words.next() {
            Some(name) => match Command::parse(name, words) {
                Ok(command) => Ok(Some(Self { id, command })),
                Err(error) => Err(BadRequest { id, error }),
            },
            // A number alone still waits for an answer.
            None if id.is_some() => Err(BadRequest {
                id,
                error: CommandError::Syntax("a command"),
            }),
            None => Ok(None),
        }
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = self.id {
            write!(f, "{id} ")?;
        }
        self.command.fmt(f)
    }
}

impl Command {
    /// The names of all commands, as `list_commands` gives them.
    pub const NAMES: [&str; 18] = [
        "protocol_version",
        "name",
        "version",
        "known_command",
        "list_commands",
        "quit",
        "boardsize",
        "clear_board",
        "komi",
        "play",
        "genmove",
        "reg_genmove",
        "undo",
        "time_settings",
        "time_left",
        "showboard",
        "set_game",
        "list_games",
    ];

    fn parse<'a>(
        name: &str,
        mut words: impl Iterator<Item = &'a str>,
    ) -> Result<Self, CommandError> {
        let mut next = || words.next().unwrap_or_default();
        Ok(match name {
            "protocol_version" => Self::ProtocolVersion,
            "name" => Self::Name,
            "version" => Self::Version,
            "known_command" => Self::KnownCommand(next().to_owned()),
            "list_commands" => Self::ListCommands,
            "quit" => Self::Quit,
            "boardsize" => Self::BoardSize(number(next())?),
            "clear_board" => Self::ClearBoard,
            "komi" => Self::Komi(komi(next())?),
            "play" => Self::Play {
                side: colour(next())?,
                action: action(next())?,
            },
            "genmove" => Self::GenMove(colour(next())?),
            "reg_genmove" => Self::RegGenMove(colour(next())?),
            "undo" => Self::Undo,
            "time_settings" => Self::TimeSettings(TimeSettings {
                main_ms: time_ms(next())?,
                overtime_ms: time_ms(next())?,
                overtime_moves: number(next())?,
            }),
            "time_left" => Self::TimeLeft {
                side: colour(next())?,
                time_ms: time_ms(next())?,
                moves: number(next())?,
            },
            "showboard" => Self::ShowBoard,
            "set_game" => Self::SetGame(next().to_owned()),
            "list_games" => Self::ListGames,
            _ => return Err(CommandError::Unknown),
        })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ProtocolVersion => f.write_str("protocol_version"),
            Self::Name => f.write_str("name"),
            Self::Version => f.write_str("version"),
            Self::KnownCommand(name) => write!(f, "known_command {name}"),
            Self::ListCommands => f.write_str("list_commands"),
            Self::Quit => f.write_str("quit"),
            Self::BoardSize(size) => write!(f, "boardsize {size}"),
            Self::ClearBoard => f.write_str("clear_board"),
            Self::Komi(komi) => write!(f, "komi {komi}"),
            Self::Play { side, action } => {
                write!(f, "play {} {}", letter(*side), move_text(*action))
            }
            Self::GenMove(side) => write!(f, "genmove {}", letter(*side)),
            Self::RegGenMove(side) => write!(f, "reg_genmove {}", letter(*side)),
            Self::Undo => f.write_str("undo"),
            Self::TimeSettings(settings) => write!(
                f,
                "time_settings {} {} {}",
                Seconds(settings.main_ms),
                Seconds(settings.overtime_ms),
                settings.overtime_moves
            ),
            Self::TimeLeft {
                side,
                time_ms,
                moves,
            } => write!(
                f,
                "time_left {} {} {moves}",
                letter(*side),
                Seconds(*time_ms)
            ),
            Self::ShowBoard => f.write_str("showboard"),
            Self::SetGame(name) => write!(f, "set_game {name}"),
            Self::ListGames => f.write_str("list_games"),
        }
    }
}

const fn letter(side: Side) -> char {
    match side {
        Side::Black => 'b',
        Side::White => 'w',
    }
}

fn colour(word: &str) -> Result<Side, CommandError> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Side::Black),
        "w" | "white" => Ok(Side::White),
        _ => Err(CommandError::Syntax("a colour, b or w")),
    }
}

fn action(word: &str) -> Result<Move, CommandError> {
    word.parse()
        .map_err(|_| CommandError::Syntax("a move, f5 or PASS"))
}

fn number(word: &str) -> Result<u32, CommandError> {
    word.parse()
        .map_err(|_| CommandError::Syntax("a whole number"))
}

fn time_ms(word: &str) -> Result<u64, CommandError> {
    Seconds::parse_ms(word).ok_or(CommandError::Syntax("a time in seconds"))
}

fn komi(word: &str) -> Result<f64, CommandError> {
    let komi = word.parse().ok().filter(|komi: &f64| komi.is_finite());
    komi.ok_or(CommandError::Syntax("a number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::Square;
    use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};

    fn sides() -> impl Strategy<Value = Side> {
        prop_oneof![Just(Side::Black), Just(Side::White)]
    }

    fn actions() -> impl Strategy<Value = Move> {
        prop_oneof![
            Just(Move::Pass),
            (0..64u32).prop_map(|index| Move::Place(Square::from_low_bits(index))),
        ]
    }

    fn commands() -> impl Strategy<Value = Command> {
        let times_ms = || 0..1_000_000_000u64;
        prop_oneof![
            Just(Command::ProtocolVersion),
            Just(Command::Name),
            Just(Command::Version),
            "[a-z_]{1,20}".prop_map(Command::KnownCommand),
            Just(Command::ListCommands),
            Just(Command::Quit),
            any::<u32>().prop_map(Command::BoardSize),
            Just(Command::ClearBoard),
            (-1e9..1e9).prop_map(Command::Komi),
            (sides(), actions()).prop_map(|(side, action)| Command::Play { side, action }),
            sides().prop_map(Command::GenMove),
            sides().prop_map(Command::RegGenMove),
            Just(Command::Undo),
            (times_ms(), times_ms(), any::<u32>()).prop_map(|(main_ms, overtime_ms, moves)| {
                Command::TimeSettings(TimeSettings {
                    main_ms,
                    overtime_ms,
                    overtime_moves: moves,
                })
            }),
            (sides(), times_ms(), any::<u32>()).prop_map(|(side, time_ms, moves)| {
                Command::TimeLeft {
                    side,
                    time_ms,
                    moves,
                }
            }),
            Just(Command::ShowBoard),
            "[A-Za-z]{1,10}".prop_map(Command::SetGame),
            Just(Command::ListGames),
        ]
    }

    proptest! {
        #[test]
        fn requests_round_trip(id in any::<Option<u32>>(), command in commands()) {
            let request = Request { id, command };
            assert_eq!(Request::parse(&request.to_string()), Ok(Some(request)));
        }

        #[test]
        fn every_command_is_listed(command in commands()) {
            let text = command.to_string();
            let name = text.split(' ').next().unwrap();
            assert!(Command::NAMES.contains(&name), "{name}");
        }

        #[test]
        fn any_text_is_read_or_refused(line in any::<String>()) {
            let _read = Request::parse(&line);
        }
    }

    #[test]
    fn every_listed_command_is_known() {
        for name in Command::NAMES {
            let unknown = Err(CommandError::Unknown);
            assert_ne!(Command::parse(name, std::iter::empty()), unknown, "{name}");
        }
    }

    #[test]
    fn lines_are_read_as_the_protocol_says() {
        let read = |line: &str| match Request::parse(line) {
            Ok(Some(request)) => request.to_string(),
            Ok(None) => "nothing".to_owned(),
            Err(BadRequest { id, error }) => format!("{id:?} {error}"),
        };
        for (line, expected) in [
            ("", "nothing"),
            (" \t \r\n", "nothing"),
            ("#1 name", "nothing"),
            ("na\u{1}me\u{7f}\r", "name"),
            ("12\tplay\tBLACK\tF5", "12 play b f5"),
            ("play W pA", "play w PASS"),
            ("play w", "None syntax error: expected a move, f5 or PASS"),
            (
                "3 play red f5",
                "Some(3) syntax error: expected a colour, b or w",
            ),
            (
                "play b i9",
                "None syntax error: expected a move, f5 or PASS",
            ),
            ("5", "Some(5) syntax error: expected a command"),
            (
                "99999999999 name",
                "None syntax error: expected a smaller number",
            ),
            ("-1 name", "None unknown command"),
            ("loadsgf game.sgf", "None unknown command"),
            ("NAME", "None unknown command"),
            (
                "boardsize eight",
                "None syntax error: expected a whole number",
            ),
            ("time_left b -0.5 0", "time_left b 0 0"),
            ("time_settings 60 0.25 1", "time_settings 60 0.250 1"),
            ("komi inf", "None syntax error: expected a number"),
            ("name and more", "name"),
        ] {
            assert_eq!(read(line), expected, "{line:?}");
        }
    }
}
