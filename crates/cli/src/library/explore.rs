//! `kibitz explore`: what games did in a position.

use super::{DbFile, game_json, games};
use crate::position;
use app::library::{Continuation, Explored};
use game::Position;
use serde_json::{Value, json};
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  kibitz explore --moves f5d6c3
  kibitz explore --moves f5d6c3 year:1990-1999 --json

Positions are found whichever way the board is turned, and whatever the order of moves. Score is the
share of points of the side to move. Words after the flags limit the games, as in kibitz games.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(id = "place", required = true, args = ["position", "moves"])]
pub(crate) struct Args {
    /// The position: 64 squares and the side to move
    #[arg(long, value_name = "P")]
    position: Option<String>,
    /// The position: the moves that lead to it
    #[arg(long, value_name = "M")]
    moves: Option<String>,
    /// Which games count; see kibitz games --help
    #[arg(value_name = "QUERY")]
    query: Vec<String>,
    /// Newest games to list
    #[arg(long, value_name = "N", default_value_t = 5)]
    newest: usize,
    #[command(flatten)]
    db: DbFile,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let text = args.position.as_deref().or(args.moves.as_deref());
    let position = Position::from(position::parse(text.unwrap_or_default())?.position());
    let filter = games::filter(&args.query, None)?;
    let explored = args.db.open()?.explore(&position, &filter, args.newest)?;
    let mut out = anstream::stdout().lock();
    if args.json {
        serde_json::to_writer(&mut out, &to_json(&explored))?;
        writeln!(out)?;
    } else {
        print(&mut out, &explored)?;
    }
    Ok(())
}

fn name(it: &Continuation) -> String {
    it.action
        .map_or_else(|| "end".to_owned(), |action| action.to_string())
}

fn to_json(explored: &Explored) -> Value {
    let one = |it: &Continuation| {
        json!({
            "move": it.action.map(|action| action.to_string()),
            "games": it.games,
            "black": it.black,
            "draws": it.draws,
            "white": it.white,
            "score": it.score,
            "discs": it.discs,
        })
    };
    let all = &explored.all;
    json!({
        "games": all.games,
        "black": all.black,
        "draws": all.draws,
        "white": all.white,
        "moves": explored.moves.iter().map(one).collect::<Vec<_>>(),
        "newest": explored.newest.iter().map(game_json).collect::<Vec<_>>(),
    })
}

fn print(out: &mut impl Write, explored: &Explored) -> io::Result<()> {
    let all = &explored.all;
    if all.games == 0 {
        return writeln!(out, "No game has met this position.");
    }
    writeln!(
        out,
        "move     games   share   score   discs    Black   draw  White"
    )?;
    for it in &explored.moves {
        writeln!(
            out,
            "{:<5} {:>8} {:>6.1}% {:>6.1}% {:>+7.2} {:>8} {:>6} {:>6}",
            name(it),
            it.games,
            100.0 * it.games as f64 / all.games as f64,
            100.0 * it.score,
            it.discs,
            it.black,
            it.draws,
            it.white
        )?;
    }
    writeln!(out, "{:<5} {:>8}", "all", all.games)?;
    if !explored.newest.is_empty() {
        writeln!(out)?;
    }
    for game in &explored.newest {
        writeln!(out, "{}", games::line(game))?;
    }
    Ok(())
}
