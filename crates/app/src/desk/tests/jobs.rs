//! One list of all that takes a while.

use super::*;
use std::sync::mpsc::channel;

fn line(room: &Room) -> String {
    let wish = NewGame {
        mode: Some(Mode::Analyse),
        start: Start::Moves {
            position: None,
            moves: "f5d6c3d3c4f4".to_owned(),
        },
        ..NewGame::default()
    };
    room.desk.new_game(&wish).unwrap().session.id().to_owned()
}

fn job(room: &Room, id: u64) -> Job {
    let jobs = room.desk.jobs();
    jobs.into_iter().find(|it| it.id == id).unwrap()
}

/// Waits until a job is in a state, also one that it has left meanwhile.
fn wait_for(room: &Room, id: u64, state: JobState) -> Job {
    room.told.wait_for(|event| match event {
        Event::Job(it) if it.id == id && it.state == state => Some(it.clone()),
        _ => None,
    })
}

#[test]
fn a_paused_review_stands_still_while_others_work_and_then_goes_on() {
    let room = Room::new();
    let (first, second) = (line(&room), line(&room));
    let paused = room.desk.start_review(&first, Some(4)).unwrap();
    assert!(paused.subject.can_pause());
    let paused = room.desk.pause_job(paused.id).unwrap();
    assert_eq!(paused.state, JobState::Paused);
    // The same lane works for others. After that, no move of the first one can be under way.
    let other = room.desk.start_review(&second, Some(4)).unwrap();
    wait_for(&room, other.id, JobState::Finished);
    let stood = job(&room, paused.id);
    assert_eq!(stood.state, JobState::Paused);
    let other = room.desk.start_review(&second, Some(4)).unwrap();
    wait_for(&room, other.id, JobState::Finished);
    assert_eq!(job(&room, paused.id), stood);
    room.told.forget();
    room.desk.resume_job(paused.id).unwrap();
    let done = wait_for(&room, paused.id, JobState::Finished);
    assert_eq!((done.done, done.remaining_ms), (done.total, None));
    assert_eq!(room.desk.review(&first).unwrap().moves.len(), 6);
    // What is over stays over.
    let again = room.desk.pause_job(paused.id).unwrap();
    assert_eq!(again.state, JobState::Finished);
    assert!(room.desk.pause_job(99).is_err());
}

#[test]
fn a_large_import_is_a_job_and_can_be_cancelled_before_its_turn() {
    let room = Room::new();
    let text = "f5d6c3d3c4f4\n".repeat(100_000);
    let import = |name: &str| {
        let admission = room.desk.admit_import(text.len())?;
        room.desk.import(&admission, text.as_bytes(), Some(name))
    };
    let subject = |name: &str| Subject::Import {
        name: Some(name.to_owned()),
    };
    let found = import("all.txt").unwrap();
    assert_eq!(found.n_games(), 20_000, "what one import keeps");
    let jobs = room.desk.jobs();
    assert_eq!(jobs.len(), 1);
    assert_eq!(jobs[0].subject, subject("all.txt"));
    assert_eq!(jobs[0].state, JobState::Finished);
    assert_eq!(jobs[0].done, text.len() as u64);
    assert!(room.desk.pause_job(jobs[0].id).is_err(), "it holds memory");
    // It came on step by step.
    let steps = lock(&room.told.events)
        .iter()
        .filter(|event| matches!(event, Event::Job(it) if it.state == JobState::Running))
        .count();
    assert!(steps > 10, "{steps} steps");
    // The one thread that reads is busy, so that the next one waits.
    let (go, wait) = channel::<()>();
    room.desk.shared.reader.spawn(move || wait.recv().unwrap());
    room.told.forget();
    std::thread::scope(|scope| {
        let importing = scope.spawn(|| import("late.txt"));
        let waiting = room.told.wait_for(|event| match event {
            Event::Job(it) if it.subject == subject("late.txt") => Some(it.id),
            _ => None,
        });
        let cancelled = room.desk.cancel_job(waiting).unwrap();
        assert_eq!(cancelled.state, JobState::Cancelled);
        go.send(()).unwrap();
        let error = importing.join().unwrap().unwrap_err();
        assert!(error.to_string().contains("cancelled"), "{error}");
        assert_eq!(job(&room, waiting).state, JobState::Cancelled);
    });
    // What is read in a moment is no job.
    let admission = room.desk.admit_import(12).unwrap();
    room.desk.import(&admission, b"f5d6c3d3c4f4", None).unwrap();
    assert_eq!(room.desk.jobs().len(), 2);
}

