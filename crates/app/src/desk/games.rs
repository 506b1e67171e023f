//! Sessions: beginning, finding, changing, walking about in them.

use super::{Desk, DeskError, Event, NoticeLevel, Shared, Snapshot, State, Summary};
use crate::{
    Mode, People, Profile, Session,
    session::{SessionError, Setup, Step},
};
use game::{Glyph, Move, NodeId, Position, Record, TimeControl};
use othello::notation::{Format, parse_transcript_from};
use std::{
    fs,
    hash::{BuildHasher as _, Hasher as _, RandomState},
    path::PathBuf,
    sync::{Arc, MutexGuard},
};

/// Where a new session begins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Start {
    /// At the usual position.
    #[default]
    Usual,
    /// At a position (64 squares and the side to move; none is the usual one), after some moves.
    Moves {
        /// The position.
        position: Option<String>,
        /// The moves.
        moves: String,
    },
    /// With a game of an import.
    Import {
        /// The import.
        id: String,
        /// Which of its games, counted from 0.
        game: usize,
    },
}

/// A new session; what is left out comes from the settings.
#[derive(Debug, Clone, Default)]
pub struct NewGame {
    /// Play if left out.
    pub mode: Option<Mode>,
    /// A level's name.
    pub level: Option<String>,
    /// Which sides a person plays.
    pub people: Option<People>,
    /// The clock: what is on it, what a move adds.
    pub time_control: Option<(u64, u64)>,
    /// Where it begins.
    pub start: Start,
}

/// Changes to a session.
#[derive(Debug, Clone, Default)]
pub struct Change {
    /// What it is for.
    pub mode: Option<Mode>,
    /// A level's name.
    pub level: Option<String>,
    /// Which sides a person plays.
    pub people: Option<People>,
    /// Show or hide values.
    pub show_values: Option<bool>,
}

/// A game as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// A name for a file.
    pub file_name: String,
    /// The text.
    pub text: String,
}

/// A seed that is another one each time: the standard library's own chance for hash tables.
fn chance() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// A day: longer clocks are mistakes.
const CLOCK_MAX_MS: u64 = 86_400_000;

fn time_control(clock: (u64, u64)) -> Result<TimeControl, DeskError> {
    match clock {
        (0, 0) => Ok(TimeControl::Unlimited),
        (initial_ms, increment_ms)
            if (1_000..=CLOCK_MAX_MS).contains(&initial_ms) && increment_ms <= CLOCK_MAX_MS =>
        {
            Ok(TimeControl::Game {
                initial_ms,
                increment_ms,
                period_moves: None,
            })
        }
        _ => Err(DeskError::Invalid(
            "a clock has from one second to 24 hours for each side".to_owned(),
        )),
    }
}

impl Desk {
    /// Begins a session and makes it the current one.
    pub fn new_game(&self, wish: &NewGame) -> Result<Snapshot, DeskError> {
        let mut state = self.shared.lock();
        state.check_open()?;
        let play = state.config.config().play;
        let mode = wish.mode.unwrap_or(Mode::Play);
        let level = match &wish.level {
            Some(name) => name.parse::<Profile>()?,
            None => play.level,
        };
        let people = wish.people.unwrap_or(match mode {
            Mode::Play => play.people,
            Mode::Analyse => People::Both,
        });
        let clock = match (wish.time_control, mode) {
            (Some(clock), _) => clock,
            (None, Mode::Play) => (play.initial_ms, play.increment_ms),
            (None, Mode::Analyse) => (0, 0),
        };
        let (record, ply) = state.record_of(&wish.start)?;
        let setup = Setup {
            id: state.next_session_id(&self.shared),
            record,
            ply,
            mode,
            people,
            level,
            seed: chance(),
            time_control: time_control(clock)?,
            show_values: play.show_values,
        };
        let id = setup.id.clone();
        self.shared.put_away_current(&mut state);
        state.sessions.insert(id.clone(), Session::new(setup));
        state.current.clone_from(&id);
        self.shared.tell(Event::Current(id.clone()));
        self.shared.welcome(&mut state);
        self.shared.settle(&mut state, &id);
        self.shared.start_engine_if_due(&mut state, &id);
        self.finish_edit(state, &id)
    }

