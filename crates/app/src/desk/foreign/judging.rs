//! What engines think of each other's choices. Nothing is averaged: each is asked.

use super::{Leash, Thinker};
use crate::{
    Control, Limits,
    config::{EngineConfig, EngineName},
    desk::{
        AnalysisKey, AnalysisStatus, Event, Shared, State,
        tools::{AnalystTools, lane},
    },
    worker::{Priority, Progress, Task, Turn},
};
use game::{Bound, Line, Move, NodeId, Report, Score, Source};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// What an engine thinks of a move that another one chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judgement {
    pub action: Move,
    /// For the side to move.
    pub score: Score,
    pub depth: u32,
    /// When it was found.
    pub at_ms: u64,
}

/// So long an engine thinks before it is disturbed, and between two disturbances.
const CALM_MS: u64 = 1_500;

/// A judgement is asked for again after so long: meanwhile the engine has come deeper.
const STALE_MS: u64 = 20_000;

/// How long our own engine looks at another's choice.
const OWN_MS: u64 = 300;

/// How an analysis can be disturbed for a question in between.
#[derive(Debug, Clone)]
pub(in crate::desk) enum Ear {
    /// Our own engine is asked beside its analysis.
    Own(EngineConfig),
    /// A foreign one is asked in between.
    Foreign {
        leash: Arc<Leash>,
        others: Arc<Mutex<Vec<Move>>>,
    },
}

impl Shared {
    /// Has every engine that looks at a place of a session speak about the choices of the others,
    /// where it has not.
    pub(in crate::desk) fn compare(self: &Arc<Self>, state: &mut State, id: &str, node: NodeId) {
        let now_ms = self.now_ms();
        let choices: Vec<Move> = state
            .analyses_of(id)
            .filter(|it| it.node == node)
            .filter_map(|it| it.report.as_ref()?.best())
            .collect();
        if choices.len() < 2 {
            return;
        }
        let mut asked = Vec::new();
        for (key, running) in &mut state.analyses {
            let analysis = &running.state;
            let is_there = analysis.session == id && analysis.node == node;
            let is_alive = matches!(
                analysis.status,
                AnalysisStatus::Running | AnalysisStatus::Finished
            );
            let Some(report) = analysis.report.as_ref().filter(|_| is_there && is_alive) else {
                continue;
            };
            let is_known = |action: Move| {
                let mut judged = analysis.judgements.iter();
                report.line(action).is_some()
                    || judged.any(|it| it.action == action && now_ms < it.at_ms + STALE_MS)
            };
            let mut missing: Vec<Move> = Vec::new();
            for &action in &choices {
                if !is_known(action) && !missing.contains(&action) {
                    missing.push(action);
                }
            }
            if missing.is_empty() || now_ms < running.disturbed_ms + CALM_MS {
                continue;
            }
            running.disturbed_ms = now_ms;
            match &running.ear {
                Some(Ear::Foreign { leash, others })
                    if analysis.status == AnalysisStatus::Running =>
                {
                    *others.lock().unwrap_or_else(PoisonError::into_inner) = missing;
                    leash.nudge();
                }
                Some(Ear::Own(config)) => {
                    asked.push((key.clone(), analysis.generation, *config, missing));
                }
                _ => {}
            }
        }
        let position = state
            .sessions
            .get(id)
            .and_then(|it| it.record().position(node));
        let Some(position) = position.cloned() else {
            return;
        };
        for (key, generation, config, missing) in asked {
            let task = OwnJudge {
                shared: self.weak(),
                key,
                generation,
                position: position.clone(),
                moves: missing,
                config,
            };
            let lane = lane(EngineName::AlphaBeta);
            self.analyst.submit(lane, Priority::Ask, Box::new(task));
        }
    }

    /// An engine has spoken about moves of others.
    pub(in crate::desk) fn on_judged(&self, key: &AnalysisKey, generation: u64, report: &Report) {
        let at_ms = self.now_ms();
        let mut state = self.lock();
        let running = state.analyses.get_mut(key);
        let Some(running) = running.filter(|it| it.state.generation == generation) else {
            return;
        };
        let analysis = &mut running.state;
        for line in &report.lines {
            let Some(&action) = line.moves.first() else {
                continue;
            };
            analysis.judgements.retain(|it| it.action != action);
            analysis.judgements.push(Judgement {
                action,
                score: line.score,
                depth: report.depth,
                at_ms,
            });
        }
        let told = analysis.clone();
        self.tell(Event::Analysis(told));
    }
}

/// Our own engine about moves of others: by a search of what follows each.
struct OwnJudge {
    shared: Weak<Shared>,
    key: AnalysisKey,
    generation: u64,
    position: game::Position,
    moves: Vec<Move>,
    config: EngineConfig,
}

impl Task<AnalystTools> for OwnJudge {
    fn run(&mut self, tools: &mut AnalystTools, turn: Turn<'_>) -> Progress {
        let Some(shared) = self.shared.upgrade() else {
            return Progress::Done;
        };
        tools.may_use(turn.threads);
        let Ok(analyst) = tools.analyst(self.config) else {
            return Progress::Done;
        };
        let side = self.position.side();
        let mut lines = Vec::new();
        let mut depth = u32::MAX;
        for &action in &self.moves {
            let Ok(mut after) = self.position.play(action) else {
                continue;
            };
            if let Some(pass) = after.forced()
                && let Ok(passed) = after.play(pass)
            {
                after = passed;
            }
            let Some(othello) = after.othello().filter(|it| !it.board.is_game_over()) else {
                continue;
            };
            let limits = Limits {
                time_ms: Some(OWN_MS),
                exact_empties: self.config.endgame_exact_empties,
                ..Limits::default()
            };
            let control = Control {
                now_ms: &|| shared.now_ms(),
                stop: turn.stop,
                observe: &mut |_| {},
            };
            let report = analyst.search(othello, &limits, control);
            depth = depth.min(report.depth + 1);
            lines.push(Line {
                score: report.score_for(side),
                bound: Bound::Exact,
                moves: vec![action],
            });
        }
        if turn.stop.load(std::sync::atomic::Ordering::SeqCst) {
            return Progress::Again;
        }
        let source = Source {
            engine: Thinker::Own(self.config.engine).to_string(),
            version: String::new(),
            weights: None,
        };
        let report = Report {
            lines,
            depth,
            ..Report::new(self.position.clone(), source)
        };
        shared.on_judged(&self.key, self.generation, &report);
        Progress::Done
    }

    fn fail(&mut self, reason: &str) {
        tracing::error!(position = %self.position, reason, "a look at another engine's move failed");
    }
}
