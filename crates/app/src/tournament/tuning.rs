//! Tuning on the disk: settings, a log with a line for each finished step, and its playing.
//!
//! A tuning is a folder, as a tournament is. Its state follows from its settings and the results in
//! the log, so that it goes on where it was after anything.

use super::{
    EngineSettings, OpeningSettings, Settings, SettingsError, TournamentError, entrant,
    openings::openings_of,
    worker::{conditions, play_game},
};
use crate::{
    Disk, Home,
    engines::{Game, Setting},
    input::SETTINGS_MAX,
    matches::{AtBoard, Contender},
};
use arena::{
    process::Now,
    referee::World,
    tournament::{Pairing, opening_of},
    tuning::{Parameter, Schedule, Trial, Tuning},
};
use engine::checksum::checksum;
use othello::sample::SplitMix64;
use serde::{Deserialize, Serialize};
use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
};

/// What a tuning is asked to be: its file, in TOML.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuningSettings {
    #[serde(default = "unnamed")]
    pub name: String,
    pub game: Game,
    pub steps: u64,
    /// Pairs of games in a step.
    #[serde(default = "one")]
    pub pairs: u32,
    /// How fast results are followed.
    #[serde(default = "usual_rate")]
    pub rate: f64,
    #[serde(default)]
    pub seed: u64,
    /// Pairs at the same time, of one step.
    #[serde(default = "one")]
    pub concurrency: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningSettings>,
    pub engine: EngineSettings,
    #[serde(rename = "parameter")]
    pub parameters: Vec<ParameterSettings>,
}

/// A number to be tuned: an option of the engine, or a constant of our own search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterSettings {
    pub name: String,
    pub start: f64,
    pub min: f64,
    pub max: f64,
    /// How far it is moved at the last step: as much as makes a difference of a few Elo.
    pub step: f64,
    /// Whether it can have fractions; UCI's numbers are whole.
    #[serde(default)]
    pub fractions: bool,
}

fn unnamed() -> String {
    "Tuning".to_owned()
}
const fn one() -> u32 {
    1
}
const fn usual_rate() -> f64 {
    0.05
}

impl TuningSettings {
    /// Reads a file of settings and checks it.
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        let read: Result<Self, toml::de::Error> = toml::from_str(text);
        let settings = read.map_err(|error| SettingsError::Toml(error.to_string()))?;
        settings.state()?;
        settings.trial_settings(None)?.check()?;
        Ok(settings)
    }

    /// A tuning of which nothing was played.
    fn state(&self) -> Result<Tuning, SettingsError> {
        let parameters = self.parameters.iter().map(|it| Parameter {
            name: it.name.clone(),
            start: it.start,
            min: it.min,
            max: it.max,
            step: it.step,
            is_whole: !it.fractions,
        });
        let schedule = Schedule {
            steps: self.steps,
            rate: self.rate,
            seed: self.seed,
        };
        let made = Tuning::new(parameters.collect(), schedule);
        made.map_err(|error| SettingsError::Wrong(error.to_string()))
    }

    /// The two sides of a trial as engines of a tournament.
    fn trial_settings(&self, trial: Option<&Trial>) -> Result<Settings, SettingsError> {
        let mut settings = Settings::new(&self.name, self.game);
        settings.time.clone_from(&self.time);
        settings.openings.clone_from(&self.openings);
        settings.seed = self.seed;
        settings.concurrency = self.concurrency.max(1);
        let state = self.state()?;
        let start = state.values();
        let values = trial.map_or([start, start], |it| [&it.plus[..], &it.minus[..]]);
        for (name, values) in ["plus", "minus"].into_iter().zip(values) {
            let mut engine = self.engine.clone();
            name.clone_into(&mut engine.name);
            for (parameter, value) in self.parameters.iter().zip(values) {
                let text = if parameter.fractions {
                    format!("{value:.6}")
                } else {
                    format!("{value:.0}")
                };
                engine.options.insert(parameter.name.clone(), Setting(text));
            }
            settings.engines.push(engine);
        }
        Ok(settings.with_absolute_paths())
    }
}

/// A tuning on the disk.
#[derive(Debug, Clone)]
pub struct KeptTuning {
    /// Its number among the tunings of a home.
    pub id: u64,
    pub settings: TuningSettings,
    folder: PathBuf,
    disk: Disk,
}

