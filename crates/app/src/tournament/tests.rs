//! Tournaments on a disk: what is refused before the first game, and what survives.

use super::*;
use std::{fs, sync::Mutex};

const LEAGUE: &str = r#"
    name = "League"
    game = "othello"
    rounds = 2
    seed = 3
    [openings]
    file = "OPENINGS"
    [[engine]]
    name = "a"
    level = "greedy"
    [[engine]]
    name = "b"
    level = "random"
    [[engine]]
    name = "c"
    depth = 1
"#;

/// A home, and the settings of a league with a file of openings.
fn begin() -> (tempfile::TempDir, Home, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.txt");
    fs::write(&file, "f5d6c3\nf5f6e6\n").unwrap();
    let home = Home::open(Some(&folder.path().join("home"))).unwrap();
    (
        folder,
        home,
        LEAGUE.replace("OPENINGS", file.to_str().unwrap()),
    )
}

fn now() -> arena::process::Now {
    Arc::new(|| 0)
}

/// Plays a tournament to its end; gives what was noted.
fn play(home: &Home, id: u64) -> Result<Vec<String>, TournamentError> {
    let tournament = Tournament::open(home, Some(id))?;
    let runner = Runner::new(tournament, home, &now())?;
    let tell = |_: News<'_>| {};
    runner.run(&Controls::default(), &|| 0, &|| 0, Watch::of_results(&tell))?;
    let notes = runner.report().incidents.into_iter();
    Ok(notes.map(|it| it.text).collect())
}

/// All games, in the order of their pairs.
fn games(home: &Home, id: u64) -> Vec<(u64, Vec<GameLine>)> {
    let mut games = Vec::new();
    let tournament = Tournament::open(home, Some(id)).unwrap();
    tournament
        .for_each_pair(|pair| games.push((pair.pairing.number, pair.games.clone())))
        .unwrap();
    games.sort_by_key(|(number, _)| *number);
    games
}

#[test]
fn a_damaged_log_costs_one_pair_which_is_played_again() {
    let (folder, home, text) = begin();
    for _ in 0..2 {
        Tournament::create(&home, Settings::parse(&text).unwrap()).unwrap();
        play(&home, 1).unwrap();
    }
    assert_eq!(play(&home, 2).unwrap(), [""; 0], "nothing to tell");
    assert_eq!(play(&home, 2).unwrap(), [""; 0], "it was finished");
    let log = folder.path().join("home/tournaments/2/pairs.log");
    let whole = fs::read(&log).unwrap();
    let mut damaged = whole.clone();
    let second = whole.iter().position(|it| *it == b'\n').unwrap() + 400;
    damaged[second] ^= 1;
    fs::write(&log, damaged).unwrap();
    assert_eq!(games(&home, 2).len(), 5, "only one is lost");
    let notes = play(&home, 2).unwrap();
    assert!(
        notes[0].contains("bytes of the log were damaged"),
        "{notes:?}"
    );
    assert_eq!(games(&home, 2), games(&home, 1));
    assert!(
        folder
            .path()
            .join("home/tournaments/2/pairs.log.damaged")
            .exists()
    );
}

#[test]
fn other_openings_are_noticed() {
    let (folder, home, text) = begin();
    Tournament::create(&home, Settings::parse(&text).unwrap()).unwrap();
    let file = folder.path().join("openings.txt");
    fs::write(&file, "f5d6c3\nf5f6e6f4\n").unwrap();
    let error = play(&home, 1).unwrap_err().to_string();
    assert!(error.contains("has other openings than when"), "{error}");
    fs::write(&file, "F5D6C3\n\nf5f6e6\n").unwrap();
    play(&home, 1).unwrap();
    // One of an earlier version does not know what they were.
    fs::remove_file(folder.path().join("home/tournaments/1/openings.sum")).unwrap();
    fs::write(&file, "f5f4e3\n").unwrap();
    play(&home, 1).unwrap();
}

