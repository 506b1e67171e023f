//! How well shallow searches predict deep ones, measured on all cores.

use crate::{AnalystError, ordered::in_order};
use engine::{Engine, eval::pattern::Pattern};
use learn::{label::random_child, probcut::measure};
use othello::{Board, sample::SplitMix64};
use std::{
    collections::BTreeMap,
    ops::{ControlFlow, RangeInclusive},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

pub use learn::probcut::{Cell, Measured, Misfit, Model, tabulate};

/// Size of each worker's table. Positions are measured one by one, so little is enough.
const HASH_MB: usize = 16;

/// One engine for each worker; all share the weights.
fn engines(
    weights: Option<&[u8]>,
    workers: usize,
) -> Result<Vec<Engine<Arc<Pattern>>>, AnalystError> {
    let pattern = Arc::new(match weights {
        Some(bytes) => Pattern::from_bytes(bytes)?,
        None => Pattern::shipped()?,
    });
    (0..workers.max(1))
        .map(|_| Ok(Engine::new(Arc::clone(&pattern), HASH_MB, 1)?))
        .collect()
}

/// How predictions are measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Positions with so many empty squares.
    pub empties: RangeInclusive<u32>,
    /// So many numbers of empty squares make a band.
    pub band: u32,
    /// At most so many positions of each band.
    pub positions: usize,
    pub deep: u32,
    /// Solve positions with at most so many empty squares, too.
    pub exact_empties: u32,
    /// The share of positions that are left by a random move: search trees are full of moves that
    /// no player makes.
    pub deviation: f64,
    /// Which positions are taken.
    pub seed: u64,
}

/// The positions that a plan takes: of each band as many as it wants, chosen by chance, in an
/// order that mixes bands.
pub fn sample(boards: impl IntoIterator<Item = Board>, plan: &Plan) -> Vec<Board> {
    let mut bands: BTreeMap<u32, (u32, Vec<Board>)> = BTreeMap::new();
    let mut random = SplitMix64::new(plan.seed);
    for board in boards {
        let board = if random.unit_f64() < plan.deviation {
            random_child(board, &mut random)
        } else {
            board
        };
        let n_empties = board.empties().len();
        if !plan.empties.contains(&n_empties) || board.legal_moves().is_empty() {
            continue;
        }
        let (n_seen, kept) = bands.entry(n_empties / plan.band.max(1)).or_default();
        *n_seen += 1;
        if kept.len() < plan.positions {
            kept.push(board);
            continue;
        }
        // Reservoir: each position of a band is kept with the same probability.
        let at = random.below(*n_seen) as usize;
        if let Some(place) = kept.get_mut(at) {
            *place = board;
        }
    }
    let mut bands: Vec<Vec<Board>> = bands.into_values().map(|(_, kept)| kept).collect();
    let mut mixed = Vec::new();
    while bands.iter().any(|band| !band.is_empty()) {
        mixed.extend(bands.iter_mut().filter_map(Vec::pop));
    }
    mixed
}

/// Values positions at all depths on several threads. `observe` is told how many are done. Setting
/// the stop flag ends it with what there is.
pub fn measure_all(
    boards: &[Board],
    plan: &Plan,
    weights: Option<&[u8]>,
    workers: usize,
    stop: &AtomicBool,
    mut observe: impl FnMut(usize),
) -> Result<Vec<Measured>, AnalystError> {
    let engines = engines(weights, workers)?;
    let mut all = Vec::with_capacity(boards.len());
    let measure_one = |engine: &mut Engine<Arc<Pattern>>, number: u64| {
        let board = boards[number as usize];
        let solve = board.empties().len() <= plan.exact_empties;
        (!stop.load(Ordering::Relaxed)).then(|| measure(engine, board, plan.deep, solve))
    };
    in_order(engines, 0..boards.len() as u64, measure_one, |measured| {
        all.push(measured);
        observe(all.len());
        ControlFlow::Continue(())
    });
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::sample::random_boards;

    fn plan() -> Plan {
        Plan {
            empties: 9..=24,
            band: 4,
            positions: 12,
            deep: 2,
            exact_empties: 9,
            deviation: 0.5,
            seed: 5,
        }
    }

    #[test]
    fn every_band_has_its_share_and_the_seed_decides() {
        let boards = || random_boards(2).take(6_000);
        let found = sample(boards(), &plan());
        // 9 to 11, 12 to 15, 16 to 19, 20 to 23, and 24.
        assert_eq!(found.len(), 5 * 12);
        for band in 2..=6 {
            let inside = found
                .iter()
                .filter(|board| board.empties().len() / 4 == band);
            assert_eq!(inside.count(), 12, "band {band}");
        }
        assert_eq!(found, sample(boards(), &plan()));
        let other = Plan { seed: 6, ..plan() };
        assert_ne!(found, sample(boards(), &other));
    }

    #[test]
    fn measurements_do_not_depend_on_the_workers() {
        let boards = sample(random_boards(2).take(2_000), &plan());
        let stop = AtomicBool::new(false);
        let measure =
            |workers| measure_all(&boards, &plan(), None, workers, &stop, |_| {}).unwrap();
        let one = measure(1);
        assert_eq!(one, measure(3));
        assert_eq!(one.len(), boards.len());
        for (measured, board) in one.iter().zip(&boards) {
            assert_eq!(measured.n_empties, board.empties().len());
            assert_eq!(measured.exact.is_some(), measured.n_empties <= 9);
        }
    }
}
