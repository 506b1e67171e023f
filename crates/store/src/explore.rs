//! What games did in a position: counted, with some of the games and what engines know.

use crate::{
    Analysis, Filter, Order, Page, Store, StoreError, StoredGame, Valued,
    columns::NO_SCORE,
    find::{Hit, Plan, sort},
    knowledge,
};
use game::{Kind, Move, Position, Side, Trail};
use std::collections::BTreeMap;

/// Results of games, counted for the first player and the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Tally {
    games: u64,
    first: u64,
    draws: u64,
    second: u64,
    discs: i64,
    own: OwnResults,
}

impl Tally {
    fn add(&mut self, hit: &Hit) {
        self.games += 1;
        self.own.add(hit);
        match hit.score {
            NO_SCORE => return,
            0 => self.draws += 1,
            1.. => self.first += 1,
            _ => self.second += 1,
        }
        self.discs += i64::from(hit.score);
    }
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
    fn of(action: Option<Move>, tally: Tally, kind: Kind, side: Side) -> Self {
        let Tally {
            games,
            first,
            draws,
            second,
            discs,
            own,
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
    /// The most frequent first.
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
            let mut hits = plan.all(self)?;
            let trail = Trail::of(position);
            let (mut all, mut moves) = (Tally::default(), BTreeMap::<u8, Tally>::new());
            for hit in &hits {
                all.add(hit);
                moves.entry(hit.way).or_default().add(hit);
            }
            let page = Page {
                skip: 0,
                most: n_games,
            };
            sort(&mut hits, Order::Newest, page);
            let newest = self.load(hits.iter().take(n_games))?;
            sort(&mut hits, Order::Strongest, page);
            let strong = hits.iter().take(n_games).filter(|it| it.ratings > 0);
            let strongest = self.load(strong)?;
            let side = trail.position().side();
            let continuation = |(at, tally): (u8, Tally)| -> rusqlite::Result<Continuation> {
                let way = trail.ways.get(usize::from(at));
                let action = way.map(|way| way.action);
                let mut it = Continuation::of(action, tally, trail.kind(), side);
                if let Some(way) = way {
                    it.value = knowledge::value_of(&self.connection, way.key, trail.kind())?;
                }
                Ok(it)
            };
            let moves = moves.into_iter().map(continuation);
            let mut moves = moves.collect::<rusqlite::Result<Vec<Continuation>>>()?;
            moves.sort_by_key(|it| std::cmp::Reverse(it.games));
            Ok(Explored {
                all: Continuation::of(None, all, trail.kind(), side),
                moves,
                newest,
                strongest,
                own: plan.own.is_some().then_some(all.own),
                analyses: knowledge::analyses_of(&self.connection, trail.key, trail.kind())?,
            })
        };
        explore().map_err(|error: rusqlite::Error| self.wrong(&error))
    }
}

impl OwnResults {
    fn add(&mut self, hit: &Hit) {
        let is_first = match hit.own {
            0 => return,
            own => own == 1,
        };
        self.games += 1;
        if hit.score == NO_SCORE {
            return;
        }
        match (hit.score, is_first) {
            (0, _) => self.drawn += 1,
            (1.., true) | (..0, false) => self.won += 1,
            _ => self.lost += 1,
        }
    }
}
