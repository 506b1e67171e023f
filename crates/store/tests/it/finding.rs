//! Searches against a plain replay of all games.

#![expect(clippy::unwrap_used, reason = "a failing store fails the test")]

use crate::sample::{Chance, games, games_of, positions};
use game::{Kind, Position, Side, Trail};
use std::collections::{BTreeMap, BTreeSet};
use store::{Filter, GameData, NewGame, Order, Page, Store, StoredGame};

const ALL: Page = Page {
    skip: 0,
    most: usize::MAX,
};

/// The positions of a game by their keys, passes left out, and the key after the next move.
fn keys(record: &game::Record) -> BTreeMap<u64, Option<u64>> {
    let seen = positions(record);
    // A position with a forced pass and the one after it are one, also where a game breaks off
    // between them.
    let mut settled: Vec<u64> = seen.iter().map(|it| Trail::of(&it.0).key).collect();
    settled.dedup();
    let next = |at: usize| settled.get(at + 1).copied();
    // A position that came again counts with what followed first.
    let all = settled.iter().enumerate().rev();
    all.map(|(at, key)| (*key, next(at))).collect()
}

/// Games of a kind in two batches, then one by one so that some stay without columns.
fn filled(store: &mut Store, new: &[store::NewGame]) {
    let n = new.len();
    store.add(&new[..3 * n / 10], None).unwrap();
    store.add(&new[3 * n / 10..13 * n / 20], None).unwrap();
    for game in &new[13 * n / 20..19 * n / 20] {
        store.add(std::slice::from_ref(game), None).unwrap();
    }
    store.add(&new[19 * n / 20..], None).unwrap();
}

#[test]
fn every_answer_is_that_of_a_replay() {
    compare(Kind::Othello, 2_000, 100);
}

#[test]
fn every_answer_about_chess_is_that_of_a_replay() {
    compare(Kind::Chess, 1_200, 100);
}

/// The comparison of the issue: 10,000 questions.
#[test]
#[ignore = "takes minutes"]
fn ten_thousand_answers_are_those_of_a_replay() {
    compare(Kind::Othello, 4_000, 5_000);
    compare(Kind::Chess, 4_000, 5_000);
}

/// What a plain replay knows: for each position the games that met it, and where they went first.
struct Replayed<'a> {
    games: &'a [(game::Record, NewGame)],
    met: BTreeMap<u64, Vec<(u32, Option<u64>)>>,
    gone: BTreeSet<u32>,
}

impl<'a> Replayed<'a> {
    fn new(games: &'a [(game::Record, NewGame)]) -> Self {
        let mut met: BTreeMap<u64, Vec<(u32, Option<u64>)>> = BTreeMap::new();
        for (id, (record, _)) in (1..).zip(games) {
            for (key, next) in keys(record) {
                met.entry(key).or_default().push((id, next));
            }
        }
        let gone = BTreeSet::new();
        Self { games, met, gone }
    }

    fn game(&self, id: u32) -> &GameData {
        &self.games[id as usize - 1].1.game
    }

    /// The games that met a position, were not deleted, and pass.
    fn met(&self, key: u64, passes: &dyn Fn(&GameData) -> bool) -> Vec<(u32, Option<u64>)> {
        let met = self.met.get(&key).into_iter().flatten();
        let there = met.filter(|it| !self.gone.contains(&it.0) && passes(self.game(it.0)));
        there.copied().collect()
    }

