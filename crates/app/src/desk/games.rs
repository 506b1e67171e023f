//! Sessions: beginning, finding, changing, deleting them.

use super::{
    Desk, DeskError, Event, Shared, Snapshot, State, Summary, chess, collection::title_of,
    import::Imported, pen::Pen,
};
use crate::{
    Mode, People, Profile, Session,
    archive::Listed,
    config::EngineName,
    engines::Shelf,
    ladder::{self, Worth},
    library::GameId,
    session::{Manner, Opponent, SessionError, Setup, check_size},
};
use game::{Kind, NodeId, Record, TimeControl};
use othello::notation::parse_transcript_from;
use std::sync::Arc;

/// By so many of the latest games a person is rated.
const GAMES_RATED: usize = 40;

/// Where a new session begins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Start {
    /// At the usual position.
    #[default]
    Usual,
    /// At a position (64 squares and the side to move, or a FEN; none is the usual one), after some
    /// moves.
    Moves {
        position: Option<String>,
        moves: String,
    },
    /// With the moves of another game up to a place of it.
    Place { session: String, node: u32 },
    /// With a game of an import.
    Import {
        id: String,
        /// Which of its games, counted from 0.
        game: usize,
    },
    /// With a game of the database.
    Stored(GameId),
    /// With a game that stands elsewhere, such as in a tournament.
    Record(Box<Record>),
}

/// A foreign engine to play against.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpponentWish {
    /// Its name on the shelf.
    pub engine: String,
    /// Settings for this game, in the engine's own words.
    pub options: Vec<(String, String)>,
    /// What ends its thinking, beside the clock and the time for a move.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
}

/// A new session; what is left out comes from the settings.
#[derive(Debug, Clone, Default)]
pub struct NewGame {
    /// Which game; Othello if left out. Where another game is the start, it is of that game's kind.
    pub kind: Option<Kind>,
    /// A foreign engine that plays in the place of a level.
    pub opponent: Option<OpponentWish>,
    /// Play if left out.
    pub mode: Option<Mode>,
    pub level: Option<String>,
    /// What searches for the level; as configured if left out.
    pub engine: Option<EngineName>,
    /// How long the engine may think about a move; the level's own time if left out.
    pub move_ms: Option<u64>,
    /// Which sides a person plays.
    pub people: Option<People>,
    /// The clock: what is on it, what a move adds.
    pub time_control: Option<(u64, u64)>,
    pub start: Start,
    /// The session that the asker shows until now and leaves; other sessions are left alone.
    pub leaves: Option<String>,
}

/// Changes to a session.
#[derive(Debug, Clone, Default)]
pub struct Change {
    /// What it is for.
    pub mode: Option<Mode>,
    pub level: Option<String>,
    /// Which sides a person plays.
    pub people: Option<People>,
    /// Show or hide values.
    pub show_values: Option<bool>,
    /// A title; an empty one takes it away.
    pub title: Option<String>,
    /// Whether the coach may ask about moves that cost much.
    pub asks: Option<bool>,
}

/// A day: longer clocks are mistakes.
const CLOCK_MAX_MS: u64 = 86_400_000;

/// A game that was left untouched stays for so long: its window needs a moment to go elsewhere.
const LEFT_MS: u64 = 1_000;

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

fn manner(wish: &NewGame) -> Result<Manner, DeskError> {
    if wish
        .move_ms
        .is_some_and(|ms| !Manner::MOVE_MS.contains(&ms))
    {
        let message = "the engine's time for a move is from a tenth of a second to ten minutes";
        return Err(DeskError::Invalid(message.to_owned()));
    }
    Ok(Manner {
        engine: wish.engine,
        move_ms: wish.move_ms,
    })
}

