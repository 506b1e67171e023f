//! The analyses that the user watches, each of one session by one engine.

use super::{
    Desk, DeskError, Event, NoticeLevel, Shared, State,
    edits::position_at,
    error::NOT_OTHELLO,
    tools::{AnalystTools, lane},
};
use crate::{
    Control, Limits,
    config::{EngineConfig, EngineName},
    worker::{Priority, Progress, Task, Ticket, Turn},
};
use game::{NodeId, Position, Report};
use std::sync::{Arc, Weak, atomic::Ordering};

/// What to analyse, and how.
#[derive(Debug, Clone, Default)]
pub struct AnalysisWish {
    /// The node; without it, wherever the session goes.
    pub node: Option<u32>,
    /// How many lines; 1 if left out.
    pub lines: Option<u32>,
    /// As many lines as there are moves.
    pub all_moves: bool,
    /// Stop at this depth.
    pub depth: Option<u32>,
    /// Stop after so long.
    pub time_ms: Option<u64>,
    /// What searches; as configured if left out.
    pub engine: Option<EngineName>,
}

impl AnalysisWish {
    fn n_lines(&self) -> usize {
        if self.all_moves {
            ALL_MOVES
        } else {
            self.lines.unwrap_or(1).clamp(1, ALL_MOVES as u32) as usize
        }
    }
}

/// Where an analysis stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnalysisStatus {
    Running,
    /// It found all it was asked for.
    Finished,
    Stopped,
    Failed,
}

/// Which analysis: each engine has one for each session.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnalysisKey {
    pub session: String,
    pub engine: EngineName,
}

/// An analysis and its latest report.
#[derive(Debug, Clone)]
pub struct AnalysisState {
    pub session: String,
    pub engine: EngineName,
    pub node: NodeId,
    /// Who is to move there.
    pub side: game::Side,
    /// Grows with every analysis.
    pub generation: u64,
    pub status: AnalysisStatus,
    /// How many lines were asked for.
    pub lines: usize,
    /// Whether it follows the session's current node.
    pub follows: bool,
    /// What it found so far.
    pub report: Option<Report>,
}

impl AnalysisState {
    pub fn key(&self) -> AnalysisKey {
        AnalysisKey {
            session: self.session.clone(),
            engine: self.engine,
        }
    }
}

/// An analysis on the desk.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) state: AnalysisState,
    wish: AnalysisWish,
    ticket: Ticket,
}

/// How many nodes an analysis searches before it gives way to others that wait: some tenths of a
/// second.
const TURN_NODES: u64 = 1 << 20;

/// More analyses than this are watched by nobody.
const ANALYSES_MAX: usize = 8;

/// Enough lines for every legal move of any position.
const ALL_MOVES: usize = 64;

impl Desk {
    /// Starts an analysis in place of the same engine's analysis of this session. In Play this means
    /// that values were asked for.
    pub fn analyse(&self, id: &str, wish: &AnalysisWish) -> Result<AnalysisState, DeskError> {
        let (mut state, id) = self.with_session(id)?;
        state.check_open()?;
        let session = state.session(&id)?;
        let node = wish.node.map_or(session.cursor(), NodeId::from);
        position_at(session, node)?;
        if !session.shows_values() {
            session.set_show_values(true);
            self.shared.save_later(&mut state, &id);
        }
        let engine = wish.engine.unwrap_or(state.settings.engine().engine);
        let key = AnalysisKey {
            session: id.clone(),
            engine,
        };
        self.shared.start_analysis(&mut state, &key, node, wish);
        self.shared.stop_oldest_analyses(&mut state);
        self.shared.tell_session(&state, &id);
        let running = state.analyses.get(&key).map(|it| it.state.clone());
        running.ok_or_else(|| DeskError::Conflict("the analysis was stopped".to_owned()))
    }

    /// Stops the analyses of a session, or that of one engine; gives their last states.
    pub fn stop_analyses(
        &self,
        id: &str,
        engine: Option<EngineName>,
    ) -> Result<Vec<AnalysisState>, DeskError> {
        let (mut state, id) = self.with_session(id)?;
        state.check_open()?;
        let keys = state.analysis_keys(&id);
        let wanted = |key: &AnalysisKey| engine.is_none_or(|engine| key.engine == engine);
        let keys = keys.into_iter().filter(wanted);
        let stopped: Vec<AnalysisState> = keys
            .filter_map(|key| self.shared.stop_analysis(&mut state, &key))
            .collect();
        if !stopped.is_empty() {
            // What it found is part of the tree now.
            state.session(&id)?.changed();
            self.shared.save_later(&mut state, &id);
            self.shared.tell_session(&state, &id);
        }
        Ok(stopped)
    }
}

/// The search behind an analysis.
struct Watched {
    shared: Weak<Shared>,
    key: AnalysisKey,
    generation: u64,
    position: Position,
    limits: Limits,
    config: EngineConfig,
}

