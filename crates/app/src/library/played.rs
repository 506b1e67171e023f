//! Games that were played on the desk, on their way into the database.

use super::{Event, GameData, NewGame, Store, StoreError};
use game::Side;

/// Where such games come from.
pub(super) const SOURCE: &str = "desk";

/// How the user is called who has not said a name.
const NAMELESS: &str = "You";

/// A finished game of the desk.
#[derive(Debug, Clone)]
pub struct PlayedGame {
    pub game: GameData,
    /// The side that the user played, whose name the database knows.
    pub own: Option<Side>,
}

/// Stores games that are not there yet. The user's side gets the first of the names under which the
/// user plays; who has none is called "You", and that becomes one.
pub(super) fn keep(store: &mut Store, games: Vec<PlayedGame>) -> Result<(), StoreError> {
    let names = store.selves()?;
    let own_name = names.first().map_or(NAMELESS, |it| it);
    let is_any_own = games.iter().any(|it| it.own.is_some());
    let mut events = Vec::with_capacity(games.len());
    for PlayedGame { mut game, own } in games {
        match own {
            Some(Side::Black) => own_name.clone_into(&mut game.black),
            Some(Side::White) => own_name.clone_into(&mut game.white),
            None => {}
        }
        SOURCE.clone_into(&mut game.source);
        // What was played by the rules can be replayed.
        if let Ok(new) = NewGame::new(game) {
            events.push(Event::Game(Box::new(new)));
        }
    }
    if events.is_empty() {
        return Ok(());
    }
    store.write(&events)?;
    if is_any_own && names.is_empty() {
        store.set_selves(&[NAMELESS.to_owned()])?;
    }
    Ok(())
}
