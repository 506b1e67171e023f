//! What goes over the wire, and the TypeScript made from it.
//!
//! These types exist for the browser: plain data, camel case, squares as numbers from 0 (a1) to 63
//! (h8), scores in centidiscs. Values of the domain are turned into them in `convert`, and nothing
//! here is used for anything else. `web/src/api/wire.ts` is generated from this module; a test
//! fails when it is stale.

mod analysis;
mod coach;
mod command;
mod event;
mod import;
mod session;
mod settings;
mod typescript;

pub use analysis::{
    AnalysisState, AnalysisStatus, AnalysisWish, Bound, Hint, Line, Preview, PreviewStep,
    PreviewWish, Report,
};
pub use coach::{
    Candidate, Comparison, CornerArrow, CornerArrowKind, Counterfactual, Explanation,
    FeatureChange, Heat, Mistake, Overlays, ParityRegion, Reason, ReasonKind, Review, ReviewWish,
    ReviewedMove,
};
pub use command::{
    CommentWish, ErrorBody, ErrorCode, GlyphsWish, GotoWish, Invitation, Login, MoveWish, NewGame,
    PromoteWish, SessionChange, Step, TimeControlWish,
};
pub use event::{
    Job, JobKind, JobState, Notice, NoticeLevel, ServerEvent, Thinking, ThinkingState,
};
pub use import::{ExportFormat, Exported, ImportProblem, ImportResult, ImportWish, ImportedGame};
pub use session::{
    Awaiting, Blunder, Clock, GameTags, Glyph, LastMove, LegalMove, Mode, Node, NodeValue, Opening,
    Outcome, OutcomeReason, People, PlayerInfo, PlayerKind, Players, PositionView, SessionSummary,
    SessionView, Side,
};
pub use settings::{
    About, EngineName, EngineSettings, EngineSettingsChange, Evaluator, Health, LateMoves, Level,
    OverlayName, PlaySettings, PlaySettingsChange, SelfTest, SelfTestCheck, Settings,
    SettingsChange, Theme, UiSettings, UiSettingsChange, WeightsInUse,
};
pub use typescript::declarations;
