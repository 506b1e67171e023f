//! `kibitz book`: opening books shown, checked, extended, exported and made.

use crate::{configured::HomeArgs, evaluation::EvaluationArgs, failure, interrupt, position};
use anyhow::{Context as _, bail, ensure};
use app::{
    Analyst, Book, Disk, EngineChoice, OpenBook,
    book::{self, Recipe},
};
use othello::{Game, Move};
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
};

const EXAMPLES: &str = "\
Examples:
  kibitz book show
  kibitz book show f5d6
  kibitz book add mine.json f5d6c3d3c4 --weight 3
  kibitz book check mine.json
  kibitz book export > plain.json
  kibitz book make made.json --positions 1500 --depth 12

A book is a JSON object: the hash of a position, and its move as [row, column] from 0, or a list of
{\"move\": \"f5\", \"weight\": 3}. Without FILE, show, check and export take the book in use, which
engine.book in config.toml says.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Say what a book has, or which moves it has at a position
    Show(Show),
    /// Add the moves of a line to a file, which is begun if there is none
    Add(Add),
    /// Print a book, one move a position as [row, column]
    Export(Export),
    /// Look for damage, for moves that cannot be made and for entries that no game meets
    Check(Check),
    /// Make a book by searching the positions that good play meets
    Make(Box<Make>),
}

/// Which book is meant.
#[derive(Debug, clap::Args)]
struct Which {
    /// A book in place of the one in use
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    home: HomeArgs,
}

