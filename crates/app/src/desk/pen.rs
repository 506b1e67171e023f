//! Changing a game: on disk first, then seen and told.
//!
//! A change is made on a copy, the copy is written, and only then the game on the desk is changed
//! and everybody told, so that no view and no event shows a move that a crash could take back.
//! Where writing fails, the game is changed all the same: the answer says so, the game carries the
//! reason until it is saved, and the keeper tries again.

use super::{
    AnalysisStatus, Desk, DeskError, Event, NotSaved, NoticeLevel, SettingsView, Shared, Snapshot,
    State, lock,
};
use crate::{
    Config, ConfigFile, Mode, People, Session,
    archive::{Archive, ArchiveError},
    session::{Manner, Setup},
};
use game::{Position, Record, TimeControl};
use std::{
    collections::BTreeMap,
    sync::{Arc, MutexGuard},
};

/// How long a change of no importance (looking at another move) may stay unsaved.
const SAVE_AFTER_MS: u64 = 1_000;

/// Between two attempts to save a game; it doubles up to …
const RETRY_MS: u64 = 1_000;
/// The longest wait between two attempts to save a game.
const RETRY_MAX_MS: u64 = 60_000;

/// Games in memory. Others come back from the disk when they are asked for.
const ON_DESK_MAX: usize = 16;

/// The right to change games and files: whoever holds it is the only one.
#[derive(Debug)]
pub(super) struct Pen {
    pub(super) archive: Archive,
    pub(super) config: ConfigFile,
}

/// A session of which the disk has an older state, or none.
#[derive(Debug, Clone)]
pub(super) struct Unsaved {
    /// When to save it.
    pub(super) due_ms: u64,
    /// Grows with every change, so that one during a write is noticed.
    n_changes: u64,
    n_tries: u32,
    problem: Option<NotSaved>,
}

impl Unsaved {
    /// Notes that a session has changed; one that is waiting already waits no longer.
    pub(super) fn note(unsaved: &mut BTreeMap<String, Self>, id: &str, now_ms: u64) {
        let new = || Self {
            due_ms: now_ms.saturating_add(SAVE_AFTER_MS),
            n_changes: 0,
            n_tries: 0,
            problem: None,
        };
        let entry = unsaved.entry(id.to_owned()).or_insert_with(new);
        entry.n_changes += 1;
    }

    /// Why saving failed, where it did.
    pub(super) fn problem(&self) -> Option<String> {
        self.problem.as_ref().map(|it| it.message.clone())
    }
}

/// Whether a change is on disk.
pub(super) type Saved = Result<(), NotSaved>;

impl Desk {
    /// Changes a session and lets what depends on it follow. `edit` is called twice, on a copy and
    /// on the session itself, and must do the same both times.
    pub(super) fn edit(
        &self,
        pen: &mut Pen,
        id: &str,
        edit: impl Fn(&mut Session) -> Result<(), DeskError>,
        then: impl FnOnce(&mut State, &str),
    ) -> Result<Snapshot, DeskError> {
        let shared = &self.shared;
        shared.lock().check_open()?;
        let id = shared.take_out(pen, id)?;
        let (mut state, saved) = shared.commit(pen, &id, &edit)?;
        shared.settle(&mut state, &id);
        then(&mut state, &id);
        shared.finish(&state, &id, saved)
    }

    /// A session to look at, or to change in ways that may be lost.
    pub(super) fn with_session(
        &self,
        id: &str,
    ) -> Result<(MutexGuard<'_, State>, String), DeskError> {
        let shared = &self.shared;
        {
            let mut state = shared.lock();
            let id = state.resolve(id);
            if state.touch(&id) {
                return Ok((state, id));
            }
        }
        let mut pen = shared.pen();
        let id = shared.take_out(&mut pen, id)?;
        // As long as the pen is held, nobody takes the session away again.
        Ok((shared.lock(), id))
    }
}

