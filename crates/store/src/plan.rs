//! How games are found: which arrays of a batch are read for a filter, and which games are replayed.
//!
//! Properties (players, event, date, score, length, ratings) are asked first, one pass over an array
//! for each, because they leave a list of places at once. A position is then looked for among what
//! they left, in the array of its class (see `proof`).

use crate::{
    Store, batches,
    classes::hash_of,
    columns::{Cells, Column, NO_SCORE},
    find::Filter,
    games::{GameId, Row, packed_of},
    knowledge,
    masks::{Mask, is_any, keep, keep_marked},
    names::{self, NameKind, NumberSet},
    notes,
    often::Seen,
    proof::{Met, proven, replayed, showing},
    reviews,
};
use game::{Kind, Pattern, Side, Trail};
use rayon::prelude::*;
use rusqlite::Connection;
use std::collections::HashSet;

/// Batches whose properties are in memory at once.
const AT_ONCE: usize = 64;

/// A filter with names as numbers and positions as trails.
pub(crate) struct Plan<'a> {
    filter: &'a Filter,
    /// For each word of a player's name, the names that have it.
    player: Vec<NumberSet>,
    /// The players that all of these words are about.
    about: NumberSet,
    black: Option<NumberSet>,
    white: Option<NumberSet>,
    event: Option<NumberSet>,
    pub(crate) own: Option<NumberSet>,
    /// For each word of the text, names and games that have it.
    text: Vec<(NumberSet, NumberSet)>,
    /// Games with all the tags, and with reviews as they are wanted.
    tagged: Option<NumberSet>,
    pub(crate) trail: Option<Trail>,
    opening: Vec<Trail>,
}

/// A game that passed, with what sorting and counting need.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hit {
    pub(crate) id: GameId,
    pub(crate) date: u32,
    pub(crate) ratings: u32,
    pub(crate) score: i8,
    /// The way that was taken from the position that was looked for; [`NO_WAY`] if none.
    pub(crate) way: u8,
    /// Which player the user was.
    pub(crate) own: Option<Seat>,
}

impl From<&Hit> for Seen {
    fn from(hit: &Hit) -> Self {
        Self {
            id: hit.id,
            date: hit.date,
            ratings: hit.ratings,
        }
    }
}

/// The first player or the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seat {
    First,
    Second,
}

/// Stands for the way of a game that ended.
pub(crate) const NO_WAY: u8 = u8::MAX;

/// A batch of games, and what its properties let through; `None` if nothing was asked of them.
pub(crate) struct Batch {
    pub(crate) id: i64,
    pub(crate) mask: Option<Mask>,
}

/// Properties of a batch's games, as far as a filter and its hits need them.
struct Properties {
    ids: Cells<u32>,
    dates: Cells<u32>,
    scores: Cells<i8>,
    elos: [Cells<u16>; 2],
    /// Black's names and White's.
    players: Option<[Cells<u32>; 2]>,
    events: Option<Cells<u32>>,
    lengths: Option<Cells<u16>>,
}

fn has_won(score: i8, winner: Option<Side>, kind: Kind) -> bool {
    match winner {
        None => score == 0,
        Some(side) if side == kind.first_side() => score > 0,
        Some(_) => score < 0 && score != NO_SCORE,
    }
}

/// Those in both of two sets, each of which may not be asked for.
fn both(one: Option<HashSet<GameId>>, other: Option<HashSet<GameId>>) -> Option<NumberSet> {
    let both = match (one, other) {
        (Some(one), Some(other)) => Some(&one & &other),
        (one, other) => one.or(other),
    };
    both.map(|it| it.into_iter().collect())
}

