//! Nothing accepted is lost.

use super::*;
use std::sync::mpsc::channel;

#[test]
fn nobody_is_told_of_a_move_before_it_is_on_disk() {
    let memory = Memory::new();
    let disk = Arc::clone(&memory);
    let n_checked = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&n_checked);
    // At every event the computer could lose its power.
    let room = Room::listening(memory, CONFIG, move |event| {
        let Event::Session(snapshot) = event else {
            return;
        };
        let shown = snapshot.session.record().n_nodes();
        for crash in [Crash::NamesLost, Crash::NamesKept] {
            let kept = nodes_on(&disk.after(crash), snapshot.session.id());
            assert!(kept >= shown, "{kept} of {shown} positions are on disk");
        }
        count.fetch_add(1, Ordering::SeqCst);
    });
    let id = room.game("elo_400");
    for _ in 0..6 {
        let now = room.desk.session(&id).unwrap();
        let legal = now.session.legal(now.session.cursor());
        let action = legal[0].action.to_string();
        room.desk.play(&id, None, &action).unwrap();
        // The view that answers a request is no different from one that is told.
        let shown = room.desk.session(&id).unwrap().session.record().n_nodes();
        let kept = nodes_on(&room.memory.after(Crash::NamesLost), &id);
        assert!(kept >= shown);
        room.wait_for_reply(&id);
    }
    room.desk.comment(&id, 1, "good").unwrap();
    room.desk.delete(&id, 3).unwrap();
    assert!(n_checked.load(Ordering::SeqCst) > 12);
}

#[test]
fn looking_at_a_game_does_not_wait_for_the_disk() {
    let room = Room::new();
    let id = room.board();
    let (entered, enters) = channel();
    let (release, released) = channel::<()>();
    let released = Mutex::new(released);
    room.memory.watch(move |call, _| {
        if call == Call::Rename {
            entered.send(()).unwrap();
            // The test lets go by dropping its end.
            lock(&released).recv().ok();
        }
    });
    let desk = room.desk.clone();
    let playing = std::thread::spawn({
        let id = id.clone();
        move || desk.play(&id, None, "f5")
    });
    enters.recv_timeout(PATIENCE).unwrap();
    // The move is on its way to the disk: the desk answers, and does not show it yet.
    assert_eq!(room.moves(&id), "");
    assert_eq!(room.desk.settings().config.engine.tt_mb, 1);
    assert!(room.desk.jobs().is_empty());
    drop(release);
    playing.join().unwrap().unwrap();
    assert_eq!(room.moves(&id), "f5");
}

#[test]
fn a_save_that_fails_is_answered_kept_retried_and_told() {
    for failure in Failure::ALL {
        let room = Room::new();
        let id = room.board();
        room.desk.play(&id, None, "f5").unwrap();
        room.told.forget();
        for call in [Call::Open, Call::Write, Call::MakeFolder] {
            room.memory.fail(Fault::always(call, failure));
        }
        let refused = room.desk.play(&id, None, "d6").unwrap_err();
        let DeskError::NotSaved(problem) = &refused else {
            panic!("{refused}");
        };
        let is_full = matches!(failure, Failure::NoSpace | Failure::ShortWrite);
        assert_eq!(problem.is_full, is_full, "{failure:?}");
        assert!(problem.message.contains("is kept in memory"), "{problem}");
        assert!(problem.message.contains("s2.toml"), "{problem}");
        // The move is made, and the game says that it is not saved.
        let shown = room.desk.session(&id).unwrap();
        assert_eq!(moves(&shown.session), "f5 d6");
        assert!(shown.not_saved.is_some());
        assert_eq!(nodes_on(&room.memory.after(Crash::NamesLost), &id), 2);
        // Nothing happens before its time; then it is tried, fails and is told again, each time
        // after a longer wait.
        room.desk.attend();
        assert_eq!(room.told.notices().len(), 1);
        for (n, wait_ms) in [(2, 1_000), (3, 2_000), (4, 4_000)] {
            room.pass_ms(wait_ms);
            room.desk.attend();
            let notices = room.told.notices();
            assert_eq!(notices.len(), n, "{notices:?}");
            assert!(
                notices
                    .iter()
                    .all(|(level, _)| *level == NoticeLevel::Error)
            );
        }
        room.memory.heal();
        room.pass_ms(60_000);
        room.desk.attend();
        let last = room.told.notices().pop().unwrap();
        assert_eq!(
            last,
            (NoticeLevel::Info, format!("Game {id} is saved now."))
        );
        assert_eq!(room.desk.session(&id).unwrap().not_saved, None);
        assert_eq!(nodes_on(&room.memory.after(Crash::NamesLost), &id), 3);
        room.desk.close().unwrap();
    }
}