impl Desk {
    /// Begins a session and makes it the current one. What the asker leaves stands still; if
    /// nothing was done in it, it is deleted a little later, and that is told. What other windows
    /// show goes on.
    pub fn new_game(&self, wish: &NewGame) -> Result<Snapshot, DeskError> {
        let shared = &self.shared;
        let mut pen = shared.pen();
        let session = shared.set_up(&mut pen, wish)?;
        let id = session.id().to_owned();
        let saved = pen.archive.save(&session, shared.now_ms());
        let begun = {
            let mut state = shared.lock();
            if let Some(left) = &wish.leaves {
                let left = state.resolve(left);
                if !state.is_shown_elsewhere(&left) {
                    shared.put_away(&mut state, &left);
                }
            }
            state.sessions.insert(id.clone(), session);
            state.touch(&id);
            state.current.clone_from(&id);
            state.evict(&id);
            let saved = shared.note_saved(&mut state, &id, saved, None);
            shared.tell(Event::Current(id.clone()));
            shared.settle(&mut state, &id);
            shared.start_engine_if_due(&mut state, &id);
            shared.finish(&state, &id, saved)
        };
        if begun.is_ok() {
            shared.welcome(&mut pen);
        }
        begun
    }

    /// A session as it is.
    pub fn session(&self, id: &str) -> Result<Snapshot, DeskError> {
        let (state, id) = self.with_session(id)?;
        self.shared.finish(&state, &id, Ok(()))
    }

    /// All sessions, on the desk or in the archive, the newest first. Files that cannot be used
    /// are among them and say why.
    pub fn sessions(&self) -> Result<Vec<Summary>, DeskError> {
        let mut pen = self.shared.pen();
        let mut listed = pen.archive.list()?;
        let state = self.shared.lock();
        for session in state.sessions.values() {
            let here = Listed {
                id: session.id().to_owned(),
                header: Ok(session.header()),
            };
            match listed.iter_mut().find(|it| it.id == here.id) {
                Some(found) => *found = here,
                // Nothing was ever done in it.
                None if state.is_forgettable(&here.id) => {}
                // Not saved yet: it is newer than all that are.
                None => listed.insert(0, here),
            }
        }
        Ok(listed
            .into_iter()
            .map(|it| Summary::new(it, &state.current))
            .collect())
    }

    /// What the user is worth by the latest games against levels; `None` if there are too few.
    pub fn your_worth(&self) -> Result<Option<Worth>, DeskError> {
        let listed = self.shared.pen().archive.list()?;
        // A game that cannot be read is told where games are listed.
        let rated = listed
            .iter()
            .filter_map(|it| it.header.as_ref().ok()?.rated);
        let games: Vec<_> = rated.take(GAMES_RATED).collect();
        Ok(ladder::person(&games))
    }

    /// Changes what a session is for, who plays, how strong, what is shown, what it is called.
    pub fn change(&self, id: &str, change: &Change) -> Result<Snapshot, DeskError> {
        let level = change.level.as_deref().map(str::parse::<Profile>);
        let level = level.transpose()?;
        let shared = &self.shared;
        let now_ms = shared.now_ms();
        let mut pen = shared.pen();
        let edit = |session: &mut Session| {
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
            if let Some(title) = &change.title {
                session.set_title(title)?;
            }
            if let Some(asks) = change.asks {
                session.set_asks(asks);
            }
            Ok(())
        };
        self.edit(&mut pen, id, edit, |state, id| {
            let hides = change.show_values == Some(false);
            if hides && state.sessions.get(id).is_some_and(|it| !it.shows_values()) {
                shared.stop_analyses_of(state, id);
            }
            if change.people.is_some() || change.mode == Some(Mode::Play) {
                shared.start_engine_if_due(state, id);
            }
        })
    }

