//! `kibitz diag`.

use crate::{Conversation, kibitz, scratch, success};
use std::{fs, path::PathBuf};

fn home(name: &str) -> PathBuf {
    let home = scratch(name).join("home");
    fs::remove_dir_all(&home).ok();
    home
}

#[test]
fn the_self_test_says_what_works() {
    let home = home("diag-self-test");
    let text = success(&["diag", "--self-test", "--home", home.to_str().unwrap()]);
    for name in ["✓ rules", "✓ solver", "✓ weights", "- disk"] {
        assert!(text.contains(name), "{text}");
    }
    assert!(!home.exists());
}

#[test]
fn a_bundle_is_written_and_has_no_secret() {
    let token = "0123456789abcdef0123456789abcdef";
    let home = home("diag-bundle");
    fs::create_dir_all(&home).unwrap();
    fs::write(
        home.join("config.toml"),
        format!("[api]\ntoken = \"{token}\"\n"),
    )
    .unwrap();
    let file = home.with_file_name("out.zip");
    let (home, shown) = (home.to_str().unwrap(), file.to_str().unwrap());
    let text = success(&["diag", "--bundle", shown, "--home", home]);
    assert!(text.contains("replay.sh"), "{text}");
    let bytes = fs::read(&file).unwrap();
    assert!(bytes.starts_with(b"PK") && bytes.len() < 5_000_000);
    let summary = success(&["diag", "--home", home]);
    assert!(summary.contains("nodes a second"), "{summary}");
    assert!(!summary.contains(home), "{summary}");
}

#[test]
fn a_broken_configuration_is_told_and_bundled_all_the_same() {
    let home = home("diag-broken");
    fs::create_dir_all(&home).unwrap();
    fs::write(home.join("config.toml"), "[engine\n").unwrap();
    let run = kibitz(&["diag", "--self-test", "--home", home.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("config.toml:1:"), "{}", run.stderr);
}

#[test]
fn weights_that_cannot_be_read_are_told_and_bundled_all_the_same() {
    let home = home("diag-weights");
    fs::create_dir_all(&home).unwrap();
    fs::write(
        home.join("config.toml"),
        "[engine]\nweights = \"gone.weights\"\n",
    )
    .unwrap();
    let file = home.with_file_name("weights.zip");
    fs::remove_file(&file).ok();
    let (home, shown) = (home.to_str().unwrap(), file.to_str().unwrap());
    let run = kibitz(&["diag", "--bundle", shown, "--home", home]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("gone.weights"), "{}", run.stderr);
    assert!(fs::read(&file).unwrap().starts_with(b"PK"));
    // The self-test is about what is configured.
    assert_eq!(
        kibitz(&["diag", "--self-test", "--home", home]).code,
        Some(1)
    );
}

#[test]
fn the_first_start_of_a_version_tests_itself() {
    let home = home("diag-first-start");
    let shown = home.to_str().unwrap();
    let mut server = Conversation::start(&["serve", "--no-open", "--port", "0", "--home", shown]);
    server.hear();
    let tried = fs::read_to_string(home.join("self-test")).unwrap();
    assert_eq!(tried, env!("CARGO_PKG_VERSION"));
    server.child.kill().unwrap();
    server.child.wait().unwrap();
}
