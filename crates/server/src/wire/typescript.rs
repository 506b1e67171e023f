//! The types as TypeScript, in one file.

use ts_rs::{Config, TS};

/// All wire types as the text of `web/src/api/wire.ts`.
pub fn declarations() -> String {
    let config = Config::new().with_large_int("number");
    let mut text = String::from(
        "// Generated from crates/server/src/wire by `KIBITZ_UPDATE=1 cargo test -p server wire`.\n\
         // Do not edit: a test compares it with its source.\n",
    );
    macro_rules! declare {
        ($($name:ident),+ $(,)?) => {
            $(declare::<super::$name>(&config, &mut text);)+
        };
    }
    declare!(
        Side,
        People,
        Mode,
        Awaiting,
        OthelloPosition,
        PositionView,
        LegalMove,
        LastMove,
        Glyph,
        NodeValue,
        Node,
        Opening,
        OutcomeReason,
        Outcome,
        Clock,
        PlayerKind,
        PlayerInfo,
        Players,
        GameTags,
        Blunder,
        SessionView,
        SessionPatch,
        SessionSummary,
    );
    declare!(
        Bound,
        Line,
        Statistics,
        Report,
        AnalysisWish,
        AnalysisStatus,
        AnalysisState,
        Hint,
        PreviewWish,
        PreviewStep,
        Preview,
    );
    declare!(
        ReasonKind,
        Reason,
        Candidate,
        Comparison,
        MistakeKind,
        Mistake,
        Feature,
        FeatureChange,
        Origin,
        Explanation,
        Heat,
        ParityRegion,
        CornerArrowKind,
        CornerArrow,
        Overlays,
        ReviewWish,
        ReviewedMove,
        Review,
    );
    declare!(
        Login,
        Invitation,
        TimeControlWish,
        NewGame,
        SessionChange,
        MoveWish,
        Step,
        GotoWish,
        CommentWish,
        GlyphsWish,
        PromoteWish,
        ErrorCode,
        ErrorBody,
    );
    declare!(
        ImportWish,
        ImportedGame,
        ImportProblem,
        ImportResult,
        ExportFormat,
        Exported
    );
    declare!(
        Theme,
        OverlayName,
        UiSettings,
        Evaluator,
        Book,
        EngineName,
        LateMoves,
        EngineSettings,
        PlaySettings,
        PlaySettingsChange,
        Settings,
        UiSettingsChange,
        EngineSettingsChange,
        SettingsChange,
        Level,
        WeightsInUse,
        About,
        SelfTestCheck,
        SelfTest,
        Health,
    );
    declare!(
        JobKind,
        JobState,
        Job,
        ThinkingState,
        Thinking,
        NoticeLevel,
        Notice,
        ServerEvent,
    );
    text
}

fn declare<T: TS>(config: &Config, text: &mut String) {
    text.push('\n');
    text.push_str(&T::docs().unwrap_or_default());
    text.push_str("export ");
    // A field without a comment leaves the blank before its line break.
    for line in T::decl(config).lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
}
