//! Finding games: by names, dates, results, and by the positions that they met.
//!
//! Every search is one pass over the arrays of each batch, the newest first: only the columns that
//! the filter speaks of are read, and what they let through is a list of places in the batch.

use crate::{
    Store, StoreError,
    columns::{self, Column, NO_SCORE, hash_of},
    games::{self, GAME_COLUMNS, GameId, Row, StoredGame, packed_of, read_game},
    names::{self, NameKind},
};
use game::{Footprint, Move, Position, Side, Trail};
use rusqlite::Connection;
use std::collections::{BTreeMap, HashSet};

/// Up to so many games that seem to have met a position are replayed to prove it. Of more, the
/// position after the next move is compared too, so that 64 bits agree.
const REPLAYED_MAX: usize = 256;

/// What games must have. Everything that is given must be true.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// Words of a player's name, on either side.
    pub player: Option<String>,
    /// Words of Black's name, and of White's.
    pub black: Option<String>,
    pub white: Option<String>,
    /// Words of the event's name.
    pub event: Option<String>,
    /// First and last year.
    pub years: Option<(u32, u32)>,
    /// The winner; `Some(None)` is a draw.
    pub winner: Option<Option<Side>>,
    /// Least and greatest number of moves, passes not counted.
    pub length: Option<(u16, u16)>,
    /// The least rating of both players.
    pub rating: Option<u16>,
    /// A position that the game met, whichever way the board is turned.
    pub position: Option<Position>,
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

/// Results of games, counted for Black and White.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Tally {
    games: u64,
    black: u64,
    draws: u64,
    white: u64,
    discs: i64,
}

impl Tally {
    fn add(&mut self, score: i8) {
        self.games += 1;
        match score {
            NO_SCORE => {}
            0 => self.draws += 1,
            1.. => self.black += 1,
            _ => self.white += 1,
        }
        if score != NO_SCORE {
            self.discs += i64::from(score);
        }
    }
}

/// A move that was played in a position, and how the games ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Continuation {
    /// `None` where games ended or break off.
    pub action: Option<Move>,
    pub games: u64,
    /// Games that Black won, that were drawn, that White won. Games without a known result are in
    /// none of them.
    pub black: u64,
    pub draws: u64,
    pub white: u64,
    /// The share of points that the side to move made, from 0 to 1; 0.5 if no result is known.
    pub score: f64,
    /// The mean final disc difference for the side to move.
    pub discs: f64,
}

impl Continuation {
    fn of(action: Option<Move>, tally: Tally, side: Side) -> Self {
        let Tally {
            games,
            black,
            draws,
            white,
            discs,
        } = tally;
        let known = (black + draws + white) as f64;
        let (won, sign) = match side {
            Side::Black => (black, 1.0),
            Side::White => (white, -1.0),
        };
        let share = |amount: f64, none: f64| if known > 0.0 { amount / known } else { none };
        Self {
            action,
            games,
            black,
            draws,
            white,
            score: share(won as f64 + draws as f64 / 2.0, 0.5),
            discs: share(sign * discs as f64, 0.0),
        }
    }
}

/// What is known about a position from games.
#[derive(Debug, Clone, PartialEq)]
pub struct Explored {
    /// All games that met it, as if they were one continuation.
    pub all: Continuation,
    /// The most frequent first.
    pub moves: Vec<Continuation>,
    /// The newest games that met it.
    pub newest: Vec<StoredGame>,
}

/// A filter with names as numbers and the position as a trail.
struct Plan {
    player: Option<HashSet<u32>>,
    black: Option<HashSet<u32>>,
    white: Option<HashSet<u32>>,
    event: Option<HashSet<u32>>,
    years: Option<(u32, u32)>,
    winner: Option<Option<Side>>,
    length: Option<(u16, u16)>,
    rating: Option<u16>,
    position: Option<(Position, Trail)>,
}

/// A game that passed, with what sorting and counting need.
#[derive(Debug, Clone, Copy)]
struct Hit {
    id: GameId,
    date: u32,
    ratings: u32,
    score: i8,
    /// The move that followed the position that was looked for.
    next: u8,
}

fn has_won(score: i8, winner: Option<Side>) -> bool {
    match winner {
        None => score == 0,
        Some(Side::Black) => score > 0,
        Some(Side::White) => score < 0 && score != NO_SCORE,
    }
}

