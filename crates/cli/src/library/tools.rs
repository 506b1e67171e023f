//! `kibitz db`: whether the database is sound, how large it is, and its games as a file.

use super::{DbFile, edit, games};
use anyhow::{Context as _, ensure};
use app::{
    Disk,
    library::{ExportFormat, Order, export},
    output::{self, Output},
};
use serde_json::json;
use std::{io::Write as _, path::Path};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Debug, clap::Subcommand)]
enum Tool {
    /// Look for damage: the file, the rows, and every position of a sample of games
    Check(CheckArgs),
    /// Count games, names, notes and bytes
    Stats(StatsArgs),
    /// Make everything that follows from the games anew, and give free space back
    Compact(StatsArgs),
    /// Write games to a file: PGN for chess, GGF or transcripts for Othello
    Export(ExportArgs),
    /// Write, show or remove a note on a game or a position
    Note(edit::NoteArgs),
    /// Find notes on games and positions by their words
    Notes(edit::NotesArgs),
    /// Give words to a game, or take them away
    Tag(edit::TagArgs),
    /// Delete games with their notes, tags and reviews
    Delete(edit::DeleteArgs),
    /// Say under which names you play: own:yes and your own results follow from them
    Me(MeArgs),
}

#[derive(Debug, clap::Args)]
struct ExportArgs {
    /// The file; its ending (.pgn, .ggf, .txt) is the format, - is the standard output
    #[arg(value_name = "FILE")]
    file: String,
    /// Which games; see kibitz games --help
    #[arg(value_name = "QUERY")]
    query: Vec<String>,
    /// pgn, ggf or transcript
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    #[command(flatten)]
    db: DbFile,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct MeArgs {
    /// Names exactly as games have them; none shows those that are known
    #[arg(value_name = "NAMES")]
    names: Vec<String>,
    #[command(flatten)]
    db: DbFile,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct CheckArgs {
    #[command(flatten)]
    db: DbFile,
    /// Replay every N-th game
    #[arg(long, value_name = "N", default_value_t = 100)]
    every: usize,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct StatsArgs {
    #[command(flatten)]
    db: DbFile,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.tool {
        Tool::Check(args) => check(args),
        Tool::Stats(args) => stats(args),
        Tool::Compact(args) => compact(args),
        Tool::Export(args) => write_games(args),
        Tool::Note(args) => edit::note(args),
        Tool::Notes(args) => edit::notes(args),
        Tool::Tag(args) => edit::tag(args),
        Tool::Delete(args) => edit::delete(args),
        Tool::Me(args) => me(args),
    }
}

fn compact(args: &StatsArgs) -> anyhow::Result<()> {
    let mut store = args.db.open()?;
    // What is damaged may be what is counted by.
    let before = store.stats().map_or(0, |it| it.bytes);
    let damaged = store.compact()?;
    let after = store.stats()?.bytes;
    let mut out = anstream::stdout().lock();
    if args.json {
        let damaged = damaged.map(|it| it.display().to_string());
        let told = json!({"before": before, "after": after, "damagedCopy": damaged});
        serde_json::to_writer(&mut out, &told)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{before} bytes before, {after} now")?;
        if let Some(copy) = damaged {
            let copy = copy.display();
            writeln!(
                out,
                "the file was damaged and is mended; as it was, it is {copy}"
            )?;
        }
    }
    Ok(())
}

fn write_games(args: &ExportArgs) -> anyhow::Result<()> {
    let ending = args.file.rsplit_once('.').map(|it| it.1);
    let format = args.format.as_deref().or(ending);
    let format: ExportFormat = format.unwrap_or("pgn").parse()?;
    let store = args.db.open()?;
    let filter = games::filter(&store, &args.query, None, None)?;
    let path = Path::new(&args.file);
    // A file is replaced when the new one is complete.
    let out = Output::create(&Disk::real(), path, output::Order::Forward)?;
    let mut buffered = std::io::BufWriter::new(out);
    let ids = store.find_ids(&filter, Order::Added)?;
    let exported = export(&store, &ids, format, &mut buffered)?;
    let out = buffered
        .into_inner()
        .map_err(std::io::IntoInnerError::into_error);
    out.and_then(Output::finish)
        .with_context(|| format!("cannot write {}", args.file))?;
    // The report goes where the games do not.
    let mut out: Box<dyn std::io::Write> = match &args.file[..] {
        "-" => Box::new(anstream::stderr().lock()),
        _ => Box::new(anstream::stdout().lock()),
    };
    if args.json {
        let told = json!({
            "games": exported.games,
            "leftOut": exported.left_out,
            "problems": exported.problems,
        });
        serde_json::to_writer(&mut out, &told)?;
        writeln!(out)?;
    } else {
        for problem in &exported.problems {
            writeln!(out, "{problem}")?;
        }
        writeln!(
            out,
            "{} games written, {} of the other game left out",
            exported.games, exported.left_out
        )?;
    }
    let n = exported.problems.len();
    ensure!(
        n == 0,
        "{n} games could not be read; kibitz db check says more"
    );
    Ok(())
}

fn me(args: &MeArgs) -> anyhow::Result<()> {
    let mut store = args.db.open()?;
    if !args.names.is_empty() {
        store.set_selves(&args.names)?;
    }
    let names = store.selves()?;
    let mut out = anstream::stdout().lock();
    if args.json {
        serde_json::to_writer(&mut out, &json!({"names": names}))?;
        writeln!(out)?;
    } else {
        writeln!(out, "{}", names.join("\n"))?;
    }
    Ok(())
}

fn check(args: &CheckArgs) -> anyhow::Result<()> {
    let checked = args.db.open()?.check(args.every)?;
    let mut out = anstream::stdout().lock();
    if args.json {
        let told = json!({
            "games": checked.games,
            "replayed": checked.replayed,
            "problems": checked.problems,
        });
        serde_json::to_writer(&mut out, &told)?;
        writeln!(out)?;
    } else {
        for problem in &checked.problems {
            writeln!(out, "{problem}")?;
        }
        writeln!(
            out,
            "{} games, {} replayed",
            checked.games, checked.replayed
        )?;
    }
    let n = checked.problems.len();
    ensure!(n == 0, "the database has {n} problems");
    Ok(())
}

fn stats(args: &StatsArgs) -> anyhow::Result<()> {
    let stats = args.db.open()?.stats()?;
    let mut out = anstream::stdout().lock();
    if args.json {
        let told = json!({
            "games": stats.games,
            "names": stats.names,
            "batches": stats.batches,
            "withoutColumns": stats.tail,
            "notes": stats.notes,
            "bytes": stats.bytes,
        });
        serde_json::to_writer(&mut out, &told)?;
        writeln!(out)?;
    } else {
        let per_game = stats.bytes.checked_div(stats.games).unwrap_or(0);
        writeln!(
            out,
            "games    {} ({} not in columns yet)",
            stats.games, stats.tail
        )?;
        writeln!(out, "names    {}", stats.names)?;
        writeln!(out, "notes    {}", stats.notes)?;
        writeln!(out, "bytes    {} ({per_game} a game)", stats.bytes)?;
    }
    Ok(())
}
