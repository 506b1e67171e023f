//! The table of keys: where each setting stands, what it may be, how it is read and written.

use super::{Config, EngineName, OverlayName, Theme, nearest::nearest};
use crate::{BookChoice, EvaluatorChoice, LateMoves, Limits, Profile};
use toml_edit::{Array, Value};

/// A setting of the file: where it stands, its default, its comment, and what it may be.
pub(super) struct Key {
    pub(super) section: &'static str,
    pub(super) name: &'static str,
    pub(super) comment: &'static str,
    pub(super) read: fn(&Value, &mut Config) -> Result<(), String>,
    pub(super) write: fn(&Config) -> Value,
}

/// Keys and sections of the user's documents that do nothing yet. They are kept and, as all that
/// does nothing, warned about.
pub(super) const RESERVED: &[&str] = &[
    "engine.accel_enabled",
    "db",
    "feature_flags",
    "postgres",
    "trainer",
];

fn whole(value: &Value, least: u32, most: u32) -> Result<u32, String> {
    value
        .as_integer()
        .and_then(|n| u32::try_from(n).ok())
        .filter(|n| (least..=most).contains(n))
        .ok_or_else(|| format!("expected a whole number from {least} to {most}"))
}

fn truth(value: &Value) -> Result<bool, String> {
    value
        .as_bool()
        .ok_or_else(|| "expected true or false".to_owned())
}

fn text(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| "expected a text".to_owned())
}

fn path_or_nothing(value: &Value) -> Result<String, String> {
    let file = text(value)?;
    if file.len() > 4096 || file.contains(char::is_control) {
        return Err("expected the path of a file, or nothing".to_owned());
    }
    Ok(file.to_owned())
}

/// A server that may be asked, without a path.
fn address(value: &Value) -> Result<String, String> {
    let address = text(value)?.trim_end_matches('/');
    let uri = crate::net::check_url(address)?;
    if address.len() > 200 || uri.path() != "/" || uri.query().is_some() {
        return Err("expected the address of a server, such as https://lichess.org".to_owned());
    }
    Ok(address.to_owned())
}

fn one_of<T: Copy>(value: &Value, names: &[(&str, T)]) -> Result<T, String> {
    let wanted = value.as_str();
    let found = names.iter().find(|(name, _)| wanted == Some(name));
    found.map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<&str> = names.iter().map(|&(name, _)| name).collect();
        let near = wanted.and_then(|wanted| nearest(wanted, names.iter().copied()));
        let hint = near.map_or_else(String::new, |near| format!("; did you mean {near}"));
        format!("expected one of {}{hint}", names.join(", "))
    })
}

