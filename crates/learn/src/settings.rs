//! The constants of a training by name.
//!
//! One table per training says what each constant is called, what it means and what it may be.
//! Flags, configuration files and checkpoints all go through it.

/// A value that has a text form.
pub trait Setting: Sized {
    /// Reads it; nothing if the text means no such value.
    fn read(text: &str) -> Option<Self>;
    /// The text that reads back as the same value.
    fn write(&self) -> String;
}

macro_rules! plain_settings {
    ($($type:ty)*) => {
        $(impl Setting for $type {
            fn read(text: &str) -> Option<Self> {
                text.parse().ok()
            }

            fn write(&self) -> String {
                self.to_string()
            }
        })*
    };
}
plain_settings!(u32 u64 f64);

/// What is to be known of a constant without having its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constant {
    /// Its name, in `snake_case`.
    pub name: &'static str,
    /// One line on what it is.
    pub help: &'static str,
    /// What it may be.
    pub expected: &'static str,
}

/// Why a constant cannot be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// No constant has this name.
    #[error("unknown setting {name:?}; the settings are {known}")]
    Unknown {
        name: String,
        /// All that there are.
        known: String,
    },
    /// The value is not one.
    #[error("{name} is {text:?}; expected {expected}")]
    Wrong {
        name: &'static str,
        text: String,
        /// What would be right.
        expected: &'static str,
    },
    /// A line of a stored list has no value.
    #[error("the setting {line:?} has no value; expected a name, a space and a value")]
    NoValue { line: String },
}

/// All constants of a training.
pub trait Settings: Default + PartialEq {
    /// What there is to set, in order.
    const CONSTANTS: &'static [Constant];

    /// Sets a constant by name from text.
    fn set(&mut self, name: &str, text: &str) -> Result<(), SettingError>;

    /// A constant's value as text.
    fn get(&self, name: &str) -> Option<String>;

    /// One line per constant, `name value`.
    fn to_text(&self) -> String {
        let line = |constant: &Constant| {
            let value = self.get(constant.name).unwrap_or_default();
            format!("{} {value}\n", constant.name)
        };
        Self::CONSTANTS.iter().map(line).collect()
    }

    /// Reads [`Settings::to_text`]; what is not there keeps its default.
    fn from_text(text: &str) -> Result<Self, SettingError> {
        let mut settings = Self::default();
        for line in text.lines() {
            let (name, value) = line.split_once(' ').ok_or_else(|| SettingError::NoValue {
                line: line.to_owned(),
            })?;
            settings.set(name, value)?;
        }
        Ok(settings)
    }

    /// The constants in which two settings differ: name, here, there.
    fn differences(&self, other: &Self) -> Vec<(&'static str, String, String)> {
        let value = |of: &Self, name| of.get(name).unwrap_or_default();
        Self::CONSTANTS
            .iter()
            .map(|constant| constant.name)
            .map(|name| (name, value(self, name), value(other, name)))
            .filter(|(_, here, there)| here != there)
            .collect()
    }
}

