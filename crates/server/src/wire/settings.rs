//! Settings, levels, and what this program is.

use super::{People, TimeControlWish};
use super::{people, people_of};
use crate::wire;
use app::{
    BookChoice, Config, EvaluatorChoice, Kind, Origin, Profile, config,
    desk::{self, DeskError},
    ladder, level_description, level_title,
    selftest::Check,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

/// Colours of the whole page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    /// What the system prefers.
    System,
    Dark,
    Light,
    HighContrast,
}

/// What can be laid over the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum OverlayName {
    /// How many moves a move leaves.
    Mobility,
    /// Odd and even regions.
    Parity,
    Stability,
    /// Moves that open or close a corner.
    Corners,
    /// Discs next to empty squares.
    Frontier,
}

/// How the page looks and works.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct UiSettings {
    pub theme: Theme,
    /// No animations, whatever the system says.
    pub reduced_motion: bool,
    /// Whether Review asks for a better move before it shows one.
    pub try_first: bool,
    /// Which overlays the rail offers.
    pub overlays: Vec<OverlayName>,
    /// Letters by what they do, such as `hint` → `h`; only those that were changed.
    pub keys: BTreeMap<String, String>,
}

/// The evaluations that the engine can search with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Evaluator {
    Pattern,
    /// Six features that players count by hand.
    Classic,
}

/// The ways of searching that the engine offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum EngineName {
    /// Alpha-beta with an exact endgame solver.
    AlphaBeta,
    /// Monte Carlo tree search.
    Mcts,
}

/// How readily late moves are searched less deep at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum LateMoves {
    Conservative,
    Normal,
    Aggressive,
}

/// Which opening book: the shipped one (`true`), none (`false`), or a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum Book {
    Switch(bool),
    /// Its path, from the home folder if not from the root.
    File(String),
}

/// How the engine works.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EngineSettings {
    /// The table of a search, in megabytes.
    pub tt_mb: u32,
    /// Search threads; 0 is one for each core but one.
    pub threads: u32,
    /// With so many empty squares or fewer, analyses are exact.
    pub endgame_exact_empties: u32,
    /// What searches for levels and analyses.
    pub engine: EngineName,
    pub evaluator: Evaluator,
    /// A file of weights, from the home folder if not from the root; empty is the shipped ones.
    pub weights: String,
    /// Half of the first window of a search, in centidiscs.
    pub aspiration_cp: u32,
    pub lmr: LateMoves,
    pub book: Book,
    /// A Polyglot book that the explorer shows for chess; empty is none.
    pub chess_book: String,
}

/// What a new game is like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PlaySettings {
    pub level: String,
    /// Which side a person plays.
    pub people: People,
    /// The clock; `null` is none.
    pub time_control: Option<TimeControlWish>,
    /// Whether values are shown from the start.
    pub show_values: bool,
    /// Whether a move that costs much is asked about, after the reply.
    pub blunder_alert: bool,
    /// Whether it is asked about before it stands.
    pub ask_before: bool,
}

/// What the configuration file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    pub ui: UiSettings,
    pub engine: EngineSettings,
    pub play: PlaySettings,
    /// Whether this is the first start: nobody has played here yet.
    pub is_first_launch: bool,
    /// What is odd about the configuration file, in sentences.
    pub warnings: Vec<String>,
}

/// Changes to the page's settings.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct UiSettingsChange {
    pub theme: Option<Theme>,
    pub reduced_motion: Option<bool>,
    /// Whether Review asks for a better move before it shows one.
    pub try_first: Option<bool>,
    /// Which overlays the rail offers.
    pub overlays: Option<Vec<OverlayName>>,
    pub keys: Option<BTreeMap<String, String>>,
}

/// Changes to the engine's settings.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct EngineSettingsChange {
    /// Megabytes, 1 to 65536.
    pub tt_mb: Option<u32>,
    pub threads: Option<u32>,
    pub endgame_exact_empties: Option<u32>,
    /// What searches for levels and analyses.
    pub engine: Option<EngineName>,
    /// What values positions. Weights of the other evaluator do not fit: change both together.
    pub evaluator: Option<Evaluator>,
    /// A file of weights; it is read before anything is changed, and refused if it does not fit.
    pub weights: Option<String>,
    pub aspiration_cp: Option<u32>,
    pub lmr: Option<LateMoves>,
    /// A file is read before anything is changed, and refused if it has nothing to play.
    pub book: Option<Book>,
    /// A Polyglot book; it is opened before anything is changed, and refused if it is none.
    pub chess_book: Option<String>,
}