impl<'a> Plan<'a> {
    pub(crate) fn of(c: &Connection, filter: &'a Filter) -> rusqlite::Result<Self> {
        let names = |kind, text: &Option<String>| {
            let search = |text: &String| names::search(c, &[kind], text);
            text.as_ref().map(search).transpose()
        };
        // Words may stand in different fields of a game.
        let text = |word: &str| -> rusqlite::Result<(NumberSet, NumberSet)> {
            let kinds = [NameKind::Player, NameKind::Event];
            Ok((names::search(c, &kinds, word)?, notes::games_with(c, word)?))
        };
        let words = filter.text.iter().flat_map(|it| it.split_whitespace());
        let words = words.filter(|it| names::match_of(it).is_some());
        let players = filter.player.iter().flat_map(|it| names::parts(it));
        let players = players.map(|it| names::search(c, &[NameKind::Player], it));
        let player = players.collect::<rusqlite::Result<Vec<NumberSet>>>()?;
        let own = knowledge::selves(c)?;
        Ok(Self {
            about: NumberSet::common(&player),
            player,
            black: names(NameKind::Player, &filter.black)?,
            white: names(NameKind::Player, &filter.white)?,
            event: names(NameKind::Event, &filter.event)?,
            own: (filter.is_own || !own.is_empty()).then_some(own),
            text: words.map(text).collect::<rusqlite::Result<_>>()?,
            tagged: both(
                knowledge::tagged(c, &filter.tags)?,
                reviews::wanted(c, filter)?,
            ),
            trail: filter.position.as_ref().map(Trail::of),
            opening: filter.opening.iter().map(Trail::of).collect(),
            filter,
        })
    }

    /// Whether a player is one that the filter is about: a named one, else the user, else anybody.
    pub(crate) fn is_about(&self, player: u32) -> bool {
        let has_it = |set: &NumberSet| set.contains(player);
        match (&self.player[..], &self.own) {
            ([], own) => own.as_ref().is_none_or(has_it),
            // Words of two names.
            (words, _) if self.about.is_empty() => words.iter().any(has_it),
            _ => has_it(&self.about),
        }
    }

    /// The numbers of the games that pass.
    pub(crate) fn ids(&self, store: &Store) -> rusqlite::Result<Vec<GameId>> {
        Ok(self.all(store)?.iter().map(|hit| hit.id).collect())
    }

    /// Whether nothing is asked but the position.
    pub(crate) fn is_plain(&self) -> bool {
        !self.has_properties() && self.opening.is_empty() && self.filter.part.is_none()
    }

    /// Whether anything is asked that arrays of properties answer.
    fn has_properties(&self) -> bool {
        let filter = self.filter;
        let sets = [&self.black, &self.white, &self.event, &self.tagged];
        sets.iter().any(|it| it.is_some())
            || !self.player.is_empty()
            || !self.text.is_empty()
            || filter.is_own
            || filter.years.is_some()
            || filter.winner.is_some()
            || filter.length.is_some()
            || filter.rating.is_some()
    }

    pub(crate) fn kinds(&self) -> impl Iterator<Item = Kind> + use<> {
        let wanted = [
            self.filter.kind,
            self.trail.as_ref().map(Trail::kind),
            self.filter.part.as_ref().map(Pattern::kind),
        ];
        let openings: Vec<Kind> = self.opening.iter().map(Trail::kind).collect();
        let fits = move |kind: &Kind| {
            wanted.iter().flatten().all(|it| it == kind)
                && (openings.is_empty() || openings.contains(kind))
        };
        Kind::ALL.into_iter().filter(fits)
    }