impl Shared {
    /// Waits for the right to change games and files.
    pub(super) fn pen(&self) -> MutexGuard<'_, Pen> {
        lock(&self.pen)
    }

    /// Makes sure that a session is on the desk; gives its name.
    pub(super) fn take_out(&self, pen: &mut Pen, id: &str) -> Result<String, DeskError> {
        let id = {
            let mut state = self.lock();
            let id = state.resolve(id);
            if state.touch(&id) {
                return Ok(id);
            }
            id
        };
        let session = pen.archive.load(&id)?;
        let mut state = self.lock();
        state.sessions.insert(id.clone(), session);
        state.touch(&id);
        state.evict(&id);
        Ok(id)
    }

    /// Changes a session, first on disk. Gives the state still locked, for nobody shall see the
    /// change before what depends on it has followed.
    pub(super) fn commit(
        &self,
        pen: &mut Pen,
        id: &str,
        edit: &dyn Fn(&mut Session) -> Result<(), DeskError>,
    ) -> Result<(MutexGuard<'_, State>, Saved), DeskError> {
        let (mut copy, waiting) = {
            let mut state = self.lock();
            let copy = state.session(id)?.clone();
            // It stays where it is until the copy is on disk: a view must not show what was not
            // saved as if it were.
            (copy, state.unsaved.get(id).cloned())
        };
        let before = copy.revision();
        let played_before = copy.played_end();
        let edited = edit(&mut copy);
        if edited.is_err() || copy.revision() == before {
            return edited.map(|()| (self.lock(), Ok(())));
        }
        let saved = pen.archive.save(&copy, self.now_ms());
        // Walking to the end of a game does not end it again.
        if copy.played_end() != played_before && copy.played_end().is_some() {
            self.keep_played(&copy);
        }
        let mut state = self.lock();
        let edited = edit(state.session(id)?);
        let saved = self.note_saved(&mut state, id, saved, waiting);
        edited?;
        Ok((state, saved))
    }

    /// Saves a session as it is.
    pub(super) fn save(&self, pen: &mut Pen, id: &str) -> Saved {
        let (copy, waiting) = {
            let state = self.lock();
            let Some(session) = state.sessions.get(id) else {
                return Ok(());
            };
            (session.clone(), state.unsaved.get(id).cloned())
        };
        let saved = pen.archive.save(&copy, self.now_ms());
        let mut state = self.lock();
        let had_problem = waiting.as_ref().is_some_and(|it| it.problem.is_some());
        let saved = self.note_saved(&mut state, id, saved, waiting);
        if had_problem || saved.is_err() {
            self.tell_session(&state, id);
        }
        saved
    }

    /// Keeps in mind whether a session is on disk, and tells what has changed about that.
    pub(super) fn note_saved(
        &self,
        state: &mut State,
        id: &str,
        saved: Result<bool, ArchiveError>,
        waiting: Option<Unsaved>,
    ) -> Saved {
        let now_ms = self.now_ms();
        let failed_before = waiting.as_ref().is_some_and(|it| it.problem.is_some());
        match saved {
            Ok(made_again) => {
                state.note_written(id, waiting.as_ref(), now_ms);
                if failed_before {
                    let message = format!("Game {id} is saved now.");
                    self.notice(NoticeLevel::Info, message);
                }
                if made_again {
                    let message = "The folder of the games was gone; Kibitz has made it again and \
                                   writes down what it has in memory.";
                    self.notice(NoticeLevel::Warning, message.to_owned());
                    let others: Vec<String> = state.sessions.keys().cloned().collect();
                    for other in others.iter().filter(|other| *other != id) {
                        Unsaved::note(&mut state.unsaved, other, now_ms);
                    }
                    self.wake.notify_all();
                }
                Ok(())
            }
            Err(error) => {
                let problem = NotSaved::new(id, &error);
                let n_tries = waiting.map_or(0, |it| it.n_tries);
                let n_changes = state.unsaved.get(id).map_or(0, |it| it.n_changes);
                let wait_ms = RETRY_MS << n_tries.min(6);
                let unsaved = Unsaved {
                    due_ms: now_ms.saturating_add(wait_ms.min(RETRY_MAX_MS)),
                    n_changes,
                    n_tries: n_tries + 1,
                    problem: Some(problem.clone()),
                };
                state.unsaved.insert(id.to_owned(), unsaved);
                self.notice(NoticeLevel::Error, sentence(&problem.message));
                self.wake.notify_all();
                Err(problem)
            }
        }
    }

    /// The answer to a change.
    pub(super) fn finish(
        &self,
        state: &State,
        id: &str,
        saved: Saved,
    ) -> Result<Snapshot, DeskError> {
        saved?;
        let session = state.sessions.get(id);
        let session = session.ok_or_else(|| DeskError::NoSuchSession(id.to_owned()))?;
        Ok(self.snapshot(state, session))
    }

    /// Makes the newest game that can be used the current one, or begins one in memory.
    pub(super) fn take_out_newest(&self, pen: &mut Pen) -> Result<(), ArchiveError> {
        for id in pen.archive.ids()? {
            match self.take_out(pen, &id) {
                Ok(id) => {
                    self.lock().current = id;
                    return Ok(());
                }
                Err(error) => tracing::warn!(%error, "a saved game cannot be used"),
            }
        }
        let id = pen.archive.new_id()?;
        let mut state = self.lock();
        let config = &state.settings.config;
        let (play, level) = (config.play, config.opponent());
        let session = Session::new(Setup {
            opponent: None,
            id: id.clone(),
            record: Record::new(Position::OTHELLO_START),
            ply: None,
            mode: Mode::Play,
            people: People::Black,
            level,
            manner: Manner::default(),
            seed: (self.outside.chance)(),
            time_control: TimeControl::Unlimited,
            show_values: play.show_values,
        });
        state.sessions.insert(id.clone(), session);
        state.touch(&id);
        state.own = Some(id.clone());
        state.current = id;
        Ok(())
    }

    /// Shows the settings as their file has them now.
    pub(super) fn publish_settings(&self, pen: &Pen) -> SettingsView {
        let view = SettingsView::of(&pen.config, self.outside.memory_mb);
        let mut state = self.lock();
        if state.settings != view {
            state.settings = view.clone();
            self.tell(Event::Settings(view.clone()));
        }
        view
    }

    /// Whoever plays needs no welcome any more, and goes on with the opponent that they began with.
    pub(super) fn welcome(&self, pen: &mut Pen) {
        if pen.config.config().ui.welcomed {
            return;
        }
        // A file that cannot be changed was told already.
        if pen.config.change(Config::welcome).is_ok() {
            self.publish_settings(pen);
        }
    }

    /// Saves what is due, tells of clocks that have run out, and clears away.
    pub(super) fn attend(self: &Arc<Self>) {
        let now_ms = self.now_ms();
        let (fallen, due, left) = {
            let state = self.lock();
            let fallen = state
                .sessions
                .iter()
                .filter(|(_, session)| session.next_flag_ms(now_ms).is_some_and(|at| at <= now_ms));
            let fallen: Vec<String> = fallen.map(|(id, _)| id.clone()).collect();
            let due = state.unsaved.iter().filter(|(_, it)| it.due_ms <= now_ms);
            let due: Vec<String> = due.map(|(id, _)| id.clone()).collect();
            let left = state.left.iter().filter(|(_, at)| **at <= now_ms);
            let left: Vec<String> = left.map(|(id, _)| id.clone()).collect();
            (fallen, due, left)
        };
        if fallen.is_empty() && due.is_empty() && left.is_empty() {
            return;
        }
        let mut pen = self.pen();
        for id in fallen {
            let look = |session: &mut Session| {
                session.look_at_clock(now_ms);
                Ok(())
            };
            if let Ok((mut state, _)) = self.commit(&mut pen, &id, &look) {
                self.settle(&mut state, &id);
                self.tell_clock(&state, &id);
            }
        }
        for id in due {
            // The keeper and a caller of `Desk::attend` may have found the same game due: the
            // second to get the pen must not save it again, or count one failure as two.
            let is_due = |it: &Unsaved| it.due_ms <= now_ms;
            if !self.lock().unsaved.get(&id).is_some_and(is_due) {
                continue;
            }
            // What failed was told; there will be another attempt.
            self.save(&mut pen, &id).ok();
        }
        for id in left {
            self.clear_away(&mut pen, &id);
        }
        self.lock().evict("");
    }
}