#[test]
fn closing_says_what_is_lost() {
    let room = Room::new();
    let id = room.board();
    room.memory
        .fail(Fault::always(Call::Write, Failure::NoSpace));
    room.desk.play(&id, None, "f5").unwrap_err();
    let error = room.desk.close().unwrap_err();
    assert!(error.to_string().contains(&format!("{id}.toml")), "{error}");
    // The user has made room: the same desk can still be closed well.
    room.memory.heal();
    room.desk.close().unwrap();
    assert_eq!(nodes_on(&room.memory, &id), 2);
}

#[test]
fn a_home_that_was_deleted_is_made_again_with_all_that_is_in_memory() {
    let room = Room::new();
    let first = room.board();
    room.desk.play(&first, None, "f5").unwrap();
    let second = room.board();
    room.desk.play(&second, None, "d3").unwrap();
    room.memory.delete_folder(Path::new("/kibitz"));
    room.desk.play(&second, None, "c3").unwrap();
    room.pass_ms(1_000);
    room.desk.attend();
    assert_eq!(nodes_on(&room.memory.after(Crash::NamesLost), &first), 2);
    assert_eq!(nodes_on(&room.memory.after(Crash::NamesLost), &second), 3);
    room.desk
        .change_settings(|config| {
            config.ui.reduced_motion = true;
            Ok(())
        })
        .unwrap();
    let config = room.memory.contents(Path::new("/kibitz/config.toml"));
    let config = String::from_utf8(config.unwrap()).unwrap();
    assert!(config.contains("reduced_motion = true"), "{config}");
    assert!(config.contains("tt_mb = 1"), "{config}");
}

#[test]
fn files_that_cannot_be_used_are_listed_and_never_touched() {
    let memory = Memory::new();
    let newer = b"version = 9\nkind = 'chess'\n";
    memory.put(&file_of("s7"), newer);
    memory.put(&file_of("s3"), b"version = 2\n\xff");
    let room = Room::on(memory, CONFIG);
    let ids = || {
        let listed = room.desk.sessions().unwrap();
        listed.into_iter().map(|it| (it.id, it.is_usable))
    };
    assert_eq!(room.desk.session("current").unwrap().session.id(), "s8");
    assert_eq!(room.board(), "s9");
    room.desk.play("s9", None, "f5").unwrap();
    let found: Vec<_> = ids().collect();
    let expected = [("s9", true), ("s7", false), ("s3", false)];
    assert_eq!(found, expected.map(|(id, usable)| (id.to_owned(), usable)));
    let refused = room.desk.session("s7").unwrap_err().to_string();
    assert!(refused.contains("newer version"), "{refused}");
    room.desk.comment("s7", 0, "mine").unwrap_err();
    assert_eq!(room.memory.contents(&file_of("s7")).unwrap(), newer);
    let paths = room.memory.paths();
    assert_eq!(paths.len(), 4, "{paths:?}");
    // The user may delete it, and nobody else does.
    room.desk.delete_session("s7").unwrap();
    assert_eq!(ids().count(), 2);
}

#[test]
fn sessions_are_deleted_and_renamed() {
    let room = Room::new();
    let (first, second) = (room.board(), {
        room.desk.play("current", None, "f5").unwrap();
        room.board()
    });
    let change = Change {
        title: Some("Round 3".to_owned()),
        ..Change::default()
    };
    room.desk.change(&first, &change).unwrap();
    let listed = room.desk.sessions().unwrap();
    let title = |id: &str| listed.iter().find(|it| it.id == id).unwrap().title.clone();
    assert_eq!(title(&first).as_deref(), Some("Round 3"));
    assert_eq!(title(&second), None);
    room.told.forget();
    room.desk.delete_session("current").unwrap();
    assert!(matches!(
        room.desk.session(&second),
        Err(DeskError::NoSuchSession(_))
    ));
    assert_eq!(room.desk.session("current").unwrap().session.id(), first);
    room.told.wait_for(|event| match event {
        Event::Deleted(id) => (*id == second).then_some(()),
        _ => None,
    });
    room.desk.delete_session("current").unwrap();
    room.desk.delete_session(&first).unwrap_err();
    // There is always a game on the desk.
    let fresh = room.desk.session("current").unwrap();
    assert_eq!(fresh.session.record().n_nodes(), 1);
    // One that cannot be deleted is still there.
    let kept = room.board();
    room.memory
        .fail(Fault::always(Call::Remove, Failure::ReadOnly));
    room.desk.delete_session(&kept).unwrap_err();
    assert_eq!(room.moves(&kept), "");
}

