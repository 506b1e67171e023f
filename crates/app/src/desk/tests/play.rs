//! Moves, clocks, the engine's replies, analyses.

use super::*;
use crate::{
    config::EngineName,
    session::{Awaiting, Step},
};

#[test]
fn a_person_moves_the_engine_replies_and_both_go_back() {
    let room = Room::new();
    let id = room.game("elo_400");
    room.desk.play(&id, None, "f5").unwrap();
    let replied = room.wait_for_reply(&id);
    assert_eq!(replied.session.record().n_nodes(), 3);
    room.desk.undo(&id).unwrap();
    assert_eq!(room.moves(&id), "");
    room.desk.redo(&id).unwrap();
    assert_eq!(room.moves(&id).split(' ').count(), 2);
    room.desk.step(&id, Step::First).unwrap();
    room.desk.play(&id, None, "d3").unwrap();
    let replied = room.wait_for_reply(&id);
    assert_eq!(replied.session.record().n_nodes(), 5);
    // Revisions that were told grow.
    let events = lock(&room.told.events);
    let revisions: Vec<u64> = events
        .iter()
        .filter_map(|event| match event {
            Event::Session(it) if it.session.id() == id => Some(it.session.revision()),
            _ => None,
        })
        .collect();
    assert!(revisions.is_sorted(), "{revisions:?}");
}

#[test]
fn the_same_chance_gives_the_same_game() {
    let game = || {
        let room = Room::new();
        let id = room.game("elo_800");
        for _ in 0..4 {
            let now = room.desk.session(&id).unwrap();
            let legal = now.session.legal(now.session.cursor());
            room.desk
                .play(&id, None, &legal[0].action.to_string())
                .unwrap();
            room.wait_for_reply(&id);
        }
        room.moves(&id)
    };
    assert_eq!(game(), game());
}

#[test]
fn a_clock_that_runs_out_ends_the_game_on_disk_too() {
    let room = Room::new();
    let wish = NewGame {
        people: Some(crate::People::Both),
        time_control: Some((60_000, 0)),
        ..NewGame::default()
    };
    let id = room.desk.new_game(&wish).unwrap().session.id().to_owned();
    room.desk.play(&id, None, "f5").unwrap();
    room.pass_ms(59_999);
    room.desk.attend();
    assert_eq!(room.desk.session(&id).unwrap().session.lost(), None);
    room.pass_ms(1);
    room.desk.attend();
    let over = room.desk.session(&id).unwrap().session;
    assert_eq!(over.lost(), Some(game::Side::White));
    assert_eq!(over.awaiting(), Awaiting::Nobody);
    room.told.wait_for(|event| match event {
        Event::Clock { session, clock, .. } => {
            (*session == id && clock.running().is_none()).then_some(())
        }
        _ => None,
    });
    let mut archive = Archive::open(&home_on(&room.memory.after(Crash::NamesLost))).unwrap();
    let kept = archive.load(&id).unwrap();
    assert_eq!(kept.lost(), Some(game::Side::White));
    room.desk.play(&id, None, "d6").unwrap_err();
}

#[test]
fn an_analysis_follows_and_its_older_generations_are_silent() {
    let room = Room::new();
    let id = room.board();
    let wish = AnalysisWish {
        depth: Some(4),
        ..AnalysisWish::default()
    };
    let first = room.desk.analyse(&id, &wish).unwrap();
    room.desk.play(&id, None, "f5").unwrap();
    let node = room.desk.session(&id).unwrap().session.cursor();
    let finished = room.told.wait_for(|event| match event {
        Event::Analysis(it) => {
            (it.node == node && it.status == AnalysisStatus::Finished).then(|| it.clone())
        }
        _ => None,
    });
    assert!(finished.generation > first.generation);
    assert!(finished.report.is_some());
    let events = lock(&room.told.events);
    let generations: Vec<u64> = events
        .iter()
        .filter_map(|event| match event {
            Event::Analysis(it) => Some(it.generation),
            _ => None,
        })
        .collect();
    assert!(generations.is_sorted(), "{generations:?}");
}

