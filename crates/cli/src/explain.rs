//! `kibitz explain`: why a move is good, or what was wrong with another.

use crate::{clock::Stopwatch, position, study::Power};
use app::{
    EngineChoice,
    explain::{
        Candidate, EXPLAIN_HASH_MB, Effort, Explainer, Explanation, Judgement, Openings, Reason,
        SpeaksFor, Witness,
    },
};
use othello::{Bitboard, Game, Move, Square};
use std::{
    io::{self, Write},
    sync::atomic::AtomicBool,
};

const EXAMPLES: &str = "\
Examples:
  kibitz explain --moves f5d6c3d3c4
  kibitz explain --moves f5d6c3d3c4 --move f6
  kibitz explain --position \"---…OX…--- X\" --depth 14 --json

Without --move, the best move is compared with the best of those that are worse. docs/EXPLAIN.md says
what the reasons and their tags mean, and describes the JSON.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(id = "where", required = true, args = ["position", "moves"])]
pub(crate) struct Args {
    /// The position: 64 squares and the side to move
    #[arg(long, value_name = "P")]
    position: Option<String>,
    /// The position: the moves that lead to it
    #[arg(long, value_name = "M")]
    moves: Option<String>,
    /// The move that was played or thought of
    #[arg(long = "move", value_name = "SQUARE")]
    played: Option<Square>,
    /// Plies to search at most; fewer are enough where two depths running agree
    #[arg(long, value_name = "D", default_value_t = Effort::default().depth, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Solve positions with at most so many empty squares if that is quick; without it 24, or what
    /// the configuration says (endgame_exact_empties) if that is more
    #[arg(long, value_name = "N")]
    solve_empties: Option<u32>,
    /// Print every reason instead of the three strongest
    #[arg(long)]
    all_reasons: bool,
    #[command(flatten)]
    power: Power,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    // One of the two is there: clap saw to it.
    let text = args.position.as_deref().or(args.moves.as_deref());
    let game = position::parse(text.unwrap_or_default())?;
    let configured = args.power.configured()?;
    let usual = Effort::default().solving(configured.config.engine.endgame_exact_empties);
    let effort = Effort {
        depth: args.depth,
        solve_empties: args.solve_empties.unwrap_or(usual.solve_empties),
        ..usual
    };
    let mut analyst =
        args.power
            .analyst_with(&configured, EngineChoice::AlphaBeta, EXPLAIN_HASH_MB)?;
    let watch = Stopwatch::start();
    let now_ms = || watch.elapsed().as_millis() as u64;
    let stop = AtomicBool::new(false);
    let book = configured.book_or_none();
    let mut witness = Witness::new(&mut analyst, effort, &now_ms, &stop)
        .reading(&book)
        .solving_on(args.power.solving_threads());
    let explanation = Explainer::new().explain(&mut witness, game.position(), args.played)?;
    let opening = opening_title(&game)?;
    let mut out = io::stdout().lock();
    if args.json {
        let answer = Answer::new(&explanation, opening);
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
    } else {
        let more = if args.all_reasons {
            More::Told
        } else {
            More::Promised
        };
        print(&mut out, &explanation, opening.as_deref(), more)?;
    }
    Ok(out.flush()?)
}

fn opening_title(game: &Game) -> anyhow::Result<Option<String>> {
    let openings = Openings::shipped()?;
    let moves: Vec<Move> = game.moves().collect();
    let found = openings.recognise(game.start(), &moves);
    Ok(found.map(|found| found.opening.title()))
}

/// What becomes of the reasons behind the first three.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum More {
    Told,
    /// Their number, and how to see them.
    Promised,
    Unsaid,
}

/// An explanation as text.
pub(crate) fn print(
    out: &mut impl Write,
    explanation: &Explanation,
    opening: Option<&str>,
    more: More,
) -> io::Result<()> {
    let position = explanation.position;
    let opening = opening.map_or_else(String::new, |title| format!(", {title}"));
    writeln!(
        out,
        "{} to move, {} empty{opening}",
        position.side,
        position.board.empties().len()
    )?;
    let best = &explanation.best;
    writeln!(
        out,
        "Best is {}: {} ({}).",
        best.square,
        best.score,
        best.reach()
    )?;
    print_as_good(out, explanation)?;
    let judgement = explanation.judgement();
    if let Some(other) = &explanation.other {
        let what = match &judgement {
            Some(judgement) if judgement.played.square == other.square => "Played",
            _ => "Compared with",
        };
        writeln!(
            out,
            "{what} {}: {}, {} less{} ({}).",
            other.square,
            other.score,
            explanation.loss().amount_of_discs(),
            judgement.as_ref().map_or_else(String::new, cost),
            explanation.certainty.words(best.reach())
        )?;
    }
    writeln!(out)?;
    print_reasons(out, explanation, more)?;
    if let Some(judgement) = judgement {
        print_mistakes(out, &judgement)?;
    }
    writeln!(out)?;
    for candidate in [Some(best), explanation.other.as_ref()]
        .into_iter()
        .flatten()
    {
        writeln!(
            out,
            "{:>7}  {}",
            candidate.score,
            names(&candidate.moves).join(" ")
        )?;
    }
    Ok(())
}

/// The moves that are as good as the best, if there are any.
pub(crate) fn print_as_good(out: &mut impl Write, explanation: &Explanation) -> io::Result<()> {
    let as_good = explanation.as_good.iter();
    let as_good: Vec<String> = as_good.map(ToString::to_string).collect();
    if as_good.is_empty() {
        return Ok(());
    }
    writeln!(out, "As good: {}.", as_good.join(", "))
}