#[derive(Debug, clap::Args)]
struct Show {
    /// 64 squares and the side to move, or moves such as f5d6c3; without it, the whole book
    #[arg(value_name = "POSITION")]
    position: Option<String>,
    #[command(flatten)]
    which: Which,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct Add {
    /// The book
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Moves from the start, such as f5d6c3: each is added where it is made
    #[arg(value_name = "MOVES")]
    moves: String,
    /// How much weight each move gets; it is added to what the book has
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    weight: u32,
}

#[derive(Debug, clap::Args)]
struct Export {
    #[command(flatten)]
    which: Which,
    /// Print all moves with their weights, and the version
    #[arg(long)]
    all: bool,
}

#[derive(Debug, clap::Args)]
struct Check {
    /// The book; without it, the one in use
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    home: HomeArgs,
}

#[derive(Debug, clap::Args)]
struct Make {
    /// Where the book goes; a file of that name is replaced
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How many positions at most
    #[arg(long, value_name = "N", default_value_t = Recipe::default().positions, value_parser = positions)]
    positions: usize,
    /// How many moves from the start at most
    #[arg(long, value_name = "N", default_value_t = Recipe::default().plies, value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,
    /// How deep each position is searched
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// The edition that is written into the book
    #[arg(long, value_name = "N")]
    edition: Option<u32>,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

/// Reads how many positions a book may have.
fn positions(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n| (1..=1_000_000).contains(n));
    number.ok_or_else(|| "expected a whole number from 1 to 1000000".to_owned())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match &args.command {
        Command::Show(args) => show(args, &mut out),
        Command::Add(args) => add(args, &mut out),
        Command::Export(args) => export(args, &mut out),
        Command::Check(args) => check(args, &mut out),
        Command::Make(args) => make(args, &mut out),
    }
}

/// Opens the file, or the book in use.
fn open(file: Option<&Path>, home: &HomeArgs) -> anyhow::Result<OpenBook> {
    Ok(match file {
        Some(file) => OpenBook::read(file)?,
        None => home.read()?.book()?,
    })
}

impl Which {
    /// The book; what is wrong with it is told.
    fn open(&self) -> anyhow::Result<Arc<Book>> {
        let opened = open(self.file.as_deref(), &self.home)?;
        for warning in &opened.warnings {
            failure::complain(warning);
        }
        Ok(opened.book)
    }
}

/// What `show --json` prints of a whole book.
#[derive(Debug, serde::Serialize)]
struct Contents {
    version: Option<u32>,
    positions: usize,
    /// How many by the number of their discs.
    by_discs: std::collections::BTreeMap<u32, usize>,
}

/// What `show --json` prints of a position.
#[derive(Debug, serde::Serialize)]
struct Entry {
    position: String,
    hash: String,
    moves: Vec<Weighted>,
}

#[derive(Debug, serde::Serialize)]
struct Weighted {
    r#move: String,
    weight: u32,
}

fn show(args: &Show, out: &mut impl Write) -> anyhow::Result<()> {
    let book = args.which.open()?;
    match &args.position {
        Some(text) => show_position(&book, position::parse(text)?.position(), args.json, out),
        None => show_contents(&book, args.json, out),
    }
}

fn show_contents(book: &Book, json: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let contents = Contents {
        version: book.version(),
        positions: book.len(),
        by_discs: book.walk().by_discs,
    };
    if json {
        writeln!(out, "{}", serde_json::to_string(&contents)?)?;
        return Ok(());
    }
    let edition = contents
        .version
        .map_or_else(String::new, |it| format!(", edition {it}"));
    writeln!(out, "{} positions{edition}", contents.positions)?;
    for (discs, n) in &contents.by_discs {
        writeln!(out, "{discs:>5} discs  {n:>6}")?;
    }
    Ok(())
}

fn show_position(
    book: &Book,
    position: othello::Position,
    json: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let choices = book.choices(position);
    if json {
        let moves = choices.iter().map(|choice| Weighted {
            r#move: choice.square.to_string(),
            weight: choice.weight,
        });
        let entry = Entry {
            position: position.to_string(),
            hash: format!("{:016x}", position.hash()),
            moves: moves.collect(),
        };
        writeln!(out, "{}", serde_json::to_string(&entry)?)?;
        return Ok(());
    }
    if choices.is_empty() {
        writeln!(out, "The book has no move here.")?;
    }
    let total: u64 = choices.iter().map(|it| u64::from(it.weight)).sum();
    for choice in &choices {
        let share = 100.0 * f64::from(choice.weight) / total as f64;
        writeln!(
            out,
            "{}  {:>6}  {share:>5.1} %",
            choice.square, choice.weight
        )?;
    }
    Ok(())
}

fn add(args: &Add, out: &mut impl Write) -> anyhow::Result<()> {
    let line = position::parse(&args.moves)?;
    let moves: Vec<Move> = line.moves().collect();
    ensure!(
        moves.iter().any(|it| it.square().is_some()),
        "there is no move to add; expected moves from the start such as f5d6c3"
    );
    let disk = Disk::real();
    let exists = disk.exists(&args.file);
    let shown = args.file.display();
    let mut book = if exists.with_context(|| format!("cannot look at {shown}"))? {
        whole(&args.file)?
    } else {
        Book::new()
    };
    let mut game = Game::from_position(line.start());
    for &action in &moves {
        if let Move::Place(square) = action {
            book.add(game.position(), square, args.weight);
        }
        game.play(action).context("the line cannot be replayed")?;
    }
    let written = disk.replace(&args.file, book.to_json().as_bytes());
    written.with_context(|| format!("cannot write {shown}"))?;
    writeln!(out, "{shown}: {} positions", book.len())?;
    Ok(())
}

/// A book of which nothing had to be left out: writing it again loses nothing.
fn whole(path: &Path) -> anyhow::Result<Book> {
    let opened = OpenBook::read(path)?;
    if let Some(warning) = opened.warnings.first() {
        bail!("{warning}; mend the file first, nothing was added");
    }
    Ok(Book::clone(&opened.book))
}

fn export(args: &Export, out: &mut impl Write) -> anyhow::Result<()> {
    let book = args.which.open()?;
    let text = if args.all {
        book.to_json()
    } else {
        book.plain().to_json()
    };
    Ok(out.write_all(text.as_bytes())?)
}

fn check(args: &Check, out: &mut impl Write) -> anyhow::Result<()> {
    let opened = open(args.file.as_deref(), &args.home)?;
    for warning in &opened.warnings {
        writeln!(out, "{warning}")?;
    }
    let walk = opened.book.walk();
    for (position, square) in &walk.illegal {
        let hash = position.hash();
        writeln!(out, "{hash:016x}: {square} cannot be played at {position}")?;
    }
    if walk.twins > 0 {
        writeln!(out, "{} entries are images of others", walk.twins)?;
    }
    if walk.unreached > 0 {
        writeln!(
            out,
            "{} entries are not met by games from the start that stay in the book",
            walk.unreached
        )?;
    }
    ensure!(
        opened.warnings.is_empty() && walk.illegal.is_empty(),
        "the book has faults"
    );
    writeln!(out, "{} positions, no faults", opened.book.len())?;
    Ok(())
}

/// More than the table needs for searches of this depth.
const HASH_MB: usize = 64;

fn make(args: &Make, out: &mut impl Write) -> anyhow::Result<()> {
    let evaluation = args.evaluation.load(&args.evaluation.configured()?)?;
    // One thread: the same command makes the same book.
    let mut analyst = Analyst::with_evaluation(&evaluation, EngineChoice::AlphaBeta, HASH_MB, 1)?;
    let recipe = Recipe {
        positions: args.positions,
        plies: args.plies,
        ..Recipe::default()
    };
    let stop = interrupt::flag()?;
    let bar = indicatif::ProgressBar::new(args.positions as u64);
    let book = book::make(&mut analyst, &recipe, args.depth, &stop, |n_done| {
        bar.set_position(n_done as u64);
    });
    bar.finish_and_clear();
    ensure!(
        !stop.load(Ordering::Relaxed),
        "interrupted; nothing was written"
    );
    let book = book.with_version(args.edition);
    let shown = args.file.display();
    let written = Disk::real().replace(&args.file, book.to_json().as_bytes());
    written.with_context(|| format!("cannot write {shown}"))?;
    writeln!(out, "{shown}: {} positions", book.len())?;
    Ok(())
}