#[test]
fn a_blunder_is_offered_after_the_reply() {
    let room = Room::on(Memory::new(), "[engine]\ntt_mb = 1\nthreads = 1\n");
    // Black has +1.5 discs after these moves, and −20.9 after b2.
    let wish = NewGame {
        level: Some("elo_400".to_owned()),
        start: Start::Moves {
            position: None,
            moves: "f5d6c3d3c4f4c5b3c2e3d2c6".to_owned(),
        },
        ..NewGame::default()
    };
    let id = room.desk.new_game(&wish).unwrap().session.id().to_owned();
    room.desk.play(&id, None, "b2").unwrap();
    let offered = room.told.wait_for(|event| match event {
        Event::Session(it) => it.session.blunder().cloned(),
        _ => None,
    });
    assert!(offered.loss >= game::Score::centi(400), "{offered:?}");
    room.desk.undo(&id).unwrap();
}

#[test]
fn a_blunder_waits_for_the_answer_and_another_move_does_not() {
    let config = "[engine]\ntt_mb = 1\nthreads = 1\n[play]\nask_before = true\n";
    let room = Room::on(Memory::new(), config);
    // With ten empty squares both values are proven: a2 wins by 8 discs, h2 loses by 30.
    let moves = "f5f6e6f4e3d6g4d3c3h3c4g3g5g6e7d7h5f3h4h6c6f7c7c5c8\
                 d8b5c2d2e2f1f2e8f8g8b3c1b6a4a3b4a5e1d1g7h8h7b8a7a6";
    let wish = NewGame {
        level: Some("elo_400".to_owned()),
        start: Start::Moves {
            position: None,
            moves: moves.to_owned(),
        },
        ..NewGame::default()
    };
    let id = room.desk.new_game(&wish).unwrap().session.id().to_owned();
    room.desk.play(&id, None, "a2").unwrap();
    let replied = room.wait_for_reply(&id).session;
    assert!(!replied.is_held() && replied.blunder().is_none());
    room.desk.undo(&id).unwrap();
    room.told.forget();
    room.desk.play(&id, None, "h2").unwrap();
    let asked = room.told.wait_for(|event| match event {
        Event::Session(it) => it.session.blunder().cloned(),
        _ => None,
    });
    assert_eq!(asked.loss, game::Score::centi(3_800));
    let waits = room.desk.session(&id).unwrap().session;
    assert!(waits.is_held() && waits.thinking().is_none());
    let kept = room.desk.keep_move(&id).unwrap().session;
    assert!(!kept.is_held() && kept.blunder().is_none());
    room.wait_for_reply(&id);
}

#[test]
fn an_engine_that_owed_a_move_when_the_program_ended_makes_it() {
    let memory = Memory::new();
    let mut owing = Session::new(crate::session::Setup {
        opponent: None,
        id: "s1".to_owned(),
        record: game::Record::new(game::Position::OTHELLO_START),
        ply: None,
        mode: Mode::Play,
        people: crate::People::Black,
        level: "elo_400".parse().unwrap(),
        manner: crate::session::Manner::default(),
        seed: 1,
        time_control: game::TimeControl::Unlimited,
        show_values: false,
    });
    let f5 = owing.position().parse_move("f5").unwrap();
    owing.play(owing.cursor(), f5, 0).unwrap();
    let mut archive = Archive::open(&home_on(&memory)).unwrap();
    archive.save(&owing, 0).unwrap();
    let room = Room::on(memory, CONFIG);
    let replied = room.wait_for_reply("s1");
    assert_eq!(replied.session.record().n_nodes(), 3);
}

