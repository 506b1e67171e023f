//! Searches against a plain replay of all games.

#![expect(clippy::unwrap_used, reason = "a failing store fails the test")]

use crate::sample::{Chance, games, games_of, positions};
use game::{Kind, Position, Side, Trail};
use std::collections::BTreeMap;
use store::{Filter, Order, Page, Store};

const ALL: Page = Page {
    skip: 0,
    most: usize::MAX,
};

/// The positions of a game by their keys, passes left out, and the key after the next move.
fn keys(record: &game::Record) -> BTreeMap<u64, Option<u64>> {
    let seen = positions(record);
    let seen: Vec<&Position> = seen.iter().map(|it| &it.0).collect();
    let settled: Vec<u64> = seen
        .iter()
        .filter(|it| it.forced().is_none())
        .map(|it| Trail::of(it).key)
        .collect();
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
    assert!(store.stats().unwrap().tail > 0);
    let mut replayed: BTreeMap<u64, Vec<(u32, Option<u64>)>> = BTreeMap::new();
    for (id, (record, _)) in (1..).zip(&all) {
        for (key, next) in keys(record) {
            replayed.entry(key).or_default().push((id, next));
        }
    }
    let mut chance = Chance(7);
    for n in 0..n_questions {
        let (record, _) = &all[chance.below(all.len())];
        let seen = positions(record);
        // Early positions, which many games share, come often.
        let deep = if n % 3 == 0 {
            8.min(seen.len())
        } else {
            seen.len()
        };
        let (position, _) = &seen[chance.below(deep)];
        let trail = Trail::of(position);
        let met = replayed.get(&trail.key).cloned().unwrap_or_default();
        let expected: Vec<u32> = met.iter().map(|it| it.0).collect();
        let filter = Filter {
            position: Some(position.clone()),
            ..Filter::default()
        };
        let found = store.find_ids(&filter, Order::Added).unwrap();
        assert_eq!(found, expected, "{position}");
        // Next moves: counted by where they lead.
        let explored = store.explore(position, &Filter::default(), 5).unwrap();
        assert_eq!(explored.all.games as usize, expected.len());
        let mut counts = BTreeMap::<Option<u64>, u64>::new();
        for (_, next) in &met {
            *counts.entry(*next).or_default() += 1;
        }
        let told: BTreeMap<Option<u64>, u64> = explored
            .moves
            .iter()
            .map(|it| {
                let after = it
                    .action
                    .map(|it| Trail::of(&trail.position().play(it).unwrap()).key);
                (after, it.games)
            })
            .collect();
        assert_eq!(told, counts, "{position}");
        assert_eq!(explored.newest.len(), expected.len().min(5));
    }
    assert_eq!(store.check(1).unwrap().problems, Vec::<String>::new());
    store.compact().unwrap();
    assert_eq!(store.check(1).unwrap().problems, Vec::<String>::new());
    assert_eq!(store.stats().unwrap().games as usize, n_games + 600);
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
    let cases: [(Filter, Test); 8] = [
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
