//! Tournaments of the domain as wire types, and wishes as settings.

use super::{
    TournamentBoard, TournamentBoards, TournamentCell, TournamentCurve, TournamentEnd,
    TournamentEngine, TournamentGame, TournamentGames, TournamentIncident, TournamentOpening,
    TournamentRow, TournamentState, TournamentSummary, TournamentVerdict, TournamentWish,
    TunedParameter, TuningView,
};
use crate::wire::{self, GameKind, game_kind, job, position_view, report, side};
use app::{
    desk,
    engines::Game,
    tournament::{
        self, Curve, DrawSettings, EngineSettings, OpeningSettings, ResignSettings, Settings,
        SprtSettings, TablebaseSettings,
        tuning::{KeptTuning, TuningReport},
    },
};
use game::Side as Colour;

pub(crate) fn tuning_view(kept: &KeptTuning, found: &TuningReport) -> wire::TuningView {
    let state = &found.state;
    let rows = state.parameters().iter().zip(state.values()).enumerate();
    let parameters = rows.map(|(at, (it, value))| TunedParameter {
        name: it.name.clone(),
        start: it.start,
        min: it.min,
        max: it.max,
        value: *value,
        curve: TournamentCurve {
            pairs: found.curve.iter().map(|(step, _)| *step).collect(),
            values: found.curve.iter().map(|(_, values)| values[at]).collect(),
            errors: vec![None; found.curve.len()],
        },
    });
    TuningView {
        id: kept.id,
        name: kept.settings.name.clone(),
        game: match kept.settings.game {
            Game::Chess => GameKind::Chess,
            Game::Othello => GameKind::Othello,
        },
        done: state.done(),
        steps: found.steps,
        is_running: kept.is_claimed(),
        parameters: parameters.collect(),
    }
}

/// What a wish asks for.
pub(crate) fn tournament_settings(wish: TournamentWish) -> Settings {
    let game = match wish.game {
        GameKind::Chess => Game::Chess,
        GameKind::Othello => Game::Othello,
    };
    let engine = |it: TournamentEngine| EngineSettings {
        name: it.name,
        engine: it.engine,
        level: it.level,
        time: it.time,
        depth: it.depth,
        nodes: it.nodes,
        ..EngineSettings::default()
    };
    Settings {
        format: wish.format.name().to_owned(),
        rounds: wish.rounds,
        games: wish.games,
        seeds: wish.seeds,
        seed: wish.seed,
        concurrency: wish.concurrency,
        time: wish.time.filter(|it| !it.trim().is_empty()),
        margin_ms: wish.margin_ms,
        max_moves: wish.max_moves,
        solve_empties: wish.solve_empties,
        ponder: wish.ponder,
        restart: wish.restart,
        affinity: wish.affinity,
        openings: wish.openings.map(|it| OpeningSettings {
            file: it.file.into(),
            order: if it.random { "random" } else { "sequential" }.to_owned(),
            start: 1,
            plies: it.plies,
        }),
        resign: wish.resign.map(|it| ResignSettings {
            score: it.score,
            moves: it.moves,
            two_sided: it.two_sided,
        }),
        draw: wish.draw.map(|it| DrawSettings {
            score: it.score,
            moves: it.moves,
            from_move: it.from_move,
        }),
        tablebases: wish.tables.map(|it| TablebaseSettings {
            folders: vec![it.folder.into()],
            pieces: None,
            ignore_fifty_moves: it.ignore_fifty_moves,
        }),
        sprt: wish.sprt.map(|it| SprtSettings {
            elo0: it.elo0,
            elo1: it.elo1,
            alpha: it.alpha,
            beta: it.beta,
            model: it.model,
            trinomial: false,
        }),
        engines: wish.engines.into_iter().map(engine).collect(),
        ..Settings::new(&wish.name, game)
    }
}

pub(crate) fn tournament_summary(summary: &desk::TournamentSummary) -> wire::TournamentSummary {
    let settings = &summary.settings;
    let names = settings.engines.iter().map(|it| it.name.clone());
    TournamentSummary {
        id: summary.id,
        name: settings.name.clone(),
        game: game_kind(settings.kind()),
        state: match summary.state {
            desk::TournamentState::Running => TournamentState::Running,
            desk::TournamentState::Paused => TournamentState::Paused,
            desk::TournamentState::Finishing => TournamentState::Finishing,
            desk::TournamentState::Stopped => TournamentState::Stopped,
            desk::TournamentState::Finished => TournamentState::Finished,
            desk::TournamentState::Decided => TournamentState::Decided,
            desk::TournamentState::Elsewhere => TournamentState::Elsewhere,
        },
        pairs: summary.pairs,
        pairs_asked: summary.pairs_asked,
        games: summary.games,
        engines: names.collect(),
        description: tournament::describe(settings),
        problem: summary.problem.clone(),
    }
}

fn finite(number: f64) -> Option<f64> {
    Some(number).filter(|it| it.is_finite())
}

fn row(row: &tournament::Row) -> TournamentRow {
    let moves = row.time.moves.max(1) as f64;
    TournamentRow {
        player: row.player,
        games: row.games.games(),
        points: row.half_points as f64 / 2.0,
        wins: row.games.wins,
        draws: row.games.draws,
        losses: row.games.losses,
        elo: row.elo.map(|it| it.0),
        elo_error: row.elo.map(|it| it.1),
        ahead_of_next: row.ahead_of_next,
        faults: row.faults,
        first_share: row.first_share(),
        second_share: row.second_share(),
        mean_ms: row.time.thinking_ms as f64 / moves,
        longest_ms: row.time.longest_ms,
        mean_latency_ms: row.time.latency_ms as f64 / moves,
        longest_latency_ms: row.time.longest_latency_ms,
    }
}