impl Watched {
    /// How far to search in this turn.
    fn limits_of(&self, turn: Turn<'_>) -> Limits {
        let mut limits = self.limits;
        // A Monte Carlo search ends by itself and would begin anew.
        if turn.is_shared && self.config.engine == EngineName::AlphaBeta {
            limits.nodes = Some(TURN_NODES);
        }
        limits
    }
}

impl Task<AnalystTools> for Watched {
    fn run(&mut self, tools: &mut AnalystTools, turn: Turn<'_>) -> Progress {
        let limits = self.limits_of(turn);
        tools.may_use(turn.threads);
        let Some(shared) = self.shared.upgrade() else {
            return Progress::Done;
        };
        let analyst = match tools.analyst(self.config) {
            Ok(analyst) => analyst,
            Err(error) => {
                self.fail(&error.to_string());
                return Progress::Done;
            }
        };
        let (key, generation) = (&self.key, self.generation);
        let control = Control {
            now_ms: &|| shared.now_ms(),
            stop: turn.stop,
            observe: &mut |report| {
                shared.on_report(key, generation, report, AnalysisStatus::Running);
            },
        };
        let Some(position) = self.position.othello() else {
            self.fail(NOT_OTHELLO);
            return Progress::Done;
        };
        let report = analyst.search(position, &limits, control);
        // What was spent in this turn is not to be had again.
        if let Some(time_ms) = &mut self.limits.time_ms {
            *time_ms = time_ms.saturating_sub(report.time_ms);
        }
        let is_over = self.limits.time_ms == Some(0);
        let is_cut = turn.stop.load(Ordering::SeqCst)
            || limits.nodes.is_some_and(|nodes| report.nodes >= nodes);
        if is_cut && !is_over && !report.solved {
            // Cancelled tasks are not run again, whatever they wish.
            return Progress::Again;
        }
        shared.on_report(&self.key, generation, &report, AnalysisStatus::Finished);
        Progress::Done
    }

    fn fail(&mut self, reason: &str) {
        tracing::error!(position = %self.position, reason, "an analysis failed");
        if let Some(shared) = self.shared.upgrade() {
            shared.on_analysis_failed(&self.key, self.generation, reason);
        }
    }
}

impl State {
    /// The analyses of a session, one for each engine.
    pub(super) fn analyses_of(&self, id: &str) -> impl Iterator<Item = &AnalysisState> {
        let analyses = self.analyses.values().map(|it| &it.state);
        analyses.filter(move |it| it.session == id)
    }

    fn analysis_keys(&self, id: &str) -> Vec<AnalysisKey> {
        self.analyses_of(id).map(AnalysisState::key).collect()
    }

    /// The analysis of a node that a reason may speak of: reasons come from the evaluation of an
    /// engine that gives values.
    fn valuing(&self, id: &str, node: NodeId) -> Option<&AnalysisState> {
        self.analyses_of(id)
            .find(|it| it.node == node && it.engine.gives_values())
    }

    /// The deepest report about a node that the user sees: of the analysis, of one that was
    /// stopped, or of a hint.
    pub(super) fn shown(&self, id: &str, node: NodeId) -> Option<Report> {
        let analysed = self.valuing(id, node).and_then(|it| it.report.clone());
        let seen = self.seen.get(id);
        let seen = seen
            .filter(|(at, _)| *at == node)
            .map(|(_, report)| report.clone());
        // Of equals the analysis, which goes on and has more lines.
        seen.into_iter().chain(analysed).max_by_key(Report::reach)
    }

    /// The analysis that has found this report about a node, if it is the latest one.
    pub(super) fn generation_of(
        &self,
        id: &str,
        node: NodeId,
        report: Option<&Report>,
    ) -> Option<u64> {
        let analysis = self.valuing(id, node)?;
        let is_its_own = report.is_some() && analysis.report.as_ref() == report;
        is_its_own.then_some(analysis.generation)
    }
}

impl Shared {
    fn start_analysis(
        self: &Arc<Self>,
        state: &mut State,
        key: &AnalysisKey,
        node: NodeId,
        wish: &AnalysisWish,
    ) {
        if let Some(before) = state.analyses.remove(key) {
            before.ticket.cancel();
        }
        let Some(position) = state
            .sessions
            .get(&key.session)
            .and_then(|it| it.record().position(node).cloned())
        else {
            return;
        };
        let usual = state.settings.engine();
        let config = EngineConfig {
            engine: key.engine,
            ..usual
        };
        let lines = wish.n_lines();
        state.generation += 1;
        let generation = state.generation;
        let mut analysis = AnalysisState {
            session: key.session.clone(),
            engine: key.engine,
            node,
            side: position.side(),
            generation,
            status: AnalysisStatus::Running,
            lines,
            follows: wish.node.is_none(),
            report: None,
        };
        let limits = Limits {
            depth: wish.depth,
            time_ms: wish.time_ms,
            exact_empties: config.endgame_exact_empties,
            lines,
            ..Limits::default()
        };
        let ticket = if position.is_over() {
            analysis.status = AnalysisStatus::Finished;
            Ticket::default()
        } else {
            let task = Watched {
                shared: self.weak(),
                key: key.clone(),
                generation,
                position,
                limits,
                config,
            };
            let lane = lane(key.engine);
            self.analyst
                .submit(lane, Priority::Analysis, Box::new(task))
        };
        self.tell(Event::Analysis(analysis.clone()));
        let running = Running {
            state: analysis,
            wish: wish.clone(),
            ticket,
        };
        state.analyses.insert(key.clone(), running);
    }

