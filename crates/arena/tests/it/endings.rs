//! Games end for every reason that a tournament knows, in both games.

use arena::{
    player::{Choice, Failure, Player, Situation},
    referee::{self, Conditions, Draw, News, Oracle, Played, Reason, Resign, Rules, World},
};
use game::{Bound, Kind, Line, Outcome, Position, Record, Report, Score, Side, Source};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Plays given moves again and again, or the first legal one, and thinks what it is told to think.
struct Script {
    moves: Vec<&'static str>,
    next: usize,
    score: Option<i32>,
}

impl Script {
    fn new(moves: &[&'static str]) -> Self {
        Self {
            moves: moves.to_vec(),
            next: 0,
            score: None,
        }
    }

    fn thinking(score: i32) -> Self {
        Self {
            score: Some(score),
            ..Self::new(&[])
        }
    }
}

impl Player for Script {
    fn choose(&mut self, situation: Situation<'_>) -> Result<Choice, Failure> {
        let position = situation.position;
        let action = match self.moves.get(self.next % self.moves.len().max(1)) {
            Some(text) => position.parse_move(text).expect("a legal move"),
            None => position.legal_moves()[0],
        };
        self.next += 1;
        let report = self.score.map(|score| {
            let source = Source {
                engine: "Script".to_owned(),
                version: String::new(),
                weights: None,
            };
            let mut report = Report::new(position.clone(), source);
            report.depth = 7;
            report.lines.push(Line {
                score: Score::centi(score),
                bound: Bound::Exact,
                moves: vec![action],
            });
            (situation.control.observe)(&report);
            report
        });
        Ok(Choice { action, report })
    }
}

fn play(start: &str, black: Script, white: Script, conditions: &Conditions<'_>) -> Played {
    let position = if start.contains('/') {
        Kind::Chess.parse_position(start).expect("a position")
    } else if start == "chess" {
        Kind::Chess.start()
    } else {
        Kind::Othello.start()
    };
    let (mut black, mut white) = (black, white);
    let n_told = AtomicUsize::new(0);
    let world = World {
        now_ms: &|| 0,
        stop: &AtomicBool::new(false),
        is_wanted: &|| true,
        watch: &|news| {
            if let News::Moved { record, at, .. } = news {
                assert!(record.position(at).is_some());
                n_told.fetch_add(1, Ordering::Relaxed);
            }
        },
        wants_thoughts: &|| true,
    };
    let opening = Record::new(position);
    let players: [&mut dyn Player; 2] = [&mut black, &mut white];
    let played = referee::play(&opening, players, conditions, &world).expect("it has an end");
    assert_eq!(played.record.outcome, Some(played.outcome));
    assert_eq!(played.outcome.termination, played.reason.termination());
    assert_eq!(
        n_told.into_inner(),
        1 + played.record.main_line().count(),
        "the start and every move are told"
    );
    played
}

fn rules(rules: Rules) -> Conditions<'static> {
    Conditions {
        rules,
        ..Conditions::default()
    }
}

#[track_caller]
fn check(played: &Played, reason: Reason, winner: Option<Side>) {
    assert_eq!((played.reason, played.outcome.winner), (reason, winner));
    assert_eq!(played.failure, None);
}

#[test]
fn the_rules_of_chess_end_games() {
    let usual = Conditions::default();
    let white = Script::new(&["f2f3", "g2g4"]);
    let mate = play("chess", Script::new(&["e7e5", "d8h4"]), white, &usual);
    check(&mate, Reason::Checkmate, Some(Side::Black));
    let none = || Script::new(&[]);
    let stalemate = "7k/8/8/6Q1/8/8/8/K7 w - - 0 1";
    let played = play(stalemate, none(), Script::new(&["g5g6"]), &usual);
    check(&played, Reason::Stalemate, None);
    let material = "k7/8/8/8/8/8/1p6/K7 w - - 0 1";
    let played = play(material, none(), Script::new(&["a1b2"]), &usual);
    check(&played, Reason::Material, None);
}

