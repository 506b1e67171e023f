use super::*;
use game::{Bound, Line, Side};

fn setup(mode: Mode, people: People) -> Setup {
    Setup {
        opponent: None,
        id: "s1".to_owned(),
        record: Record::new(Position::OTHELLO_START),
        ply: None,
        mode,
        people,
        level: Profile::default(),
        manner: Manner::default(),
        seed: 7,
        time_control: TimeControl::Unlimited,
        show_values: false,
    }
}

fn action(text: &str) -> Move {
    Position::OTHELLO_START.parse_move(text).unwrap()
}

/// Plays moves one after the other, whoever's they are.
fn make(session: &mut Session, moves: &str) {
    for text in moves.split_whitespace() {
        session.make(session.cursor(), action(text), 0).unwrap();
    }
}

fn moves(session: &Session) -> String {
    let moves = session.record().moves_to(session.cursor());
    let words: Vec<String> = moves.iter().map(ToString::to_string).collect();
    words.join(" ")
}

#[test]
fn undo_goes_back_to_a_persons_choice_and_redo_forth_again() {
    let mut session = Session::new(setup(Mode::Play, People::Black));
    assert!(!session.can_undo() && !session.can_redo());
    make(&mut session, "f5 d6 c3 d3");
    assert_eq!(session.awaiting(), Awaiting::Human);
    session.undo(0).unwrap();
    assert_eq!(moves(&session), "f5 d6");
    session.undo(0).unwrap();
    assert_eq!(moves(&session), "");
    assert!(!session.can_undo());
    session.redo(0).unwrap();
    assert_eq!(moves(&session), "f5 d6");
    session.redo(0).unwrap();
    assert_eq!(moves(&session), "f5 d6 c3 d3");
    assert!(!session.can_redo());
    // Undo beyond the start and redo beyond the end do nothing.
    session.redo(0).unwrap();
    assert_eq!(moves(&session), "f5 d6 c3 d3");
}

#[test]
fn undo_while_the_engine_is_to_move_takes_the_persons_move_back() {
    let mut session = Session::new(setup(Mode::Play, People::Black));
    make(&mut session, "f5 d6 c3");
    session.set_thinking(true);
    session.undo(0).unwrap();
    assert_eq!(moves(&session), "f5 d6");
    assert_eq!(session.thinking(), None);
    // The way back ends at the engine's turn, which the engine then takes.
    session.redo(0).unwrap();
    assert_eq!(moves(&session), "f5 d6 c3");
    assert_eq!(session.awaiting(), Awaiting::Engine);
}

#[test]
fn a_person_with_white_cannot_undo_before_the_first_choice() {
    let mut session = Session::new(setup(Mode::Play, People::White));
    make(&mut session, "f5");
    assert!(!session.can_undo());
    make(&mut session, "d6 c3");
    session.undo(0).unwrap();
    assert_eq!(moves(&session), "f5");
}

#[test]
fn a_new_move_after_undo_is_a_variation_and_the_old_line_stays() {
    let mut session = Session::new(setup(Mode::Analyse, People::Both));
    make(&mut session, "f5 d6 c3");
    session.undo(0).unwrap();
    session.undo(0).unwrap();
    let f5 = session.cursor();
    make(&mut session, "f6");
    assert_eq!(session.record().children(f5).len(), 2);
    assert_eq!(session.line().len(), 3, "the move list shows the new line");
    assert!(!session.can_redo());
    // Going back and forth stays on the line that was looked at last.
    session.step(Step::First, 0).unwrap();
    session.step(Step::Last, 0).unwrap();
    assert_eq!(moves(&session), "f5 f6");
    // The old line is still there.
    let d6 = session.record().child(f5, action("d6")).unwrap();
    session.go(d6, 0).unwrap();
    session.step(Step::Next, 0).unwrap();
    assert_eq!(moves(&session), "f5 d6 c3");
    session.step(Step::Next, 0).unwrap();
    assert_eq!(
        moves(&session),
        "f5 d6 c3",
        "a step beyond the end changes nothing"
    );
}

