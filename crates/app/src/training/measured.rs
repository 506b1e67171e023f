//! What a session of a training measured of itself.

/// What a session measured of itself.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Measured {
    /// Games of this session.
    pub games: u64,
    pub failed: u64,
    pub threads: usize,
    /// Megabytes of table for each thread.
    pub hash_mb: usize,
    /// The whole session, in seconds.
    pub seconds: f64,
    /// Playing games to learn from.
    pub play_seconds: f64,
    pub update_seconds: f64,
    /// Matches against random moves.
    pub match_seconds: f64,
    pub save_seconds: f64,
    pub slowest_save_seconds: f64,
    pub saves: u64,
    /// Bytes of the last one.
    pub checkpoint_bytes: u64,
    /// Moves that a search found.
    pub searches: u64,
    /// Time spent in those searches, of all threads.
    pub search_seconds: f64,
}

impl Measured {
    /// Games in a second of playing and learning.
    pub fn games_per_second(&self) -> f64 {
        ratio(self.games as f64, self.play_seconds + self.update_seconds)
    }

    /// The games in a second that so many milliseconds for each search allow all threads, if
    /// nothing else took time.
    pub fn allowed_games_per_second(&self, time_ms: u64) -> f64 {
        let thread_seconds = self.searches as f64 * time_ms as f64 / 1000.0;
        ratio(self.games as f64 * self.threads as f64, thread_seconds)
    }

    /// Milliseconds to learn from a game.
    pub fn update_ms_per_game(&self) -> f64 {
        ratio(1000.0 * self.update_seconds, self.games as f64)
    }

    /// Milliseconds of a search.
    pub fn search_ms(&self) -> f64 {
        ratio(1000.0 * self.search_seconds, self.searches as f64)
    }
}

pub(super) fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_allowed_speed_follows_from_limit_and_threads() {
        let measured = Measured {
            games: 10,
            threads: 2,
            searches: 500,
            play_seconds: 4.0,
            ..Measured::default()
        };
        // 50 searches of 20 ms are a second a game; two threads play two.
        assert!((measured.allowed_games_per_second(20) - 2.0).abs() < 1e-9);
        assert!((measured.games_per_second() - 2.5).abs() < 1e-9);
    }
}
