//! A round of a Swiss tournament of double games: players with as many points as possible in common
//! meet, nobody meets anybody twice.
//!
//! Both games of an encounter have the same opening with colours reversed, so that colours do not
//! matter for who meets whom. Within a group of equal points the upper half meets the lower half,
//! first against first. What must not be given up for that is decided first, by the matching of
//! greatest weight: from the top group down, as many pairs inside the group as possible, and those
//! who must leave it meet opponents with as many points as possible.

use super::matching::{Weight, heaviest};

/// What the rounds before say about a player. Players come in the order of their seeds.
#[derive(Debug, Clone, Default)]
pub(super) struct Entry {
    /// Half points, those for a bye included.
    pub(super) points: u32,
    pub(super) opponents: Vec<usize>,
    pub(super) had_bye: bool,
    /// How much more often the player began the encounter with the first move than not.
    pub(super) firsts: i32,
}

/// The pairs of a round, and who rests.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Round {
    pub(super) pairs: Vec<[usize; 2]>,
    pub(super) bye: Option<usize>,
}

/// The next round; `None` if everybody who could meet has met.
pub(super) fn pair(entries: &[Entry]) -> Option<Round> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&player| (std::cmp::Reverse(entries[player].points), player));
    let bye = if order.len() % 2 == 1 {
        let at = (0..order.len()).rev().find(|&at| {
            let mut others = order.clone();
            let resting = others.remove(at);
            !entries[resting].had_bye && is_perfect(entries, &others)
        })?;
        Some(order.remove(at))
    } else {
        None
    };
    let table = Table::new(entries, order);
    let all: Vec<usize> = (0..table.order.len()).collect();
    let (mut best, n_pairs) = table.optimum(&all);
    if 2 * n_pairs < all.len() {
        return None;
    }
    let mut left = all;
    let mut pairs = Vec::new();
    while let Some(&upper) = left.first() {
        let lower = table.candidates(&left).into_iter().find_map(|lower| {
            let weight = table.weight(upper, lower)?;
            let rest: Vec<usize> = left
                .iter()
                .copied()
                .filter(|it| *it != upper && *it != lower)
                .collect();
            let (optimum, _) = table.optimum(&rest);
            (&weight + &optimum == best).then_some((lower, rest, optimum))
        });
        let (lower, rest, optimum) = lower?;
        pairs.push(table.with_colours(upper, lower, pairs.len()));
        (left, best) = (rest, optimum);
    }
    Some(Round { pairs, bye })
}

fn may_meet(entries: &[Entry], a: usize, b: usize) -> bool {
    !entries[a].opponents.contains(&b)
}

fn is_perfect(entries: &[Entry], players: &[usize]) -> bool {
    let one =
        |a: usize, b: usize| may_meet(entries, players[a], players[b]).then(|| Weight(vec![1]));
    heaviest(players.len(), one).iter().all(Option::is_some)
}

/// The players of a round in their order. Numbers below are places in it.
struct Table<'a> {
    entries: &'a [Entry],
    order: Vec<usize>,
    /// Which group of equal points each is in, from the top.
    groups: Vec<usize>,
}

impl<'a> Table<'a> {
    fn new(entries: &'a [Entry], order: Vec<usize>) -> Self {
        let mut groups: Vec<usize> = Vec::with_capacity(order.len());
        for (at, &player) in order.iter().enumerate() {
            let group = match at.checked_sub(1) {
                None => 0,
                Some(before) => {
                    let is_new = entries[order[before]].points != entries[player].points;
                    groups[before] + usize::from(is_new)
                }
            };
            groups.push(group);
        }
        Self {
            entries,
            order,
            groups,
        }
    }

    fn points(&self, at: usize) -> i64 {
        self.entries[self.order[at]].points.into()
    }

    fn weight(&self, upper: usize, lower: usize) -> Option<Weight> {
        if !may_meet(self.entries, self.order[upper], self.order[lower]) {
            return None;
        }
        let group = self.groups[upper];
        let mut parts = vec![0; 3 + 2 * group];
        parts[0] = 1;
        parts[1 + 2 * group] = i64::from(self.groups[lower] == group);
        parts[2 + 2 * group] = self.points(lower) - self.points(upper);
        Some(Weight(parts))
    }

