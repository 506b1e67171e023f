//! `kibitz explore`: what games did in a position.

use super::{DbFile, GameFlag, game_json, games, position_of};
use app::library::{Analysis, Continuation, Explored};
use game::{Position, Side};
use serde_json::{Value, json};
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  kibitz explore --moves f5d6c3
  kibitz explore --moves f5d6c3 year:1990-1999 --json
  kibitz explore --moves 'e4 c5' --game chess

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
    /// Which game it is; without it, Othello is tried first
    #[arg(long, value_enum)]
    game: Option<GameFlag>,
    /// Newest and strongest games to list
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
    let position = position_of(text.unwrap_or_default(), args.game)?;
    let store = args.db.open()?;
    let filter = games::filter(&store, &args.query, None, None)?;
    let explored = store.explore(&position, &filter, args.newest)?;
    let note = store.note(&position)?.map(|it| it.text);
    let mut out = anstream::stdout().lock();
    if args.json {
        let told = to_json(&explored, &position, note.as_deref());
        serde_json::to_writer(&mut out, &told)?;
        writeln!(out)?;
    } else {
        print(&mut out, &explored, &position, note.as_deref())?;
    }
    Ok(())
}

/// The move as players write it, after the pass that was due.
fn name(position: &Position, it: &Continuation) -> Option<String> {
    it.action.map(|action| position.san(action))
}

fn to_json(explored: &Explored, position: &Position, note: Option<&str>) -> Value {
    let one = |it: &Continuation| {
        let value = it.value.as_ref().map(|value| {
            json!({
                "score": value.score.units(),
                "reach": value.reach.to_string(),
                "source": value.source.to_string(),
            })
        });
        json!({
            "move": name(position, it),
            "games": it.games,
            "black": it.black,
            "draws": it.draws,
            "white": it.white,
            "score": it.score,
            "share": share(it, explored),
            "discs": it.discs,
            "value": value,
        })
    };
    let analysis = |it: &Analysis| {
        json!({
            "source": it.source.to_string(),
            "limits": it.limits,
            "reach": it.reach.to_string(),
            "score": it.score.units(),
            "line": it.line,
        })
    };
    let all = &explored.all;
    let own = explored
        .own
        .map(|it| json!({"games": it.games, "won": it.won, "drawn": it.drawn, "lost": it.lost}));
    json!({
        "games": all.games,
        "black": all.black,
        "draws": all.draws,
        "white": all.white,
        "moves": explored.moves.iter().map(one).collect::<Vec<_>>(),
        "newest": explored.newest.iter().map(game_json).collect::<Vec<_>>(),
        "strongest": explored.strongest.iter().map(game_json).collect::<Vec<_>>(),
        "own": own,
        "analyses": explored.analyses.iter().map(analysis).collect::<Vec<_>>(),
        "note": note,
    })
}

/// The share of a move among all games of the position.
fn share(it: &Continuation, explored: &Explored) -> f64 {
    it.games as f64 / explored.all.games.max(1) as f64
}

fn print(
    out: &mut impl Write,
    explored: &Explored,
    position: &Position,
    note: Option<&str>,
) -> io::Result<()> {
    let all = &explored.all;
    if let Some(note) = note {
        writeln!(out, "{note}\n")?;
    }
    if all.games == 0 {
        return writeln!(out, "No game has met this position.");
    }
    let is_chess = position.othello().is_none();
    let sides = if is_chess {
        [Side::White, Side::Black]
    } else {
        [Side::Black, Side::White]
    };
    let [first, second] = sides;
    let discs = if is_chess { "" } else { "   discs" };
    writeln!(
        out,
        "move      games   share   score{discs}    {first:<5}   draw  {second:<5}  engine"
    )?;
    for it in &explored.moves {
        let name = name(position, it).unwrap_or_else(|| "end".to_owned());
        let discs = it
            .discs
            .map_or_else(String::new, |it| format!(" {it:>+7.2}"));
        let (first, second) = if is_chess {
            (it.white, it.black)
        } else {
            (it.black, it.white)
        };
        let value = it.value.as_ref();
        let value = value.map_or_else(String::new, |it| format!("{} {}", it.score, it.reach));
        let line = format!(
            "{name:<6} {:>8} {:>6.1}% {:>6.1}%{discs} {first:>8} {:>6} {second:>6}  {value}",
            it.games,
            100.0 * share(it, explored),
            100.0 * it.score,
            it.draws,
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out, "{:<6} {:>8}", "all", all.games)?;
    if let Some(own) = explored.own.filter(|it| it.games > 0) {
        let (games, won, drawn, lost) = (own.games, own.won, own.drawn, own.lost);
        writeln!(
            out,
            "yours  {games:>8}: {won} won, {drawn} drawn, {lost} lost"
        )?;
    }
    let lists = [
        ("Newest", &explored.newest),
        ("Strongest", &explored.strongest),
    ];
    for (title, list) in lists {
        if !list.is_empty() {
            writeln!(out, "\n{title}")?;
        }
        for game in list {
            writeln!(out, "{}", games::line(game))?;
        }
    }
    Ok(())
}
