//! Chess on the desk, and foreign engines beside the board. The engines are scripts of a few lines.

use super::{Room, moves, nodes_on};
use crate::{
    Mode, People,
    desk::{
        AnalysisState, AnalysisStatus, AnalysisWish, Event, ExportFormat, NewGame, OpponentWish,
        Start, Thinker, lock,
    },
    engines::{Entry, Game, Shelf},
};
use game::Kind;
use std::{
    fs,
    time::{Duration, Instant},
};

/// Says that it thinks of two moves, and answers when it is told to stop.
const CALM: &str = "go)\n\
    echo 'info depth 7 seldepth 9 multipv 1 score cp 31 nodes 900 nps 90000 hashfull 12 tbhits 3 time 10 pv e2e4 e7e5'\n\
    case \"$rest\" in *movetime*|*searchmoves*) echo bestmove e2e4;; esac;;\n\
    stop) echo bestmove e2e4;;\n";

/// Crashes when it is asked to think.
const CRASHING: &str = "go) echo oh no >&2; exit 3;;\n";

/// Replies to the first move of White.
const REPLYING: &str =
    "go) echo 'info depth 3 score cp -20 pv e7e5'; echo bestmove e7e5;;\nstop) :;;\n";

impl Room {
    /// Puts a script that speaks UCI on the shelf.
    fn engine(&self, name: &str, cases: &str) -> Thinker {
        let text = format!(
            "#!/bin/sh\nwhile read -r word rest; do case $word in\nuci) echo id name {name} 1.0; \
             echo 'option name MultiPV type spin default 1 min 1 max 9'; echo uciok;;\n\
             isready) echo readyok;;\nquit) exit 0;;\n{cases}esac; done\n"
        );
        let folder = std::env::temp_dir().join(format!("kibitz-desk-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{name}.sh"));
        fs::write(&path, text).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let entry = Entry {
            name: name.to_owned(),
            version: "1.0".to_owned(),
            protocol: "uci".to_owned(),
            game: Game::Chess,
            path,
            args: Vec::new(),
            described_as: None,
            url: None,
            sha256: None,
        };
        let shelf = Shelf::new(self.desk.home());
        shelf.add(&name.parse().unwrap(), &entry).unwrap();
        name.parse().unwrap()
    }

    fn chess(&self) -> String {
        let game = NewGame {
            kind: Some(Kind::Chess),
            mode: Some(Mode::Analyse),
            ..NewGame::default()
        };
        self.desk.new_game(&game).unwrap().session.id().to_owned()
    }