    /// Compares all that a store says about a position with the replay.
    fn check(
        &self,
        store: &Store,
        position: &Position,
        filter: &Filter,
        passes: &dyn Fn(&GameData) -> bool,
    ) {
        let trail = Trail::of(position);
        let met = self.met(trail.key, passes);
        let expected: Vec<u32> = met.iter().map(|it| it.0).collect();
        let with_position = Filter {
            position: Some(position.clone()),
            ..filter.clone()
        };
        let found = store.find_ids(&with_position, Order::Added).unwrap();
        assert_eq!(found, expected, "{position}");
        let explored = store.explore(position, filter, 5).unwrap();
        assert_eq!(explored.all.games as usize, expected.len());
        // Next moves, by where they lead: games, won by Black, drawn, won by White, own games won
        // and lost.
        let mut counts = BTreeMap::<Option<u64>, [u64; 6]>::new();
        for (id, next) in &met {
            let count = counts.entry(*next).or_default();
            let game = self.game(*id);
            count[0] += 1;
            let Some(winner) = game.winner() else {
                continue;
            };
            count[winner.map_or(2, |it| if it == Side::Black { 1 } else { 3 })] += 1;
            let first = if trail.kind() == Kind::Othello {
                &game.black
            } else {
                &game.white
            };
            let is_first = first == OWN;
            if let Some(winner) = winner
                && (game.black == OWN || game.white == OWN)
            {
                let has_won = (winner == trail.kind().first_side()) == is_first;
                count[if has_won { 4 } else { 5 }] += 1;
            }
        }
        let told = explored.moves.iter().map(|it| {
            let after = it.action.map(|it| trail.position().play(it).unwrap());
            let after = after.map(|it| Trail::of(&it).key);
            (
                after,
                [
                    it.games,
                    it.black,
                    it.draws,
                    it.white,
                    it.own.won,
                    it.own.lost,
                ],
            )
        });
        assert_eq!(told.collect::<BTreeMap<_, _>>(), counts, "{position}");
        let own = explored.own.unwrap();
        assert_eq!(own.won, counts.values().map(|it| it[4]).sum::<u64>());
        assert_eq!(own.lost, counts.values().map(|it| it[5]).sum::<u64>());
        let mut newest = expected;
        newest.sort_by_key(|id| std::cmp::Reverse((self.game(*id).date, *id)));
        let first = |ids: &[StoredGame]| ids.iter().map(|it| it.id).collect::<Vec<u32>>();
        assert_eq!(first(&explored.newest), newest[..newest.len().min(5)]);
        let ratings = |game: &GameData| game.black_elo + game.white_elo;
        newest.sort_by_key(|id| std::cmp::Reverse(ratings(self.game(*id))));
        assert_eq!(first(&explored.strongest), newest[..newest.len().min(5)]);
    }
}

/// The name under which the user plays.
const OWN: &str = "Eve";

/// A position of a game by chance. Early positions, which many games share, come often.
fn some_position(games: &[(game::Record, NewGame)], chance: &mut Chance, n: usize) -> Position {
    let seen = positions(&games[chance.below(games.len())].0);
    let deep = if n.is_multiple_of(3) {
        8.min(seen.len())
    } else {
        seen.len()
    };
    seen[chance.below(deep)].0.clone()
}

fn compare(kind: Kind, n_games: usize, n_questions: usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("games.db")).unwrap();
    let all = games_of(kind, 1, n_games);
    let new: Vec<_> = all.iter().map(|it| it.1.clone()).collect();
    filled(&mut store, &new);
    // The other game is there too, and must not disturb.
    let other = if kind == Kind::Chess {
        Kind::Othello
    } else {
        Kind::Chess
    };
    let others: Vec<_> = games_of(other, 2, 600).into_iter().map(|it| it.1).collect();
    store.add(&others, None).unwrap();
    store.set_selves(&[OWN.to_owned()]).unwrap();
    assert!(store.stats().unwrap().tail > 0);
    let mut replayed = Replayed::new(&all);
    let mut chance = Chance(7);
    let narrow = Filter {
        player: Some("frost".to_owned()),
        years: Some((1993, 2003)),
        ..Filter::default()
    };
    let is_narrow = |game: &GameData| {
        let frost = "Caroline Frost";
        (game.black == frost || game.white == frost)
            && (1993..=2003).contains(&(game.date / 10_000))
    };
    for n in 0..n_questions {
        let position = some_position(&all, &mut chance, n);
        replayed.check(&store, &position, &Filter::default(), &|_| true);
        if n % 4 == 0 {
            replayed.check(&store, &position, &narrow, &is_narrow);
        }
    }
    assert_eq!(store.check(1).unwrap().problems, Vec::<String>::new());
    // Games that go take their counts with them, the newest and the strongest too.
    let gone: Vec<u32> = (1..=n_games as u32)
        .filter(|_| chance.below(6) == 0)
        .collect();
    assert_eq!(store.delete(&gone).unwrap(), gone.len());
    replayed.gone.extend(&gone);
    for n in 0..n_questions / 4 {
        let position = some_position(&all, &mut chance, n);
        replayed.check(&store, &position, &Filter::default(), &|_| true);
    }
    assert_eq!(store.check(1).unwrap().problems, Vec::<String>::new());
    store.compact().unwrap();
    assert_eq!(store.check(1).unwrap().problems, Vec::<String>::new());
    for n in 0..n_questions / 10 {
        let position = some_position(&all, &mut chance, n);
        replayed.check(&store, &position, &Filter::default(), &|_| true);
    }
    let left = n_games - gone.len() + 600;
    assert_eq!(store.stats().unwrap().games as usize, left);
}

