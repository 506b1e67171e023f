use super::*;
use crate::{
    Mode, People, Profile,
    disk::testing::{Call, Failure, Fault, Memory},
    session::Setup,
};
use game::{Position, Record, TimeControl};
use std::sync::Arc;

fn home() -> (Arc<Memory>, Home) {
    let memory = Memory::new();
    let home = Home::open_on(memory.disk(), PathBuf::from("/kibitz")).unwrap();
    (memory, home)
}

fn session(id: &str, time_control: TimeControl) -> Session {
    Session::new(Setup {
        opponent: None,
        id: id.to_owned(),
        record: Record::new(Position::OTHELLO_START),
        ply: None,
        mode: Mode::Play,
        people: People::Black,
        level: Profile::default(),
        manner: crate::session::Manner::default(),
        seed: 1,
        time_control,
        show_values: false,
    })
}

fn path(name: &str) -> PathBuf {
    Path::new("/kibitz/sessions").join(name)
}

#[test]
fn games_come_back_and_go_away() {
    let (memory, home) = home();
    let mut archive = Archive::open(&home).unwrap();
    let id = archive.new_id().unwrap();
    assert_eq!(id, "s1");
    archive
        .save(&session(&id, TimeControl::Unlimited), 0)
        .unwrap();
    let mut again = Archive::open(&home).unwrap();
    let listed = again.list().unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].id, "s1");
    assert_eq!(listed[0].header.as_ref().unwrap().plies, 0);
    assert_eq!(again.load("s1").unwrap().id(), "s1");
    again.delete("s1").unwrap();
    assert!(again.list().unwrap().is_empty());
    assert!(matches!(again.load("s1"), Err(ArchiveError::Missing(_))));
    assert_eq!(again.new_id().unwrap(), "s2", "not the deleted one's");
    assert!(memory.paths().is_empty());
}

#[test]
fn listing_reads_a_file_once() {
    let (memory, home) = home();
    let mut archive = Archive::open(&home).unwrap();
    for _ in 0..5 {
        let id = archive.new_id().unwrap();
        archive
            .save(&session(&id, TimeControl::Unlimited), 0)
            .unwrap();
    }
    let mut again = Archive::open(&home).unwrap();
    assert_eq!(again.list().unwrap().len(), 5);
    let opened = memory.n_calls(Call::Open);
    assert_eq!(again.list().unwrap().len(), 5);
    assert_eq!(memory.n_calls(Call::Open), opened);
}

#[test]
fn files_that_cannot_be_used_are_told_and_left_alone() {
    let (memory, home) = home();
    let files: [(&str, &[u8], &str); 3] = [
        (
            "s7.toml",
            b"version = 99\nnew = 'things'\n",
            "newer version",
        ),
        ("s8.toml", b"version = 1\ngarbage", "not a saved game"),
        ("s9.toml", b"version = 1\n# \xff\xfe", "not UTF-8"),
    ];
    for (name, contents, _) in files {
        memory.put(&path(name), contents);
    }
    let mut archive = Archive::open(&home).unwrap();
    let listed = archive.list().unwrap();
    for ((name, contents, told), listed) in files.iter().zip(listed.iter().rev()) {
        let problem = listed.header.as_ref().unwrap_err();
        assert!(problem.contains(told), "{problem}");
        let id = name.strip_suffix(".toml").unwrap();
        assert!(matches!(
            archive.load(id),
            Err(ArchiveError::Unusable { .. })
        ));
        let saved = archive.save(&session(id, TimeControl::Unlimited), 0);
        assert!(matches!(saved, Err(ArchiveError::Unusable { .. })));
        assert_eq!(memory.contents(&path(name)).unwrap(), *contents);
    }
    assert_eq!(archive.new_id().unwrap(), "s10");
}