#[test]
fn playing_at_another_place_goes_there() {
    let mut session = Session::new(setup(Mode::Analyse, People::Both));
    make(&mut session, "f5 d6 c3");
    let root = session.record().root();
    session.play(root, action("d3"), 0).unwrap();
    assert_eq!(moves(&session), "d3");
    assert_eq!(session.record().children(root).len(), 2);
    // A move that is there already is followed.
    session.play(root, action("f5"), 0).unwrap();
    assert_eq!(session.record().children(root).len(), 2);
}

#[test]
fn the_engines_turn_is_not_a_persons() {
    let mut session = Session::new(setup(Mode::Play, People::Black));
    make(&mut session, "f5");
    let before = session.revision();
    let error = session.play(session.cursor(), action("d6"), 0).unwrap_err();
    assert_eq!(error, SessionError::EnginesTurn);
    let root = session.record().root();
    let illegal = session.play(root, action("a1"), 0).unwrap_err();
    assert_eq!(
        illegal.to_string(),
        "a1 is not legal here: a1 flips no disc; legal: d3 c4 f5 e6"
    );
    assert_eq!(session.revision(), before, "nothing has changed");
}

#[test]
fn passes_are_made_and_undone_by_themselves() {
    let mut session = Session::new(setup(Mode::Analyse, People::Both));
    let mut random = othello::sample::SplitMix64::new(3);
    let mut n_passes = 0;
    for _ in 0..20 {
        session = Session::new(setup(Mode::Analyse, People::Both));
        while !session.position().is_over() {
            let legal = session.legal(session.cursor());
            assert!(!legal.is_empty(), "a pass that is due was made");
            let choice = &legal[random.below(legal.len() as u32) as usize];
            session.make(session.cursor(), choice.action, 0).unwrap();
            let pass = Move::Othello(othello::Move::Pass);
            let node = session.record().node(session.cursor()).unwrap();
            if node.action() == Some(pass) {
                n_passes += 1;
                let cursor = session.cursor();
                session.undo(0).unwrap();
                assert!(!session.legal(session.cursor()).is_empty());
                session.redo(0).unwrap();
                assert_eq!(session.cursor(), cursor);
            }
        }
    }
    assert!(n_passes > 0, "random games have passes");
    assert_eq!(session.awaiting(), Awaiting::Nobody);
    assert!(session.outcome().is_some());
    let value = session.value(session.cursor()).unwrap();
    assert!(value.solved);
}

#[test]
fn deleting_where_one_stands_steps_back() {
    let mut session = Session::new(setup(Mode::Analyse, People::Both));
    make(&mut session, "f5 d6 c3");
    let line = session.line();
    session.learn(line[3], &report(100, 4));
    session.delete(line[2], 0).unwrap();
    assert_eq!(session.cursor(), line[1]);
    assert_eq!(session.line().len(), 2);
    assert_eq!(session.value(line[3]), None);
    assert!(session.go(line[2], 0).is_err(), "it is gone");
    assert!(session.delete(session.record().root(), 0).is_err());
}

#[test]
fn comments_signs_and_promotion() {
    let mut session = Session::new(setup(Mode::Analyse, People::Both));
    make(&mut session, "f5 d6");
    session.undo(0).unwrap();
    make(&mut session, "f6");
    let f6 = session.cursor();
    session.comment(f6, "why not").unwrap();
    session.set_glyphs(f6, &[Glyph::GOOD, Glyph::GOOD]).unwrap();
    session.promote(f6, true).unwrap();
    assert_eq!(session.record().main_end(), f6);
    let note = &session.record().node(f6).unwrap().note;
    assert_eq!(note.comment.as_deref(), Some("why not"));
    assert_eq!(note.glyphs, [Glyph::GOOD]);
    let long = "x".repeat(COMMENT_MAX + 1);
    assert!(session.comment(f6, &long).is_err());
    session.comment(f6, "").unwrap();
    assert_eq!(session.record().node(f6).unwrap().note.comment, None);
}

