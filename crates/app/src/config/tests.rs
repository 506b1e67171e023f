use super::{Config, ConfigFile, Theme, keys::KEYS, load};
use crate::EvaluatorChoice;
use std::fs;

fn open(source: &str) -> (tempfile::TempDir, ConfigFile) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    fs::write(&path, source).unwrap();
    (folder, ConfigFile::open(path))
}

fn stored(file: &ConfigFile) -> String {
    fs::read_to_string(&file.path).unwrap()
}

#[test]
fn a_missing_file_is_made_with_every_key_and_its_default() {
    let folder = tempfile::tempdir().unwrap();
    let file = ConfigFile::open(folder.path().join("config.toml"));
    assert_eq!(*file.config(), Config::default());
    assert!(file.warnings().is_empty());
    let text = stored(&file);
    for key in KEYS {
        assert!(text.contains(&format!("{} = ", key.name)), "{}", key.name);
    }
    assert!(
        text.contains("tt_mb = 128  # memory of an analysis"),
        "{text}"
    );
    let again = ConfigFile::open(file.path.clone());
    assert!(again.warnings().is_empty(), "{:?}", again.warnings());
    assert_eq!(again.config(), file.config());
    assert_eq!(stored(&again), text);
}

#[test]
fn comments_order_and_unknown_keys_survive() {
    let (_folder, mut file) = open(
        "# mine\n[ui]\ntheme = 'dark' # at night\nsparkles = 3\n\n[other]\nx = 1\n\n[db]\npath = 'x'\n",
    );
    assert_eq!(file.config().ui.theme, Theme::Dark);
    let [sparkles, other, db] = file.warnings() else {
        panic!("{:?}", file.warnings());
    };
    assert!(
        sparkles.ends_with(
            ":4:12: there is no setting ui.sparkles, so ui.sparkles = 3 does nothing; \
             [ui] knows theme, reduced_motion, overlays, try_first, welcomed"
        ),
        "{sparkles}"
    );
    assert!(other.contains("there is no section [other]"), "{other}");
    assert!(
        db.ends_with(":9:1: section [db] is reserved; it does nothing yet and is kept"),
        "{db}"
    );
    file.change(|config| config.ui.theme = Theme::Light)
        .unwrap();
    let text = stored(&file);
    assert!(
        text.starts_with("# mine\n[ui]\ntheme = \"light\" # at night\nsparkles = 3\n"),
        "{text}"
    );
    assert!(text.contains("[other]\nx = 1\n"), "{text}");
    assert!(text.contains("[db]\npath = 'x'\n"), "{text}");
    assert!(
        text.contains("[engine]\ntt_mb = 128"),
        "missing keys were added: {text}"
    );
}

#[test]
fn a_value_of_the_wrong_kind_is_told_with_its_place_and_kept() {
    let (_folder, file) = open("[engine]\ntt_mb = \"lots\"\n[strength]\nprofile = \"elo_1600\"\n");
    assert_eq!(file.config().engine.tt_mb, 128);
    let [tt_mb, profile] = file.warnings() else {
        panic!("{:?}", file.warnings());
    };
    assert!(
        tt_mb.ends_with(
            "config.toml:2:9: engine.tt_mb is \"lots\", but expected a whole number from 1 to 65536; the default is used"
        ),
        "{tt_mb}"
    );
    assert!(profile.contains(":4:11: strength.profile"), "{profile}");
    assert!(profile.contains("elo_400, elo_800"), "{profile}");
    assert!(stored(&file).starts_with("[engine]\ntt_mb = \"lots\"\n"));
}

#[test]
fn a_broken_file_is_told_with_its_place_and_never_touched() {
    let broken = "[ui]\ntheme = = 3\n";
    let (_folder, mut file) = open(broken);
    assert_eq!(*file.config(), Config::default());
    let warning = file.warnings().join("");
    assert!(warning.contains("config.toml:2:9: "), "{warning}");
    let error = file
        .change(|config| config.ui.theme = Theme::Dark)
        .unwrap_err();
    assert!(error.to_string().contains("config.toml:2:9"), "{error}");
    assert_eq!(stored(&file), broken);
}

#[test]
fn sections_of_the_wrong_kind_do_no_harm() {
    let (_folder, mut file) = open("ui = 3\nengine = { tt_mb = 64 }\n");
    assert_eq!(file.config().engine.tt_mb, 64);
    assert!(
        file.warnings()
            .iter()
            .any(|it| it.contains("ui is 3, but expected a section [ui]"))
    );
    file.change(|config| config.engine.tt_mb = 32).unwrap();
    let again = ConfigFile::open(file.path.clone());
    assert_eq!(again.config().engine.tt_mb, 32);
    assert!(stored(&again).contains("ui = 3"));
}

