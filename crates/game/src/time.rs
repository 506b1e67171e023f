//! How much time the players have.

use std::{fmt, str::FromStr};

/// The time of each player.
///
/// As text: `-` (unlimited), `300`, `300+2`, `40/5400+30` (seconds, moves in front, increment
/// behind, as in PGN), `1.5/move`.
///
/// ```
/// use game::TimeControl;
/// let blitz: TimeControl = "180+2".parse().unwrap();
/// assert_eq!(blitz.initial_ms(), Some(180_000));
/// assert_eq!(blitz.to_string(), "180+2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TimeControl {
    #[default]
    Unlimited,
    /// So much for each move, whatever earlier moves took.
    PerMove {
        /// The time for a move.
        ms: u64,
    },
    /// A clock for the game.
    Game {
        /// What is on it at first, and what is added each time the moves of a period are made.
        initial_ms: u64,
        /// What each move made adds.
        increment_ms: u64,
        /// Moves of a period; `None` is the whole game.
        period_moves: Option<u32>,
    },
}

/// The text is not a time control.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is not a time control; expected seconds such as 300, 300+2, 40/5400+30, 1.5/move, or - for none"
)]
pub struct ParseTimeControlError {
    /// What was read, shortened if long.
    pub text: String,
}

impl TimeControl {
    /// What a clock shows before the first move.
    pub const fn initial_ms(self) -> Option<u64> {
        match self {
            Self::Unlimited => None,
            Self::PerMove { ms } => Some(ms),
            Self::Game { initial_ms, .. } => Some(initial_ms),
        }
    }
}

/// Milliseconds as seconds without needless digits.
struct Seconds(u64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 1000, self.0 % 1000);
        if rest == 0 {
            return write!(f, "{whole}");
        }
        let digits = format!("{rest:03}");
        write!(f, "{whole}.{}", digits.trim_end_matches('0'))
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Unlimited => f.write_str("-"),
            Self::PerMove { ms } => write!(f, "{}/move", Seconds(ms)),
            Self::Game {
                initial_ms,
                increment_ms,
                period_moves,
            } => {
                if let Some(moves) = period_moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", Seconds(initial_ms))?;
                match increment_ms {
                    0 => Ok(()),
                    ms => write!(f, "+{}", Seconds(ms)),
                }
            }
        }
    }
}

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text.trim()).ok_or_else(|| ParseTimeControlError {
            text: text.chars().take(40).collect(),
        })
    }
}

fn parse(text: &str) -> Option<TimeControl> {
    if text == "-" {
        return Some(TimeControl::Unlimited);
    }
    if let Some(seconds) = text.strip_suffix("/move") {
        let ms = parse_seconds(seconds).filter(|&ms| ms > 0)?;
        return Some(TimeControl::PerMove { ms });
    }
    let (moves, clock) = match text.split_once('/') {
        Some((moves, clock)) => (
            Some(moves.parse().ok().filter(|&moves: &u32| moves > 0)?),
            clock,
        ),
        None => (None, text),
    };
    let (initial, increment) = clock.split_once('+').unwrap_or((clock, "0"));
    let (initial_ms, increment_ms) = (parse_seconds(initial)?, parse_seconds(increment)?);
    (initial_ms > 0 || increment_ms > 0).then_some(TimeControl::Game {
        initial_ms,
        increment_ms,
        period_moves: moves,
    })
}

/// `90` or `1.5`; no sign, no exponent, nothing finer than a millisecond, at most some 30 years.
fn parse_seconds(text: &str) -> Option<u64> {
    const SECONDS_MAX: u64 = 1_000_000_000;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || fraction.len() > 3 {
        return None;
    }
    let whole: u64 = whole.parse().ok().filter(|&s| s <= SECONDS_MAX)?;
    let thousandths: u64 = format!("{fraction:0<3}").parse().ok()?;
    Some(1000 * whole + thousandths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip() {
        for text in [
            "-",
            "300",
            "300+2",
            "0.5+0.01",
            "40/5400+30",
            "1.5/move",
            "0+1",
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), text);
        }
    }

    #[test]
    fn nonsense_is_refused_with_what_would_be_right() {
        for text in [
            "", "5m", "0", "-1", "1e3", "0/300", "300+", "1.2345", "x/300", "0/move",
        ] {
            let error = text.parse::<TimeControl>().unwrap_err().to_string();
            assert!(error.contains("300+2"), "{text}: {error}");
        }
    }
}
