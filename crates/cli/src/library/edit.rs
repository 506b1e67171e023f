//! `kibitz db note`, `notes`, `tag` and `delete`: what the user says about games and positions.

use super::{DbFile, GameFlag, games, position_of};
use anyhow::{bail, ensure};
use app::library::{Event, GameId, Order, Store, StoreError};
use serde_json::json;
use std::io::Write as _;

#[derive(Debug, clap::Args)]
pub(super) struct NoteArgs {
    /// Markdown; an empty text removes the note, none shows it
    #[arg(value_name = "TEXT")]
    text: Option<String>,
    /// The note of this game
    #[arg(long, value_name = "ID", conflicts_with = "position")]
    id: Option<GameId>,
    /// The note of this position, whatever the moves before it: 64 squares and the side to move, a
    /// FEN, or moves
    #[arg(long, value_name = "P", required_unless_present = "id")]
    position: Option<String>,
    /// Which game the position is of; without it, Othello is tried first
    #[arg(long, value_enum)]
    game: Option<GameFlag>,
    #[command(flatten)]
    db: DbFile,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct NotesArgs {
    /// Words that a note has, all of them; a word may end with *
    #[arg(value_name = "WORD", required = true)]
    words: Vec<String>,
    /// Most notes to list, of games and of positions
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    #[command(flatten)]
    db: DbFile,
    /// Print a JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct TagArgs {
    /// The game's number, as kibitz games lists it
    #[arg(value_name = "ID")]
    id: GameId,
    /// Words to give it; one that begins with ^ is taken away, none shows those that it has
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    #[command(flatten)]
    db: DbFile,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct DeleteArgs {
    /// Which games; see kibitz games --help
    #[arg(value_name = "QUERY", required_unless_present = "ids")]
    query: Vec<String>,
    /// Games by their numbers
    #[arg(long = "id", value_name = "ID", conflicts_with = "query")]
    ids: Vec<GameId>,
    /// Delete more than one game
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    db: DbFile,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// A note or a tag of a game that is not there would be found by nobody.
fn check(store: &Store, id: GameId) -> Result<(), StoreError> {
    store.game(id).map(|_| ())
}

pub(super) fn note(args: &NoteArgs) -> anyhow::Result<()> {
    let mut store = args.db.open()?;
    let position = args.position.as_deref();
    let position = position
        .map(|text| position_of(text, args.game))
        .transpose()?;
    if let Some(id) = args.id {
        check(&store, id)?;
    }
    if let Some(text) = args.text.clone() {
        let event = match (&position, args.id) {
            (Some(position), _) => Event::Note {
                position: position.clone(),
                text,
            },
            (None, Some(game)) => Event::GameNote { game, text },
            (None, None) => bail!("expected --id or --position"),
        };
        store.write(&[event])?;
    }
    let note = match (&position, args.id) {
        (Some(position), _) => store.note(position)?.map(|it| it.text),
        (None, Some(id)) => store.game_note(id)?,
        (None, None) => None,
    };
    let mut out = anstream::stdout().lock();
    if args.json {
        serde_json::to_writer(&mut out, &json!({"note": note}))?;
        writeln!(out)?;
    } else {
        writeln!(out, "{}", note.as_deref().unwrap_or("There is no note."))?;
    }
    Ok(())
}

pub(super) fn notes(args: &NotesArgs) -> anyhow::Result<()> {
    let store = args.db.open()?;
    let text = args.words.join(" ");
    let of_games = store.search_game_notes(&text, args.limit)?;
    let of_positions = store.search_notes(&text, args.limit)?;
    let mut out = anstream::stdout().lock();
    for note in &of_games {
        if args.json {
            let told = json!({"game": note.game, "note": note.text});
            writeln!(out, "{told}")?;
        } else {
            writeln!(out, "game {}\n{}\n", note.game, note.text)?;
        }
    }
    for note in &of_positions {
        if args.json {
            let told = json!({"position": note.position, "note": note.text});
            writeln!(out, "{told}")?;
        } else {
            writeln!(out, "{}\n{}\n", note.position, note.text)?;
        }
    }
    if !args.json {
        let (games, positions) = (of_games.len(), of_positions.len());
        writeln!(out, "notes on {games} games and {positions} positions")?;
    }
    Ok(())
}

pub(super) fn tag(args: &TagArgs) -> anyhow::Result<()> {
    let mut store = args.db.open()?;
    check(&store, args.id)?;
    let event = |word: &String| {
        let (tag, is_set) = match word.strip_prefix('^') {
            Some(tag) => (tag, false),
            None => (word.as_str(), true),
        };
        ensure!(!tag.trim().is_empty(), "a tag needs a word");
        Ok(Event::Tag {
            game: args.id,
            tag: tag.to_owned(),
            is_set,
        })
    };
    let events: anyhow::Result<Vec<Event>> = args.words.iter().map(event).collect();
    store.write(&events?)?;
    let tags = store.tags(args.id)?;
    let mut out = anstream::stdout().lock();
    if args.json {
        serde_json::to_writer(&mut out, &json!({"tags": tags}))?;
        writeln!(out)?;
    } else {
        writeln!(out, "{}", tags.join("\n"))?;
    }
    Ok(())
}

pub(super) fn delete(args: &DeleteArgs) -> anyhow::Result<()> {
    let mut store = args.db.open()?;
    let ids = if args.ids.is_empty() {
        let filter = games::filter(&store, &args.query, None, None)?;
        store.find_ids(&filter, Order::Added)?
    } else {
        args.ids.clone()
    };
    let n = ids.len();
    ensure!(
        n <= 1 || args.yes,
        "this would delete {n} games with their notes, tags and reviews; add --yes if you mean it"
    );
    let deleted = store.delete(&ids)?;
    let mut out = anstream::stdout().lock();
    if args.json {
        serde_json::to_writer(&mut out, &json!({"deleted": deleted}))?;
        writeln!(out)?;
    } else {
        writeln!(out, "{deleted} deleted")?;
    }
    Ok(())
}
