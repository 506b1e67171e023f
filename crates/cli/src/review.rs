//! `kibitz review`: a whole game, what each side lost, and every mistake with a better line.

mod many;

use crate::{clock::Stopwatch, interrupt, library::path_of, position, study::Power};
use anyhow::{Context as _, bail, ensure};
use app::{
    EngineChoice,
    explain::{EXPLAIN_HASH_MB, Effort, ExplainError, Severity, Witness},
    input,
    library::{Library, record_of},
    review::{Answers, GameReview, JudgedMove, MistakeOrder, Phase, Tally, Voice, judge_game},
};
use game::Outcome;
use othello::{
    Game, Move, Side,
    notation::{WthorDirectory, detect, read_records},
};
use std::{
    io::{self, IsTerminal as _, Write},
    path::{Path, PathBuf},
};

const EXAMPLES: &str = "\
Examples:
  kibitz review f5d6c3d3c4f4f6f3e6e7
  kibitz review game.ggf --by size
  kibitz review WTH_2022.wtb --game 12 --json
  kibitz review --game 12
  kibitz review --games own:yes --most 50

Every move is compared with the best one, from the last to the first. A finished game takes about half
a minute. docs/EXPLAIN.md says what the words mean, and describes the JSON.";

/// A file of games that is reviewed has no more bytes than this.
const FILE_MAX: u64 = 32 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum By {
    /// As they happened
    Order,
    /// The dearest first
    Size,
}

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A file of games in any format that Kibitz reads, - for the standard input, or the moves themselves
    #[arg(value_name = "FILE|MOVES")]
    game: Option<String>,
    /// Which game of the file; without a file, which game of the database
    #[arg(long = "game", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    number: Option<u32>,
    /// Review the games of the database that this query finds and that were not reviewed yet, the
    /// newest first, and keep what is found; the same command goes on after an interruption
    #[arg(long, value_name = "QUERY", conflicts_with_all = ["game", "number", "by"])]
    games: Option<String>,
    /// Most games to review
    #[arg(long, value_name = "N", default_value_t = 50, requires = "games")]
    most: usize,
    /// The database; without it, kibitz.db in the home folder
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// How mistakes are listed
    #[arg(long, value_name = "ORDER", default_value = "order")]
    by: By,
    /// Plies to search at most; fewer are enough where two depths running agree
    #[arg(long, value_name = "D", default_value_t = Effort::REVIEW.depth, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    #[command(flatten)]
    power: Power,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(query) = &args.games {
        return many::run(args, query);
    }
    let game = read(args)?;
    ensure!(
        game.moves().any(|action| action != Move::Pass),
        "there is no move to look at"
    );
    let configured = args.power.configured()?;
    let effort = Effort {
        depth: args.depth,
        ..Effort::REVIEW.solving(configured.config.engine.endgame_exact_empties)
    };
    let mut analyst =
        args.power
            .analyst_with(&configured, EngineChoice::AlphaBeta, EXPLAIN_HASH_MB)?;
    let stop = interrupt::flag()?;
    let watch = Stopwatch::start();
    let now_ms = || watch.elapsed().as_millis() as u64;
    let book = configured.book_or_none();
    let mut witness = Witness::new(&mut analyst, effort, &now_ms, &stop).reading(&book);
    let total = game.moves().filter(|action| *action != Move::Pass).count();
    let mut progress = |done: usize| {
        if io::stderr().is_terminal() {
            // Who cannot be told how far it is loses nothing.
            let _told = write!(io::stderr(), "\r{done} of {total} moves ");
        }
    };
    let judged = judge_game(&game, &mut witness, &mut progress);
    if io::stderr().is_terminal() {
        let _told = write!(io::stderr(), "\r{:24}\r", "");
    }
    let judged = match judged {
        Err(ExplainError::Analyst(_)) => bail!("the review was interrupted"),
        judged => judged?,
    };
    let review = GameReview {
        moves: judged.iter().collect(),
        outcome: Outcome::of(&game.position().into()),
    };
    let mut out = io::stdout().lock();
    if args.json {
        let answer = Answer::new(&review);
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
    } else {
        print(&mut out, &review, args.by)?;
    }
    Ok(out.flush()?)
}