fn is_in(set: Option<&HashSet<u32>>, number: u32) -> bool {
    set.is_none_or(|set| set.contains(&number))
}

/// The places of a batch that pass so far.
struct Places(Vec<u32>);

impl Places {
    fn keep<T: columns::Cell>(&mut self, cells: &[T], passes: impl Fn(T) -> bool) {
        let at = |place: &u32| cells.get(*place as usize);
        self.0
            .retain(|place| at(place).is_some_and(|cell| passes(*cell)));
    }

    fn cells<T: columns::Cell>(&self, cells: &[T]) -> Vec<T> {
        let places = self.0.iter();
        places
            .filter_map(|place| cells.get(*place as usize).copied())
            .collect()
    }
}

impl Plan {
    fn of(connection: &Connection, filter: &Filter) -> rusqlite::Result<Self> {
        let names = |kind, text: &Option<String>| {
            let search = |text: &String| names::search(connection, kind, text);
            text.as_ref().map(search).transpose()
        };
        Ok(Self {
            player: names(NameKind::Player, &filter.player)?,
            black: names(NameKind::Player, &filter.black)?,
            white: names(NameKind::Player, &filter.white)?,
            event: names(NameKind::Event, &filter.event)?,
            years: filter.years,
            winner: filter.winner,
            length: filter.length,
            rating: filter.rating,
            position: filter
                .position
                .as_ref()
                .map(|it| (it.clone(), Trail::of(it))),
        })
    }

    /// Whether a game that has no columns passes, apart from the position.
    fn admits(&self, row: &Row) -> bool {
        let year = row.date / 10_000;
        let either = |set: &HashSet<u32>| set.contains(&row.black) || set.contains(&row.white);
        self.player.as_ref().is_none_or(either)
            && is_in(self.black.as_ref(), row.black)
            && is_in(self.white.as_ref(), row.white)
            && is_in(self.event.as_ref(), row.event)
            && self
                .years
                .is_none_or(|(from, to)| (from..=to).contains(&year))
            && self
                .winner
                .is_none_or(|winner| has_won(row.score_cell(), winner))
            && self
                .length
                .is_none_or(|(from, to)| (from..=to).contains(&row.length))
            && self
                .rating
                .is_none_or(|least| row.black_elo.min(row.white_elo) >= least)
    }

    /// The games of a batch that pass.
    fn batch(&self, c: &Connection, batch: i64, n: usize) -> rusqlite::Result<Vec<Hit>> {
        let mut places = match &self.position {
            Some((_, trail)) => places_of(c, batch, trail)?,
            None => Places((0..n as u32).collect()),
        };
        if places.0.is_empty() {
            return Ok(Vec::new());
        }
        if let Some((position, trail)) = &self.position {
            confirm(c, batch, position, trail, &mut places)?;
        }
        if let Some(set) = &self.player {
            let black: Vec<u32> = columns::read(c, batch, Column::Black)?;
            let white: Vec<u32> = columns::read(c, batch, Column::White)?;
            places.0.retain(|place| {
                let on =
                    |side: &[u32]| side.get(*place as usize).is_some_and(|it| set.contains(it));
                on(&black) || on(&white)
            });
        }
        let sets = [
            (Column::Black, &self.black),
            (Column::White, &self.white),
            (Column::Event, &self.event),
        ];
        for (column, set) in sets {
            if let Some(set) = set {
                places.keep(&columns::read(c, batch, column)?, |it: u32| {
                    set.contains(&it)
                });
            }
        }
        if let Some((from, to)) = self.years {
            let in_years = |date: u32| (from..=to).contains(&(date / 10_000));
            places.keep(&columns::read(c, batch, Column::Date)?, in_years);
        }
        if let Some(winner) = self.winner {
            let won = |score: i8| has_won(score, winner);
            places.keep(&columns::read(c, batch, Column::Score)?, won);
        }
        if let Some((from, to)) = self.length {
            let fits = |length: u16| (from..=to).contains(&length);
            places.keep(&columns::read(c, batch, Column::Length)?, fits);
        }
        if let Some(least) = self.rating {
            for column in [Column::BlackElo, Column::WhiteElo] {
                places.keep(&columns::read(c, batch, column)?, |elo: u16| elo >= least);
            }
        }
        self.hits(c, batch, &places)
    }

