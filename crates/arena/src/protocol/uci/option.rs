//! Settings that an engine declares.

use crate::protocol::one_line;
use std::{fmt, str::FromStr};

/// A setting as its engine declares it. Names are compared without regard to case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Declaration {
    /// Several words, of any kind: `Clear Hash`, `UCI_Chess960`.
    pub name: String,
    pub domain: Domain,
}

/// What a setting may be, and what it is until somebody changes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Domain {
    Check {
        default: bool,
    },
    /// A whole number. Limits that the engine does not tell are those of the type.
    Spin {
        default: i64,
        min: i64,
        max: i64,
    },
    Combo {
        default: String,
        choices: Vec<String>,
    },
    /// Something to do, not something to be.
    Button,
    Text {
        default: String,
    },
}

/// A value that a setting cannot have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} cannot be {value:?}; expected {expected}")]
pub struct OptionError {
    pub name: String,
    pub value: String,
    pub expected: String,
}

/// The five kinds, by their names in the protocol.
const KINDS: [&str; 5] = ["check", "spin", "combo", "button", "string"];

/// How the protocol writes a text of no letters.
const EMPTY: &str = "<empty>";

impl Declaration {
    /// The value as the engine wants it, from one that a person typed; `None` for a button.
    pub fn accept(&self, value: &str) -> Result<Option<String>, OptionError> {
        let value = one_line(value).into_owned();
        self.domain.accept(&value).map_err(|expected| OptionError {
            name: self.name.clone(),
            value,
            expected,
        })
    }

    /// What the setting is until somebody changes it, as text; `None` for a button.
    pub fn default_text(&self) -> Option<String> {
        match &self.domain {
            Domain::Check { default } => Some(default.to_string()),
            Domain::Spin { default, .. } => Some(default.to_string()),
            Domain::Combo { default, .. } | Domain::Text { default } => Some(default.clone()),
            Domain::Button => None,
        }
    }
}

impl Domain {
    /// The name of the kind in the protocol.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Check { .. } => "check",
            Self::Spin { .. } => "spin",
            Self::Combo { .. } => "combo",
            Self::Button => "button",
            Self::Text { .. } => "string",
        }
    }

    /// The error says what would be right.
    fn accept(&self, value: &str) -> Result<Option<String>, String> {
        let is = |names: [&str; 4]| names.iter().any(|name| name.eq_ignore_ascii_case(value));
        match self {
            Self::Check { .. } if is(["true", "on", "yes", "1"]) => Ok(Some("true".to_owned())),
            Self::Check { .. } if is(["false", "off", "no", "0"]) => Ok(Some("false".to_owned())),
            Self::Check { .. } => Err("true or false".to_owned()),
            Self::Spin { min, max, .. } => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => Ok(Some(number.to_string())),
                _ => Err(format!("a whole number from {min} to {max}")),
            },
            Self::Combo { choices, .. } => {
                let found = choices.iter().find(|it| it.eq_ignore_ascii_case(value));
                found
                    .map(|choice| Some(choice.clone()))
                    .ok_or_else(|| format!("one of {}", choices.join(", ")))
            }
            Self::Button => Ok(None),
            Self::Text { .. } if value.is_empty() => Ok(Some(EMPTY.to_owned())),
            Self::Text { .. } => Ok(Some(value.to_owned())),
        }
    }
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, kind) = (one_line(&self.name), self.domain.kind());
        write!(f, "option name {name} type {kind}")?;
        let text = |text: &str| match one_line(text) {
            line if line.is_empty() => EMPTY.to_owned(),
            line => line.into_owned(),
        };
        match &self.domain {
            Domain::Check { default } => write!(f, " default {default}"),
            Domain::Spin { default, min, max } => {
                write!(f, " default {default} min {min} max {max}")
            }
            Domain::Combo { default, choices } => {
                write!(f, " default {}", text(default))?;
                let mut choices = choices.iter();
                choices.try_for_each(|choice| write!(f, " var {}", text(choice)))
            }
            Domain::Button => Ok(()),
            Domain::Text { default } => write!(f, " default {}", text(default)),
        }
    }
}

