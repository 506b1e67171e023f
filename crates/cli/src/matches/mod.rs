//! `kibitz match`: two set-ups of the engine, one question.

mod config;

use crate::{clock::Stopwatch, configured::HomeArgs, failure, interrupt, openings};
use anyhow::Context as _;
use app::matches::{self, End, Match, Outcome, Pair, Played, Standing};
use arena::stats::{EloModel, Estimate, Sprt, Verdict};
use config::Config;
use othello::{
    Side,
    notation::{Format, Record},
};
use std::{
    fs::File,
    io::{self, BufWriter, IsTerminal as _, Write},
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

const EXAMPLES: &str = "\
Examples:
  kibitz match --a depth=6 --b evaluator=classic,depth=6 --openings xot.txt --pairs 100
  kibitz match --a weights=new.weights,time-ms=50 --b time-ms=50 --openings xot.txt --sprt 0,5
  kibitz match --a level=elo_800 --b level=corner_lover --openings xot.txt --workers 2 --json

A side is key=value,…:
  evaluator        pattern or classic; if it is left out, as configured
  weights          a file in place of the configured or shipped weights
  engine           alphabeta or mcts; if it is left out, as configured
  depth, nodes     limits of each search that replay
  time-ms          a limit that does not
  level            a level of `kibitz levels`; its depth and its perfect ends hold, its time does
                   not; in the place of a depth full has a million nodes
  exact            play perfectly from so many empty squares on; without a level 0
  selectivity, end-selectivity   pruning by prediction, 0 (most) to 5 (none), as in analyze
  hash-mb          table size, 16
  threads          of each search, 1; with more nothing replays
  seed             chance of mcts

Each opening is played twice with colours swapped. Ctrl-C ends the match with what is finished.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The side whose strength is asked
    #[arg(long, value_name = "SIDE")]
    a: Config,
    /// Its opponent
    #[arg(long, value_name = "SIDE")]
    b: Config,
    /// Where games begin: transcripts, boards, OBF, GGF or WTHOR
    #[arg(long, value_name = "FILE")]
    openings: PathBuf,
    /// Pairs of games at most; without it one for each opening
    #[arg(long, value_name = "N")]
    pairs: Option<usize>,
    /// Games at the same time; more than there are cores spoil limits in time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: u16,
    /// Order of the openings, and chance of weak levels
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Stop as soon as it is clear whether A is ELO0 or ELO1 better
    #[arg(long, value_name = "ELO0,ELO1", value_parser = elo_bounds, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,
    /// What the bounds of --sprt are measured in
    #[arg(long, value_enum, default_value_t = Model::Logistic, requires = "sprt")]
    elo_model: Model,
    /// How likely the test may accept ELO1 wrongly
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    alpha: f64,
    /// How likely the test may accept ELO0 wrongly
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    beta: f64,
    /// Write the games here: GGF if the name ends in .ggf, transcripts otherwise
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    #[command(flatten)]
    home: HomeArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Model {
    /// Elo as in rating lists
    Logistic,
    /// In standard deviations of a game's score
    Normalised,
}

fn elo_bounds(text: &str) -> Result<(f64, f64), String> {
    let parse = || {
        let (elo0, elo1) = text.split_once(',')?;
        Some((elo0.trim().parse().ok()?, elo1.trim().parse().ok()?))
    };
    parse().ok_or_else(|| "expected two numbers, such as 0,5".to_owned())
}

impl Args {
    fn sprt(&self) -> anyhow::Result<Option<Sprt>> {
        let Some((elo0, elo1)) = self.sprt else {
            return Ok(None);
        };
        let model = match self.elo_model {
            Model::Logistic => EloModel::Logistic,
            Model::Normalised => EloModel::Normalised,
        };
        let sprt = Sprt::new(model, elo0, elo1, self.alpha, self.beta);
        Ok(Some(sprt.context("--sprt")?))
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let sprt = args.sprt()?;
    let openings = openings::read(&args.openings)?;
    let plan = Match {
        contenders: config::contenders(&args.home.read()?, &args.a, &args.b)?,
        pairs: args.pairs.unwrap_or(openings.len()),
        openings: &openings,
        workers: args.workers.into(),
        seed: args.seed,
        sprt,
    };
    let mut games = args
        .games
        .as_deref()
        .map(|path| Games::create(path, [&args.a, &args.b]))
        .transpose()?;
    let stop = interrupt::flag()?;
    let watch = Stopwatch::start();
    let now_ms = || watch.elapsed().as_millis() as u64;
    let shows = io::stderr().is_terminal();
    let mut failure = None;
    let outcome = matches::play(&plan, &now_ms, &stop, |pair, standing, verdict| {
        for played in &pair.games {
            tell_failure(pair.number, played);
        }
        if let Some(games) = &mut games
            && failure.is_none()
            && let Err(error) = games.add(pair)
        {
            failure = Some(error);
            stop.store(true, Ordering::Relaxed);
        }
        if shows {
            let line = progress(&plan, standing, verdict, watch.elapsed().as_secs_f64());
            // Progress that cannot be shown is no loss.
            write!(io::stderr(), "\r\x1b[K{line}").ok();
        }
    });
    if shows {
        write!(io::stderr(), "\r\x1b[K").ok();
    }
    if let Some(error) = failure {
        return Err(error);
    }
    let summary = Summary {
        args,
        n_openings: openings.len(),
        n_pairs: plan.pairs,
        sprt,
        outcome: outcome?,
        seconds: watch.elapsed().as_secs_f64(),
    };
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&summary.json())?)?;
    } else {
        summary.print(&mut out)?;
    }
    Ok(out.flush()?)
}