fn report(score: i32, depth: u32) -> Report {
    let source = game::Source {
        engine: "Test".to_owned(),
        version: "1".to_owned(),
        weights: None,
    };
    Report {
        lines: vec![Line {
            score: Score::centi(score),
            bound: Bound::Exact,
            moves: vec![action("f5")],
        }],
        score: Score::centi(score),
        depth,
        ..Report::new(Position::OTHELLO_START, source)
    }
}

#[test]
fn values_only_get_better_and_give_losses() {
    let mut session = Session::new(setup(Mode::Play, People::Black));
    make(&mut session, "f5");
    let (root, f5) = (session.record().root(), session.cursor());
    assert!(session.learn(root, &report(300, 10)));
    assert!(!session.learn(root, &report(200, 4)), "less is known there");
    assert!(session.learn(f5, &report(100, 9)));
    assert_eq!(
        session.loss(f5),
        Some(Score::centi(400)),
        "+3 became -1 for Black"
    );
    assert!(!session.shows_values(), "hidden in Play");
    session.set_show_values(true);
    assert!(session.shows_values());
    let bound = Report {
        bound: Bound::Lower,
        ..report(0, 20)
    };
    assert!(!session.learn(f5, &bound), "a bound is no value");
}

fn timed() -> Session {
    Session::new(Setup {
        time_control: "10+1".parse().unwrap(),
        ..setup(Mode::Play, People::Black)
    })
}

#[test]
fn a_clock_starts_with_the_first_move_and_loses_a_game() {
    let mut session = timed();
    assert_eq!(session.next_flag_ms(5_000), None, "nobody has moved yet");
    session.make(session.cursor(), action("f5"), 5_000).unwrap();
    let clock = session.clock().unwrap();
    assert_eq!(clock.running(), Some(Side::White));
    assert_eq!(clock.remaining_ms(Side::Black, 5_000), Some(11_000));
    assert_eq!(session.next_flag_ms(6_000), Some(15_000));
    assert!(!session.look_at_clock(14_999));
    assert!(session.look_at_clock(15_000));
    assert!(!session.look_at_clock(15_001), "a flag falls once");
    assert_eq!(session.awaiting(), Awaiting::Nobody);
    assert_eq!(session.status(), "Black wins: White's time ran out");
    let error = session
        .play(session.cursor(), action("d6"), 15_002)
        .unwrap_err();
    assert_eq!(error, SessionError::Lost(Side::White, Loss::Time));
    // Taking the move back gives the time back.
    session.undo(16_000).unwrap();
    assert_eq!(session.awaiting(), Awaiting::Human);
    assert_eq!(
        session.clock().unwrap().remaining_ms(Side::White, 16_000),
        Some(10_000)
    );
}

#[test]
fn looking_at_other_places_stops_the_clock() {
    let mut session = timed();
    session.make(session.cursor(), action("f5"), 0).unwrap();
    session.make(session.cursor(), action("d6"), 2_000).unwrap();
    let live = session.cursor();
    session.step(Step::First, 3_000).unwrap();
    assert_eq!(session.clock().unwrap().running(), None);
    session.go(live, 60_000).unwrap();
    let clock = session.clock().unwrap();
    assert_eq!(clock.running(), None, "it runs on with the next move");
    assert_eq!(clock.remaining_ms(Side::White, 60_000), Some(9_000));
    session.make(live, action("c3"), 61_000).unwrap();
    assert_eq!(session.clock().unwrap().running(), Some(Side::White));
}