/// A message with a capital letter and a full stop.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).chain(['.']).collect()
}

impl State {
    /// Notes that a session is used; whether it is on the desk.
    pub(super) fn touch(&mut self, id: &str) -> bool {
        let is_here = self.sessions.contains_key(id);
        if is_here {
            self.n_uses += 1;
            self.used.insert(id.to_owned(), self.n_uses);
        }
        is_here
    }

    /// What was waiting when a copy was made is on disk now; what has changed since is not.
    fn note_written(&mut self, id: &str, waiting: Option<&Unsaved>, now_ms: u64) {
        let n_written = waiting.map_or(0, |it| it.n_changes);
        let is_all = |it: &Unsaved| it.n_changes == n_written;
        if self.unsaved.get(id).is_some_and(is_all) {
            self.unsaved.remove(id);
        } else if let Some(rest) = self.unsaved.get_mut(id) {
            rest.problem = None;
            rest.n_tries = 0;
            rest.due_ms = rest.due_ms.min(now_ms.saturating_add(SAVE_AFTER_MS));
        }
    }

    /// Takes sessions that have not been used for long off the desk, but not the one that was just
    /// taken out; they are on disk. Only with the pen.
    pub(super) fn evict(&mut self, spared: &str) {
        while self.sessions.len() > ON_DESK_MAX {
            let idle = self
                .sessions
                .values()
                .filter(|session| session.id() != spared && self.is_idle(session))
                .map(Session::id);
            let oldest = idle.min_by_key(|id| self.used.get(*id).copied());
            let Some(oldest) = oldest.map(str::to_owned) else {
                return;
            };
            self.forget(&oldest);
        }
    }

    /// Whether nothing goes on in a session, and the disk has all of it.
    fn is_idle(&self, session: &Session) -> bool {
        let id = session.id();
        let is_analysed = self
            .analyses_of(id)
            .any(|it| it.status == AnalysisStatus::Running);
        let has_job = !self.unfinished_jobs_of(id).is_empty();
        id != self.current
            // It may not be on disk, and a window may show it.
            && self.own.as_deref() != Some(id)
            && !self.unsaved.contains_key(id)
            && session.thinking().is_none()
            && session
                .clock()
                .is_none_or(|clock| clock.running().is_none())
            && !is_analysed
            && !has_job
    }

    /// Takes a session off the desk.
    pub(super) fn forget(&mut self, id: &str) {
        self.sessions.remove(id);
        self.used.remove(id);
        self.unsaved.remove(id);
        self.engine_moves.remove(id);
        self.blunder_checks.remove(id);
        self.seen.remove(id);
        self.analyses.retain(|key, _| key.session != id);
    }
}