fn curve(curve: &Curve) -> TournamentCurve {
    let points = curve.0.iter();
    TournamentCurve {
        pairs: points.clone().map(|it| it.pairs).collect(),
        values: points.clone().map(|it| it.value).collect(),
        errors: points.map(|it| it.error).collect(),
    }
}

/// Openings that are listed; a file may have thousands.
const OPENINGS_MAX: usize = 50;

/// Incidents that are listed.
const INCIDENTS_MAX: usize = 200;

pub(crate) fn tournament_view(view: &desk::TournamentView) -> wire::TournamentView {
    let found = &*view.report;
    let cells = found.crosstable.iter().zip(&found.superiority);
    let cells = cells.map(|(points, chances)| {
        let both = points.iter().zip(chances);
        both.map(|(&(half_points, games), &superiority)| TournamentCell {
            points: half_points as f64 / 2.0,
            games,
            superiority,
        })
        .collect()
    });
    let mut openings: Vec<_> = found.openings.iter().collect();
    openings.sort_by_key(|it| (std::cmp::Reverse(it.games.games()), it.opening));
    let openings = openings.into_iter().take(OPENINGS_MAX);
    let incidents = found.incidents.iter().rev().take(INCIDENTS_MAX);
    wire::TournamentView {
        summary: tournament_summary(&view.summary),
        job: view.job.as_ref().map(job),
        standings: found.standings.iter().map(row).collect(),
        crosstable: cells.collect(),
        test: verdict(&view.summary.settings, found),
        llr_curve: curve(&found.llr_curve),
        elo_curve: curve(&found.elo_curve),
        rating_curves: found.rating_curves.iter().map(curve).collect(),
        incidents: incidents
            .map(|it| TournamentIncident {
                seconds: it.seconds,
                pair: it.game.map(|(pair, _)| pair),
                game: it.game.map(|(_, game)| game),
                text: it.text.clone(),
                is_fault: it.is_fault,
            })
            .collect(),
        ends: found
            .reasons
            .iter()
            .map(|(reason, games)| TournamentEnd {
                reason: reason.name().to_owned(),
                games: *games,
            })
            .collect(),
        openings: openings
            .map(|it| TournamentOpening {
                opening: it.opening + 1,
                wins: it.games.wins,
                draws: it.games.draws,
                losses: it.games.losses,
            })
            .collect(),
        first_move_elo: found.first_move.elo.map(|it| it.0),
        first_move_error: found.first_move.elo.map(|it| it.1),
        draw_share: found.draw_share,
        champion: found.champion,
    }
}

fn verdict(settings: &Settings, report: &tournament::Report) -> Option<TournamentVerdict> {
    let test = report.test.as_ref()?;
    let asked = settings.sprt.as_ref()?;
    Some(TournamentVerdict {
        elo0: asked.elo0,
        elo1: asked.elo1,
        alpha: asked.alpha,
        beta: asked.beta,
        model: asked.model.clone(),
        llr: test.verdict.llr,
        lower: test.verdict.lower,
        upper: test.verdict.upper,
        decided: test.is_better(),
        pairs: test.pairs_by_points(),
        elo: finite(test.estimate.elo.0),
        elo_error: test.estimate.elo_error,
    })
}

pub(crate) fn tournament_boards(
    settings: &Settings,
    (boards, pairs): &(Vec<desk::Board>, u64),
) -> wire::TournamentBoards {
    let name = |player: usize| settings.engines[player].name.clone();
    let last = |board: &desk::Board| match board.last? {
        game::Move::Othello(action) => Some(action.square()?.index() as u8),
        game::Move::Chess(action) => Some(action.to()),
    };
    let board = |board: &desk::Board| TournamentBoard {
        worker: board.worker,
        pair: board.pair,
        game: board.game,
        black: name(board.players[0]),
        white: name(board.players[1]),
        position: position_view(&board.position),
        last: last(board),
        plies: board.plies,
        black_ms: board.left_ms[0],
        white_ms: board.left_ms[1],
        black_thinks: board.thoughts[Colour::Black.index()].as_ref().map(report),
        white_thinks: board.thoughts[Colour::White.index()].as_ref().map(report),
    };
    TournamentBoards {
        pairs: *pairs,
        boards: boards.iter().map(board).collect(),
    }
}

pub(crate) fn tournament_games(
    settings: &Settings,
    found: &desk::PlayedGames,
) -> wire::TournamentGames {
    let name = |player: usize| settings.engines[player].name.clone();
    let games = found.games.iter().map(|it| TournamentGame {
        pair: it.pair,
        game: it.game,
        round: it.round,
        opening: it.opening.map(|it| it + 1),
        black: name(it.players[0]),
        white: name(it.players[1]),
        winner: it.winner.map(side),
        discs: it.black_centidiscs.map(|it| it / 100),
        reason: it.reason.name().to_owned(),
        plies: it.plies,
    });
    TournamentGames {
        total: found.total,
        games: games.collect(),
    }
}