    /// Deletes a session for good, also one that cannot be read. If it was the current one, the
    /// newest of the others becomes that.
    pub fn delete_session(&self, id: &str) -> Result<(), DeskError> {
        let shared = &self.shared;
        let mut pen = shared.pen();
        let id = {
            let state = shared.lock();
            state.check_open()?;
            state.resolve(id)
        };
        let is_here = shared.lock().sessions.contains_key(&id);
        if !is_here && !pen.archive.contains(&id)? {
            return Err(DeskError::NoSuchSession(id.chars().take(20).collect()));
        }
        pen.archive.delete(&id)?;
        let was_current = {
            let mut state = shared.lock();
            shared.stop_all_of(&mut state, &id);
            state.forget(&id);
            state.reviews.remove(&id);
            shared.tell(Event::Deleted(id.clone()));
            state.current == id
        };
        if was_current {
            shared.take_out_newest(&mut pen)?;
            let state = shared.lock();
            shared.tell(Event::Current(state.current.clone()));
            shared.tell_session(&state, &state.current);
        }
        Ok(())
    }
}

impl Summary {
    fn new(listed: Listed, current: &str) -> Self {
        let is_current = listed.id == current;
        match listed.header {
            Ok(header) => Self {
                id: listed.id,
                revision: header.revision,
                mode: header.mode,
                kind: header.kind,
                plies: header.plies,
                players: header.names(),
                status: header.summary(),
                title: header.title,
                is_usable: true,
                is_current,
            },
            Err(why) => Self {
                id: listed.id,
                revision: 0,
                mode: Mode::Analyse,
                kind: Kind::Othello,
                plies: 0,
                title: None,
                players: None,
                status: format!("cannot be opened: {why}"),
                is_usable: false,
                is_current,
            },
        }
    }
}

impl Shared {
    /// A new session as it was wished for; what is left out comes from the settings.
    fn set_up(&self, pen: &mut Pen, wish: &NewGame) -> Result<Session, DeskError> {
        self.lock().check_open()?;
        // The other game may have left the memory.
        if let Start::Place { session, .. } = &wish.start {
            self.take_out(pen, session)?;
        }
        // The database is asked before the state is locked.
        let stored = match &wish.start {
            Start::Stored(id) => Some(self.stored_record(*id)?),
            Start::Record(record) => Some(Record::clone(record)),
            _ => None,
        };
        let title = stored.as_ref().and_then(title_of);
        let (play, usual, (record, ply)) = {
            let state = self.lock();
            let config = &state.settings.config;
            let kind = wish.kind.unwrap_or(Kind::Othello);
            let found = match stored {
                Some(record) => (record, Some(0)),
                None => state.record_of(&wish.start, kind)?,
            };
            (config.play, config.opponent(), found)
        };
        check_size(&record)?;
        let kind = record.start().kind();
        let mode = wish.mode.unwrap_or(Mode::Play);
        let level = match &wish.level {
            Some(name) => name.parse::<Profile>()?,
            None => usual,
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
        let time_control = time_control(clock)?;
        let opponent = match &wish.opponent {
            Some(opponent) => Some(self.opponent(opponent, kind)?),
            None if kind == Kind::Chess && mode == Mode::Play && people != People::Both => {
                let message = "our own engine plays Othello alone; choose an engine for chess, or \
                               play both sides yourself";
                return Err(DeskError::Invalid(message.to_owned()));
            }
            None => None,
        };
        let mut session = Session::new(Setup {
            opponent,
            id: pen.archive.new_id()?,
            record,
            ply,
            mode,
            people,
            level,
            manner: manner(wish)?,
            seed: (self.outside.chance)(),
            time_control,
            show_values: play.show_values,
        });
        if let Some(title) = title {
            session.set_title(&title)?;
        }
        Ok(session)
    }

    /// A foreign engine that the user has, if it plays this game.
    fn opponent(&self, wish: &OpponentWish, kind: Kind) -> Result<Opponent, DeskError> {
        let invalid = |error: &dyn std::fmt::Display| DeskError::Invalid(error.to_string());
        let found = Shelf::new(&self.home).find(&wish.engine);
        let (id, entry) = found.map_err(|error| invalid(&error))?;
        if entry.game.name() != kind.name() {
            let (name, game) = (&entry.name, entry.game);
            return Err(invalid(&format!("{name} plays {game}, and this is {kind}")));
        }
        let opponent = Opponent {
            id,
            name: entry.name,
            options: wish.options.clone(),
            depth: wish.depth,
            nodes: wish.nodes,
        };
        opponent.check().map_err(|error| invalid(&error))?;
        Ok(opponent)
    }

    /// Ends what goes on in a session that its window leaves.
    fn put_away(self: &Arc<Self>, state: &mut State, id: &str) {
        let now_ms = self.now_ms();
        let Some(session) = state.sessions.get_mut(id) else {
            return;
        };
        let is_untouched = session.is_untouched();
        session.stand_still(now_ms);
        self.stop_analyses_of(state, id);
        self.drop_stale_engine_move(state, id);
        if is_untouched {
            let due_ms = now_ms.saturating_add(LEFT_MS);
            state.left.insert(id.to_owned(), due_ms);
            self.wake.notify_all();
        } else {
            self.save_later(state, id);
        }
    }

    /// Deletes a session that its window has left, unless another one has begun to use it.
    pub(super) fn clear_away(&self, pen: &mut Pen, id: &str) {
        {
            let mut state = self.lock();
            state.left.remove(id);
            let is_untouched = state.sessions.get(id).is_some_and(Session::is_untouched);
            if !is_untouched || state.current == id {
                return;
            }
        }
        if let Err(error) = pen.archive.delete(id) {
            // A game without a move in the list does no harm.
            tracing::warn!(%error, "an empty game stays");
            return;
        }
        let mut state = self.lock();
        self.stop_all_of(&mut state, id);
        state.forget(id);
        self.tell(Event::Deleted(id.to_owned()));
    }

    /// Ends everything that works for a session.
    fn stop_all_of(&self, state: &mut State, id: &str) {
        self.stop_analyses_of(state, id);
        // Its engines end by themselves.
        drop(self.dismiss(Some(id)));
        if let Some(session) = state.sessions.get_mut(id) {
            session.set_thinking(false);
        }
        self.drop_stale_engine_move(state, id);
        for job in state.unfinished_jobs_of(id) {
            let message = "Cancelled: the game was deleted.";
            self.cancel_job(state, job, message).ok();
        }
        state.seen.remove(id);
    }
}

impl State {
    /// Whether a game was begun by itself and left before a change of it was to be saved.
    fn is_forgettable(&self, id: &str) -> bool {
        let is_own = self.own.as_deref() == Some(id);
        is_own && self.current != id && !self.unsaved.contains_key(id)
    }

