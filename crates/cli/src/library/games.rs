//! `kibitz games`: games of the database, a line each.

use super::{DbFile, game_json, result_text};
use crate::position;
use app::library::{Filter, Order, Page, StoredGame, date_text, parse_query};
use std::io::{self, Write as _};

const EXAMPLES: &str = "\
Examples:
  kibitz games tamenori year:1990-1995
  kibitz games --position f5d6c3d3c4 result:draw --order strongest
  kibitz games 'event:\"world championship\"' --json

A query has words of a player's name and key:value for the rest: player, black, white, event,
year:1990-1995, result:black|white|draw, moves:20-60, rating:1800. A word may end with *.";

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
    /// Words of a player's name, and key:value
    #[arg(value_name = "QUERY")]
    query: Vec<String>,
    /// Games that met this position: 64 squares and the side to move, or moves
    #[arg(long, value_name = "P")]
    position: Option<String>,
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
pub(super) fn filter(query: &[String], position: Option<&str>) -> anyhow::Result<Filter> {
    let mut filter = parse_query(&query.join(" "))?;
    if let Some(text) = position {
        filter.position = Some(position::parse(text)?.position().into());
    }
    Ok(filter)
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let filter = filter(&args.query, args.position.as_deref())?;
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
    let found = args.db.open()?.find(&filter, order, page)?;
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
    format!(
        "{:>8}  {:<10}  {:<24} {:<24} {:>5}  {}",
        game.id,
        date_text(game.date),
        name(&game.black),
        name(&game.white),
        result_text(game.score),
        game.event
    )
}
