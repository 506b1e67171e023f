//! Finding games: by names, dates, results, and by the positions that they met.
//!
//! Every search is one pass over the arrays of each batch, the newest first: only the columns that
//! the filter speaks of are read, and what they let through is a list of places in the batch.

use crate::{
    Store, StoreError, batches,
    classes::{Entry, hash_of},
    columns::{self, Column, NO_SCORE},
    games::{GAME_COLUMNS, GameId, Row, StoredGame, packed_of, read_game},
    knowledge,
    names::{self, NameKind, NumberSet},
    notes, reviews,
};
use game::{Footprint, Kind, Pattern, Position, Side, Trail};
use rayon::prelude::*;
use rusqlite::{Connection, OptionalExtension as _};
use std::collections::HashSet;

/// Up to so many games that seem to have met a position are replayed to prove it. Of more, the
/// position after the next move is compared too, so that twice 24 bits and two classes agree.
const REPLAYED_MAX: usize = 64;

/// What games must have. Everything that is given must be true.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    pub kind: Option<Kind>,
    /// Words of a player's name, on either side.
    pub player: Option<String>,
    /// Words of Black's name, and of White's.
    pub black: Option<String>,
    pub white: Option<String>,
    /// Words of the event's name.
    pub event: Option<String>,
    /// Words of a player's name, of the event's, or of the note on the game.
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

/// A filter with names as numbers and positions as trails.
pub(crate) struct Plan<'a> {
    filter: &'a Filter,
    player: Option<NumberSet>,
    black: Option<NumberSet>,
    white: Option<NumberSet>,
    event: Option<NumberSet>,
    pub(crate) own: Option<NumberSet>,
    /// Names and games that have the words of the text.
    text: Option<(NumberSet, NumberSet)>,
    /// Games with all the tags, and with reviews as they are wanted.
    tagged: Option<HashSet<GameId>>,
    trail: Option<Trail>,
    opening: Vec<Trail>,
}

/// A game that passed, with what sorting and counting need.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hit {
    id: GameId,
    date: u32,
    pub(crate) ratings: u32,
    pub(crate) score: i8,
    /// The way that was taken from the position that was looked for; [`NO_WAY`] if none.
    pub(crate) way: u8,
    /// 1: the user was the first player, 2: the second.
    pub(crate) own: u8,
}

/// Stands for the way of a game that ended.
const NO_WAY: u8 = u8::MAX;

/// A game of a batch that seems to have met a position.
#[derive(Debug, Clone, Copy)]
struct Met {
    place: u32,
    way: u8,
}

fn has_won(score: i8, winner: Option<Side>, kind: Kind) -> bool {
    match winner {
        None => score == 0,
        Some(side) if side == kind.first_side() => score > 0,
        Some(_) => score < 0 && score != NO_SCORE,
    }
}

/// Those in both of two sets, each of which may not be asked for.
fn both(one: Option<HashSet<GameId>>, other: Option<HashSet<GameId>>) -> Option<HashSet<GameId>> {
    match (one, other) {
        (Some(one), Some(other)) => Some(&one & &other),
        (one, other) => one.or(other),
    }
}

impl<'a> Plan<'a> {
    pub(crate) fn of(c: &Connection, filter: &'a Filter) -> rusqlite::Result<Self> {
        let names = |kind, text: &Option<String>| {
            let search = |text: &String| names::search(c, &[kind], text);
            text.as_ref().map(search).transpose()
        };
        let text = |text: &String| -> rusqlite::Result<(NumberSet, NumberSet)> {
            let kinds = [NameKind::Player, NameKind::Event];
            Ok((names::search(c, &kinds, text)?, notes::games_with(c, text)?))
        };
        let own = knowledge::selves(c)?;
        Ok(Self {
            player: names(NameKind::Player, &filter.player)?,
            black: names(NameKind::Player, &filter.black)?,
            white: names(NameKind::Player, &filter.white)?,
            event: names(NameKind::Event, &filter.event)?,
            own: (filter.is_own || !own.is_empty()).then_some(own),
            text: filter.text.as_ref().map(text).transpose()?,
            tagged: both(
                knowledge::tagged(c, &filter.tags)?,
                reviews::wanted(c, filter)?,
            ),
            trail: filter.position.as_ref().map(Trail::of),
            opening: filter.opening.iter().map(Trail::of).collect(),
            filter,
        })
    }

