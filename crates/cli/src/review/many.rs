//! `kibitz review --games`: many games of the database, one after the other, as one job.

use super::Args;
use crate::{clock::Stopwatch, interrupt, library::path_of};
use anyhow::ensure;
use app::{
    EngineChoice,
    explain::{EXPLAIN_HASH_MB, Effort, Explainer},
    library::{GameId, KeptReview, KeptState, Library, ReviewJob, ReviewStep, TERMINAL_JOB},
};
use othello::Side;
use serde_json::json;
use std::{
    io::{self, IsTerminal as _, Write as _},
    sync::{Arc, atomic::Ordering},
};

pub(super) fn run(args: &Args, query: &str) -> anyhow::Result<()> {
    let library = Arc::new(Library::open_existing(&path_of(
        args.db.as_deref(),
        args.power.home(),
    )?)?);
    let configured = args.power.configured()?;
    let effort = Effort {
        depth: args.depth,
        ..Effort::REVIEW.solving(configured.config.engine.endgame_exact_empties)
    };
    let Some(mut job) = begun(&library, query, args.most, effort)? else {
        return told(args, "There is no game to review.", 0, 0);
    };
    let mut analyst =
        args.power
            .analyst_with(&configured, EngineChoice::AlphaBeta, EXPLAIN_HASH_MB)?;
    let mut explainer = Explainer::new();
    let stop = interrupt::flag()?;
    let watch = Stopwatch::start();
    let now_ms = || watch.elapsed().as_millis() as u64;
    loop {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        match job.step(&mut analyst, &mut explainer, &now_ms, &stop)? {
            ReviewStep::Finished => break,
            ReviewStep::GameDone => {
                if let Some(id) = job.last_reviewed()
                    && let Some(review) = library.review(id).ok().flatten()
                {
                    print(args, id, &review)?;
                }
            }
            ReviewStep::Judged => progress(&job.message()),
            ReviewStep::Stopped => {}
        }
    }
    progress("");
    let kept = job.job();
    for (id, problem) in library.problems_of_job(kept.id)? {
        if !args.json {
            writeln!(io::stdout(), "game {id}: {problem}")?;
        }
    }
    told(args, &job.message(), kept.done, kept.problems)?;
    ensure!(
        kept.state == KeptState::Over,
        "stopped; the same command goes on where it was"
    );
    Ok(())
}

/// The job that the last run of this command left unfinished, or a new one; `None` if there is
/// nothing to review.
fn begun(
    library: &Arc<Library>,
    query: &str,
    most: usize,
    effort: Effort,
) -> anyhow::Result<Option<ReviewJob>> {
    for kept in library.open_jobs()? {
        if kept.kind == TERMINAL_JOB
            && let Some(job) = ReviewJob::take_up(Arc::clone(library), kept)
        {
            return Ok(Some(job));
        }
    }
    let games = library.to_review(&library.filter(query)?, most)?;
    if games.is_empty() {
        return Ok(None);
    }
    let library = Arc::clone(library);
    let job = ReviewJob::begin(library, TERMINAL_JOB, games, effort)?;
    Ok(Some(job))
}

fn progress(message: &str) {
    if io::stderr().is_terminal() {
        // Who cannot be told how far it is loses nothing.
        let _told = write!(io::stderr(), "\r{message:60}\r");
    }
}

fn print(args: &Args, id: GameId, review: &KeptReview) -> anyhow::Result<()> {
    let game = review.game();
    let accuracy = |side| game.side(side).accuracy;
    let mut out = io::stdout().lock();
    if args.json {
        let told = json!({
            "game": id,
            "black": accuracy(Side::Black),
            "white": accuracy(Side::White),
            "mistakes": game.mistakes(super::MistakeOrder::Game).len(),
            "maker": review.maker,
        });
        writeln!(out, "{told}")?;
    } else {
        writeln!(
            out,
            "game {id}: {}",
            game.summary(super::Voice::Colours, super::Answers::Told)
                .join(" ")
        )?;
    }
    Ok(out.flush()?)
}

fn told(args: &Args, message: &str, done: u64, problems: u64) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(
            out,
            "{}",
            json!({"reviewed": done - problems, "problems": problems})
        )?;
    } else {
        writeln!(out, "{message}")?;
    }
    Ok(())
}
