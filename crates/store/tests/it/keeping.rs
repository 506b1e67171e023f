//! What is stored comes back; what must not be touched is not.

use crate::sample::games;
use game::{Kind, Position};
use std::fs;
use store::{Added, Event, Filter, ImportState, NewGame, Order, Page, Store, StoreError};

const ALL: Page = Page {
    skip: 0,
    most: usize::MAX,
};

#[test]
fn games_come_back_as_they_were_and_only_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let mut new: Vec<_> = games(3, 700).into_iter().map(|it| it.1).collect();
    let mut tagged = new[0].game.clone();
    tagged.tags = vec![("Round".to_owned(), "3\tof 5".to_owned())];
    // Long enough to be compressed.
    tagged.annotated = Some(b"many words ".repeat(40));
    new[0] = NewGame::new(tagged).unwrap();
    let mut import = ImportState {
        source: "a file".to_owned(),
        records: 700,
        ..ImportState::default()
    };
    let mut store = Store::open(&path).unwrap();
    let added = store.add(&new, Some(&mut import)).unwrap();
    assert_eq!(
        added,
        Added {
            stored: 700,
            duplicates: 0
        }
    );
    drop(store);
    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.import_state("a file").unwrap(), Some(import));
    assert_eq!(store.import_state("another").unwrap(), None);
    // A second opening knows them all, in batches and in the tail.
    let more: Vec<_> = games(4, 3).into_iter().map(|it| it.1).collect();
    assert_eq!(store.add(&more, None).unwrap().stored, 3);
    let mut store = Store::open(&path).unwrap();
    let again = store.add(&[&new[..], &more[..]].concat(), None).unwrap();
    assert_eq!(
        again,
        Added {
            stored: 0,
            duplicates: 703
        }
    );
    let first = store.game(1).unwrap();
    let new = &new[0].game;
    assert_eq!(first.packed, new.packed);
    assert_eq!((&first.black, &first.white), (&new.black, &new.white));
    assert_eq!(first.tags, [("Round".to_owned(), "3 of 5".to_owned())]);
    assert_eq!(first.annotated, Some(b"many words ".repeat(40)));
    assert_eq!((first.date, first.score), (new.date, new.score));
}

#[test]
fn a_deleted_game_is_found_no_more_and_may_come_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("games.db")).unwrap();
    let new: Vec<_> = games(5, 600).into_iter().map(|it| it.1).collect();
    store.add(&new[..590], None).unwrap();
    store.add(&new[590..], None).unwrap();
    for id in [7, 595] {
        assert_eq!(store.delete(&[id]).unwrap(), 1);
        assert_eq!(store.delete(&[id]).unwrap(), 0);
        assert!(matches!(store.game(id), Err(StoreError::NoSuchGame(_))));
    }
    let start = Filter {
        position: Some(Position::OTHELLO_START),
        ..Filter::default()
    };
    assert_eq!(store.find(&start, Order::Newest, ALL).unwrap().total, 598);
    assert_eq!(store.check(1).unwrap().problems, Vec::<String>::new());
    assert_eq!(store.add(&new, None).unwrap().stored, 2);
}

#[test]
fn numbers_of_deleted_games_are_not_used_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let mut store = Store::open(&path).unwrap();
    let mut other = Store::open(&path).unwrap();
    let new: Vec<_> = games(6, 5).into_iter().map(|it| it.1).collect();
    store.add(&new[..3], None).unwrap();
    assert_eq!(other.delete(&[2, 3, 9]).unwrap(), 2);
    store.add(&new[3..4], None).unwrap();
    assert_eq!(store.game(4).unwrap().packed, new[3].game.packed);
    assert!(matches!(store.game(3), Err(StoreError::NoSuchGame(3))));
    // What another program has deleted may come again, under a new number.
    store.add(&new[2..3], None).unwrap();
    assert_eq!(store.game(5).unwrap().packed, new[2].game.packed);
    store.delete(&[1, 4, 5]).unwrap();
    drop((store, other));
    let mut store = Store::open(&path).unwrap();
    store.add(&new[4..], None).unwrap();
    assert_eq!(store.game(6).unwrap().packed, new[4].game.packed);
}

