//! Time management: how much of the clock a move may take.
//!
//! Pure arithmetic over readings that the caller took. A game's time is dealt out by weights: the
//! midgame, where games are decided and the end cannot be seen yet, gets most; the first move
//! that can solve the game gets a reserve; once it is solved, the remaining moves cost almost
//! nothing, because the table remembers them.

/// What the clock says when a move is due. What a game begins with is another type's business.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remaining {
    /// So much for each move, whatever earlier moves took.
    PerMove {
        /// The time for this move.
        ms: u64,
    },
    /// A clock for the whole game.
    Game {
        /// What is left on it.
        remaining_ms: u64,
        /// What each move made adds to it.
        increment_ms: u64,
    },
}

/// What is known about the game and about the way from the search to the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Situation {
    /// Empty squares before the move.
    pub n_empties: u32,
    /// With so many empty squares or fewer the game is going to be solved.
    pub solve_empties: u32,
    /// What passes between the end of a search and the clock's stop: obeying, printing, the wire.
    pub lag_ms: u64,
}

/// How long to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allotment {
    /// After this begin nothing new.
    pub soft_ms: u64,
    /// At this stop, whatever is going on. 0 means: play what is known without a search.
    pub hard_ms: u64,
}

/// Nothing is timed more finely than this; beside the lag so much always stays on a clock.
const LEAST_MARGIN_MS: u64 = 2;

/// The clock keeps at least this part of what is left: one in so many.
const MARGIN_PART: u64 = 50;

/// A margin of more than this would be time thrown away.
const MOST_MARGIN_MS: u64 = 250;

/// How late searches end, learned from those that were: what a clock must keep back for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Latency {
    /// The worst of the last searches, in milliseconds; older ones count less and less.
    late_ms: f64,
}

impl Default for Latency {
    /// Before anything was measured: what a computer with other work to do is late by.
    fn default() -> Self {
        Self { late_ms: 3.0 }
    }
}

impl Latency {
    /// Between our answer and the stop of the clock: a pipe and whoever reads it. Nobody tells us
    /// how long that takes.
    const WIRE_MS: u64 = 2;

    /// A delay is remembered for some ten moves; a machine that has become busy stays so for long.
    const FADING: f64 = 0.93;

    /// No single delay, such as a computer that slept, makes later moves hasty.
    const MOST_MS: u64 = 100;

    /// Takes in that a search which had to end after `limit_ms` took `used_ms`.
    pub fn observe(&mut self, limit_ms: u64, used_ms: u64) {
        let late_ms = used_ms.saturating_sub(limit_ms).min(Self::MOST_MS) as f64;
        self.late_ms = late_ms.max(self.late_ms * Self::FADING);
    }

    /// For [`Situation::lag_ms`].
    pub const fn lag_ms(self) -> u64 {
        self.late_ms.ceil() as u64 + Self::WIRE_MS
    }
}

/// The time for a move.
///
/// The hard limit leaves enough on the clock for the lag of this move and of all later ones, and a
/// margin; where there is not that much, both limits are 0.
pub fn allot(control: Remaining, situation: Situation) -> Allotment {
    match control {
        Remaining::PerMove { ms } => {
            // Nothing can be saved for later, so all of it may be used.
            let hard_ms = spendable(ms, situation.lag_ms, 0);
            Allotment {
                soft_ms: hard_ms,
                hard_ms,
            }
        }
        Remaining::Game {
            remaining_ms,
            increment_ms,
        } => allot_of_game(remaining_ms, increment_ms, situation),
    }
}

/// What is left without the lag, the lags still to be paid for, and a margin.
fn spendable(remaining_ms: u64, lag_ms: u64, later_lags_ms: u64) -> u64 {
    let margin_ms = (remaining_ms / MARGIN_PART).clamp(LEAST_MARGIN_MS, MOST_MARGIN_MS);
    remaining_ms
        .saturating_sub(margin_ms)
        .saturating_sub(lag_ms)
        .saturating_sub(later_lags_ms)
}

fn allot_of_game(remaining_ms: u64, increment_ms: u64, situation: Situation) -> Allotment {
    let Situation {
        n_empties,
        solve_empties,
        lag_ms,
    } = situation;
    // Every later move brings the increment and costs the lag, even if it takes no time at all.
    let n_later = later_moves(n_empties).count() as u64;
    let later_lags_ms = n_later.saturating_mul(lag_ms.saturating_sub(increment_ms));
    let to_come_ms = n_later.saturating_mul(increment_ms.saturating_sub(lag_ms));
    let spendable_ms = spendable(remaining_ms, lag_ms, later_lags_ms);
    // The whole game's time is dealt out by weight; what is not there yet cannot be spent yet.
    let weight_now = weight(n_empties, solve_empties);
    let weight_later: f64 = later_moves(n_empties)
        .map(|n_empties| weight(n_empties, solve_empties))
        .sum();
    let pool_ms = spendable_ms as f64 + to_come_ms as f64;
    let share_ms = pool_ms * weight_now / (weight_now + weight_later);
    let soft_ms = (share_ms as u64).min(spendable_ms);
    let stretch = if n_empties <= solve_empties {
        SOLVE_STRETCH
    } else {
        STRETCH
    };
    let hard_ms = ((share_ms * stretch) as u64)
        .min((spendable_ms as f64 * MOST_OF_CLOCK) as u64)
        .max(soft_ms);
    Allotment { soft_ms, hard_ms }
}

