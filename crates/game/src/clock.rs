//! A game clock that is told the time.

use crate::TimeControl;
use othello::Side;

/// The clock of a game. Pure: the caller says what time it is, in milliseconds since
/// whenever; going back in time counts as no time.
///
/// ```
/// use game::{Clock, Side, TimeControl};
/// let mut clock = Clock::new("10+1".parse().unwrap());
/// clock.start(Side::Black, 0);
/// clock.press(4_000).unwrap();
/// assert_eq!(clock.remaining_ms(Side::Black, 4_000), Some(7_000));
/// assert_eq!(clock.flagged(14_000), Some(Side::White));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    controls: [TimeControl; 2],
    /// What each side has left when its time does not run; meaningless if unlimited.
    left_ms: [u64; 2],
    /// Moves that each side has made.
    moves: [u32; 2],
    /// How much later than its end each side's time is over.
    margins_ms: [u64; 2],
    running: Option<Running>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Running {
    side: Side,
    since_ms: u64,
}

/// The clock cannot do what was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClockError {
    #[error("the clock does not run; start it first")]
    Stopped,
    /// The time of the side that was to move is over.
    #[error("{0}'s time is over")]
    Flagged(Side),
}

impl Clock {
    /// A clock that does not run yet, with the same time for both sides.
    pub fn new(control: TimeControl) -> Self {
        Self::with_controls([control; 2])
    }

    /// A clock that does not run yet, with a time for Black and one for White.
    pub fn with_controls(controls: [TimeControl; 2]) -> Self {
        Self {
            controls,
            left_ms: controls.map(|control| control.initial_ms().unwrap_or(0)),
            moves: [0; 2],
            margins_ms: [0; 2],
            running: None,
        }
    }

    /// A clock that does not run, with so much left for each side: one that was put away and is
    /// set up again. Moves of the current period are counted anew.
    #[must_use]
    pub fn with_remaining(control: TimeControl, left_ms: [u64; 2]) -> Self {
        Self {
            left_ms,
            ..Self::new(control)
        }
    }

    /// The same clock, on which Black and White may think so much longer than they have. What they
    /// take of that is not taken from their time, and it is not shown.
    #[must_use]
    pub const fn with_margins(self, margins_ms: [u64; 2]) -> Self {
        Self { margins_ms, ..self }
    }

    /// How much longer than it has a side may think.
    pub const fn margin_ms(&self, side: Side) -> u64 {
        self.margins_ms[side.index()]
    }

    /// A side's time control.
    pub const fn control(&self, side: Side) -> TimeControl {
        self.controls[side.index()]
    }

    /// Moves that a side has to make before its next period begins, the one under way included;
    /// `None` if its time is for the whole game.
    pub fn moves_to_go(&self, side: Side) -> Option<u32> {
        match self.control(side) {
            TimeControl::Game {
                period_moves: Some(period),
                ..
            } if period > 0 => Some(period - self.moves[side.index()] % period),
            _ => None,
        }
    }

    pub fn running(&self) -> Option<Side> {
        self.running.map(|running| running.side)
    }

    /// Lets a side's time run. If another ran, it is stopped first.
    pub fn start(&mut self, side: Side, now_ms: u64) {
        self.stop(now_ms);
        self.running = Some(Running {
            side,
            since_ms: now_ms,
        });
    }

    /// Stops the time, for a pause or the end.
    pub fn stop(&mut self, now_ms: u64) {
        if let Some(running) = self.running.take() {
            let spent_ms = now_ms.saturating_sub(running.since_ms);
            let left = &mut self.left_ms[running.side.index()];
            *left = left.saturating_sub(spent_ms);
        }
    }

    /// A move was made: the mover gets what the control adds, and the other side's time runs.
    pub fn press(&mut self, now_ms: u64) -> Result<(), ClockError> {
        let side = self.running().ok_or(ClockError::Stopped)?;
        if self.flagged(now_ms) == Some(side) {
            return Err(ClockError::Flagged(side));
        }
        self.stop(now_ms);
        let i = side.index();
        self.moves[i] = self.moves[i].saturating_add(1);
        match self.control(side) {
            TimeControl::Unlimited => {}
            TimeControl::PerMove { ms } => self.left_ms[i] = ms,
            TimeControl::Game {
                initial_ms,
                increment_ms,
                period_moves,
            } => {
                let period_over =
                    period_moves.is_some_and(|n| n > 0 && self.moves[i].is_multiple_of(n));
                let period_ms = if period_over { initial_ms } else { 0 };
                self.left_ms[i] = self.left_ms[i]
                    .saturating_add(increment_ms)
                    .saturating_add(period_ms);
            }
        }
        self.start(side.other(), now_ms);
        Ok(())
    }