#[test]
fn two_games_wait_for_their_own_engine_moves() {
    let room = Room::new();
    let games = [room.board(), room.board()];
    for id in &games {
        room.desk.play(id, None, "f5").unwrap();
    }
    // As long as the state is locked, no engine can answer: both games wait for their moves.
    let mut state = room.desk.shared.lock();
    for id in &games {
        let session = state.session(id).unwrap();
        session.set_people(crate::People::Black);
        session.set_mode(Mode::Play, 0);
        room.desk.shared.start_engine_if_due(&mut state, id);
    }
    drop(state);
    for id in &games {
        room.told.wait_for(|event| match event {
            Event::Thinking(it) if it.session == *id => {
                (it.state == ThinkingState::Finished).then_some(())
            }
            _ => None,
        });
        let replied = room.desk.session(id).unwrap().session;
        assert_eq!(replied.record().n_nodes(), 3, "{id}");
        assert_eq!(replied.thinking(), None, "{id}");
    }
}

#[test]
fn a_review_goes_on_beside_an_analysis_without_end() {
    let room = Room::new();
    let wish = NewGame {
        mode: Some(Mode::Analyse),
        start: Start::Moves {
            position: None,
            moves: "f5d6c3d3c4f4".to_owned(),
        },
        ..NewGame::default()
    };
    let id = room.desk.new_game(&wish).unwrap().session.id().to_owned();
    room.desk.analyse(&id, &AnalysisWish::default()).unwrap();
    let depth_of = |event: &Event| match event {
        Event::Analysis(it) => it.report.as_ref().map(|report| report.depth),
        _ => None,
    };
    room.told.wait_for(depth_of);
    let job = room.desk.start_review(&id, Some(4)).unwrap();
    room.told.wait_for(|event| match event {
        Event::Job(it) if it.id == job.id => (it.state == JobState::Finished).then_some(()),
        _ => None,
    });
    assert_eq!(room.desk.review(&id).unwrap().moves.len(), 6);
    // The analysis goes on afterwards, from where it was.
    let state = room.desk.session(&id).unwrap().analyses.remove(0);
    assert_eq!(state.status, AnalysisStatus::Running);
    let depth = state.report.unwrap().depth;
    room.told
        .wait_for(|event| depth_of(event).filter(|&it| it > depth));
}

#[test]
fn both_engines_analyse_one_session_side_by_side_and_keep_their_values_apart() {
    let room = Room::new();
    let id = room.board();
    let wish = |engine| AnalysisWish {
        engine: Some(Thinker::Own(engine)),
        ..AnalysisWish::default()
    };
    let alpha_beta = room.desk.analyse(&id, &wish(EngineName::AlphaBeta));
    let alpha_beta = alpha_beta.unwrap();
    let monte_carlo = room.desk.analyse(&id, &wish(EngineName::Mcts)).unwrap();
    assert!(monte_carlo.generation > alpha_beta.generation);
    let found = room.told.wait_for(|event| match event {
        Event::Analysis(it) if it.engine == Thinker::Own(EngineName::Mcts) => {
            (it.status == AnalysisStatus::Finished).then(|| it.clone())
        }
        _ => None,
    });
    assert_eq!(found.report.unwrap().source.engine, "Kibitz MCTS");
    // The other one was not replaced, goes on, and is the only one whose score is a value.
    let deeper = room.told.wait_for(|event| match event {
        Event::Analysis(it) if it.engine == Thinker::Own(EngineName::AlphaBeta) => {
            let report = it.report.as_ref()?;
            (it.generation == alpha_beta.generation && report.depth > 2).then(|| report.clone())
        }
        _ => None,
    });
    assert_eq!(deeper.source.engine, "Kibitz");
    let now = room.desk.session(&id).unwrap();
    let engines: Vec<Thinker> = now.analyses.iter().map(|it| it.engine.clone()).collect();
    let own = [EngineName::AlphaBeta, EngineName::Mcts].map(Thinker::Own);
    assert_eq!(engines, own);
    // Stopping one leaves the other.
    let stopped = room
        .desk
        .stop_analyses(&id, Some(&Thinker::Own(EngineName::AlphaBeta)));
    assert_eq!(stopped.unwrap().len(), 1);
    let now = room.desk.session(&id).unwrap();
    assert_eq!(now.analyses.len(), 1);
    room.desk.stop_analyses(&id, None).unwrap();
    assert!(room.desk.session(&id).unwrap().analyses.is_empty());
}