#[test]
fn games_that_nobody_uses_leave_the_memory_and_come_back() {
    let room = Room::new();
    let ids: Vec<String> = (0..40)
        .map(|_| {
            let id = room.board();
            room.desk.play(&id, None, "f5").unwrap();
            id
        })
        .collect();
    room.pass_ms(2_000);
    room.desk.attend();
    let on_desk = || room.desk.shared.lock().sessions.len();
    assert!(on_desk() <= 16, "{}", on_desk());
    let opened = room.memory.n_calls(Call::Read);
    assert_eq!(room.desk.sessions().unwrap().len(), 40);
    assert_eq!(
        room.memory.n_calls(Call::Read),
        opened,
        "summaries are kept"
    );
    for id in &ids {
        assert_eq!(room.moves(id), "f5");
        room.desk.play(id, None, "d6").unwrap();
    }
    assert!(on_desk() <= 16, "{}", on_desk());
    // A game that cannot be saved stays in memory whatever happens.
    room.memory
        .fail(Fault::always(Call::Write, Failure::NoSpace));
    for id in &ids[..20] {
        room.desk.play(id, None, "c3").unwrap_err();
    }
    for id in &ids[..20] {
        assert_eq!(room.moves(id), "f5 d6 c3");
    }
    room.memory.heal();
    room.pass_ms(1_000);
    room.desk.attend();
    assert!(on_desk() <= 16, "{}", on_desk());
    assert_eq!(room.moves(&ids[0]), "f5 d6 c3");
}

#[test]
fn imports_are_bounded_by_their_bytes() {
    let room = Room::new();
    let large = room.desk.admit_import(32 << 20).unwrap();
    let small = room.desk.admit_import(1 << 20).unwrap();
    let refused = room.desk.admit_import(32 << 20).unwrap_err();
    assert!(matches!(refused, DeskError::Busy(_)), "{refused}");
    drop((large, small));
    // One file of any size may come when nothing else is read.
    drop(room.desk.admit_import(100 << 20).unwrap());
    let text = "f5d6c3d3c4f4c5b3c2e3d2c6\n".repeat(20_000);
    let mut ids = Vec::new();
    for _ in 0..20 {
        let admission = room.desk.admit_import(text.len()).unwrap();
        let import = room.desk.import(&admission, text.as_bytes(), None).unwrap();
        ids.push(import.id.clone());
    }
    let start = |id: &String| NewGame {
        start: Start::Import {
            id: id.clone(),
            game: 0,
        },
        ..NewGame::default()
    };
    let forgotten = room.desk.new_game(&start(&ids[0])).unwrap_err();
    assert!(matches!(forgotten, DeskError::NoSuchImport(_)));
    room.desk.new_game(&start(&ids[19])).unwrap();
    let kept: usize = room.desk.shared.lock().imports.len();
    assert!((2..19).contains(&kept), "{kept}");
}

#[test]
fn settings_edited_by_hand_are_kept_and_told() {
    let room = Room::new();
    let path = Path::new("/kibitz/config.toml");
    let text = String::from_utf8(room.memory.contents(path).unwrap()).unwrap();
    room.memory
        .put(path, text.replace("threads = 1", "threads = 2").as_bytes());
    room.desk
        .change_settings(|config| {
            config.ui.reduced_motion = true;
            Ok(())
        })
        .unwrap();
    let now = room.desk.settings().config;
    assert_eq!((now.engine.threads, now.ui.reduced_motion), (2, true));
    assert!(room.told.notices()[0].1.contains("was edited"));
    // A change that cannot be written changes nothing.
    room.memory
        .fail(Fault::always(Call::Write, Failure::NoSpace));
    let before = room.memory.contents(path);
    let refused = room.desk.change_settings(|config| {
        config.engine.threads = 3;
        Ok(())
    });
    assert!(matches!(refused, Err(DeskError::Config(_))));
    assert_eq!(room.desk.settings().config.engine.threads, 2);
    assert_eq!(room.memory.contents(path), before);
}

#[test]
fn a_table_that_the_computer_has_no_room_for_is_told_and_made_smaller() {
    let room = Room::on(Memory::new(), "[engine]\ntt_mb = 65536\nthreads = 1\n");
    let settings = room.desk.settings();
    assert_eq!(settings.config.engine.tt_mb, 65_536, "the file says so");
    let [warning] = &settings.warnings[..] else {
        panic!("{:?}", settings.warnings);
    };
    assert!(warning.contains("room for 32 MB"), "{warning}");
    // A search with the table as configured would end the program.
    let id = room.board();
    let wish = AnalysisWish {
        depth: Some(2),
        ..AnalysisWish::default()
    };
    room.desk.analyse(&id, &wish).unwrap();
    room.told.wait_for(|event| match event {
        Event::Analysis(it) => (it.status == AnalysisStatus::Finished).then_some(()),
        _ => None,
    });
}

