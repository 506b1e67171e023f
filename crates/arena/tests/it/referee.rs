//! Whatever a player does, the game gets its result and the program goes on.

use arena::{
    player::{Choice, Failure, Player, Situation},
    referee::{self, Conditions, Played, Reason, World},
};
use game::{
    Line, Move, NodeId, Outcome, Position, Record, Report, Score, Side, Source, Termination,
};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A player that does what a closure says.
struct Script<F>(F);

impl<F: FnMut(&Situation<'_>) -> Result<Choice, Failure>> Player for Script<F> {
    fn choose(&mut self, situation: Situation<'_>) -> Result<Choice, Failure> {
        (self.0)(&situation)
    }
}

fn choice(action: Move) -> Result<Choice, Failure> {
    Ok(Choice {
        action,
        report: None,
    })
}

/// The first legal move, as every player but the culprit of a test plays.
fn first_move(situation: &Situation<'_>) -> Result<Choice, Failure> {
    choice(situation.position.legal_moves()[0])
}

fn parse(text: &str) -> Move {
    Position::OTHELLO_START
        .parse_move(text)
        .expect("a move in coordinates")
}

/// A game with a clock of `control` for both that stands at `now`.
fn game(black: &mut dyn Player, white: &mut dyn Player, control: &str, now: &AtomicU64) -> Played {
    let stop = AtomicBool::new(false);
    let world = World {
        now_ms: &|| now.load(Ordering::Relaxed),
        stop: &stop,
        is_wanted: &|| true,
        watch: &|_| {},
        wants_thoughts: &|| false,
    };
    let opening = Record::new(Position::OTHELLO_START);
    let control = control.parse().expect("a time control");
    let conditions = Conditions {
        controls: [control; 2],
        ..Conditions::default()
    };
    referee::play(&opening, [black, white], &conditions, &world).expect("it was not stopped")
}

/// White plays by a script, without a clock.
fn against(white: impl FnMut(&Situation<'_>) -> Result<Choice, Failure>) -> Played {
    let now = AtomicU64::new(0);
    game(&mut Script(first_move), &mut Script(white), "-", &now)
}

#[track_caller]
fn check_lost(played: &Played, loser: Side, termination: Termination, words: &str) {
    assert_eq!(
        played.record.outcome,
        Some(Outcome::lost_by(loser, termination))
    );
    let (side, failure) = played
        .failure
        .clone()
        .expect("the game was lost by a failure");
    assert_eq!(side, loser);
    assert_eq!(failure.to_string(), words);
    // All that was legal stays.
    assert_eq!(played.record.main_line().count(), 1);
}

#[test]
fn a_game_goes_to_its_end_by_the_rules_and_passes_are_no_players_choice() {
    let mut n_asked = 0;
    let played = against(|situation| {
        n_asked += 1;
        assert_eq!(situation.side(), Side::White);
        assert_eq!(situation.position.forced(), None);
        first_move(situation)
    });
    let record = &played.record;
    let outcome = record.outcome_at(record.main_end()).unwrap();
    assert_eq!(record.outcome, Some(outcome));
    assert_eq!(outcome.termination, Termination::Normal);
    assert_eq!(played.failure, None);
    assert!(n_asked > 10);
    let passes = record.main_moves().filter(|it| it.to_string() == "ps");
    assert!(passes.count() > 0, "this game has passes");
}

#[test]
fn an_illegal_move_loses() {
    let played = against(|_| choice(parse("a1")));
    let words = "made an illegal move: a1 flips no disc; legal: c3 e3 c5";
    check_lost(&played, Side::White, Termination::IllegalMove, words);
    let pass = against(|_| choice(parse("ps")));
    let outcome = pass.record.outcome.unwrap();
    assert_eq!(outcome.termination, Termination::IllegalMove);
}

#[test]
fn a_crash_loses_and_the_program_goes_on() {
    let played = against(|_| panic!("on purpose"));
    let words = "crashed: on purpose";
    check_lost(&played, Side::White, Termination::Abandoned, words);
    let played = against(|_| Err(Failure::Crashed("exit code 3".to_owned())));
    let words = "crashed: exit code 3";
    check_lost(&played, Side::White, Termination::Abandoned, words);
    let played = against(|_| Err(Failure::NoAnswer));
    check_lost(
        &played,
        Side::White,
        Termination::Abandoned,
        "gave no answer",
    );
}

#[test]
fn a_player_that_answers_too_late_loses_on_time() {
    let now = AtomicU64::new(500);
    let played = game(
        &mut Script(|situation: &Situation<'_>| {
            assert_eq!(situation.remaining_ms(), Some(2_000));
            // On its way when the time was over.
            now.fetch_add(2_099, Ordering::Relaxed);
            first_move(situation)
        }),
        &mut Script(|situation: &Situation<'_>| {
            now.fetch_add(2_100, Ordering::Relaxed);
            first_move(situation)
        }),
        "2/move",
        &now,
    );
    let words = "used up its time";
    check_lost(&played, Side::White, Termination::TimeForfeit, words);
    let first = played.record.main_line().next().unwrap();
    let note = &played.record.node(first).unwrap().note;
    assert_eq!(note.time.as_deref(), Some("2.099"));
}