#[test]
fn filters_agree_with_a_look_at_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("games.db")).unwrap();
    let all = games(2, 900);
    let new: Vec<_> = all.iter().map(|it| it.1.clone()).collect();
    store.add(&new[..700], None).unwrap();
    store.add(&new[700..], None).unwrap();
    let text = |text: &str| Some(text.to_owned());
    type Test = fn(&store::NewGame) -> bool;
    fn has(it: &store::NewGame, name: &str) -> bool {
        it.game.black == name || it.game.white == name
    }
    let cases: [(Filter, Test); 12] = [
        (
            Filter {
                player: text("smith arvai"),
                ..Filter::default()
            },
            |it| has(it, "Ann Árvai") && has(it, "Bob Smith"),
        ),
        (
            Filter {
                player: text("\"smith bob\" eve"),
                ..Filter::default()
            },
            |it| has(it, "Bob Smith") && has(it, "Eve"),
        ),
        (
            Filter {
                text: text("smith 1995"),
                ..Filter::default()
            },
            |it| has(it, "Bob Smith") && it.game.event == "Open 1995",
        ),
        (
            Filter {
                text: text("smith\0bob"),
                ..Filter::default()
            },
            |it| has(it, "Bob Smith"),
        ),
        (
            Filter {
                player: text("arvai"),
                ..Filter::default()
            },
            |it| it.game.black.starts_with("Ann") || it.game.white.starts_with("Ann"),
        ),
        (
            Filter {
                black: text("o'hara dan"),
                ..Filter::default()
            },
            |it| it.game.black.starts_with("Dan"),
        ),
        (
            Filter {
                white: text("fro*"),
                ..Filter::default()
            },
            |it| it.game.white.contains("Frost"),
        ),
        (
            Filter {
                event: text("1995"),
                ..Filter::default()
            },
            |it| it.game.event == "Open 1995",
        ),
        (
            Filter {
                years: Some((1993, 1996)),
                ..Filter::default()
            },
            |it| (1993..=1996).contains(&(it.game.date / 10_000)),
        ),
        (
            Filter {
                winner: Some(Some(Side::White)),
                ..Filter::default()
            },
            |it| it.game.score.is_some_and(|it| it < 0),
        ),
        (
            Filter {
                winner: Some(None),
                ..Filter::default()
            },
            |it| it.game.score == Some(0),
        ),
        (
            Filter {
                length: Some((0, 40)),
                player: text("bob"),
                ..Filter::default()
            },
            |it| {
                it.game.packed.moves.len() <= 40
                    && (it.game.black.starts_with("Bob") || it.game.white.starts_with("Bob"))
            },
        ),
    ];
    for (filter, passes) in cases {
        let found = store.find(&filter, Order::Added, ALL).unwrap();
        let ids: Vec<u32> = found.games.iter().map(|it| it.id).collect();
        let expected: Vec<u32> = (1..)
            .zip(&new)
            .filter(|(_, it)| passes(it))
            .map(|(id, _)| id)
            .collect();
        assert!(!expected.is_empty() && expected.len() < 900, "{filter:?}");
        assert_eq!(ids, expected, "{filter:?}");
        // Pages are parts of the whole.
        let page = Page { skip: 3, most: 4 };
        let part = store.find(&filter, Order::Added, page).unwrap();
        assert_eq!(part.total, expected.len());
        let part: Vec<u32> = part.games.iter().map(|it| it.id).collect();
        assert_eq!(
            part,
            expected.iter().skip(3).take(4).copied().collect::<Vec<_>>()
        );
    }
}
