//! Who loses an encounter is out.

/// The first round of a bracket for players in the order of their seeds: the best meet the worst,
/// and the best of them meet nobody if there are too few. `None` is a free place.
pub(super) fn bracket(n_players: usize) -> Vec<[Option<usize>; 2]> {
    let n_places = n_players.next_power_of_two().max(2);
    // Place by place such that the two best can meet in the last round only.
    let mut seeds = vec![0];
    while seeds.len() < n_places {
        let n = 2 * seeds.len();
        seeds = seeds
            .iter()
            .flat_map(|&seed| [seed, n - 1 - seed])
            .collect();
    }
    let player = |seed: usize| (seed < n_players).then_some(seed);
    seeds
        .chunks(2)
        .map(|pair| [player(pair[0]), player(pair[1])])
        .collect()
}

/// After so many pairs in a row that nobody won, the player with the better seed goes on; earlier if
/// so many of them were the same games again, which players without chance play for ever.
const EXTRA_PAIRS_MAX: u32 = 16;
const REPEATS_MAX: u32 = 2;

/// The encounters that nobody has won yet, and that may still be decided by more pairs.
pub(super) fn ties(
    encounters: &[[Option<usize>; 2]],
    points: &[[u32; 2]],
    extra: &[u32],
    repeats: &[u32],
) -> Vec<usize> {
    let is_tie = |at: &usize| {
        let is_played = encounters[*at].iter().all(Option::is_some);
        let is_open = extra[*at] < EXTRA_PAIRS_MAX && repeats[*at] < REPEATS_MAX;
        is_played && points[*at][0] == points[*at][1] && is_open
    };
    (0..encounters.len()).filter(is_tie).collect()
}

/// The encounters that ended with equal points: the better seed, and the other.
pub(super) fn equals<'a>(
    encounters: &'a [[Option<usize>; 2]],
    points: &'a [[u32; 2]],
) -> impl Iterator<Item = [usize; 2]> + 'a {
    let all = encounters.iter().zip(points);
    all.filter_map(|(players, points)| match *players {
        [Some(a), Some(b)] if points[0] == points[1] => Some([a.min(b), a.max(b)]),
        _ => None,
    })
}

/// Both with the same points: the better seed, which is the lower number.
pub(super) fn winner(players: [Option<usize>; 2], points: [u32; 2]) -> Option<usize> {
    match players {
        [Some(a), Some(b)] => Some(match points[0].cmp(&points[1]) {
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Equal => a.min(b),
        }),
        [one, other] => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_meet_late_and_rest_first() {
        assert_eq!(bracket(2), [[Some(0), Some(1)]]);
        assert_eq!(
            bracket(6),
            [
                [Some(0), None],
                [Some(3), Some(4)],
                [Some(1), None],
                [Some(2), Some(5)]
            ]
        );
    }
}
