//! A foreign engine that looks at the position that the user looks at.

use super::{Leash, Post, Purpose, Task, Thinker};
use crate::desk::{AnalysisKey, AnalysisStatus, Event, Shared};
use arena::{
    process::{Engine, Language, Limits, Question, Trouble},
    thought::Thought,
};
use game::{Kind, Move, Position, Report};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// GTP cannot be interrupted, so an analysis without end is one of so long.
const GTP_MS: u64 = 5_000;

/// How long an engine looks at the choices of others, all together.
const JUDGE_MS: u64 = 700;

/// What a foreign engine is asked, and who wants to know.
#[derive(Debug, Clone)]
pub(in crate::desk) struct Watch {
    pub(in crate::desk) shared: Weak<Shared>,
    pub(in crate::desk) key: AnalysisKey,
    pub(in crate::desk) generation: u64,
    pub(in crate::desk) position: Position,
    pub(in crate::desk) question: Question,
    /// Moves of others that this engine should speak about next.
    pub(in crate::desk) others: Arc<Mutex<Vec<Move>>>,
}

impl Shared {
    /// Has a foreign engine look at a position; gives the way to call it back.
    pub(in crate::desk) fn watch(self: &Arc<Self>, watch: &Watch) -> Option<Arc<Leash>> {
        let Thinker::Foreign(id) = &watch.key.engine else {
            return None;
        };
        let post = Post {
            session: watch.key.session.clone(),
            id: id.clone(),
            purpose: Purpose::Watching,
        };
        let task = || -> Task {
            let watch = watch.clone();
            Box::new(move |seat, leash| watch.run(seat.engine_mut(), leash))
        };
        let failed = watch.clone();
        self.engage(&post, Vec::new(), task, move |reason| failed.fail(reason))
    }
}

/// What becomes of an engine's words. Each of these finds nobody if the analysis was replaced.
impl Shared {
    /// A foreign engine has said something new about its moves.
    fn on_thought(self: &Arc<Self>, watch: &Watch, thought: &Thought, report: Option<Report>) {
        let mut state = self.lock();
        let running = state.analyses.get_mut(&watch.key);
        let Some(running) = running.filter(|it| it.state.generation == watch.generation) else {
            return;
        };
        let analysis = &mut running.state;
        analysis.trouble = None;
        analysis.tablebase_hits = thought.tablebase_hits.filter(|hits| *hits > 0);
        analysis.title = self.engine_title(&watch.key.engine);
        let choice = thought.choice();
        analysis.choice = choice.and_then(|text| watch.position.parse_move(text).ok());
        // After a question in between a search begins anew: until it comes as deep again, what was
        // found before stands.
        let is_deeper = |new: &Report| {
            let old = analysis.report.as_ref();
            old.is_none_or(|old| new.reach() >= old.reach())
        };
        let news = report.filter(is_deeper);
        if let Some(report) = &news {
            analysis.report = Some(report.clone());
        }
        let (told, node) = (analysis.clone(), analysis.node);
        let session = state.sessions.get_mut(&watch.key.session);
        if let (Some(session), Some(report)) = (session, &news)
            && session.kind() == Kind::Chess
        {
            session.learn(node, report);
        }
        self.tell(Event::Analysis(told));
        self.compare(&mut state, &watch.key.session, node);
    }

    /// A foreign engine has nothing more to say.
    fn on_thought_over(&self, watch: &Watch, status: AnalysisStatus) {
        let mut state = self.lock();
        let running = state.analyses.get_mut(&watch.key);
        let Some(running) = running.filter(|it| it.state.generation == watch.generation) else {
            return;
        };
        running.state.status = status;
        running.ear = None;
        let told = running.state.clone();
        self.tell(Event::Analysis(told));
        if let Some(session) = state.sessions.get_mut(&watch.key.session) {
            // The tree has the value now.
            session.changed();
            self.save_later(&mut state, &watch.key.session);
            self.tell_session(&state, &watch.key.session);
        }
    }