#[test]
fn a_session_comes_back_from_its_file() {
    let mut session = timed();
    session.make(session.cursor(), action("f5"), 1_000).unwrap();
    session.make(session.cursor(), action("d6"), 2_000).unwrap();
    session.undo(2_000).unwrap();
    session.make(session.cursor(), action("d3"), 2_000).unwrap();
    let d3 = session.cursor();
    session.comment(d3, "two\nlines = \"odd\"").unwrap();
    session.set_glyphs(d3, &[Glyph::DUBIOUS]).unwrap();
    session.learn(d3, &report(-50, 12));
    session.promote(d3, true).unwrap();
    let text = session.to_text(3_000).unwrap();
    let again = Session::from_text("s1", &text).unwrap();
    assert_eq!(moves(&again), "d3");
    assert_eq!(again.record().main_end(), again.cursor());
    let root = again.record().root();
    assert_eq!(again.record().children(root).len(), 2);
    let note = &again.record().node(again.cursor()).unwrap().note;
    assert_eq!(note.comment.as_deref(), Some("two\nlines = \"odd\""));
    assert_eq!(note.glyphs, [Glyph::DUBIOUS]);
    assert_eq!(again.value(again.cursor()), session.value(d3));
    assert!(again.revision() > session.revision());
    let clock = again.clock().unwrap();
    assert_eq!(clock.running(), None);
    assert_eq!(clock.remaining_ms(Side::White, 0), Some(9_000));
    assert_eq!(
        (again.people(), again.mode(), again.seed()),
        (People::Black, Mode::Play, 7)
    );
    // Deleted places leave no trace in the numbering.
    let twice = Session::from_text("s1", &again.to_text(0).unwrap()).unwrap();
    assert_eq!(twice.line(), again.line());
}

#[test]
fn damaged_files_are_told_never_believed() {
    let mut session = Session::new(setup(Mode::Analyse, People::Both));
    make(&mut session, "f5 d6 c3");
    let text = session.to_text(0).unwrap();
    assert!(matches!(
        Session::from_text("s1", "hello"),
        Err(LoadError::Shape(_))
    ));
    let newer = text.replacen("version = 2", "version = 8", 1);
    assert_eq!(
        Session::from_text("s1", &newer).unwrap_err(),
        LoadError::Newer(8)
    );
    for (from, to) in [
        ("move = \"d6\"", "move = \"a1\""),
        ("parent = 1", "parent = 9"),
        ("cursor = 3", "cursor = 30"),
        ("level = \"elo_1400\"", "level = \"elo_1600\""),
        ("mode = \"analyse\"", "mode = \"sleep\""),
    ] {
        let broken = text.replacen(from, to, 1);
        assert_ne!(broken, text, "{from}");
        let error = Session::from_text("s1", &broken).unwrap_err();
        assert!(matches!(error, LoadError::Damaged(_)), "{from}: {error}");
    }
    // Cut anywhere, it is an error or a shorter game, never a panic.
    for end in 0..text.len() {
        if let Some(cut) = text.get(..end) {
            let _read = Session::from_text("s1", cut);
        }
    }
}

#[test]
fn a_list_needs_the_beginning_of_a_file_only() {
    let mut session = Session::new(setup(Mode::Analyse, People::Both));
    make(&mut session, "f5 d6 c3");
    session.set_title(" the last round ").unwrap();
    let text = session.to_text(0).unwrap();
    let at = text.find("[[place]]").unwrap();
    let cut = format!("{}[[place]]\nno TOML any more", &text[..at]);
    let header = Header::read("s1", &cut).unwrap();
    assert_eq!(header, session.header());
    assert_eq!(header.title.as_deref(), Some("the last round"));
    assert_eq!(header.plies, 3);
    // A file of version 1 has no summary: it is read to its end.
    let lines = text.lines().filter(|line| {
        !["title", "plies", "status"]
            .iter()
            .any(|name| line.starts_with(name))
    });
    let first: Vec<&str> = lines.collect();
    let first = first.join("\n").replacen("version = 2", "version = 1", 1);
    let old = Header::read("s1", &first).unwrap();
    assert_eq!((old.plies, old.status), (3, header.status));
}

