//! Everybody against everybody, and some against all others.

/// The pairings of a round robin, round by round, by the circle method: one player stays, the
/// others walk around it. The first of a pairing moves first; over all rounds everybody does so
/// about as often as not.
pub(super) fn round_robin(n_players: usize) -> Vec<(u32, [usize; 2])> {
    // With an odd number, whoever meets the last one rests.
    let n = n_players + n_players % 2;
    let mut pairings = Vec::new();
    for round in 0..n.saturating_sub(1) {
        for table in 0..n / 2 {
            let (a, b) = if table == 0 {
                (n - 1, round)
            } else {
                let walk = n - 1;
                ((round + table) % walk, (round + walk - table) % walk)
            };
            let turns = if table == 0 {
                round % 2 == 0
            } else {
                table % 2 == 0
            };
            let players = if turns { [b, a] } else { [a, b] };
            if players.iter().all(|&player| player < n_players) {
                pairings.push((round as u32 + 1, players));
            }
        }
    }
    pairings
}

/// The first `n_seeds` players against all the others.
pub(super) fn gauntlet(n_players: usize, n_seeds: usize) -> Vec<(u32, [usize; 2])> {
    let mut pairings = Vec::new();
    for other in n_seeds..n_players {
        for seed in 0..n_seeds {
            let round = (other - n_seeds) as u32 + 1;
            let turns = (other - n_seeds + seed) % 2 == 1;
            pairings.push((round, if turns { [other, seed] } else { [seed, other] }));
        }
    }
    pairings
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn everybody_meets_everybody_once_and_nobody_twice_a_round() {
        for n in 2..=33 {
            let pairings = round_robin(n);
            assert_eq!(pairings.len(), n * (n - 1) / 2);
            let mut met = HashSet::new();
            let mut seen = HashSet::new();
            let mut first = vec![0_i32; n];
            for (round, [a, b]) in pairings {
                assert!(met.insert((a.min(b), a.max(b))));
                assert!(seen.insert((round, a)) && seen.insert((round, b)));
                first[a] += 1;
                first[b] -= 1;
            }
            assert!(
                first.iter().all(|balance| balance.abs() <= 1),
                "{n}: {first:?}"
            );
        }
    }

    #[test]
    fn seeds_meet_the_others_and_not_each_other() {
        let pairings = gauntlet(5, 2);
        assert_eq!(pairings.len(), 6);
        assert!(
            pairings
                .iter()
                .all(|(_, [a, b])| (*a < 2) != (*b < 2) && a != b)
        );
    }
}
