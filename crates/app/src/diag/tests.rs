use super::*;
use crate::{EvaluatorChoice, Mode, People, Profile, Session, session::Setup};
use std::{fs, io::Read as _, path::Path};

const TOKEN: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

fn bundle_of(user: &Path, home: &Home) -> Bundle {
    collect(&Subject {
        home,
        evaluation: &Evaluation::shipped(EvaluatorChoice::Pattern).unwrap(),
        build: Build { version: "1.2.3" },
        private: Private {
            user_folder: Some(user.to_owned()),
            user_name: Some("ada".to_owned()),
        },
        now_ms: &|| 0,
    })
}

/// A user's folder with a home in it that has settings, a game and a log.
fn lived_in() -> (tempfile::TempDir, Home) {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open(Some(&folder.path().join("ada/.kibitz"))).unwrap();
    let shown = folder.path().display();
    fs::write(
        home.config_file(),
        format!(
            "[api]\ntoken = \"{TOKEN}\" # mine\n[engine]\nweights = \"{shown}/ada/x.weights\"\n"
        ),
    )
    .unwrap();
    let log: String = (0..6_000)
        .map(|i| format!("{{\"n\":{i},\"path\":\"{shown}/ada/.kibitz/x\",\"user\":\"ada\",\"token\":\"{TOKEN}\"}}\n"))
        .collect();
    fs::write(home.logs().join("kibitz.2026-11-16.log"), log).unwrap();
    (folder, home)
}

#[test]
fn nothing_private_gets_out() {
    let (folder, home) = lived_in();
    let user = folder.path().join("ada");
    let bundle = bundle_of(&user, &home);
    for (name, text) in bundle.files() {
        assert!(!text.is_empty(), "{name}");
        for secret in [TOKEN, "ada", &folder.path().join("ada").to_string_lossy()] {
            assert!(!text.contains(secret), "{name} has {secret}: {text:.300}");
        }
    }
    let config = bundle.file("config.toml");
    assert!(
        config.contains("token = \"(taken out)\" # mine"),
        "{config}"
    );
    assert!(config.contains("weights = \"~/x.weights\""), "{config}");
    let log = bundle.file("log.txt");
    assert_eq!(log.lines().count(), 5_000);
    assert!(log.starts_with("{\"n\":1000,\"path\":\"~/.kibitz/x\",\"user\":\"(user)\""));
}

#[test]
fn a_bundle_is_an_archive_of_its_files_and_small() {
    let (folder, home) = lived_in();
    let bundle = bundle_of(folder.path(), &home);
    let versions = bundle.file("versions.txt").to_owned();
    assert!(versions.starts_with("kibitz 1.2.3\n"), "{versions}");
    assert!(bundle.file("performance.txt").contains("\nnodes "));
    assert!(bundle.file("table.txt").contains("hits "));
    assert!(
        bundle
            .file("database.txt")
            .starts_with("There is no database yet")
    );
    assert!(!bundle.file("self-test.txt").contains('✗'));
    let bytes = bundle.zip().unwrap();
    assert!(bytes.len() < BUNDLE_MAX);
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    assert_eq!(archive.len(), 10);
    let mut text = String::new();
    let mut file = archive.by_name("versions.txt").unwrap();
    file.read_to_string(&mut text).unwrap();
    assert_eq!(text, versions);
}

#[test]
fn a_database_is_described_by_its_pragmas_or_by_what_is_wrong_with_it() {
    let (folder, home) = lived_in();
    drop(store::Store::open(&home.database()).unwrap());
    let bundle = bundle_of(folder.path(), &home);
    let told = bundle.file("database.txt");
    assert!(told.contains("\njournal_mode "), "{told}");
    assert!(told.contains("\npage_count "), "{told}");
    std::fs::write(
        home.database(),
        "no database, but long enough to be looked at",
    )
    .unwrap();
    let bundle = bundle_of(folder.path(), &home);
    let told = bundle.file("database.txt");
    assert!(told.contains("The database cannot be read: ~/"), "{told}");
}

