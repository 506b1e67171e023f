//! `kibitz elo` and `kibitz sprt`: calculators for games that somebody else has played.

use crate::glicko::{self, Period, Periods};
use anyhow::{Context as _, anyhow, bail};
use arena::stats::{
    EloModel, Encounter, Estimate, GameResult, JointFit, Pentanomial, RatingError, Results, Sprt,
    Trinomial,
};
use game::{Side, Tags, pgn};
use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufReader, Write},
    path::{Path, PathBuf},
};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kibitz elo games.pgn
  kibitz elo a.pgn b.pgn --json

Ratings are fitted to all games together, with the worth of the first move. A draw is half a win and
half a loss. Errors are half of the 95 % interval. Who won everything, or nothing, is rated as if one
game more against each opponent had been drawn. Games that cannot be read are counted and left out.")]
pub(crate) struct EloArgs {
    /// Files of games with the tags White, Black and Result
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    /// Ratings that move with time (Glicko-2), a period for each day, or each round without days
    #[arg(long)]
    glicko: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kibitz sprt 1200 3400 1100 --elo0 0 --elo1 5
  kibitz sprt --penta 10,250,600,280,14 --elo0 0 --elo1 2 --model normalised")]
pub(crate) struct SprtArgs {
    /// Wins, draws and losses
    #[arg(num_args = 3, value_names = ["WINS", "DRAWS", "LOSSES"], required_unless_present = "penta")]
    counts: Vec<u64>,
    /// Pairs of games by points: none, half, one, one and a half, two
    #[arg(
        long,
        value_name = "LL,LD,WL+DD,WD,WW",
        value_parser = five_counts,
        conflicts_with = "counts"
    )]
    penta: Option<FiveCounts>,
    /// What the new version is worth if it is no better
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 0.0,
        allow_hyphen_values = true
    )]
    elo0: f64,
    /// What it is worth if it is better
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 5.0,
        allow_hyphen_values = true
    )]
    elo1: f64,
    /// How likely the test may accept elo1 wrongly
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// How likely the test may accept elo0 wrongly
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,
    /// What the bounds are measured in
    #[arg(long, value_enum, default_value_t = Model::Logistic)]
    model: Model,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Model {
    /// Elo as in rating lists
    Logistic,
    /// In standard deviations of a game's score
    #[value(alias = "normalized")]
    Normalised,
    Bayesian,
}

/// Pairs by their points, from none to two.
#[derive(Debug, Clone, Copy)]
struct FiveCounts([u64; 5]);

fn five_counts(text: &str) -> Result<FiveCounts, String> {
    let counts: Result<Vec<u64>, _> = text.split(',').map(|it| it.trim().parse()).collect();
    let counts = counts.ok().and_then(|it| it.try_into().ok());
    counts
        .map(FiveCounts)
        .ok_or_else(|| "expected five numbers, such as 10,250,600,280,14".to_owned())
}

pub(crate) fn sprt(args: &SprtArgs) -> anyhow::Result<()> {
    let model = match args.model {
        Model::Logistic => EloModel::Logistic,
        Model::Normalised => EloModel::Normalised,
        Model::Bayesian => EloModel::Bayesian,
    };
    let sprt = Sprt::new(model, args.elo0, args.elo1, args.alpha, args.beta)?;
    let results: Results = match (&args.counts[..], args.penta) {
        (&[wins, draws, losses], _) => Trinomial {
            wins,
            draws,
            losses,
        }
        .into(),
        (_, Some(FiveCounts([loss_loss, loss_draw, win_loss, win_draw, win_win]))) => Pentanomial {
            loss_loss,
            loss_draw,
            win_loss,
            win_draw,
            win_win,
            ..Pentanomial::default()
        }
        .into(),
        _ => bail!("expected wins, draws and losses, or --penta with five numbers"),
    };
    let verdict = sprt.judge(results);
    let estimate = Estimate::of(results);
    let mut out = io::stdout().lock();
    if args.json {
        let finite = |it: f64| Some(it).filter(|it| it.is_finite());
        let json = serde_json::json!({
            "llr": verdict.llr,
            "lower": verdict.lower,
            "upper": verdict.upper,
            "decision": verdict.decision.to_string(),
            "score": estimate.score,
            "elo": finite(estimate.elo.0),
            "elo_error": estimate.elo_error,
            "normalised_elo": finite(estimate.normalised_elo.0),
            "normalised_elo_error": estimate.normalised_elo_error,
            "los": estimate.los,
        });
        writeln!(out, "{json}")?;
    } else {
        writeln!(out, "{estimate}")?;
        writeln!(out, "SPRT [{}, {}]  {verdict}", args.elo0, args.elo1)?;
    }
    Ok(out.flush()?)
}