    /// What a side has left; `None` without a limit.
    pub fn remaining_ms(&self, side: Side, now_ms: u64) -> Option<u64> {
        if self.control(side) == TimeControl::Unlimited {
            return None;
        }
        let left_ms = self.left_ms[side.index()];
        Some(left_ms.saturating_sub(self.spent_ms(side, now_ms)))
    }

    /// What the move under way has taken.
    fn spent_ms(&self, side: Side, now_ms: u64) -> u64 {
        match self.running {
            Some(running) if running.side == side => now_ms.saturating_sub(running.since_ms),
            _ => 0,
        }
    }

    /// The side whose time is over, if one's is. A time used up to the last millisecond is over.
    pub fn flagged(&self, now_ms: u64) -> Option<Side> {
        let is_over = |&side: &Side| {
            let left_ms = self.left_ms[side.index()].saturating_add(self.margin_ms(side));
            self.control(side) != TimeControl::Unlimited && left_ms <= self.spent_ms(side, now_ms)
        };
        Side::BOTH.into_iter().find(is_over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(control: &str) -> Clock {
        Clock::new(control.parse().unwrap())
    }

    #[test]
    fn time_passes_for_the_side_that_thinks() {
        let mut clock = clock("60");
        clock.start(Side::Black, 1_000);
        assert_eq!(clock.remaining_ms(Side::Black, 11_000), Some(50_000));
        assert_eq!(clock.remaining_ms(Side::White, 11_000), Some(60_000));
        clock.press(11_000).unwrap();
        assert_eq!(clock.running(), Some(Side::White));
        clock.stop(12_000);
        assert_eq!(clock.remaining_ms(Side::White, 99_000), Some(59_000));
        assert_eq!(clock.press(99_000), Err(ClockError::Stopped));
    }

    #[test]
    fn periods_and_increments_add_time() {
        let mut clock = clock("2/10+1");
        clock.start(Side::Black, 0);
        for now_ms in [1_000, 1_000, 2_000] {
            clock.press(now_ms).unwrap();
        }
        assert_eq!(clock.moves_to_go(Side::Black), Some(2), "a new period");
        assert_eq!(clock.moves_to_go(Side::White), Some(1));
        // Two seconds spent, two increments, one new period.
        assert_eq!(clock.remaining_ms(Side::Black, 2_000), Some(20_000));
    }

    #[test]
    fn a_move_after_the_flag_is_refused() {
        let mut clock = clock("1/move");
        clock.start(Side::White, 0);
        clock.press(999).unwrap();
        assert_eq!(clock.remaining_ms(Side::White, 999), Some(1_000));
        assert_eq!(clock.press(1_999), Err(ClockError::Flagged(Side::Black)));
        assert_eq!(clock.flagged(1_999), Some(Side::Black));
    }

    #[test]
    fn a_margin_forgives_and_takes_nothing() {
        let mut clock = clock("1+0.1").with_margins([50; 2]);
        clock.start(Side::Black, 0);
        clock.press(1_049).unwrap();
        assert_eq!(clock.remaining_ms(Side::Black, 1_049), Some(100));
        clock.press(1_049).unwrap();
        assert_eq!(clock.flagged(1_198), None);
        assert_eq!(clock.flagged(1_199), Some(Side::Black));
    }

    #[test]
    fn sides_may_have_different_times() {
        let controls = ["60".parse().unwrap(), "-".parse().unwrap()];
        let mut clock = Clock::with_controls(controls);
        clock.start(Side::Black, 0);
        clock.press(10_000).unwrap();
        assert_eq!(clock.remaining_ms(Side::Black, 10_000), Some(50_000));
        assert_eq!(clock.remaining_ms(Side::White, 10_000), None);
        assert_eq!(clock.flagged(u64::MAX), None, "White has all the time");
        assert_eq!(clock.moves_to_go(Side::Black), None);
    }

    #[test]
    fn without_a_limit_no_side_loses_on_time() {
        let mut clock = clock("-");
        clock.start(Side::Black, 0);
        assert_eq!(clock.flagged(u64::MAX), None);
        assert_eq!(clock.remaining_ms(Side::Black, 5), None);
        assert_eq!(clock.press(u64::MAX), Ok(()));
    }

    #[test]
    fn a_clock_that_goes_back_takes_no_time() {
        let mut clock = clock("10");
        clock.start(Side::Black, 5_000);
        clock.press(1_000).unwrap();
        assert_eq!(clock.remaining_ms(Side::Black, 1_000), Some(10_000));
    }
}
