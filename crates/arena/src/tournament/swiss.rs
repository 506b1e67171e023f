//! A round of a Swiss tournament of double games: players with as many points as possible in common
//! meet, nobody meets anybody twice.
//!
//! Both games of an encounter have the same opening with colours reversed, so that colours do not
//! matter for who meets whom. Within a group of equal points the upper half meets the lower half,
//! first against first. What must not be given up for that is decided first, by the matching of
//! greatest weight: from the top group down, as many pairs inside the group as possible, and those
//! who must leave it meet opponents with as many points as possible.

use super::{
    future::Future,
    matching::{Weight, heaviest},
};

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

/// The next round; `None` if everybody who could meet has met. With a [`Future`] it is the best one
/// behind which all others can be played.
pub(super) fn pair(entries: &[Entry], mut future: Option<&mut Future>) -> Option<Round> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&player| (std::cmp::Reverse(entries[player].points), player));
    for bye in resting(entries, &order) {
        let playing = order.iter().copied().filter(|it| Some(*it) != bye);
        let table = Table::new(entries, playing.collect());
        let Some(pairs) = table.best() else {
            continue;
        };
        let Some(future) = future.as_deref_mut() else {
            return Some(Round { pairs, bye });
        };
        if future.follow(&pairs, bye) {
            return Some(Round { pairs, bye });
        }
        for pairs in table.others() {
            if future.follow(&pairs, bye) {
                return Some(Round { pairs, bye });
            }
        }
    }
    let (pairs, bye) = future?.kept(entries.len())?;
    let table = Table::new(entries, order);
    Some(Round {
        pairs: table.coloured(&pairs),
        bye,
    })
}

/// Who may rest, the last of the order first; nobody does with an even number.
fn resting(entries: &[Entry], order: &[usize]) -> Vec<Option<usize>> {
    if order.len().is_multiple_of(2) {
        return vec![None];
    }
    let is_fit = |player: &&usize| {
        let others = order.iter().copied().filter(|it| it != *player);
        !entries[**player].had_bye && is_perfect(entries, &others.collect::<Vec<_>>())
    };
    order
        .iter()
        .rev()
        .filter(is_fit)
        .copied()
        .map(Some)
        .collect()
}

/// Up to so many players there are few enough ways to pair them to try them all; so many are tried.
const SMALL_FIELD: usize = 10;
const OTHERS_MAX: usize = 300;

fn without(left: &[usize], upper: usize, lower: usize) -> Vec<usize> {
    let stays = |it: &usize| *it != upper && *it != lower;
    left.iter().copied().filter(stays).collect()
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

    /// The pairs of greatest weight; `None` if not everybody has an opponent.
    fn best(&self) -> Option<Vec<[usize; 2]>> {
        let all: Vec<usize> = (0..self.order.len()).collect();
        let (mut best, n_pairs) = self.optimum(&all);
        if 2 * n_pairs < all.len() {
            return None;
        }
        let mut left = all;
        let mut pairs = Vec::new();
        while let Some(&upper) = left.first() {
            let lower = self.candidates(&left).into_iter().find_map(|lower| {
                let weight = self.weight(upper, lower)?;
                let rest = without(&left, upper, lower);
                let (optimum, _) = self.optimum(&rest);
                (&weight + &optimum == best).then_some((lower, rest, optimum))
            });
            let (lower, rest, optimum) = lower?;
            pairs.push(self.with_colours(upper, lower, pairs.len()));
            (left, best) = (rest, optimum);
        }
        Some(pairs)
    }

    /// All ways to pair a small field, the greatest weight first, as far as they are tried.
    fn others(&self) -> Vec<Vec<[usize; 2]>> {
        if self.order.len() > SMALL_FIELD {
            return Vec::new();
        }
        let all: Vec<usize> = (0..self.order.len()).collect();
        let mut found = Vec::new();
        self.collect(&all, &Weight::default(), &mut Vec::new(), &mut found);
        found.sort_by(|(a, _), (b, _)| b.cmp(a));
        let coloured = |(_, pairs): &(Weight, Vec<[usize; 2]>)| {
            let pairs = pairs.iter().enumerate();
            pairs
                .map(|(at, &[upper, lower])| self.with_colours(upper, lower, at))
                .collect()
        };
        found.iter().take(OTHERS_MAX).map(coloured).collect()
    }

    fn collect(
        &self,
        left: &[usize],
        sum: &Weight,
        pairs: &mut Vec<[usize; 2]>,
        found: &mut Vec<(Weight, Vec<[usize; 2]>)>,
    ) {
        let Some(&upper) = left.first() else {
            found.push((sum.clone(), pairs.clone()));
            return;
        };
        for lower in self.candidates(left) {
            if let Some(weight) = self.weight(upper, lower) {
                pairs.push([upper, lower]);
                self.collect(&without(left, upper, lower), &(sum + &weight), pairs, found);
                pairs.pop();
            }
        }
    }

    /// Pairs of players, in the order of the table and with colours.
    fn coloured(&self, pairs: &[[usize; 2]]) -> Vec<[usize; 2]> {
        let place = |player: usize| self.order.iter().position(|it| *it == player).unwrap_or(0);
        let mut places: Vec<[usize; 2]> = pairs
            .iter()
            .map(|&[a, b]| [place(a).min(place(b)), place(a).max(place(b))])
            .collect();
        places.sort_unstable();
        let places = places.iter().enumerate();
        places
            .map(|(at, &[upper, lower])| self.with_colours(upper, lower, at))
            .collect()
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
        let round = pair(&vec![Entry::default(); 7], None).unwrap();
        assert_eq!(round.bye, Some(6));
        assert_eq!(round.pairs, [[0, 3], [4, 1], [2, 5]]);
    }

    #[test]
    fn nobody_meets_twice_and_everybody_plays() {
        let mut random = SplitMix64::new(3);
        for n in 3..=12 {
            for n_rounds in [n / 2, n - 2, n - 1 + n % 2] {
                for _ in 0..6 {
                    play_all(n, n_rounds.max(1), &mut random);
                }
            }
        }
    }

    /// Every round has everybody once, and nobody twice against the same opponent.
    fn play_all(n: usize, n_rounds: usize, random: &mut SplitMix64) {
        let mut entries = vec![Entry::default(); n];
        let mut future = Future::new(n, n_rounds as u32);
        for number in 1..=n_rounds {
            let Some(round) = pair(&entries, future.as_mut()) else {
                panic!("{n} players ran out of opponents in round {number} of {n_rounds}");
            };
            let mut seen = vec![0; n];
            for player in round.pairs.iter().flatten().chain(&round.bye) {
                seen[*player] += 1;
            }
            assert!(seen.iter().all(|count| *count == 1), "{seen:?}");
            for [a, b] in &round.pairs {
                assert!(!entries[*a].opponents.contains(b));
            }
            play(&mut entries, &round, random);
        }
        if n_rounds <= 7 {
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
            let mut pairs = pair(entries, None).unwrap().pairs;
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
