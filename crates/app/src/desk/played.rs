//! Games that people finish on the desk go into the database, too: there they are found by
//! position and player, counted among the user's own, and reviewed like any other.
//!
//! The file of a game stays what the desk works with (see docs/STORE.md for why). The database has
//! a copy of what was played, handed over when the game ends; nobody waits for it. Games that were
//! finished before there was a database are taken over once, at the first start with one.

use super::{Desk, Shared};
use crate::{
    Session,
    calendar::date_of,
    library::{GameData, Library, PlayedGame},
    session::PlayerKind,
    worker::{Priority, Progress, Task, Turn},
};
use game::{Kind, Outcome, Packed, Side, Tags, Termination};
use std::{
    sync::{Weak, atomic::Ordering},
    time::UNIX_EPOCH,
};

/// The first player's score as the database writes it. Who loses by time or gives up has lost
/// everything.
fn score_of(kind: Kind, outcome: Outcome) -> i8 {
    if let Some(centidiscs) = outcome.black_centidiscs {
        return (centidiscs / 100).clamp(-64, 64) as i8;
    }
    let all = match kind {
        Kind::Othello => 64,
        Kind::Chess => 1,
    };
    match outcome.winner {
        None => 0,
        Some(side) if side == kind.first_side() => all,
        Some(_) => -all,
    }
}

/// The game that was played in a session up to its end, if it has ended; `seconds` is when.
fn played(session: &Session, seconds: i64) -> Option<PlayedGame> {
    let (end, outcome) = session.played_end()?;
    let mut game = GameData::new(Packed::from(&session.record().only_to(end)));
    if game.packed.moves.is_empty() {
        return None;
    }
    let (year, month, day) = date_of(seconds.max(0) as u64);
    game.date = (10_000 * year + 100 * month + day) as u32;
    "Kibitz".clone_into(&mut game.event);
    game.score = Some(score_of(game.packed.kind, outcome));
    if outcome.termination != Termination::Normal {
        let name = outcome.termination.name().to_owned();
        game.tags.push((Tags::TERMINATION.to_owned(), name));
    }
    let mut own = None;
    for side in [Side::Black, Side::White] {
        let player = session.player(side);
        let name = match player.kind {
            PlayerKind::Human => {
                // Two people at one board: nobody knows which of them is the user.
                let is_alone = !session.people().play(side.other());
                own = own.or(is_alone.then_some(side));
                continue;
            }
            PlayerKind::Engine | PlayerKind::Recorded => player.name,
        };
        match side {
            Side::Black => game.black = name,
            Side::White => game.white = name,
        }
    }
    Some(PlayedGame { game, own })
}

impl Shared {
    /// Hands the game of a session over that has just ended.
    pub(super) fn keep_played(&self, session: &Session) {
        // Without a database there is the file.
        if let Ok(library) = self.library() {
            let played = played(session, Library::now_seconds());
            library.keep_played(played.into_iter().collect());
        }
    }
}

impl Desk {
    /// Takes the games over that were finished before there was a database; once.
    pub(super) fn take_over_games(&self, library: &Library) {
        match library.is_taken_over() {
            Ok(true) => {}
            Ok(false) => {
                let shared = self.shared.weak();
                let importer = &self.shared.collection.importer;
                importer.submit(0, Priority::Batch, Box::new(TakeOver { shared }));
            }
            Err(error) => tracing::warn!(%error, "finished games are not taken over"),
        }
    }
}

/// Reads the files of all games. If the program ends meanwhile, the next one begins anew: games that
/// are in the database already are recognised.
struct TakeOver {
    shared: Weak<Shared>,
}

impl Task<()> for TakeOver {
    fn run(&mut self, (): &mut (), turn: Turn<'_>) -> Progress {
        let Some(shared) = self.shared.upgrade() else {
            return Progress::Done;
        };
        let Ok(library) = shared.library() else {
            return Progress::Done;
        };
        let ids = match shared.pen().archive.ids() {
            Ok(ids) => ids,
            Err(error) => {
                self.fail(&error.to_string());
                return Progress::Done;
            }
        };
        let mut games = Vec::new();
        for id in ids {
            if turn.stop.load(Ordering::Relaxed) {
                return Progress::Again;
            }
            // A file that cannot be read stays where it is, and the list of games says why.
            let Ok(session) = shared.pen().archive.load(&id) else {
                continue;
            };
            let file = shared.home.sessions().join(format!("{id}.toml"));
            let written = std::fs::metadata(file).and_then(|it| it.modified()).ok();
            let seconds = written.and_then(|it| it.duration_since(UNIX_EPOCH).ok());
            let seconds = seconds.map_or_else(Library::now_seconds, |it| it.as_secs() as i64);
            games.extend(played(&session, seconds));
        }
        library.take_over(games);
        Progress::Done
    }

    fn fail(&mut self, reason: &str) {
        tracing::warn!(reason, "finished games are not taken over");
    }
}