    /// Stops the oldest analyses when there are more than anybody looks at: a window that was
    /// closed does not always say so.
    fn stop_oldest_analyses(&self, state: &mut State) {
        while state.analyses.len() > ANALYSES_MAX {
            let analyses = state.analyses.values().map(|it| &it.state);
            let oldest = analyses.min_by_key(|it| it.generation);
            let Some(oldest) = oldest.map(AnalysisState::key) else {
                return;
            };
            self.stop_analysis(state, &oldest);
        }
    }

    /// Stops the analyses of a session.
    pub(super) fn stop_analyses_of(&self, state: &mut State, id: &str) {
        for key in state.analysis_keys(id) {
            self.stop_analysis(state, &key);
        }
    }

    /// Stops an analysis; gives its last state.
    fn stop_analysis(&self, state: &mut State, key: &AnalysisKey) -> Option<AnalysisState> {
        let running = state.analyses.remove(key)?;
        running.ticket.cancel();
        // A late report of this generation must find nobody who wants it.
        state.generation += 1;
        let mut stopped = running.state;
        stopped.generation = state.generation;
        if stopped.status == AnalysisStatus::Running {
            stopped.status = AnalysisStatus::Stopped;
        }
        if let Some(report) = stopped
            .report
            .as_ref()
            .filter(|_| key.engine.gives_values())
        {
            let seen = (stopped.node, report.clone());
            state.seen.insert(key.session.clone(), seen);
        }
        self.tell(Event::Analysis(stopped.clone()));
        Some(stopped)
    }

    /// Lets analyses that follow a session follow it, and ends those whose node is gone.
    pub(super) fn follow(self: &Arc<Self>, state: &mut State, id: &str) {
        for key in state.analysis_keys(id) {
            let (running, session) = (state.analyses.get(&key), state.sessions.get(id));
            let (Some(running), Some(session)) = (running, session) else {
                return;
            };
            let (node, cursor) = (running.state.node, session.cursor());
            if running.state.follows && node != cursor {
                let wish = running.wish.clone();
                self.start_analysis(state, &key, cursor, &wish);
            } else if session.record().node(node).is_none() {
                self.stop_analysis(state, &key);
            }
        }
    }

    /// A report came in. One of an analysis that was replaced is dropped.
    fn on_report(
        &self,
        key: &AnalysisKey,
        generation: u64,
        report: &Report,
        status: AnalysisStatus,
    ) {
        let mut state = self.lock();
        let running = state.analyses.get_mut(key);
        let Some(running) = running.filter(|it| it.state.generation == generation) else {
            return;
        };
        running.state.status = status;
        // After a question in between a search begins anew: until it goes further, what was found
        // before stands.
        let reach = |it: &Report| (it.reach(), it.certainty_permille);
        let kept = running.state.report.take();
        let kept = kept.filter(|kept| reach(kept) >= reach(report));
        running.state.report = Some(kept.unwrap_or_else(|| report.clone()));
        let analysis = running.state.clone();
        let mut is_news = false;
        let session = state.sessions.get_mut(&key.session);
        if let Some(session) = session.filter(|_| key.engine.gives_values()) {
            is_news = session.learn(analysis.node, report);
            if is_news && status != AnalysisStatus::Running {
                session.changed();
            }
        }
        self.tell(Event::Analysis(analysis));
        // While it runs, its own reports tell the value; the tree gets it at the end.
        if is_news && status != AnalysisStatus::Running {
            self.save_later(&mut state, &key.session);
            self.tell_session(&state, &key.session);
        }
    }

    fn on_analysis_failed(&self, key: &AnalysisKey, generation: u64, reason: &str) {
        let mut state = self.lock();
        let running = state.analyses.get_mut(key);
        let Some(running) = running.filter(|it| it.state.generation == generation) else {
            return;
        };
        running.state.status = AnalysisStatus::Failed;
        let failed = running.state.clone();
        self.tell(Event::Analysis(failed));
        let message = format!("The analysis failed: {reason}. The log has more.");
        self.notice(NoticeLevel::Error, message);
    }
}
