//! Moves of a person, walking about, comments and signs.

use super::{Desk, DeskError, Snapshot};
use crate::{
    Session,
    session::{SessionError, Step},
};
use game::{Glyph, Move, NodeId, Position};

impl Desk {
    /// Makes a move of a person; in Play the engine replies by itself.
    pub fn play(&self, id: &str, node: Option<u32>, text: &str) -> Result<Snapshot, DeskError> {
        let shared = &self.shared;
        let now_ms = shared.now_ms();
        let mut pen = shared.pen();
        let edit = |session: &mut Session| {
            let at = node.map_or(session.cursor(), NodeId::from);
            let position = position_at(session, at)?;
            let action = parse(position, text)?;
            session.play(at, action, now_ms).map_err(told)?;
            session.set_blunder(None);
            Ok(())
        };
        let played = self.edit(&mut pen, id, edit, |state, id| {
            tracing::debug!(session = id, action = text, "a person moved");
            shared.tell_clock(state, id);
            shared.answer_move(state, id);
        });
        if played.is_ok() {
            shared.welcome(&mut pen);
        }
        played
    }

    /// The person gives the game against an engine up.
    pub fn resign(&self, id: &str) -> Result<Snapshot, DeskError> {
        self.end(id, Session::resign)
    }

    /// The person claims the draw that is there.
    pub fn claim_draw(&self, id: &str) -> Result<Snapshot, DeskError> {
        self.end(id, Session::claim_draw)
    }

    /// Ends a game that a person plays.
    fn end(
        &self,
        id: &str,
        end: fn(&mut Session, u64) -> Result<(), SessionError>,
    ) -> Result<Snapshot, DeskError> {
        let shared = &self.shared;
        let now_ms = shared.now_ms();
        let mut pen = shared.pen();
        let edit = |session: &mut Session| end(session, now_ms).map_err(told);
        self.edit(&mut pen, id, edit, |state, id| {
            shared.drop_stale_engine_move(state, id);
            shared.tell_clock(state, id);
        })
    }

    /// Goes to a node.
    pub fn go(&self, id: &str, node: u32) -> Result<Snapshot, DeskError> {
        self.walk(id, |session, now_ms| session.go(node.into(), now_ms))
    }

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
        let (mut state, id) = self.with_session(snapshot.session.id())?;
        self.shared.start_engine_if_due(&mut state, &id);
        self.shared.finish(&state, &id, Ok(()))
    }

    /// Walking changes nothing that could be lost: it is saved when there is time.
    fn walk(
        &self,
        id: &str,
        walk: impl FnOnce(&mut Session, u64) -> Result<(), SessionError>,
    ) -> Result<Snapshot, DeskError> {
        let shared = &self.shared;
        let now_ms = shared.now_ms();
        let mut pen = shared.pen();
        shared.lock().check_open()?;
        let id = shared.take_out(&mut pen, id)?;
        let mut state = shared.lock();
        let session = state.session(&id)?;
        let before = session.revision();
        walk(session, now_ms).map_err(told)?;
        if session.revision() != before {
            shared.save_later(&mut state, &id);
            shared.settle(&mut state, &id);
            shared.tell_clock(&state, &id);
        }
        shared.finish(&state, &id, Ok(()))
    }

    /// Deletes a move and all behind it.
    pub fn delete(&self, id: &str, node: u32) -> Result<Snapshot, DeskError> {
        self.edit_record(id, |session, now_ms| session.delete(node.into(), now_ms))
    }

    /// Keeps moves as a variation; passes may be left out. The reader stays where they are.
    pub fn keep_line(&self, id: &str, node: u32, moves: &[String]) -> Result<Snapshot, DeskError> {
        let mut pen = self.shared.pen();
        let edit = |session: &mut Session| {
            let mut actions = Vec::new();
            let mut position = position_at(session, node.into())?.clone();
            for text in moves {
                let action = parse(&position, text)?;
                let next = position.forced().filter(|&pass| pass != action);
                for action in next.into_iter().chain([action]) {
                    position = position
                        .play(action)
                        .map_err(|error| DeskError::IllegalMove(error.to_string()))?;
                    actions.push(action);
                }
            }
            session.keep_line(node.into(), &actions).map_err(told)
        };
        self.edit(&mut pen, id, edit, |_, _| {})
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

    pub(super) fn edit_record(
        &self,
        id: &str,
        edit: impl Fn(&mut Session, u64) -> Result<(), SessionError>,
    ) -> Result<Snapshot, DeskError> {
        let now_ms = self.shared.now_ms();
        let mut pen = self.shared.pen();
        let edit = |session: &mut Session| edit(session, now_ms).map_err(told);
        self.edit(&mut pen, id, edit, |_, _| {})
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
