//! The matching of greatest weight in a graph: who is paired with whom if every possible pair has
//! a value.
//!
//! Edmonds' algorithm with labels (duals) on vertices and on blossoms, in O(n³) on a dense matrix.
//! Weights are lists of numbers that are compared in order: the first counts most. The algorithm
//! only adds, subtracts, compares and halves, and needs weights to be of an ordered group; lists of
//! whole numbers are one, and because all weights are doubled at first, halves are whole, too.

use std::{
    cmp::Ordering,
    collections::VecDeque,
    ops::{Add, Sub},
};

/// The value of a pair: numbers in the order of their importance. Missing ones at the end are 0.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Weight(pub Vec<i64>);

impl Weight {
    fn combine(&self, other: &Self, of: impl Fn(i64, i64) -> i64) -> Self {
        let n = self.0.len().max(other.0.len());
        let at = |list: &[i64], i: usize| list.get(i).copied().unwrap_or(0);
        Self(
            (0..n)
                .map(|i| of(at(&self.0, i), at(&other.0, i)))
                .collect(),
        )
    }

    fn half(&self) -> Self {
        Self(self.0.iter().map(|it| it / 2).collect())
    }

    fn twice(&self) -> Self {
        Self(self.0.iter().map(|it| it * 2).collect())
    }

    fn is_positive(&self) -> bool {
        self.0.iter().find(|it| **it != 0).is_some_and(|it| *it > 0)
    }

    fn is_zero(&self) -> bool {
        self.0.iter().all(|it| *it == 0)
    }
}

impl PartialOrd for Weight {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Weight {
    fn cmp(&self, other: &Self) -> Ordering {
        let n = self.0.len().max(other.0.len());
        let at = |list: &[i64], i: usize| list.get(i).copied().unwrap_or(0);
        (0..n)
            .map(|i| at(&self.0, i).cmp(&at(&other.0, i)))
            .find(|it| it.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}

impl Add for &Weight {
    type Output = Weight;
    fn add(self, other: Self) -> Weight {
        self.combine(other, |a, b| a + b)
    }
}

impl Sub for &Weight {
    type Output = Weight;
    fn sub(self, other: Self) -> Weight {
        self.combine(other, |a, b| a - b)
    }
}

/// The partner of each of `n` vertices in the matching of greatest weight. `weight` is asked for
/// each two vertices once, the lower one first; what is `None` or not positive is never a pair.
pub fn heaviest(n: usize, weight: impl Fn(usize, usize) -> Option<Weight>) -> Vec<Option<usize>> {
    let mut solver = Solver::new(n, weight);
    while solver.grow() {}
    (1..=n).map(|u| solver.mate[u].checked_sub(1)).collect()
}

/// An edge between two original vertices that stands for one between two (possibly merged) ones.
#[derive(Debug, Clone, Default)]
struct Edge {
    from: usize,
    to: usize,
    /// Doubled; `None` if there is no edge.
    weight: Option<Weight>,
}

/// What a vertex is in the forest of alternating paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Free,
    /// An even number of steps from a root.
    Outer,
    Inner,
}

/// Vertices are counted from 1, and 0 is none; numbers above `n` are blossoms.
struct Solver {
    n: usize,
    /// The highest number in use.
    n_used: usize,
    edges: Vec<Vec<Edge>>,
    dual: Vec<Weight>,
    mate: Vec<usize>,
    /// The outer vertex that is nearest to each vertex that is not outer.
    nearest: Vec<usize>,
    /// The outermost blossom that contains a vertex; itself if none.
    top: Vec<usize>,
    parent: Vec<usize>,
    /// Which child of a blossom contains an original vertex.
    child_with: Vec<Vec<usize>>,
    label: Vec<Label>,
    visited: Vec<usize>,
    visit: usize,
    children: Vec<Vec<usize>>,
    queue: VecDeque<usize>,
}

impl Solver {
    fn new(n: usize, weight: impl Fn(usize, usize) -> Option<Weight>) -> Self {
        let size = n + n / 2 + 2;
        let mut edges = vec![vec![Edge::default(); size]; size];
        let mut heaviest = Weight::default();
        for u in 1..=n {
            for v in u + 1..=n {
                let found = weight(u - 1, v - 1).filter(Weight::is_positive);
                for (from, to) in [(u, v), (v, u)] {
                    edges[from][to] = Edge {
                        from,
                        to,
                        weight: found.as_ref().map(Weight::twice),
                    };
                }
                if let Some(found) = found {
                    heaviest = heaviest.max(found);
                }
            }
        }
        let mut child_with = vec![vec![0; n + 1]; size];
        for (u, row) in child_with.iter_mut().enumerate().take(n + 1) {
            row[u] = u;
        }
        Self {
            n,
            n_used: n,
            edges,
            dual: (0..size)
                .map(|u| {
                    if u <= n {
                        heaviest.clone()
                    } else {
                        Weight::default()
                    }
                })
                .collect(),
            mate: vec![0; size],
            nearest: vec![0; size],
            top: (0..size).map(|u| if u <= n { u } else { 0 }).collect(),
            parent: vec![0; size],
            child_with,
            label: vec![Label::Free; size],
            visited: vec![0; size],
            visit: 0,
            children: vec![Vec::new(); size],
            queue: VecDeque::new(),
        }
    }

