//! Playing a tournament in the terminal.

use super::{OutArgs, output::Games, text};
use crate::{clock::Stopwatch, engines, failure};
use anyhow::Context as _;
use app::{
    Home,
    tournament::{
        Controls, End, News, PairLine, Report, Runner, Settings, Tournament, Watch, json,
    },
};
use game::Side;
use std::{
    io::{self, IsTerminal as _, Write as _},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// How the terminal is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Voice {
    Ours,
    Cutechess,
    Fastchess,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    pub(super) voice: Voice,
    /// Ratings are printed after so many games, where the voice prints them in between.
    pub(super) every_games: u64,
}

impl Style {
    pub(super) const fn ours() -> Self {
        Self {
            voice: Voice::Ours,
            every_games: 10,
        }
    }
}

pub(super) fn play(
    home: &Home,
    tournament: Tournament,
    out: &OutArgs,
    style: &Style,
) -> anyhow::Result<()> {
    let now = engines::now();
    let runner = Runner::new(tournament, home, &now)?;
    let tournament = runner.tournament();
    let games = Games::follow(out.games.as_deref(), tournament)?;
    let before = tournament.report()?.pairs;
    let controls = Arc::new(Controls::default());
    listen(&controls)?;
    let watch = Stopwatch::start();
    let shows = style.voice == Voice::Ours && io::stderr().is_terminal();
    let told = Telling {
        settings: &tournament.settings,
        style: *style,
        shows,
        games: Mutex::new((games, None)),
        n_games: AtomicU64::new(0),
        before,
        watch,
    };
    if style.voice == Voice::Ours {
        failure::complain(&format!(
            "tournament {}, {}; Ctrl-C finishes the games under way",
            tournament.id, tournament.settings.name
        ));
    }
    let tell = |news: News<'_>| {
        if told.take(&news).is_err() {
            controls.finish.store(true, Ordering::Relaxed);
        }
    };
    let watch = Watch::of_results(&tell);
    let ended = runner.run(&controls, &*now, &crate::clock::seconds, watch);
    if shows {
        write!(io::stderr(), "\r\x1b[K").ok();
    }
    let (games, problem) = told
        .games
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    if let Some(problem) = problem {
        return Err(problem);
    }
    let ended = ended?;
    if let Some(games) = games
        && ended == End::Decided
    {
        games.keep_what_counts(tournament)?;
    }
    conclude(tournament, ended, out, style)
}

fn conclude(
    tournament: &Tournament,
    ended: End,
    out: &OutArgs,
    style: &Style,
) -> anyhow::Result<()> {
    let report = tournament.report()?;
    let mut stdout = io::stdout().lock();
    if out.json {
        let json = json::report(tournament, &report)?;
        writeln!(stdout, "{}", serde_json::to_string(&json)?)?;
    } else {
        match style.voice {
            Voice::Ours => text::print_short(&mut stdout, tournament, &report)?,
            Voice::Cutechess => {
                text::cutechess(&mut stdout, &tournament.settings, &report)?;
                writeln!(stdout, "Finished match")?;
            }
            Voice::Fastchess => text::fastchess(&mut stdout, &tournament.settings, &report)?,
        }
    }
    stdout.flush()?;
    if ended == End::Stopped {
        failure::complain(&format!(
            "stopped after {} of {} pairs; go on with kibitz tournament resume {}",
            report.pairs, report.pairs_asked, tournament.id
        ));
    }
    Ok(())
}

/// The first interrupt finishes the games under way, the second one leaves at once.
fn listen(controls: &Arc<Controls>) -> anyhow::Result<()> {
    let ours = Arc::clone(controls);
    ctrlc::set_handler(move || {
        if ours.finish.swap(true, Ordering::Relaxed) {
            crate::interrupt::leave();
        }
        failure::complain("finishing the games under way; once more leaves at once");
    })
    .context("cannot listen for interrupts")
}

/// What is told while games are played.
struct Telling<'a> {
    settings: &'a Settings,
    style: Style,
    shows: bool,
    games: Mutex<(Option<Games>, Option<anyhow::Error>)>,
    n_games: AtomicU64,
    /// Pairs that were finished before.
    before: u64,
    watch: Stopwatch,
}

impl Telling<'_> {
    /// An error means that the file of games cannot be written.
    fn take(&self, news: &News<'_>) -> Result<(), ()> {
        let (pair, report) = match news {
            News::Pair(pair, report) => (pair, report),
            News::Note(text) => {
                failure::complain(text);
                return Ok(());
            }
            News::Game { .. } => return Ok(()),
        };
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, problem) = &mut *games;
        if let Some(file) = file
            && let Err(error) = file.add(pair)
        {
            problem.get_or_insert(error);
            return Err(());
        }
        match self.style.voice {
            Voice::Ours => {
                tell_faults(self.settings, pair);
                if self.shows {
                    let seconds = self.watch.elapsed().as_secs_f64();
                    let line = progress(&report(), self.before, seconds);
                    // Progress that cannot be shown is no loss.
                    write!(io::stderr(), "\r\x1b[K{line}").ok();
                }
            }
            Voice::Cutechess | Voice::Fastchess => self.tell_games(pair, *report),
        }
        Ok(())
    }

    /// Lines that scripts of other runners read.
    fn tell_games(&self, pair: &PairLine, report: &dyn Fn() -> Report) {
        let mut out = io::stdout().lock();
        let mut is_due = false;
        for (at, game) in pair.games.iter().enumerate() {
            let n = self.n_games.fetch_add(1, Ordering::Relaxed) + 1;
            is_due |= n.is_multiple_of(self.style.every_games.max(1));
            let number = pair.pairing.number * pair.games.len() as u64 + at as u64 + 1;
            let [a, b] = pair
                .pairing
                .players
                .map(|it| &self.settings.engines[it].name);
            let (white, black) = match game.first {
                Side::White => (a, b),
                Side::Black => (b, a),
            };
            let result = match game.outcome.winner {
                Some(Side::White) => "1-0",
                Some(Side::Black) => "0-1",
                None => "1/2-1/2",
            };
            let reason = text::their_reason(game);
            writeln!(
                out,
                "Finished game {number} ({white} vs {black}): {result} {{{reason}}}"
            )
            .ok();
        }
        if is_due {
            let report = report();
            let written = match self.style.voice {
                Voice::Cutechess => text::cutechess(&mut out, self.settings, &report),
                _ => text::fastchess(&mut out, self.settings, &report),
            };
            written.ok();
        }
        out.flush().ok();
    }
}

/// An engine that failed has lost its game, and the user who tests it wants to know.
fn tell_faults(settings: &Settings, pair: &PairLine) {
    for game in &pair.games {
        if let Some(winner) = game.outcome.winner
            && game.reason.is_fault()
        {
            let loser = usize::from(winner == game.first);
            let name = &settings.engines[pair.pairing.players[loser]].name;
            let number = pair.pairing.number + 1;
            failure::complain(&format!("pair {number}: {name} {}", game.detail));
        }
    }
}

/// How far it is. The time that is left follows from the pairs that were played since it was begun
/// or resumed; `before` were there.
fn progress(report: &Report, before: u64, seconds: f64) -> String {
    let left = report.pairs_asked.saturating_sub(report.pairs) as f64;
    let played = report.pairs.saturating_sub(before).max(1);
    let left = seconds * left / played as f64;
    let test = report
        .test
        .as_ref()
        .map_or_else(String::new, |test| format!(", {}", test.verdict));
    format!(
        "{} of {} pairs{test}, about {left:.0} s left",
        report.pairs, report.pairs_asked
    )
}