/// The line cannot be understood as a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseDeclarationError;

impl FromStr for Declaration {
    type Err = ParseDeclarationError;

    /// Reads what stands behind the word `option`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let line = one_line(text);
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["name", rest @ ..] = words.as_slice() else {
            return Err(ParseDeclarationError);
        };
        // A name may have the word `type` in it; what follows the real one is a kind.
        let is_kind = |word: &str| KINDS.iter().any(|kind| kind.eq_ignore_ascii_case(word));
        let at = rest
            .windows(2)
            .position(|pair| pair[0] == "type" && is_kind(pair[1]))
            .ok_or(ParseDeclarationError)?;
        let name = rest[..at].join(" ");
        if name.is_empty() {
            return Err(ParseDeclarationError);
        }
        let domain = parse_domain(&rest[at + 1].to_ascii_lowercase(), &rest[at + 2..]);
        Ok(Self { name, domain })
    }
}

fn parse_domain(kind: &str, words: &[&str]) -> Domain {
    let behind = |key: &str| {
        let at = words.iter().position(|&word| word == key)?;
        Some(&words[at + 1..])
    };
    let number = |key: &str| behind(key)?.first()?.parse::<i64>().ok();
    match kind {
        "check" => {
            let default = behind("default").and_then(<[_]>::first);
            Domain::Check {
                default: default.is_some_and(|it| it.eq_ignore_ascii_case("true")),
            }
        }
        "spin" => {
            let (least, most) = (number("min"), number("max"));
            let (min, max) = (least.unwrap_or(i64::MIN), most.unwrap_or(i64::MAX));
            // Limits the wrong way round allow nothing; then they are no limits.
            let (min, max) = if min <= max {
                (min, max)
            } else {
                (i64::MIN, i64::MAX)
            };
            let default = number("default").unwrap_or(0).clamp(min, max);
            Domain::Spin { default, min, max }
        }
        "combo" => parse_combo(words),
        "button" => Domain::Button,
        // Whatever stands behind it, also the words of this protocol.
        _ => Domain::Text {
            default: parse_text(behind("default").unwrap_or_default()),
        },
    }
}

fn parse_text(words: &[&str]) -> String {
    match words.join(" ") {
        text if text == EMPTY => String::new(),
        text => text,
    }
}