#[test]
fn averages_of_a_monte_carlo_search_are_no_values() {
    let config = format!("{CONFIG}[ui]\nwelcomed = true\n");
    let config = config.replace("[play]", "engine = \"mcts\"\n[play]");
    let room = Room::on(Memory::new(), &config);
    let id = room.board();
    room.desk.analyse(&id, &AnalysisWish::default()).unwrap();
    room.told.wait_for(|event| match event {
        Event::Analysis(it) => (it.status == AnalysisStatus::Finished).then_some(()),
        _ => None,
    });
    let board = room.desk.session(&id).unwrap().session;
    assert_eq!(board.value(board.cursor()), None);
    // Nor are those that a level found with it.
    let id = room.game("elo_400");
    room.desk.play(&id, None, "f5").unwrap();
    let replied = loop {
        // Its time never passes by this clock: the user has it move now.
        room.desk.move_now(&id).ok();
        let now = room.desk.session(&id).unwrap().session;
        if now.awaiting() != Awaiting::Engine {
            break now;
        }
        let events = lock(&room.told.events);
        let wait = Duration::from_millis(20);
        drop(room.told.news.wait_timeout(events, wait));
    };
    let line = replied.line();
    assert_eq!(line.len(), 3);
    assert!(line.iter().all(|&node| replied.value(node).is_none()));
}

#[test]
fn analyses_of_two_sessions_go_on_side_by_side() {
    let room = Room::new();
    let ids = [room.board(), room.board()];
    for id in &ids {
        room.desk.analyse(id, &AnalysisWish::default()).unwrap();
    }
    for id in &ids {
        room.told.wait_for(|event| match event {
            Event::Analysis(it) if it.session == *id => {
                let depth = it.report.as_ref()?.depth;
                (depth >= 6).then_some(())
            }
            _ => None,
        });
        let now = room.desk.session(id).unwrap();
        assert_eq!(now.analyses[0].status, AnalysisStatus::Running);
    }
}

#[test]
fn the_engine_plays_a_game_of_nobody_to_its_end() {
    let room = Room::new();
    let wish = NewGame {
        level: Some("elo_400".to_owned()),
        people: Some(crate::People::Nobody),
        ..NewGame::default()
    };
    let id = room.desk.new_game(&wish).unwrap().session.id().to_owned();
    let over = room.wait_for_reply(&id);
    assert!(over.session.outcome().is_some());
    let names = game::Side::BOTH.map(|side| over.session.player(side).name);
    assert_eq!(names, ["level 400", "level 400"]);
    assert_eq!(nodes_on(&room.memory, &id), over.session.record().n_nodes());
}

/// Keeps the thread that plays busy until it is told.
struct Busy(std::sync::mpsc::Receiver<()>);

impl crate::worker::Task<PlayerTools> for Busy {
    fn run(&mut self, _: &mut PlayerTools, _: crate::worker::Turn<'_>) -> crate::worker::Progress {
        self.0.recv().unwrap();
        crate::worker::Progress::Done
    }

    fn fail(&mut self, _: &str) {}
}

#[test]
fn move_now_holds_for_a_move_that_waits_behind_another_game() {
    // A move of the book takes no time.
    let config = CONFIG.replace("[engine]\n", "[engine]\nbook = false\n");
    let room = Room::on(Memory::new(), &config);
    let (go, wait) = std::sync::mpsc::channel();
    let player = &room.desk.shared.player;
    player.submit(0, crate::worker::Priority::Ask, Box::new(Busy(wait)));
    // The handed-in clock stands still: a search by time would never end by itself.
    let wish = NewGame {
        level: Some("max".to_owned()),
        people: Some(crate::People::White),
        move_ms: Some(600_000),
        ..NewGame::default()
    };
    let id = room.desk.new_game(&wish).unwrap().session.id().to_owned();
    room.desk.move_now(&id).unwrap();
    go.send(()).unwrap();
    let replied = room.wait_for_reply(&id);
    assert_eq!(replied.session.record().n_nodes(), 2);
}
