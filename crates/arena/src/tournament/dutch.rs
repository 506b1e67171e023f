//! Swiss rounds of single games by the Dutch system of FIDE, as its rules stand from 2026 on.
//!
//! Players are sorted by points and seed; equal points make a group. From the top group down, a
//! bracket is the group and those who moved down into it. What the rules ask of a bracket is put
//! into weights, the more important first (`weights`), and the matching of greatest weight of all
//! players who are left decides: so no bracket is paired such that those below cannot be. Where
//! several matchings are as good, the rules name an order: who moves down, who changes halves, who
//! meets whom. Each such choice is tried with the last number of the weights, and kept if nothing
//! better is lost.

mod players;
mod weights;

pub use players::{Entry, Turn};

use players::Player;
use weights::Weights;

/// The pairs of a round, and who rests. The first of a pair has the first move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    pub pairs: Vec<[usize; 2]>,
    pub bye: Option<usize>,
}

/// The next round of a tournament of `n_rounds`; `None` if the rules allow none. Entries come in the
/// order of seeds.
pub fn pair(entries: &[Entry], n_rounds: usize) -> Option<Round> {
    let players = players::sorted(entries);
    if players.is_empty() {
        return None;
    }
    let n_played = entries.iter().map(|it| it.turns.len()).max().unwrap_or(0);
    let weights = Weights::new(&players, n_played, n_played + 1 >= n_rounds)?;
    let mut draw = Draw {
        fixed: vec![None; players.len()],
        weights,
        players: &players,
    };
    draw.all_brackets()?;
    let mut pairs = Vec::new();
    for (upper, mate) in draw.fixed.iter().enumerate() {
        if let Some(lower) = mate.filter(|lower| upper < *lower) {
            pairs.push([upper, lower]);
        }
    }
    // Tables are numbered by the points of the better player, then of the other one.
    pairs.sort_by_key(|&[upper, lower]| {
        let points = |at: usize| std::cmp::Reverse(players[at].points);
        (points(upper), points(lower), players[upper].seed)
    });
    let bye = draw.fixed.iter().position(Option::is_none);
    Some(Round {
        pairs: pairs
            .into_iter()
            .map(|[upper, lower]| players::with_colours(&players[upper], &players[lower]))
            .collect(),
        bye: bye.map(|at| players[at].id),
    })
}

/// A bracket: those who moved down, and the group from `from` to `next`; the group below it ends
/// before `after`.
#[derive(Debug, Clone, Default)]
pub(super) struct Bracket {
    moved_down: Vec<usize>,
    from: usize,
    next: usize,
    after: usize,
}

impl Bracket {
    fn has(&self, at: usize) -> bool {
        (self.from..self.next).contains(&at)
    }
}

/// The order that is tried last: three numbers for an edge.
type Tail<'a> = &'a dyn Fn(usize, usize) -> [i64; 3];

/// A round that is being drawn. Numbers are places among the sorted players.
struct Draw<'a> {
    players: &'a [Player],
    weights: Weights<'a>,
    /// Pairs that stand fast.
    fixed: Vec<Option<usize>>,
}

const NOTHING: [i64; 3] = [0; 3];