/// Default and choices may have several words; each goes up to the next key.
fn parse_combo(words: &[&str]) -> Domain {
    let mut default: Option<String> = None;
    let mut choices: Vec<String> = Vec::new();
    let is_key = |word: &str| word == "default" || word == "var";
    let mut rest = words;
    while let Some((key, tail)) = rest.split_first() {
        let end = tail.iter().position(|word| is_key(word));
        let (value, next) = tail.split_at(end.unwrap_or(tail.len()));
        match *key {
            "default" => default = Some(parse_text(value)),
            "var" if !value.is_empty() => choices.push(parse_text(value)),
            _ => {}
        }
        rest = next;
    }
    // A default that is no choice, or only in other letters, is one of the choices all the same.
    let wanted = default.unwrap_or_default();
    let same = choices.iter().find(|it| it.eq_ignore_ascii_case(&wanted));
    let default = same.or(choices.first()).unwrap_or(&wanted).clone();
    Domain::Combo { default, choices }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};

    fn domains() -> impl Strategy<Value = Domain> {
        prop_oneof![
            any::<bool>().prop_map(|default| Domain::Check { default }),
            (any::<i64>(), any::<i64>(), any::<i64>()).prop_map(|(a, b, c)| {
                let (min, max) = (a.min(b), a.max(b));
                Domain::Spin {
                    default: c.clamp(min, max),
                    min,
                    max,
                }
            }),
            proptest::collection::vec("[A-Z][a-z]{0,5}( [0-9]{1,3})?", 1..5).prop_map(|choices| {
                Domain::Combo {
                    default: choices[0].clone(),
                    choices,
                }
            }),
            Just(Domain::Button),
            "([A-Za-z:/.]{1,9}( [0-9a-z]{1,5}){0,2})?".prop_map(|default| Domain::Text { default }),
        ]
    }

    proptest! {
        #[test]
        fn declarations_round_trip(name in "[A-Za-z_]{1,9}( [A-Za-z0-9.%()-]{1,9}){0,3}", domain in domains()) {
            let declaration = Declaration { name, domain };
            let text = declaration.to_string();
            let read = text.strip_prefix("option ").unwrap().parse();
            assert_eq!(read, Ok(declaration));
        }

        #[test]
        fn what_is_accepted_is_accepted_again(domain in domains(), value in any::<String>()) {
            let declaration = Declaration { name: "x".to_owned(), domain };
            if let Ok(Some(accepted)) = declaration.accept(&value) {
                assert_eq!(declaration.accept(&accepted), Ok(Some(accepted)));
            }
        }
    }

    fn read(text: &str) -> Declaration {
        text.parse().unwrap()
    }

    #[test]
    fn odd_declarations_are_read() {
        for (text, expected) in [
            ("name Clear Hash type button", Domain::Button),
            (
                "name type of play type check default TRUE",
                Domain::Check { default: true },
            ),
            ("name Ponder type check", Domain::Check { default: false }),
            (
                "name X type spin default 99 min 1 max 10",
                Domain::Spin {
                    default: 10,
                    min: 1,
                    max: 10,
                },
            ),
            (
                "name X type spin default 5 min 10 max 1",
                Domain::Spin {
                    default: 5,
                    min: i64::MIN,
                    max: i64::MAX,
                },
            ),
            (
                "name X type string",
                Domain::Text {
                    default: String::new(),
                },
            ),
            (
                "name X type string default <empty>",
                Domain::Text {
                    default: String::new(),
                },
            ),
            (
                "name X type string default a min 3 var b",
                Domain::Text {
                    default: "a min 3 var b".to_owned(),
                },
            ),
            (
                "name Style type combo default Very Solid var Very Solid var Normal",
                Domain::Combo {
                    default: "Very Solid".to_owned(),
                    choices: vec!["Very Solid".to_owned(), "Normal".to_owned()],
                },
            ),
            (
                "name Style type combo var a var b default b",
                Domain::Combo {
                    default: "b".to_owned(),
                    choices: vec!["a".to_owned(), "b".to_owned()],
                },
            ),
        ] {
            assert_eq!(read(text).domain, expected, "{text}");
        }
        assert_eq!(read("name type of play type check").name, "type of play");
        for bad in [
            "",
            "Hash type spin",
            "name type spin",
            "name Hash",
            "name Hash type slider",
        ] {
            assert_eq!(
                bad.parse::<Declaration>(),
                Err(ParseDeclarationError),
                "{bad:?}"
            );
        }
    }

    #[test]
    fn values_are_checked_and_errors_say_what_would_be_right() {
        let error = |text: &str, value: &str| read(text).accept(value).unwrap_err().to_string();
        let hash = "name Hash type spin default 16 min 1 max 1024";
        assert_eq!(read(hash).accept(" 64 "), Ok(Some("64".to_owned())));
        assert_eq!(
            error(hash, "0"),
            "Hash cannot be \"0\"; expected a whole number from 1 to 1024"
        );
        let ponder = "name Ponder type check default false";
        assert_eq!(read(ponder).accept("ON"), Ok(Some("true".to_owned())));
        assert_eq!(
            error(ponder, "maybe"),
            "Ponder cannot be \"maybe\"; expected true or false"
        );
        let style = "name Style type combo default Solid var Solid var Risky";
        assert_eq!(read(style).accept("risky"), Ok(Some("Risky".to_owned())));
        assert_eq!(
            error(style, "mad"),
            "Style cannot be \"mad\"; expected one of Solid, Risky"
        );
        let path = "name SyzygyPath type string default <empty>";
        assert_eq!(read(path).accept(""), Ok(Some("<empty>".to_owned())));
        assert_eq!(read(path).accept("a\nquit"), Ok(Some("a quit".to_owned())));
    }
}
