//! The analyses that the user watches, each of one session by one engine.

use super::{
    Desk, DeskError, Event, NoticeLevel, Shared, Snapshot, State,
    edits::{parse, position_at},
    foreign::{Ear, Judgement, Leash, Thinker, Watch},
    tools::lane,
    watched::Watched,
};
use crate::{
    Limits,
    config::EngineConfig,
    engines::Shelf,
    worker::{Priority, Ticket},
};
use arena::process::{self, Question};
use game::{Kind, Move, NodeId, Position, Report};
use std::sync::Arc;

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
    /// What searches; our own as configured if left out.
    pub engine: Option<Thinker>,
    /// Only these moves, if there are any.
    pub only: Vec<String>,
}

impl AnalysisWish {
    fn n_lines(&self) -> usize {
        if self.all_moves {
            ALL_MOVES
        } else {
            self.lines.unwrap_or(1).clamp(1, ALL_MOVES as u32) as usize
        }
    }

    fn foreign_limits(&self) -> process::Limits {
        process::Limits {
            depth: self.depth,
            time_ms: self.time_ms,
            lines: self.n_lines() as u32,
            ..process::Limits::default()
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
    pub engine: Thinker,
}

/// An analysis and its latest report.
#[derive(Debug, Clone)]
pub struct AnalysisState {
    pub session: String,
    pub engine: Thinker,
    /// What the engine is called.
    pub title: String,
    pub node: NodeId,
    pub position: Position,
    /// Who is to move there.
    pub side: game::Side,
    /// Grows with every analysis.
    pub generation: u64,
    pub status: AnalysisStatus,
    /// How many lines were asked for.
    pub lines: usize,
    /// Whether it follows the session's current node.
    pub follows: bool,
    /// The moves that it looks at; none means all.
    pub only: Vec<Move>,
    /// What it found so far.
    pub report: Option<Report>,
    /// The move that it would play, where it tells no values.
    pub choice: Option<Move>,
    /// What it thinks of the choices of other engines, beside its own lines.
    pub judgements: Vec<Judgement>,
    pub tablebase_hits: Option<u64>,
    /// What went wrong with it, as the rest of a sentence that begins with its name.
    pub trouble: Option<String>,
}

impl AnalysisState {
    pub fn key(&self) -> AnalysisKey {
        AnalysisKey {
            session: self.session.clone(),
            engine: self.engine.clone(),
        }
    }
}

/// An analysis on the desk.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) state: AnalysisState,
    wish: AnalysisWish,
    call: Call,
    /// How it can be asked something in between; `None` while it does not work.
    pub(super) ear: Option<Ear>,
    /// When it was asked something in between, or began.
    pub(super) disturbed_ms: u64,
}

/// How an analysis is called back.
#[derive(Debug)]
enum Call {
    Own(Ticket),
    Foreign(Arc<Leash>),
    /// There is nothing to call back.
    Nobody,
}

impl Call {
    fn back(&self) {
        match self {
            Self::Own(ticket) => ticket.cancel(),
            Self::Foreign(leash) => leash.end(),
            Self::Nobody => {}
        }
    }
}

/// More analyses than this are watched by nobody.
const ANALYSES_MAX: usize = 8;

/// Our own engine is asked about chess.
const NO_CHESS: &str =
    "our own engine plays Othello alone; add an engine for chess under Lab, Engines";

/// Enough lines for every legal move of any position.
const ALL_MOVES: usize = 64;

impl Desk {
    /// Starts an analysis in place of the same engine's analysis of this session. In Play this means
    /// that values were asked for.
    pub fn analyse(&self, id: &str, wish: &AnalysisWish) -> Result<AnalysisState, DeskError> {
        // The shelf is looked at before the state is locked.
        if let Some(Thinker::Foreign(engine)) = &wish.engine {
            let found = Shelf::new(&self.shared.home).find(&engine.to_string());
            found.map_err(|error| DeskError::Invalid(error.to_string()))?;
        }
        let (mut state, id) = self.with_session(id)?;
        state.check_open()?;
        let session = state.session(&id)?;
        let node = wish.node.map_or(session.cursor(), NodeId::from);
        position_at(session, node)?;
        if !session.shows_values() {
            session.set_show_values(true);
            self.shared.save_later(&mut state, &id);
        }
        let usual = Thinker::Own(state.settings.engine().engine);
        let engine = wish.engine.clone().unwrap_or(usual);
        let session = state.session(&id)?;
        if matches!(engine, Thinker::Own(_)) && session.kind() != Kind::Othello {
            return Err(DeskError::Invalid(NO_CHESS.to_owned()));
        }
        let position = position_at(session, node)?;
        for text in &wish.only {
            parse(position, text)?;
        }
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
        engine: Option<&Thinker>,
    ) -> Result<Vec<AnalysisState>, DeskError> {
        let (mut state, id) = self.with_session(id)?;
        state.check_open()?;
        let keys = state.analysis_keys(&id);
        let wanted = |key: &AnalysisKey| engine.is_none_or(|engine| key.engine == *engine);
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

    /// Has the analyses of a session stay where they are, whatever the reader looks at, or follow
    /// the reader again.
    pub fn freeze(&self, id: &str, is_frozen: bool) -> Result<Snapshot, DeskError> {
        let (mut state, id) = self.with_session(id)?;
        state.check_open()?;
        for running in state.analyses.values_mut() {
            if running.state.session == id {
                running.wish.node = is_frozen.then(|| running.state.node.index());
                running.state.follows = !is_frozen;
            }
        }
        self.shared.follow(&mut state, &id);
        let told: Vec<AnalysisState> = state.analyses_of(&id).cloned().collect();
        for analysis in told {
            self.shared.tell(Event::Analysis(analysis));
        }
        self.shared.finish(&state, &id, Ok(()))
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
            before.call.back();
            self.keep_analysis(&before.state);
        }
        let Some(session) = state.sessions.get(&key.session) else {
            return;
        };
        let Some(position) = session.record().position(node).cloned() else {
            return;
        };
        let is_over = session.record().is_over_at(node);
        let question = Question::of(session.record(), node);
        let lines = wish.n_lines();
        state.generation += 1;
        let generation = state.generation;
        let only = wish.only.iter().filter_map(|it| parse(&position, it).ok());
        let mut analysis = AnalysisState {
            session: key.session.clone(),
            engine: key.engine.clone(),
            title: self.engine_title(&key.engine),
            node,
            side: position.side(),
            position: position.clone(),
            generation,
            status: AnalysisStatus::Running,
            lines,
            follows: wish.node.is_none(),
            only: only.collect(),
            report: None,
            choice: None,
            judgements: Vec::new(),
            tablebase_hits: None,
            trouble: None,
        };
        let (call, ear) = if is_over {
            analysis.status = AnalysisStatus::Finished;
            (Call::Nobody, None)
        } else {
            self.call_engine(state, key, &analysis, question, wish)
        };
        if matches!(call, Call::Nobody) && !is_over {
            analysis.status = AnalysisStatus::Failed;
            analysis.trouble = Some("could not be started; the log has more".to_owned());
        }
        self.tell(Event::Analysis(analysis.clone()));
        let running = Running {
            state: analysis,
            wish: wish.clone(),
            call,
            ear,
            disturbed_ms: self.now_ms(),
        };
        state.analyses.insert(key.clone(), running);
    }