    /// By how much the duals of an edge's ends exceed its weight; 0 is tight.
    fn excess(&self, edge: &Edge) -> Weight {
        let sum = &self.dual[edge.from] + &self.dual[edge.to];
        match &edge.weight {
            Some(weight) => &sum - weight,
            None => sum,
        }
    }

    fn slack(&self, x: usize) -> Weight {
        self.excess(&self.edges[self.nearest[x]][x])
    }

    fn update_nearest(&mut self, u: usize, x: usize) {
        if self.nearest[x] == 0 || self.excess(&self.edges[u][x]) < self.slack(x) {
            self.nearest[x] = u;
        }
    }

    fn find_nearest(&mut self, x: usize) {
        self.nearest[x] = 0;
        for u in 1..=self.n {
            let top = self.top[u];
            if self.edges[u][x].weight.is_some() && top != x && self.label[top] == Label::Outer {
                self.update_nearest(u, x);
            }
        }
    }

    fn enqueue(&mut self, x: usize) {
        if x <= self.n {
            self.queue.push_back(x);
        } else {
            for child in self.children[x].clone() {
                self.enqueue(child);
            }
        }
    }

    fn set_top(&mut self, x: usize, top: usize) {
        self.top[x] = top;
        if x > self.n {
            for child in self.children[x].clone() {
                self.set_top(child, top);
            }
        }
    }

    /// The way of even length inside a blossom from its base to a child; the circle is turned
    /// around if that is the other way.
    fn even_way(&mut self, blossom: usize, child: usize) -> usize {
        let at = self.children[blossom].iter().position(|it| *it == child);
        let at = at.unwrap_or(0);
        if at % 2 == 1 {
            self.children[blossom][1..].reverse();
            self.children[blossom].len() - at
        } else {
            at
        }
    }

    fn set_mate(&mut self, u: usize, v: usize) {
        let edge = self.edges[u][v].clone();
        self.mate[u] = edge.to;
        if u > self.n {
            let child = self.child_with[u][edge.from];
            let way = self.even_way(u, child);
            for at in 0..way {
                let (one, other) = (self.children[u][at], self.children[u][at ^ 1]);
                self.set_mate(one, other);
            }
            self.set_mate(child, v);
            self.children[u].rotate_left(way);
        }
    }

    fn augment(&mut self, mut u: usize, mut v: usize) {
        loop {
            let next = self.top[self.mate[u]];
            self.set_mate(u, v);
            if next == 0 {
                return;
            }
            let above = self.top[self.parent[next]];
            self.set_mate(next, above);
            (u, v) = (above, next);
        }
    }

    /// The nearest common place of two ways to the roots; 0 if they have different roots.
    fn common(&mut self, mut u: usize, mut v: usize) -> usize {
        self.visit += 1;
        while u != 0 || v != 0 {
            if u != 0 {
                if self.visited[u] == self.visit {
                    return u;
                }
                self.visited[u] = self.visit;
                u = self.top[self.mate[u]];
                if u != 0 {
                    u = self.top[self.parent[u]];
                }
            }
            std::mem::swap(&mut u, &mut v);
        }
        0
    }

