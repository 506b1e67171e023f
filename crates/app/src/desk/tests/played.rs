//! Games that end on the desk are in the database.

use super::*;
use crate::library::{Filter, Order, Page};
use game::Side;

fn desk_in(folder: &tempfile::TempDir) -> Desk {
    let home = Home::open(Some(folder.path())).unwrap();
    let config = ConfigFile::open(home.config_file());
    let outside = Surroundings {
        keeper: arena::process::Keeper::Nobody,
        now_ms: Arc::new(|| 1_000),
        chance: Box::new(|| 1),
        memory_mb: Some(64),
        listener: Arc::new(|_| {}),
    };
    let desk = Desk::open(home, config, outside).unwrap();
    desk.open_collection();
    // What is handed over is there once the importer has nothing to do.
    desk.library().unwrap().flush().unwrap();
    desk
}

fn stored(desk: &Desk) -> Vec<(String, String, Option<i8>)> {
    let library = desk.library().unwrap();
    library.flush().unwrap();
    let page = Page { skip: 0, most: 10 };
    let found = library
        .find(&Filter::default(), Order::Added, page)
        .unwrap();
    let one =
        |game: &crate::library::StoredGame| (game.black.clone(), game.white.clone(), game.score);
    found.games.iter().map(one).collect()
}

fn given_up(desk: &Desk) -> String {
    let game = NewGame {
        level: Some("elo_400".to_owned()),
        people: Some(crate::People::Black),
        ..NewGame::default()
    };
    let id = desk.new_game(&game).unwrap().session.id().to_owned();
    desk.play(&id, None, "f5").unwrap();
    desk.resign(&id).unwrap();
    id
}

#[test]
fn a_game_that_was_given_up_is_in_the_database_once() {
    let folder = tempfile::tempdir().unwrap();
    let desk = desk_in(&folder);
    let id = given_up(&desk);
    let games = stored(&desk);
    assert_eq!(games.len(), 1);
    assert_eq!((&games[0].0[..], games[0].2), ("You", Some(-64)));
    assert_ne!(games[0].1, "", "the level has a name");
    assert_eq!(desk.library().unwrap().selves().unwrap(), ["You"]);
    let own = Filter {
        is_own: true,
        ..Filter::default()
    };
    let page = Page { skip: 0, most: 10 };
    let found = desk.library().unwrap().find(&own, Order::Added, page);
    assert_eq!(found.unwrap().total, 1);
    let session = desk.session(&id).unwrap().session;
    assert_eq!(session.played_end().unwrap().1.winner, Some(Side::White));
    desk.close().unwrap();
}

#[test]
fn games_from_before_the_database_are_taken_over_once() {
    let folder = tempfile::tempdir().unwrap();
    let desk = desk_in(&folder);
    let id = given_up(&desk);
    desk.close().unwrap();
    for end in ["", "-wal", "-shm"] {
        std::fs::remove_file(folder.path().join(format!("kibitz.db{end}"))).ok();
    }
    let desk = desk_in(&folder);
    while !desk.library().unwrap().is_taken_over().unwrap() {
        std::thread::yield_now();
    }
    assert_eq!(stored(&desk).len(), 1);
    // A game that the user deletes stays deleted: nothing is taken over a second time.
    assert!(desk.library().unwrap().delete(1).unwrap());
    assert!(desk.session(&id).is_ok(), "the file stays");
    desk.close().unwrap();
    let desk = desk_in(&folder);
    assert_eq!(stored(&desk).len(), 0);
    desk.close().unwrap();
}