/// A tuning as it stands, with how every parameter went: its value after each step, thinned.
#[derive(Debug, Clone)]
pub struct TuningReport {
    pub state: Tuning,
    pub steps: u64,
    pub curve: Vec<(u64, Vec<f64>)>,
}

/// Points of a curve.
const CURVE_POINTS: u64 = 400;

const SETTINGS_FILE: &str = "tuning.toml";
const LOG_FILE: &str = "steps.log";

fn file_error(path: &Path) -> impl Fn(std::io::Error) -> TournamentError {
    let path = path.to_owned();
    move |source| TournamentError::File {
        path: path.clone(),
        source,
    }
}

impl KeptTuning {
    fn folder_of(home: &Home) -> PathBuf {
        home.path().join("tunings")
    }

    /// Makes the folder of a new tuning, if its engine and openings are there.
    pub fn create(home: &Home, mut settings: TuningSettings) -> Result<Self, TournamentError> {
        let trial = settings.trial_settings(None)?;
        trial.check()?;
        let no_clock: Now = Arc::new(|| 0);
        entrant::contenders(&trial, home, &no_clock)?;
        openings_of(&trial)?;
        // Paths must not depend on the folder in which the program was started.
        settings.openings.clone_from(&trial.openings);
        let absolute = &trial.engines[0];
        settings.engine.command.clone_from(&absolute.command);
        settings.engine.folder.clone_from(&absolute.folder);
        settings.engine.weights.clone_from(&absolute.weights);
        let all = Self::folder_of(home);
        let disk = home.disk().clone();
        disk.make_folder(&all).map_err(file_error(&all))?;
        let id = super::ids(&disk, &all).last().map_or(1, |last| last + 1);
        let folder = all.join(id.to_string());
        disk.make_folder(&folder).map_err(file_error(&folder))?;
        let file = folder.join(SETTINGS_FILE);
        let text = toml::to_string(&settings);
        let text = text.map_err(|error| SettingsError::Toml(error.to_string()))?;
        let written = disk.replace(&file, text.as_bytes());
        written.map_err(file_error(&file))?;
        Ok(Self {
            id,
            settings,
            folder,
            disk,
        })
    }

    /// A tuning by its number, or the latest one.
    pub fn open(home: &Home, id: Option<u64>) -> Result<Self, TournamentError> {
        let all = Self::folder_of(home);
        let disk = home.disk().clone();
        let known = super::ids(&disk, &all);
        let found = match id {
            Some(id) => known.contains(&id).then_some(id),
            None => known.last().copied(),
        };
        let id = found.ok_or_else(|| TournamentError::NoTuning {
            wanted: id.map_or_else(|| "yet".to_owned(), |id| id.to_string()),
        })?;
        let folder = all.join(id.to_string());
        let path = folder.join(SETTINGS_FILE);
        let bytes = disk.read(&path, SETTINGS_MAX).map_err(file_error(&path))?;
        let settings = TuningSettings::parse(&String::from_utf8_lossy(&bytes))
            .map_err(|source| TournamentError::Settings { path, source })?;
        Ok(Self {
            id,
            settings,
            folder,
            disk,
        })
    }

    /// All tunings of a home that can be read, the oldest first.
    pub fn all(home: &Home) -> Vec<Self> {
        let known = super::ids(home.disk(), &Self::folder_of(home));
        let open = |id| Self::open(home, Some(id)).ok();
        known.into_iter().filter_map(open).collect()
    }

    /// Whether some program plays it just now.
    pub fn is_claimed(&self) -> bool {
        super::is_claimed(&self.folder)
    }

    /// The tuning as its log says, and the length of what is good of it.
    fn replay(&self) -> Result<(TuningReport, u64), TournamentError> {
        let path = self.folder.join(LOG_FILE);
        let mut state = self.settings.state()?;
        let every = self.settings.steps.div_ceil(CURVE_POINTS).max(1);
        let mut curve = vec![(0, state.values().to_vec())];
        let mut good = 0;
        if self.disk.exists(&path).map_err(file_error(&path))? {
            let bytes = self.disk.read(&path, LOG_MAX).map_err(file_error(&path))?;
            for line in bytes.split_inclusive(|byte| *byte == b'\n') {
                let Some(result) = result_of(line, state.done()) else {
                    break;
                };
                good += line.len() as u64;
                state.record(result);
                if state.done().is_multiple_of(every) || state.trial().is_none() {
                    curve.push((state.done(), state.values().to_vec()));
                }
            }
        }
        let steps = self.settings.steps;
        Ok((
            TuningReport {
                state,
                steps,
                curve,
            },
            good,
        ))
    }

