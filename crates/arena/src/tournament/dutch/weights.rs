//! The criteria of the rules as numbers, the more important first.

use super::{
    Bracket, Tail,
    players::{Float, Player},
};
use crate::tournament::matching::{Weight, heaviest};
use std::collections::BTreeMap;

/// What the weights of a round follow from.
pub(super) struct Weights<'a> {
    players: &'a [Player],
    n_played: usize,
    is_last: bool,
    /// The points of whoever rests, if somebody does.
    bye_points: Option<u32>,
    /// Whether whoever rests is the only one who leaves the bracket: then the number of its unplayed
    /// games counts.
    is_bye_alone: bool,
    /// By games played: how much it matters that such a player does not rest.
    bye_ranks: BTreeMap<usize, i64>,
    forbidden: Vec<Vec<bool>>,
}

impl<'a> Weights<'a> {
    /// `None` if there is no round that keeps the absolute criteria.
    pub(super) fn new(players: &'a [Player], n_played: usize, is_last: bool) -> Option<Self> {
        let n = players.len();
        let mut weights = Self {
            players,
            n_played,
            is_last,
            bye_points: None,
            is_bye_alone: false,
            bye_ranks: BTreeMap::new(),
            forbidden: vec![vec![false; n]; n],
        };
        let mates = heaviest(n, |h, l| weights.first_look(h, l));
        let resting: Vec<usize> = (0..n).filter(|at| mates[*at].is_none()).collect();
        match resting[..] {
            [] if n.is_multiple_of(2) => {}
            [at] if players[at].may_rest => weights.rests(at, &mates),
            _ => return None,
        }
        Some(weights)
    }

    /// Who can meet at all, with the rest for the lowest points that are possible.
    fn first_look(&self, h: usize, l: usize) -> Option<Weight> {
        if !self.may_meet(h, l) {
            return None;
        }
        if self.players.len().is_multiple_of(2) {
            return Some(Weight(vec![1]));
        }
        let (one, other) = (&self.players[h], &self.players[l]);
        let top = self.players[0].points;
        Some(Weight(vec![
            1 + i64::from(!one.may_rest) + i64::from(!other.may_rest),
            i64::from(one.points) + i64::from(other.points),
            i64::from(other.points == top),
        ]))
    }

    /// Notes who rests in the first look at a round.
    fn rests(&mut self, at: usize, mates: &[Option<usize>]) {
        let points = self.players[at].points;
        let top = self.players[0].points;
        self.bye_points = Some(points);
        let is_top = |at: &usize| self.players[*at].points == top;
        let stays = |at: usize| mates[at].is_none_or(|mate| self.players[mate].points == top);
        self.is_bye_alone = points == top && (0..self.players.len()).filter(is_top).all(stays);
        let same = self.players.iter().filter(|it| it.points == points);
        let mut played: Vec<usize> = same.map(|it| it.n_played).collect();
        played.sort_unstable_by(|a, b| b.cmp(a));
        for (rank, n_played) in played.into_iter().enumerate() {
            self.bye_ranks.insert(n_played, rank as i64);
        }
    }

    /// The next bracket has its own answer to whether whoever rests leaves it alone.
    pub(super) fn go_down(
        &mut self,
        bracket: &Bracket,
        moved_down: &[usize],
        mates: &[Option<usize>],
        is_more: bool,
    ) {
        self.is_bye_alone = false;
        let Some(bye_points) = self.bye_points.filter(|_| is_more) else {
            return;
        };
        let points = self.players[bracket.next].points;
        let stays = |at: usize| mates[at].is_none_or(|mate| self.players[mate].points >= points);
        let group = bracket.next..bracket.after;
        self.is_bye_alone =
            bye_points >= points && moved_down.iter().copied().chain(group).all(stays);
    }

    /// From now on these two do not meet.
    pub(super) fn forbid(&mut self, a: usize, b: usize) {
        self.forbidden[a.min(b)][a.max(b)] = true;
    }

    /// The absolute criteria for a pair.
    fn may_meet(&self, h: usize, l: usize) -> bool {
        let (one, other) = (&self.players[h], &self.players[l]);
        if one.opponents.contains(&other.id) {
            return false;
        }
        let wants_same =
            one.is_absolute() && other.is_absolute() && one.preference == other.preference;
        let is_top = |it: &Player| it.points as usize > self.n_played;
        !wants_same || (self.is_last && (is_top(one) || is_top(other)))
    }