    /// Whether a game passes, positions aside.
    fn admits(&self, row: &Row, kind: Kind) -> bool {
        let filter = self.filter;
        let year = row.date / 10_000;
        let either = |set: &NumberSet| set.contains(row.black) || set.contains(row.white);
        let is_in =
            |set: &Option<NumberSet>, number| set.as_ref().is_none_or(|set| set.contains(number));
        self.player.iter().all(either)
            && is_in(&self.black, row.black)
            && is_in(&self.white, row.white)
            && is_in(&self.event, row.event)
            && (!filter.is_own || self.own.as_ref().is_some_and(either))
            && self.text.iter().all(|(names, games)| {
                either(names) || names.contains(row.event) || games.contains(row.id)
            })
            && is_in(&self.tagged, row.id)
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

    /// Which player the user was.
    fn seat(&self, black: u32, white: u32, kind: Kind) -> Option<Seat> {
        let own = self.own.as_ref()?;
        let (first, second) = match kind.first_side() {
            Side::Black => (black, white),
            Side::White => (white, black),
        };
        match (own.contains(first), own.contains(second)) {
            (true, _) => Some(Seat::First),
            (_, true) => Some(Seat::Second),
            _ => None,
        }
    }

    fn hit(&self, row: &Row, kind: Kind, way: u8) -> Hit {
        Hit {
            id: row.id,
            date: row.date,
            ratings: row.ratings(),
            score: row.score_cell(),
            way,
            own: self.seat(row.black, row.white, kind),
        }
    }

    fn properties(&self, store: &Store, batch: i64) -> rusqlite::Result<Properties> {
        let (c, memory) = (&store.connection, &store.memory);
        let number = |column| memory.read::<u32>(c, batch, column);
        let is_any = |sets: &[&Option<NumberSet>]| sets.iter().any(|it| it.is_some());
        let has_players = !self.player.is_empty() || is_any(&[&self.black, &self.white, &self.own]);
        let has_text = !self.text.is_empty();
        let when = |wanted: bool, column| wanted.then(|| number(column)).transpose();
        let players = match has_players || has_text {
            true => Some([number(Column::Black)?, number(Column::White)?]),
            false => None,
        };
        let lengths = self.filter.length;
        Ok(Properties {
            ids: number(Column::Id)?,
            dates: number(Column::Date)?,
            scores: memory.read(c, batch, Column::Score)?,
            elos: [
                memory.read(c, batch, Column::BlackElo)?,
                memory.read(c, batch, Column::WhiteElo)?,
            ],
            players,
            events: when(self.event.is_some() || has_text, Column::Event)?,
            lengths: lengths
                .map(|_| memory.read(c, batch, Column::Length))
                .transpose()?,
        })
    }

    /// Which games of a batch have the properties that are asked for.
    fn mask(&self, properties: &Properties, kind: Kind) -> Mask {
        let filter = self.filter;
        let Properties {
            ids,
            dates,
            scores,
            elos,
            players,
            events,
            lengths,
        } = properties;
        // Deleted games have no number.
        let mut mask: Mask = ids.all().map(|id| id != 0).collect();
        if let Some((from, to)) = filter.years {
            let first = from.saturating_mul(10_000);
            let last = to.saturating_mul(10_000).saturating_add(9_999);
            keep(&mut mask, dates.all(), |date| {
                (date >= first) & (date <= last)
            });
        }
        if let Some(winner) = filter.winner {
            keep(&mut mask, scores.all(), |score| {
                has_won(score, winner, kind)
            });
        }
        if let Some(least) = filter.rating {
            for elos in elos {
                keep(&mut mask, elos.all(), |elo| elo >= least);
            }
        }
        if let (Some((from, to)), Some(lengths)) = (filter.length, lengths) {
            keep(&mut mask, lengths.all(), |it| (from..=to).contains(&it));
        }
        if let Some(tagged) = &self.tagged {
            keep_marked(&mut mask, &[(tagged, ids)]);
        }
        // What is left is often nothing: batches are in the order of time, more or less.
        if is_any(&mask) {
            self.keep_named(&mut mask, ids, players.as_ref(), events.as_ref());
        }
        mask
    }

    /// The part of a mask that names decide.
    fn keep_named(
        &self,
        mask: &mut Mask,
        ids: &Cells<u32>,
        players: Option<&[Cells<u32>; 2]>,
        events: Option<&Cells<u32>>,
    ) {
        if let (Some(event), Some(events)) = (&self.event, events) {
            keep_marked(mask, &[(event, events)]);
        }
        let Some([blacks, whites]) = players else {
            return;
        };
        let own = self.own.as_ref().filter(|_| self.filter.is_own);
        for set in self.player.iter().chain(own) {
            keep_marked(mask, &[(set, blacks), (set, whites)]);
        }
        for (set, cells) in [(&self.black, blacks), (&self.white, whites)] {
            if let Some(set) = set {
                keep_marked(mask, &[(set, cells)]);
            }
        }
        for ((names, games), events) in self.text.iter().zip(events.into_iter().cycle()) {
            let places = [
                (names, blacks),
                (names, whites),
                (names, events),
                (games, ids),
            ];
            keep_marked(mask, &places);
        }
    }

    /// The hits of a batch where no position is asked for.
    fn hits(&self, properties: &Properties, kind: Kind) -> Vec<Hit> {
        let mask = self.mask(properties, kind);
        let mut hits = Vec::new();
        for place in (0..).zip(mask).filter_map(|it| it.1.then_some(it.0)) {
            hits.push(properties.hit(self, kind, place, NO_WAY));
        }
        hits
    }

    /// The batches of a kind that are worth a look, with what their properties let through.
    fn batches(&self, store: &Store, kind: Kind) -> rusqlite::Result<Vec<Batch>> {
        let found = batches::of_kind(&store.connection, kind)?;
        if !self.has_properties() {
            let all = found.into_iter().map(|(id, _)| Batch { id, mask: None });
            return Ok(all.collect());
        }
        let mut batches = Vec::with_capacity(found.len());
        for some in found.chunks(AT_ONCE) {
            let properties = some
                .iter()
                .map(|(id, _)| Ok((*id, self.properties(store, *id)?)));
            let properties = properties.collect::<rusqlite::Result<Vec<_>>>()?;
            let masked = properties.par_iter().map(|(id, properties)| Batch {
                id: *id,
                mask: Some(self.mask(properties, kind)),
            });
            batches.extend(masked.collect::<Vec<Batch>>());
        }
        batches.retain(|it| it.mask.as_ref().is_some_and(is_any));
        Ok(batches)
    }

    /// The games without columns that pass.
    pub(crate) fn tail(&self, store: &Store, kind: Kind) -> rusqlite::Result<Vec<Hit>> {
        let games = store.tail_of(kind)?;
        let mut hits = Vec::new();
        for (row, prints) in games.iter() {
            let meets = |trail: &Trail| {
                let wanted = (trail.class, hash_of(trail.key));
                trail.kind() == kind && prints.iter().any(|it| (it.class, it.hash) == wanted)
            };
            let is_met = self.trail.as_ref().is_none_or(meets)
                && (self.opening.is_empty() || self.opening.iter().any(meets));
            if !is_met || !self.admits(row, kind) {
                continue;
            }
            if !self.opening.is_empty() && !self.opens(store, row.id)? {
                continue;
            }
            let way = match &self.trail {
                None => Some(NO_WAY),
                Some(trail) => replayed(&store.connection, row.id, trail)?.map(|it| it.1),
            };
            hits.extend(way.map(|way| self.hit(row, kind, way)));
        }
        Ok(hits)
    }

    /// Whether a game met one of the openings, by replaying it.
    fn opens(&self, store: &Store, id: GameId) -> rusqlite::Result<bool> {
        let packed = packed_of(&store.connection, id)?;
        let met = |trail: &Trail| {
            let met = packed.as_ref().and_then(|it| it.meets(trail).ok());
            met.flatten().is_some()
        };
        Ok(self.opening.iter().any(met))
    }

    /// All games that pass.
    pub(crate) fn all(&self, store: &Store) -> rusqlite::Result<Vec<Hit>> {
        let mut hits = Vec::new();
        for kind in self.kinds() {
            hits.extend(self.tail(store, kind)?);
            if self.trail.is_none() && self.opening.is_empty() {
                let found = batches::of_kind(&store.connection, kind)?;
                for some in found.chunks(AT_ONCE) {
                    let properties = some.iter().map(|(id, _)| self.properties(store, *id));
                    let properties = properties.collect::<rusqlite::Result<Vec<_>>>()?;
                    let found = properties.par_iter().map(|it| self.hits(it, kind));
                    hits.extend(found.collect::<Vec<_>>().into_iter().flatten());
                }
                continue;
            }
            let mut batches = self.batches(store, kind)?;
            if !self.opening.is_empty() {
                self.keep_openings(store, kind, &mut batches)?;
            }
            match &self.trail {
                Some(trail) => hits.extend(self.met(store, kind, trail, &batches)?),
                None => {
                    for batch in &batches {
                        let properties = self.properties(store, batch.id)?;
                        let places = batch.mask.iter().flatten().enumerate();
                        for (place, _) in places.filter(|it| *it.1) {
                            hits.push(properties.hit(self, kind, place as u32, NO_WAY));
                        }
                    }
                }
            }
        }
        if let Some(part) = &self.filter.part {
            hits = showing(&store.connection, &hits, part)?;
        }
        Ok(hits)
    }

    /// Leaves the games that met one of the openings.
    fn keep_openings(
        &self,
        store: &Store,
        kind: Kind,
        batches: &mut [Batch],
    ) -> rusqlite::Result<()> {
        let mut places: Vec<HashSet<u32>> = vec![HashSet::new(); batches.len()];
        for trail in self.opening.iter().filter(|it| it.kind() == kind) {
            for met in proven(store, trail, batches)? {
                places[met.batch].insert(met.place);
            }
        }
        for (batch, places) in batches.iter_mut().zip(places) {
            let end = places.iter().max().map_or(0, |it| *it as usize + 1);
            let mut mask = vec![false; end];
            for place in places {
                mask[place as usize] = true;
            }
            batch.mask = Some(mask);
        }
        Ok(())
    }

    /// The games of some batches that met the position.
    fn met(
        &self,
        store: &Store,
        kind: Kind,
        trail: &Trail,
        batches: &[Batch],
    ) -> rusqlite::Result<Vec<Hit>> {
        let met = proven(store, trail, batches)?;
        let mut hits = Vec::with_capacity(met.len());
        for some in met.chunk_by(|one, other| one.batch == other.batch) {
            let is_read = |it: &Met| it.row.is_some();
            let properties = match some.iter().all(is_read) {
                true => None,
                false => Some(self.properties(store, batches[some[0].batch].id)?),
            };
            for it in some {
                match (&it.row, &properties) {
                    (Some(row), _) => hits.push(self.hit(row, kind, it.way)),
                    (None, Some(all)) => hits.push(all.hit(self, kind, it.place, it.way)),
                    (None, None) => {}
                }
            }
        }
        Ok(hits)
    }

    /// The games of a batch that met a position which the batch has not counted.
    pub(crate) fn rare(
        &self,
        store: &Store,
        kind: Kind,
        trail: &Trail,
        batch: i64,
    ) -> rusqlite::Result<Vec<Hit>> {
        let mask = None;
        self.met(store, kind, trail, &[Batch { id: batch, mask }])
    }

    /// The user's own games of a batch that met a position which the batch has counted.
    pub(crate) fn own_of(
        &self,
        store: &Store,
        kind: Kind,
        trail: &Trail,
        batch: i64,
    ) -> rusqlite::Result<Vec<Hit>> {
        if self.own.is_none() {
            return Ok(Vec::new());
        }
        let places = store.memory.own(batch, || {
            let all = self.properties(store, batch)?;
            let players = all.players.iter().flat_map(|[blacks, whites]| {
                let seats = blacks.all().zip(whites.all());
                (0..).zip(seats.map(|(black, white)| self.seat(black, white, kind)))
            });
            Ok(players.filter_map(|it| it.1.map(|_| it.0)).collect())
        })?;
        let Some(last) = places.last() else {
            return Ok(Vec::new());
        };
        let mut mask = vec![false; *last as usize + 1];
        for place in places.iter() {
            mask[*place as usize] = true;
        }
        let mask = Some(mask);
        self.met(store, kind, trail, &[Batch { id: batch, mask }])
    }
}

impl Properties {
    fn hit(&self, plan: &Plan<'_>, kind: Kind, place: u32, way: u8) -> Hit {
        let elo = |cells: &Cells<u16>| cells.get(place).map_or(0, u32::from);
        let name = |cells: &Cells<u32>| cells.get(place).unwrap_or(names::NAMELESS);
        let own = self.players.as_ref();
        Hit {
            id: self.ids.get(place).unwrap_or(0),
            date: self.dates.get(place).unwrap_or(0),
            ratings: self.elos.iter().map(elo).sum(),
            score: self.scores.get(place).unwrap_or(NO_SCORE),
            way,
            own: own.and_then(|[black, white]| plan.seat(name(black), name(white), kind)),
        }
    }
}
