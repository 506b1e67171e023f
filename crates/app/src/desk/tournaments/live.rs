//! The games that are played just now, as far as somebody may want to watch them.

use crate::desk::lock;
use arena::{referee::News, tournament::Pairing};
use game::{Clock, Kind, Move, Position, Report, Side};
use std::sync::Mutex;

/// Boards that are shown; workers beyond it play unseen.
const BOARDS_MAX: usize = 8;

/// A game under way.
#[derive(Debug, Clone)]
pub struct Board {
    /// Which of the games that are played at the same time.
    pub worker: usize,
    /// The number of the pair, counted from 0, and the game in it.
    pub pair: u64,
    pub game: usize,
    /// Black's and White's place among the engines of the settings.
    pub players: [usize; 2],
    pub position: Position,
    pub last: Option<Move>,
    pub plies: usize,
    /// What Black and White have on their clocks; `None` without a limit.
    pub left_ms: [Option<u64>; 2],
    /// What Black and White found last.
    pub thoughts: [Option<Report>; 2],
}

/// How often what a player finds is taken: more often than anybody looks, and seldom enough for
/// engines that tell something new every millisecond.
const THOUGHT_EVERY_MS: u64 = 100;

/// A board and since when its mover thinks.
#[derive(Debug)]
struct Seen {
    board: Board,
    clock: Clock,
    since_ms: u64,
    /// When something that the mover found was taken last.
    thought_ms: Option<u64>,
}

/// The boards of a tournament. Written by the threads that play, several hundred times a second:
/// only what changes is copied, and nothing is told; whoever looks asks.
#[derive(Debug)]
pub(super) struct Boards(Vec<Mutex<Option<Seen>>>);

impl Boards {
    pub(super) fn new(concurrency: usize) -> Self {
        let n = concurrency.min(BOARDS_MAX);
        Self((0..n).map(|_| Mutex::default()).collect())
    }

    /// Takes what happened in a game.
    pub(super) fn take(
        &self,
        worker: usize,
        kind: Kind,
        pairing: Pairing,
        game: usize,
        news: &News<'_>,
        now_ms: u64,
    ) {
        let Some(place) = self.0.get(worker) else {
            return;
        };
        let mut place = lock(place);
        match news {
            News::Moved { record, at, clock } => {
                let Some(node) = record.node(*at) else {
                    return;
                };
                let is_same =
                    |seen: &Seen| (seen.board.pair, seen.board.game) == (pairing.number, game);
                let before = place.take().filter(is_same);
                let thoughts = before.map(|it| it.board.thoughts);
                let [a, b] = pairing.players;
                // The first of the pair has the first move in the first game.
                let first = match (game, kind.first_side()) {
                    (0, side) => side,
                    (_, side) => side.other(),
                };
                let plies = record.path(*at).len() - 1;
                *place = Some(Seen {
                    board: Board {
                        worker,
                        pair: pairing.number,
                        game,
                        players: if first == Side::Black { [a, b] } else { [b, a] },
                        position: node.position().clone(),
                        last: node.action(),
                        plies,
                        left_ms: [None; 2],
                        thoughts: thoughts.unwrap_or_default(),
                    },
                    clock: (*clock).clone(),
                    since_ms: now_ms,
                    thought_ms: None,
                });
            }
            News::Thinks(report) => {
                if let Some(seen) = &mut *place {
                    seen.thought_ms = Some(now_ms);
                    seen.board.thoughts[report.side().index()] = Some((*report).clone());
                }
            }
        }
    }

    /// Whether what the mover of a worker's game finds is wanted now.
    pub(super) fn wants_thoughts(&self, worker: usize, now_ms: u64) -> bool {
        let Some(place) = self.0.get(worker) else {
            return false;
        };
        let last_ms = lock(place).as_ref().and_then(|seen| seen.thought_ms);
        last_ms.is_none_or(|last_ms| now_ms.saturating_sub(last_ms) >= THOUGHT_EVERY_MS)
    }

    /// All boards with a game, as they are now.
    pub(super) fn all(&self, now_ms: u64) -> Vec<Board> {
        let places = self.0.iter();
        places
            .filter_map(|place| {
                let place = lock(place);
                let Seen {
                    board,
                    clock,
                    since_ms,
                    ..
                } = place.as_ref()?;
                let mover = board.position.side();
                let thinking_ms = now_ms.saturating_sub(*since_ms);
                let left = |side: Side| {
                    let left_ms = clock.remaining_ms(side, *since_ms)?;
                    let used_ms = if side == mover { thinking_ms } else { 0 };
                    Some(left_ms.saturating_sub(used_ms))
                };
                Some(Board {
                    left_ms: Side::BOTH.map(left),
                    ..board.clone()
                })
            })
            .collect()
    }
}
