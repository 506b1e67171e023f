//! A tournament as JSON, the same for the command line and for the page.

use super::{Curve, Report, Tournament, TournamentError};
use arena::stats::{Decision, Trinomial};
use game::Side;
use serde::Serialize;

/// Everything about a tournament, in the shape of its JSON.
#[derive(Debug, Serialize)]
pub struct Json {
    id: u64,
    name: String,
    game: &'static str,
    format: String,
    seed: u64,
    pairs: u64,
    pairs_asked: u64,
    rounds_missing: u32,
    n_games: u64,
    standings: Vec<Standing>,
    crosstable: Vec<Vec<Cell>>,
    superiority: Vec<Vec<Option<f64>>>,
    first_move: FirstMove,
    draw_share: Option<f64>,
    draw_model: Option<f64>,
    sprt: Option<Sprt>,
    llr_curve: Vec<(u64, f64)>,
    elo_curve: Vec<(u64, f64, Option<f64>)>,
    reasons: std::collections::BTreeMap<&'static str, u64>,
    openings: Vec<Opening>,
    incidents: Vec<Incident>,
    champion: Option<String>,
    games: Vec<Game>,
}

#[derive(Debug, Serialize)]
struct Counts {
    wins: u64,
    draws: u64,
    losses: u64,
}

impl From<Trinomial> for Counts {
    fn from(games: Trinomial) -> Self {
        Self {
            wins: games.wins,
            draws: games.draws,
            losses: games.losses,
        }
    }
}

#[derive(Debug, Serialize)]
struct Standing {
    name: String,
    points: f64,
    games: u64,
    #[serde(flatten)]
    counts: Counts,
    elo: Option<f64>,
    elo_error: Option<f64>,
    ahead_of_next: Option<f64>,
    faults: u64,
    first: Counts,
    second: Counts,
    moves: u64,
    thinking_ms: u64,
    longest_ms: u64,
    latency_ms: u64,
    longest_latency_ms: u64,
}

#[derive(Debug, Serialize)]
struct Cell {
    points: f64,
    games: u64,
}

#[derive(Debug, Serialize)]
struct FirstMove {
    #[serde(flatten)]
    counts: Counts,
    elo: Option<f64>,
    elo_error: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Sprt {
    elo0: f64,
    elo1: f64,
    model: String,
    llr: f64,
    lower: f64,
    upper: f64,
    decision: &'static str,
    pentanomial: [u64; 5],
    elo: Option<f64>,
    elo_error: Option<f64>,
    normalised_elo: Option<f64>,
    los: f64,
}

#[derive(Debug, Serialize)]
struct Opening {
    opening: usize,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Debug, Serialize)]
struct Incident {
    seconds: u64,
    pair: Option<u64>,
    game: Option<usize>,
    text: String,
    is_fault: bool,
}

#[derive(Debug, Serialize)]
struct Game {
    pair: u64,
    round: u32,
    opening: Option<usize>,
    black: String,
    white: String,
    result: &'static str,
    discs: Option<i32>,
    reason: &'static str,
    detail: String,
    start: Option<String>,
    opening_plies: usize,
    moves: String,
}

/// Pairs, value, half of the interval.
fn with_errors(curve: &Curve) -> Vec<(u64, f64, Option<f64>)> {
    let points = curve.0.iter();
    points.map(|it| (it.pairs, it.value, it.error)).collect()
}

/// JSON has no infinity.
fn finite(number: f64) -> Option<f64> {
    Some(number).filter(|it| it.is_finite())
}

