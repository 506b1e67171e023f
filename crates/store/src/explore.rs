//! What games did in a position: counted, with some of the games and what engines know.

use crate::{
    Analysis, Filter, GameId, Store, StoreError, StoredGame, Valued, batches,
    columns::{self, NO_SCORE},
    knowledge,
    often::{REMEMBERED, Seen, Tally},
    plan::{Hit, NO_WAY, Plan, Seat},
};
use game::{Kind, Move, Position, Side, Trail};
use std::collections::{BTreeMap, BTreeSet};

/// What games did in a position, as it is found out: results by way, and some of the games.
#[derive(Debug, Default)]
struct Sums {
    ways: BTreeMap<u8, (Tally, OwnResults)>,
    newest: Vec<Seen>,
    strongest: Vec<Seen>,
}

impl Sums {
    fn add(&mut self, hit: &Hit) {
        let (tally, own) = self.ways.entry(hit.way).or_default();
        tally.add(hit.score);
        own.add(hit);
        self.newest.push(Seen::from(hit));
        if hit.ratings > 0 {
            self.strongest.push(Seen::from(hit));
        }
    }
}

/// The numbers of the greatest, in order.
fn first<K: Ord>(games: &mut [Seen], n: usize, key: impl Fn(&Seen) -> K) -> Vec<GameId> {
    let key = |it: &Seen| std::cmp::Reverse(key(it));
    if n < games.len() {
        games.select_nth_unstable_by_key(n, key);
    }
    let n = n.min(games.len());
    let games = &mut games[..n];
    games.sort_unstable_by_key(key);
    games.iter().map(|it| it.id).collect()
}

/// A move that was played in a position, and how the games ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Continuation {
    /// `None` where games ended or break off.
    pub action: Option<Move>,
    pub games: u64,
    /// Games that Black won, that were drawn, that White won. Games without a known result are in
    /// none of them.
    pub black: u64,
    pub draws: u64,
    pub white: u64,
    /// The share of points that the side to move made, from 0 to 1; 0.5 if no result is known.
    pub score: f64,
    /// The mean final disc difference for the side to move, in Othello.
    pub discs: Option<f64>,
    /// What an engine found about the position after the move, for the side that moves here.
    pub value: Option<Valued>,
    /// How the user's own games ended in which it was played, by either side.
    pub own: OwnResults,
}

impl Continuation {
    fn of(action: Option<Move>, (tally, own): (Tally, OwnResults), kind: Kind, side: Side) -> Self {
        let Tally {
            games,
            first,
            draws,
            second,
            discs,
        } = tally;
        let known = (first + draws + second) as f64;
        let is_first = side == kind.first_side();
        let (won, sign) = if is_first {
            (first, 1.0)
        } else {
            (second, -1.0)
        };
        let share = |amount: f64, none: f64| if known > 0.0 { amount / known } else { none };
        let (black, white) = match kind.first_side() {
            Side::Black => (first, second),
            Side::White => (second, first),
        };
        Self {
            action,
            games,
            black,
            draws,
            white,
            score: share(won as f64 + draws as f64 / 2.0, 0.5),
            discs: match kind {
                Kind::Othello => Some(share(sign * discs as f64, 0.0)),
                Kind::Chess => None,
            },
            value: None,
            own,
        }
    }
}

/// Results of the user's own games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OwnResults {
    pub games: u64,
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
}

/// What is known about a position from games.
#[derive(Debug, Clone, PartialEq)]
pub struct Explored {
    /// All games that met it, as if they were one continuation.
    pub all: Continuation,
    /// The most frequent first. Moves that no game has, but whose value is known, stand last.
    pub moves: Vec<Continuation>,
    /// The newest games that met it, and those of the best players.
    pub newest: Vec<StoredGame>,
    pub strongest: Vec<StoredGame>,
    /// The user's own results, if the database knows under which names the user plays.
    pub own: Option<OwnResults>,
    /// What engines found about the position itself, the deepest first.
    pub analyses: Vec<Analysis>,
}

