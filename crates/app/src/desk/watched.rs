//! Our own engine's search behind an analysis that the user watches.

use super::{AnalysisKey, AnalysisStatus, Shared, error::NOT_OTHELLO, tools::AnalystTools};
use crate::{
    Control, Limits,
    config::{EngineConfig, EngineName},
    worker::{Progress, Task, Turn},
};
use game::Position;
use std::sync::{Weak, atomic::Ordering};

/// How many nodes an analysis searches before it gives way to others that wait: some tenths of a
/// second.
const TURN_NODES: u64 = 1 << 20;

/// The search behind an analysis.
pub(super) struct Watched {
    pub(super) shared: Weak<Shared>,
    pub(super) key: AnalysisKey,
    pub(super) generation: u64,
    pub(super) position: Position,
    pub(super) limits: Limits,
    pub(super) config: EngineConfig,
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
