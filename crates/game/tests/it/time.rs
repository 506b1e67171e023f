//! Laws of time controls and clocks.

use game::{Clock, Side, TimeControl};
use proptest::prelude::*;

fn control() -> impl Strategy<Value = TimeControl> {
    let game = (1..200_000u64, 0..5_000u64, prop::option::of(1..5u32));
    prop_oneof![
        Just(TimeControl::Unlimited),
        (1..100_000u64).prop_map(|ms| TimeControl::PerMove { ms }),
        game.prop_map(
            |(initial_ms, increment_ms, period_moves)| TimeControl::Game {
                initial_ms,
                increment_ms,
                period_moves,
            }
        ),
    ]
}

proptest! {
    #[test]
    fn controls_survive_their_text(control in control()) {
        prop_assert_eq!(control.to_string().parse(), Ok(control));
    }

    #[test]
    fn any_text_is_a_control_or_a_reason(text in "[-+/.0-9a-z]{0,12}|\\PC{0,12}") {
        if let Ok(control) = text.parse::<TimeControl>() {
            prop_assert_eq!(control.to_string().parse(), Ok(control));
        }
    }

    /// What a side has left is what it was given minus what it spent, never less than nothing; and
    /// only a side without time is refused.
    #[test]
    fn a_clock_keeps_its_books(
        control in control(),
        thoughts in prop::collection::vec(0..60_000u64, 0..20),
    ) {
        let mut clock = Clock::new(control);
        let mut now_ms = 1_000;
        clock.start(Side::Black, now_ms);
        let mut given = [control.initial_ms().unwrap_or(0); 2];
        let mut spent = [0u64; 2];
        let mut moves = [0u32; 2];
        for thought_ms in thoughts {
            let side = clock.running().unwrap();
            let i = side.index();
            now_ms += thought_ms;
            let left = given[i].saturating_sub(spent[i] + thought_ms);
            if control != TimeControl::Unlimited {
                prop_assert_eq!(clock.remaining_ms(side, now_ms), Some(left));
            }
            let flagged = control != TimeControl::Unlimited && left == 0;
            prop_assert_eq!(clock.flagged(now_ms), flagged.then_some(side));
            prop_assert_eq!(clock.press(now_ms).is_err(), flagged);
            if flagged {
                break;
            }
            spent[i] += thought_ms;
            moves[i] += 1;
            match control {
                TimeControl::Unlimited => {}
                TimeControl::PerMove { ms } => given[i] = spent[i] + ms,
                TimeControl::Game { initial_ms, increment_ms, period_moves } => {
                    given[i] += increment_ms;
                    if period_moves.is_some_and(|n| moves[i].is_multiple_of(n)) {
                        given[i] += initial_ms;
                    }
                }
            }
            prop_assert_eq!(clock.running(), Some(side.other()));
        }
    }
}