/// Changes to what a new game is like.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct PlaySettingsChange {
    pub level: Option<String>,
    /// Which side a person plays.
    pub people: Option<People>,
    /// The clock; 0 and 0 is none.
    pub time_control: Option<TimeControlWish>,
    /// Whether values are shown from the start.
    pub show_values: Option<bool>,
    /// Whether a move that costs much is asked about, after the reply.
    pub blunder_alert: Option<bool>,
    /// Whether it is asked about before it stands.
    pub ask_before: Option<bool>,
}

/// Changes to the settings; what is left out stays.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct SettingsChange {
    pub ui: Option<UiSettingsChange>,
    pub engine: Option<EngineSettingsChange>,
    pub play: Option<PlaySettingsChange>,
    /// Somebody has seen the welcome: this is not the first launch any more.
    pub welcomed: Option<bool>,
}

/// A level of play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Level {
    /// Such as `elo_1400`.
    pub name: String,
    /// Which list it belongs to.
    pub kind: LevelKind,
    /// What to show for it.
    pub title: String,
    /// A sentence about how it plays and what makes it weak.
    pub description: String,
    /// What it is worth; `null` if that was not measured.
    pub worth: Option<Worth>,
    /// Plies that it looks ahead.
    pub depth: Option<u32>,
    /// Milliseconds that it takes at most.
    pub time_ms: u64,
    /// Whether it is the one for new games.
    pub is_default: bool,
}

/// The lists of levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum LevelKind {
    /// Somebody to play against, with the weaknesses of people.
    Opponent,
    /// A fixed depth with noise and blunders.
    Fixed,
    /// One idea and no search.
    Bot,
}

/// A strength with the games that it was measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Worth {
    /// Elo above a player who moves at random.
    pub rating: i32,
    /// The ends of the 95 % confidence interval.
    pub low: i32,
    pub high: i32,
    pub games: u64,
}

/// What is known of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct You {
    /// By the latest games against levels; `null` if there are too few.
    pub worth: Option<Worth>,
}

/// What this program is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct About {
    /// `Kibitz`.
    pub name: String,
    pub version: String,
    /// `GPL-3.0-or-later`.
    pub license: String,
    /// Where it keeps its files.
    pub home: String,
    /// What values positions now.
    pub weights: WeightsInUse,
}

/// The weights in use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WeightsInUse {
    /// As reports name them: `pattern:shipped`, or `classic:mine.json#0123abcd`.
    pub name: String,
    /// What they are for.
    pub evaluator: Evaluator,
    /// Their file; `null` for those that the program comes with.
    pub file: Option<String>,
    /// Eight digits that tell the file's contents from others'.
    pub checksum: Option<String>,
}

/// One thing that the self-test tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SelfTestCheck {
    /// `rules`, `solver`, `weights` or `disk`.
    pub name: String,
    /// Whether it went well.
    pub ok: bool,
    /// What was found, or what is wrong and what to do about it.
    pub text: String,
}

/// Whether the program works on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SelfTest {
    /// Whether everything went well.
    pub ok: bool,
    pub checks: Vec<SelfTestCheck>,
}

/// Whether the server answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    pub ok: bool,
}

const THEMES: [(wire::Theme, config::Theme); 4] = [
    (wire::Theme::System, config::Theme::System),
    (wire::Theme::Dark, config::Theme::Dark),
    (wire::Theme::Light, config::Theme::Light),
    (wire::Theme::HighContrast, config::Theme::HighContrast),
];

const OVERLAYS: [(wire::OverlayName, config::OverlayName); 5] = [
    (wire::OverlayName::Mobility, config::OverlayName::Mobility),
    (wire::OverlayName::Parity, config::OverlayName::Parity),
    (wire::OverlayName::Stability, config::OverlayName::Stability),
    (wire::OverlayName::Corners, config::OverlayName::Corners),
    (wire::OverlayName::Frontier, config::OverlayName::Frontier),
];