#[test]
fn comments_and_titles_have_limits_that_are_told() {
    let mut session = Session::new(setup(Mode::Analyse, People::Both));
    let long = "x".repeat(COMMENT_MAX);
    let mut refused = None;
    while refused.is_none() {
        let legal = session.legal(session.cursor());
        let action = legal[0].action;
        session.make(session.cursor(), action, 0).unwrap();
        refused = session.comment(session.cursor(), &long).err();
    }
    assert_eq!(refused, Some(SessionError::LongComments));
    assert!(refused.unwrap().to_string().contains("1048576 bytes"));
    session.comment(session.cursor(), "short").unwrap();
    let title = "x".repeat(TITLE_MAX + 1);
    assert_eq!(session.set_title(&title), Err(SessionError::LongTitle(201)));
}

#[test]
fn a_chosen_engine_and_its_time_are_kept_and_older_files_have_neither() {
    let plain = Session::new(setup(Mode::Play, People::Black));
    let text = plain.to_text(0).unwrap();
    // A program that knows neither can read a game that has neither.
    assert!(text.starts_with("version = 2\n"), "{text}");
    let again = Session::from_text("s1", &text).unwrap();
    assert_eq!(again.manner(), Manner::default());
    let manner = Manner {
        engine: Some(crate::config::EngineName::Mcts),
        move_ms: Some(3_000),
    };
    let chosen = Session::new(Setup {
        manner,
        ..setup(Mode::Play, People::Black)
    });
    let text = chosen.to_text(0).unwrap();
    assert!(text.starts_with("version = 3\n"), "{text}");
    let again = Session::from_text("s1", &text).unwrap();
    assert_eq!(again.manner(), manner);
    for (good, bad) in [("\"mcts\"", "\"oracle\""), ("3000", "1"), ("3000", "-1")] {
        let broken = text.replace(good, bad);
        assert!(Session::from_text("s1", &broken).is_err(), "{bad}");
    }
}

#[test]
fn only_whole_games_without_taking_back_are_rated() {
    let whole = "e6 f4 e3 f6 g5 d6 e7 f5 c5";
    let result = |people, moves: &str| {
        let mut session = Session::new(setup(Mode::Play, people));
        make(&mut session, moves);
        session.rated_result()
    };
    let level = Profile::default();
    assert_eq!(result(People::Black, whole), Some((level, 1.0)));
    assert_eq!(result(People::White, whole), Some((level, 0.0)));
    assert_eq!(result(People::Both, whole), None);
    assert_eq!(result(People::Black, "e6 f4"), None, "not finished");
    let mut analysed = Session::new(setup(Mode::Analyse, People::Black));
    make(&mut analysed, whole);
    assert_eq!(analysed.rated_result(), None);
    let kept = Session::from_text("s1", &analysed.to_text(0).unwrap()).unwrap();
    assert_eq!(kept.rated_result(), None, "nor when it is read again");
    let mut retried = Session::new(setup(Mode::Play, People::Black));
    make(&mut retried, "e6 f6");
    let first = retried.record().main_line().next().unwrap();
    retried.make(first, action("f4"), 0).unwrap();
    make(&mut retried, "e3 f6 g5 d6 e7 f5 c5");
    let end = retried.cursor();
    assert!(retried.record().is_over_at(end));
    assert_eq!(retried.rated_result(), None, "a move was taken back");
    let mut foreign = setup(Mode::Play, People::Black);
    foreign.opponent = Some(Opponent {
        id: "edax".parse().unwrap(),
        name: "Edax".to_owned(),
        options: Vec::new(),
        depth: None,
        nodes: None,
    });
    let mut foreign = Session::new(foreign);
    make(&mut foreign, whole);
    assert!(foreign.played_end().is_some());
    assert_eq!(foreign.rated_result(), None, "no level played");
}

