//! The types as TypeScript, in one file.

use ts_rs::{Config, TS};

/// All wire types as the text of `web/src/api/wire.ts`.
pub fn declarations() -> String {
    let config = Config::new().with_large_int("number");
    let mut text = String::from(
        "// Generated from crates/server/src/wire by `KIBITZ_UPDATE=1 cargo test -p server wire`.\n\
         // Do not edit: a test compares it with its source.\n",
    );
    games(&config, &mut text);
    coach(&config, &mut text);
    commands(&config, &mut text);
    library(&config, &mut text);
    engines(&config, &mut text);
    tournaments(&config, &mut text);
    settings(&config, &mut text);
    text
}

/// Declares types of [`super`], by their names.
macro_rules! declare {
    ($config:ident, $text:ident: $($name:ident),+ $(,)?) => {
        $(declare::<super::$name>($config, $text);)+
    };
}

fn games(config: &Config, text: &mut String) {
    declare!(config, text:
        Side,
        People,
        Mode,
        Awaiting,
        DrawClaim,
        OthelloPosition,
        GameKind,
        ChessBoard,
        PositionView,
        ChessStep,
        LegalMove,
        LastMove,
        Glyph,
        NodeValue,
        Tried,
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
    declare!(config, text:
        Bound,
        Line,
        Statistics,
        Report,
        AnalysisWish,
        FreezeWish,
        Judgement,
        AnalysisStatus,
        AnalysisState,
        Hint,
        PreviewWish,
        PreviewStep,
        Preview,
    );
}

fn coach(config: &Config, text: &mut String) {
    declare!(config, text:
        ReasonKind,
        Reason,
        Candidate,
        Comparison,
        MistakeKind,
        Mistake,
        Feature,
        FeatureChange,
        Origin,
        Look,
        Certainty,
        Severity,
        MoveJudgement,
        Explanation,
        Heat,
        MoveHeat,
        ParityRegion,
        CornerArrowKind,
        CornerArrow,
        Overlays,
        Phase,
        Tally,
        PhaseReview,
        GraphPoint,
        ReviewWish,
        ReviewedMove,
        Review,
        AttemptWish,
        Found,
        Attempt,
        WhereToLook,
    );
}

fn engines(config: &Config, text: &mut String) {
    declare!(config, text:
        EngineEntry,
        KnownEngine,
        EngineNetwork,
        PressWish,
        FoundEngine,
        Engines,
        AddEngineWish,
        ConsentWish,
        OptionKind,
        EngineOption,
        EngineOptions,
        EngineOptionsChange,
        EngineTrial,
        EngineLog,
        ValueGameWish,
    );
}

fn tournaments(config: &Config, text: &mut String) {
    declare!(config, text:
        TournamentFormat,
        TournamentEngine,
        TournamentOpenings,
        TournamentThreshold,
        TournamentTest,
        TournamentTables,
        TournamentWish,
        TournamentState,
        TournamentSummary,
        TournamentRow,
        TournamentCell,
        TournamentCurve,
        TournamentVerdict,
        TournamentIncident,
        TournamentEnd,
        TournamentOpening,
        TournamentView,
        TournamentBoard,
        TournamentBoards,
        TournamentGame,
        TournamentGames,
        TournamentStop,
        TournamentExport,
        TunedParameter,
        TuningView,
    );
}

fn commands(config: &Config, text: &mut String) {
    declare!(config, text:
        Login,
        Invitation,
        TimeControlWish,
        From,
        OpponentWish,
        NewGame,
        SessionChange,
        LineWish,
        PositionWish,
        PositionCheck,
        MoveWish,
        Step,
        GotoWish,
        CommentWish,
        GlyphsWish,
        PromoteWish,
        ErrorCode,
        ErrorBody,
    );
    declare!(config, text:
        ImportWish,
        ImportedGame,
        ImportProblem,
        ImportResult,
        ExportFormat,
        Exported
    );
}

fn library(config: &Config, text: &mut String) {
    declare!(config, text:
        GamesOrder,
        GameRow,
        GamesFound,
        GameDetails,
        OwnTally,
        MoveValue,
        ExploredMove,
        ExploredAnalysis,
        ExploredBook,
        WayBack,
        ExploredPosition,
        SavedSearch,
        LibraryState,
        RecordProblem,
        FileImport,
        FetchSource,
        FetchState,
        FetchWish,
        TokenWish,
        FileReceived,
        OpenWish,
        ChosenGames,
        DeletedGames,
        TagWish,
        NoteWish,
        PositionNote,
        FoundNote,
        SearchWish,
        OwnNames,
        GamesFormat,
        InsightBar,
        InsightPoint,
        Insights,
        ReviewManyWish,
    );
}

fn settings(config: &Config, text: &mut String) {
    declare!(config, text:
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
        LevelKind,
        Worth,
        You,
        WeightsInUse,
        About,
        SelfTestCheck,
        SelfTest,
        Health,
    );
    declare!(config, text:
        JobSubject,
        JobState,
        Job,
        ThinkingState,
        Thinking,
        NoticeLevel,
        Notice,
        ServerEvent,
    );
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