const ENGINES: [(wire::EngineName, config::EngineName); 2] = [
    (wire::EngineName::AlphaBeta, config::EngineName::AlphaBeta),
    (wire::EngineName::Mcts, config::EngineName::Mcts),
];

const EVALUATORS: [(wire::Evaluator, EvaluatorChoice); 2] = [
    (wire::Evaluator::Pattern, EvaluatorChoice::Pattern),
    (wire::Evaluator::Classic, EvaluatorChoice::Classic),
];

const LATE_MOVES: [(wire::LateMoves, app::LateMoves); 3] = [
    (wire::LateMoves::Conservative, app::LateMoves::Conservative),
    (wire::LateMoves::Normal, app::LateMoves::Normal),
    (wire::LateMoves::Aggressive, app::LateMoves::Aggressive),
];

/// The wire's name of a value; the tables have all of them.
fn shown<W: Copy, D: PartialEq>(value: &D, table: &[(W, D)]) -> Option<W> {
    table
        .iter()
        .find(|(_, known)| known == value)
        .map(|it| it.0)
}

fn meant<W: PartialEq, D: Copy>(value: &W, table: &[(W, D)]) -> Option<D> {
    table
        .iter()
        .find(|(known, _)| known == value)
        .map(|it| it.1)
}

pub(crate) fn settings(view: &desk::SettingsView) -> wire::Settings {
    let Config {
        ui,
        engine,
        evaluation,
        book,
        chess_book,
        play,
        ..
    } = &view.config;
    wire::Settings {
        ui: wire::UiSettings {
            theme: shown(&ui.theme, &THEMES).unwrap_or(wire::Theme::System),
            reduced_motion: ui.reduced_motion,
            try_first: ui.try_first,
            overlays: ui
                .overlays
                .iter()
                .filter_map(|it| shown(it, &OVERLAYS))
                .collect(),
            keys: ui.keys.clone(),
        },
        engine: wire::EngineSettings {
            tt_mb: engine.tt_mb,
            threads: engine.threads,
            endgame_exact_empties: engine.endgame_exact_empties,
            engine: engine_name(engine.engine),
            evaluator: evaluator(evaluation.evaluator),
            weights: evaluation.weights.clone(),
            aspiration_cp: engine.aspiration_cp,
            lmr: shown(&engine.lmr, &LATE_MOVES).unwrap_or(wire::LateMoves::Normal),
            book: match book {
                BookChoice::Shipped => wire::Book::Switch(true),
                BookChoice::Off => wire::Book::Switch(false),
                BookChoice::File(path) => wire::Book::File(path.clone()),
            },
            chess_book: chess_book.clone(),
        },
        play: wire::PlaySettings {
            level: view.config.opponent().name.to_owned(),
            people: people(play.people),
            time_control: ((play.initial_ms, play.increment_ms) != (0, 0)).then_some(
                wire::TimeControlWish {
                    initial_ms: play.initial_ms,
                    increment_ms: play.increment_ms,
                },
            ),
            show_values: play.show_values,
            blunder_alert: play.blunder_alert,
            ask_before: play.ask_before,
        },
        is_first_launch: !ui.welcomed,
        warnings: view.warnings.clone(),
    }
}

/// Puts the wished changes into a configuration.
pub(crate) fn apply(change: wire::SettingsChange, config: &mut Config) -> Result<(), DeskError> {
    if let Some(ui) = change.ui {
        if let Some(theme) = ui.theme.and_then(|theme| meant(&theme, &THEMES)) {
            config.ui.theme = theme;
        }
        if let Some(reduced_motion) = ui.reduced_motion {
            config.ui.reduced_motion = reduced_motion;
        }
        if let Some(try_first) = ui.try_first {
            config.ui.try_first = try_first;
        }
        if let Some(overlays) = ui.overlays {
            let overlays = overlays.iter().filter_map(|it| meant(it, &OVERLAYS));
            config.ui.overlays = overlays.collect();
        }
        if let Some(keys) = ui.keys {
            config.ui.keys = keys;
        }
    }
    if let Some(engine) = change.engine {
        apply_search(&engine, config);
        if let Some(tt_mb) = engine.tt_mb {
            config.engine.tt_mb = tt_mb;
        }
        if let Some(threads) = engine.threads {
            config.engine.threads = threads;
        }
        if let Some(empties) = engine.endgame_exact_empties {
            config.engine.endgame_exact_empties = empties;
        }
    }
    if let Some(play) = change.play {
        if let Some(level) = play.level {
            config.choose_level(level.parse::<Profile>()?);
        }
        if let Some(people) = play.people {
            config.play.people = people_of(people);
        }
        if let Some(clock) = play.time_control {
            (config.play.initial_ms, config.play.increment_ms) =
                (clock.initial_ms, clock.increment_ms);
        }
        if let Some(show_values) = play.show_values {
            config.play.show_values = show_values;
        }
        if let Some(blunder_alert) = play.blunder_alert {
            config.play.blunder_alert = blunder_alert;
        }
        if let Some(ask_before) = play.ask_before {
            config.play.ask_before = ask_before;
        }
    }
    match change.welcomed {
        Some(true) => config.welcome(),
        Some(false) => config.ui.welcomed = false,
        None => {}
    }
    Ok(())
}