#[test]
fn draws_that_can_be_claimed_are_given() {
    let there_and_back = || {
        (
            Script::new(&["g8f6", "f6g8"]),
            Script::new(&["g1f3", "f3g1"]),
        )
    };
    let (black, white) = there_and_back();
    let played = play("chess", black, white, &Conditions::default());
    check(&played, Reason::Repetition, None);
    assert_eq!(played.record.main_line().count(), 8);
    let (black, white) = there_and_back();
    let unclaimed = rules(Rules {
        claims: false,
        ..Rules::default()
    });
    let played = play("chess", black, white, &unclaimed);
    check(&played, Reason::Repetition, None);
    assert_eq!(played.record.main_line().count(), 16, "the fifth time");
    let quiet = "7k/8/8/8/8/8/p7/K4R2 w - - 98 80";
    let (black, white) = (Script::new(&["h8h7"]), Script::new(&["f1e1"]));
    let played = play(quiet, black, white, &Conditions::default());
    check(&played, Reason::FiftyMoves, None);
}

#[test]
fn othello_is_counted() {
    let none = || Script::new(&[]);
    let played = play("othello", none(), none(), &Conditions::default());
    assert_eq!(played.reason, Reason::Counted);
    assert!(played.outcome.black_centidiscs.is_some());
    let n_passes = played
        .record
        .main_moves()
        .filter(|it| it.to_string() == "ps")
        .count();
    assert_eq!(
        played.steps.len() + n_passes,
        played.record.main_line().count()
    );
}

#[test]
fn players_who_think_they_lost_have_lost() {
    let resign = |two_sided| {
        rules(Rules {
            resign: Some(Resign {
                score: 600,
                moves: 3,
                two_sided,
            }),
            ..Rules::default()
        })
    };
    let lost = || Script::thinking(-700);
    let played = play("chess", Script::thinking(10), lost(), &resign(false));
    check(&played, Reason::LostScore, Some(Side::Black));
    assert_eq!(played.record.main_line().count(), 5);
    assert_eq!(played.steps[0].depth, Some(7));
    let played = play("chess", Script::thinking(650), lost(), &resign(true));
    check(&played, Reason::LostScore, Some(Side::Black));
    assert_eq!(played.record.main_line().count(), 6, "both must think so");
    let played = play("othello", Script::thinking(10), lost(), &resign(true));
    assert_eq!(played.reason, Reason::Counted, "the opponent disagrees");
}

#[test]
fn players_who_think_it_drawn_have_drawn() {
    let draw = rules(Rules {
        draw: Some(Draw {
            score: 20,
            moves: 4,
            from_move: 6,
        }),
        ..Rules::default()
    });
    let even = || Script::thinking(-15);
    let played = play("chess", even(), even(), &draw);
    check(&played, Reason::DrawnScore, None);
    assert_eq!(played.record.main_line().count(), 12);
    let played = play("othello", even(), Script::thinking(25), &draw);
    assert_eq!(played.reason, Reason::Counted);
}

#[test]
fn long_games_end() {
    let short = rules(Rules {
        max_moves: Some(10),
        ..Rules::default()
    });
    let none = || Script::new(&[]);
    let played = play("chess", none(), none(), &short);
    check(&played, Reason::Length, None);
    assert_eq!(played.record.main_line().count(), 20);
}

/// Knows every position with few empty squares.
struct Knowing;

impl Oracle for Knowing {
    fn outcome(&self, position: &Position) -> Option<(Outcome, Reason)> {
        let board = position.othello()?.board;
        let is_near = board.empties().len() <= 50;
        is_near.then(|| {
            let reason = Reason::Solved;
            (Outcome::counted(1_200, reason.termination()), reason)
        })
    }
}

#[test]
fn who_knows_the_result_ends_the_game() {
    let none = || Script::new(&[]);
    let conditions = Conditions {
        oracle: Some(&Knowing),
        ..Conditions::default()
    };
    let played = play("othello", none(), none(), &conditions);
    check(&played, Reason::Solved, Some(Side::Black));
    assert_eq!(played.outcome.black_centidiscs, Some(1_200));
    assert_eq!(played.record.main_line().count(), 10);
}
