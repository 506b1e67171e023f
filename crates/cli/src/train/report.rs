//! What is left of a training for people: `report.json` and a plot.

use super::plot::{Panel, Series, figure};
use crate::usage::Usage;
use anyhow::Context as _;
use app::{
    output,
    training::{
        LinearRun, Measured, MoveLimit, StageError, StagesSettings, TdEnd, TdRun, TrainingSettings,
    },
};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Writes a report and its plot under given names.
pub(super) fn write(
    json: &Path,
    svg: &Path,
    report: &impl serde::Serialize,
    figure: &str,
) -> anyhow::Result<()> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    output::write(json, text.as_bytes())?;
    Ok(output::write(svg, figure.as_bytes())?)
}

/// Writes `NAME.report.json` and `NAME.report.svg`, where `NAME.…` is the file that the report is
/// about, to its folder or another.
pub(super) fn write_beside(
    file: &Path,
    folder: Option<&Path>,
    report: &impl serde::Serialize,
    figure: &str,
) -> anyhow::Result<()> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let folder = match folder {
        Some(folder) => {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot create {}", folder.display()))?;
            folder.to_owned()
        }
        None => file.parent().map_or_else(PathBuf::new, Path::to_owned),
    };
    let named = |ending: &str| folder.join(format!("{stem}.report.{ending}"));
    write(&named("json"), &named("svg"), report, figure)
}

/// The constants by name: numbers as numbers.
fn constants<S: TrainingSettings>(settings: &S) -> BTreeMap<&'static str, serde_json::Value> {
    let value = |name| {
        let text = settings.get(name).unwrap_or_default();
        let number = text.parse::<serde_json::Number>();
        number.map_or(serde_json::Value::String(text), serde_json::Value::Number)
    };
    S::CONSTANTS
        .iter()
        .map(|constant| (constant.name, value(constant.name)))
        .collect()
}

#[derive(Debug, serde::Serialize)]
struct MatchRow {
    games: u64,
    win_rate: f64,
}

/// The report of a TD(λ)-Leaf training.
#[derive(Debug, serde::Serialize)]
pub(super) struct TdReport {
    training: &'static str,
    end: &'static str,
    games: u64,
    failed_games: f64,
    mean_difference: f64,
    black_share: f64,
    white_share: f64,
    draw_share: f64,
    mean_moves: f64,
    mean_error_discs: f64,
    weights_changed_share: f64,
    changes_per_weight: f64,
    repaired_weights: f64,
    curve: Vec<TdRow>,
    against_random: Vec<MatchRow>,
    session: SessionRow,
    settings: BTreeMap<&'static str, serde_json::Value>,
}

#[derive(Debug, serde::Serialize)]
struct TdRow {
    games: u64,
    error_discs: f64,
    value_deviation_discs: f64,
    mean_difference: f64,
}

/// What the last session measured of itself.
#[derive(Debug, serde::Serialize)]
struct SessionRow {
    games: u64,
    seconds: f64,
    threads: usize,
    hash_mb_per_thread: usize,
    games_per_second: f64,
    /// Where the limit is a time: what it allows if nothing else took any.
    allowed_games_per_second: Option<f64>,
    share_of_allowed: Option<f64>,
    search_ms: f64,
    update_ms_per_game: f64,
    checkpoints: u64,
    slowest_checkpoint_seconds: f64,
    checkpoint_bytes: u64,
    cpu_share: Option<f64>,
    peak_memory_mb: Option<f64>,
}

impl SessionRow {
    fn new(measured: &Measured, limit: MoveLimit, cpu_seconds: Option<f64>) -> Self {
        let allowed = match limit {
            MoveLimit::Time(ms) => Some(measured.allowed_games_per_second(ms)),
            MoveLimit::Depth(_) | MoveLimit::Nodes(_) => None,
        };
        let share = |allowed: f64| measured.games_per_second() / allowed.max(f64::MIN_POSITIVE);
        let thread_seconds = (measured.seconds * measured.threads as f64).max(1e-9);
        Self {
            games: measured.games,
            seconds: measured.seconds,
            threads: measured.threads,
            hash_mb_per_thread: measured.hash_mb,
            games_per_second: measured.games_per_second(),
            allowed_games_per_second: allowed,
            share_of_allowed: allowed.filter(|it| *it > 0.0).map(share),
            search_ms: measured.search_ms(),
            update_ms_per_game: measured.update_ms_per_game(),
            checkpoints: measured.saves,
            slowest_checkpoint_seconds: measured.slowest_save_seconds,
            checkpoint_bytes: measured.checkpoint_bytes,
            cpu_share: cpu_seconds.map(|cpu| cpu / thread_seconds),
            peak_memory_mb: Usage::now().map(|usage| usage.peak_mb),
        }
    }
}

