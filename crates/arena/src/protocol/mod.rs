//! The languages that engines speak: pure text both ways, no reading, writing or waiting.
//!
//! Each language has its commands and its answers as types that read and write themselves, so that
//! both ends of a conversation can be played, and a `Session` for the engine's end: it keeps the
//! game, takes one line at a time, and either answers or hands out work for a search. Nothing that
//! comes in can make it fail: what it does not understand it refuses, in the words of the language.

pub mod gtp;
pub mod nboard;
pub mod uci;

use std::{borrow::Cow, fmt};

/// Milliseconds, written as seconds: `15` or `0.250`.
struct Seconds(u64);

impl Seconds {
    /// More is taken for so much: thirty years.
    const MAX_MS: f64 = 1e12;

    /// Seconds with or without a fraction. A clock that ran below zero stands at zero.
    fn parse_ms(text: &str) -> Option<u64> {
        let seconds: f64 = text.parse().ok()?;
        let ms = (seconds * 1000.0).round().clamp(0.0, Self::MAX_MS);
        seconds.is_finite().then_some(ms as u64)
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 1000, self.0 % 1000) {
            (seconds, 0) => write!(f, "{seconds}"),
            (seconds, ms) => write!(f, "{seconds}.{ms:03}"),
        }
    }
}

/// Hundredths of a disc, written as discs: `-3.25`.
struct Discs(i32);

impl Discs {
    fn parse_centidiscs(text: &str) -> Option<i32> {
        let discs: f64 = text.parse().ok()?;
        let centidiscs = (discs * 100.0).round().clamp(-1e6, 1e6);
        discs.is_finite().then_some(centidiscs as i32)
    }
}

impl fmt::Display for Discs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let size = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", size / 100, size % 100)
    }
}

/// Text without line breaks and other characters that would disturb a conversation by lines.
fn one_line(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let parts: Vec<&str> = text
        .split(char::is_control)
        .filter(|part| !part.is_empty())
        .collect();
    Cow::Owned(parts.join(" ").trim().to_owned())
}

/// Moves in coordinates, one behind the other. They are kept as the text that engines are told,
/// because a game is told again with every ply.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Moves(String);

impl Moves {
    /// Adds a move: of a text, the part up to its first space.
    pub fn push(&mut self, action: &str) {
        let word = one_word(action);
        if !word.is_empty() {
            if !self.0.is_empty() {
                self.0.push(' ');
            }
            self.0.push_str(word);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split(' ').filter(|word| !word.is_empty())
    }

    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// With a space between them.
impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<S: AsRef<str>> Extend<S> for Moves {
    fn extend<I: IntoIterator<Item = S>>(&mut self, actions: I) {
        for action in actions {
            self.push(action.as_ref());
        }
    }
}

impl<S: AsRef<str>> FromIterator<S> for Moves {
    fn from_iter<I: IntoIterator<Item = S>>(actions: I) -> Self {
        let mut moves = Self::default();
        moves.extend(actions);
        moves
    }
}

/// A word that a line can carry: of a text, the part up to its first space.
fn one_word(text: &str) -> &str {
    let is_break = |c: char| c.is_whitespace() || c.is_control();
    text.split(is_break)
        .find(|part| !part.is_empty())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_scores_round_trip() {
        for ms in [0, 1, 250, 999, 1000, 61_005, 999_999_999_999] {
            assert_eq!(Seconds::parse_ms(&Seconds(ms).to_string()), Some(ms));
        }
        for centidiscs in [0, 1, -1, -99, 100, -6400, 6399] {
            let text = Discs(centidiscs).to_string();
            assert_eq!(Discs::parse_centidiscs(&text), Some(centidiscs));
        }
        assert_eq!(Seconds(1_500).to_string(), "1.500");
        assert_eq!(Discs(-325).to_string(), "-3.25");
        assert_eq!(Seconds::parse_ms("-3"), Some(0));
        assert_eq!(Seconds::parse_ms("1e300"), Some(1_000_000_000_000));
        for bad in ["", "x", "nan", "inf", "1,5"] {
            assert_eq!(Seconds::parse_ms(bad), None, "{bad:?}");
            assert_eq!(Discs::parse_centidiscs(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn moves_are_words() {
        let moves: Moves = ["e2e4", " e7e5\nquit", "", "\r\n"].into_iter().collect();
        assert_eq!(moves.to_string(), "e2e4 e7e5");
        assert_eq!(moves.iter().collect::<Vec<_>>(), ["e2e4", "e7e5"]);
        assert!(Moves::default().is_empty() && Moves::default().iter().next().is_none());
    }

    #[test]
    fn one_line_is_one_line() {
        assert_eq!(one_line("\r\na\n\n\tb\u{7}c "), "a b c");
    }
}