    /// Gives the position to whoever analyses it.
    fn call_engine(
        self: &Arc<Self>,
        state: &State,
        key: &AnalysisKey,
        analysis: &AnalysisState,
        question: Question,
        wish: &AnalysisWish,
    ) -> (Call, Option<Ear>) {
        let (generation, position) = (analysis.generation, analysis.position.clone());
        match &key.engine {
            Thinker::Own(own) => {
                let config = EngineConfig {
                    engine: *own,
                    ..state.settings.engine()
                };
                let task = Box::new(self.own_task(key, generation, position, config, wish));
                let ticket = self.analyst.submit(lane(*own), Priority::Analysis, task);
                let ear = own.gives_values().then_some(Ear::Own(config));
                (Call::Own(ticket), ear)
            }
            Thinker::Foreign(_) => {
                let question = Question {
                    only: analysis.only.iter().map(|it| position.uci(*it)).collect(),
                    ..question.with_limits(wish.foreign_limits())
                };
                self.foreign_task(key, generation, position, question)
            }
        }
    }

    fn own_task(
        self: &Arc<Self>,
        key: &AnalysisKey,
        generation: u64,
        position: Position,
        config: EngineConfig,
        wish: &AnalysisWish,
    ) -> Watched {
        Watched {
            shared: self.weak(),
            key: key.clone(),
            generation,
            position,
            limits: Limits {
                depth: wish.depth,
                time_ms: wish.time_ms,
                exact_empties: config.endgame_exact_empties,
                lines: wish.n_lines(),
                ..Limits::default()
            },
            config,
        }
    }

    fn foreign_task(
        self: &Arc<Self>,
        key: &AnalysisKey,
        generation: u64,
        position: Position,
        question: Question,
    ) -> (Call, Option<Ear>) {
        let others = Arc::default();
        let watch = Watch {
            shared: self.weak(),
            key: key.clone(),
            generation,
            position,
            question,
            others: Arc::clone(&others),
        };
        match self.watch(&watch) {
            Some(leash) => {
                let ear = Ear::Foreign {
                    leash: Arc::clone(&leash),
                    others,
                };
                (Call::Foreign(leash), Some(ear))
            }
            None => (Call::Nobody, None),
        }
    }

    /// Has the analyses by an engine begin anew: its settings have changed.
    pub(super) fn begin_anew(self: &Arc<Self>, state: &mut State, engine: &Thinker) {
        let keys = state.analyses.keys().filter(|key| key.engine == *engine);
        for key in keys.cloned().collect::<Vec<_>>() {
            if let Some(running) = state.analyses.get(&key) {
                let (node, wish) = (running.state.node, running.wish.clone());
                self.start_analysis(state, &key, node, &wish);
            }
        }
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
        running.call.back();
        self.keep_analysis(&running.state);
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
    pub(super) fn on_report(
        self: &Arc<Self>,
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
        let node = analysis.node;
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
        self.compare(&mut state, &key.session, node);
    }

    pub(super) fn on_analysis_failed(&self, key: &AnalysisKey, generation: u64, reason: &str) {
        let mut state = self.lock();
        let running = state.analyses.get_mut(key);
        let Some(running) = running.filter(|it| it.state.generation == generation) else {
            return;
        };
        running.state.status = AnalysisStatus::Failed;
        running.state.trouble = Some(reason.to_owned());
        running.ear = None;
        let failed = running.state.clone();
        let is_own = matches!(failed.engine, Thinker::Own(_));
        self.tell(Event::Analysis(failed));
        if !is_own {
            // The card of the engine says it.
            return;
        }
        let message = format!("The analysis failed: {reason}. The log has more.");
        self.notice(NoticeLevel::Error, message);
    }
}