impl TdReport {
    pub(super) fn new(
        run: &TdRun,
        end: &TdEnd,
        measured: &Measured,
        cpu_seconds: Option<f64>,
    ) -> Self {
        let trainer = run.trainer();
        let total = trainer.total();
        let [black_share, white_share, draw_share] = total.shares();
        Self {
            training: "td",
            end: match end {
                TdEnd::Finished => "finished",
                TdEnd::Interrupted => "interrupted",
                TdEnd::Paused { .. } => "paused",
            },
            games: trainer.games(),
            failed_games: total.failed,
            mean_difference: total.mean_difference(),
            black_share,
            white_share,
            draw_share,
            mean_moves: total.mean_moves(),
            mean_error_discs: total.mean_error(),
            weights_changed_share: trainer.learner().touched_share(),
            changes_per_weight: trainer.learner().updates_per_touched(),
            repaired_weights: total.repaired,
            curve: (trainer.curve().iter())
                .map(|point| TdRow {
                    games: point.games,
                    error_discs: point.error,
                    value_deviation_discs: point.deviation,
                    mean_difference: point.difference,
                })
                .collect(),
            against_random: (trainer.matches().iter())
                .map(|point| MatchRow {
                    games: point.games,
                    win_rate: point.win_rate,
                })
                .collect(),
            session: SessionRow::new(measured, trainer.settings().limit, cpu_seconds),
            settings: constants(trainer.settings()),
        }
    }

    pub(super) fn figure(&self) -> String {
        let along = |y: fn(&TdRow) -> f64| {
            (self.curve.iter())
                .map(|row| (row.games as f64, y(row)))
                .collect()
        };
        let learning = Panel {
            x_label: "games",
            y_label: "discs",
            series: vec![
                Series {
                    name: "mean error",
                    points: along(|row| row.error_discs),
                },
                Series {
                    name: "deviation of the evaluations",
                    points: along(|row| row.value_deviation_discs),
                },
            ],
        };
        figure(
            &format!("TD(λ)-Leaf, {} games", self.games),
            &[learning, against_random(&self.against_random)],
        )
    }

    /// The lines that end a session in the terminal.
    pub(super) fn summary(&self) -> Vec<String> {
        let session = &self.session;
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let mut lines = vec![
            format!(
                "{} after {} games: error {:.3} discs, {} of the weights changed, {:.0} times each",
                self.end,
                self.games,
                self.curve
                    .last()
                    .map_or(self.mean_error_discs, |row| row.error_discs),
                percent(self.weights_changed_share),
                self.changes_per_weight
            ),
            format!(
                "this session: {} games, {:.1} s, {:.2} games/s, search {:.2} ms a move, update \
                 {:.3} ms a game",
                session.games,
                session.seconds,
                session.games_per_second,
                session.search_ms,
                session.update_ms_per_game
            ),
        ];
        if let Some(row) = self.against_random.last() {
            lines.push(format!(
                "against random moves after {} games: {} of the points",
                row.games,
                percent(row.win_rate)
            ));
        }
        if let (Some(allowed), Some(share)) =
            (session.allowed_games_per_second, session.share_of_allowed)
        {
            lines.push(format!(
                "the limit allows {allowed:.2} games/s: {}",
                percent(share)
            ));
        }
        if let (Some(cpu), Some(peak)) = (session.cpu_share, session.peak_memory_mb) {
            lines.push(format!(
                "{} threads {} busy, at most {peak:.0} MB, slowest of {} checkpoints {:.2} s",
                session.threads,
                percent(cpu),
                session.checkpoints,
                session.slowest_checkpoint_seconds
            ));
        }
        lines
    }
}

