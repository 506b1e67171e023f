//! Commands that show the latest position again.

use crate::{Home, Session};
use std::fs;

/// A script of `kibitz` commands for the position before the last move of the game that was saved
/// last: the board, the search, and why.
pub(super) fn script(home: &Home) -> String {
    let Some(session) = latest(home) else {
        return "# No game is saved, so there is nothing to show again.\n".to_owned();
    };
    let record = session.record();
    let cursor = session.cursor();
    let node = record.node(cursor);
    let action = node.and_then(|node| node.action());
    let before = node
        .and_then(|node| node.parent())
        .and_then(|parent| record.position(parent));
    let position = before.or_else(|| record.position(cursor));
    let Some(position) = position.and_then(|position| position.othello()) else {
        return "# The saved game cannot be shown by commands.\n".to_owned();
    };
    let level = session.level().name;
    let played = match action {
        Some(action) => format!("# The move that was made here: {action}\n"),
        None => String::new(),
    };
    let why = match action
        .and_then(game::Move::othello)
        .and_then(othello::Move::square)
    {
        Some(square) => format!("kibitz explain --position '{position}' --move {square}\n"),
        None => format!("kibitz explain --position '{position}'\n"),
    };
    format!(
        "#!/bin/sh\n# The position before the last move, its search, and the level's own choice ({level}).\n{played}\
         kibitz board '{position}'\n\
         kibitz analyze --position '{position}' --lines 3\n\
         {why}\
         printf 'quit\\n' | kibitz play --position '{position}' --side none --level {level} --seed {}\n",
        session.seed()
    )
}

/// The game that was saved last.
fn latest(home: &Home) -> Option<Session> {
    let entries = fs::read_dir(home.sessions()).ok()?.flatten();
    let games = entries.filter_map(|entry| {
        let id = entry.file_name().into_string().ok()?;
        let id = id.strip_suffix(".toml")?.to_owned();
        let changed = entry.metadata().ok()?.modified().ok()?;
        Some((changed, id, entry.path()))
    });
    let (_, id, path) = games.max()?;
    let bytes = home.disk().read(&path, 64 << 20).ok()?;
    Session::from_text(&id, std::str::from_utf8(&bytes).ok()?).ok()
}