/// Players in the order in which their counted games come, and these games by who had White.
#[derive(Debug, Default)]
struct Collected {
    names: Vec<String>,
    met: BTreeMap<[usize; 2], Trinomial>,
    periods: Periods,
    left_out: LeftOut,
}

/// Games that say nothing about ratings.
#[derive(Debug, Default)]
struct LeftOut {
    unfinished: u64,
    /// Between a player and itself.
    alone: u64,
    unreadable: u64,
    /// What was wrong with the first unreadable one.
    problem: Option<String>,
}

impl Collected {
    fn number(&mut self, name: &str) -> usize {
        match self.names.iter().position(|it| it == name) {
            Some(at) => at,
            None => {
                self.names.push(name.to_owned());
                self.names.len() - 1
            }
        }
    }

    fn read(&mut self, path: &Path) -> anyhow::Result<()> {
        let shown = path.display();
        let file = File::open(path).with_context(|| format!("cannot read {shown}"))?;
        let mut splitter = pgn::Splitter::new(BufReader::new(file));
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            let slice = splitter.next_into(&mut buffer);
            let Some(slice) = slice.with_context(|| shown.to_string())? else {
                return Ok(());
            };
            match pgn::read(&buffer[slice.range.clone()], slice.line) {
                Ok(game) => self.count(&game),
                Err(error) => {
                    self.left_out.unreadable += 1;
                    let problem = || format!("{shown}: {error}");
                    self.left_out.problem.get_or_insert_with(problem);
                }
            }
        }
    }

    /// Nobody becomes a player by a game that does not count.
    fn count(&mut self, game: &pgn::PgnGame) {
        let name = |tag: &str| game.tags.get(tag).unwrap_or("?");
        let (white, black) = (name(Tags::WHITE), name(Tags::BLACK));
        let result = match game.outcome.map(|it| it.winner) {
            None => {
                self.left_out.unfinished += 1;
                return;
            }
            Some(None) => GameResult::Draw,
            Some(Some(Side::White)) => GameResult::Win,
            Some(Some(Side::Black)) => GameResult::Loss,
        };
        if white == black {
            self.left_out.alone += 1;
            return;
        }
        let players = [self.number(white), self.number(black)];
        self.met.entry(players).or_default().record(result);
        let points = match result {
            GameResult::Win => 1.0,
            GameResult::Draw => 0.5,
            GameResult::Loss => 0.0,
        };
        let period = Period::of(game.tags.get(Tags::DATE), game.tags.get(Tags::ROUND));
        self.periods
            .entry(period)
            .or_default()
            .push((players, points));
    }
}

impl LeftOut {
    /// What to tell about them, a sentence each.
    fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        let mut tell = |n: u64, what: &str, behind: &str| {
            let games = if n == 1 { "game" } else { "games" };
            let were = if n == 1 { "was" } else { "were" };
            if n > 0 {
                sentences.push(format!("{n} {games} {what} {were} left out{behind}"));
            }
        };
        tell(self.unfinished, "without a result", "");
        tell(self.alone, "of a player against itself", "");
        let problem = self.problem.as_deref().unwrap_or_default();
        let problem = format!("; the first: {problem}");
        tell(self.unreadable, "that cannot be read", &problem);
        sentences
    }
}

/// Ratings with the names and points that belong to them.
struct Rated {
    names: Vec<String>,
    met: BTreeMap<[usize; 2], Trinomial>,
    left_out: LeftOut,
    fit: JointFit,
}

impl Rated {
    fn new(collected: Collected) -> anyhow::Result<Self> {
        let Collected {
            names,
            met,
            left_out,
            ..
        } = collected;
        if met.is_empty() {
            let mut told = left_out.sentences();
            told.insert(0, "there are no games that count".to_owned());
            bail!("{}", told.join("; "));
        }
        let encounter = |(players, games): (&[usize; 2], &Trinomial)| Encounter {
            players: *players,
            games: *games,
        };
        let encounters: Vec<Encounter> = met.iter().map(encounter).collect();
        let fit = JointFit::with_lent_draws(names.len(), &encounters, true);
        let fit = fit.map_err(|error| match error {
            RatingError::Strangers(players) => {
                let named: Vec<&str> = players.iter().map(|it| names[*it].as_str()).collect();
                anyhow!(
                    "{} met nobody of the others: there is no common scale; rate them by themselves",
                    named.join(", ")
                )
            }
            other => other.into(),
        })?;
        Ok(Self {
            names,
            met,
            left_out,
            fit,
        })
    }

