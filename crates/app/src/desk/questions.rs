//! Questions that the user waits for: hints, best moves, and what the coach needs to know.

use super::{
    Desk, DeskError, Snapshot,
    coaching::{Look, Subject},
    error::othello_of,
    tools::{AnalystTools, lane},
};
use crate::{
    Control, Session,
    config::{EngineConfig, EngineName},
    review::first_look,
    session::LegalMove,
    worker::{Priority, Progress, Task, Turn},
};
use game::{Move, NodeId, Position, Report};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
    mpsc,
};

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

impl Desk {
    /// Looks for a good move at the current node.
    pub fn hint(&self, id: &str) -> Result<Hint, DeskError> {
        let (snapshot, config) = self.look(id)?;
        let session = &snapshot.session;
        let (node, position) = (session.cursor(), session.position().clone());
        if position.is_over() {
            return Err(DeskError::Conflict("the game is over".to_owned()));
        }
        let report = self.best_at(session.id(), node, &position, config)?;
        let best = report.best();
        let legal = session.legal(node);
        let best = legal.into_iter().find(|it| Some(it.action) == best);
        let text = match &best {
            Some(best) => format!(
                "{} is best: {:#} for {} ({}).",
                best.text,
                report.score,
                position.side(),
                report.reach()
            ),
            None => format!("{} has to pass.", position.side()),
        };
        self.learn(session.id(), node, &report);
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
        if position.is_over() || session.is_decided() {
            return Err(DeskError::Conflict("the game is over".to_owned()));
        }
        let report = self.best_at(session.id(), node, &position, config)?;
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

    /// The best move at a node: of Othello by our own search, of chess by the deepest analysis that
    /// the user watches.
    fn best_at(
        &self,
        id: &str,
        node: NodeId,
        position: &Position,
        config: EngineConfig,
    ) -> Result<Report, DeskError> {
        if position.othello().is_some() {
            return self.best_move(position, config);
        }
        let state = self.shared.lock();
        let reports = state.analyses_of(id).filter(|it| it.node == node);
        let deepest = reports
            .filter_map(|it| it.report.clone())
            .max_by_key(Report::reach);
        deepest.ok_or_else(|| {
            let message = "no engine has looked at this position; start one in the Engines panel";
            DeskError::Conflict(message.to_owned())
        })
    }

    /// The best move by the policy of all verdicts, beside one that is worse; a pass where nothing
    /// else is legal.
    fn best_move(&self, position: &Position, config: EngineConfig) -> Result<Report, DeskError> {
        if position.forced().is_some() {
            let now_ms = Arc::clone(&self.shared.outside.now_ms);
            let othello = othello_of(position)?;
            return self.ask(position, Priority::Ask, move |tools, stop| {
                let (analyst, _) = tools.coach().map_err(|error| error.to_string())?;
                let control = Control {
                    now_ms: &|| now_ms(),
                    stop,
                    observe: &mut |_| {},
                };
                Ok(first_look(analyst, othello, control))
            });
        }
        let subject = Subject {
            position: position.clone(),
            config,
            known: None,
        };
        let explanation = self.ask_coach(subject, Look::Full, |at| {
            at.explainer.explain(&mut at.witness, at.position, None)
        })?;
        Ok(explanation.report())
    }

    /// Has the analyst's thread do something and waits for it.
    pub(super) fn ask<R: Send + 'static>(
        &self,
        position: &Position,
        priority: Priority,
        question: impl FnMut(&mut AnalystTools, &AtomicBool) -> Result<R, String> + Send + 'static,
    ) -> Result<R, DeskError> {
        let (sender, receiver) = mpsc::channel();
        let task = Ask {
            position: position.clone(),
            question,
            sender,
        };
        // Questions are alpha-beta's.
        let lane = lane(EngineName::AlphaBeta);
        self.shared.analyst.submit(lane, priority, Box::new(task));
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

/// A question that somebody waits for.
struct Ask<Q, R> {
    position: Position,
    question: Q,
    sender: mpsc::Sender<Result<R, String>>,
}

impl<Q, R> Task<AnalystTools> for Ask<Q, R>
where
    Q: FnMut(&mut AnalystTools, &AtomicBool) -> Result<R, String> + Send,
    R: Send,
{
    fn run(&mut self, tools: &mut AnalystTools, turn: Turn<'_>) -> Progress {
        tools.may_use(turn.threads);
        let answer = (self.question)(tools, turn.stop);
        // Something more urgent came: an answer that was cut short is none.
        if turn.stop.load(Ordering::SeqCst) {
            return Progress::Again;
        }
        // Whoever asked may have gone.
        let _sent = self.sender.send(answer);
        Progress::Done
    }

    fn fail(&mut self, reason: &str) {
        tracing::error!(position = %self.position, reason, "a search panicked");
        let _sent = self.sender.send(Err(reason.to_owned()));
    }
}
