//! Finding games: what a filter may ask for, how found games are sorted, and pages of them.
//! `plan` does the work.

use crate::{
    Store, StoreError,
    games::{GAME_COLUMNS, GameId, StoredGame, read_game},
    names,
    plan::{Hit, Plan},
};
use game::{Kind, Pattern, Position, Side};
use rayon::prelude::*;
use rusqlite::OptionalExtension as _;

/// What games must have. Everything that is given must be true.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    pub kind: Option<Kind>,
    /// Words of the players' names, each on either side; those in double quotes stand in one name.
    pub player: Option<String>,
    /// Words of Black's name, and of White's.
    pub black: Option<String>,
    pub white: Option<String>,
    /// Words of the event's name.
    pub event: Option<String>,
    /// Words, each of a player's name, of the event's, or of the note on the game.
    pub text: Option<String>,
    /// First and last year.
    pub years: Option<(u32, u32)>,
    /// The winner; `Some(None)` is a draw.
    pub winner: Option<Option<Side>>,
    /// Least and greatest number of moves, passes not counted.
    pub length: Option<(u16, u16)>,
    /// The least rating of both players.
    pub rating: Option<u16>,
    /// Words that the user gave to the game.
    pub tags: Vec<String>,
    /// Whether the user played it.
    pub is_own: bool,
    /// A position that the game met, in Othello whichever way the board is turned.
    pub position: Option<Position>,
    /// Positions of which the game met one: the ends of an opening's lines.
    pub opening: Vec<Position>,
    /// Part of a position that stood on the board.
    pub part: Option<Pattern>,
    /// Whether it has a finished review.
    pub is_reviewed: bool,
    /// A class of mistakes, and a phase of the game, as reviews name them: a review found a mistake
    /// of this class in this phase.
    pub mistake: Option<String>,
    pub phase: Option<String>,
}

/// How found games are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// The latest date first; games of one date in the reverse order of their numbers.
    #[default]
    Newest,
    Oldest,
    /// The greatest sum of ratings first.
    Strongest,
    /// In the order in which they were added.
    Added,
}

/// A part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    pub skip: usize,
    pub most: usize,
}

/// Games that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// How many there are on all pages.
    pub total: usize,
    pub games: Vec<StoredGame>,
}

/// What hits are sorted by; the least comes first.
fn key_of(hit: &Hit, order: Order) -> (u64, u64) {
    let up = |date: u32| u64::from(u32::MAX - date);
    let id = u64::from(hit.id);
    match order {
        Order::Newest => (up(hit.date), u64::from(u32::MAX) - id),
        Order::Oldest => (u64::from(hit.date), id),
        Order::Strongest => {
            let ratings = u64::from(u32::MAX - hit.ratings);
            (ratings << 32 | up(hit.date), u64::from(u32::MAX) - id)
        }
        Order::Added => (id, 0),
    }
}

/// Puts a page of hits at the beginning, in order, without sorting the others.
fn sort(hits: &mut [Hit], order: Order, page: Page) {
    let end = page.skip.saturating_add(page.most).min(hits.len());
    let key = |hit: &Hit| key_of(hit, order);
    if end == 0 {
        return;
    }
    if end < hits.len() {
        hits.select_nth_unstable_by_key(end - 1, key);
    }
    hits[..end].sort_unstable_by_key(key);
}

impl Store {
    /// The games that pass a filter, a page of them.
    pub fn find(&self, filter: &Filter, order: Order, page: Page) -> Result<Found, StoreError> {
        let find = || {
            self.refresh()?;
            let mut hits = Plan::of(&self.connection, filter)?.all(self)?;
            sort(&mut hits, order, page);
            let ids = hits.iter().skip(page.skip).take(page.most);
            let games = self.read_games(&ids.map(|it| it.id).collect::<Vec<GameId>>())?;
            let total = hits.len();
            Ok(Found { total, games })
        };
        self.check_text(filter)?;
        find().map_err(|error: rusqlite::Error| self.wrong(&error))
    }

    /// The numbers of all games that pass a filter, in order. Whoever shows page after page of a
    /// list keeps them, and asks for [`Store::games`].
    pub fn find_ids(&self, filter: &Filter, order: Order) -> Result<Vec<GameId>, StoreError> {
        let find = || {
            self.refresh()?;
            let mut hits = Plan::of(&self.connection, filter)?.all(self)?;
            hits.par_sort_unstable_by_key(|hit| key_of(hit, order));
            Ok(hits.iter().map(|it| it.id).collect())
        };
        self.check_text(filter)?;
        find().map_err(|error: rusqlite::Error| self.wrong(&error))
    }

    /// Some games by their numbers, in that order. A game that is gone is left out.
    pub fn games(&self, ids: &[GameId]) -> Result<Vec<StoredGame>, StoreError> {
        self.read_games(ids).map_err(|error| self.wrong(&error))
    }

    pub(crate) fn read_games(&self, ids: &[GameId]) -> rusqlite::Result<Vec<StoredGame>> {
        let sql = format!("SELECT {GAME_COLUMNS} FROM games WHERE id = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut games = Vec::with_capacity(ids.len());
        for id in ids {
            let game = statement.query_row([id], |row| read_game(&self.connection, row));
            games.extend(game.optional()?);
        }
        Ok(games)
    }

    /// Refuses a text without a word: it would find nothing, whatever there is.
    pub(crate) fn check_text(&self, filter: &Filter) -> Result<(), StoreError> {
        let texts = [
            &filter.text,
            &filter.player,
            &filter.black,
            &filter.white,
            &filter.event,
        ];
        for text in texts.into_iter().flatten() {
            if names::match_of(text).is_none() {
                let text = text.clone();
                return Err(StoreError::Text { text });
            }
        }
        Ok(())
    }
}
