//! Questions that the user waits for: hints, best moves, and what the coach needs to know.

use super::{
    Desk, DeskError, Snapshot,
    error::othello_of,
    tools::{AnalystTools, lane},
};
use crate::{
    Control, Limits, Session,
    config::{EngineConfig, EngineName},
    session::LegalMove,
    worker::{Priority, Progress, Task, Turn},
};
use game::{Move, NodeId, Position, Report};
use std::sync::{Arc, atomic::AtomicBool, mpsc};

/// A move to suggest to the person, and what it is worth.
#[derive(Debug, Clone)]
pub struct Hint {
    /// Where it was asked for.
    pub node: NodeId,
    /// Who is to move.
    pub side: game::Side,
    /// The best move; `None` if it is a pass.
    pub best: Option<LegalMove>,
    pub text: String,
    /// What it rests on.
    pub report: Report,
}

/// A hint looks so far, whatever the level of the opponent …
const HINT_DEPTH: u32 = 16;
/// … but nobody waits longer for it.
const HINT_MS: u64 = 1_000;
/// A question why follows a hint often enough to have something to compare it with.
const HINT_LINES: usize = 4;

impl Desk {
    /// Looks for a good move at the current node.
    pub fn hint(&self, id: &str) -> Result<Hint, DeskError> {
        let (snapshot, config) = self.look(id)?;
        let session = &snapshot.session;
        let (node, position) = (session.cursor(), session.position().clone());
        if position.is_over() {
            return Err(DeskError::Conflict("the game is over".to_owned()));
        }
        let limits = Limits {
            lines: HINT_LINES,
            ..hint_limits(config)
        };
        let report = self.search(&position, config, limits)?;
        let best = report.best();
        let legal = session.legal(node);
        let best = legal.into_iter().find(|it| Some(it.action) == best);
        let text = match &best {
            Some(best) => format!(
                "{} is best: {:#} for {} ({}).",
                best.action,
                report.score,
                position.side(),
                report.reach()
            ),
            None => format!("{} has to pass.", position.side()),
        };
        self.learn(session.id(), node, &report);
        let seen = (node, report.clone());
        let id = session.id().to_owned();
        self.shared.lock().seen.insert(id, seen);
        Ok(Hint {
            node,
            side: position.side(),
            best,
            text,
            report,
        })
    }

    /// Looks for the best move and makes it, whoever is to move.
    pub fn play_best(&self, id: &str) -> Result<Snapshot, DeskError> {
        let (snapshot, config) = self.look(id)?;
        let session = &snapshot.session;
        let (node, position) = (session.cursor(), session.position().clone());
        if position.is_over() || session.flagged().is_some() {
            return Err(DeskError::Conflict("the game is over".to_owned()));
        }
        let report = self.search(&position, config, hint_limits(config))?;
        let Some(action) = report.best() else {
            return Err(DeskError::Engine("it found no move".to_owned()));
        };
        self.learn(session.id(), node, &report);
        self.make_for(session.id(), node, action)
    }

    /// Makes a move that was found for a node, if the session is still there.
    fn make_for(&self, id: &str, node: NodeId, action: Move) -> Result<Snapshot, DeskError> {
        let shared = &self.shared;
        let now_ms = shared.now_ms();
        let mut pen = shared.pen();
        let edit = |session: &mut Session| {
            if session.cursor() != node {
                let message = "another window went to another position in the meantime";
                return Err(DeskError::Conflict(message.to_owned()));
            }
            session.make(node, action, now_ms)?;
            session.set_blunder(None);
            Ok(())
        };
        self.edit(&mut pen, id, edit, |state, id| {
            shared.tell_clock(state, id);
            shared.start_engine_if_due(state, id);
        })
    }

    /// A session and how to search.
    pub(super) fn look(&self, id: &str) -> Result<(Snapshot, EngineConfig), DeskError> {
        let snapshot = self.session(id)?;
        let state = self.shared.lock();
        state.check_open()?;
        // Hints and reasons are alpha-beta's, whatever plays.
        let config = EngineConfig {
            engine: EngineName::AlphaBeta,
            ..state.settings.engine()
        };
        Ok((snapshot, config))
    }

    fn search(
        &self,
        position: &Position,
        config: EngineConfig,
        limits: Limits,
    ) -> Result<Report, DeskError> {
        let now_ms = Arc::clone(&self.shared.outside.now_ms);
        let othello = othello_of(position)?;
        self.ask(position, move |tools, stop| {
            let analyst = tools.analyst(config).map_err(|error| error.to_string())?;
            let control = Control {
                now_ms: &|| now_ms(),
                stop,
                observe: &mut |_| {},
            };
            Ok(analyst.search(othello, &limits, control))
        })
    }

    /// Has the analyst's thread do something and waits for it.
    pub(super) fn ask<R: Send + 'static>(
        &self,
        position: &Position,
        question: impl FnOnce(&mut AnalystTools, &AtomicBool) -> Result<R, String> + Send + 'static,
    ) -> Result<R, DeskError> {
        let (sender, receiver) = mpsc::channel();
        let task = Ask {
            position: position.clone(),
            question: Some(question),
            sender,
        };
        // Questions are alpha-beta's.
        let lane = lane(EngineName::AlphaBeta);
        self.shared
            .analyst
            .submit(lane, Priority::Ask, Box::new(task));
        match receiver.recv() {
            Ok(answer) => answer.map_err(DeskError::Engine),
            // The question was thrown away: the desk closes.
            Err(mpsc::RecvError) => Err(DeskError::Closing),
        }
    }

    /// Keeps what a search found, and tells where values may be seen.
    pub(super) fn learn(&self, id: &str, node: NodeId, report: &Report) {
        let mut state = self.shared.lock();
        let Some(session) = state.sessions.get_mut(id) else {
            return;
        };
        if session.learn(node, report) {
            if session.shows_values() {
                session.changed();
            }
            self.shared.save_later(&mut state, id);
            self.shared.tell_session(&state, id);
        }
    }
}

fn hint_limits(config: EngineConfig) -> Limits {
    Limits {
        depth: Some(HINT_DEPTH),
        time_ms: Some(HINT_MS),
        exact_empties: config.endgame_exact_empties,
        ..Limits::default()
    }
}

/// A question that somebody waits for.
struct Ask<Q, R> {
    position: Position,
    question: Option<Q>,
    sender: mpsc::Sender<Result<R, String>>,
}

impl<Q, R> Task<AnalystTools> for Ask<Q, R>
where
    Q: FnOnce(&mut AnalystTools, &AtomicBool) -> Result<R, String> + Send,
    R: Send,
{
    fn run(&mut self, tools: &mut AnalystTools, turn: Turn<'_>) -> Progress {
        if let Some(question) = self.question.take() {
            tools.may_use(turn.threads);
            // Whoever asked may have gone.
            let _sent = self.sender.send(question(tools, turn.stop));
        }
        Progress::Done
    }

    fn fail(&mut self, reason: &str) {
        tracing::error!(position = %self.position, reason, "a search panicked");
        let _sent = self.sender.send(Err(reason.to_owned()));
    }
}
