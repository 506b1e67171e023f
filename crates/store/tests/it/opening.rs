//! Opening: whose file it is, what is made and what is not, and databases of earlier versions.

use crate::sample::games;
use rusqlite::Connection;
use std::path::Path;
use store::{Event, Filter, Order, Page, Store, StoreError, VERSION};

fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).expect("a file of the test")
}

#[test]
fn a_database_of_another_program_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.db");
    // Names and versions may be like ours.
    for version in [0, 1, 4, VERSION + 1] {
        std::fs::remove_file(&path).ok();
        let other = Connection::open(&path).unwrap();
        let sql = "CREATE TABLE columns(a); INSERT INTO columns VALUES (1); CREATE TABLE games(b);";
        other.execute_batch(sql).unwrap();
        other.pragma_update(None, "user_version", version).unwrap();
        drop(other);
        let before = bytes(&path);
        for open in [Store::open, Store::open_existing] {
            let told = open(&path).unwrap_err();
            assert!(matches!(told, StoreError::Foreign { .. }), "{told}");
        }
        assert_eq!(bytes(&path), before);
    }
    let marked = Connection::open(&path).unwrap();
    marked.pragma_update(None, "application_id", 77).unwrap();
    drop(marked);
    assert!(matches!(
        Store::open(&path),
        Err(StoreError::Foreign { .. })
    ));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn whoever_only_reads_makes_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("typo.db");
    let told = Store::open_existing(&path).unwrap_err();
    assert!(matches!(told, StoreError::Missing { .. }), "{told}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    // An empty file is no database either, but one may be made of it.
    std::fs::write(&path, "").unwrap();
    let told = Store::open_existing(&path).unwrap_err();
    assert!(matches!(told, StoreError::Missing { .. }), "{told}");
    assert_eq!(bytes(&path), b"");
    drop(Store::open(&path).unwrap());
    drop(Store::open_existing(&path).unwrap());
}

/// Makes a database what the version before wrote.
fn age(path: &Path) {
    let old = Connection::open(path).expect("a database of ours");
    old.execute_batch("ALTER TABLE imports DROP COLUMN deleted;")
        .expect("a database of ours");
    old.pragma_update(None, "application_id", 0)
        .expect("a database of ours");
    old.pragma_update(None, "user_version", VERSION - 1)
        .expect("a database of ours");
}

#[test]
fn an_earlier_version_is_copied_whole_and_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kibitz.db");
    let new: Vec<_> = games(4, 600).into_iter().map(|it| it.1).collect();
    let mut store = Store::open(&path).unwrap();
    store.add(&new, None).unwrap();
    store.settle().unwrap();
    drop(store);
    age(&path);
    // A copy that a kill has cut short has another name than one that is whole.
    let half = format!("kibitz.before-{VERSION}-was-{}.1.new", VERSION - 1);
    std::fs::write(folder.path().join(half), "half").unwrap();
    let store = Store::open_existing(&path).unwrap();
    assert_eq!(store.stats().unwrap().games, 600);
    drop(store);
    let copy = format!("kibitz.before-{VERSION}-was-{}.db", VERSION - 1);
    let copy = Connection::open(folder.path().join(copy)).unwrap();
    let n: u32 = copy
        .query_row("SELECT count(*) FROM games", [], |row| row.get(0))
        .unwrap();
    let version: u32 = copy
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap();
    assert_eq!((n, version), (600, VERSION - 1));
    let marked = Connection::open(&path).unwrap();
    let mark: i32 = marked
        .query_row("PRAGMA application_id", [], |row| row.get(0))
        .unwrap();
    assert_eq!(mark.to_be_bytes(), *b"Kbtz");
}

#[test]
fn a_copy_that_cannot_be_made_leaves_nothing_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kibitz.db");
    drop(Store::open(&path).unwrap());
    age(&path);
    // A folder in the way of the half copy cannot be removed as a file.
    let half = format!(
        "kibitz.before-{VERSION}-was-{}.{}.new",
        VERSION - 1,
        std::process::id()
    );
    std::fs::create_dir(folder.path().join(&half)).unwrap();
    assert!(Store::open(&path).is_err());
    let old = Connection::open(&path).unwrap();
    let version: u32 = old
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap();
    assert_eq!(version, VERSION - 1);
    drop(old);
    std::fs::remove_dir(folder.path().join(half)).unwrap();
    drop(Store::open(&path).unwrap());
}

#[test]
fn games_are_known_after_another_program_has_made_batches_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kibitz.db");
    let new: Vec<_> = games(5, 4_200).into_iter().map(|it| it.1).collect();
    let mut one = Store::open(&path).unwrap();
    for some in new[..3_600].chunks(600) {
        one.add(some, None).unwrap();
    }
    let mut other = Store::open(&path).unwrap();
    // Seven batches become one, so that the next one has a number that was there before.
    other.compact().unwrap();
    let added = other.add(&new[3_600..], None).unwrap();
    let again = one.add(&new[3_600..], None).unwrap();
    assert_eq!((added.stored, again.stored), (added.stored, 0));
    assert_eq!(again.duplicates, 600);
    assert!(added.stored > 500);
}

#[test]
fn damaged_arrays_are_made_anew_from_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kibitz.db");
    let all = games(6, 1_200);
    let new: Vec<_> = all.iter().map(|it| it.1.clone()).collect();
    let mut store = Store::open(&path).unwrap();
    store.add(&new, None).unwrap();
    let note = Event::GameNote {
        game: 7,
        text: "a fine game".to_owned(),
    };
    store.write(&[note]).unwrap();
    store.settle().unwrap();
    let number = |sql: &str| {
        let connection = Connection::open(&path).unwrap();
        connection
            .query_row(sql, [], |row| row.get::<_, i64>(0))
            .unwrap() as usize
    };
    let page_bytes = number("PRAGMA page_size");
    let root = number("SELECT rootpage FROM sqlite_master WHERE name = 'columns'");
    drop(store);
    let mut file = bytes(&path);
    file[(root - 1) * page_bytes..][..page_bytes].fill(0xa5);
    std::fs::write(&path, &file).unwrap();
    let mut store = Store::open(&path).unwrap();
    let kept = store.compact().unwrap().expect("it was damaged");
    // SQLite counts in the head of the file how often it was written.
    assert!(
        bytes(&kept)[100..] == file[100..],
        "the copy is not the file"
    );
    let text = Filter {
        text: Some("fine".to_owned()),
        ..Filter::default()
    };
    let page = Page { skip: 0, most: 9 };
    for store in [store, Store::open(&path).unwrap()] {
        assert_eq!(store.stats().unwrap().games, all.len() as u64);
        let found = store.find(&text, Order::Added, page).unwrap();
        assert_eq!((found.total, found.games[0].id), (1, 7));
        let start = game::Kind::Othello.start();
        let explored = store.explore(&start, &Filter::default(), 1).unwrap();
        assert_eq!(explored.all.games, all.len() as u64);
        drop(store);
    }
    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.compact().unwrap(), None);
    assert_eq!(store.add(&new, None).unwrap().stored, 0);
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert!(left.len() <= 4, "{left:?}");
}