/// What searches and what values, and how.
fn apply_search(change: &wire::EngineSettingsChange, config: &mut Config) {
    if let Some(engine) = change.engine.and_then(|it| meant(&it, &ENGINES)) {
        config.engine.engine = engine;
    }
    if let Some(evaluator) = change.evaluator.and_then(|it| meant(&it, &EVALUATORS)) {
        config.evaluation.evaluator = evaluator;
    }
    if let Some(weights) = &change.weights {
        weights.trim().clone_into(&mut config.evaluation.weights);
    }
    if let Some(aspiration_cp) = change.aspiration_cp {
        config.engine.aspiration_cp = aspiration_cp;
    }
    if let Some(lmr) = change.lmr.and_then(|it| meant(&it, &LATE_MOVES)) {
        config.engine.lmr = lmr;
    }
    if let Some(chess_book) = &change.chess_book {
        chess_book.trim().clone_into(&mut config.chess_book);
    }
    match &change.book {
        None => {}
        Some(wire::Book::Switch(true)) => config.book = BookChoice::Shipped,
        Some(wire::Book::Switch(false)) => config.book = BookChoice::Off,
        Some(wire::Book::File(path)) => config.book = BookChoice::File(path.trim().to_owned()),
    }
}

fn evaluator(choice: EvaluatorChoice) -> wire::Evaluator {
    shown(&choice, &EVALUATORS).unwrap_or(wire::Evaluator::Pattern)
}

pub(crate) fn engine_name(name: config::EngineName) -> wire::EngineName {
    shown(&name, &ENGINES).unwrap_or(wire::EngineName::AlphaBeta)
}

pub(crate) fn engine_name_of(name: wire::EngineName) -> Option<config::EngineName> {
    meant(&name, &ENGINES)
}

pub(crate) fn weights(origin: &Origin) -> wire::WeightsInUse {
    let file = origin.file.as_ref();
    wire::WeightsInUse {
        name: origin.to_string(),
        evaluator: evaluator(origin.evaluator),
        file: file.map(|file| file.path.display().to_string()),
        checksum: file.map(|file| file.checksum.clone()),
    }
}

pub(crate) fn self_test(checks: &[Check]) -> wire::SelfTest {
    let check = |check: &Check| wire::SelfTestCheck {
        name: check.name.to_owned(),
        ok: check.is_ok(),
        text: match &check.outcome {
            Ok(text) | Err(text) => text.clone(),
        },
    };
    wire::SelfTest {
        ok: checks.iter().all(Check::is_ok),
        checks: checks.iter().map(check).collect(),
    }
}

pub(crate) const fn worth(worth: ladder::Worth) -> wire::Worth {
    let ladder::Worth {
        rating,
        low,
        high,
        games,
    } = worth;
    wire::Worth {
        rating,
        low,
        high,
        games,
    }
}

pub(crate) fn level(profile: &Profile, default: &Profile) -> wire::Level {
    wire::Level {
        name: profile.name.to_owned(),
        kind: match profile.kind {
            Kind::Opponent => wire::LevelKind::Opponent,
            Kind::Fixed => wire::LevelKind::Fixed,
            Kind::Bot => wire::LevelKind::Bot,
        },
        title: level_title(profile),
        description: level_description(profile),
        worth: ladder::shipped().worth(profile).map(worth),
        depth: profile.depth,
        time_ms: profile.time_ms,
        is_default: profile.name == default.name,
    }
}