    /// The way up from a vertex to an ancestor, without the ancestor.
    fn way_up(&mut self, from: usize, ancestor: usize) -> Vec<usize> {
        let mut way = Vec::new();
        let mut x = from;
        while x != ancestor {
            let y = self.top[self.mate[x]];
            way.extend([x, y]);
            self.enqueue(y);
            x = self.top[self.parent[y]];
        }
        way
    }

    fn add_blossom(&mut self, u: usize, base: usize, v: usize) {
        let free = (self.n + 1..=self.n_used).find(|b| self.top[*b] == 0);
        let b = free.unwrap_or(self.n_used + 1);
        self.n_used = self.n_used.max(b);
        self.dual[b] = Weight::default();
        self.label[b] = Label::Outer;
        self.mate[b] = self.mate[base];
        let mut children = vec![base];
        let mut one = self.way_up(u, base);
        one.reverse();
        children.extend(one);
        children.extend(self.way_up(v, base));
        self.children[b].clone_from(&children);
        self.set_top(b, b);
        for x in 1..=self.n_used {
            self.edges[b][x].weight = None;
            self.edges[x][b].weight = None;
        }
        self.child_with[b] = vec![0; self.n + 1];
        for &child in &children {
            for x in 1..=self.n_used {
                let is_better = self.edges[child][x].weight.is_some()
                    && (self.edges[b][x].weight.is_none()
                        || self.excess(&self.edges[child][x]) < self.excess(&self.edges[b][x]));
                if is_better {
                    self.edges[b][x] = self.edges[child][x].clone();
                    self.edges[x][b] = self.edges[x][child].clone();
                }
            }
            for x in 1..=self.n {
                if self.child_with[child][x] != 0 {
                    self.child_with[b][x] = child;
                }
            }
        }
        self.find_nearest(b);
    }

    fn expand_blossom(&mut self, b: usize) {
        for child in self.children[b].clone() {
            self.set_top(child, child);
        }
        let entry = self.edges[b][self.parent[b]].from;
        let child = self.child_with[b][entry];
        let way = self.even_way(b, child);
        let children = self.children[b].clone();
        for at in (0..way).step_by(2) {
            let (inner, outer) = (children[at], children[at + 1]);
            self.parent[inner] = self.edges[outer][inner].from;
            self.label[inner] = Label::Inner;
            self.label[outer] = Label::Outer;
            self.nearest[inner] = 0;
            self.find_nearest(outer);
            self.enqueue(outer);
        }
        self.label[child] = Label::Inner;
        self.parent[child] = self.parent[b];
        for &rest in &children[way + 1..] {
            self.label[rest] = Label::Free;
            self.find_nearest(rest);
        }
        self.top[b] = 0;
    }

    /// A tight edge: the forest grows, a blossom forms, or the matching gets larger (true).
    fn take_edge(&mut self, edge: &Edge) -> bool {
        let (u, v) = (self.top[edge.from], self.top[edge.to]);
        match self.label[v] {
            Label::Free => {
                self.parent[v] = edge.from;
                self.label[v] = Label::Inner;
                let next = self.top[self.mate[v]];
                self.nearest[v] = 0;
                self.nearest[next] = 0;
                self.label[next] = Label::Outer;
                self.enqueue(next);
            }
            Label::Outer => {
                let base = self.common(u, v);
                if base == 0 {
                    self.augment(u, v);
                    self.augment(v, u);
                    return true;
                }
                self.add_blossom(u, base, v);
            }
            Label::Inner => {}
        }
        false
    }

    fn is_top(&self, x: usize) -> bool {
        self.top[x] == x
    }

    /// One more pair, if that makes the matching heavier.
    fn grow(&mut self) -> bool {
        self.queue.clear();
        for x in 1..=self.n_used {
            self.label[x] = Label::Free;
            self.nearest[x] = 0;
        }
        for x in 1..=self.n_used {
            if self.is_top(x) && self.mate[x] == 0 {
                self.parent[x] = 0;
                self.label[x] = Label::Outer;
                self.enqueue(x);
            }
        }
        if self.queue.is_empty() {
            return false;
        }
        loop {
            if self.search() {
                return true;
            }
            let Some(step) = self.step() else {
                return false;
            };
            if !self.shift(&step) {
                return false;
            }
            self.queue.clear();
            for x in 1..=self.n_used {
                let near = self.nearest[x];
                if self.is_top(x) && near != 0 && self.top[near] != x && self.slack(x).is_zero() {
                    let edge = self.edges[near][x].clone();
                    if self.take_edge(&edge) {
                        return true;
                    }
                }
            }
            for b in self.n + 1..=self.n_used {
                if self.is_top(b) && self.label[b] == Label::Inner && self.dual[b].is_zero() {
                    self.expand_blossom(b);
                }
            }
        }
    }