#[test]
fn an_illegal_move_after_the_flag_is_a_loss_on_time() {
    let now = AtomicU64::new(0);
    let mut white = Script(|_: &Situation<'_>| {
        now.fetch_add(3_000, Ordering::Relaxed);
        choice(parse("a1"))
    });
    let played = game(&mut Script(first_move), &mut white, "2", &now);
    let words = "used up its time";
    check_lost(&played, Side::White, Termination::TimeForfeit, words);
}

#[test]
fn clocks_differ_by_side_and_increments_come_after_the_move() {
    let now = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let world = World {
        now_ms: &|| now.load(Ordering::Relaxed),
        stop: &stop,
        is_wanted: &|| true,
        watch: &|_| {},
        wants_thoughts: &|| false,
    };
    let opening = Record::new(Position::OTHELLO_START);
    let mut seen = Vec::new();
    let mut black = Script(|situation: &Situation<'_>| {
        now.fetch_add(900, Ordering::Relaxed);
        first_move(situation)
    });
    let mut white = Script(|situation: &Situation<'_>| {
        seen.push(situation.remaining_ms());
        now.fetch_add(900, Ordering::Relaxed);
        first_move(situation)
    });
    let conditions = Conditions {
        controls: ["60+1".parse().unwrap(), "2+0.5".parse().unwrap()],
        ..Conditions::default()
    };
    let played = referee::play(&opening, [&mut black, &mut white], &conditions, &world).unwrap();
    assert_eq!(
        seen,
        [Some(2_000), Some(1_600), Some(1_200), Some(800)],
        "900 ms spent and 500 added each time"
    );
    let outcome = played.record.outcome.unwrap();
    assert_eq!(
        outcome,
        Outcome::lost_by(Side::White, Termination::TimeForfeit)
    );
}

/// Takes a second to get ready, and none to move.
struct Unready<'a>(&'a AtomicU64);

impl Player for Unready<'_> {
    fn prepare(&mut self, _: &Record, _: NodeId) -> Result<(), Failure> {
        self.0.fetch_add(1_000, Ordering::Relaxed);
        Ok(())
    }

    fn choose(&mut self, situation: Situation<'_>) -> Result<Choice, Failure> {
        assert_eq!(situation.remaining_ms(), Some(500));
        first_move(&situation)
    }
}

#[test]
fn getting_ready_takes_none_of_the_time() {
    let now = AtomicU64::new(0);
    let played = game(&mut Unready(&now), &mut Unready(&now), "0.5", &now);
    assert_eq!(played.reason, Reason::Counted);
    let mut times = played
        .steps
        .iter()
        .map(|it| (it.latency_ms, it.thinking_ms));
    assert!(times.all(|it| it == (1_000, 0)));
}

#[test]
fn players_may_resign_or_leave() {
    let resigned = against(|_| Err(Failure::Resigned));
    check_lost(&resigned, Side::White, Termination::Resignation, "resigned");
    let left = against(|_| Err(Failure::Stopped));
    check_lost(&left, Side::White, Termination::Abandoned, "stopped");
}

#[test]
fn a_game_that_is_stopped_from_outside_has_no_result() {
    let stop = AtomicBool::new(false);
    let n_moves = AtomicU64::new(0);
    let opening = Record::new(Position::OTHELLO_START);
    let mut white = Script(|situation: &Situation<'_>| {
        situation.control.stop.store(true, Ordering::Relaxed);
        Err(Failure::Stopped)
    });
    let world = World {
        now_ms: &|| 0,
        stop: &stop,
        is_wanted: &|| true,
        watch: &|_| {},
        wants_thoughts: &|| false,
    };
    let players: [&mut dyn Player; 2] = [&mut Script(first_move), &mut white];
    assert_eq!(
        referee::play(&opening, players, &Conditions::default(), &world),
        None
    );
    let world = World {
        now_ms: &|| 0,
        stop: &AtomicBool::new(false),
        is_wanted: &|| n_moves.fetch_add(1, Ordering::Relaxed) < 4,
        watch: &|_| {},
        wants_thoughts: &|| false,
    };
    let players: [&mut dyn Player; 2] = [&mut Script(first_move), &mut Script(first_move)];
    assert_eq!(
        referee::play(&opening, players, &Conditions::default(), &world),
        None
    );
    assert_eq!(n_moves.into_inner(), 5);
}

#[test]
fn what_a_player_thinks_of_its_move_is_kept_with_it() {
    let played = against(|situation| {
        let action = situation.position.legal_moves()[0];
        let source = Source {
            engine: "Script".to_owned(),
            version: "1".to_owned(),
            weights: None,
        };
        let mut report = Report::new(situation.position.clone(), source);
        report.lines.push(Line {
            score: Score::centi(-150),
            bound: game::Bound::Exact,
            moves: vec![action],
        });
        Ok(Choice {
            action,
            report: Some(report),
        })
    });
    let second = played.record.main_line().nth(1).unwrap();
    let note = &played.record.node(second).unwrap().note;
    assert_eq!(note.eval.as_deref(), Some("-1.50"));
}