    fn hits(&self, c: &Connection, batch: i64, places: &Places) -> rusqlite::Result<Vec<Hit>> {
        if places.0.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<u32> = places.cells(&columns::read(c, batch, Column::Id)?);
        let dates: Vec<u32> = places.cells(&columns::read(c, batch, Column::Date)?);
        let scores: Vec<i8> = places.cells(&columns::read(c, batch, Column::Score)?);
        let black: Vec<u16> = places.cells(&columns::read(c, batch, Column::BlackElo)?);
        let white: Vec<u16> = places.cells(&columns::read(c, batch, Column::WhiteElo)?);
        let nexts: Vec<u8> = match &self.position {
            Some((_, trail)) => places.cells(&columns::read(c, batch, Column::Next(trail.class))?),
            None => vec![Footprint::END; places.0.len()],
        };
        let cells = ids
            .iter()
            .zip(&dates)
            .zip(&scores)
            .zip(black.iter().zip(&white))
            .zip(&nexts);
        let hits = cells.map(|((((id, date), score), (black, white)), next)| Hit {
            id: *id,
            date: *date,
            ratings: u32::from(*black) + u32::from(*white),
            score: *score,
            next: *next,
        });
        // Deleted games have no number.
        Ok(hits.filter(|hit| hit.id != 0).collect())
    }

    /// The games without columns that pass.
    fn tail(&self, c: &Connection) -> rusqlite::Result<Vec<Hit>> {
        let (rows, prints) = games::tail(c)?;
        let mut hits = Vec::new();
        for (row, prints) in rows.iter().zip(&prints) {
            if !self.admits(row) {
                continue;
            }
            let next = match &self.position {
                None => Some(Footprint::END),
                Some((_, trail)) => {
                    let met = |it: &&Footprint| (it.class, it.key) == (trail.class, trail.key);
                    prints.iter().find(met).map(|it| it.next)
                }
            };
            if let Some(next) = next {
                hits.push(Hit {
                    id: row.id,
                    date: row.date,
                    ratings: u32::from(row.black_elo) + u32::from(row.white_elo),
                    score: row.score_cell(),
                    next,
                });
            }
        }
        Ok(hits)
    }

    fn all(&self, c: &Connection) -> rusqlite::Result<Vec<Hit>> {
        let mut statement = c.prepare_cached("SELECT id, n FROM batches ORDER BY id DESC")?;
        let batches = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?)))?;
        let batches: Vec<(i64, i64)> = batches.collect::<rusqlite::Result<_>>()?;
        let mut hits = self.tail(c)?;
        for (batch, n) in batches {
            hits.extend(self.batch(c, batch, n as usize)?);
        }
        Ok(hits)
    }
}

/// The places of a batch whose hash of this class is the trail's.
fn places_of(c: &Connection, batch: i64, trail: &Trail) -> rusqlite::Result<Places> {
    let wanted = hash_of(trail.key).to_le_bytes();
    let look = |bytes: &[u8]| {
        let (cells, _) = bytes.as_chunks::<4>();
        let mut places = Vec::new();
        // Blocks first: most of them have no match, and comparing a block is a few vector
        // instructions.
        for (block, cells) in cells.chunks(64).enumerate() {
            if cells
                .iter()
                .fold(false, |any, cell| any | (*cell == wanted))
            {
                let found = cells
                    .iter()
                    .enumerate()
                    .filter(|(_, cell)| **cell == wanted);
                places.extend(found.map(|(index, _)| (64 * block + index) as u32));
            }
        }
        Places(places)
    };
    let places = columns::with_bytes(c, batch, Column::Hash(trail.class), look)?;
    Ok(places.unwrap_or(Places(Vec::new())))
}