/// The game that is meant: of a file if there is one of that name, else the moves themselves.
fn read(args: &Args) -> anyhow::Result<Game> {
    let Some(text) = args.game.as_deref() else {
        return stored(args);
    };
    let path = Path::new(text);
    if text != "-" && !path.exists() {
        let looks_like_a_file = text.contains(['/', '\\', '.']);
        return position::parse(text).with_context(|| {
            if looks_like_a_file {
                format!("there is no file {text}, and it is no game either")
            } else {
                format!("{text:?} is neither a file nor the moves of a game")
            }
        });
    }
    let bytes = if text == "-" {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut io::Read::take(io::stdin(), FILE_MAX + 1), &mut bytes)?;
        ensure!(
            bytes.len() as u64 <= FILE_MAX,
            "the input has more than 32 MB"
        );
        bytes
    } else {
        input::read_bounded(path, FILE_MAX)?
    };
    let format = detect(&bytes, path.to_str().filter(|name| *name != "-"));
    let directory = WthorDirectory::default();
    let wanted = args.number.unwrap_or(1) as usize;
    let mut met = 0;
    for item in read_records(format, &bytes[..], &directory) {
        met += 1;
        if met == wanted {
            let record = item.with_context(|| format!("game {wanted} of {text}"))?;
            return Ok(record.game);
        }
        // A source that cannot be read any further says so only once.
        if let Err(problem) = item
            && matches!(problem.kind, othello::notation::ProblemKind::Io { .. })
        {
            return Err(problem.into());
        }
    }
    bail!("{text} has {met} games; game {wanted} was asked for")
}

/// A game of the database.
fn stored(args: &Args) -> anyhow::Result<Game> {
    let Some(id) = args.number else {
        bail!("expected a file or moves, --game with a number of the database, or --games");
    };
    let library = Library::open_existing(&path_of(args.db.as_deref(), args.power.home())?)?;
    let record = record_of(&library.game(id)?)?;
    let game = record.to_othello_game();
    game.with_context(|| format!("game {id} is one of chess, and the coach knows Othello alone"))
}

fn print(out: &mut impl Write, review: &GameReview<'_>, by: By) -> io::Result<()> {
    writeln!(
        out,
        "{}",
        review.summary(Voice::Colours, Answers::Told).join(" ")
    )?;
    writeln!(out)?;
    writeln!(out, "{:<12}{:<36}White", "", "Black")?;
    let row = |name: &str, of: &dyn Fn(Side) -> Tally| {
        format!(
            "{name:<12}{:<36}{}",
            tally(&of(Side::Black)),
            tally(&of(Side::White))
        )
    };
    writeln!(out, "{}", row("whole game", &|side| review.side(side)))?;
    for phase in Phase::ALL {
        writeln!(
            out,
            "{}",
            row(phase.name(), &|side| review.phase(phase, side))
        )?;
    }
    let order = match by {
        By::Order => MistakeOrder::Game,
        By::Size => MistakeOrder::Size,
    };
    let turning_point = review.turning_point();
    for place in review.mistakes(order) {
        writeln!(out)?;
        print_mistake(out, review.moves[place], turning_point == Some(place))?;
    }
    Ok(())
}

/// `84 %, 12.4 discs in 30 moves`.
fn tally(tally: &Tally) -> String {
    match tally.accuracy {
        _ if tally.moves == 0 => "no moves".to_owned(),
        None => format!("no choice in {} moves", tally.moves),
        Some(accuracy) => format!(
            "{accuracy:.0} %, {} lost in {} {}",
            tally.loss.amount_of_discs(),
            tally.moves,
            if tally.moves == 1 { "move" } else { "moves" }
        ),
    }
}