/// Defines a struct of constants and its [`Settings`]: name, type, default, what is expected in
/// words, and as a test.
macro_rules! settings {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $(
                #[doc = $help:literal]
                $key:ident: $type:ty = $default:expr, $expected:literal, $check:expr;
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        $vis struct $name {
            $(#[doc = $help] pub $key: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($key: $default,)* }
            }
        }

        impl $crate::settings::Settings for $name {
            const CONSTANTS: &'static [$crate::settings::Constant] = &[
                $($crate::settings::Constant {
                    name: stringify!($key),
                    help: $help.trim_ascii(),
                    expected: $expected,
                },)*
            ];

            fn set(
                &mut self,
                name: &str,
                text: &str,
            ) -> Result<(), $crate::settings::SettingError> {
                match name {
                    $(stringify!($key) => {
                        let check: fn(&$type) -> bool = $check;
                        let value = <$type as $crate::settings::Setting>::read(text.trim());
                        self.$key = value.filter(check).ok_or_else(|| {
                            $crate::settings::SettingError::Wrong {
                                name: stringify!($key),
                                text: text.to_owned(),
                                expected: $expected,
                            }
                        })?;
                        Ok(())
                    })*
                    _ => Err($crate::settings::SettingError::Unknown {
                        name: name.to_owned(),
                        known: [$(stringify!($key)),*].join(", "),
                    }),
                }
            }

            fn get(&self, name: &str) -> Option<String> {
                match name {
                    $(stringify!($key) => {
                        Some($crate::settings::Setting::write(&self.$key))
                    })*
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use settings;

/// What ends the search for a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveLimit {
    /// Milliseconds on the clock handed in: not the same every time.
    Time(u64),
    /// Plies: the same every time.
    Depth(u32),
    /// Nodes: the same every time.
    Nodes(u64),
}

impl MoveLimit {
    /// What to say about the text form.
    pub const EXPECTED: &'static str = "time:MS, depth:PLIES or nodes:N, such as time:15";

    /// Whether it depends on a clock.
    pub const fn is_time(self) -> bool {
        matches!(self, Self::Time(_))
    }

    /// As the engine wants it.
    pub fn limits(self, exact_empties: u32) -> engine::Limits {
        let mut limits = engine::Limits {
            exact_empties,
            ..engine::Limits::default()
        };
        match self {
            Self::Time(ms) => limits.time_ms = Some(ms),
            Self::Depth(depth) => limits.depth = Some(depth),
            Self::Nodes(nodes) => limits.nodes = Some(nodes),
        }
        limits
    }
}

impl Setting for MoveLimit {
    fn read(text: &str) -> Option<Self> {
        let (kind, number) = text.split_once(':')?;
        let number: u64 = number.trim().parse().ok().filter(|&n| n > 0)?;
        match kind.trim() {
            "time" => Some(Self::Time(number)),
            "depth" => (number <= 60).then_some(Self::Depth(number as u32)),
            "nodes" => Some(Self::Nodes(number)),
            _ => None,
        }
    }

    fn write(&self) -> String {
        match self {
            Self::Time(ms) => format!("time:{ms}"),
            Self::Depth(plies) => format!("depth:{plies}"),
            Self::Nodes(nodes) => format!("nodes:{nodes}"),
        }
    }
}

/// A number that depends on the game's number, in steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule(Vec<(u64, f64)>);

impl Schedule {
    /// What to say about the text form.
    pub const EXPECTED: &'static str =
        "shares from 0 to 1 by first game, such as 0:0.15,300000:0.05,700000:0";

    /// The steps: first game and value. They must begin with game 0 and ascend.
    pub fn new(steps: Vec<(u64, f64)>) -> Option<Self> {
        let starts = steps.first().is_some_and(|step| step.0 == 0);
        let ascends = steps.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let shares = steps.iter().all(|step| (0.0..=1.0).contains(&step.1));
        (starts && ascends && shares).then_some(Self(steps))
    }

    /// The value for a game.
    pub fn at(&self, game: u64) -> f64 {
        let step = self.0.iter().rev().find(|step| step.0 <= game);
        step.map_or(0.0, |step| step.1)
    }
}

impl Setting for Schedule {
    fn read(text: &str) -> Option<Self> {
        let step = |text: &str| {
            let (game, value) = text.split_once(':')?;
            Some((game.trim().parse().ok()?, value.trim().parse().ok()?))
        };
        Self::new(text.split(',').map(step).collect::<Option<_>>()?)
    }

    fn write(&self) -> String {
        let steps: Vec<String> = (self.0.iter())
            .map(|(game, value)| format!("{game}:{value}"))
            .collect();
        steps.join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    settings! {
        struct Example {
            /// How fast it goes
            rate: f64 = 0.5, "a number from 0 to 1", |v| (0.0..=1.0).contains(v);
            /// How long it takes
            limit: MoveLimit = MoveLimit::Time(15), "time:MS, depth:PLIES or nodes:N", |_| true;
            /// How random it is
            chance: Schedule = Schedule::new(vec![(0, 0.5), (10, 0.25)]).unwrap(), "steps", |_| true;
        }
    }

    #[test]
    fn texts_round_trip_and_differences_are_named() {
        let mut example = Example::default();
        assert_eq!(
            example.to_text(),
            "rate 0.5\nlimit time:15\nchance 0:0.5,10:0.25\n"
        );
        for (name, text) in [("rate", "0.1"), ("limit", "nodes:3000"), ("chance", "0:1")] {
            example.set(name, text).unwrap();
            assert_eq!(example.get(name).as_deref(), Some(text));
        }
        assert_eq!(
            Example::from_text(&example.to_text()).as_ref(),
            Ok(&example)
        );
        assert_eq!(
            Example::default().differences(&example)[0],
            ("rate", "0.5".to_owned(), "0.1".to_owned())
        );
        assert_eq!(Example::CONSTANTS[0].help, "How fast it goes");
    }

    #[test]
    fn wrong_values_are_named_with_what_would_be_right() {
        let mut example = Example::default();
        let mut message = |name: &str, text: &str| example.set(name, text).unwrap_err().to_string();
        assert_eq!(
            message("rate", "2"),
            "rate is \"2\"; expected a number from 0 to 1"
        );
        assert_eq!(
            message("raet", "2"),
            "unknown setting \"raet\"; the settings are rate, limit, chance"
        );
        for text in ["", "15", "time:", "time:0", "depth:61", "hours:1"] {
            message("limit", text);
        }
        for text in [
            "",
            "0.1",
            "5:0.1",
            "0:2",
            "0:0.1,0:0.2",
            "0:0.1,5:nan",
            "0:0.1,",
        ] {
            message("chance", text);
        }
        assert!(Example::from_text("rate").is_err());
    }

    #[test]
    fn a_schedule_changes_with_the_first_game_of_each_step() {
        let schedule = Schedule::read("0:0.15,300000:0.05,700000:0").unwrap();
        for (game, share) in [
            (0, 0.15),
            (299_999, 0.15),
            (300_000, 0.05),
            (699_999, 0.05),
            (700_000, 0.0),
            (u64::MAX, 0.0),
        ] {
            assert!((schedule.at(game) - share).abs() < 1e-12, "game {game}");
        }
    }
}