fn print_reasons(out: &mut impl Write, explanation: &Explanation, more: More) -> io::Result<()> {
    let headline = explanation.headline();
    if let Some(text) = headline.or_else(|| explanation.without_reason()) {
        writeln!(out, "{text}")?;
    }
    let behind = match more {
        More::Told => explanation.more(),
        More::Promised | More::Unsaid => &[],
    };
    for reason in explanation.card().iter().chain(behind) {
        writeln!(out, "{:<9}  {}", reason.tag(), reason.text)?;
        // Lines of more than a move show what the text says; one move shows nothing new.
        if reason.line.len() > 1 && reason.line.len() <= SHORT_LINE {
            writeln!(out, "{:<9}  {}", "", names(&reason.line).join(" "))?;
        }
    }
    let n_more = explanation.more().len();
    if more == More::Promised && n_more > 0 {
        writeln!(out, "{n_more} more with --all-reasons.")?;
    }
    Ok(())
}

/// Longer lines are those of the two moves themselves, which are printed anyway.
const SHORT_LINE: usize = 3;

fn print_mistakes(out: &mut impl Write, judgement: &Judgement) -> io::Result<()> {
    if !judgement.mistakes.is_empty() {
        writeln!(out)?;
    }
    for mistake in &judgement.mistakes {
        writeln!(out, "{}: {}", mistake.class, mistake.text)?;
    }
    Ok(())
}

/// ` and 12 % fewer winning chances, mistake`.
fn cost(judgement: &Judgement) -> String {
    format!(
        " and {:.0} % fewer winning chances, {}",
        100.0 * judgement.lost_chances(),
        judgement.severity().name()
    )
}

fn names(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

fn squares(set: Bitboard) -> Vec<String> {
    set.into_iter().map(|square| square.to_string()).collect()
}

/// The JSON, described in `docs/EXPLAIN.md`.
#[derive(Debug, serde::Serialize)]
struct Answer {
    position: String,
    opening: Option<String>,
    best: MoveRow,
    other: Option<MoveRow>,
    as_good: Vec<String>,
    loss: i32,
    certainty: &'static str,
    headline: Option<String>,
    reasons: Vec<ReasonRow>,
    without_reason: Option<String>,
    trade_off: bool,
    judgement: Option<JudgementRow>,
}

#[derive(Debug, serde::Serialize)]
struct MoveRow {
    r#move: String,
    score: i32,
    depth: u32,
    solved: bool,
    line: Vec<String>,
}

#[derive(Debug, serde::Serialize)]
struct ReasonRow {
    on_card: bool,
    tag: &'static str,
    speaks_for: &'static str,
    text: String,
    squares: Vec<String>,
    line: Vec<String>,
    weight: f64,
}

#[derive(Debug, serde::Serialize)]
struct JudgementRow {
    played: String,
    loss: i32,
    chances_best: f64,
    chances_played: f64,
    severity: &'static str,
    mistakes: Vec<MistakeRow>,
}

#[derive(Debug, serde::Serialize)]
struct MistakeRow {
    class: &'static str,
    text: String,
    squares: Vec<String>,
    line: Vec<String>,
}

impl Answer {
    fn new(explanation: &Explanation, opening: Option<String>) -> Self {
        Self {
            position: explanation.position.to_string(),
            opening,
            best: MoveRow::new(&explanation.best),
            other: explanation.other.as_ref().map(MoveRow::new),
            as_good: names(
                &explanation
                    .as_good
                    .iter()
                    .copied()
                    .map(Move::Place)
                    .collect::<Vec<_>>(),
            ),
            loss: explanation.loss().hundredths(),
            certainty: explanation.certainty.name(),
            headline: explanation.headline(),
            reasons: rows(explanation.card(), true)
                .chain(rows(explanation.more(), false))
                .collect(),
            without_reason: explanation.without_reason(),
            trade_off: explanation.is_trade_off(),
            judgement: explanation.judgement().as_ref().map(JudgementRow::new),
        }
    }
}

impl MoveRow {
    fn new(candidate: &Candidate) -> Self {
        Self {
            r#move: candidate.square.to_string(),
            score: candidate.score.hundredths(),
            depth: candidate.depth,
            solved: candidate.solved,
            line: names(&candidate.moves),
        }
    }
}

fn rows(reasons: &[Reason], on_card: bool) -> impl Iterator<Item = ReasonRow> {
    reasons
        .iter()
        .map(move |reason| ReasonRow::new(reason, on_card))
}

impl ReasonRow {
    fn new(reason: &Reason, on_card: bool) -> Self {
        Self {
            on_card,
            tag: reason.tag().name(),
            speaks_for: match reason.speaks_for {
                SpeaksFor::Best => "best",
                SpeaksFor::Other => "other",
            },
            text: reason.text.clone(),
            squares: squares(reason.squares),
            line: names(&reason.line),
            weight: thousandths(reason.weight),
        }
    }
}

impl JudgementRow {
    fn new(judgement: &Judgement) -> Self {
        let mistake = |mistake: &app::explain::Mistake| MistakeRow {
            class: mistake.class.name(),
            text: mistake.text.clone(),
            squares: squares(mistake.squares),
            line: names(&mistake.line),
        };
        Self {
            played: judgement.played.square.to_string(),
            loss: judgement.loss.hundredths(),
            chances_best: thousandths(judgement.chances[0]),
            chances_played: thousandths(judgement.chances[1]),
            severity: judgement.severity().name(),
            mistakes: judgement.mistakes.iter().map(mistake).collect(),
        }
    }
}

fn thousandths(value: f64) -> f64 {
    (1000.0 * value).round() / 1000.0
}