/// Looking at a game and trying moves in it changes neither who played it nor what it was worth.
#[test]
fn a_reviewed_game_is_still_the_game_that_was_played() {
    let mut session = Session::new(setup(Mode::Play, People::Black));
    make(&mut session, "e6 f4 e3 f6 g5 d6 e7 f5 c5");
    let (end, rated) = (session.played_end().unwrap(), session.rated_result());
    assert!(rated.is_some());
    session.set_mode(Mode::Analyse, 0);
    let first = session.record().main_line().next().unwrap();
    session.play(first, action("f6"), 0).unwrap();
    for session in [
        &session,
        &Session::from_text("s1", &session.to_text(0).unwrap()).unwrap(),
    ] {
        assert_eq!(session.played_end().unwrap().1, end.1);
        assert_eq!(session.rated_result(), rated);
        assert_eq!(session.player(Side::Black).name, "You");
        let header = session.header();
        assert_eq!(header.summary(), "Black wins 64–0");
        assert_eq!(
            header,
            Header::read("s1", &session.to_text(0).unwrap()).unwrap()
        );
    }
}

#[test]
fn a_game_that_was_given_up_can_be_taken_back_and_ends_anew() {
    let mut session = Session::new(setup(Mode::Play, People::Black));
    make(&mut session, "e6 f4");
    session.resign(0).unwrap();
    assert!(session.is_finished());
    let lost = session.played_end().unwrap().1;
    assert_eq!(lost.winner, Some(Side::White));
    session.undo(0).unwrap();
    make(&mut session, "e6 f4");
    assert!(!session.is_finished());
    assert_eq!(session.played_end(), None);
    make(&mut session, "e3 f6 g5 d6 e7 f5 c5");
    assert!(session.is_finished());
    let won = session.played_end().unwrap().1;
    assert_eq!(won.black_centidiscs, Some(6400));
    assert_eq!(session.header().outcome, Some(won));
}

#[test]
fn players_are_called_by_who_they_are() {
    let names = |mode, people, tags: &[(&str, &str)]| {
        let mut setup = setup(mode, people);
        for &(tag, name) in tags {
            setup.record.tags.set(tag, name);
        }
        let session = Session::new(setup);
        Side::BOTH.map(|side| session.player(side).name)
    };
    let level = "level 1400";
    for (people, expected) in [
        (People::Black, ["You", level]),
        (People::White, [level, "You"]),
        (People::Both, ["Black", "White"]),
        (People::Nobody, [level, level]),
    ] {
        for mode in [Mode::Play, Mode::Analyse] {
            assert_eq!(names(mode, people, &[]), expected, "{people:?} {mode:?}");
        }
    }
    let recorded = names(Mode::Play, People::Black, &[(game::Tags::BLACK, "Ivanov")]);
    assert_eq!(recorded, ["Ivanov", level]);
}

#[test]
fn an_older_program_leaves_a_game_of_the_engine_against_itself_alone() {
    let session = Session::new(setup(Mode::Play, People::Nobody));
    let text = session.to_text(0).unwrap();
    assert!(text.starts_with("version = 4\n"), "{text}");
    let read = Session::from_text("s1", &text).unwrap();
    assert_eq!(read.people(), People::Nobody);
}

#[test]
fn a_move_is_as_bad_as_the_chances_that_it_cost() {
    let mut session = Session::new(setup(Mode::Analyse, People::Both));
    make(&mut session, "f5");
    let (root, after) = (session.record().root(), session.cursor());
    assert_eq!(session.severity(after), None, "nobody has looked");
    let mut learn = |id, score: i32| {
        let position = session.record().position(id).unwrap().clone();
        let source = game::Source {
            engine: "test".to_owned(),
            version: "1".to_owned(),
            weights: None,
        };
        let report = Report {
            score: Score::centi(score),
            depth: 8,
            ..Report::new(position, source)
        };
        assert!(session.learn(id, &report));
    };
    learn(root, 0);
    learn(after, 1_400);
    assert_eq!(session.severity(after), Some(Severity::Blunder));
    assert_eq!(session.loss(after), Some(Score::centi(1_400)));
}