    fn is_bye_candidate(&self, player: &Player) -> bool {
        let is_low = self
            .bye_points
            .is_some_and(|points| player.points <= points);
        player.may_rest && is_low
    }

    /// The value of a pair; `None` if it is out of the question.
    pub(super) fn edge(
        &self,
        bracket: &Bracket,
        h: usize,
        l: usize,
        tail: Tail<'_>,
    ) -> Option<Weight> {
        // Two who moved down would have met above.
        if self.forbidden[h][l] || l < bracket.from || !self.may_meet(h, l) {
            return None;
        }
        let (one, other) = (&self.players[h], &self.players[l]);
        let is_here = l < bracket.next;
        let is_next = !is_here && l < bracket.after;
        let mut parts = Vec::with_capacity(48);
        parts.push(match self.bye_points {
            None => 1,
            Some(_) => {
                1 + i64::from(!self.is_bye_candidate(one))
                    + i64::from(!self.is_bye_candidate(other))
            }
        });
        let levels = self.levels(bracket);
        let level = |points: u32| levels.iter().position(|it| *it == points);
        for is_counted in [is_here, is_next] {
            parts.push(is_counted.into());
            push_at(
                &mut parts,
                levels.len(),
                [(level(one.points), is_counted.into())],
            );
        }
        parts.push(self.unplayed(one) + self.unplayed(other));
        if !is_here {
            // Below the bracket the other criteria wait for their turn.
            return Some(Weight(parts));
        }
        push_colours(&mut parts, one, other);
        let backs = self.n_played.min(2);
        let is_float = |it: &Player, back: usize, float| it.floats[back] == float;
        for back in 0..backs {
            let down = i64::from(is_float(other, back, Float::Down));
            let same = one.points <= other.points && is_float(one, back, Float::Down);
            let up = one.points > other.points && is_float(other, back, Float::Up);
            parts.extend([down + i64::from(same), i64::from(!up)]);
        }
        for back in 0..backs {
            let down = |it: &Player| i64::from(is_float(it, back, Float::Down));
            let places = [
                (level(other.points), down(other)),
                (level(one.points), down(one)),
            ];
            push_at(&mut parts, levels.len(), places);
            let up = one.points > other.points && is_float(other, back, Float::Up);
            push_at(
                &mut parts,
                levels.len(),
                [(level(one.points), i64::from(!up))],
            );
        }
        parts.extend(tail(h, l));
        Some(Weight(parts))
    }

    /// The points that occur in a bracket and in the group below, the most first.
    fn levels(&self, bracket: &Bracket) -> Vec<u32> {
        let above = bracket.moved_down.iter().copied();
        let below = (bracket.next < self.players.len()).then_some(bracket.next);
        let all = above.chain([bracket.from]).chain(below);
        let mut levels: Vec<u32> = all.map(|at| self.players[at].points).collect();
        levels.dedup();
        levels
    }

    /// How much it matters, by its unplayed games, that a player does not rest.
    fn unplayed(&self, player: &Player) -> i64 {
        if self.is_bye_alone && self.bye_points == Some(player.points) {
            self.bye_ranks.get(&player.n_played).copied().unwrap_or(0)
        } else {
            0
        }
    }
}

/// Appends `n` numbers that are 0 but for those at some places.
fn push_at<const N: usize>(parts: &mut Vec<i64>, n: usize, places: [(Option<usize>, i64); N]) {
    let from = parts.len();
    parts.resize(from + n, 0);
    for (at, value) in places {
        if let Some(at) = at {
            parts[from + at] += value;
        }
    }
}

/// How well a pair serves the colours of both.
fn push_colours(parts: &mut Vec<i64>, one: &Player, other: &Player) {
    let is_same = one.preference == other.preference;
    let clash = is_same && one.preference.is_some();
    let imbalances = one.has_absolute_imbalance() && other.has_absolute_imbalance();
    parts.push((!(imbalances && is_same)).into());
    let both = one.is_absolute() && other.is_absolute();
    // Whoever must give way would have the same colour for a third time.
    let third = if one.imbalance == other.imbalance {
        one.repeated.is_some() && one.repeated == other.repeated
    } else {
        let gives_way = if one.imbalance > other.imbalance {
            other
        } else {
            one
        };
        gives_way.repeated.is_some() && gives_way.repeated == one.preference.map(|it| !it)
    };
    parts.push((!(both && is_same && third)).into());
    parts.push((!clash).into());
    let minds = |it: &Player| it.is_strong() || it.is_absolute();
    parts.push((!(minds(one) && minds(other) && !both && is_same)).into());
}