    /// A session as it is.
    pub fn session(&self, id: &str) -> Result<Snapshot, DeskError> {
        let mut state = self.shared.lock();
        let id = state.take_out(&self.shared, id)?;
        Ok(self.shared.snapshot(&state, &state.sessions[&id]))
    }

    /// The sessions that are on the desk or in its drawer, the newest first.
    pub fn sessions(&self) -> Vec<Summary> {
        /// Nobody scrolls further.
        const MOST: usize = 50;
        let mut state = self.shared.lock();
        let mut numbers = state.session_numbers(&self.shared);
        numbers.sort_unstable_by(|a, b| b.cmp(a));
        let ids = numbers.into_iter().take(MOST).map(|n| format!("s{n}"));
        let ids: Vec<String> = ids.collect();
        ids.iter()
            .filter_map(|id| {
                state.take_out(&self.shared, id).ok()?;
                let session = &state.sessions[id];
                Some(Summary {
                    id: id.clone(),
                    revision: session.revision(),
                    mode: session.mode(),
                    plies: session.record().main_moves().count(),
                    status: session.status(),
                    is_current: *id == state.current,
                })
            })
            .collect()
    }

    /// Changes what a session is for, who plays, how strong, what is shown.
    pub fn change(&self, id: &str, change: &Change) -> Result<Snapshot, DeskError> {
        let level = change.level.as_deref().map(str::parse::<Profile>);
        let level = level.transpose()?;
        let now_ms = (self.shared.now_ms)();
        let (mut state, id) = self.edit(id)?;
        let session = state.session(&id)?;
        if let Some(level) = level {
            session.set_level(level);
        }
        if let Some(people) = change.people {
            session.set_people(people);
        }
        if let Some(mode) = change.mode {
            session.set_mode(mode, now_ms);
        }
        if let Some(show) = change.show_values {
            session.set_show_values(show);
        }
        let hides = change.show_values == Some(false) && !session.shows_values();
        if hides {
            self.shared.stop_analysis_of(&mut state, &id);
        }
        self.shared.settle(&mut state, &id);
        if change.people.is_some() || change.mode == Some(Mode::Play) {
            self.shared.start_engine_if_due(&mut state, &id);
        }
        self.finish_edit(state, &id)
    }

    /// Makes a move of a person; in Play the engine replies by itself.
    pub fn play(&self, id: &str, node: Option<u32>, text: &str) -> Result<Snapshot, DeskError> {
        let now_ms = (self.shared.now_ms)();
        let (mut state, id) = self.edit(id)?;
        let session = state.session(&id)?;
        let at = node.map_or(session.cursor(), NodeId::from);
        let position = position_at(session, at)?;
        let action = parse(position, text)?;
        let before = session.revision();
        session.play(at, action, now_ms).map_err(told)?;
        tracing::debug!(session = id, %action, before, "a person moved");
        session.set_blunder(None);
        self.shared.welcome(&mut state);
        self.shared.settle(&mut state, &id);
        self.shared.tell_clock(&state, &id);
        self.shared.start_engine_if_due(&mut state, &id);
        self.finish_edit(state, &id)
    }

    /// Goes to a node.
    pub fn go(&self, id: &str, node: u32) -> Result<Snapshot, DeskError> {
        self.walk(id, |session, now_ms| session.go(node.into(), now_ms))
    }

    /// Takes a step.
    pub fn step(&self, id: &str, step: Step) -> Result<Snapshot, DeskError> {
        self.walk(id, |session, now_ms| session.step(step, now_ms))
    }