fn against_random(rows: &[MatchRow]) -> Panel {
    Panel {
        x_label: "games",
        y_label: "% of the points",
        series: vec![Series {
            name: "against random moves",
            points: (rows.iter())
                .map(|row| (row.games as f64, 100.0 * row.win_rate))
                .collect(),
        }],
    }
}

/// The report of a TD(λ) training of the classic weights.
#[derive(Debug, serde::Serialize)]
pub(super) struct LinearReport {
    training: &'static str,
    end: &'static str,
    games: u64,
    failed_games: u64,
    resets: u64,
    seconds: f64,
    weights: BTreeMap<&'static str, f64>,
    curve: Vec<LinearRow>,
    against_random: Vec<MatchRow>,
    settings: BTreeMap<&'static str, serde_json::Value>,
}

#[derive(Debug, serde::Serialize)]
struct LinearRow {
    games: u64,
    /// In won games.
    error: f64,
}

impl LinearReport {
    pub(super) fn new(run: &LinearRun, finished: bool, seconds: f64) -> Self {
        let linear = run.linear();
        Self {
            training: "linear",
            end: if finished { "finished" } else { "interrupted" },
            games: linear.games(),
            failed_games: linear.failed(),
            resets: linear.resets(),
            seconds,
            weights: run.weights().into_iter().collect(),
            curve: (linear.curve().iter())
                .map(|point| LinearRow {
                    games: point.games,
                    error: point.error,
                })
                .collect(),
            against_random: (linear.matches().iter())
                .map(|point| MatchRow {
                    games: point.games,
                    win_rate: point.win_rate,
                })
                .collect(),
            settings: constants(linear.settings()),
        }
    }

    pub(super) fn figure(&self) -> String {
        let learning = Panel {
            x_label: "games",
            y_label: "won games",
            series: vec![Series {
                name: "mean error",
                points: (self.curve.iter())
                    .map(|row| (row.games as f64, row.error))
                    .collect(),
            }],
        };
        figure(
            &format!("TD(λ) of the classic weights, {} games", self.games),
            &[learning, against_random(&self.against_random)],
        )
    }
}

/// The report of a fit.
#[derive(Debug, serde::Serialize)]
pub(super) struct FitReport {
    training: &'static str,
    stages: Vec<StageRow>,
    settings: FitConstants,
}

#[derive(Debug, serde::Serialize)]
struct FitConstants {
    ridge: f32,
    iterations: usize,
    smoothing: f32,
    neighbour_weight: f32,
    search_weight: f32,
    later_weight: f32,
}

#[derive(Debug, serde::Serialize)]
struct StageRow {
    empties: [usize; 2],
    positions: usize,
    error_discs: f64,
    held_out_positions: usize,
    held_out_error_discs: Option<f64>,
}

impl FitReport {
    pub(super) fn new(settings: StagesSettings, stages: &[StageError]) -> Self {
        let mut rows: Vec<StageRow> = stages
            .iter()
            .map(|error| StageRow {
                empties: [2 * error.stage, 2 * error.stage + 1],
                positions: error.n_train,
                error_discs: error.train,
                held_out_positions: error.n_held_out,
                held_out_error_discs: (error.n_held_out > 0).then_some(error.held_out),
            })
            .collect();
        rows.sort_by_key(|row| row.empties);
        Self {
            training: "fit",
            stages: rows,
            settings: FitConstants {
                ridge: settings.stage.ridge,
                iterations: settings.stage.max_iterations,
                smoothing: settings.smoothing,
                neighbour_weight: settings.neighbour_weight,
                search_weight: settings.search_weight,
                later_weight: settings.later_weight,
            },
        }
    }

    pub(super) fn figure(&self) -> String {
        let x = |row: &StageRow| row.empties[0] as f64 + 0.5;
        let panel = Panel {
            x_label: "empty squares",
            y_label: "mean absolute error in discs",
            series: vec![
                Series {
                    name: "learned from",
                    points: (self.stages.iter())
                        .map(|row| (x(row), row.error_discs))
                        .collect(),
                },
                Series {
                    name: "held out",
                    points: (self.stages.iter())
                        .filter_map(|row| Some((x(row), row.held_out_error_discs?)))
                        .collect(),
                },
            ],
        };
        figure("Error of the fit by stage", &[panel])
    }
}
