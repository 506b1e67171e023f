//! Tuning on the disk: settings, a log with a line for each finished step, and its playing.
//!
//! A tuning is a folder, as a tournament is. Its state follows from its settings and the results in
//! the log, so that it goes on where it was after anything.

use super::{
    DrawSettings, EngineSettings, Opening, OpeningSettings, ResignSettings, Settings,
    SettingsError, TournamentError, entrant,
    entrant::Loaded,
    file_error,
    openings::{openings_of, sequence_of},
    worker::{conditions, play_game},
};
use crate::{
    Disk, Home,
    engines::{Game, Setting},
    input::SETTINGS_MAX,
    matches::{AtBoard, Contender, ForeignContender},
};
use arena::{
    process::{Engine, Language, Now},
    referee::World,
    tournament::{Pairing, Sequence},
    tuning::{Parameter, Schedule, Trial, Tuning},
};
use engine::checksum::checksum;
use othello::sample::SplitMix64;
use serde::{Deserialize, Serialize};
use std::{
    path::PathBuf,
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
    /// How much later than its flag a move may come.
    #[serde(default)]
    pub margin_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningSettings>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignSettings>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawSettings>,
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

impl ParameterSettings {
    /// A value as the engine is told it.
    fn text(&self, value: f64) -> String {
        if self.fractions {
            format!("{value:.6}")
        } else {
            format!("{value:.0}")
        }
    }
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

    /// Whether the engine has all parameters as options, over their whole range.
    fn check_options(
        &self,
        foreign: &ForeignContender,
        trial: &Settings,
    ) -> Result<(), TournamentError> {
        let wrong = |problem: String| {
            TournamentError::Entrant(super::EntrantError::Wrong {
                name: self.engine.name.clone(),
                problem,
            })
        };
        if foreign.setup.language != Language::Uci {
            let language = foreign.setup.language;
            return Err(wrong(format!(
                "{language} has no options that can be tuned"
            )));
        }
        let mut engine = Engine::new(foreign.setup.clone(), Arc::clone(&foreign.now));
        let started = engine.start();
        started.map_err(|trouble| wrong(format!("it {trouble}")))?;
        let identity = engine.identity();
        for parameter in &self.parameters {
            let Some(option) = identity.option(&parameter.name) else {
                let known: Vec<&str> = identity.options.iter().map(|it| &*it.name).collect();
                return Err(wrong(format!(
                    "it has no option {:?}; it has {}",
                    parameter.name,
                    known.join(", ")
                )));
            };
            for value in [parameter.min, parameter.max] {
                let accepted = option.accept(&parameter.text(value));
                accepted.map_err(|error| wrong(error.to_string()))?;
            }
        }
        let problems = entrant::option_problems(trial, 0, engine.ready());
        match problems.into_iter().next() {
            Some(problem) => Err(wrong(problem)),
            None => Ok(()),
        }
    }

    /// The two sides of a trial as engines of a tournament.
    fn trial_settings(&self, trial: Option<&Trial>) -> Result<Settings, SettingsError> {
        let mut settings = Settings::new(&self.name, self.game);
        settings.time.clone_from(&self.time);
        settings.openings.clone_from(&self.openings);
        settings.margin_ms = self.margin_ms;
        settings.max_moves = self.max_moves;
        settings.resign = self.resign;
        settings.draw = self.draw;
        settings.seed = self.seed;
        settings.concurrency = self.concurrency.max(1);
        let state = self.state()?;
        let start = state.values();
        let values = trial.map_or([start, start], |it| [&it.plus[..], &it.minus[..]]);
        for (name, values) in ["plus", "minus"].into_iter().zip(values) {
            let mut engine = self.engine.clone();
            name.clone_into(&mut engine.name);
            for (parameter, value) in self.parameters.iter().zip(values) {
                let text = parameter.text(*value);
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

impl KeptTuning {
    fn folder_of(home: &Home) -> PathBuf {
        home.path().join("tunings")
    }

    /// Makes the folder of a new tuning, if its engine and openings are there.
    ///
    /// A foreign engine is started, to hear whether it has the options that are to be tuned: without
    /// them both sides would be the same.
    pub fn create(
        home: &Home,
        mut settings: TuningSettings,
        now: &Now,
    ) -> Result<Self, TournamentError> {
        let trial = settings.trial_settings(None)?;
        trial.check_new()?;
        let contenders = entrant::contenders(&trial, home, now)?;
        let openings = openings_of(&trial)?;
        entrant::check_openings(&trial, &contenders, &openings)?;
        if let Some(Contender::Foreign(foreign)) = contenders.first() {
            settings.check_options(foreign, &trial)?;
        }
        // Paths must not depend on the folder in which the program was started.
        settings.openings.clone_from(&trial.openings);
        let absolute = &trial.engines[0];
        settings.engine.command.clone_from(&absolute.command);
        settings.engine.folder.clone_from(&absolute.folder);
        settings.engine.weights.clone_from(&absolute.weights);
        let disk = home.disk().clone();
        let (id, folder) = super::make_numbered(&disk, &Self::folder_of(home))?;
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
        let known = super::ids(&disk, &all, SETTINGS_FILE);
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
        let known = super::ids(home.disk(), &Self::folder_of(home), SETTINGS_FILE);
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
        if !super::claim(&lock) {
            return Err(TournamentError::BusyTuning(self.id));
        }
        let (report, good) = self.replay()?;
        let mut state = report.state;
        let path = self.folder.join(LOG_FILE);
        // Every step follows from those before, so that nothing counts behind a damaged line.
        super::log::cut(&self.disk, &path, good).map_err(file_error(&path))?;
        let mut table = Table::new(&self.settings)?;
        while let Some(trial) = state.trial() {
            let Some(result) = self.play(home, now, stop, &trial, &mut table)? else {
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
        table: &mut Table,
    ) -> Result<Option<f64>, TournamentError> {
        let settings = self.settings.trial_settings(Some(trial))?;
        let contenders = entrant::contenders_with(&settings, home, now, &mut table.loaded)?;
        let pairs = u64::from(self.settings.pairs.max(1));
        let n_teams = u64::from(settings.concurrency).min(pairs) as usize;
        table.sit_down(n_teams, &contenders, &settings)?;
        let next = AtomicU64::new(0);
        let (points, failed) = (AtomicU64::new(0), Mutex::new(None));
        let (openings, sequence) = (&table.openings, &table.sequence);
        let play = |team: &mut Team| {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= pairs || stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let number = trial.step * pairs + at;
                let opening = openings[sequence.at(number)].record(settings.kind());
                match team.pair(&settings, number, &opening, &**now, stop)? {
                    Some(won) => points.fetch_add(won, Ordering::Relaxed),
                    None => return Ok(()),
                };
            }
        };
        thread::scope(|scope| {
            for team in &mut table.teams {
                scope.spawn(|| {
                    if let Err(detail) = play(team) {
                        *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(detail);
                    }
                });
            }
        });
        if let Some(detail) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let step = trial.step + 1;
            return Err(TournamentError::FaultyTuning { step, detail });
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        // Four half points a pair: from −1 to 1.
        Ok(Some(points.into_inner() as f64 / (2 * pairs) as f64 - 1.0))
    }
}

/// What the steps of a tuning share: nothing is read, and no program started, for each of them anew.
struct Table {
    openings: Vec<Opening>,
    sequence: Sequence,
    loaded: Loaded,
    teams: Vec<Team>,
}

impl Table {
    fn new(settings: &TuningSettings) -> Result<Self, TournamentError> {
        let settings = settings.trial_settings(None)?;
        let openings = openings_of(&settings)?;
        Ok(Self {
            sequence: sequence_of(&settings, openings.len())?,
            openings,
            loaded: Loaded::default(),
            teams: Vec::new(),
        })
    }

    /// Has everybody play with the values of a trial.
    fn sit_down(
        &mut self,
        n_teams: usize,
        contenders: &[Contender],
        settings: &Settings,
    ) -> Result<(), TournamentError> {
        for team in &mut self.teams {
            team.change(contenders, settings)?;
        }
        while self.teams.len() < n_teams {
            self.teams.push(Team::sit_down(contenders, settings)?);
        }
        Ok(())
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

    /// Gives both sides the values of another trial. Programs run on; one that fails here is started
    /// with them.
    fn change(
        &mut self,
        contenders: &[Contender],
        settings: &Settings,
    ) -> Result<(), TournamentError> {
        let is_foreign = |it: &Contender| matches!(it, Contender::Foreign(_));
        if !contenders.iter().all(is_foreign) {
            *self = Self::sit_down(contenders, settings)?;
            return Ok(());
        }
        for (player, seat) in &mut self.seats {
            if let (AtBoard::Foreign(foreign), Contender::Foreign(contender)) =
                (seat, &contenders[*player])
            {
                let options = contender.setup.options.clone();
                foreign.engine_mut().set_options(options).ok();
            }
        }
        Ok(())
    }

    /// Plays both games of a pair; gives the half points of the plus side, `None` if stopped. One
    /// fault is a game lost, which a bad setting may deserve. Where both games end by a fault the
    /// engine does not work, and nothing can be learned: the words say how.
    fn pair(
        &mut self,
        settings: &Settings,
        number: u64,
        opening: &game::Record,
        now_ms: &(dyn Fn() -> u64 + Sync),
        stop: &AtomicBool,
    ) -> Result<Option<u64>, String> {
        let pairing = Pairing {
            number,
            round: 1,
            players: [0, 1],
            opening: number,
            is_double: true,
        };
        let first_side = settings.kind().first_side();
        let (mut points, mut n_faults) = (0, 0);
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
                wants_thoughts: &|| false,
            };
            let Some(conditions) = conditions(settings, &pairing, first, None) else {
                return Ok(None);
            };
            let seats = std::mem::take(&mut self.seats);
            let (seats, played) = play_game(seats, &pairing, first, opening, &conditions, &world);
            self.seats = seats;
            let Some(played) = played else {
                return Ok(None);
            };
            n_faults += u32::from(played.reason.is_fault());
            if let (2, Some((_, failure))) = (n_faults, &played.failure) {
                return Err(failure.to_string());
            }
            points += match played.outcome.winner {
                None => 1,
                Some(winner) if winner == first => 2,
                Some(_) => 0,
            };
        }
        Ok(Some(points))
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
        let whole = KeptTuning::create(&home, settings.clone(), &now).unwrap();
        let finished = whole.run(&home, &now, &AtomicBool::new(false), &|_| {});
        let finished = finished.unwrap();
        assert_eq!(finished.done(), 3);

        // Stopped after the first step, with a torn line behind it.
        let cut = KeptTuning::create(&home, settings, &now).unwrap();
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
        let aside = folder.path().join("tunings/2/steps.log.damaged");
        assert!(!aside.exists(), "a torn line is nothing");

        // A damaged line costs the steps behind it, which are kept all the same.
        let text = std::fs::read_to_string(&log).unwrap();
        let (first, rest) = text.split_once('\n').unwrap();
        let damaged = rest.replacen(' ', "_", 1);
        std::fs::write(&log, format!("{first}\n{damaged}")).unwrap();
        let again = cut.run(&home, &now, &AtomicBool::new(false), &|_| {});
        assert_eq!(again.unwrap(), finished);
        assert_eq!(std::fs::read_to_string(aside).unwrap(), damaged);
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
        let now: Now = Arc::new(|| 0);
        let text = TUNING.replace("\"aspiration\"", "\"courage\"");
        let made = KeptTuning::create(&home, TuningSettings::parse(&text).unwrap(), &now);
        let message = made.unwrap_err().to_string();
        assert!(
            message.contains("courage") && message.contains("aspiration"),
            "{message}"
        );
    }
}