#[test]
fn notes_belong_to_positions_however_they_arise() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("games.db")).unwrap();
    let at = |moves: &[&str]| {
        moves
            .iter()
            .fold(Position::OTHELLO_START, |position, text| {
                let action = position.parse_move(text).unwrap();
                position.play(action).unwrap()
            })
    };
    let note = |position: &Position, text: &str| Event::Note {
        position: position.clone(),
        text: text.to_owned(),
    };
    let tiger = at(&["f5", "d6", "c3"]);
    store
        .write(&[note(&tiger, "The **Tiger** begins.")])
        .unwrap();
    // The same position, mirrored: e6 f4 c3.
    let turned = at(&["e6", "f4", "c3"]);
    assert_eq!(
        store.note(&turned).unwrap().unwrap().text,
        "The **Tiger** begins."
    );
    assert_eq!(store.search_notes("tig*", 5).unwrap().len(), 1);
    assert!(matches!(
        store.search_notes("\"", 5),
        Err(StoreError::Text { .. })
    ));
    store.write(&[note(&turned, "Changed")]).unwrap();
    assert!(store.search_notes("tiger", 5).unwrap().is_empty());
    store.write(&[note(&turned, " ")]).unwrap();
    assert_eq!(store.note(&at(&["f5", "d6", "c3"])).unwrap(), None);
    assert_eq!(Kind::Othello.name(), "othello");
}

#[test]
fn what_cannot_be_used_is_told_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let newer = folder.path().join("newer.db");
    let store = Store::open(&newer).unwrap();
    drop(store);
    // The version stands at byte 60 of the file.
    let mut bytes = fs::read(&newer).unwrap();
    bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
    fs::write(&newer, &bytes).unwrap();
    let refused = Store::open(&newer).unwrap_err();
    assert!(
        matches!(refused, StoreError::Newer { found: 99, .. }),
        "{refused}"
    );
    assert_eq!(fs::read(&newer).unwrap(), bytes);
    let text = folder.path().join("text.db");
    fs::write(
        &text,
        "this is no database, however long it may be".repeat(100),
    )
    .unwrap();
    let refused = Store::open(&text).unwrap_err();
    assert!(
        matches!(refused, StoreError::NoDatabase { .. }),
        "{refused}"
    );
    let missing = folder.path().join("no such folder/games.db");
    let refused = Store::open(&missing).unwrap_err();
    assert!(matches!(refused, StoreError::Unopened { .. }), "{refused}");
    assert!(
        refused.to_string().contains("there is no folder"),
        "{refused}"
    );
    let refused = Store::open(folder.path()).unwrap_err();
    assert!(refused.to_string().contains("it is a folder"), "{refused}");
}

#[test]
fn a_check_of_a_damaged_file_tells_all_that_it_finds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let mut store = Store::open(&path).unwrap();
    let new: Vec<_> = games(7, 2_000).into_iter().map(|it| it.1).collect();
    store.add(&new, None).unwrap();
    store.settle().unwrap();
    drop(store);
    let whole = fs::read(&path).unwrap();
    let mut n_found = 0;
    // Somewhere in the pages behind the first ones, where the tables are described.
    for page in (8..whole.len() / 16_384).step_by(3) {
        let mut bytes = whole.clone();
        bytes[page * 16_384..page * 16_384 + 600].fill(0xa5);
        fs::write(&path, &bytes).unwrap();
        let checked = Store::open(&path).and_then(|store| store.check(10));
        match checked {
            Ok(checked) => n_found += usize::from(!checked.problems.is_empty()),
            Err(error) => {
                assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
                n_found += 1;
            }
        }
        assert_eq!(fs::read(&path).unwrap(), bytes, "looking changes nothing");
    }
    assert!(n_found > 0);
}

#[test]
fn two_programs_write_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    drop(Store::open(&path).unwrap());
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let path = &path;
            scope.spawn(move || {
                let mut store = Store::open(path).unwrap();
                // Every second writer brings the same games.
                for game in games(10 + seed % 2, 40) {
                    store.add(&[game.1], None).unwrap();
                }
            });
        }
    });
    let store = Store::open(&path).unwrap();
    assert_eq!(store.stats().unwrap().games, 80);
    assert_eq!(store.check(1).unwrap().problems, Vec::<String>::new());
}