    /// Whether a player is the one that the filter is about: the named one, else the user, else
    /// anybody.
    pub(crate) fn is_about(&self, player: u32) -> bool {
        let wanted = self.player.as_ref().or(self.own.as_ref());
        wanted.is_none_or(|set| set.contains(player))
    }

    /// The numbers of the games that pass.
    pub(crate) fn ids(&self, store: &Store) -> rusqlite::Result<Vec<GameId>> {
        Ok(self.all(store)?.iter().map(|hit| hit.id).collect())
    }

    fn kinds(&self) -> impl Iterator<Item = Kind> {
        let wanted = [
            self.filter.kind,
            self.trail.as_ref().map(Trail::kind),
            self.opening.first().map(Trail::kind),
            self.filter.part.as_ref().map(Pattern::kind),
        ];
        let fits = move |kind: &Kind| wanted.iter().flatten().all(|it| it == kind);
        Kind::ALL.into_iter().filter(fits)
    }

    /// Whether a game passes, positions aside.
    fn admits(&self, row: &Row, kind: Kind) -> bool {
        let filter = self.filter;
        let year = row.date / 10_000;
        let either = |set: &NumberSet| set.contains(row.black) || set.contains(row.white);
        let is_in =
            |set: &Option<NumberSet>, number| set.as_ref().is_none_or(|set| set.contains(number));
        self.player.as_ref().is_none_or(either)
            && is_in(&self.black, row.black)
            && is_in(&self.white, row.white)
            && is_in(&self.event, row.event)
            && (!filter.is_own || self.own.as_ref().is_some_and(either))
            && self.text.as_ref().is_none_or(|(names, games)| {
                either(names) || names.contains(row.event) || games.contains(row.id)
            })
            && self.tagged.as_ref().is_none_or(|set| set.contains(&row.id))
            && filter
                .years
                .is_none_or(|(from, to)| (from..=to).contains(&year))
            && filter
                .winner
                .is_none_or(|winner| has_won(row.score_cell(), winner, kind))
            && filter
                .length
                .is_none_or(|(from, to)| (from..=to).contains(&row.length))
            && filter
                .rating
                .is_none_or(|least| row.black_elo.min(row.white_elo) >= least)
    }

    fn hit(&self, row: &Row, kind: Kind, way: u8) -> Hit {
        let is_own = |number| self.own.as_ref().is_some_and(|set| set.contains(number));
        let (first, second) = match kind.first_side() {
            Side::Black => (row.black, row.white),
            Side::White => (row.white, row.black),
        };
        Hit {
            id: row.id,
            date: row.date,
            ratings: u32::from(row.black_elo) + u32::from(row.white_elo),
            score: row.score_cell(),
            way,
            own: if is_own(first) {
                1
            } else {
                2 * u8::from(is_own(second))
            },
        }
    }

    /// The games of a batch that met the position and an opening, or all of them.
    fn met(&self, store: &Store, batch: i64, n: i64) -> rusqlite::Result<Vec<Met>> {
        let c = &store.connection;
        let mut met = match &self.trail {
            Some(trail) => met_in(c, batch, trail)?,
            None => (0..n as u32)
                .map(|place| Met { place, way: NO_WAY })
                .collect(),
        };
        if !self.opening.is_empty() {
            let mut places = HashSet::new();
            for trail in &self.opening {
                let mut some = met_in(c, batch, trail)?;
                let is_few = some.len() <= REPLAYED_MAX / 8;
                confirm(store, batch, trail, &mut some, is_few)?;
                places.extend(some.iter().map(|it| it.place));
            }
            met.retain(|it| places.contains(&it.place));
        }
        Ok(met)
    }