fn library(folder: &tempfile::TempDir) -> Arc<crate::library::Library> {
    let path = folder.path().join("kibitz.db");
    Arc::new(crate::library::Library::open(&path).unwrap())
}

/// Puts games into a library, and says their numbers.
fn shelved(library: &crate::library::Library) -> Vec<u32> {
    let games = ["f5d6c3d3c4f4", "f5f6e6f4", "f5d6c5f4d3c3"];
    for moves in games {
        let game = othello::notation::parse_transcript(moves).unwrap();
        let game = crate::library::GameData::new(game::Packed::from(&game));
        let game = crate::library::NewGame::new(game).unwrap();
        assert!(library.add(game).unwrap());
    }
    (1..=games.len() as u32).collect()
}

#[test]
fn many_games_are_reviewed_as_one_job_that_goes_on_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let memory = Memory::new();
    let room = Room::on(Arc::clone(&memory), CONFIG);
    let kept = library(&folder);
    let games = shelved(&kept);
    assert!(
        room.desk.review_games(games.clone(), Some(4)).is_err(),
        "no library yet"
    );
    room.desk.keep_reviews_in(&kept);
    assert!(room.desk.review_games(Vec::new(), None).is_err());
    assert!(room.desk.review_games(games.clone(), Some(99)).is_err());
    let job = room.desk.review_games(games.clone(), Some(4)).unwrap();
    assert_eq!(job.subject, Subject::Reviews { games: 3 });
    assert!(job.subject.can_pause());
    room.told.wait_for(|event| match event {
        Event::Job(it) if it.done == 1 => Some(()),
        _ => None,
    });
    room.desk.pause_job(job.id).unwrap();
    room.desk.close().unwrap();
    drop((room, kept));
    // The next run finds it standing still, with what was done.
    let room = Room::on(Arc::clone(&memory), CONFIG);
    let kept = library(&folder);
    room.desk.keep_reviews_in(&kept);
    let found = room.desk.jobs().pop().unwrap();
    assert_eq!((found.state, found.total), (JobState::Paused, 3));
    assert!(found.done >= 1, "{found:?}");
    room.desk.resume_job(found.id).unwrap();
    let done = wait_for(&room, found.id, JobState::Finished);
    assert_eq!(done.done, 3);
    for id in games {
        assert!(kept.review(id).unwrap().unwrap().is_done, "game {id}");
    }
    assert!(kept.open_jobs().unwrap().is_empty());
    // One that the user cancels does not come again.
    let more = room.desk.review_games(vec![2], Some(6)).unwrap();
    room.desk.cancel_job(more.id).unwrap();
    assert!(kept.open_jobs().unwrap().is_empty());
}

#[test]
fn a_review_on_the_desk_is_shown_again_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let memory = Memory::new();
    let room = Room::on(Arc::clone(&memory), CONFIG);
    room.desk.keep_reviews_in(&library(&folder));
    let id = line(&room);
    let job = room.desk.start_review(&id, Some(4)).unwrap();
    room.desk.pause_job(job.id).unwrap();
    let again = room.desk.start_review(&id, Some(4)).unwrap();
    assert_eq!(again.id, job.id, "what is under way is not begun anew");
    room.desk.resume_job(job.id).unwrap();
    wait_for(&room, job.id, JobState::Finished);
    let before = room.desk.review(&id).unwrap();
    room.desk.close().unwrap();
    drop(room);
    let room = Room::on(Arc::clone(&memory), CONFIG);
    assert!(
        room.desk.review(&id).unwrap().moves.is_empty(),
        "not kept in the game's file"
    );
    drop(room);
    let room = Room::on(memory, CONFIG);
    room.desk.keep_reviews_in(&library(&folder));
    let after = room.desk.review(&id).unwrap();
    assert!(after.is_complete);
    let judged = |review: &Review| -> Vec<_> {
        let moves = review.moves.iter();
        moves.map(|it| (it.node, it.judged.clone())).collect()
    };
    assert_eq!(judged(&after), judged(&before));
    // A look at it again values nothing, and says the same.
    let job = room.desk.start_review(&id, Some(4)).unwrap();
    wait_for(&room, job.id, JobState::Finished);
    assert_eq!(judged(&room.desk.review(&id).unwrap()), judged(&before));
}