/// How a reader stands with a mistake is kept with the game, and goes with its place.
#[test]
fn tries_are_kept() {
    let mut session = Session::new(setup(Mode::Analyse, People::Both));
    make(&mut session, "f5 d6 c3");
    let line = session.line();
    let before = session.revision();
    session.set_tried(line[1], Some(Tried::Found)).unwrap();
    session.set_tried(line[2], Some(Tried::Seen)).unwrap();
    assert_eq!(session.revision(), before + 2);
    session.set_tried(line[2], Some(Tried::Seen)).unwrap();
    assert_eq!(session.revision(), before + 2);
    let text = session.to_text(0).unwrap();
    assert!(text.starts_with("version = 5\n"), "{text}");
    let again = Session::from_text("s1", &text).unwrap();
    let standings: Vec<_> = again.line().iter().map(|&it| again.tried(it)).collect();
    assert_eq!(
        standings,
        [None, Some(Tried::Found), Some(Tried::Seen), None]
    );
    let broken = text.replacen("\"seen\"", "\"guessed\"", 1);
    assert!(matches!(
        Session::from_text("s1", &broken),
        Err(LoadError::Damaged(_))
    ));
    session.set_tried(line[1], None).unwrap();
    session.delete(line[2], 0).unwrap();
    assert!(line.iter().all(|&it| session.tried(it).is_none()));
    assert!(session.set_tried(line[2], Some(Tried::Seen)).is_err());
    // Without them the file is as old programs read it.
    assert!(session.to_text(0).unwrap().starts_with("version = 2\n"));
}

#[test]
fn a_draw_is_claimed_where_it_is_there_and_stays_in_the_file() {
    let mut session = Session::new(Setup {
        record: Record::new(game::Kind::Chess.start()),
        ..setup(Mode::Play, People::Both)
    });
    assert_eq!(session.claim_draw(0), Err(SessionError::NothingToClaim));
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for text in [shuffle, shuffle].concat() {
        assert_eq!(session.draw_claim(), None);
        let action = session.position().parse_move(text).unwrap();
        session.play(session.cursor(), action, 0).unwrap();
    }
    assert_eq!(session.draw_claim(), Some(game::Claim::Repetition));
    session.claim_draw(10).unwrap();
    assert_eq!(session.outcome().unwrap().winner, None);
    assert_eq!(
        session.outcome_text().unwrap(),
        "A draw by threefold repetition"
    );
    assert_eq!(session.awaiting(), Awaiting::Nobody);
    let next = session.position().parse_move("e2e4").unwrap();
    let refused = session.play(session.cursor(), next, 20);
    assert_eq!(refused, Err(SessionError::Drawn));
    let kept = Session::from_text("s1", &session.to_text(20).unwrap()).unwrap();
    assert_eq!(kept.outcome(), session.outcome());
    assert_eq!(kept.outcome_text(), session.outcome_text());
    // Taken back, the game goes on.
    session.undo(30).unwrap();
    assert_eq!(session.outcome(), None);
}

#[test]
fn a_game_that_was_given_up_is_over_there_and_stays_so_in_its_file() {
    let mut session = Session::new(setup(Mode::Play, People::Black));
    make(&mut session, "f5 d6");
    assert!(session.can_resign());
    session.resign(10).unwrap();
    let outcome = session.outcome().unwrap();
    assert_eq!(outcome.winner, Some(Side::White));
    assert_eq!(outcome.termination, game::Termination::Resignation);
    assert_eq!(
        session.outcome_text().unwrap(),
        "White wins: Black resigned"
    );
    assert_eq!(session.awaiting(), Awaiting::Nobody);
    assert_eq!(session.resign(20), Err(SessionError::NothingToResign));
    let kept = Session::from_text("s1", &session.to_text(20).unwrap()).unwrap();
    assert_eq!(kept.outcome(), session.outcome());
    // Taken back, the game goes on, and the end is still there.
    session.undo(30).unwrap();
    assert_eq!(session.outcome(), None);
    session.redo(40).unwrap();
    assert!(session.outcome().is_some());
    let mut alone = Session::new(setup(Mode::Play, People::Both));
    assert_eq!(alone.resign(0), Err(SessionError::NothingToResign));
}