#[test]
fn a_file_that_another_program_has_put_there_is_not_overwritten() {
    let (memory, home) = home();
    let mut archive = Archive::open(&home).unwrap();
    let id = archive.new_id().unwrap();
    memory.put(&path("s1.toml"), b"mine");
    let saved = archive.save(&session(&id, TimeControl::Unlimited), 0);
    assert!(matches!(saved, Err(ArchiveError::Taken(_))), "{saved:?}");
    assert_eq!(memory.contents(&path("s1.toml")).unwrap(), b"mine");
}

#[test]
fn a_game_that_cannot_be_serialised_overwrites_nothing() {
    let (memory, home) = home();
    let mut archive = Archive::open(&home).unwrap();
    archive
        .save(&session("s1", TimeControl::Unlimited), 0)
        .unwrap();
    let before = memory.contents(&path("s1.toml"));
    // TOML's numbers end at 2^63.
    let endless = TimeControl::Game {
        initial_ms: u64::MAX,
        increment_ms: 0,
        period_moves: None,
    };
    let saved = archive.save(&session("s1", endless), 0);
    assert!(
        matches!(saved, Err(ArchiveError::Serialise(_))),
        "{saved:?}"
    );
    assert_eq!(memory.contents(&path("s1.toml")), before);
}

#[test]
fn numbers_neither_wrap_nor_collide() {
    let (memory, home) = home();
    memory.put(&path(&format!("s{}.toml", u64::MAX)), b"");
    memory.put(&path("s5.damaged"), b"");
    let mut archive = Archive::open(&home).unwrap();
    assert_eq!(archive.new_id().unwrap(), "s6");
    memory.put(&path(&format!("s{NUMBER_MAX}.toml")), b"");
    let ids: Vec<String> = (0..6).map(|_| archive.new_id().unwrap()).collect();
    assert_eq!(ids, ["s1", "s2", "s3", "s4", "s7", "s8"]);
}

#[test]
fn a_file_whose_write_failed_at_the_end_is_written_again() {
    let (memory, home) = home();
    let mut archive = Archive::open(&home).unwrap();
    let game = session("s1", TimeControl::Unlimited);
    // The file and its name are there; only the folder was not synced.
    memory.fail(Fault::nth(Call::Sync, 1, Failure::Device));
    archive.save(&game, 0).unwrap_err();
    assert!(memory.contents(&path("s1.toml")).is_some());
    archive.save(&game, 0).unwrap();
}

#[test]
fn a_folder_that_cannot_be_listed_is_no_empty_folder() {
    let (memory, home) = home();
    let mut archive = Archive::open(&home).unwrap();
    archive
        .save(&session("s1", TimeControl::Unlimited), 0)
        .unwrap();
    memory.fail(Fault::always(Call::List, Failure::NoDescriptors));
    assert!(archive.new_id().is_err());
    assert!(archive.list().is_err());
    assert!(Archive::open(&home).is_err());
}

#[test]
fn a_deleted_folder_is_made_again() {
    let (memory, home) = home();
    let mut archive = Archive::open(&home).unwrap();
    let game = session("s1", TimeControl::Unlimited);
    assert!(!archive.save(&game, 0).unwrap());
    memory.delete_folder(Path::new("/kibitz"));
    assert!(archive.save(&game, 0).unwrap());
    assert_eq!(archive.list().unwrap().len(), 1);
}

#[test]
fn unfinished_files_of_a_crash_are_removed() {
    let (memory, home) = home();
    memory.put(&path("s1.toml.7-1.new"), b"half");
    let mut archive = Archive::open(&home).unwrap();
    assert!(memory.paths().is_empty());
    assert_eq!(archive.new_id().unwrap(), "s2");
}

#[test]
fn there_is_a_limit_that_is_told() {
    let (memory, home) = home();
    for n in 1..=SESSIONS_MAX {
        memory.put(&path(&format!("s{n}.toml")), b"");
    }
    let mut archive = Archive::open(&home).unwrap();
    let refused = archive.new_id().unwrap_err().to_string();
    assert!(refused.contains("5000 games"), "{refused}");
    archive.delete("s3").unwrap();
    assert_eq!(archive.new_id().unwrap(), "s5001");
}