    /// How it stands, by its log.
    pub fn report(&self) -> Result<TuningReport, TournamentError> {
        Ok(self.replay()?.0)
    }

    /// Plays all steps that are not in the log yet, until `stop` is set: the step under way is then
    /// played again later. `told` hears of every finished step.
    pub fn run(
        &self,
        home: &Home,
        now: &Now,
        stop: &AtomicBool,
        told: &dyn Fn(&Tuning),
    ) -> Result<Tuning, TournamentError> {
        let lock_path = self.folder.join(super::LOCK_FILE);
        let lock = std::fs::File::create(&lock_path).map_err(file_error(&lock_path))?;
        if lock.try_lock().is_err() {
            return Err(TournamentError::BusyTuning(self.id));
        }
        let (report, good) = self.replay()?;
        let mut state = report.state;
        let path = self.folder.join(LOG_FILE);
        let mut log = self.disk.grow(&path).map_err(file_error(&path))?;
        log.truncate(good).map_err(file_error(&path))?;
        drop(log);
        while let Some(trial) = state.trial() {
            let Some(result) = self.play(home, now, stop, &trial)? else {
                break;
            };
            let line = line_of(trial.step, result);
            let kept = self.disk.append(&path, line.as_bytes());
            kept.map_err(file_error(&path))?;
            state.record(result);
            told(&state);
        }
        Ok(state)
    }

    /// Plays a step; `None` if it was stopped. The result is that of the plus side.
    fn play(
        &self,
        home: &Home,
        now: &Now,
        stop: &AtomicBool,
        trial: &Trial,
    ) -> Result<Option<f64>, TournamentError> {
        let settings = self.settings.trial_settings(Some(trial))?;
        let contenders = entrant::contenders(&settings, home, now)?;
        let openings = openings_of(&settings)?;
        let pairs = u64::from(self.settings.pairs.max(1));
        let next = AtomicU64::new(0);
        let (points, failed) = (AtomicU64::new(0), Mutex::new(None));
        let order = settings.order()?;
        thread::scope(|scope| {
            for _ in 0..u64::from(settings.concurrency).min(pairs) {
                scope.spawn(|| {
                    let mut team = match Team::sit_down(&contenders, &settings) {
                        Ok(team) => team,
                        Err(error) => {
                            *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                            return;
                        }
                    };
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        if at >= pairs || stop.load(Ordering::Relaxed) {
                            return;
                        }
                        let number = trial.step * pairs + at;
                        let opening = opening_of(number, openings.len(), order, 0, settings.seed);
                        let opening = openings[opening].record(settings.kind());
                        let Some(won) = team.pair(&settings, number, &opening, &**now, stop) else {
                            return;
                        };
                        points.fetch_add(won, Ordering::Relaxed);
                    }
                });
            }
        });
        if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        // Four half points a pair: from −1 to 1.
        Ok(Some(points.into_inner() as f64 / (2 * pairs) as f64 - 1.0))
    }
}

/// Both sides of a trial at a board.
struct Team {
    seats: Vec<(usize, AtBoard)>,
}

impl Team {
    fn sit_down(contenders: &[Contender], settings: &Settings) -> Result<Self, TournamentError> {
        let mut seats = Vec::new();
        for (player, contender) in contenders.iter().enumerate() {
            let seat = contender.seat().map_err(|source| {
                TournamentError::Entrant(super::EntrantError::Analyst {
                    name: settings.engines[player].name.clone(),
                    source,
                })
            })?;
            seats.push((player, seat));
        }
        Ok(Self { seats })
    }