    /// The games of a batch that pass, apart from the proof that they met the position.
    fn batch(
        &self,
        store: &Store,
        kind: Kind,
        batch: i64,
        met: Vec<Met>,
    ) -> rusqlite::Result<Vec<Hit>> {
        let (c, memory) = (&store.connection, &store.memory);
        let ids = memory.read::<u32>(c, batch, Column::Id)?;
        let dates = memory.read::<u32>(c, batch, Column::Date)?;
        let scores = memory.read::<i8>(c, batch, Column::Score)?;
        let black_elos = memory.read::<u16>(c, batch, Column::BlackElo)?;
        let white_elos = memory.read::<u16>(c, batch, Column::WhiteElo)?;
        let filter = self.filter;
        let has_names = self.player.is_some()
            || self.black.is_some()
            || self.white.is_some()
            || self.own.is_some()
            || self.text.is_some();
        let number = |column, wanted: bool| {
            wanted
                .then(|| memory.read::<u32>(c, batch, column))
                .transpose()
        };
        let blacks = number(Column::Black, has_names)?;
        let whites = number(Column::White, has_names)?;
        let events = number(Column::Event, self.event.is_some() || self.text.is_some())?;
        let lengths = filter
            .length
            .map(|_| memory.read::<u16>(c, batch, Column::Length))
            .transpose()?;
        let mut hits = Vec::with_capacity(met.len());
        for Met { place, way } in met {
            let at = |cells: &Option<columns::Cells<u32>>| {
                let cell = cells.as_ref().and_then(|cells| cells.get(place));
                cell.unwrap_or(names::NAMELESS)
            };
            let score = scores.get(place).unwrap_or(NO_SCORE);
            let row = Row {
                id: ids.get(place).unwrap_or(0),
                identity: 0,
                black: at(&blacks),
                white: at(&whites),
                event: at(&events),
                date: dates.get(place).unwrap_or(0),
                score: (score != NO_SCORE).then_some(score),
                length: lengths.as_ref().and_then(|it| it.get(place)).unwrap_or(0),
                black_elo: black_elos.get(place).unwrap_or(0),
                white_elo: white_elos.get(place).unwrap_or(0),
            };
            // Deleted games have no number.
            if row.id != 0 && self.admits(&row, kind) {
                hits.push(self.hit(&row, kind, way));
            }
        }
        Ok(hits)
    }

    /// The games without columns that pass.
    fn tail(&self, store: &Store, kind: Kind) -> rusqlite::Result<Vec<Hit>> {
        let games = store.tail_of(kind)?;
        let mut hits = Vec::new();
        for (row, prints) in games.iter() {
            let meets = |trail: &Trail| {
                let wanted = (trail.class, hash_of(trail.key));
                prints.iter().any(|it| (it.class, it.hash) == wanted)
            };
            let is_met = self.trail.as_ref().is_none_or(meets)
                && (self.opening.is_empty() || self.opening.iter().any(meets));
            if !is_met || !self.admits(row, kind) {
                continue;
            }
            let way = match &self.trail {
                None => Some(NO_WAY),
                Some(trail) => way_of(&store.connection, row.id, trail)?,
            };
            hits.extend(way.map(|way| self.hit(row, kind, way)));
        }
        Ok(hits)
    }

    pub(crate) fn all(&self, store: &Store) -> rusqlite::Result<Vec<Hit>> {
        let c = &store.connection;
        let mut hits = Vec::new();
        for kind in self.kinds() {
            hits.extend(self.tail(store, kind)?);
            let batches = batches::of_kind(c, kind)?;
            let mut met = Vec::with_capacity(batches.len());
            for (batch, n) in batches {
                met.push((batch, self.met(store, batch, n)?));
            }
            if let Some(trail) = &self.trail {
                let n_met: usize = met.iter().map(|it| it.1.len()).sum();
                for (batch, some) in &mut met {
                    confirm(store, *batch, trail, some, n_met <= REPLAYED_MAX)?;
                }
            }
            for (batch, some) in met.into_iter().filter(|it| !it.1.is_empty()) {
                hits.extend(self.batch(store, kind, batch, some)?);
            }
        }
        if let Some(part) = &self.filter.part {
            hits = showing(c, &hits, part)?;
        }
        Ok(hits)
    }
}

/// The hits in whose games a part of a position stood on the board: all are replayed, on all cores.
fn showing(c: &Connection, hits: &[Hit], part: &Pattern) -> rusqlite::Result<Vec<Hit>> {
    /// Games that are in memory at once.
    const AT_ONCE: usize = 16_384;
    let mut shown = Vec::new();
    for hits in hits.chunks(AT_ONCE) {
        let mut games = Vec::with_capacity(hits.len());
        for hit in hits {
            if let Some(packed) = packed_of(c, hit.id)? {
                games.push((*hit, packed));
            }
        }
        let some = games
            .par_iter()
            .filter(|(_, packed)| packed.shows(part).unwrap_or(false))
            .map(|(hit, _)| *hit);
        shown.extend(some.collect::<Vec<Hit>>());
    }
    Ok(shown)
}

