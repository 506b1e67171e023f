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