fn print_mistake(out: &mut impl Write, it: &JudgedMove, turns: bool) -> io::Result<()> {
    let judgement = &it.judgement;
    let sign = match judgement.severity() {
        Severity::Fine => "",
        Severity::Inaccuracy => "?!",
        Severity::Mistake => "?",
        Severity::Blunder => "??",
    };
    let name = judgement.mistakes.first().map(|mistake| mistake.class);
    writeln!(
        out,
        "{}. {} {}{sign}  {} and {:.0} % of the chances lost{}{} ({})",
        it.number,
        it.side(),
        it.square(),
        judgement.loss.amount_of_discs(),
        100.0 * judgement.lost_chances(),
        name.map_or_else(String::new, |class| format!(", {class}")),
        if turns { ", the turning point" } else { "" },
        judgement.certainty.words(judgement.best.reach())
    )?;
    if let Some(headline) = &judgement.headline {
        writeln!(out, "    {headline}")?;
    }
    for (what, line) in [("played", &judgement.played), ("better", &judgement.best)] {
        writeln!(
            out,
            "    {what} {:>6}  {}",
            line.score,
            names(&line.moves).join(" ")
        )?;
    }
    Ok(())
}

fn names(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

/// The JSON, described in `docs/EXPLAIN.md`.
#[derive(Debug, serde::Serialize)]
struct Answer {
    /// Black's final score in discs.
    result: Option<i32>,
    summary: Vec<String>,
    turning_point: Option<u32>,
    black: TallyRow,
    white: TallyRow,
    phases: Vec<PhaseRow>,
    moves: Vec<MoveRow>,
}

#[derive(Debug, serde::Serialize)]
struct TallyRow {
    moves: u32,
    loss: i32,
    accuracy: Option<f64>,
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
}

#[derive(Debug, serde::Serialize)]
struct PhaseRow {
    phase: &'static str,
    black: TallyRow,
    white: TallyRow,
}

#[derive(Debug, serde::Serialize)]
struct MoveRow {
    number: u32,
    side: String,
    r#move: String,
    best: String,
    loss: i32,
    score_best: i32,
    score_played: i32,
    chances_best: f64,
    chances_played: f64,
    severity: &'static str,
    certainty: &'static str,
    depth: u32,
    solved: bool,
    phase: &'static str,
    mistakes: Vec<&'static str>,
    headline: Option<String>,
    line_best: Vec<String>,
    line_played: Vec<String>,
}

impl Answer {
    fn new(review: &GameReview<'_>) -> Self {
        let row = |phase: Phase| PhaseRow {
            phase: phase.name(),
            black: TallyRow::new(review.phase(phase, Side::Black)),
            white: TallyRow::new(review.phase(phase, Side::White)),
        };
        Self {
            result: review
                .outcome
                .and_then(|it| Some(it.black_centidiscs? / 100)),
            summary: review.summary(Voice::Colours, Answers::Told),
            turning_point: review
                .turning_point()
                .map(|place| review.moves[place].number),
            black: TallyRow::new(review.side(Side::Black)),
            white: TallyRow::new(review.side(Side::White)),
            phases: Phase::ALL.map(row).into(),
            moves: review.moves.iter().map(|it| MoveRow::new(it)).collect(),
        }
    }
}

impl TallyRow {
    fn new(tally: Tally) -> Self {
        Self {
            moves: tally.moves,
            loss: tally.loss.hundredths(),
            accuracy: tally.accuracy.map(tenths),
            inaccuracies: tally.inaccuracies,
            mistakes: tally.mistakes,
            blunders: tally.blunders,
        }
    }
}

impl MoveRow {
    fn new(it: &JudgedMove) -> Self {
        let judgement = &it.judgement;
        let (best, played) = (&judgement.best, &judgement.played);
        Self {
            number: it.number,
            side: it.side().to_string().to_lowercase(),
            r#move: it.square().to_string(),
            best: best.square.to_string(),
            loss: judgement.loss.hundredths(),
            score_best: best.score.hundredths(),
            score_played: played.score.hundredths(),
            chances_best: thousandths(judgement.chances[0]),
            chances_played: thousandths(judgement.chances[1]),
            severity: judgement.severity().name(),
            certainty: judgement.certainty.name(),
            depth: best.depth,
            solved: best.solved,
            phase: it.phase().name(),
            mistakes: judgement
                .mistakes
                .iter()
                .map(|it| it.class.name())
                .collect(),
            headline: judgement.headline.clone(),
            line_best: names(&best.moves),
            line_played: names(&played.moves),
        }
    }
}

fn tenths(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}

fn thousandths(value: f64) -> f64 {
    (1000.0 * value).round() / 1000.0
}