    /// Takes a move back.
    pub fn undo(&self, id: &str) -> Result<Snapshot, DeskError> {
        self.walk(id, |session, now_ms| session.undo(now_ms))
    }

    /// Makes it again; where that leads to the engine's turn, it takes its turn.
    pub fn redo(&self, id: &str) -> Result<Snapshot, DeskError> {
        let snapshot = self.walk(id, |session, now_ms| session.redo(now_ms))?;
        let is_end = snapshot
            .session
            .record()
            .children(snapshot.session.cursor())
            .is_empty();
        if !is_end {
            return Ok(snapshot);
        }
        let (mut state, id) = self.edit(snapshot.session.id())?;
        self.shared.start_engine_if_due(&mut state, &id);
        Ok(self.shared.snapshot(&state, &state.sessions[&id]))
    }

    /// Walking changes nothing that could be lost: it is saved when there is time.
    fn walk(
        &self,
        id: &str,
        walk: impl FnOnce(&mut Session, u64) -> Result<(), SessionError>,
    ) -> Result<Snapshot, DeskError> {
        let now_ms = (self.shared.now_ms)();
        let (mut state, id) = self.edit(id)?;
        let session = state.session(&id)?;
        let before = session.revision();
        walk(session, now_ms).map_err(told)?;
        if session.revision() != before {
            self.shared.settle(&mut state, &id);
            self.shared.tell_clock(&state, &id);
        }
        Ok(self.shared.snapshot(&state, &state.sessions[&id]))
    }

    /// Deletes a move and all behind it.
    pub fn delete(&self, id: &str, node: u32) -> Result<Snapshot, DeskError> {
        self.edit_record(id, |session, now_ms| session.delete(node.into(), now_ms))
    }

    /// Moves a variation up, or to the main line.
    pub fn promote(&self, id: &str, node: u32, to_main: bool) -> Result<Snapshot, DeskError> {
        self.edit_record(id, |session, _| session.promote(node.into(), to_main))
    }

    /// Comments on a node.
    pub fn comment(&self, id: &str, node: u32, text: &str) -> Result<Snapshot, DeskError> {
        self.edit_record(id, |session, _| session.comment(node.into(), text))
    }

    /// Sets the signs of a node.
    pub fn set_glyphs(&self, id: &str, node: u32, glyphs: &[Glyph]) -> Result<Snapshot, DeskError> {
        self.edit_record(id, |session, _| session.set_glyphs(node.into(), glyphs))
    }

    fn edit_record(
        &self,
        id: &str,
        edit: impl FnOnce(&mut Session, u64) -> Result<(), SessionError>,
    ) -> Result<Snapshot, DeskError> {
        let now_ms = (self.shared.now_ms)();
        let (mut state, id) = self.edit(id)?;
        edit(state.session(&id)?, now_ms).map_err(told)?;
        self.shared.settle(&mut state, &id);
        self.finish_edit(state, &id)
    }

    /// The line shown, or the position at the current node, as text.
    pub fn export(&self, id: &str, format: Format) -> Result<Exported, DeskError> {
        let snapshot = self.session(id)?;
        let session = &snapshot.session;
        let record = session.record();
        let invalid = |error: &dyn std::fmt::Display| DeskError::Invalid(error.to_string());
        let mut text = Vec::new();
        let written = match format {
            Format::Obf => {
                let scored = record
                    .to_scored_position(session.cursor())
                    .map_err(|error| invalid(&error))?;
                scored.0.write_text(format, &mut text)
            }
            Format::Board => {
                let position = session.position().to_string();
                text.extend(position.bytes());
                text.push(b'\n');
                Ok(())
            }
            _ => {
                // What the move list shows is what the reader expects to get.
                let mut shown = record.clone();
                if let Some(&end) = session.line().last() {
                    shown.promote_to_main(end).ok();
                }
                shown.to_notation().0.write_text(format, &mut text)
            }
        };
        written.map_err(|error| invalid(&error))?;
        let ending = match format {
            Format::Ggf => "ggf",
            Format::Obf => "obf",
            _ => "txt",
        };
        Ok(Exported {
            file_name: format!("kibitz-{}.{ending}", session.id()),
            text: String::from_utf8_lossy(&text).into_owned(),
        })
    }

