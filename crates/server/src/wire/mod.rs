//! What goes over the wire, and the TypeScript made from it.
//!
//! These types exist for the browser: plain data, camel case, squares as numbers from 0 (a1) to 63
//! (h8), scores in centidiscs. Each file also turns values of the domain into its types
//! and back; nothing is decided here, and sentences come from `app` and `coach`. `web/src/api/wire.ts` is generated from this module; a test
//! fails when it is stale.

mod analysis;
mod attempt;
mod board;
mod coach;
mod command;
mod engines;
mod event;
mod explorer;
mod fetch;
mod import;
mod library;
mod patch;
mod players;
mod review;
mod session;
mod settings;
mod terms;
mod tournaments;
mod typescript;

pub use analysis::{
    AnalysisState, AnalysisStatus, AnalysisWish, Bound, FreezeWish, Hint, Judgement, Line, Preview,
    PreviewStep, PreviewWish, Report, Statistics,
};
pub use attempt::{Attempt, AttemptWish, Found, WhereToLook};
pub use board::{ChessBoard, ChessStep, GameKind, LegalMove, OthelloPosition, PositionView};
pub use coach::{
    Candidate, Certainty, Comparison, CornerArrow, CornerArrowKind, Explanation, Feature,
    FeatureChange, Heat, Look, Mistake, MistakeKind, MoveHeat, MoveJudgement, Origin, Overlays,
    ParityRegion, Reason, ReasonKind, Severity,
};
pub use command::{
    CommentWish, ErrorBody, ErrorCode, From, GlyphsWish, GotoWish, Invitation, LineWish, Login,
    MoveWish, NewGame, OpponentWish, PositionCheck, PositionWish, PromoteWish, SessionChange, Step,
    TimeControlWish,
};
pub use engines::{
    AddEngineWish, ConsentWish, EngineEntry, EngineLog, EngineNetwork, EngineOption, EngineOptions,
    EngineOptionsChange, EngineTrial, Engines, FoundEngine, KnownEngine, OptionKind, PressWish,
    ValueGameWish,
};
pub use event::{
    Job, JobState, JobSubject, Notice, NoticeLevel, ServerEvent, Thinking, ThinkingState,
};
pub use explorer::{
    ExploredAnalysis, ExploredBook, ExploredMove, ExploredPosition, MoveValue, OwnTally, WayBack,
};
pub use fetch::{FetchSource, FetchState, FetchWish, TokenWish};
pub use import::{ExportFormat, Exported, ImportProblem, ImportResult, ImportWish, ImportedGame};
pub use library::{
    ChosenGames, DeletedGames, FileImport, FileReceived, FoundNote, GameDetails, GameRow,
    GamesFormat, GamesFound, GamesOrder, InsightBar, InsightPoint, Insights, LibraryState,
    NoteWish, OpenWish, OwnNames, PositionNote, RecordProblem, ReviewManyWish, SavedSearch,
    SearchWish, TagWish,
};
pub use patch::SessionPatch;
pub use players::{PlayerInfo, PlayerKind, Players};
pub use review::{GraphPoint, Phase, PhaseReview, Review, ReviewWish, ReviewedMove, Tally};
pub use session::{
    Awaiting, Blunder, Clock, DrawClaim, GameTags, Glyph, LastMove, Mode, Node, NodeValue, Opening,
    Outcome, OutcomeReason, People, SessionSummary, SessionView, Side, Tried,
};
pub use settings::{
    About, Book, EngineName, EngineSettings, EngineSettingsChange, Evaluator, Health, LateMoves,
    Level, LevelKind, OverlayName, PlaySettings, PlaySettingsChange, SelfTest, SelfTestCheck,
    Settings, SettingsChange, Theme, UiSettings, UiSettingsChange, WeightsInUse, Worth, You,
};
pub use tournaments::{
    TournamentBoard, TournamentBoards, TournamentCell, TournamentCurve, TournamentEnd,
    TournamentEngine, TournamentExport, TournamentFormat, TournamentGame, TournamentGames,
    TournamentIncident, TournamentOpening, TournamentOpenings, TournamentRow, TournamentState,
    TournamentStop, TournamentSummary, TournamentTables, TournamentTest, TournamentThreshold,
    TournamentVerdict, TournamentView, TournamentWish, TunedParameter, TuningView,
};
pub use typescript::declarations;

pub(crate) use analysis::{analysis_state, hint, preview, report};
pub(crate) use attempt::attempt;
pub(crate) use board::{game_kind, game_kind_of, legal_move, position_view};
pub(crate) use coach::{explanation, look_of, overlays};
pub(crate) use command::step_of;
pub(crate) use engines::{engine_entry, engine_options, engines, options_change, trial};
pub(crate) use event::{event, job};
pub(crate) use explorer::explored;
pub(crate) use fetch::{fetch_state, fetch_wish};
pub(crate) use import::import;
pub(crate) use library::{file_import, format_of, game_details, game_row, insights, order_of};
pub(crate) use review::review;
pub(crate) use session::{clock, session_view, summary};
pub(crate) use settings::{
    apply, engine_name, engine_name_of, level, self_test, settings, weights, worth,
};
pub(crate) use terms::{glyph, glyph_of, mode, mode_of, people, people_of, side, squares, texts};
pub(crate) use tournaments::{
    tournament_boards, tournament_games, tournament_settings, tournament_summary, tournament_view,
    tuning_view,
};