/// How far a move may overdraw its share to finish what it began.
const STRETCH: f64 = 2.0;

/// A solve that is cut short was for nothing, and what comes after it costs nothing.
const SOLVE_STRETCH: f64 = 4.0;

/// No move overdraws its share to more than this part of the clock.
const MOST_OF_CLOCK: f64 = 0.6;

/// Our moves after this one, by the empty squares before each. Passes make it a guess.
fn later_moves(n_empties: u32) -> impl Iterator<Item = u32> {
    (1..=n_empties.saturating_sub(2)).rev().step_by(2)
}

/// How much time a move deserves compared with others.
fn weight(n_empties: u32, solve_empties: u32) -> f64 {
    if n_empties <= solve_empties {
        // The first solve comes at one of two counts, as every second move is ours.
        let is_first = n_empties + 1 >= solve_empties;
        return if is_first { 3.0 } else { 0.15 };
    }
    match n_empties {
        // Few squares left and still no solve: every move counts.
        0..20 => 1.3,
        20..=40 => 1.6,
        // The opening is known territory, and what is decided there can be mended.
        41..=48 => 1.0,
        _ => 0.6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::sample::SplitMix64;

    fn game(remaining_ms: u64, increment_ms: u64) -> Remaining {
        Remaining::Game {
            remaining_ms,
            increment_ms,
        }
    }

    fn situation(n_empties: u32) -> Situation {
        Situation {
            n_empties,
            solve_empties: 20,
            lag_ms: 10,
        }
    }

    const CLOCKS: [u64; 14] = [
        0, 1, 14, 15, 16, 50, 100, 500, 1_000, 5_000, 60_000, 300_000, 1_800_000, 36_000_000,
    ];

    /// A whole game in which each move takes what `spend` makes of its allotment, plus the lag.
    /// What is left after each move; the test fails if the flag falls although the clock was
    /// enough for the lags alone.
    fn simulate(
        clock_ms: u64,
        increment_ms: u64,
        at: Situation,
        mut spend: impl FnMut(Allotment) -> u64,
    ) -> Vec<u64> {
        let n_moves = u64::from(at.n_empties / 2 + 1);
        let is_playable = clock_ms > n_moves * at.lag_ms;
        let mut remaining = clock_ms;
        let mut left = Vec::new();
        let mut n_empties = at.n_empties;
        loop {
            let now = Situation { n_empties, ..at };
            let allotted = allot(game(remaining, increment_ms), now);
            assert!(allotted.soft_ms <= allotted.hard_ms);
            let used = if allotted.hard_ms > 0 {
                spend(allotted)
            } else {
                0
            };
            assert!(used == 0 || used + at.lag_ms < remaining);
            if is_playable {
                assert!(used + at.lag_ms <= remaining, "{allotted:?} of {remaining}");
            }
            remaining = remaining.saturating_sub(used + at.lag_ms) + increment_ms;
            left.push(remaining);
            if n_empties < 3 {
                return left;
            }
            n_empties -= 2;
        }
    }

    #[test]
    fn the_flag_never_falls() {
        for clock in CLOCKS {
            for increment in [0, 1, 10, 100, 2_000, 30_000] {
                for lag_ms in [0, 1, 10, 100] {
                    for solve_empties in [0, 16, 24, 60] {
                        for n_empties in [60, 59, 31, 2, 1, 0] {
                            let at = Situation {
                                n_empties,
                                solve_empties,
                                lag_ms,
                            };
                            simulate(clock, increment, at, |allotted| allotted.hard_ms);
                            simulate(clock, increment, at, |allotted| allotted.soft_ms);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_flag_never_falls_by_chance() {
        let mut random = SplitMix64::new(61);
        for _ in 0..5_000 {
            // Clocks of all magnitudes.
            let mut magnitude = |most: u32| random.next_u64() >> (63 - random.below(most));
            let (clock, increment) = (magnitude(30), magnitude(14));
            let at = Situation {
                n_empties: random.below(61),
                solve_empties: random.below(40),
                lag_ms: u64::from(random.below(120)),
            };
            let mut spender = random.clone();
            simulate(clock, increment, at, |allotted| {
                spender.next_u64() % (allotted.hard_ms + 1)
            });
        }
    }

    #[test]
    fn the_sum_of_a_game_stays_within_the_clock() {
        for clock in [1_000, 60_000, 1_800_000] {
            let mut sum = 0;
            let left = simulate(clock, 0, situation(60), |allotted| {
                sum += allotted.hard_ms;
                allotted.hard_ms
            });
            assert!(sum + 30 * 10 <= clock, "{sum} of {clock} ms");
            assert_eq!(*left.last().unwrap(), clock - sum - 30 * 10);
        }
    }

    #[test]
    fn the_time_is_used() {
        for clock in [10_000, 60_000, 1_800_000] {
            let left = simulate(clock, 0, situation(60), |allotted| allotted.soft_ms);
            let last = *left.last().unwrap();
            assert!(last < clock / 10, "{last} of {clock} ms are left");
            // Even a player that always overdraws has something for each move up to the solve.
            let mut hards = Vec::new();
            simulate(clock, 0, situation(60), |allotted| {
                hards.push(allotted.hard_ms);
                allotted.hard_ms
            });
            assert!(hards[..=20].iter().all(|&ms| ms >= 30), "{hards:?}");
        }
        // With an increment it lives on, whatever happened before.
        let left = simulate(10_000, 1_000, situation(60), |allotted| allotted.hard_ms);
        assert!(left.iter().all(|&ms| ms >= 1_000));
    }

    #[test]
    fn the_midgame_gets_most_and_the_solve_its_reserve() {
        let mut softs = Vec::new();
        simulate(600_000, 0, situation(60), |allotted| {
            softs.push(allotted.soft_ms);
            allotted.soft_ms
        });
        // Ours are the moves with an even number of empty squares.
        let soft = |n_empties: usize| softs[(60 - n_empties) / 2];
        assert!(soft(30) > soft(44) && soft(44) > soft(58));
        assert!(soft(20) > soft(30), "the first solve");
        assert!(soft(18) < soft(44), "what is solved is cheap");
        // It is there when the solve comes, even if every second move before it overdrew.
        let mut hards = Vec::new();
        simulate(600_000, 0, situation(60), |allotted| {
            hards.push(allotted.hard_ms);
            if hards.len() % 2 == 0 {
                allotted.hard_ms
            } else {
                allotted.soft_ms
            }
        });
        assert!(hards[20] > 600_000 / 40, "{hards:?}");
    }

    #[test]
    fn per_move_time_is_all_used_and_never_exceeded() {
        for ms in CLOCKS {
            for lag_ms in [0, 10, 1_000] {
                let at = Situation {
                    lag_ms,
                    ..situation(40)
                };
                let allotted = allot(Remaining::PerMove { ms }, at);
                assert!(allotted.hard_ms + lag_ms < ms || allotted.hard_ms == 0);
                assert_eq!(allotted.soft_ms, allotted.hard_ms);
                if ms >= 5_000 && lag_ms <= 10 {
                    assert!(allotted.hard_ms * 10 >= ms * 9);
                }
            }
        }
    }

    #[test]
    fn delays_are_remembered_for_a_while() {
        let mut latency = Latency::default();
        let at_first = latency.lag_ms();
        assert!((1..=10).contains(&at_first));
        for _ in 0..40 {
            latency.observe(100, 98);
        }
        let calm = latency.lag_ms();
        assert!(calm < at_first, "{calm}");
        latency.observe(100, 112);
        assert_eq!(latency.lag_ms(), 12 + Latency::WIRE_MS);
        latency.observe(100, 104);
        assert!(latency.lag_ms() > 12);
        latency.observe(100, 90_000);
        assert!(latency.lag_ms() <= Latency::MOST_MS + Latency::WIRE_MS);
        for _ in 0..200 {
            latency.observe(100, 100);
        }
        assert_eq!(latency.lag_ms(), calm);
    }

    #[test]
    fn more_clock_is_never_less_time() {
        for n_empties in 0..=60 {
            let mut before = Allotment {
                soft_ms: 0,
                hard_ms: 0,
            };
            for clock in (0..200_000).step_by(97) {
                let now = allot(game(clock, 100), situation(n_empties));
                assert!(now.soft_ms >= before.soft_ms && now.hard_ms >= before.hard_ms);
                before = now;
            }
        }
    }

    #[test]
    fn extreme_clocks_do_no_harm() {
        for remaining in [0, u64::MAX] {
            for increment in [0, u64::MAX] {
                for lag_ms in [0, u64::MAX] {
                    let at = Situation {
                        lag_ms,
                        ..situation(60)
                    };
                    let allotted = allot(game(remaining, increment), at);
                    assert!(allotted.soft_ms <= allotted.hard_ms);
                    assert!(allotted.hard_ms <= remaining);
                }
            }
        }
    }
}