impl Store {
    /// What the games that pass a filter did in a position, and some of them. A position in the
    /// filter itself is not looked at.
    pub fn explore(
        &self,
        position: &Position,
        filter: &Filter,
        n_games: usize,
    ) -> Result<Explored, StoreError> {
        let filter = Filter {
            position: Some(position.clone()),
            ..filter.clone()
        };
        self.check_text(&filter)?;
        let explore = || {
            self.refresh()?;
            let plan = Plan::of(&self.connection, &filter)?;
            let trail = Trail::of(position);
            let (kind, side) = (trail.kind(), trail.position().side());
            let mut sums = self.sums(&plan, &trail, n_games)?;
            let mut all = (Tally::default(), OwnResults::default());
            let mut moves = Vec::with_capacity(sums.ways.len());
            let mut valued = BTreeSet::<u8>::new();
            for (at, (tally, own)) in std::mem::take(&mut sums.ways) {
                all.0.add_all(&tally);
                all.1.add_all(&own);
                let way = trail.ways.get(usize::from(at));
                let action = way.map(|way| way.action);
                let mut it = Continuation::of(action, (tally, own), kind, side);
                if let Some(way) = way {
                    it.value = knowledge::value_of(&self.connection, way.key, kind)?;
                    valued.insert(at);
                }
                moves.push(it);
            }
            // A move that nobody played may be one that an engine knows.
            let others = (0..).zip(&trail.ways);
            for (_, way) in others.filter(|it| !valued.contains(&it.0)) {
                if let Some(value) = knowledge::value_of(&self.connection, way.key, kind)? {
                    let none = <(Tally, OwnResults)>::default();
                    let mut it = Continuation::of(Some(way.action), none, kind, side);
                    it.value = Some(value);
                    moves.push(it);
                }
            }
            moves.sort_by_key(|it| std::cmp::Reverse(it.games));
            Ok(Explored {
                all: Continuation::of(None, all, kind, side),
                moves,
                newest: self.read_games(&first(&mut sums.newest, n_games, Seen::age))?,
                strongest: self.read_games(&first(&mut sums.strongest, n_games, Seen::strength))?,
                own: plan.own.is_some().then_some(all.1),
                analyses: knowledge::analyses_of(&self.connection, trail.key, kind)?,
            })
        };
        explore().map_err(|error: rusqlite::Error| self.wrong(&error))
    }

    /// Counts what games did in a position: by the sums of the batches if nothing else is asked,
    /// else game by game.
    fn sums(&self, plan: &Plan<'_>, trail: &Trail, n_games: usize) -> rusqlite::Result<Sums> {
        let mut sums = Sums::default();
        if !plan.is_plain() || n_games > REMEMBERED {
            for hit in plan.all(self)? {
                sums.add(&hit);
            }
            return Ok(sums);
        }
        let c = &self.connection;
        // A filter for the other game leaves nothing.
        for kind in plan.kinds() {
            for hit in plan.tail(self, kind)? {
                sums.add(&hit);
            }
            for (batch, _) in batches::of_kind(c, kind)? {
                let often = columns::often(c, batch, trail.class, trail.key)?;
                let Some(often) = often.filter(|it| it.remembers(n_games)) else {
                    for hit in plan.rare(self, kind, trail, batch)? {
                        sums.add(&hit);
                    }
                    continue;
                };
                for (step, tally) in &often.steps {
                    let way = step.way(trail).map_or(NO_WAY, |at| at as u8);
                    sums.ways.entry(way).or_default().0.add_all(tally);
                }
                sums.newest.extend(often.newest);
                sums.strongest.extend(often.strongest);
                for hit in plan.own_of(self, kind, trail, batch)? {
                    sums.ways.entry(hit.way).or_default().1.add(&hit);
                }
            }
        }
        Ok(sums)
    }
}

impl OwnResults {
    fn add(&mut self, hit: &Hit) {
        let Some(seat) = hit.own else { return };
        self.games += 1;
        if hit.score == NO_SCORE {
            return;
        }
        match (hit.score, seat) {
            (0, _) => self.drawn += 1,
            (1.., Seat::First) | (..0, Seat::Second) => self.won += 1,
            _ => self.lost += 1,
        }
    }

    const fn add_all(&mut self, other: &Self) {
        self.games += other.games;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
    }
}