    /// The greatest weight among some players, and how many pairs have it.
    fn optimum(&self, players: &[usize]) -> (Weight, usize) {
        let mates = heaviest(players.len(), |a, b| self.weight(players[a], players[b]));
        let mut sum = Weight::default();
        let mut n_pairs = 0;
        for (a, mate) in mates.iter().enumerate() {
            if let Some(b) = mate.filter(|b| a < *b)
                && let Some(weight) = self.weight(players[a], players[b])
            {
                sum = &sum + &weight;
                n_pairs += 1;
            }
        }
        (sum, n_pairs)
    }

    /// Whom the first of those who are left should meet, best first: the first of the lower half of
    /// its group, those below, those above from the middle up, then the groups below.
    fn candidates(&self, left: &[usize]) -> Vec<usize> {
        let group = self.groups[left[0]];
        let size = left.iter().filter(|it| self.groups[**it] == group).count();
        let middle = (size / 2).max(1).min(left.len());
        let below = left[middle..].iter();
        let above = left[1..middle].iter().rev();
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            below.copied().partition(|it| self.groups[*it] == group);
        inside
            .into_iter()
            .chain(above.copied())
            .chain(outside)
            .collect()
    }

    /// Whoever began less often with the first move has it now.
    fn with_colours(&self, upper: usize, lower: usize, number: usize) -> [usize; 2] {
        let (upper, lower) = (self.order[upper], self.order[lower]);
        let difference = self.entries[upper].firsts - self.entries[lower].firsts;
        if difference > 0 || (difference == 0 && number % 2 == 1) {
            [lower, upper]
        } else {
            [upper, lower]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::sample::SplitMix64;

    fn play(entries: &mut [Entry], round: &Round, random: &mut SplitMix64) {
        for &[a, b] in &round.pairs {
            // Both games together are worth four half points, mostly the better one's.
            let won = random.below(5).max(u32::from(a < b) * 2);
            entries[a].points += won;
            entries[b].points += 4 - won;
            entries[a].opponents.push(b);
            entries[b].opponents.push(a);
            entries[a].firsts += 1;
            entries[b].firsts -= 1;
        }
        if let Some(player) = round.bye {
            assert!(!entries[player].had_bye);
            entries[player].had_bye = true;
            entries[player].points += 4;
        }
    }

    #[test]
    fn the_first_round_pairs_halves() {
        let round = pair(&vec![Entry::default(); 7]).unwrap();
        assert_eq!(round.bye, Some(6));
        assert_eq!(round.pairs, [[0, 3], [4, 1], [2, 5]]);
    }

    #[test]
    fn nobody_meets_twice_and_everybody_plays() {
        let mut random = SplitMix64::new(3);
        for n in [4, 5, 8, 11, 16] {
            let mut entries = vec![Entry::default(); n];
            let n_rounds = (n - 1).min(7);
            for _ in 0..n_rounds {
                let Some(round) = pair(&entries) else {
                    panic!("{n} players ran out of opponents");
                };
                let mut seen = vec![0; n];
                for player in round.pairs.iter().flatten().chain(&round.bye) {
                    seen[*player] += 1;
                }
                assert!(seen.iter().all(|count| *count == 1), "{seen:?}");
                for [a, b] in &round.pairs {
                    assert!(!entries[*a].opponents.contains(b));
                }
                play(&mut entries, &round, &mut random);
            }
            assert!(entries.iter().all(|entry| entry.firsts.abs() <= 3));
        }
    }

    #[test]
    fn leaders_meet_unless_they_have_met() {
        let mut entries = vec![Entry::default(); 6];
        for (player, points) in [8, 8, 4, 4, 0, 0].into_iter().enumerate() {
            entries[player].points = points;
        }
        let pairs = |entries: &[Entry]| {
            let mut pairs = pair(entries).unwrap().pairs;
            for pair in &mut pairs {
                pair.sort_unstable();
            }
            pairs
        };
        assert_eq!(pairs(&entries), [[0, 1], [2, 3], [4, 5]]);
        entries[0].opponents.push(1);
        entries[1].opponents.push(0);
        assert_eq!(pairs(&entries), [[0, 2], [1, 3], [4, 5]]);
    }
}