    /// Opens a session for a change.
    pub(super) fn edit(&self, id: &str) -> Result<(MutexGuard<'_, State>, String), DeskError> {
        let mut state = self.shared.lock();
        state.check_open()?;
        let id = state.take_out(&self.shared, id)?;
        Ok((state, id))
    }

    /// Ends a change: it is on disk before anybody is told that it happened.
    pub(super) fn finish_edit(
        &self,
        state: MutexGuard<'_, State>,
        id: &str,
    ) -> Result<Snapshot, DeskError> {
        let session = state.sessions.get(id);
        let session = session.ok_or_else(|| DeskError::NoSuchSession(id.to_owned()))?;
        let snapshot = self.shared.snapshot(&state, session);
        drop(state);
        self.shared.save(id);
        Ok(snapshot)
    }

    /// The session that was used last, or a new one.
    pub(super) fn take_out_last_session(&self) {
        let mut state = self.shared.lock();
        let mut numbers = state.session_numbers(&self.shared);
        numbers.sort_unstable();
        while let Some(number) = numbers.pop() {
            let id = format!("s{number}");
            if state.take_out(&self.shared, &id).is_ok() {
                state.current = id;
                return;
            }
        }
        let play = state.config.config().play;
        let id = state.next_session_id(&self.shared);
        let session = Session::new(Setup {
            id: id.clone(),
            record: Record::new(Position::OTHELLO_START),
            ply: None,
            mode: Mode::Play,
            people: People::Black,
            level: play.level,
            seed: chance(),
            time_control: TimeControl::Unlimited,
            show_values: play.show_values,
        });
        state.sessions.insert(id.clone(), session);
        state.current = id;
    }
}

/// The position at a node that somebody named.
pub(super) fn position_at(session: &Session, node: NodeId) -> Result<&Position, DeskError> {
    let position = session.record().position(node);
    position.ok_or_else(|| SessionError::Tree(game::TreeError::NoSuchNode(node)).into())
}

pub(super) fn parse(position: &Position, text: &str) -> Result<Move, DeskError> {
    let action = position.parse_move(text.trim());
    action.map_err(|error| DeskError::IllegalMove(error.to_string()))
}

/// Moves against the rules are a kind of their own; the words of the rules are enough.
fn told(error: SessionError) -> DeskError {
    match error {
        SessionError::Move(game::AddMoveError::Illegal { error, .. }) => {
            DeskError::IllegalMove(error.to_string())
        }
        SessionError::Move(error) => DeskError::IllegalMove(error.to_string()),
        other => DeskError::Session(other),
    }
}

impl Shared {
    /// Whoever plays needs no welcome any more.
    fn welcome(&self, state: &mut State) {
        if state.config.config().ui.welcomed {
            return;
        }
        // A file that cannot be changed was told already.
        if state
            .config
            .change(|config| config.ui.welcomed = true)
            .is_ok()
        {
            self.tell(Event::Settings(state.settings()));
        }
    }

    /// A session that nobody has moved in is not worth keeping.
    fn put_away_current(self: &Arc<Self>, state: &mut State) {
        let id = state.current.clone();
        let Some(session) = state.sessions.get(&id) else {
            return;
        };
        let is_empty = session.record().n_nodes() == 1
            && session
                .record()
                .node(session.record().root())
                .is_some_and(|it| it.note.is_empty());
        self.stop_analysis_of(state, &id);
        if let Some(session) = state.sessions.get_mut(&id) {
            session.stand_still((self.now_ms)());
        }
        self.drop_stale_engine_move(state, &id);
        if is_empty {
            state.sessions.remove(&id);
            state.unsaved.remove(&id);
            // It may never have been saved.
            fs::remove_file(self.session_file(&id)).ok();
        } else {
            state.unsaved.insert(id);
        }
    }