#[test]
fn a_game_that_is_not_saved_says_so_also_while_it_is_tried_again() {
    let room = Room::new();
    let id = room.board();
    room.memory
        .fail(Fault::nth(Call::Write, 0, Failure::NoSpace));
    room.desk.play(&id, None, "f5").unwrap_err();
    let (entered, enters) = channel();
    let (release, released) = channel::<()>();
    let released = Mutex::new(released);
    room.memory.watch(move |call, _| {
        if call == Call::Rename {
            entered.send(()).unwrap();
            // The test lets go by dropping its end.
            lock(&released).recv().ok();
        }
    });
    let desk = room.desk.clone();
    let playing = std::thread::spawn({
        let id = id.clone();
        move || desk.play(&id, None, "d6")
    });
    enters.recv_timeout(PATIENCE).unwrap();
    let shown = room.desk.session(&id).unwrap();
    assert_eq!(moves(&shown.session), "f5");
    assert!(shown.not_saved.is_some(), "f5 is on no disk yet");
    drop(release);
    playing.join().unwrap().unwrap();
    assert_eq!(room.desk.session(&id).unwrap().not_saved, None);
}

/// Whether a game was told to be deleted.
fn is_deleted(room: &Room, id: &str) -> bool {
    let events = lock(&room.told.events);
    let mut events = events.iter();
    events.any(|event| matches!(event, Event::Deleted(deleted) if deleted == id))
}

#[test]
fn a_new_game_leaves_alone_what_another_window_shows() {
    let room = Room::new();
    let elsewhere = room.board();
    let wish = AnalysisWish::default();
    room.desk.analyse(&elsewhere, &wish).unwrap();
    // A second window begins a game; the first one still shows its empty board and its analysis.
    let begun = room.board();
    assert_ne!(begun, elsewhere);
    let still = room.desk.session(&elsewhere).unwrap();
    assert_eq!(still.analyses[0].status, AnalysisStatus::Running);
    assert!(!is_deleted(&room, &elsewhere));
    room.desk.play(&elsewhere, None, "f5").unwrap();
}

#[test]
fn a_game_that_two_windows_show_goes_on_when_one_leaves_it() {
    let room = Room::new();
    let both = room.board();
    room.desk.analyse(&both, &AnalysisWish::default()).unwrap();
    let (mine, other) = (room.desk.watch(&both), room.desk.watch(&both));
    let leave = || {
        let wish = NewGame {
            mode: Some(Mode::Analyse),
            leaves: Some(both.clone()),
            ..NewGame::default()
        };
        room.desk.new_game(&wish).unwrap();
    };
    leave();
    drop(mine);
    let is_analysed = || {
        let shown = room.desk.session(&both).unwrap();
        let mut analyses = shown.analyses.iter();
        analyses.any(|it| it.status == AnalysisStatus::Running)
    };
    assert!(is_analysed());
    // The second one shows it alone now, and leaves it too.
    leave();
    assert!(!is_analysed());
    drop(other);
    assert!(room.desk.watch("s999").is_err());
}

#[test]
fn an_empty_game_goes_with_the_window_that_leaves_it_and_that_is_told() {
    let room = Room::new();
    let leave = |id: &str| {
        let wish = NewGame {
            mode: Some(Mode::Analyse),
            leaves: Some(id.to_owned()),
            ..NewGame::default()
        };
        room.desk.new_game(&wish).unwrap().session.id().to_owned()
    };
    let pass = || {
        room.pass_ms(1_000);
        room.desk.attend();
    };
    let empty = room.board();
    let played = leave(&empty);
    pass();
    assert!(is_deleted(&room, &empty));
    assert!(room.memory.contents(&file_of(&empty)).is_none());
    room.desk.play(&played, None, "f5").unwrap();
    let shown = leave(&played);
    // Another window shows the same game and goes on with it.
    leave(&shown);
    room.desk.comment(&shown, 0, "mine").unwrap();
    pass();
    assert!(!is_deleted(&room, &played) && !is_deleted(&room, &shown));
    assert_eq!(room.moves(&played), "f5");
    assert!(room.memory.contents(&file_of(&shown)).is_some());
}