/// Takes games out that only share the hash: a few are replayed; of many, the position that
/// followed must have the right hash too, and those that ended there are replayed.
fn confirm(
    c: &Connection,
    batch: i64,
    position: &Position,
    trail: &Trail,
    places: &mut Places,
) -> rusqlite::Result<()> {
    let ids: Vec<u32> = columns::read(c, batch, Column::Id)?;
    let meets = |place: u32| -> rusqlite::Result<bool> {
        let Some(id) = ids.get(place as usize) else {
            return Ok(false);
        };
        let packed = packed_of(c, *id)?;
        Ok(packed.is_some_and(|it| matches!(it.meets(position), Ok(Some(_)))))
    };
    let mut is_met: Vec<bool> = vec![true; places.0.len()];
    if places.0.len() <= REPLAYED_MAX {
        for (met, place) in is_met.iter_mut().zip(&places.0) {
            *met = meets(*place)?;
        }
    } else {
        let nexts: Vec<u8> = columns::read(c, batch, Column::Next(trail.class))?;
        let after: Vec<u32> = columns::read(c, batch, Column::Hash(trail.class + 1))?;
        let mut expected: [Option<u32>; 64] = [None; 64];
        for (next, expected) in expected.iter_mut().enumerate() {
            let position = trail
                .action(next as u8)
                .and_then(|it| position_after(position, it));
            *expected = position.map(|it| hash_of(Trail::of(&it).key));
        }
        for (met, place) in is_met.iter_mut().zip(&places.0) {
            let at = *place as usize;
            let next = nexts.get(at).copied().unwrap_or(Footprint::END);
            *met = match expected.get(usize::from(next)) {
                Some(expected) => expected.is_some() && after.get(at) == expected.as_ref(),
                None => meets(*place)?,
            };
        }
    }
    let mut met = is_met.into_iter();
    places.0.retain(|_| met.next().unwrap_or(false));
    Ok(())
}

/// The position after a move, where a pass that was due is made first.
fn position_after(position: &Position, action: Move) -> Option<Position> {
    let position = match position.forced() {
        Some(pass) => position.play(pass).ok()?,
        None => position.clone(),
    };
    position.play(action).ok()
}

fn sort(hits: &mut [Hit], order: Order) {
    match order {
        Order::Newest => hits.sort_unstable_by_key(|hit| std::cmp::Reverse((hit.date, hit.id))),
        Order::Oldest => hits.sort_unstable_by_key(|hit| (hit.date, hit.id)),
        Order::Strongest => {
            hits.sort_unstable_by_key(|hit| std::cmp::Reverse((hit.ratings, hit.date, hit.id)));
        }
        Order::Added => hits.sort_unstable_by_key(|hit| hit.id),
    }
}

impl Store {
    /// The games that pass a filter, a page of them.
    pub fn find(&self, filter: &Filter, order: Order, page: Page) -> Result<Found, StoreError> {
        let find = || {
            let mut hits = Plan::of(&self.connection, filter)?.all(&self.connection)?;
            sort(&mut hits, order);
            let games = self.load(hits.iter().skip(page.skip).take(page.most))?;
            let total = hits.len();
            Ok(Found { total, games })
        };
        find().map_err(|error| self.wrong(&error))
    }

    /// What the games that pass a filter did in a position, and the newest of them. A position in
    /// the filter itself is not looked at.
    pub fn explore(
        &self,
        position: &Position,
        filter: &Filter,
        n_newest: usize,
    ) -> Result<Explored, StoreError> {
        let filter = Filter {
            position: Some(position.clone()),
            ..filter.clone()
        };
        let explore = || {
            let mut hits = Plan::of(&self.connection, &filter)?.all(&self.connection)?;
            let (mut all, mut moves) = (Tally::default(), BTreeMap::<u8, Tally>::new());
            for hit in &hits {
                all.add(hit.score);
                moves.entry(hit.next).or_default().add(hit.score);
            }
            let newest = hits.len().min(n_newest);
            if newest > 0 && newest < hits.len() {
                let key = |hit: &Hit| std::cmp::Reverse((hit.date, hit.id));
                hits.select_nth_unstable_by_key(newest - 1, key);
                hits.truncate(newest);
            }
            sort(&mut hits, Order::Newest);
            let newest = self.load(hits.iter().take(n_newest))?;
            let trail = Trail::of(position);
            let side = position
                .forced()
                .map_or(position.side(), |_| position.side().other());
            let mut moves: Vec<Continuation> = moves
                .into_iter()
                .map(|(next, tally)| Continuation::of(trail.action(next), tally, side))
                .collect();
            moves.sort_by_key(|it| std::cmp::Reverse(it.games));
            Ok(Explored {
                all: Continuation::of(None, all, side),
                moves,
                newest,
            })
        };
        explore().map_err(|error| self.wrong(&error))
    }

    fn load<'a>(&self, hits: impl Iterator<Item = &'a Hit>) -> rusqlite::Result<Vec<StoredGame>> {
        let sql = format!("SELECT {GAME_COLUMNS} FROM games WHERE id = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        hits.map(|hit| statement.query_row([hit.id], |row| read_game(&self.connection, row)))
            .collect()
    }
}
