//! The constants of a training as flags and as a TOML file, both made from the training's table.

use anyhow::{Context as _, bail};
use app::{
    input::{SETTINGS_MAX, read_text_bounded},
    training::{SettingError, TrainingSettings},
};
use clap::{Arg, ArgMatches, Command};
use std::{marker::PhantomData, path::Path};

/// A flag for each constant, in kebab case.
#[derive(Debug, Clone)]
pub(super) struct Flags<S> {
    given: Vec<(&'static str, String)>,
    settings: PhantomData<S>,
}

impl<S: TrainingSettings + 'static> clap::Args for Flags<S> {
    fn augment_args(command: Command) -> Command {
        let defaults = S::default();
        S::CONSTANTS.iter().fold(command, |command, constant| {
            let name = constant.name;
            let default = defaults.get(name).unwrap_or_default();
            command.arg(
                Arg::new(name)
                    // clap keeps names for ever; there are a few dozen of them.
                    .long(&*name.replace('_', "-").leak())
                    .value_name("X")
                    .help(format!("{} [default: {default}]", constant.help))
                    .help_heading("Constants")
                    .value_parser(move |text: &str| -> Result<String, SettingError> {
                        S::default().set(name, text)?;
                        Ok(text.to_owned())
                    }),
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<S: TrainingSettings> clap::FromArgMatches for Flags<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |name: &'static str| {
            let text = matches.get_one::<String>(name)?;
            Some((name, text.clone()))
        };
        Ok(Self {
            given: S::CONSTANTS
                .iter()
                .filter_map(|constant| given(constant.name))
                .collect(),
            settings: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<S: TrainingSettings> Flags<S> {
    /// The constants in force: the base, changed by the file, changed by the flags.
    pub(super) fn over(&self, mut base: S, config: Option<&Config>) -> anyhow::Result<S> {
        if let Some(config) = config {
            for (name, text) in &config.constants {
                base.set(name, text).with_context(|| config.path.clone())?;
            }
        }
        for (name, text) in &self.given {
            base.set(name, text)?;
        }
        Ok(base)
    }
}

/// A configuration file: constants, and how to run.
#[derive(Debug, Default)]
pub(super) struct Config {
    path: String,
    constants: Vec<(String, String)>,
    pub(super) threads: Option<u16>,
    pub(super) memory_mb: Option<u32>,
}

impl Config {
    /// Reads a file; whether its constants exist is not known here.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let shown = path.display().to_string();
        let text = read_text_bounded(path, SETTINGS_MAX)?;
        Self::parse(&text, shown)
    }

    fn parse(text: &str, path: String) -> anyhow::Result<Self> {
        let table: toml::Table = match text.parse() {
            Ok(table) => table,
            Err(error) => {
                let error: toml::de::Error = error;
                let before = error.span().map_or("", |span| &text[..span.start]);
                let line = before.matches('\n').count() + 1;
                let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
                bail!("{path} line {line} column {column}: {}", error.message());
            }
        };
        let mut config = Self {
            path,
            ..Self::default()
        };
        for (name, value) in table {
            let text = match value {
                toml::Value::String(text) => text,
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Float(number) => number.to_string(),
                other => bail!(
                    "{}: {name} is {}; expected a number or a text",
                    config.path,
                    other.type_str()
                ),
            };
            match name.as_str() {
                "threads" => config.threads = Some(config.number(&name, &text, 256)?),
                "memory_mb" => config.memory_mb = Some(config.number(&name, &text, 1 << 20)?),
                _ => config.constants.push((name, text)),
            }
        }
        Ok(config)
    }

    fn number<N: TryFrom<u32>>(&self, name: &str, text: &str, most: u32) -> anyhow::Result<N> {
        text.parse()
            .ok()
            .filter(|number| (1..=most).contains(number))
            .and_then(|number| N::try_from(number).ok())
            .with_context(|| {
                let path = &self.path;
                format!("{path}: {name} is {text:?}; expected a number from 1 to {most}")
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use app::training::TdSettings;

    fn flags(given: &[(&'static str, &str)]) -> Flags<TdSettings> {
        Flags {
            given: given.iter().map(|(n, t)| (*n, (*t).to_owned())).collect(),
            settings: PhantomData,
        }
    }

    #[test]
    fn flags_win_over_the_file_and_the_file_over_the_base() {
        let text = "lambda = 0.5\nalpha = 0.1\nthreads = 2\nlimit = \"depth:3\"\ngames = 7\n";
        let config = Config::parse(text, "td.toml".to_owned()).unwrap();
        let settings = flags(&[("alpha", "0.2")])
            .over(TdSettings::default(), Some(&config))
            .unwrap();
        let get = |name| settings.get(name).unwrap();
        assert_eq!((get("lambda"), get("alpha")), ("0.5".into(), "0.2".into()));
        assert_eq!((get("limit"), get("games")), ("depth:3".into(), "7".into()));
        assert_eq!(config.threads, Some(2));
    }

    #[test]
    fn bad_files_are_told_with_place_and_remedy() {
        let message = |text: &str| {
            let config = Config::parse(text, "td.toml".to_owned());
            let settings =
                config.and_then(|config| flags(&[]).over(TdSettings::default(), Some(&config)));
            format!("{:#}", settings.unwrap_err())
        };
        assert!(message("lambda = 0.3\nalpha = \n").starts_with("td.toml line 2 column 9: "));
        assert!(message("lamda = 0.3").starts_with("td.toml: unknown setting \"lamda\"; the"));
        assert_eq!(
            message("lambda = 3"),
            "td.toml: lambda is \"3\"; expected a number from 0 to 1"
        );
        assert_eq!(
            message("lambda = [1]"),
            "td.toml: lambda is array; expected a number or a text"
        );
        assert_eq!(
            message("threads = 0"),
            "td.toml: threads is \"0\"; expected a number from 1 to 256"
        );
    }
}
