//! What all trainings by playing share: searches for moves, chance by game number, matches against
//! random moves.

use crate::settings::MoveLimit;
use engine::{Control, Engine, Report, eval::Evaluator};
use othello::{Board, Game, Move, Side, Square, sample::SplitMix64};
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a game was given up.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum GameFailure {
    /// The caller set the stop flag.
    #[error("stopped")]
    Stopped,
    /// A search of a position with legal moves found none.
    #[error("the search found no move")]
    NoMove,
    /// A search found a move that the rules do not know.
    #[error("the search found an illegal move")]
    IllegalMove,
    #[error("panic: {0}")]
    Panic(String),
}

/// Who finds moves: an engine, how long it may think, and its outside world.
pub struct Searcher<'a, E> {
    pub engine: &'a mut Engine<E>,
    /// What ends a search.
    pub limit: MoveLimit,
    /// Solve with at most so many empty squares.
    pub exact_empties: u32,
    /// Microseconds since whenever the caller likes.
    pub now_us: &'a (dyn Fn() -> u64 + Sync),
    /// Set it to give the game up.
    pub stop: &'a AtomicBool,
}

impl<E> std::fmt::Debug for Searcher<'_, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Searcher")
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

impl<E: Evaluator> Searcher<'_, E> {
    /// The best move of a board that has one.
    pub(crate) fn search(&mut self, board: Board) -> Result<(Report, Square), GameFailure> {
        let limits = self.limit.limits(self.exact_empties);
        let control = Control {
            now_ms: &|| (self.now_us)() / 1000,
            stop: self.stop,
            observe: &mut |_| {},
        };
        let report = self.engine.search(board, &limits, control);
        if self.stop.load(Ordering::Relaxed) {
            return Err(GameFailure::Stopped);
        }
        let square = report.best().and_then(Move::square);
        let square = square.ok_or(GameFailure::NoMove)?;
        Ok((report, square))
    }
}

/// Chance for a game: what was drawn for one says nothing about another.
pub(crate) fn chance(seed: u64, purpose: Purpose, number: u64) -> SplitMix64 {
    let mixed = |seed: u64| SplitMix64::new(seed).next_u64();
    SplitMix64::new(mixed(mixed(mixed(seed) ^ purpose as u64) ^ number))
}

/// What chance is for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    SelfPlay = 0,
    Match = 1,
}

pub(crate) fn random_move(board: Board, random: &mut SplitMix64) -> Option<Square> {
    let legal = board.legal_moves();
    let choice = random.below(legal.len().max(1)) as usize;
    legal.into_iter().nth(choice)
}

pub(crate) fn score_for_black(game: &Game) -> i32 {
    game.outcome()
        .map_or(0, |outcome| outcome.score_for(Side::Black))
}

/// Game `index` of a match against random moves after so many games of learning: the points.
/// Colours alternate.
pub fn against_random<E: Evaluator>(
    mut searcher: Searcher<'_, E>,
    seed: u64,
    games: u64,
    index: u64,
) -> Result<f64, GameFailure> {
    searcher.engine.clear();
    let mut random = chance(seed ^ games, Purpose::Match, index);
    let ours = if index.is_multiple_of(2) {
        Side::Black
    } else {
        Side::White
    };
    let mut game = Game::new();
    while !game.is_over() {
        let position = game.position();
        let action = if position.board.must_pass() {
            Move::Pass
        } else if position.side == ours {
            Move::Place(searcher.search(position.board)?.1)
        } else {
            Move::Place(random_move(position.board, &mut random).ok_or(GameFailure::NoMove)?)
        };
        game.play(action).map_err(|_| GameFailure::IllegalMove)?;
    }
    let score = match ours {
        Side::Black => score_for_black(&game),
        Side::White => -score_for_black(&game),
    };
    Ok(0.5 + 0.5 * f64::from(score.signum()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::eval::pattern::Pattern;

    #[test]
    fn trained_weights_beat_random_moves_with_either_colour() {
        let pattern = Pattern::shipped().unwrap();
        let mut engine = Engine::new(&pattern, 1, 1).unwrap();
        for index in 0..10 {
            let searcher = Searcher {
                engine: &mut engine,
                limit: MoveLimit::Depth(3),
                exact_empties: 0,
                now_us: &|| 0,
                stop: &AtomicBool::new(false),
            };
            let points = against_random(searcher, 1, 0, index).unwrap();
            assert!(points > 0.9, "game {index}");
        }
    }

    #[test]
    fn chance_differs_by_seed_purpose_and_number() {
        let draw = |seed, purpose, number| chance(seed, purpose, number).next_u64();
        let mut drawn = Vec::new();
        for seed in 0..10 {
            for number in 0..10 {
                drawn.push(draw(seed, Purpose::SelfPlay, number));
                drawn.push(draw(seed, Purpose::Match, number));
            }
        }
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn.len(), 200);
        assert_eq!(
            draw(3, Purpose::Match, 5),
            draw(3, Purpose::Match, 5),
            "and replays"
        );
    }
}
