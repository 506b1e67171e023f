//! Whether games met a position: what shares its 24 bits is replayed, or is known from what a batch
//! has counted.

use crate::{
    Store,
    classes::{Entry, hash_of},
    columns::{self, Column},
    games::{GameId, Row, packed_of, row_of},
    often::{OnlyWay, only_way},
    plan::{Batch, Hit, NO_WAY},
};
use game::{Pattern, Trail};
use rayon::prelude::*;
use rusqlite::Connection;

/// Up to so many games are replayed before a batch is asked what it has counted.
const REPLAYED: usize = 128;

/// The hits in whose games a part of a position stood on the board: all are replayed, on all cores.
pub(crate) fn showing(c: &Connection, hits: &[Hit], part: &Pattern) -> rusqlite::Result<Vec<Hit>> {
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

/// A game that met a position.
pub(crate) struct Met {
    /// Which of the batches it is in, and where there.
    pub(crate) batch: usize,
    pub(crate) place: u32,
    pub(crate) way: u8,
    /// Its row, if it was replayed.
    pub(crate) row: Option<Row>,
}

/// The games of some batches that met a position: those that have its hash, replayed or known from
/// what their batch has counted.
pub(crate) fn proven(
    store: &Store,
    trail: &Trail,
    batches: &[Batch],
) -> rusqlite::Result<Vec<Met>> {
    let (c, hash) = (&store.connection, hash_of(trail.key));
    let mut found: Vec<(usize, Vec<Entry>)> = Vec::with_capacity(batches.len());
    for (index, batch) in batches.iter().enumerate() {
        let entries = columns::with_class(c, batch.id, trail.class, |class| match &batch.mask {
            None => class.find(hash, |_| true),
            Some(mask) => class.find(hash, |place| mask.get(place as usize) == Some(&true)),
        })?;
        found.extend(entries.filter(|it| !it.is_empty()).map(|it| (index, it)));
    }
    let n_found: usize = found.iter().map(|it| it.1.len()).sum();
    let mut all = Vec::with_capacity(n_found);
    for (index, entries) in found {
        let batch = batches[index].id;
        let counted = match n_found > REPLAYED {
            true => columns::often(c, batch, trail.class, trail.key)?,
            false => None,
        };
        let ids = store.memory.read::<u32>(c, batch, Column::Id)?;
        for Entry { place, next } in entries {
            let id = ids.get(place).unwrap_or(0);
            let others = counted.as_ref().map(|it| &it.others);
            let is_sure = others.is_some_and(|it| it.binary_search(&place).is_err());
            let known = match only_way(trail, next) {
                _ if !is_sure => None,
                OnlyWay::Way(way) => Some((None, way)),
                OnlyWay::End => Some((None, NO_WAY)),
                OnlyWay::Unclear => None,
            };
            let met = match known {
                // Deleted games have no number.
                _ if id == 0 => None,
                Some(known) => Some(known),
                None => replayed(c, id, trail)?.map(|(row, way)| (Some(row), way)),
            };
            all.extend(met.map(|(row, way)| Met {
                batch: index,
                place,
                way,
                row,
            }));
        }
    }
    Ok(all)
}

/// Whether a game met a position, by replaying it, and the way that it took.
pub(crate) fn replayed(
    c: &Connection,
    id: GameId,
    trail: &Trail,
) -> rusqlite::Result<Option<(Row, u8)>> {
    let Some((row, packed)) = row_of(c, id)? else {
        return Ok(None);
    };
    let met = packed.meets(trail).ok().flatten();
    Ok(met.map(|action| {
        let ways = &trail.ways;
        let at = action.and_then(|action| ways.iter().position(|way| way.action == action));
        (row, at.map_or(NO_WAY, |at| at as u8))
    }))
}