    /// The players, the best first.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        let elo = |at: usize| self.fit.ratings[at].elo;
        order.sort_by(|a, b| elo(*b).total_cmp(&elo(*a)));
        order
    }

    fn points(&self, player: usize) -> f64 {
        let of = |(players, games): (&[usize; 2], &Trinomial)| {
            let draws = 0.5 * games.draws as f64;
            match players.iter().position(|it| *it == player) {
                Some(0) => games.wins as f64 + draws,
                Some(_) => games.losses as f64 + draws,
                None => 0.0,
            }
        };
        self.met.iter().map(of).sum()
    }

    fn json(&self) -> serde_json::Value {
        let row = |at: usize| {
            let rating = self.fit.ratings[at];
            serde_json::json!({
                "name": self.names[at],
                "elo": rating.elo,
                "elo_error": rating.error,
                "games": rating.games,
                "points": self.points(at),
            })
        };
        let rows: Vec<serde_json::Value> = self.order().into_iter().map(row).collect();
        let first_move = self.fit.first_move;
        let lent: Vec<&String> = self.fit.lent.iter().map(|it| &self.names[*it]).collect();
        serde_json::json!({
            "standings": rows,
            "first_move": first_move.map(|(elo, error)| {
                serde_json::json!({"elo": elo, "elo_error": error})
            }),
            "lent_draws": lent,
            "unfinished": self.left_out.unfinished,
            "unreadable": self.left_out.unreadable,
        })
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let order = self.order();
        let widths = self.names.iter().map(|it| it.chars().count());
        let width = widths.max().unwrap_or(0);
        for (place, &at) in order.iter().enumerate() {
            let rating = self.fit.ratings[at];
            let ahead = order.get(place + 1).map_or_else(String::new, |next| {
                let superiority = 100.0 * self.fit.superiority(at, *next);
                format!("  {superiority:.1} % ahead of the next")
            });
            writeln!(
                out,
                "{:>3}  {:width$}  {:+7.1} ± {:<6.1} {:>6} of {}{ahead}",
                place + 1,
                self.names[at],
                rating.elo,
                rating.error,
                self.points(at),
                rating.games
            )?;
        }
        if let Some((elo, error)) = self.fit.first_move {
            writeln!(
                out,
                "White's first move is worth {elo:+.1} ± {error:.1} Elo"
            )?;
        }
        if !self.fit.lent.is_empty() {
            let lent: Vec<&str> = self.fit.lent.iter().map(|it| &*self.names[*it]).collect();
            writeln!(
                out,
                "{}: everything or nothing was won; rated with one drawn game more against each \
                 opponent",
                lent.join(", ")
            )?;
        }
        for sentence in self.left_out.sentences() {
            writeln!(out, "{sentence}")?;
        }
        Ok(())
    }
}

fn print_glicko(collected: &Collected, is_json: bool) -> anyhow::Result<()> {
    let Collected { names, periods, .. } = collected;
    let ratings = glicko::ratings(names.len(), periods);
    let mut out = io::stdout().lock();
    if is_json {
        let json = serde_json::json!({
            "standings": glicko::json(names, &ratings),
            "periods": periods.len(),
        });
        writeln!(out, "{json}")?;
    } else {
        glicko::print(&mut out, names, &ratings, periods.len())?;
        for sentence in collected.left_out.sentences() {
            writeln!(out, "{sentence}")?;
        }
    }
    Ok(out.flush()?)
}

pub(crate) fn elo(args: &EloArgs) -> anyhow::Result<()> {
    let mut collected = Collected::default();
    for path in &args.files {
        collected.read(path)?;
    }
    if args.glicko {
        return print_glicko(&collected, args.json);
    }
    let rated = Rated::new(collected)?;
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", rated.json())?;
    } else {
        rated.print(&mut out)?;
    }
    Ok(out.flush()?)
}