fn name_of<T: Copy + PartialEq>(value: T, names: &[(&'static str, T)]) -> &'static str {
    let found = names.iter().find(|(_, known)| *known == value);
    found.map_or("", |&(name, _)| name)
}

/// A time in seconds, to the millisecond.
fn milliseconds(value: &Value, most_seconds: u32) -> Result<u64, String> {
    let seconds = value
        .as_float()
        .or_else(|| value.as_integer().map(|n| n as f64))
        .filter(|seconds| (0.0..=f64::from(most_seconds)).contains(seconds));
    seconds
        .map(|seconds| (seconds * 1000.0).round() as u64)
        .ok_or_else(|| format!("expected seconds from 0 to {most_seconds}"))
}

fn seconds(ms: u64) -> Value {
    if ms.is_multiple_of(1000) {
        Value::from((ms / 1000) as i64)
    } else {
        Value::from(ms as f64 / 1000.0)
    }
}

const LOG_LEVELS: [(&str, &str); 5] = [
    ("error", "error"),
    ("warn", "warn"),
    ("info", "info"),
    ("debug", "debug"),
    ("trace", "trace"),
];

/// A day: longer clocks are mistakes.
const MOST_SECONDS: u32 = 86_400;

pub(super) const KEYS: &[Key] = &[
    Key {
        section: "engine",
        name: "tt_mb",
        comment: "memory of an analysis, in megabytes",
        read: |value, config| {
            config.engine.tt_mb = whole(value, 1, 65_536)?;
            Ok(())
        },
        write: |config| i64::from(config.engine.tt_mb).into(),
    },
    Key {
        section: "engine",
        name: "threads",
        comment: "search threads; 0 is one for each core but one, which the browser needs",
        read: |value, config| {
            config.engine.threads = whole(value, 0, 256)?;
            Ok(())
        },
        write: |config| i64::from(config.engine.threads).into(),
    },
    Key {
        section: "engine",
        name: "endgame_exact_empties",
        comment: "with so many empty squares or fewer, analyses are exact",
        read: |value, config| {
            config.engine.endgame_exact_empties = whole(value, 0, 60)?;
            Ok(())
        },
        write: |config| i64::from(config.engine.endgame_exact_empties).into(),
    },
    Key {
        section: "engine",
        name: "aspiration_cp",
        comment: "half of the first window of a search, in hundredths of a disc; changes speed, not values",
        read: |value, config| {
            let (least, most) = (*Limits::ASPIRATION.start(), *Limits::ASPIRATION.end());
            config.engine.aspiration_cp = whole(value, least, most)?;
            Ok(())
        },
        write: |config| i64::from(config.engine.aspiration_cp).into(),
    },
    Key {
        section: "engine",
        name: "lmr",
        comment: "late moves are searched less deep at first: conservative, normal or aggressive",
        read: |value, config| {
            let names = LateMoves::ALL.map(|late_moves| (late_moves.name(), late_moves));
            config.engine.lmr = one_of(value, &names)?;
            Ok(())
        },
        write: |config| config.engine.lmr.name().into(),
    },
    Key {
        section: "engine",
        name: "engine",
        comment: "what searches: alphabeta, or mcts (Monte Carlo, by playouts)",
        read: |value, config| {
            config.engine.engine = one_of(value, &EngineName::NAMES)?;
            Ok(())
        },
        write: |config| name_of(config.engine.engine, &EngineName::NAMES).into(),
    },
    Key {
        section: "engine",
        name: "evaluator",
        comment: "what values positions: pattern (trained) or classic (six features)",
        read: |value, config| {
            config.evaluation.evaluator = one_of(value, &EvaluatorChoice::NAMES)?;
            Ok(())
        },
        write: |config| config.evaluation.evaluator.name().into(),
    },
    Key {
        section: "engine",
        name: "weights",
        comment: "a file of weights, from this folder if not from the root; empty is the shipped ones",
        read: |value, config| {
            config.evaluation.weights = path_or_nothing(value)?;
            Ok(())
        },
        write: |config| config.evaluation.weights.as_str().into(),
    },
    Key {
        section: "engine",
        name: "book",
        comment: "the opening book: true (the shipped one), false, or a file, from this folder if not from the root",
        read: |value, config| {
            let is_path =
                |path: &str| (1..=4096).contains(&path.len()) && !path.contains(char::is_control);
            config.book = match (value.as_bool(), value.as_str()) {
                (Some(true), _) => BookChoice::Shipped,
                (Some(false), _) => BookChoice::Off,
                (None, Some(path)) if is_path(path) => BookChoice::File(path.to_owned()),
                _ => return Err("expected true, false or the path of a file".to_owned()),
            };
            Ok(())
        },
        write: |config| match &config.book {
            BookChoice::Shipped => true.into(),
            BookChoice::Off => false.into(),
            BookChoice::File(path) => path.as_str().into(),
        },
    },
    Key {
        section: "engine",
        name: "chess_book",
        comment: "a Polyglot book (.bin) for the explorer of chess, from this folder if not from the root; empty is none",
        read: |value, config| {
            config.chess_book = path_or_nothing(value)?;
            Ok(())
        },
        write: |config| config.chess_book.as_str().into(),
    },
    Key {
        section: "strength",
        name: "profile",
        comment: "a level of `kibitz levels`, such as first_day, club, elo_1400 or full",
        read: |value, config| {
            let names: Vec<_> = Profile::all().map(|level| (level.name, level)).collect();
            config.play.level = one_of(value, &names)?;
            Ok(())
        },
        write: |config| config.play.level.name.into(),
    },
    Key {
        section: "play",
        name: "people",
        comment: "your side: black, white or both",
        read: |value, config| {
            config.play.people = one_of(value, &crate::People::NAMES)?;
            Ok(())
        },
        write: |config| name_of(config.play.people, &crate::People::NAMES).into(),
    },
    Key {
        section: "play",
        name: "initial_seconds",
        comment: "each side's time; 0 is no clock",
        read: |value, config| {
            config.play.initial_ms = milliseconds(value, MOST_SECONDS)?;
            Ok(())
        },
        write: |config| seconds(config.play.initial_ms),
    },
    Key {
        section: "play",
        name: "increment_seconds",
        comment: "what each move adds",
        read: |value, config| {
            config.play.increment_ms = milliseconds(value, MOST_SECONDS)?;
            Ok(())
        },
        write: |config| seconds(config.play.increment_ms),
    },
    Key {
        section: "play",
        name: "show_values",
        comment: "show what moves are worth from the start",
        read: |value, config| {
            config.play.show_values = truth(value)?;
            Ok(())
        },
        write: |config| config.play.show_values.into(),
    },
    Key {
        section: "play",
        name: "blunder_alert",
        comment: "ask about a move that costs much, after the engine's reply",
        read: |value, config| {
            config.play.blunder_alert = truth(value)?;
            Ok(())
        },
        write: |config| config.play.blunder_alert.into(),
    },
    Key {
        section: "play",
        name: "ask_before",
        comment: "ask before such a move stands; the clocks stop until the answer",
        read: |value, config| {
            config.play.ask_before = truth(value)?;
            Ok(())
        },
        write: |config| config.play.ask_before.into(),
    },
    Key {
        section: "ui",
        name: "theme",
        comment: "system, dark, light or high_contrast",
        read: |value, config| {
            config.ui.theme = one_of(value, &Theme::NAMES)?;
            Ok(())
        },
        write: |config| name_of(config.ui.theme, &Theme::NAMES).into(),
    },
    Key {
        section: "ui",
        name: "reduced_motion",
        comment: "no animations, whatever the system says",
        read: |value, config| {
            config.ui.reduced_motion = truth(value)?;
            Ok(())
        },
        write: |config| config.ui.reduced_motion.into(),
    },
    Key {
        section: "ui",
        name: "overlays",
        comment: "of mobility, parity, stability, corners, frontier",
        read: |value, config| {
            let items = value.as_array().ok_or("expected a list of names")?;
            let names = items.iter().map(|item| one_of(item, &OverlayName::NAMES));
            config.ui.overlays = names.collect::<Result<_, _>>()?;
            Ok(())
        },
        write: |config| {
            let names = config.ui.overlays.iter();
            let names = names.map(|&overlay| name_of(overlay, &OverlayName::NAMES));
            Value::Array(names.collect::<Array>())
        },
    },
    Key {
        section: "ui",
        name: "try_first",
        comment: "in Review, find a better move before the answer is shown",
        read: |value, config| {
            config.ui.try_first = truth(value)?;
            Ok(())
        },
        write: |config| config.ui.try_first.into(),
    },
    Key {
        section: "ui",
        name: "welcomed",
        comment: "whether the welcome was shown",
        read: |value, config| {
            config.ui.welcomed = truth(value)?;
            Ok(())
        },
        write: |config| config.ui.welcomed.into(),
    },
    Key {
        section: "api",
        name: "bind",
        comment: "the loopback interface, and nothing else",
        read: |value, _| match text(value)?.parse::<std::net::IpAddr>() {
            Ok(address) if address.is_loopback() => Ok(()),
            _ => Err("expected the loopback address 127.0.0.1".to_owned()),
        },
        write: |_| "127.0.0.1".into(),
    },
    Key {
        section: "api",
        name: "port",
        comment: "0 is any free one",
        read: |value, config| {
            config.api.port = whole(value, 0, 65_535)? as u16;
            Ok(())
        },
        write: |config| i64::from(config.api.port).into(),
    },
    Key {
        section: "api",
        name: "token",
        comment: "empty is a new one at each start",
        read: |value, config| {
            let token = text(value)?;
            let is_fit = token.is_empty()
                || (token.len() >= 16 && token.bytes().all(|b| b.is_ascii_alphanumeric()));
            if !is_fit {
                return Err("expected at least 16 letters and digits, or nothing".to_owned());
            }
            token.clone_into(&mut config.api.token);
            Ok(())
        },
        write: |config| config.api.token.as_str().into(),
    },
    Key {
        section: "api",
        name: "rate_limit_rps",
        comment: "requests a second from programs with the token",
        read: |value, config| {
            config.api.rate_limit_rps = whole(value, 1, 100_000)?;
            Ok(())
        },
        write: |config| i64::from(config.api.rate_limit_rps).into(),
    },
    Key {
        section: "log",
        name: "level",
        comment: "error, warn, info, debug or trace",
        read: |value, config| {
            one_of(value, &LOG_LEVELS)?.clone_into(&mut config.log.level);
            Ok(())
        },
        write: |config| config.log.level.as_str().into(),
    },
    Key {
        section: "log",
        name: "keep_days",
        comment: "days of logs that are kept",
        read: |value, config| {
            config.log.keep_days = whole(value, 1, 3_650)?;
            Ok(())
        },
        write: |config| i64::from(config.log.keep_days).into(),
    },
    Key {
        section: "network",
        name: "enabled",
        comment: "whether engines, lists of engines and games may be fetched, when you ask for it",
        read: |value, config| {
            config.network.enabled = truth(value)?;
            Ok(())
        },
        write: |config| config.network.enabled.into(),
    },
    Key {
        section: "network",
        name: "lichess_url",
        comment: "where games of Lichess are; https, or this computer",
        read: |value, config| {
            config.network.addresses.lichess = address(value)?;
            Ok(())
        },
        write: |config| config.network.addresses.lichess.as_str().into(),
    },
    Key {
        section: "network",
        name: "chesscom_url",
        comment: "where games of Chess.com are; https, or this computer",
        read: |value, config| {
            config.network.addresses.chesscom = address(value)?;
            Ok(())
        },
        write: |config| config.network.addresses.chesscom.as_str().into(),
    },
];