/// A player that failed has lost its game, and the user who tests it wants to know.
fn tell_failure(pair: usize, played: &Played) {
    if let Some((side, how)) = &played.failure {
        let name = if *side == played.side_of_a { "A" } else { "B" };
        failure::complain(&format!("pair {}: {name} ({side}) {how}", pair + 1));
    }
}

fn progress(
    plan: &Match<'_>,
    standing: &Standing,
    verdict: Option<Verdict>,
    seconds: f64,
) -> String {
    let n_pairs = standing.results.pairs();
    let left = seconds * (plan.pairs as f64 - n_pairs as f64) / n_pairs.max(1) as f64;
    let test = verdict.map_or_else(String::new, |verdict| format!(", {verdict}"));
    format!(
        "{n_pairs} of {} pairs, {}{test}, {left:.0} s left",
        plan.pairs,
        standing.estimate()
    )
}

/// A file of games that grows.
struct Games {
    file: BufWriter<File>,
    path: PathBuf,
    format: Format,
    names: [String; 2],
}

impl Games {
    fn create(path: &Path, sides: [&Config; 2]) -> anyhow::Result<Self> {
        let file =
            File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        let is_ggf = path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("ggf"));
        Ok(Self {
            file: BufWriter::new(file),
            path: path.to_owned(),
            format: if is_ggf {
                Format::Ggf
            } else {
                Format::Transcript
            },
            names: [format!("A {}", sides[0]), format!("B {}", sides[1])],
        })
    }

    fn add(&mut self, pair: &Pair) -> anyhow::Result<()> {
        for played in &pair.games {
            self.write(played)
                .with_context(|| format!("cannot write {}", self.path.display()))?;
        }
        Ok(())
    }

    fn write(&mut self, played: &Played) -> anyhow::Result<()> {
        let [a, b] = self.names.clone().map(Some);
        let mut record = Record::from(played.game.clone());
        record.players = match played.side_of_a {
            Side::Black => [a, b],
            Side::White => [b, a],
        };
        record.result = Some(match played.side_of_a {
            Side::Black => 100 * played.discs,
            Side::White => -100 * played.discs,
        });
        record.write_text(self.format, &mut self.file)?;
        // Whole games only, also for a reader of the file in between.
        Ok(self.file.flush()?)
    }
}

/// A match that is over, to be printed.
struct Summary<'a> {
    args: &'a Args,
    n_openings: usize,
    n_pairs: usize,
    sprt: Option<Sprt>,
    outcome: Outcome,
    seconds: f64,
}