#[test]
fn the_last_move_is_shown_again_by_commands() {
    let (folder, home) = lived_in();
    let mut session = Session::new(Setup {
        opponent: None,
        id: "s1".to_owned(),
        record: game::Record::new(game::Position::OTHELLO_START),
        ply: None,
        mode: Mode::Play,
        people: People::Both,
        level: Profile::default(),
        manner: crate::session::Manner::default(),
        seed: 7,
        time_control: game::TimeControl::Unlimited,
        show_values: false,
    });
    for text in ["f5", "d6"] {
        let action = game::Move::Othello(text.parse().unwrap());
        session.make(session.cursor(), action, 0).unwrap();
    }
    fs::write(home.sessions().join("s1.toml"), session.to_text(0).unwrap()).unwrap();
    let script = bundle_of(folder.path(), &home).file("replay.sh").to_owned();
    let before = "---------------------------OX------XXX-------------------------- O";
    let wanted = format!("kibitz explain --position '{before}' --move d6\n");
    assert!(script.contains(&wanted), "{script}");
    assert!(script.contains("--level elo_1400 --seed 7"), "{script}");
}

#[test]
fn a_home_that_is_not_there_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::find(Some(&folder.path().join("none"))).unwrap();
    let bundle = bundle_of(folder.path(), &home);
    assert_eq!(bundle.file("log.txt"), "There is no log.\n");
    assert!(!bundle.file("self-test.txt").contains("disk"));
    assert!(!home.path().exists());
}

#[test]
fn secrets_of_a_broken_file_stay_here() {
    let text = redact::config("[api]\ntoken = = \"abc\"\nport = 3\n");
    assert_eq!(text, "[api]\nport = 3\n");
}

/// What a reader who looks for secrets would try.
#[test]
fn secrets_in_odd_places_stay_here() {
    let config = "\
token = \"toplevel-Secret\"
[api]
token = \"short+odd\" # the old token was formerly-this
[network]
lichess_token = 'lip_AbCdEf'
[network.proxy]
Password = \"deep-one\"
[[engines]]
api_key = \"in-an-array\"
[postgres]
dsn = \"postgres://me:pw@host/db\"
port = 5432
";
    let secrets = [
        "toplevel-Secret",
        "short+odd",
        "formerly-this",
        "lip_AbCdEf",
        "deep-one",
        "in-an-array",
        "postgres://",
    ];
    let shown = redact::config(config);
    for secret in secrets {
        assert!(!shown.contains(secret), "{secret} is in {shown}");
    }
    assert!(shown.contains("port = 5432"), "{shown}");
    // A warning of the configuration repeats the value; the log has it.
    let log = "api.token is \"short+odd\", but expected 16 letters; dsn postgres://me:pw@host/db";
    let private = Private::default();
    let found = redact::secrets(config);
    let shown = private.taken_out_of(log, Path::new("/nowhere"), &found);
    assert!(
        !shown.contains("short+odd") && !shown.contains("postgres:"),
        "{shown}"
    );
    let broken = redact::secrets("[api\ntoken = \"half-written\"\n");
    assert_eq!(broken, ["half-written"]);
}

#[test]
fn names_with_signs_and_paths_behind_links_stay_here() {
    let private = Private {
        user_folder: Some("C:\\Users\\jean-luc".into()),
        user_name: Some("jean-luc".to_owned()),
    };
    let log = r#"{"path":"C:\\Users\\jean-luc\\x","by":"jean-luc","other":"jean-lucas"}"#;
    let shown = private.taken_out_of(log, Path::new("D:\\none"), &[]);
    assert_eq!(
        shown,
        r#"{"path":"~\\x","by":"(user)","other":"jean-lucas"}"#
    );
    #[cfg(unix)]
    {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("real");
        fs::create_dir(&real).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let text = format!("{}/a {}/b", real.display(), link.display());
        let shown = private.taken_out_of(&text, &link, &[]);
        assert_eq!(shown, "~/.kibitz/a ~/.kibitz/b");
    }
}
