//! `kibitz fetch`: games from Lichess and Chess.com into the database.

use super::{DbFile, import};
use crate::{clock, interrupt};
use anyhow::{Context as _, ensure};
use app::{
    Config, Home, Patience, config,
    live::{self, Fetched, Outside, Progress, Service, Since, Source, Token, Tokens, Wish},
};
use serde_json::json;
use std::{
    io::{self, IsTerminal as _, Read as _, Write as _},
    time::Duration,
};

const EXAMPLES: &str = "\
Examples:
  kibitz fetch lichess NAME
  kibitz fetch lichess NAME --max 100
  kibitz fetch lichess --round https://lichess.org/broadcast/EVENT/ROUND/abcdefgh --follow
  kibitz fetch lichess --study abcdefgh
  kibitz fetch chesscom NAME --since 2024-01
  kibitz fetch token < FILE

Nothing is asked before you have allowed it: kibitz engines consent. Games that are there already are
counted, not stored again. A fetch that was stopped goes on where it was when it is started again, and
one that was finished brings what is new.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    from: From,
}

#[derive(Debug, clap::Subcommand)]
enum From {
    /// Games of a player, a round of a broadcast, or a study
    Lichess(LichessArgs),
    /// Games of a player, month by month
    Chesscom(ChessComArgs),
    /// Keep a token for Lichess, read from the standard input: for private studies and more speed
    Token(TokenArgs),
}

#[derive(Debug, clap::Args)]
#[group(id = "what", required = true, args = ["player", "round", "study"])]
struct LichessArgs {
    /// The player, by name or by the address of the player's page
    player: Option<String>,
    /// A round of a broadcast, by its address or the eight letters at the end of it
    #[arg(long, value_name = "ID")]
    round: Option<String>,
    /// A study or a chapter of it, by its address or the letters at the end of it
    #[arg(long, value_name = "ID")]
    study: Option<String>,
    /// Stay with the round until all of its games have a result
    #[arg(long, requires = "round")]
    follow: bool,
    /// Only so many of the newest games
    #[arg(long, value_name = "N", requires = "player", value_parser = clap::value_parser!(u32).range(1..))]
    max: Option<u32>,
    /// Only games from this day on, such as 2024-03-15 or 2024-03
    #[arg(long, value_name = "DAY", requires = "player")]
    since: Option<Since>,
    /// Everything again, also what was fetched before
    #[arg(long, requires = "player")]
    all: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, clap::Args)]
struct ChessComArgs {
    /// The player, by name or by the address of the player's page
    player: String,
    /// Only games from this month on, such as 2024-03
    #[arg(long, value_name = "MONTH")]
    since: Option<Since>,
    /// Everything again, also what was fetched before
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, clap::Args)]
struct TokenArgs {
    /// Forget the token
    #[arg(long)]
    forget: bool,
    #[command(flatten)]
    home: crate::configured::HomeArgs,
}

#[derive(Debug, clap::Args)]
struct Common {
    #[command(flatten)]
    db: DbFile,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.from {
        From::Lichess(args) => {
            let source = match (&args.player, &args.round, &args.study) {
                (_, Some(round), _) => Source::round(round, args.follow)?,
                (_, _, Some(study)) => Source::study(study)?,
                (player, ..) => {
                    let player = player.as_deref().unwrap_or_default();
                    match Source::player(Service::Lichess, player)? {
                        Source::LichessPlayer { name, .. } => Source::LichessPlayer {
                            name,
                            most: args.max,
                        },
                        other => other,
                    }
                }
            };
            fetch(source, args.since, args.all, &args.common)
        }
        From::Chesscom(args) => {
            let source = Source::player(Service::ChessCom, &args.player)?;
            fetch(source, args.since, args.all, &args.common)
        }
        From::Token(args) => token(args),
    }
}

/// Text on a command line would stay in the shell's history, so a token comes from the input.
fn token(args: &TokenArgs) -> anyhow::Result<()> {
    let home = Home::open(args.home.folder())?;
    let tokens = Tokens::of(&home);
    let mut out = io::stdout().lock();
    if args.forget {
        tokens.set_lichess(None)?;
        writeln!(out, "the token is forgotten")?;
        return Ok(out.flush()?);
    }
    let mut input = io::stdin();
    if input.is_terminal() {
        writeln!(out, "Paste the token, then press Enter:")?;
        out.flush()?;
    }
    let mut text = String::new();
    if input.is_terminal() {
        input.read_line(&mut text)?;
    } else {
        input.by_ref().take(4096).read_to_string(&mut text)?;
    }
    let token: Token = text.parse()?;
    tokens.set_lichess(Some(token))?;
    let path = home.tokens();
    writeln!(
        out,
        "the token is kept in {}, for you alone",
        path.display()
    )?;
    Ok(out.flush()?)
}

fn fetch(source: Source, since: Option<Since>, anew: bool, common: &Common) -> anyhow::Result<()> {
    let home = Home::open(common.db.home.folder())?;
    let (config, _): (Config, _) = config::load(&home.config_file())?;
    let stop = interrupt::flag()?;
    let mut store = common.db.open_or_make()?;
    let bar = indicatif::ProgressBar::new_spinner();
    if common.json {
        bar.set_draw_target(indicatif::ProgressDrawTarget::hidden());
    }
    let tell = |progress: Progress<'_>| {
        let (games, new) = (progress.report.games, progress.report.stored);
        let months = progress.months.map_or_else(String::new, |(done, total)| {
            format!("month {} of {total}, ", (done + 1).min(total))
        });
        let message = progress.message;
        bar.set_message(format!("{message} {months}{games} games, {new} new"));
        bar.tick();
    };
    let outside = Outside {
        may_fetch: config.network.enabled,
        addresses: config.network.addresses,
        token: Tokens::of(&home).lichess()?,
        patience: Patience::usual(&|ms| std::thread::park_timeout(Duration::from_millis(ms))),
        stop: &stop,
        now_ms: &|| 1000 * clock::seconds(),
        tell: &tell,
    };
    let name = source.name();
    let wish = Wish {
        source,
        since,
        anew,
    };
    let fetched = live::fetch(&home, &mut store, &wish, &outside);
    bar.finish_and_clear();
    let settled = store.settle();
    let fetched = fetched?;
    settled.context("the games are stored, but the database could not be tidied up")?;
    print(&fetched, &name, common.json)?;
    ensure!(
        !fetched.report.is_stopped,
        "stopped; the same command goes on where it was"
    );
    Ok(())
}

fn print(fetched: &Fetched, name: &str, is_json: bool) -> anyhow::Result<()> {
    let Fetched { report, unfinished } = fetched;
    let mut out = anstream::stdout().lock();
    if is_json {
        let told = json!({
            "source": name,
            "games": report.games,
            "stored": report.stored,
            "duplicates": report.duplicates,
            "problems": report.n_problems,
            "problemList": import::problems_json(report),
            "unfinished": unfinished,
            "isStopped": report.is_stopped,
        });
        serde_json::to_writer(&mut out, &told)?;
        writeln!(out)?;
    } else {
        import::print_problems(&mut out, report)?;
        let (games, stored, known) = (report.games, report.stored, report.duplicates);
        let problems = report.n_problems;
        writeln!(
            out,
            "{games} games of {name}: {stored} stored, {known} known already, {problems} could not \
             be read"
        )?;
        if *unfinished > 0 {
            writeln!(
                out,
                "{unfinished} are still being played and were left out; fetch again later, or \
                 follow the round"
            )?;
        }
    }
    Ok(out.flush()?)
}