impl Draw<'_> {
    fn solve(&self, bracket: &Bracket, tail: Tail<'_>) -> Vec<Option<usize>> {
        let left: Vec<usize> = (0..self.players.len())
            .filter(|at| self.fixed[*at].is_none())
            .collect();
        let mates = super::matching::heaviest(left.len(), |a, b| {
            self.weights.edge(bracket, left[a], left[b], tail)
        });
        let mut all = self.fixed.clone();
        for (a, mate) in mates.into_iter().enumerate() {
            all[left[a]] = mate.map(|b| left[b]);
        }
        all
    }

    fn fix(&mut self, a: usize, b: usize) {
        self.fixed[a] = Some(b);
        self.fixed[b] = Some(a);
    }

    fn all_brackets(&mut self) -> Option<()> {
        let n = self.players.len();
        let end_of = |from: usize| {
            let same = |it: &&Player| it.points == self.players[from].points;
            from + self.players[from..].iter().take_while(same).count()
        };
        let mut bracket = Bracket {
            next: end_of(0),
            ..Bracket::default()
        };
        while bracket.moved_down.len() + bracket.next - bracket.from > 1 || bracket.next < n {
            bracket.after = if bracket.next < n {
                end_of(bracket.next)
            } else {
                n
            };
            let mates = self.bracket(&bracket);
            let is_left = |at: &usize| self.fixed[*at].is_none();
            let above = bracket.moved_down.iter().copied();
            let moved_down: Vec<usize> = above
                .chain(bracket.from..bracket.next)
                .filter(is_left)
                .collect();
            self.weights
                .go_down(&bracket, &moved_down, &mates, bracket.next < n);
            bracket = Bracket {
                moved_down,
                from: bracket.next,
                next: bracket.after,
                after: n,
            };
            if bracket.from >= n {
                break;
            }
        }
        // Whoever is left without an opponent rests.
        let n_left = self.fixed.iter().filter(|it| it.is_none()).count();
        (n_left == n % 2).then_some(())
    }

    /// Pairs a bracket; gives the matching of everybody that its last choice was made in.
    fn bracket(&mut self, bracket: &Bracket) -> Vec<Option<usize>> {
        let mut mates = self.solve(bracket, &|_, _| NOTHING);
        let stay = self.who_stays(bracket, &mut mates);
        self.opponents_of_moved_down(bracket, &stay, &mut mates);
        let rest: Vec<usize> = (bracket.from..bracket.next)
            .filter(|at| self.fixed[*at].is_none())
            .collect();
        self.remainder(bracket, &rest, &mut mates);
        mates
    }

    /// Which of those who moved down are paired here: as many of each number of points as in the
    /// best matching, the better seeds first.
    fn who_stays(&self, bracket: &Bracket, mates: &mut Vec<Option<usize>>) -> Vec<usize> {
        let mut stay: Vec<usize> = Vec::new();
        let is_here =
            |mates: &[Option<usize>], at: usize| mates[at].is_some_and(|it| bracket.has(it));
        let (mut n_left, mut n_places, mut points) = (0, 0, None);
        for (index, &player) in bracket.moved_down.iter().enumerate() {
            if points != Some(self.players[player].points) {
                points = Some(self.players[player].points);
                let same = bracket.moved_down[index..]
                    .iter()
                    .filter(|it| Some(self.players[**it].points) == points);
                n_left = same.clone().count();
                n_places = same.filter(|it| is_here(mates, **it)).count();
            }
            if n_places == 0 {
                continue;
            }
            if n_left <= n_places {
                stay.push(player);
                continue;
            }
            n_left -= 1;
            if !is_here(mates, player) {
                *mates = self.solve(bracket, &|h, l| {
                    let counts = bracket.has(l);
                    let stands = i64::from(counts && stay.contains(&h));
                    [stands, i64::from(counts && h == player), 0]
                });
            }
            if is_here(mates, player) {
                stay.push(player);
                n_places -= 1;
            }
        }
        stay
    }

    /// Whom those who moved down meet: the best seeds choose first, the best opponents.
    fn opponents_of_moved_down(
        &mut self,
        bracket: &Bracket,
        stay: &[usize],
        mates: &mut Vec<Option<usize>>,
    ) {
        for &player in stay {
            *mates = self.solve(bracket, &|h, l| {
                let stands = i64::from(bracket.has(l) && stay.contains(&h));
                let wish = if h == player && bracket.has(l) {
                    (bracket.next - l) as i64
                } else {
                    0
                };
                [stands, wish, 0]
            });
            if let Some(mate) = mates[player] {
                self.fix(player, mate);
            }
        }
    }

    /// Pairs those of the group who met nobody from above: the upper half against the lower half,
    /// with as few changes between the halves as possible.
    fn remainder(&mut self, bracket: &Bracket, rest: &[usize], mates: &mut Vec<Option<usize>>) {
        let is_upper = |mates: &[Option<usize>], at: usize| {
            mates[at].is_some_and(|mate| mate > at && mate < bracket.next)
        };
        let n_pairs = rest.iter().filter(|it| is_upper(mates, **it)).count();
        let place = |at: usize| rest.iter().position(|it| *it == at);
        // Few changes, then near ones; then whoever is tried.
        let order = |h: usize, l: usize| match (place(h), place(l)) {
            (Some(at), Some(_)) => [i64::from(at < n_pairs), -(at as i64)],
            _ => [0; 2],
        };
        *mates = self.solve(bracket, &|h, l| {
            let [few, near] = order(h, l);
            [few, near, 0]
        });
        let (upper, lower) = rest.split_at(n_pairs);
        let n_changes = upper.iter().filter(|it| !is_upper(mates, **it)).count();
        let mut n_left = n_changes;
        for &player in upper.iter().rev() {
            if n_left == 0 {
                break;
            }
            if is_upper(mates, player) {
                *mates = self.solve(bracket, &|h, l| {
                    let [few, near] = order(h, l);
                    let is_it = h == player && place(l).is_some();
                    [few, near, -i64::from(is_it)]
                });
            }
            if !is_upper(mates, player) {
                n_left -= 1;
                for &other in rest.iter().filter(|it| **it > player) {
                    self.weights.forbid(player, other);
                }
            }
        }
        n_left = n_changes;
        for &player in lower {
            if n_left <= 1 {
                break;
            }
            if !is_upper(mates, player) {
                *mates = self.solve(bracket, &|h, l| {
                    let [few, near] = order(h, l);
                    let is_it = h == player && place(l).is_some();
                    [few, near, i64::from(is_it)]
                });
            }
            if is_upper(mates, player) {
                n_left -= 1;
                for &other in rest.iter().filter(|it| **it < player) {
                    self.weights.forbid(other, player);
                }
                for other in bracket.next..bracket.after {
                    self.weights.forbid(player, other);
                }
            }
        }
        self.halves_meet(bracket, rest, mates);
    }

    /// The halves stand fast; now the best of the upper one choose first, the best opponents.
    fn halves_meet(&mut self, bracket: &Bracket, rest: &[usize], mates: &mut Vec<Option<usize>>) {
        let is_upper: Vec<bool> = rest
            .iter()
            .map(|&at| mates[at].is_some_and(|mate| mate > at && mate < bracket.next))
            .collect();
        for (a, &one) in rest.iter().enumerate() {
            for (b, &other) in rest.iter().enumerate().skip(a + 1) {
                if !is_upper[a] || is_upper[b] {
                    self.weights.forbid(one, other);
                }
            }
        }
        for (a, &player) in rest.iter().enumerate() {
            if !is_upper[a] {
                continue;
            }
            *mates = self.solve(bracket, &|h, l| {
                let wish = if h == player && bracket.has(l) {
                    (bracket.next - l) as i64
                } else {
                    0
                };
                [wish, 0, 0]
            });
            if let Some(mate) = mates[player] {
                self.fix(player, mate);
            }
        }
    }
}

#[cfg(test)]
mod tests;
