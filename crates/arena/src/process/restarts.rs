//! How often, and how soon, a failed engine is started again.

/// Counts failures in a row. Pure: it is told the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Restarts {
    failures: u32,
    not_before_ms: u64,
}

/// The pauses before the first, second and third restart.
const PAUSES_MS: [u64; 3] = [250, 1_000, 4_000];

/// Whether an engine may be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leave {
    Now,
    /// Not before so many milliseconds have passed.
    Later(u64),
    /// Only if a person asks for it.
    No,
}

impl Restarts {
    /// Notes a failure of the engine: the next start waits longer.
    pub fn failed(&mut self, now_ms: u64) {
        let pause_ms = PAUSES_MS.get(self.failures as usize).copied();
        self.failures += 1;
        self.not_before_ms = now_ms + pause_ms.unwrap_or(0);
    }

    /// The engine did what it was asked for: earlier failures are forgiven.
    pub const fn succeeded(&mut self) {
        self.failures = 0;
        self.not_before_ms = 0;
    }

    /// How often it failed in a row.
    pub const fn failures(&self) -> u32 {
        self.failures
    }

    /// Whether it may be started now.
    pub const fn leave(&self, now_ms: u64) -> Leave {
        if self.failures as usize > PAUSES_MS.len() {
            Leave::No
        } else if now_ms < self.not_before_ms {
            Leave::Later(self.not_before_ms - now_ms)
        } else {
            Leave::Now
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_restarts_with_growing_pauses() {
        let mut restarts = Restarts::default();
        let mut now_ms = 100;
        for pause_ms in PAUSES_MS {
            assert_eq!(restarts.leave(now_ms), Leave::Now);
            restarts.failed(now_ms);
            assert_eq!(restarts.leave(now_ms), Leave::Later(pause_ms));
            now_ms += pause_ms;
        }
        assert_eq!(restarts.leave(now_ms), Leave::Now);
        restarts.failed(now_ms);
        assert_eq!(restarts.leave(u64::MAX), Leave::No);
        restarts.succeeded();
        assert_eq!(restarts.leave(0), Leave::Now);
    }
}