#[test]
fn every_tournament_gets_a_number_of_its_own() {
    let (folder, home, text) = begin();
    let all = folder.path().join("home/tournaments");
    fs::create_dir_all(all.join("9")).unwrap();
    let ids = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for at in 0..8 {
            let (home, text, ids) = (&home, &text, &ids);
            scope.spawn(move || {
                let text = text.replace("League", &format!("League {at}"));
                let made = Tournament::create(home, Settings::parse(&text).unwrap()).unwrap();
                let kept = Tournament::open(home, Some(made.id)).unwrap();
                assert_eq!(kept.settings, made.settings);
                ids.lock().unwrap().push(made.id);
            });
        }
    });
    let mut ids = ids.into_inner().unwrap();
    ids.sort_unstable();
    assert_eq!(ids, (10..18).collect::<Vec<_>>());
    // Somebody is making one, or died at it.
    fs::create_dir_all(all.join("99")).unwrap();
    assert_eq!(Tournament::open(&home, None).unwrap().id, 17);
    assert!(Tournament::open(&home, Some(9)).is_err());
}

#[test]
fn what_cannot_be_asked_is_refused_before_the_first_game() {
    let (folder, home, text) = begin();
    let error = |engine: &str, openings: &str| {
        fs::write(folder.path().join("openings.txt"), openings).unwrap();
        let engine = format!("[[engine]]\nname = \"x\"\ncommand = \"/bin/sh\"\n{engine}");
        let settings = Settings::parse(&format!("{text}\n{engine}")).unwrap();
        let made = Tournament::create(&home, settings);
        made.map(|it| it.id).map_err(|error| error.to_string())
    };
    let moves = "f5d6c3\n";
    let board = "---------------------------OX------XO--------------------------- X\n\
                 -------------------X-------XX------XO--------------------------- O\n";
    for (engine, openings, expected) in [
        (
            "protocol = \"gtp\"\ndepth = 4",
            moves,
            "GTP has no command for a depth",
        ),
        (
            "protocol = \"gtp\"\nnodes = 4\ntime = \"1\"",
            moves,
            "number of nodes",
        ),
        ("protocol = \"nboard\"\nnodes = 4", moves, "number of nodes"),
        (
            "protocol = \"gtp\"\ntime = \"1\"",
            board,
            "opening 2 is one",
        ),
        ("protocol = \"gtp\"", moves, "nothing ends its searches"),
        (
            "protocol = \"nboard\"\ntime = \"-\"",
            moves,
            "nothing ends its searches",
        ),
        (
            "protocol = \"uci\"\ntime = \"-\"",
            moves,
            "nothing ends its searches",
        ),
    ] {
        let found = error(engine, openings).unwrap_err();
        assert!(found.contains(expected), "{engine}: {found}");
    }
    // Its own arguments may limit it.
    error("protocol = \"gtp\"\ntime = \"-\"", moves).unwrap();
    error("protocol = \"nboard\"\ntime = \"1\"", board).unwrap();
    let chess = "game = \"chess\"\n[[engine]]\nname = \"x\"\ncommand = \"/bin/sh\"\n\
                 protocol = \"gtp\"\ntime = \"1\"\n[[engine]]\nname = \"y\"\ncommand = \"/bin/sh\"\n\
                 time = \"1\"\n";
    let made = Tournament::create(&home, Settings::parse(chess).unwrap());
    let found = made.unwrap_err().to_string();
    assert!(found.contains("speak uci"), "{found}");
}

#[test]
fn a_swiss_without_opponents_is_over_and_says_so() {
    let (_folder, home, _) = begin();
    let engines: String = (0..6)
        .map(|at| format!("[[engine]]\nname = \"e{at}\"\nlevel = \"random\"\n"))
        .collect();
    let told = (0..12).find_map(|seed| {
        let text = format!(
            "game = \"othello\"\nformat = \"swiss\"\nrounds = 5\ngames = 1\nseed = {seed}\n{engines}"
        );
        let made = Tournament::create(&home, Settings::parse(&text).unwrap()).unwrap();
        let notes = play(&home, made.id).unwrap();
        let report = made.report().unwrap();
        assert_eq!(report.pairs_asked, 15);
        let n_missing = u64::from(report.rounds_missing);
        assert_eq!(report.pairs, 15 - 3 * n_missing);
        (n_missing > 0).then_some(notes)
    });
    let told = told.expect("one of them ends early");
    assert!(
        told[0].contains("the rules leave nobody to meet"),
        "{told:?}"
    );
}