#[test]
fn impossible_changes_change_nothing() {
    let (_folder, mut file) = open("");
    let before = stored(&file);
    let error = file.change(|config| config.engine.tt_mb = 0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "engine.tt_mb: expected a whole number from 1 to 65536"
    );
    let long = "x".repeat(100);
    file.change(|config| config.ui.keys.extend([(long, "h".to_owned())]))
        .unwrap_err();
    assert_eq!(file.config().engine.tt_mb, 128);
    assert_eq!(stored(&file), before);
}

#[test]
fn letters_and_times_come_back() {
    let (_folder, mut file) = open("");
    file.change(|config| {
        config.ui.keys.insert("hint".to_owned(), "j".to_owned());
        config.play.initial_ms = 90_500;
        config.play.increment_ms = 2_000;
    })
    .unwrap();
    let again = ConfigFile::open(file.path.clone());
    assert!(again.warnings().is_empty(), "{:?}", again.warnings());
    assert_eq!(again.config(), file.config());
}

#[test]
fn a_misspelt_name_or_value_is_told_with_what_was_probably_meant() {
    let (_folder, file) = open(
        "[engine]\ntt_bm = 64\nevaluator = \"patern\"\naccel_enabled = false\nport = 1\n\
         [egnine]\nx = 1\n[strength]\nprofile = \"elo_1300\"\n",
    );
    assert_eq!(*file.config(), Config::default());
    let expected = [
        ":3:13: engine.evaluator is \"patern\", but expected one of pattern, classic; did you mean \
         pattern; the default is used",
        ":9:11: strength.profile is \"elo_1300\", but expected one of first_day, collector, \
         edge_fan, stepper, hasty, spotlight, fader, club, tournament, expert, master, champion, \
         full, elo_400, elo_800, elo_1400, elo_2000, elo_2300, max, random, greedy, corner_lover, \
         mobility; did you mean elo_1400; the default is used",
        ":2:9: there is no setting engine.tt_bm, so engine.tt_bm = 64 does nothing; did you mean \
         engine.tt_mb?",
        ":4:17: engine.accel_enabled = false is reserved; it does nothing yet and is kept",
        ":5:8: there is no setting engine.port, so engine.port = 1 does nothing; did you mean \
         api.port?",
        ":6:1: there is no section [egnine], so it does nothing; did you mean [engine]?",
    ];
    for (warning, expected) in file.warnings().iter().zip(expected) {
        assert!(warning.ends_with(expected), "{warning}");
    }
    assert_eq!(
        file.warnings().len(),
        expected.len(),
        "{:?}",
        file.warnings()
    );
}

#[test]
fn looking_at_a_file_neither_makes_nor_completes_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home/config.toml");
    assert_eq!(load(&path).unwrap(), (Config::default(), Vec::new()));
    assert!(!folder.path().join("home").exists());
    let path = folder.path().join("config.toml");
    let text = "[engine]\nthreads = 3\nevaluator = \"classic\"\nweights = \"mine.json\"\n";
    fs::write(&path, text).unwrap();
    let (config, warnings) = load(&path).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(config.engine.threads, 3);
    assert_eq!(config.evaluation.evaluator, EvaluatorChoice::Classic);
    let weights = config.evaluation.file(folder.path());
    assert_eq!(weights, Some(folder.path().join("mine.json")));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    fs::write(&path, "[engine]\nthreads = = 3\n").unwrap();
    let error = load(&path).unwrap_err().to_string();
    assert!(error.contains("config.toml:2:11: "), "{error}");
}

#[test]
fn what_the_user_writes_while_the_program_runs_survives_a_change() {
    let (_folder, mut file) = open("");
    let by_hand = stored(&file)
        .replace("reduced_motion = false", "reduced_motion = true")
        .replace("[ui]\n", "[ui]\n# mine\n");
    fs::write(&file.path, &by_hand).unwrap();
    file.change(|config| config.ui.theme = Theme::Dark).unwrap();
    let text = stored(&file);
    assert!(text.contains("# mine"), "{text}");
    assert!(text.contains("reduced_motion = true"), "{text}");
    assert!(text.contains("theme = \"dark\""), "{text}");
    assert!(file.config().ui.reduced_motion);
    // A file that the user has left half-written is not touched, and what was read stays in use.
    fs::write(&file.path, "[ui\n").unwrap();
    let error = file.change(|config| config.ui.theme = Theme::Light);
    assert!(error.unwrap_err().to_string().contains("config.toml:1:"));
    assert_eq!(stored(&file), "[ui\n");
    assert_eq!(file.config().ui.theme, Theme::Dark);
    // A file that is gone, with its folder, is written again.
    fs::remove_dir_all(file.path.parent().unwrap()).unwrap();
    file.change(|config| config.ui.theme = Theme::Light)
        .unwrap();
    assert!(file.config().ui.reduced_motion);
    assert!(stored(&file).contains("reduced_motion = true"));
}
