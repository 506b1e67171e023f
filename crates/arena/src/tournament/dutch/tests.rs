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

/// Number of a player, counted from 0, in front of a mark.
fn number(text: &str) -> usize {
    text.parse::<usize>().expect("a number in the file") - 1
}

/// What a word of a recorded round says: the pair or the player, and their turns.
fn turns_of(word: &str) -> Vec<(usize, Turn)> {
    let (rest, mark) = word.split_at(word.len() - 1);
    let half_points = match mark {
        "+" | "*" => 2,
        "=" | "h" => 1,
        _ => 0,
    };
    match (rest.split_once('-'), mark) {
        (Some((first, second)), _) => {
            let (first, second) = (number(first), number(second));
            vec![
                (first, played(second, true, half_points)),
                (second, played(first, false, 2 - half_points)),
            ]
        }
        (None, "*") => vec![(number(rest), Turn::Bye { half_points })],
        (None, _) => vec![(number(rest), Turn::Absent { half_points })],
    }
}

/// The rounds of another program are drawn again, each from what was played before it.
#[test]
fn recorded_rounds_of_another_program_come_out_the_same() {
    let text = include_str!("recorded.txt");
    let text: Vec<&str> = text.lines().filter(|it| !it.starts_with('#')).collect();
    let mut n_rounds_drawn = 0;
    let mut tournaments = 0;
    let mut at = 0;
    while let Some(header) = text.get(at).and_then(|it| it.strip_prefix("tournament ")) {
        tournaments += 1;
        let (players, rounds) = header.split_once(" players, ").expect("a header");
        let n_rounds = number(rounds.trim_end_matches(" rounds")) + 1;
        let mut entries = vec![Entry::default(); number(players) + 1];
        at += 1;
        let recorded = text[at..].iter().take_while(|it| !it.starts_with("tour"));
        let recorded: Vec<&str> = recorded.copied().collect();
        at += recorded.len();
        for round in &recorded {
            let turns: Vec<(usize, Turn)> = round.split(' ').flat_map(turns_of).collect();
            for entry in &mut entries {
                entry.is_absent = false;
            }
            let (mut pairs, mut bye) = (Vec::new(), None);
            for (player, turn) in &turns {
                match turn {
                    Turn::Played {
                        opponent,
                        is_first: true,
                        ..
                    } => pairs.push([*player, *opponent]),
                    Turn::Played { .. } => {}
                    Turn::Bye { .. } => bye = Some(*player),
                    Turn::Absent { .. } => entries[*player].is_absent = true,
                }
            }
            let drawn = pair(&entries, n_rounds).expect("there is a round");
            assert_eq!((drawn.pairs, drawn.bye), (pairs, bye), "{header}: {round}");
            n_rounds_drawn += 1;
            for (player, turn) in turns {
                entries[player].turns.push(turn);
            }
        }
        if recorded.len() < n_rounds {
            for entry in &mut entries {
                entry.is_absent = false;
            }
            assert_eq!(pair(&entries, n_rounds), None, "{header}");
        }
    }
    assert_eq!((tournaments, n_rounds_drawn), (14, 92));
}
