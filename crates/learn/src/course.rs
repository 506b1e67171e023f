//! What is due when in a training by games: the same for every way of learning.

use std::ops::Range;

/// How often something happens, in games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Course {
    /// All games of the training.
    pub games: u64,
    /// Games that are played with the same weights.
    pub batch: u64,
    /// The training is saved every so many games, and at its end.
    pub checkpoint_every: u64,
    /// A match against random moves is played every so many games, and at the end.
    pub match_every: u64,
    /// Games of such a match; without any there is none.
    pub match_games: u64,
}

impl Course {
    /// Whether all games are played.
    pub const fn is_done(&self, games: u64) -> bool {
        games >= self.games
    }

    /// The numbers of the games to play next, all with the weights as they are now. A batch ends
    /// where something is due; that does not depend on where a run was interrupted.
    pub fn next_batch(&self, games: u64) -> Range<u64> {
        let next_multiple = |of: u64| (games / of).saturating_add(1).saturating_mul(of);
        let end = [self.batch, self.checkpoint_every, self.match_every]
            .into_iter()
            .map(next_multiple)
            .fold(self.games, u64::min);
        games..end.max(games)
    }

    /// Whether saving is due.
    pub const fn checkpoint_due(&self, games: u64) -> bool {
        games.is_multiple_of(self.checkpoint_every) || self.is_done(games)
    }

    /// Whether a match is due; `last` is the number of games before the last one.
    pub fn match_due(&self, games: u64, last: Option<u64>) -> bool {
        let due = games.is_multiple_of(self.match_every) || self.is_done(games);
        due && last != Some(games) && self.match_games > 0
    }
}