/// Everything about a tournament; the players of the tables are in the order of its settings.
pub fn report(tournament: &Tournament, report: &Report) -> Result<Json, TournamentError> {
    let settings = &tournament.settings;
    let name = |player: usize| settings.engines[player].name.clone();
    let cells = report.crosstable.iter().map(|row| {
        let cell = |&(half_points, games): &(u64, u64)| Cell {
            points: half_points as f64 / 2.0,
            games,
        };
        row.iter().map(cell).collect()
    });
    let incidents = report.incidents.iter().map(|it| Incident {
        seconds: it.seconds,
        pair: it.game.map(|(pair, _)| pair + 1),
        game: it.game.map(|(_, game)| game + 1),
        text: it.text.clone(),
        is_fault: it.is_fault,
    });
    let openings = report.openings.iter().map(|it| Opening {
        opening: it.opening + 1,
        counts: it.games.into(),
    });
    Ok(Json {
        id: tournament.id,
        name: settings.name.clone(),
        game: settings.game.name(),
        format: settings.format.clone(),
        seed: settings.seed,
        pairs: report.pairs,
        pairs_asked: report.pairs_asked,
        rounds_missing: report.rounds_missing,
        n_games: report.games,
        standings: standings(tournament, report),
        crosstable: cells.collect(),
        superiority: report.superiority.clone(),
        first_move: FirstMove {
            counts: report.first_move.games.into(),
            elo: report.first_move.elo.map(|it| it.0),
            elo_error: report.first_move.elo.map(|it| it.1),
        },
        draw_share: report.draw_share,
        draw_model: report.draw_model,
        sprt: sprt(tournament, report),
        llr_curve: report
            .llr_curve
            .0
            .iter()
            .map(|it| (it.pairs, it.value))
            .collect(),
        elo_curve: with_errors(&report.elo_curve),
        reasons: report
            .reasons
            .iter()
            .map(|(it, n)| (it.name(), *n))
            .collect(),
        openings: openings.collect(),
        incidents: incidents.collect(),
        champion: report.champion.map(name),
        games: games(tournament)?,
    })
}

fn standings(tournament: &Tournament, report: &Report) -> Vec<Standing> {
    let name = |player: usize| tournament.settings.engines[player].name.clone();
    let standings = report.standings.iter().map(|row| Standing {
        name: name(row.player),
        points: row.half_points as f64 / 2.0,
        games: row.games.games(),
        counts: row.games.into(),
        elo: row.elo.map(|it| it.0),
        elo_error: row.elo.map(|it| it.1),
        ahead_of_next: row.ahead_of_next,
        faults: row.faults,
        first: row.first.into(),
        second: row.second.into(),
        moves: row.time.moves,
        thinking_ms: row.time.thinking_ms,
        longest_ms: row.time.longest_ms,
        latency_ms: row.time.latency_ms,
        longest_latency_ms: row.time.longest_latency_ms,
    });
    standings.collect()
}

fn sprt(tournament: &Tournament, report: &Report) -> Option<Sprt> {
    let test = report.test.as_ref()?;
    let (elo0, elo1) = test.sprt.elo_bounds();
    Some(Sprt {
        elo0,
        elo1,
        model: tournament.settings.sprt.as_ref()?.model.clone(),
        llr: test.verdict.llr,
        lower: test.verdict.lower,
        upper: test.verdict.upper,
        decision: match test.verdict.decision {
            Decision::Continue => "continue",
            Decision::AcceptH0 => "H0",
            Decision::AcceptH1 => "H1",
        },
        pentanomial: test.pairs_by_points(),
        elo: finite(test.estimate.elo.0),
        elo_error: test.estimate.elo_error,
        normalised_elo: finite(test.estimate.normalised_elo.0),
        los: test.estimate.los,
    })
}

/// All games that count, in the order of the pairs.
fn games(tournament: &Tournament) -> Result<Vec<Game>, TournamentError> {
    let settings = &tournament.settings;
    let mut games = Vec::new();
    tournament.for_each_pair(|pair| {
        let [a, b] = pair.pairing.players.map(|it| &settings.engines[it].name);
        for (at, game) in pair.games.iter().enumerate() {
            let (black, white) = match game.first {
                Side::Black => (a, b),
                Side::White => (b, a),
            };
            let made = Game {
                pair: pair.pairing.number + 1,
                round: pair.pairing.round,
                opening: pair.opening.map(|it| it + 1),
                black: black.clone(),
                white: white.clone(),
                result: match game.outcome.winner {
                    Some(Side::White) => "1-0",
                    Some(Side::Black) => "0-1",
                    None => "1/2-1/2",
                },
                discs: game.outcome.black_centidiscs.map(|it| it / 100),
                reason: game.reason.name(),
                detail: game.detail.clone(),
                start: game.start.clone(),
                opening_plies: game.opening_plies,
                moves: game.moves.clone(),
            };
            games.push((pair.pairing.number, at, made));
        }
    })?;
    games.sort_by_key(|(pair, at, _)| (*pair, *at));
    Ok(games.into_iter().map(|(_, _, game)| game).collect())
}
