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