    /// Waits for a state of an analysis, with the desk's clock going on.
    #[expect(clippy::disallowed_methods, reason = "real processes take real time")]
    fn wait_for(&self, wanted: impl Fn(&AnalysisState) -> bool) -> AnalysisState {
        let begin = Instant::now();
        loop {
            self.pass_ms(20);
            let told = lock(&self.told.events);
            let found = told.iter().rev().find_map(|event| match event {
                Event::Analysis(state) if wanted(state) => Some(state.clone()),
                _ => None,
            });
            drop(told);
            if let Some(found) = found {
                return found;
            }
            assert!(begin.elapsed() < Duration::from_secs(60), "it never came");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn wish(engine: &Thinker) -> AnalysisWish {
    AnalysisWish {
        engine: Some(engine.clone()),
        lines: Some(2),
        ..AnalysisWish::default()
    }
}

#[test]
fn a_game_of_chess_is_walked_edited_saved_and_exported() {
    let room = Room::new();
    let id = room.chess();
    for text in ["e4", "e5", "g1f3", "Nc6", "Bb5"] {
        room.desk.play(&id, None, text).unwrap();
    }
    let told = room.desk.play(&id, None, "Ke5").unwrap_err().to_string();
    assert!(told.contains("is not a chess move here"), "{told}");
    let shown = room.desk.session(&id).unwrap();
    assert_eq!(moves(&shown.session), "e2e4 e7e5 g1f3 b8c6 f1b5");
    assert_eq!(shown.opening, Some(("C60 Ruy Lopez".to_owned(), 5)));
    assert_eq!(shown.session.status(), "Black to move");
    assert_eq!(nodes_on(&room.memory, &id), 6);
    room.desk.go(&id, 1).unwrap();
    room.desk.play(&id, None, "c5").unwrap();
    room.desk.comment(&id, 6, "the Sicilian").unwrap();
    let exported = room.desk.export(&id, ExportFormat::Pgn).unwrap();
    assert!(
        exported
            .text
            .contains("1. e4 e5 (1... c5 {the Sicilian}) 2. Nf3"),
        "{}",
        exported.text
    );
    let fen = room.desk.export(&id, ExportFormat::Fen).unwrap().text;
    assert!(fen.starts_with("rnbqkbnr/pp1ppppp/8/2p5/4P3"), "{fen}");
    // The coach does not speak of chess, and our own engine does not analyse it.
    assert!(room.desk.overlays(&id, 0).is_err());
    let refused = room.desk.analyse(&id, &AnalysisWish::default());
    assert!(refused.unwrap_err().to_string().contains("Othello alone"));
}

#[test]
fn pgn_fen_and_chess960_come_in() {
    let room = Room::new();
    let text = "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n1. d4 Ke5 *";
    let admission = room.desk.admit_import(text.len()).unwrap();
    let import = room.desk.import(&admission, text.as_bytes(), None).unwrap();
    assert_eq!((import.n_games(), import.n_problems), (1, 1));
    assert_eq!(import.problems[0].line, Some(7));
    assert_eq!(import.games(1).next().unwrap().title, "Ann – Bob, 1–0");
    let game = |start| NewGame {
        mode: Some(Mode::Analyse),
        kind: Some(Kind::Chess),
        start,
        ..NewGame::default()
    };
    let begun = room.desk.new_game(&game(Start::Import {
        id: import.id.clone(),
        game: 0,
    }));
    let id = begun.unwrap().session.id().to_owned();
    let end = room.desk.step(&id, crate::session::Step::Last).unwrap();
    assert_eq!(end.session.status(), "White wins by checkmate");
    let shuffled = room.desk.new_game(&game(Start::Moves {
        position: Some("chess960:0".to_owned()),
        moves: "1. e4 e5".to_owned(),
    }));
    let shuffled = shuffled.unwrap();
    assert!(shuffled.session.position().chess().unwrap().is_chess960());
    let wrong = room.desk.new_game(&game(Start::Moves {
        position: Some("8/8/8/8/8/8/8/8 w - - 0 1".to_owned()),
        moves: String::new(),
    }));
    assert!(
        wrong
            .unwrap_err()
            .to_string()
            .contains("is not a chess position")
    );
}

#[cfg(unix)]
#[test]
fn engines_analyse_side_by_side_and_follow_the_reader() {
    let room = Room::new();
    let (calm, other) = (room.engine("calm", CALM), room.engine("other", CALM));
    let id = room.chess();
    for engine in [&calm, &other] {
        room.desk.analyse(&id, &wish(engine)).unwrap();
        let said = room.wait_for(|it| it.engine == *engine && it.report.is_some());
        let report = said.report.unwrap();
        assert_eq!((report.depth, report.score.hundredths()), (7, 31));
        assert_eq!(report.source.to_string(), format!("{engine} 1.0"));
        assert_eq!(said.tablebase_hits, Some(3));
        assert_eq!(said.title, format!("{engine} 1.0"));
    }
    // What an engine found is the value of the position, for the graph.
    let value = room.desk.session(&id).unwrap().session.value(0.into());
    assert_eq!(value.map(|it| it.score.hundredths()), Some(31));
    // Frozen, it stays; let go, it follows.
    room.desk.freeze(&id, true).unwrap();
    room.desk.play(&id, None, "d4").unwrap();
    let shown = room.desk.session(&id).unwrap();
    assert!(shown.analyses.is_empty(), "they look at another position");
    room.desk.freeze(&id, false).unwrap();
    room.wait_for(|it| it.engine == calm && it.node.index() == 1);
    let stopped = room.desk.stop_analyses(&id, Some(&calm)).unwrap();
    assert_eq!(stopped.len(), 1);
    assert_eq!(stopped[0].status, AnalysisStatus::Stopped);
    assert_eq!(room.desk.stop_analyses(&id, None).unwrap().len(), 1);
    assert!(!room.desk.engine_log("calm").unwrap().is_empty());
}

#[cfg(unix)]
#[test]
fn an_engine_that_crashes_says_so_and_the_others_go_on() {
    let room = Room::new();
    let (calm, crashing) = (room.engine("steady", CALM), room.engine("crash", CRASHING));
    let id = room.chess();
    room.desk.analyse(&id, &wish(&calm)).unwrap();
    room.desk.analyse(&id, &wish(&crashing)).unwrap();
    let failed = room.wait_for(|it| it.engine == crashing && it.status == AnalysisStatus::Failed);
    let trouble = failed.trouble.unwrap();
    assert!(trouble.contains("oh no"), "{trouble}");
    room.wait_for(|it| it.engine == calm && it.report.is_some());
    // One that is not there is refused.
    let nobody: Thinker = "nobody".parse().unwrap();
    let refused = room.desk.analyse(&id, &wish(&nobody)).unwrap_err();
    assert!(refused.to_string().contains("there is no engine"));
}

#[cfg(unix)]
#[test]
#[expect(clippy::disallowed_methods, reason = "real processes take real time")]
fn a_person_plays_against_a_foreign_engine() {
    let room = Room::new();
    room.engine("player", REPLYING);
    let wish = |engine: &str| NewGame {
        kind: Some(Kind::Chess),
        people: Some(People::White),
        opponent: Some(OpponentWish {
            engine: engine.to_owned(),
            depth: Some(3),
            ..OpponentWish::default()
        }),
        ..NewGame::default()
    };
    let refused = room.desk.new_game(&wish("nobody")).unwrap_err().to_string();
    assert!(refused.starts_with("there is no engine"), "{refused}");
    let begun = room.desk.new_game(&wish("player")).unwrap();
    let id = begun.session.id().to_owned();
    room.desk.play(&id, None, "e4").unwrap();
    let replied = room.wait_for_reply(&id);
    assert_eq!(moves(&replied.session), "e2e4 e7e5");
    let black = replied.session.player(game::Side::Black);
    assert_eq!(black.name, "player");
    // The second reply is no legal move: the game stands, and the user is told.
    room.desk.play(&id, None, "d4").unwrap();
    let begin = Instant::now();
    while room.desk.session(&id).unwrap().session.thinking().is_some() {
        room.pass_ms(20);
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(room.moves(&id), "e2e4 e7e5 d2d4");
    let without = NewGame {
        opponent: None,
        ..wish("player")
    };
    let told = room.desk.new_game(&without).unwrap_err().to_string();
    assert!(told.contains("choose an engine for chess"), "{told}");
}
