use super::*;
use othello::sample::SplitMix64;
use std::collections::HashSet;

fn played(opponent: usize, is_first: bool, half_points: u32) -> Turn {
    Turn::Played {
        opponent,
        is_first,
        half_points,
    }
}

#[test]
fn the_first_round_pairs_halves_and_turns_colours() {
    let round = pair(&vec![Entry::default(); 7], 5).unwrap();
    assert_eq!(round.bye, Some(6));
    assert_eq!(round.pairs, [[0, 3], [4, 1], [2, 5]]);
}

#[test]
fn a_round_that_the_rules_forbid_is_none() {
    let mut entries = vec![Entry::default(); 2];
    entries[0].turns.push(played(1, true, 2));
    entries[1].turns.push(played(0, false, 0));
    assert_eq!(pair(&entries, 3), None);
    assert_eq!(pair(&[], 3), None);
}

#[test]
fn who_has_won_a_round_without_playing_does_not_rest() {
    // Three players; the last has rested, the second was away with a point.
    let mut entries = vec![Entry::default(); 3];
    entries[0].turns.push(Turn::Absent { half_points: 1 });
    entries[1].turns.push(Turn::Absent { half_points: 2 });
    entries[2].turns.push(Turn::Bye { half_points: 2 });
    assert_eq!(pair(&entries, 3).unwrap().bye, Some(0));
}

#[test]
fn of_two_the_one_with_fewer_unplayed_games_rests() {
    // All have a point; two have met and drawn two games, the others were away once.
    let half = Turn::Absent { half_points: 1 };
    let mut entries = vec![Entry::default(); 5];
    for (at, turns) in [
        vec![played(1, true, 1), half],
        vec![played(0, false, 1), half],
        vec![played(3, true, 1), played(4, false, 1)],
        vec![played(2, false, 1), half],
        vec![half, played(2, true, 1)],
    ]
    .into_iter()
    .enumerate()
    {
        entries[at].turns = turns;
    }
    assert_eq!(pair(&entries, 5).unwrap().bye, Some(2));
}

/// Whoever has had one colour twice more often, or twice in a row, gets the other one.
fn check_colours(entries: &[Entry], is_last: bool) {
    for entry in entries {
        let colours: Vec<bool> = entry
            .turns
            .iter()
            .filter_map(|turn| match turn {
                Turn::Played { is_first, .. } => Some(*is_first),
                _ => None,
            })
            .collect();
        if is_last {
            continue;
        }
        assert!(
            colours
                .windows(3)
                .all(|it| it[0] != it[1] || it[1] != it[2]),
            "{colours:?}"
        );
        let balance: i32 = colours.iter().map(|it| if *it { 1 } else { -1 }).sum();
        assert!(balance.abs() <= 2, "{colours:?}");
    }
}

#[test]
fn tournaments_by_chance_keep_the_absolute_criteria() {
    let mut random = SplitMix64::new(5);
    for n in [4, 5, 9, 12, 17] {
        let n_rounds = (n - 1).min(7);
        let mut entries = vec![Entry::default(); n];
        let mut met = HashSet::new();
        let mut rested = HashSet::new();
        for number in 0..n_rounds {
            let Some(round) = pair(&entries, n_rounds) else {
                break;
            };
            let mut seen = vec![0; n];
            for player in round.pairs.iter().flatten().chain(&round.bye) {
                seen[*player] += 1;
            }
            assert!(seen.iter().all(|count| *count == 1), "{seen:?}");
            for [a, b] in round.pairs {
                assert!(met.insert((a.min(b), a.max(b))));
                let half_points = random.below(3);
                entries[a].turns.push(played(b, true, half_points));
                entries[b].turns.push(played(a, false, 2 - half_points));
            }
            if let Some(bye) = round.bye {
                assert!(rested.insert(bye));
                entries[bye].turns.push(Turn::Bye { half_points: 2 });
            }
            check_colours(&entries, number + 1 == n_rounds);
        }
    }
}
