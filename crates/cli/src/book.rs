//! `kibitz book`: opening books shown, checked, extended, exported and grown.

mod grow;
mod grown;

use crate::{configured::HomeArgs, failure, position};
use anyhow::{Context as _, bail, ensure};
use app::{
    Book, Disk, OpenBook,
    book::{self, Tree},
};
use othello::{Game, Move, Position};
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

const EXAMPLES: &str = "\
Examples:
  kibitz book show
  kibitz book show f5d6
  kibitz book add mine.json f5d6c3d3c4 --weight 3
  kibitz book check mine.json
  kibitz book export > plain.json
  kibitz book grow own.book --positions 2500 --depth 14
  kibitz book show own.book f5d6
  kibitz book export own.book --all > own.json

A book is a JSON object: the hash of a position, and its move as [row, column] from 0, or a list of
{\"move\": \"f5\", \"weight\": 3}; or a file that grow makes, which also has what the searches found.
Without FILE, show, check and export take the book in use, which engine.book in config.toml says.";

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
    /// Search the positions that good play meets, into a file that is continued or begun
    Grow(Box<grow::Args>),
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
    /// A book in place of the one in use; it may be left out before POSITION
    #[arg(value_name = "FILE")]
    first: Option<String>,
    /// 64 squares and the side to move, or moves such as f5d6c3; without it, the whole book
    #[arg(value_name = "POSITION", conflicts_with = "file")]
    second: Option<String>,
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
    /// A book in place of the one in use
    #[arg(value_name = "FILE", conflicts_with = "file")]
    book: Option<PathBuf>,
    #[command(flatten)]
    which: Which,
    /// Print all moves with their weights, and the version
    #[arg(long)]
    all: bool,
    /// The version in place of the book's own
    #[arg(long, value_name = "N", requires = "all")]
    edition: Option<u32>,
}

#[derive(Debug, clap::Args)]
struct Check {
    /// The book; without it, the one in use
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    home: HomeArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match &args.command {
        Command::Show(args) => show(args, &mut out),
        Command::Add(args) => add(args, &mut out),
        Command::Export(args) => export(args, &mut out),
        Command::Check(args) => check(args, &mut out),
        Command::Grow(args) => grow::run(args, &mut out),
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
    fn open(&self, file: Option<&Path>) -> anyhow::Result<Arc<Book>> {
        let opened = open(file.or(self.file.as_deref()), &self.home)?;
        for warning in &opened.warnings {
            failure::complain(warning);
        }
        Ok(opened.book)
    }

    /// The book as what it grew from, if it did.
    fn tree(&self, file: Option<&Path>) -> anyhow::Result<Option<Tree>> {
        let configured = match file.or(self.file.as_deref()) {
            Some(file) => Some(file.to_owned()),
            None => self.home.read()?.book_file(),
        };
        let tree = configured.map(|file| book::read_tree(&file)).transpose()?;
        Ok(tree.flatten())
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

impl Show {
    /// The file and the position that are meant. One argument alone is a position if it can be read
    /// as one.
    fn wanted(&self) -> anyhow::Result<(Option<&Path>, Option<Position>)> {
        let parse = |text| position::parse(text).map(|game| game.position());
        match (&self.first, &self.second) {
            (None, _) => Ok((None, None)),
            (Some(file), Some(text)) => Ok((Some(Path::new(file)), Some(parse(text)?))),
            (Some(text), None) => match parse(text) {
                Ok(position) => Ok((None, Some(position))),
                Err(_) if self.which.file.is_none() && is_named_like_a_file(text) => {
                    Ok((Some(Path::new(text)), None))
                }
                Err(error) => Err(error),
            },
        }
    }
}

/// Whether a text is the name of a file, or of one that somebody believes to be there.
fn is_named_like_a_file(text: &str) -> bool {
    let path = Path::new(text);
    let is_book = |it: &std::ffi::OsStr| it == "book" || it == "json";
    path.is_file() || path.extension().is_some_and(is_book)
}

fn show(args: &Show, out: &mut impl Write) -> anyhow::Result<()> {
    let (file, position) = args.wanted()?;
    if let Some(tree) = args.which.tree(file)? {
        return match position {
            Some(position) => grown::show_position(&tree, position, args.json, out),
            None => grown::show_contents(&tree, args.json, out),
        };
    }
    let book = args.which.open(file)?;
    match position {
        Some(position) => show_position(&book, position, args.json, out),
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
    if book::read_tree(path)?.is_some() {
        bail!(
            "{} is a grown book, which has only what was searched; add to what kibitz book export \
             makes of it",
            path.display()
        );
    }
    let opened = OpenBook::read(path)?;
    if let Some(warning) = opened.warnings.first() {
        bail!("{warning}; mend the file first, nothing was added");
    }
    Ok(Book::clone(&opened.book))
}

fn export(args: &Export, out: &mut impl Write) -> anyhow::Result<()> {
    let book = args.which.open(args.book.as_deref())?;
    let text = if args.all {
        let version = args.edition.or_else(|| book.version());
        Book::clone(&book).with_version(version).to_json()
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
