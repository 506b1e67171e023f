//! Whether the rounds of a Swiss tournament that are left can be played without a rematch.
//!
//! As long as no more than half of the possible rounds are asked for, there is always a next round
//! (Dirac: everybody has enough opponents left). With more, a pairing that looks best can leave two
//! groups of an odd number who have only each other to meet. So a way to play all rounds to the end is
//! kept beside the tournament, at first that of a round robin: a pairing is taken only if another way
//! is found behind it, and otherwise the kept way has one.

use super::robin;

type Pairs = Vec<[usize; 2]>;

/// Who has met whom, and a way to play the rounds that are left. With an odd number of players, who
/// rests meets a player who is not there, whose number is the last one.
#[derive(Debug, Clone)]
pub(super) struct Future {
    met: Vec<Vec<bool>>,
    rounds: Vec<Pairs>,
}

/// Steps of a search for a way. It is found in a few hundred where there is one in sight.
const STEPS_MAX: u32 = 20_000;

impl Future {
    /// Of a tournament that begins; `None` if no pairing can lead it astray.
    pub(super) fn new(n_players: usize, n_rounds: u32) -> Option<Self> {
        let n = n_players + n_players % 2;
        let n_rounds = n_rounds as usize;
        if n_rounds <= n / 2 {
            return None;
        }
        let mut rounds = vec![Pairs::new(); n.saturating_sub(1)];
        for (round, pair) in robin::round_robin(n) {
            rounds[round as usize - 1].push(pair);
        }
        rounds.truncate(n_rounds);
        Some(Self {
            met: vec![vec![false; n]; n],
            rounds,
        })
    }

    /// Plays a round if the others can be played behind it.
    pub(super) fn follow(&mut self, pairs: &[[usize; 2]], bye: Option<usize>) -> bool {
        let mut met = self.met.clone();
        let absent = met.len() - 1;
        for &[a, b] in pairs.iter().chain(&bye.map(|player| [player, absent])) {
            met[a][b] = true;
            met[b][a] = true;
        }
        let n_left = self.rounds.len().saturating_sub(1);
        let mut search = Search {
            met,
            n_rounds: n_left,
            rounds: Vec::with_capacity(n_left),
            steps: STEPS_MAX,
        };
        let is_found = search.round(&mut Pairs::new(), 0);
        if is_found {
            self.met = search.met;
            for &[a, b] in search.rounds.iter().flatten() {
                self.met[a][b] = false;
                self.met[b][a] = false;
            }
            self.rounds = search.rounds;
        }
        is_found
    }

    /// The next round of the way that is kept, and who rests in it.
    pub(super) fn kept(&mut self, n_players: usize) -> Option<(Pairs, Option<usize>)> {
        if self.rounds.is_empty() {
            return None;
        }
        let all = self.rounds.remove(0);
        for &[a, b] in &all {
            self.met[a][b] = true;
            self.met[b][a] = true;
        }
        let (pairs, rest): (Pairs, Pairs) = all
            .into_iter()
            .partition(|pair| pair.iter().all(|it| *it < n_players));
        let bye = rest.first().map(|pair| pair[0].min(pair[1]));
        Some((pairs, bye))
    }
}

/// A search for rounds that have no pair in common with each other or with those that were played.
struct Search {
    met: Vec<Vec<bool>>,
    n_rounds: usize,
    rounds: Vec<Pairs>,
    steps: u32,
}

impl Search {
    /// Goes on with a round of which some pairs are chosen. Rounds come in the order of the first
    /// player's opponents, of whom `from` is the first that is allowed.
    fn round(&mut self, chosen: &mut Pairs, from: usize) -> bool {
        if self.rounds.len() == self.n_rounds {
            return true;
        }
        self.steps = self.steps.saturating_sub(1);
        if self.steps == 0 {
            return false;
        }
        let n = self.met.len();
        if 2 * chosen.len() == n {
            let next = chosen[0][1] + 1;
            self.rounds.push(std::mem::take(chosen));
            if self.round(&mut Pairs::new(), next) {
                return true;
            }
            *chosen = self.rounds.pop().unwrap_or_default();
            return false;
        }
        let is_free = |player: usize| !chosen.iter().any(|pair| pair.contains(&player));
        let free: Vec<usize> = (0..n).filter(|&it| is_free(it)).collect();
        let mates = |player: usize| {
            let may_meet = |it: &usize| *it != player && !self.met[player][*it];
            free.iter().copied().filter(may_meet).collect::<Vec<_>>()
        };
        let (player, mates) = if chosen.is_empty() {
            (0, mates(0).into_iter().filter(|it| *it >= from).collect())
        } else {
            // Whoever has the least choice first.
            let all = free.iter().map(|&it| (it, mates(it)));
            all.min_by_key(|(_, mates)| mates.len()).unwrap_or_default()
        };
        for mate in mates {
            self.set(player, mate, true);
            chosen.push([player, mate]);
            if self.round(chosen, from) {
                return true;
            }
            chosen.pop();
            self.set(player, mate, false);
        }
        false
    }

    fn set(&mut self, a: usize, b: usize, is_met: bool) {
        self.met[a][b] = is_met;
        self.met[b][a] = is_met;
    }
}
