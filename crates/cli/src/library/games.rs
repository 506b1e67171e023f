//! `kibitz games`: games of the database, a line each.

use super::{DbFile, GameFlag, game_json, position_of, result_text};
use anyhow::anyhow;
use app::library::{
    Event, Filter, LibraryError, Order, Page, QueryError, Store, StoredGame, date_text, parse_saved,
};
use game::Kind;
use std::io::{self, Write as _};

const EXAMPLES: &str = "\
Examples:
  kibitz games tamenori year:1990-1995
  kibitz games --position f5d6c3d3c4 result:draw --order strongest
  kibitz games 'event:\"world championship\"' --json
  kibitz games tamenori ralle

A query has words of the players' names, each of either player's, and key:value for the rest:
player, black, white, event, text (words of names, events and notes), year:1990-1995,
result:black|white|draw, moves:20-60, rating:1800, tag:WORD, own:yes, game:othello|chess, opening:NAME, position:P, part:P. A word may end with *; a
value with spaces stands in quotes. Part of a position: 64 squares of X, O, - and ? (any), or the
board of a FEN with ?. A query is saved with --save NAME and used again as saved:NAME.";

/// How a list is sorted.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum OrderFlag {
    Newest,
    Oldest,
    Strongest,
    Added,
}

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Words of the players' names, and key:value
    #[arg(value_name = "QUERY")]
    query: Vec<String>,
    /// Games that met this position: 64 squares and the side to move, or moves
    #[arg(long, value_name = "P")]
    position: Option<String>,
    /// Which game the position is of; without it, Othello is tried first
    #[arg(long, value_enum)]
    game: Option<GameFlag>,
    /// Save the query under a name; saved:NAME stands for it
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
    #[arg(long, value_enum, default_value = "newest")]
    order: OrderFlag,
    /// Most games to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    /// Leave out the first games of the list
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: usize,
    #[command(flatten)]
    db: DbFile,
    /// Print a JSON object a line
    #[arg(long)]
    json: bool,
}

/// The filter of a query and a position.
pub(super) fn filter(
    store: &Store,
    query: &[String],
    position: Option<&str>,
    game: Option<GameFlag>,
) -> anyhow::Result<Filter> {
    let parsed = parse_saved(&quoted(query), &|name| store.saved_search(name));
    let mut filter = parsed.map_err(|error| match error {
        LibraryError::Query(QueryError::Saved(_)) => {
            let known = store.saved_searches().unwrap_or_default().join(", ");
            anyhow!("{error}; there are: {known}")
        }
        other => other.into(),
    })?;
    if let Some(text) = position {
        filter.position = Some(position_of(text, game)?);
    }
    if let Some(game) = game {
        filter.kind = Some(game.kind());
    }
    Ok(filter)
}

/// The words of the command line as one query: a word that the shell had in quotes keeps its spaces.
fn quoted(words: &[String]) -> String {
    let word = |word: &String| match word.split_once(':') {
        Some((key, value)) if value.contains(' ') && !value.contains('"') => {
            format!("{key}:\"{value}\"")
        }
        _ => word.clone(),
    };
    let words: Vec<String> = words.iter().map(word).collect();
    words.join(" ")
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut store = args.db.open()?;
    let filter = filter(&store, &args.query, args.position.as_deref(), args.game)?;
    if let Some(name) = &args.save {
        let mut query = quoted(&args.query);
        if let Some(position) = &args.position {
            query = format!("{query} position:\"{position}\"");
        }
        let (name, query) = (name.clone(), Some(query));
        store.write(&[Event::Search { name, query }])?;
    }
    let order = match args.order {
        OrderFlag::Newest => Order::Newest,
        OrderFlag::Oldest => Order::Oldest,
        OrderFlag::Strongest => Order::Strongest,
        OrderFlag::Added => Order::Added,
    };
    let page = Page {
        skip: args.skip,
        most: args.limit,
    };
    let found = store.find(&filter, order, page)?;
    let mut out = anstream::stdout().lock();
    for game in &found.games {
        if args.json {
            serde_json::to_writer(&mut out, &game_json(game))?;
            writeln!(out)?;
        } else {
            writeln!(out, "{}", line(game))?;
        }
    }
    if !args.json {
        let shown = found.games.len();
        writeln!(out, "{shown} of {} games", found.total)?;
    }
    out.flush().map_err(io::Error::into)
}

pub(super) fn line(game: &StoredGame) -> String {
    let name = |name: &str| if name.is_empty() { "?" } else { name }.to_owned();
    // Who moves first stands first.
    let (first, second) = match game.packed.kind {
        Kind::Othello => (&game.black, &game.white),
        Kind::Chess => (&game.white, &game.black),
    };
    format!(
        "{:>8}  {:<10}  {:<24} {:<24} {:>7}  {}",
        game.id,
        date_text(game.date),
        name(first),
        name(second),
        result_text(game),
        game.event
    )
}
