//! Whose games are fetched, by a name or an address that a person pastes.

use std::fmt;

/// A server that gives games away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    Lichess,
    ChessCom,
}

/// Where games come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The games of a player of Lichess: all, or so many of the newest.
    LichessPlayer { name: String, most: Option<u32> },
    /// A round of a broadcast; `follows` waits for games that are being played.
    LichessRound { id: String, follows: bool },
    /// A study, or one chapter of it: `STUDY` or `STUDY/CHAPTER`.
    LichessStudy { id: String },
    /// The games of a player of Chess.com, month by month.
    ChessComPlayer { name: String },
}

/// The text names nothing that could be fetched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no {expected}")]
pub struct SourceError {
    text: String,
    expected: &'static str,
}

const NAME_MAX: usize = 50;

impl Source {
    /// A player by name, or by the address of the player's page.
    pub fn player(service: Service, text: &str) -> Result<Self, SourceError> {
        let (pages, expected) = match service {
            Service::Lichess => (
                &["lichess.org/@/"][..],
                "name of a player on Lichess: 2 to 50 letters, digits, dashes and underscores",
            ),
            Service::ChessCom => (
                &[
                    "chess.com/member/",
                    "chess.com/players/",
                    "chess.com/pub/player/",
                ][..],
                "name of a player on Chess.com: 2 to 50 letters, digits, dashes and underscores",
            ),
        };
        let name = pages.iter().find_map(|page| behind(text, page));
        let name = name.unwrap_or_else(|| text.trim());
        let is_fit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if !(2..=NAME_MAX).contains(&name.len()) || !name.chars().all(is_fit) {
            return Err(wrong(text, expected));
        }
        let name = name.to_owned();
        Ok(match service {
            Service::Lichess => Self::LichessPlayer { name, most: None },
            Service::ChessCom => Self::ChessComPlayer { name },
        })
    }

    /// A round by its eight letters, or by the address of its page, where they stand last.
    pub fn round(text: &str, follows: bool) -> Result<Self, SourceError> {
        let expected = "round of a broadcast: the address of its page on Lichess, or the eight \
                        letters and digits at the end of it";
        let path = behind_host(text, "lichess.org/broadcast/");
        let id = match path {
            Some(path) => path.split('/').rev().find(|part| is_id(part)),
            None => Some(text.trim()).filter(|it| is_id(it)),
        };
        let id = id.ok_or_else(|| wrong(text, expected))?.to_owned();
        Ok(Self::LichessRound { id, follows })
    }

    /// A study, or a chapter of one, by its letters or by the address of its page.
    pub fn study(text: &str) -> Result<Self, SourceError> {
        let expected = "study: the address of its page on Lichess, or the eight letters and digits \
                        at the end of it";
        let path = behind_host(text, "lichess.org/study/").unwrap_or_else(|| text.trim());
        let parts: Vec<&str> = path.split('/').filter(|it| !it.is_empty()).collect();
        let is_study = matches!(parts.len(), 1 | 2) && parts.iter().all(|part| is_id(part));
        if !is_study {
            return Err(wrong(text, expected));
        }
        let id = parts.join("/");
        Ok(Self::LichessStudy { id })
    }

    /// The name under which games remember where they came from.
    pub fn name(&self) -> String {
        match self {
            Self::LichessPlayer { name, .. } => {
                format!("lichess.org/@/{}", name.to_ascii_lowercase())
            }
            Self::LichessRound { id, .. } => format!("lichess.org/broadcast/-/-/{id}"),
            Self::LichessStudy { id } => format!("lichess.org/study/{id}"),
            Self::ChessComPlayer { name } => {
                format!("chess.com/member/{}", name.to_ascii_lowercase())
            }
        }
    }
}

/// What it is, in a sentence.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LichessPlayer { name, .. } | Self::ChessComPlayer { name } => {
                write!(f, "player {name}")
            }
            Self::LichessRound { id, .. } => write!(f, "round {id}"),
            Self::LichessStudy { id } => write!(f, "study {id}"),
        }
    }
}

fn wrong(text: &str, expected: &'static str) -> SourceError {
    SourceError {
        text: text.chars().take(100).collect(),
        expected,
    }
}

fn is_id(text: &str) -> bool {
    text.len() == 8 && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// What stands behind a page in an address, without what follows a `?` or `#`.
fn behind_host<'a>(text: &'a str, page: &str) -> Option<&'a str> {
    let path = text.trim().split(['?', '#']).next().unwrap_or_default();
    let at = path.find(page)?;
    Some(path[at + page.len()..].trim_matches('/'))
}

/// The first part of what stands behind a page.
fn behind<'a>(text: &'a str, page: &str) -> Option<&'a str> {
    behind_host(text, page)?.split('/').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_addresses_are_understood() {
        let player = |service, text: &str| Source::player(service, text).map(|it| it.name());
        for text in [
            "Ann_1",
            " Ann_1 ",
            "https://lichess.org/@/Ann_1",
            "lichess.org/@/Ann_1/all?page=2",
        ] {
            let name = player(Service::Lichess, text).unwrap();
            assert_eq!(name, "lichess.org/@/ann_1", "{text}");
        }
        let name = player(Service::ChessCom, "https://www.chess.com/member/Erik/games");
        assert_eq!(name.unwrap(), "chess.com/member/erik");
        for text in [
            "",
            "a",
            "a b",
            "../x",
            "a/b",
            "ä-ö",
            "x%2f",
            &"x".repeat(51),
        ] {
            player(Service::Lichess, text).unwrap_err();
        }
        let round = |text: &str| Source::round(text, false).map(|it| it.name());
        for text in [
            "abcdEFG1",
            "https://lichess.org/broadcast/some-event/round-3/abcdEFG1",
            "https://lichess.org/broadcast/some-event/round-3/abcdEFG1/zzzzzzzzz",
        ] {
            let name = round(text).unwrap();
            assert_eq!(name, "lichess.org/broadcast/-/-/abcdEFG1", "{text}");
        }
        round("abc").unwrap_err();
        round("https://lichess.org/broadcast/x").unwrap_err();
        let study = |text: &str| Source::study(text).map(|it| it.name());
        assert_eq!(
            study("https://lichess.org/study/abcdEFG1/ijklMNO2#5").unwrap(),
            "lichess.org/study/abcdEFG1/ijklMNO2"
        );
        assert_eq!(study("abcdEFG1").unwrap(), "lichess.org/study/abcdEFG1");
        let error = study("abcdEFG1/../x").unwrap_err().to_string();
        assert!(error.contains("is no study"), "{error}");
    }
}