    /// Plays both games of a pair; gives the half points of the plus side, `None` if stopped.
    fn pair(
        &mut self,
        settings: &Settings,
        number: u64,
        opening: &game::Record,
        now_ms: &(dyn Fn() -> u64 + Sync),
        stop: &AtomicBool,
    ) -> Option<u64> {
        let pairing = Pairing {
            number,
            round: 1,
            players: [0, 1],
            opening: number,
            is_double: true,
        };
        let first_side = settings.kind().first_side();
        let mut points = 0;
        for (at, first) in [first_side, first_side.other()].into_iter().enumerate() {
            for (player, seat) in &mut self.seats {
                let game = number << 2 | (at as u64) << 1 | *player as u64;
                let seed = settings.seed ^ game.rotate_right(16);
                seat.reseed(SplitMix64::new(seed).next_u64());
            }
            let world = World {
                now_ms,
                stop,
                is_wanted: &|| true,
                watch: &|_| {},
            };
            let conditions = conditions(settings, &pairing, first, None)?;
            let seats = std::mem::take(&mut self.seats);
            let (seats, played) = play_game(seats, &pairing, first, opening, &conditions, &world);
            self.seats = seats;
            points += match played?.outcome.winner {
                None => 1,
                Some(winner) if winner == first => 2,
                Some(_) => 0,
            };
        }
        Some(points)
    }
}

/// Longer logs are not read: ten million steps.
const LOG_MAX: u64 = 512 << 20;

/// `sum step result`, with blanks between them.
fn line_of(step: u64, result: f64) -> String {
    let body = format!("{step} {result}");
    format!("{:016x} {body}\n", checksum(body.as_bytes()))
}

/// The result of a line if it is whole and that of this step.
fn result_of(line: &[u8], step: u64) -> Option<f64> {
    let text = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let (sum, body) = text.split_once(' ')?;
    if u64::from_str_radix(sum, 16).ok()? != checksum(body.as_bytes()) {
        return None;
    }
    let (number, result) = body.split_once(' ')?;
    let is_it = number.parse() == Ok(step);
    result.parse().ok().filter(|_| is_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TUNING: &str = r#"
        name = "window"
        game = "othello"
        steps = 3
        seed = 5
        [engine]
        name = "ours"
        nodes = 200
        [[parameter]]
        name = "aspiration"
        start = 50
        min = 1
        max = 400
        step = 20
    "#;

    #[test]
    fn a_tuning_goes_on_where_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(Some(folder.path())).unwrap();
        let now: Now = Arc::new(|| 0);
        let settings = TuningSettings::parse(TUNING).unwrap();
        let whole = KeptTuning::create(&home, settings.clone()).unwrap();
        let finished = whole.run(&home, &now, &AtomicBool::new(false), &|_| {});
        let finished = finished.unwrap();
        assert_eq!(finished.done(), 3);

        // Stopped after the first step, with a torn line behind it.
        let cut = KeptTuning::create(&home, settings).unwrap();
        let stop = AtomicBool::new(false);
        let told = |state: &Tuning| stop.store(state.done() == 1, Ordering::Relaxed);
        assert_eq!(cut.run(&home, &now, &stop, &told).unwrap().done(), 1);
        let log = folder.path().join("tunings/2/steps.log");
        let mut text = std::fs::read_to_string(&log).unwrap();
        text.push_str("0123 1 0.");
        std::fs::write(&log, text).unwrap();
        assert_eq!(cut.report().unwrap().state.done(), 1);
        let resumed = KeptTuning::open(&home, Some(2)).unwrap();
        let resumed = resumed.run(&home, &now, &AtomicBool::new(false), &|_| {});
        assert_eq!(resumed.unwrap(), finished);
        assert_eq!(KeptTuning::all(&home).len(), 2);
    }

    #[test]
    fn mistakes_say_what_would_be_right() {
        let error = |from: &str, to: &str| {
            let text = TUNING.replace(from, to);
            assert_ne!(text, TUNING);
            TuningSettings::parse(&text).unwrap_err().to_string()
        };
        assert!(error("steps = 3", "steps = 0").contains("at least one"));
        assert!(error("max = 400", "max = 1").contains("min < max"));
        assert!(error("step = 20", "stride = 20").contains("stride"));
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(Some(folder.path())).unwrap();
        let text = TUNING.replace("\"aspiration\"", "\"courage\"");
        let made = KeptTuning::create(&home, TuningSettings::parse(&text).unwrap());
        let message = made.unwrap_err().to_string();
        assert!(
            message.contains("courage") && message.contains("aspiration"),
            "{message}"
        );
    }
}