/// The games of a batch that have the hash of a position in its class.
fn met_in(c: &Connection, batch: i64, trail: &Trail) -> rusqlite::Result<Vec<Met>> {
    let found = columns::with_class(c, batch, trail.class, |class| {
        class.find(hash_of(trail.key))
    })?;
    let met = |entry: Entry| Met {
        place: entry.place,
        way: entry.next,
    };
    Ok(found.unwrap_or_default().into_iter().map(met).collect())
}

/// Whether a game met a position, by replaying it, and the way that it took.
fn way_of(c: &Connection, id: GameId, trail: &Trail) -> rusqlite::Result<Option<u8>> {
    let packed = packed_of(c, id)?;
    let met = packed.and_then(|it| it.meets(trail).ok().flatten());
    Ok(met.map(|action| {
        let ways = &trail.ways;
        let at = action.and_then(|action| ways.iter().position(|way| way.action == action));
        at.map_or(NO_WAY, |at| at as u8)
    }))
}

/// Takes games out that only share the hash, and turns bytes of moves into ways. Few games are
/// replayed; of many, the position that followed must have the right hash too, and only those that
/// ended there are replayed.
fn confirm(
    store: &Store,
    batch: i64,
    trail: &Trail,
    met: &mut Vec<Met>,
    is_few: bool,
) -> rusqlite::Result<()> {
    if met.is_empty() {
        return Ok(());
    }
    let c = &store.connection;
    let ids = store.memory.read::<u32>(c, batch, Column::Id)?;
    let id_of = |place: u32| ids.get(place).unwrap_or(0);
    let mut confirmed = Vec::with_capacity(met.len());
    let mut bytes = [false; 256];
    for it in met.iter() {
        bytes[usize::from(it.way)] = true;
    }
    let mut followed: Vec<(usize, Vec<Entry>)> = Vec::new();
    if !is_few {
        for (at, way) in trail.ways.iter().enumerate() {
            if bytes[usize::from(way.next)] {
                let find = |class: crate::classes::Class<'_>| class.find(hash_of(way.key));
                let places = columns::with_class(c, batch, way.class, find)?;
                followed.push((at, places.unwrap_or_default()));
            }
        }
    }
    for it in met.iter() {
        let took = |(at, places): &(usize, Vec<Entry>)| {
            let is_way = trail.ways.get(*at).is_some_and(|way| way.next == it.way);
            let place = |entry: &Entry| entry.place;
            (is_way && places.binary_search_by_key(&it.place, place).is_ok()).then_some(*at as u8)
        };
        let way = if !is_few {
            match followed.iter().find_map(took) {
                None if it.way == Footprint::END => way_of(c, id_of(it.place), trail)?,
                found => found,
            }
        } else {
            way_of(c, id_of(it.place), trail)?
        };
        let place = it.place;
        confirmed.extend(way.map(|way| Met { place, way }));
    }
    *met = confirmed;
    Ok(())
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
pub(crate) fn sort(hits: &mut [Hit], order: Order, page: Page) {
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
            let games = self.load(hits.iter().skip(page.skip).take(page.most))?;
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
        let sql = format!("SELECT {GAME_COLUMNS} FROM games WHERE id = ?1");
        let read = || {
            let mut statement = self.connection.prepare_cached(&sql)?;
            let mut games = Vec::with_capacity(ids.len());
            for id in ids {
                let game = statement.query_row([id], |row| read_game(&self.connection, row));
                games.extend(game.optional()?);
            }
            Ok(games)
        };
        read().map_err(|error: rusqlite::Error| self.wrong(&error))
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

    pub(crate) fn load<'a>(
        &self,
        hits: impl Iterator<Item = &'a Hit>,
    ) -> rusqlite::Result<Vec<StoredGame>> {
        let sql = format!("SELECT {GAME_COLUMNS} FROM games WHERE id = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        hits.map(|hit| statement.query_row([hit.id], |row| read_game(&self.connection, row)))
            .collect()
    }
}