impl Summary<'_> {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let standing = self.outcome.standing;
        let results = standing.results;
        let games = results.trinomial();
        let estimate = standing.estimate();
        writeln!(out, "A  {}", self.args.a)?;
        writeln!(out, "B  {}", self.args.b)?;
        let opening = if self.n_openings == 1 {
            "opening"
        } else {
            "openings"
        };
        writeln!(
            out,
            "{} of {} pairs in {:.1} s, {} {opening}, seed {}",
            results.pairs(),
            self.n_pairs,
            self.seconds,
            self.n_openings,
            self.args.seed
        )?;
        writeln!(
            out,
            "A won {}, drew {}, lost {}",
            games.wins, games.draws, games.losses
        )?;
        let discs = standing
            .mean_discs()
            .map_or_else(|| "-".to_owned(), |mean| format!("{:+.2}", mean + 0.0));
        let error = estimate
            .score_error
            .map_or_else(String::new, |error| format!(" ± {:.1}", 100.0 * error));
        writeln!(
            out,
            "score {:.1}{error} %, mean disc difference {discs}",
            100.0 * estimate.score
        )?;
        writeln!(
            out,
            "pairs  LL {}  LD {}  WL {}  DD {}  WD {}  WW {}",
            results.loss_loss,
            results.loss_draw,
            results.win_loss,
            results.draw_draw,
            results.win_draw,
            results.win_win
        )?;
        writeln!(out, "{estimate}")?;
        if let (Some(sprt), Some(verdict)) = (self.sprt, self.outcome.verdict) {
            let (elo0, elo1) = sprt.elo_bounds();
            writeln!(
                out,
                "SPRT [{elo0}, {elo1}] {} Elo  {verdict}",
                model_name(sprt.model())
            )?;
        }
        if self.outcome.end == End::Stopped {
            writeln!(out, "interrupted")?;
        }
        Ok(())
    }

    fn json(&self) -> Json {
        let standing = self.outcome.standing;
        let results = standing.results;
        let games = results.trinomial();
        let Estimate {
            score,
            score_error,
            elo,
            elo_error,
            normalised_elo,
            normalised_elo_error,
            los,
            ..
        } = standing.estimate();
        // JSON has no infinity: a side that won every game has no rating difference.
        let finite = |elo: f64| Some(elo).filter(|elo| elo.is_finite());
        Json {
            a: self.args.a.to_string(),
            b: self.args.b.to_string(),
            openings: self.n_openings,
            seed: self.args.seed,
            pairs: results.pairs(),
            pairs_asked: self.n_pairs,
            wins: games.wins,
            draws: games.draws,
            losses: games.losses,
            score,
            score_error,
            mean_disc_difference: standing.mean_discs(),
            pentanomial: Pentanomial {
                loss_loss: results.loss_loss,
                loss_draw: results.loss_draw,
                win_loss: results.win_loss,
                draw_draw: results.draw_draw,
                win_draw: results.win_draw,
                win_win: results.win_win,
            },
            elo: finite(elo.0),
            elo_error,
            normalised_elo: finite(normalised_elo.0),
            normalised_elo_error,
            los,
            sprt: self.sprt.zip(self.outcome.verdict).map(|(sprt, verdict)| {
                let (elo0, elo1) = sprt.elo_bounds();
                Test {
                    model: model_name(sprt.model()),
                    elo0,
                    elo1,
                    alpha: self.args.alpha,
                    beta: self.args.beta,
                    llr: verdict.llr,
                    lower: verdict.lower,
                    upper: verdict.upper,
                    decision: verdict.decision.to_string(),
                }
            }),
            end: match self.outcome.end {
                End::Finished => "finished",
                End::Decided => "decided",
                End::Stopped => "interrupted",
            },
            seconds: self.seconds,
        }
    }
}

const fn model_name(model: EloModel) -> &'static str {
    match model {
        EloModel::Logistic => "logistic",
        EloModel::Normalised => "normalised",
        EloModel::Bayesian => "bayesian",
    }
}

/// The match as `--json` prints it.
#[derive(Debug, serde::Serialize)]
struct Json {
    a: String,
    b: String,
    openings: usize,
    seed: u64,
    pairs: u64,
    pairs_asked: usize,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    score_error: Option<f64>,
    mean_disc_difference: Option<f64>,
    pentanomial: Pentanomial,
    elo: Option<f64>,
    elo_error: Option<f64>,
    normalised_elo: Option<f64>,
    normalised_elo_error: Option<f64>,
    los: f64,
    sprt: Option<Test>,
    end: &'static str,
    seconds: f64,
}

#[derive(Debug, serde::Serialize)]
struct Pentanomial {
    loss_loss: u64,
    loss_draw: u64,
    win_loss: u64,
    draw_draw: u64,
    win_draw: u64,
    win_win: u64,
}

#[derive(Debug, serde::Serialize)]
struct Test {
    model: &'static str,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    llr: f64,
    lower: f64,
    upper: f64,
    decision: String,
}