    /// A foreign engine failed and will be started again.
    fn on_trouble(&self, watch: &Watch, reason: &str) {
        let mut state = self.lock();
        let running = state.analyses.get_mut(&watch.key);
        if let Some(running) = running.filter(|it| it.state.generation == watch.generation) {
            running.state.trouble = Some(format!("{reason}; it is started again"));
            self.tell(Event::Analysis(running.state.clone()));
        }
    }
}

impl Watch {
    fn fail(&self, reason: &str) {
        tracing::warn!(engine = %self.key.engine, position = %self.position, reason, "an analysis failed");
        if let Some(shared) = self.shared.upgrade() {
            shared.on_analysis_failed(&self.key, self.generation, reason);
        }
    }

    /// Thinks until it is called back, starts again after a failure as often as the engine may, and
    /// speaks about the choices of others in between.
    fn run(&self, engine: &mut Engine, leash: &Leash) {
        // A person wants it to work: earlier failures do not count.
        engine.forgive();
        while leash.rearm() {
            match self.think(engine, leash) {
                Ok(()) => {
                    let others = self.take_others();
                    if others.is_empty() {
                        self.finish();
                        return;
                    }
                    self.judge(engine, leash, &others);
                }
                Err(Trouble::Pausing { wait_ms, .. }) => leash.pause(wait_ms),
                // Ended by us, because its language has no word for a stop.
                Err(Trouble::Interrupted { .. }) => {
                    self.finish();
                    return;
                }
                Err(trouble) if trouble.is_fatal() => self.tell_trouble(&trouble),
                Err(trouble) => {
                    self.fail(&trouble.to_string());
                    return;
                }
            }
        }
    }

    fn take_others(&self) -> Vec<Move> {
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *others)
    }

    fn limits(&self, language: Language) -> Limits {
        let mut limits = self.question.limits;
        if language == Language::Gtp && limits.is_endless() {
            limits.time_ms = Some(GTP_MS);
        }
        limits
    }

    fn think(&self, engine: &mut Engine, leash: &Leash) -> Result<(), Trouble> {
        engine.start()?;
        let question = self
            .question
            .clone()
            .with_limits(self.limits(engine.setup().language));
        let source = engine.identity().source(&self.key.engine.to_string());
        let tell = |thought: &Thought| {
            if let Some(shared) = self.shared.upgrade() {
                let report = thought.report(&self.position, source.clone());
                shared.on_thought(self, thought, report);
            }
        };
        let thought = engine.think(&question, leash.stop(), &mut |thought| tell(thought))?;
        tell(&thought);
        Ok(())
    }

    fn finish(&self) {
        if let Some(shared) = self.shared.upgrade() {
            shared.on_thought_over(self, AnalysisStatus::Finished);
        }
    }

    fn tell_trouble(&self, trouble: &Trouble) {
        if let Some(shared) = self.shared.upgrade() {
            shared.on_trouble(self, &trouble.to_string());
        }
    }

    /// Asks about moves that others chose, one search for all of them.
    fn judge(&self, engine: &mut Engine, leash: &Leash, others: &[Move]) {
        if engine.setup().language != Language::Uci || !leash.rearm() {
            return;
        }
        let question = Question {
            only: others.iter().map(|it| self.position.uci(*it)).collect(),
            ..self.question.clone()
        };
        let question = question.with_limits(Limits {
            time_ms: Some(JUDGE_MS),
            lines: others.len() as u32,
            ..Limits::default()
        });
        let source = engine.identity().source(&self.key.engine.to_string());
        // What goes wrong here goes wrong again in the search that follows, and is told there.
        if let Ok(thought) = engine.think(&question, leash.stop(), &mut |_| {})
            && let Some(report) = thought.report(&self.position, source)
            && let Some(shared) = self.shared.upgrade()
        {
            shared.on_judged(&self.key, self.generation, &report);
        }
    }
}
