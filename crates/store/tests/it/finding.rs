//! Searches against a plain replay of all games.

use crate::sample::{Chance, games, positions};
use game::{Position, Side, Trail};
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
    settled
        .iter()
        .enumerate()
        .map(|(at, key)| (*key, next(at)))
        .collect()
}

#[test]
fn every_answer_is_that_of_a_replay() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("games.db")).unwrap();
    let all = games(1, 2_000);
    let new: Vec<_> = all.iter().map(|it| it.1.clone()).collect();
    // Two batches, then games one by one that stay without columns, then enough for a third batch.
    store.add(&new[..600], None).unwrap();
    store.add(&new[600..1_300], None).unwrap();
    for game in &new[1_300..1_900] {
        store.add(std::slice::from_ref(game), None).unwrap();
    }
    store.add(&new[1_900..], None).unwrap();
    let stats = store.stats().unwrap();
    assert_eq!((stats.games, stats.batches), (2_000, 3));
    assert!(stats.tail > 100, "{stats:?}");
    let replayed: Vec<_> = all.iter().map(|it| keys(&it.0)).collect();
    let mut chance = Chance(7);
    for n in 0..150 {
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
        let expected: Vec<u32> = (1..)
            .zip(&replayed)
            .filter(|(_, keys)| keys.contains_key(&trail.key))
            .map(|(id, _)| id)
            .collect();
        let filter = Filter {
            position: Some(position.clone()),
            ..Filter::default()
        };
        let found = store.find(&filter, Order::Added, ALL).unwrap();
        let ids: Vec<u32> = found.games.iter().map(|it| it.id).collect();
        assert_eq!(ids, expected, "{position}");
        // Next moves: counted by where they lead.
        let explored = store.explore(position, &Filter::default(), 5).unwrap();
        assert_eq!(explored.all.games as usize, expected.len());
        let mut counts = BTreeMap::<Option<u64>, u64>::new();
        for keys in &replayed {
            if let Some(next) = keys.get(&trail.key) {
                *counts.entry(*next).or_default() += 1;
            }
        }
        let settled = match position.forced() {
            Some(pass) => position.play(pass).unwrap(),
            None => position.clone(),
        };
        let told: BTreeMap<Option<u64>, u64> = explored
            .moves
            .iter()
            .map(|it| {
                let after = it
                    .action
                    .map(|it| Trail::of(&settled.play(it).unwrap()).key);
                (after, it.games)
            })
            .collect();
        assert_eq!(told, counts, "{position}");
        assert_eq!(explored.newest.len(), expected.len().min(5));
    }
    assert_eq!(store.check(1).unwrap().problems, Vec::<String>::new());
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
            |it| it.black.starts_with("Ann") || it.white.starts_with("Ann"),
        ),
        (
            Filter {
                black: text("o'hara dan"),
                ..Filter::default()
            },
            |it| it.black.starts_with("Dan"),
        ),
        (
            Filter {
                white: text("fro*"),
                ..Filter::default()
            },
            |it| it.white.contains("Frost"),
        ),
        (
            Filter {
                event: text("1995"),
                ..Filter::default()
            },
            |it| it.event == "Open 1995",
        ),
        (
            Filter {
                years: Some((1993, 1996)),
                ..Filter::default()
            },
            |it| (1993..=1996).contains(&(it.date / 10_000)),
        ),
        (
            Filter {
                winner: Some(Some(Side::White)),
                ..Filter::default()
            },
            |it| it.score.is_some_and(|it| it < 0),
        ),
        (
            Filter {
                winner: Some(None),
                ..Filter::default()
            },
            |it| it.score == Some(0),
        ),
        (
            Filter {
                length: Some((0, 40)),
                player: text("bob"),
                ..Filter::default()
            },
            |it| {
                it.packed.moves.len() <= 40
                    && (it.black.starts_with("Bob") || it.white.starts_with("Bob"))
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
