//! Self-play games with what the players thought, as files that can be appended to.
//!
//! A header and one record a game, all little-endian. The header:
//!
//! | bytes | what |
//! |---|---|
//! | 12 | `KIBITZGAMES` and a zero |
//! | 4 | version |
//! | 2 | length of the settings |
//! | … | the settings as text, so that no run continues the file with other ones |
//! | 8 | [checksum](engine::checksum) of the header up to here |
//!
//! A record:
//!
//! | bytes | what |
//! |---|---|
//! | 1 | flags: 1 for a start of its own, 2 if White begins there |
//! | 1 | number of placements |
//! | 2 | both again with all bits turned over, so that damage is not taken for a cut |
//! | 16 | only with flag 1: Black's and White's discs |
//! | 4 each | a placement: square, how it was chosen, value in centidiscs for its player |
//! | 8 | checksum of the record up to here |
//!
//! Passes follow from the rules. How a move was chosen: 0 given, 1 to 64 a search of so many plies,
//! 254 at random (the value is the static one), 255 solved.
//!
//! A record cut short by a crash is told by the reader and taken off by the appender; damage
//! elsewhere is an error. Version 1 had no checksum of the header, none of the first two bytes of a
//! record, and one of 32 bits behind it; such a file is read, and continued as it is.

mod file;
mod record;

pub use file::{GamesAppender, GamesError, GamesReader, is_games};

use crate::{data::Origin, label::Source};
use othello::{Game, Position, Side, Square};

/// How a move was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Part of the opening; no search valued it.
    Given,
    /// At random; the value is the static one of the position.
    Random,
    /// By a search of so many plies.
    Search(u8),
    /// By solving the game.
    Exact,
}

/// A placement and what was known before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    pub square: Square,
    /// How it was chosen.
    pub choice: Choice,
    /// The position's value for its player, in centidiscs.
    pub value: i16,
}

/// A game as the file has it. Its placements are legal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedGame {
    start: Position,
    plies: Vec<Ply>,
}

/// A placement that the rules do not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("placement {number} ({square}) is not legal")]
pub struct IllegalPlyError {
    pub number: usize,
    pub square: Square,
}

impl RecordedGame {
    /// A game of legal placements.
    pub fn new(start: Position, plies: Vec<Ply>) -> Result<Self, IllegalPlyError> {
        let mut game = Game::from_position(start);
        for (index, ply) in plies.iter().enumerate() {
            game.place(ply.square).map_err(|_| IllegalPlyError {
                number: index + 1,
                square: ply.square,
            })?;
        }
        Ok(Self { start, plies })
    }

    pub const fn start(&self) -> Position {
        self.start
    }

    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The moves, passes included.
    pub fn game(&self) -> Game {
        let mut game = Game::from_position(self.start);
        for ply in &self.plies {
            game.place(ply.square).expect("checked when it was made");
        }
        game
    }

    /// The game as a source of positions: with the first solved value as the proven one, and with
    /// all recorded values.
    pub fn source(&self, held_out: bool) -> Source {
        let mut replay = Game::from_position(self.start);
        let (mut values, mut proven) = (Vec::with_capacity(self.plies.len()), None);
        for ply in &self.plies {
            if replay.position().board.must_pass() {
                replay
                    .play(othello::Move::Pass)
                    .expect("a pass that is due is legal");
            }
            let position = replay.position();
            let origin = match ply.choice {
                Choice::Exact => Some(Origin::Exact),
                Choice::Search(depth) => Some(Origin::Search(depth)),
                Choice::Given | Choice::Random => None,
            };
            values.push(origin.map(|origin| (ply.value, origin)));
            if proven.is_none() && ply.choice == Choice::Exact {
                let sign = match position.side {
                    Side::Black => 1,
                    Side::White => -1,
                };
                proven = Some((
                    position.board.empties().len(),
                    (sign * ply.value / 100) as i8,
                ));
            }
            replay.place(ply.square).expect("checked when it was made");
        }
        Source {
            game: replay,
            proven,
            held_out,
            values,
        }
    }
}

#[cfg(test)]
mod testing {
    use super::*;
    use othello::{notation::parse_transcript, sample::SplitMix64};

    /// Random games, every third from a start of its own.
    pub(super) fn games(seed: u64, n: usize) -> Vec<RecordedGame> {
        let mut random = SplitMix64::new(seed);
        (0..n)
            .map(|i| {
                let start = if i % 3 == 2 {
                    parse_transcript("f5d6c3").unwrap().position()
                } else {
                    Position::START
                };
                let mut game = Game::from_position(start);
                let mut plies = Vec::new();
                while !game.is_over() && plies.len() < 20 + i {
                    let legal = game.position().board.legal_moves();
                    let Some(square) = legal
                        .into_iter()
                        .nth(random.below(legal.len().max(1)) as usize)
                    else {
                        game.play(othello::Move::Pass).unwrap();
                        continue;
                    };
                    game.place(square).unwrap();
                    let choices = [
                        Choice::Given,
                        Choice::Random,
                        Choice::Search(7),
                        Choice::Exact,
                    ];
                    plies.push(Ply {
                        square,
                        choice: choices[random.below(4) as usize],
                        value: random.below(12_800) as i16 - 6_400,
                    });
                }
                RecordedGame::new(start, plies).unwrap()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{testing::games, *};

    #[test]
    fn a_source_has_the_values_of_its_positions() {
        for recorded in games(4, 9) {
            let source = recorded.source(true);
            assert_eq!(source.game, recorded.game());
            assert_eq!(source.values.len(), recorded.plies().len());
            let first = recorded
                .plies()
                .iter()
                .position(|ply| ply.choice == Choice::Exact);
            assert_eq!(source.proven.is_some(), first.is_some());
            if let (Some(at), Some((empties, _))) = (first, source.proven) {
                let of_start = recorded.start().board.empties().len();
                assert_eq!(empties, of_start - at as u32);
            }
        }
    }
}