    fn session_file(&self, id: &str) -> PathBuf {
        self.home.sessions().join(format!("{id}.toml"))
    }
}

impl State {
    pub(super) fn session(&mut self, id: &str) -> Result<&mut Session, DeskError> {
        let session = self.sessions.get_mut(id);
        session.ok_or_else(|| DeskError::NoSuchSession(id.to_owned()))
    }

    /// Makes sure that a session is on the desk; gives its name.
    pub(super) fn take_out(&mut self, shared: &Shared, id: &str) -> Result<String, DeskError> {
        let id = self.resolve(id);
        if self.sessions.contains_key(&id) {
            return Ok(id);
        }
        let missing = || DeskError::NoSuchSession(id.chars().take(20).collect());
        // Names are ours; nothing else is a file name.
        if session_number(&id).is_none() {
            return Err(missing());
        }
        let path = shared.session_file(&id);
        let text = fs::read_to_string(&path).map_err(|_| missing())?;
        match Session::from_text(&id, &text) {
            Ok(session) => {
                self.sessions.insert(id.clone(), session);
                Ok(id)
            }
            Err(error) => {
                // Out of the way, but not away: somebody may mend it.
                let aside = path.with_extension("damaged");
                fs::rename(&path, &aside).ok();
                let shown = aside.display();
                let message =
                    format!("A saved game could not be read ({error}); it is in {shown}.");
                shared.notice(NoticeLevel::Warning, message);
                Err(missing())
            }
        }
    }

    fn session_numbers(&self, shared: &Shared) -> Vec<u64> {
        let files = fs::read_dir(shared.home.sessions());
        let mut numbers: Vec<u64> = files
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                session_number(name.strip_suffix(".toml")?)
            })
            .chain(self.sessions.keys().filter_map(|id| session_number(id)))
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Numbers are not used twice, not even that of a damaged file.
    fn next_session_id(&self, shared: &Shared) -> String {
        let damaged = fs::read_dir(shared.home.sessions());
        let damaged = damaged.into_iter().flatten().flatten().filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            session_number(name.strip_suffix(".damaged")?)
        });
        let current = session_number(&self.current);
        let numbers = self.session_numbers(shared).into_iter();
        let last = numbers.chain(damaged).chain(current).max();
        format!("s{}", last.unwrap_or(0) + 1)
    }

    /// The game to begin with, and where to stand in it.
    fn record_of(&self, start: &Start) -> Result<(Record, Option<usize>), DeskError> {
        match start {
            Start::Usual => Ok((Record::new(Position::OTHELLO_START), None)),
            Start::Moves { position, moves } => {
                let start = match position {
                    Some(text) => text
                        .parse::<othello::Position>()
                        .map_err(|error| DeskError::Invalid(error.to_string()))?,
                    None => othello::Position::START,
                };
                let game = parse_transcript_from(start, moves)
                    .map_err(|error| DeskError::IllegalMove(error.to_string()))?;
                Ok((Record::from(&game), None))
            }
            Start::Import { id, game } => {
                let found = self.imports.iter().find(|import| import.id == *id);
                let import = found.ok_or_else(|| {
                    DeskError::NoSuchImport(
                        "that import is not there any more; import it again".to_owned(),
                    )
                })?;
                let record = import.records.get(*game).ok_or_else(|| {
                    let n = import.records.len();
                    DeskError::NoSuchImport(format!("there is no game {game}; the import has {n}"))
                })?;
                // Scored moves of the last position hang behind it as variations.
                Ok((Record::from_notation(record).0, Some(record.game.ply())))
            }
        }
    }
}

/// The number in a session's name.
fn session_number(id: &str) -> Option<u64> {
    let digits = id.strip_prefix('s')?;
    let is_plain = !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|_| is_plain)
}
