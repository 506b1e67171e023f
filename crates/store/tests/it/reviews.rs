//! Reviews are kept by line, put together over many games, and jobs know what is done.

use crate::sample::games;
use game::Side;
use store::{
    Event, Filter, GameId, JobStep, KeptMistake, KeptState, LineKey, NewGame, Order, Review,
    ReviewPart, Store,
};

fn review(game: &NewGame, maker: &str, is_done: bool, at: i64) -> Review {
    let part = |side, phase: &str, accuracy| ReviewPart {
        side,
        phase: phase.to_owned(),
        moves: 10,
        choices: 2,
        loss: 500,
        accuracy,
    };
    let mistake = |number, side, class: Option<&str>| KeptMistake {
        number,
        side,
        phase: "endgame".to_owned(),
        severity: "blunder".to_owned(),
        class: class.map(str::to_owned),
        loss: 400,
    };
    Review {
        line: LineKey::of(&game.game.packed),
        maker: maker.to_owned(),
        is_done,
        at,
        opening: "Tiger".to_owned(),
        parts: vec![
            part(Side::Black, "endgame", 190.0),
            part(Side::Black, "opening", 150.0),
            part(Side::White, "endgame", 100.0),
        ],
        mistakes: vec![
            mistake(41, Side::Black, Some("corner opened")),
            mistake(44, Side::White, None),
        ],
        data: b"as the maker writes it, long enough to be compressed ".repeat(20),
    }
}

fn event(review: Review, game: Option<GameId>, step: Option<JobStep>) -> Event {
    let review = Box::new(review);
    Event::Review { review, game, step }
}

#[test]
fn reviews_come_back_and_games_are_found_by_their_mistakes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let mut store = Store::open(&path).unwrap();
    let new: Vec<_> = games(8, 4).into_iter().map(|it| it.1).collect();
    store.add(&new, None).unwrap();
    let line = LineKey::of(&new[0].game.packed);
    assert_eq!(store.best_review(line).unwrap(), None);
    let begun = review(&new[0], "engine 1", false, 5);
    store.write(&[event(begun.clone(), Some(1), None)]).unwrap();
    drop(store);
    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.review(line, "engine 1").unwrap(), Some(begun));
    assert_eq!(store.review(line, "engine 2").unwrap(), None);
    let reviewed = Filter {
        is_reviewed: true,
        ..Filter::default()
    };
    let ids = |store: &Store, filter: &Filter| store.find_ids(filter, Order::Added).unwrap();
    assert!(ids(&store, &reviewed).is_empty(), "it is not finished");
    let done = review(&new[0], "engine 1", true, 9);
    let of_second = review(&new[1], "engine 1", true, 9);
    let session = review(&new[2], "engine 1", true, 9);
    store
        .write(&[
            event(done.clone(), Some(1), None),
            event(of_second, Some(2), None),
            event(session, None, None),
            // A game that is gone is not one that was reviewed.
            event(review(&new[3], "engine 1", true, 9), Some(77), None),
        ])
        .unwrap();
    assert_eq!(store.best_review(line).unwrap(), Some(done));
    assert_eq!(ids(&store, &reviewed), [1, 2]);
    let with = |mistake: Option<&str>, phase: Option<&str>| Filter {
        mistake: mistake.map(str::to_owned),
        phase: phase.map(str::to_owned),
        ..Filter::default()
    };
    assert_eq!(ids(&store, &with(Some("corner opened"), None)), [1, 2]);
    assert_eq!(ids(&store, &with(None, Some("endgame"))), [1, 2]);
    assert!(ids(&store, &with(None, Some("opening"))).is_empty());
    assert!(ids(&store, &with(Some("wall built"), None)).is_empty());
    let unreviewed = store.unreviewed(&Filter::default(), game::Kind::Othello, 9);
    let mut unreviewed = unreviewed.unwrap();
    unreviewed.sort_unstable();
    assert_eq!(unreviewed, [3, 4]);
    // Nobody is the user: both sides count.
    let sides = store.reviewed_sides(&Filter::default()).unwrap();
    assert_eq!(sides.len(), 4);
    assert_eq!(sides[0].accuracy(), Some(85.0));
    let own = store.game(1).unwrap();
    store.set_selves(std::slice::from_ref(&own.white)).unwrap();
    let sides = store.reviewed_sides(&Filter::default()).unwrap();
    assert!(sides.iter().all(|it| it.name == own.white), "{sides:?}");
    assert!(
        sides
            .iter()
            .any(|it| it.game == 1 && it.side == Side::White)
    );
    // With the game go the reviews of its line.
    store.delete(&[1]).unwrap();
    assert_eq!(ids(&store, &reviewed), [2]);
    assert_eq!(store.best_review(line).unwrap(), None);
}

#[test]
fn a_job_knows_what_is_done_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let mut store = Store::open(&path).unwrap();
    let new: Vec<_> = games(9, 3).into_iter().map(|it| it.1).collect();
    store.add(&new, None).unwrap();
    let job = store.begin_job("review", "deep", &[3, 1, 2], 7).unwrap();
    assert_eq!((job.total, job.done, job.state), (3, 0, KeptState::Open));
    assert_eq!(store.next_of_job(job.id).unwrap(), Some((0, 3)));
    let step = |place, problem: Option<&str>| JobStep {
        job: job.id,
        place,
        problem: problem.map(str::to_owned),
    };
    let first = event(review(&new[2], "m", true, 1), Some(3), Some(step(0, None)));
    store.write(&[first]).unwrap();
    store
        .write(&[Event::JobStep(step(1, Some("no moves")))])
        .unwrap();
    drop(store);
    let mut store = Store::open(&path).unwrap();
    let known = store.open_jobs().unwrap();
    assert_eq!(known.len(), 1);
    assert_eq!((known[0].done, known[0].problems), (2, 1));
    assert_eq!(known[0].spec, "deep");
    assert_eq!(store.next_of_job(job.id).unwrap(), Some((2, 2)));
    let problems = store.problems_of_job(job.id).unwrap();
    assert_eq!(problems, [(1, "no moves".to_owned())]);
    let (job, state) = (job.id, KeptState::Over);
    store.write(&[Event::JobState { job, state }]).unwrap();
    assert!(store.open_jobs().unwrap().is_empty());
    assert_eq!(store.job(job).unwrap().unwrap().state, KeptState::Over);
}
