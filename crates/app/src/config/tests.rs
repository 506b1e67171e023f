use super::{Config, ConfigFile, Theme, keys::KEYS};
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
    let [sparkles, other] = file.warnings() else {
        panic!("{:?}", file.warnings());
    };
    assert!(
        sparkles.ends_with(":4:12: there is no setting ui.sparkles; it is kept"),
        "{sparkles}"
    );
    assert!(other.contains("there is no setting other"), "{other}");
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
            .any(|it| it.contains("ui should be a section"))
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