    /// Follows tight edges from outer vertices.
    fn search(&mut self) -> bool {
        while let Some(u) = self.queue.pop_front() {
            if self.label[self.top[u]] == Label::Inner {
                continue;
            }
            for v in 1..=self.n {
                if self.edges[u][v].weight.is_none() || self.top[u] == self.top[v] {
                    continue;
                }
                if self.excess(&self.edges[u][v]).is_zero() {
                    let edge = self.edges[u][v].clone();
                    if self.take_edge(&edge) {
                        return true;
                    }
                } else {
                    self.update_nearest(u, self.top[v]);
                }
            }
        }
        false
    }

    /// How far duals can be moved until something becomes tight.
    fn step(&self) -> Option<Weight> {
        let mut steps: Vec<Weight> = Vec::new();
        for b in self.n + 1..=self.n_used {
            if self.is_top(b) && self.label[b] == Label::Inner {
                steps.push(self.dual[b].half());
            }
        }
        for x in 1..=self.n_used {
            if self.is_top(x) && self.nearest[x] != 0 {
                match self.label[x] {
                    Label::Free => steps.push(self.slack(x)),
                    Label::Outer => steps.push(self.slack(x).half()),
                    Label::Inner => {}
                }
            }
        }
        let outer = (1..=self.n).filter(|u| self.label[self.top[*u]] == Label::Outer);
        steps.extend(outer.map(|u| self.dual[u].clone()));
        steps.into_iter().min()
    }

    /// Moves the duals; false if an outer vertex has none left: then no more pairs pay.
    fn shift(&mut self, step: &Weight) -> bool {
        for u in 1..=self.n {
            match self.label[self.top[u]] {
                Label::Outer => {
                    if self.dual[u] <= *step {
                        return false;
                    }
                    self.dual[u] = &self.dual[u] - step;
                }
                Label::Inner => self.dual[u] = &self.dual[u] + step,
                Label::Free => {}
            }
        }
        let double = step.twice();
        for b in self.n + 1..=self.n_used {
            if self.is_top(b) {
                match self.label[b] {
                    Label::Outer => self.dual[b] = &self.dual[b] + &double,
                    Label::Inner => self.dual[b] = &self.dual[b] - &double,
                    Label::Free => {}
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::sample::SplitMix64;

    /// The slow twin: every matching.
    fn best_of_all(n: usize, used: u32, weights: &[Vec<Option<Weight>>]) -> Weight {
        let Some(first) = (0..n).find(|u| used & 1 << u == 0) else {
            return Weight::default();
        };
        let used = used | 1 << first;
        let mut best = best_of_all(n, used, weights);
        for other in first + 1..n {
            if used & 1 << other == 0
                && let Some(weight) = &weights[first][other]
            {
                best = best.max(weight + &best_of_all(n, used | 1 << other, weights));
            }
        }
        best
    }

    #[test]
    fn no_matching_is_heavier() {
        let mut random = SplitMix64::new(5);
        for round in 0..600 {
            let n = 2 + random.below(7) as usize;
            let n_parts = 1 + random.below(3);
            let most = 1 + random.below(4);
            let mut edge = || {
                let parts = (0..n_parts).map(|_| i64::from(random.below(most + 1)));
                let weight = Weight(parts.collect());
                (random.below(4) > 0).then_some(weight)
            };
            let weights: Vec<Vec<_>> = (0..n).map(|_| (0..n).map(|_| edge()).collect()).collect();
            let mates = heaviest(n, |u, v| weights[u][v].clone());
            let mut found = Weight::default();
            for (u, mate) in mates.iter().enumerate() {
                if let Some(v) = *mate {
                    assert_eq!(mates[v], Some(u), "{round}");
                    if u < v {
                        found = &found + weights[u][v].as_ref().unwrap();
                    }
                }
            }
            let best = best_of_all(n, 0, &weights);
            assert_eq!(
                found.cmp(&best),
                Ordering::Equal,
                "{round}: {found:?} {best:?}"
            );
        }
    }
}