    /// The game to begin with, and where to stand in it.
    fn record_of(&self, start: &Start, kind: Kind) -> Result<(Record, Option<usize>), DeskError> {
        match start {
            // What stands elsewhere was taken out before.
            Start::Usual | Start::Stored(_) | Start::Record(_) => {
                Ok((Record::new(kind.start()), None))
            }
            Start::Moves { position, moves } if kind == Kind::Chess => {
                let start = chess::start(position.as_deref())?;
                Ok((chess::game(start, moves)?, None))
            }
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
            Start::Place { session, node } => {
                let id = self.resolve(session);
                let session = self.sessions.get(&id);
                let session = session.ok_or(DeskError::NoSuchSession(id))?;
                Ok((until(session.record(), (*node).into())?, None))
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
                match record {
                    // Scored moves of the last position hang behind it as variations.
                    Imported::Othello(record) => {
                        Ok((Record::from_notation(record).0, Some(record.game.ply())))
                    }
                    Imported::Chess(record) => Ok((record.clone(), Some(0))),
                }
            }
        }
    }
}

/// A game up to a place of it, without what was written beside the moves.
fn until(from: &Record, node: NodeId) -> Result<Record, DeskError> {
    if from.node(node).is_none() {
        return Err(SessionError::Tree(game::TreeError::NoSuchNode(node)).into());
    }
    let mut record = Record::new(from.start().clone());
    let mut at = record.root();
    let path = from.path(node);
    for action in path.iter().filter_map(|&id| from.node(id)?.action()) {
        at = record.add(at, action).map_err(SessionError::from)?;
    }
    Ok(record)
}
