//! Lists of games, page after page, with what a list shows beside names and results.

use super::{Library, LibraryError};
use game::Kind;
use std::sync::{Arc, Mutex, PoisonError};
use store::{Filter, GameId, Order, Page, StoredGame};

/// Lists that are remembered. Each takes four bytes a game.
const KEPT: usize = 4;

/// No named opening is longer.
const OPENING_PLIES: usize = 40;

/// A game in a list.
#[derive(Debug, Clone)]
pub struct ListedGame {
    pub game: StoredGame,
    /// The name of its opening, if it has one.
    pub opening: Option<String>,
    /// The words that the user gave to it.
    pub tags: Vec<String>,
    /// Whether the user wrote a note on it.
    pub has_note: bool,
}

/// A page of a list.
#[derive(Debug, Clone)]
pub struct Listing {
    /// How many games there are on all pages.
    pub total: usize,
    pub games: Vec<ListedGame>,
}

/// The numbers of the games of one list.
#[derive(Debug)]
struct Kept {
    filter: Filter,
    order: Order,
    /// The state of the database that it was made from.
    version: i64,
    ids: Arc<Vec<GameId>>,
}

/// The lists that were asked for last: whoever scrolls asks for one page after the other, and
/// sorting a million games for each of them would take longer than reading the page.
#[derive(Debug, Default)]
pub(super) struct Lists(Mutex<Vec<Kept>>);

impl Lists {
    fn find(&self, filter: &Filter, order: Order, version: i64) -> Option<Arc<Vec<GameId>>> {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lists.retain(|it| it.version == version);
        let at = lists
            .iter()
            .position(|it| it.filter == *filter && it.order == order)?;
        // The one that was used last stays the longest.
        let used = lists.remove(at);
        let ids = Arc::clone(&used.ids);
        lists.push(used);
        Some(ids)
    }

    fn keep(&self, kept: Kept) {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lists.len() >= KEPT {
            lists.remove(0);
        }
        lists.push(kept);
    }
}

impl Library {
    /// The numbers of the games that pass a filter, in order.
    pub fn ids(&self, filter: &Filter, order: Order) -> Result<Arc<Vec<GameId>>, LibraryError> {
        let reader = self.reader_for(filter);
        let version = reader.version()?;
        if let Some(ids) = self.lists.find(filter, order, version) {
            return Ok(ids);
        }
        let ids = Arc::new(reader.find_ids(filter, order)?);
        self.lists.keep(Kept {
            filter: filter.clone(),
            order,
            version,
            ids: Arc::clone(&ids),
        });
        Ok(ids)
    }

    /// A page of the games that pass a filter.
    pub fn list(&self, filter: &Filter, order: Order, page: Page) -> Result<Listing, LibraryError> {
        let ids = self.ids(filter, order)?;
        let some = ids.iter().skip(page.skip).take(page.most).copied();
        let some: Vec<GameId> = some.collect();
        Ok(Listing {
            total: ids.len(),
            games: self.listed(&some)?,
        })
    }

    /// Some games as a list shows them, in this order. A game that is gone is left out.
    pub fn listed(&self, ids: &[GameId]) -> Result<Vec<ListedGame>, LibraryError> {
        let reader = self.reader();
        let games = reader.games(ids)?;
        let listed = games.into_iter().map(|game| {
            Ok(ListedGame {
                opening: self.opening(&game),
                tags: reader.tags(game.id)?,
                has_note: reader.game_note(game.id)?.is_some(),
                game,
            })
        });
        listed.collect()
    }

    /// The opening of a game.
    fn opening(&self, game: &StoredGame) -> Option<String> {
        let record = game.packed.replay().ok()?;
        if game.packed.kind == Kind::Chess {
            let end = record.main_line().take(OPENING_PLIES).last()?;
            return game::eco::of_line(&record, end).map(|(it, _)| it.title());
        }
        let moves: Vec<othello::Move> = record
            .main_moves()
            .take(OPENING_PLIES)
            .filter_map(game::Move::othello)
            .collect();
        let found = self
            .openings
            .as_ref()?
            .recognise(record.start().othello()?, &moves)?;
        Some(found.opening.title())
    }
}
