//! Doc comments: types, traits and free functions that are public have one, and no doc comment of
//! three words or fewer stands where the name says as much.
//!
//! The compiler's own lint asks for a comment on every field and method, and gets "The level." on
//! `level`. This test asks for less, and for more.

use crate::{process::root, tidy::files_under};
use std::fs;

/// What a public item outside of an `impl` begins with, if it needs a doc comment.
const ITEMS: &[&str] = &["struct ", "enum ", "trait ", "fn ", "const fn ", "type "];

/// A comment says something in three words when it shows code or links to it.
fn says_little(words: &str) -> bool {
    words.split_whitespace().count() <= 3 && !words.contains(['`', '['])
}

fn is_doc(line: &str) -> bool {
    line.trim_start().starts_with("///")
}

/// What is wrong with the doc comments of a file. In `cli`, comments on fields and variants are
/// the help texts of flags, which may be short.
fn complaints(text: &str, is_cli: bool) -> Vec<(usize, &'static str)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let neighbour = |by: isize| {
            let at = index.checked_add_signed(by);
            at.and_then(|at| lines.get(at)).copied().unwrap_or_default()
        };
        if let Some(words) = line.trim_start().strip_prefix("///") {
            let is_alone = !is_doc(neighbour(-1)) && !is_doc(neighbour(1));
            let is_help = is_cli && line.starts_with(' ');
            if is_alone && !is_help && says_little(words) {
                found.push((
                    index + 1,
                    "a doc comment of three words says no more than a name",
                ));
            }
        }
        let is_item = line
            .strip_prefix("pub ")
            .is_some_and(|rest| ITEMS.iter().any(|item| rest.starts_with(item)));
        let above = lines[..index].iter().rev();
        let above = above.skip_while(|it| !it.is_empty() && !is_doc(it) && !it.starts_with('}'));
        if is_item && !above.take(1).any(|it| is_doc(it)) {
            found.push((index + 1, "a public item without a doc comment"));
        }
    }
    found
}

#[test]
fn comments_say_something() {
    let mut found = Vec::new();
    for folder in ["crates", "xtask", "fuzz"] {
        for path in files_under(&root().join(folder)) {
            if path.extension().is_none_or(|it| it != "rs") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("a source file");
            let is_cli = path.starts_with(root().join("crates/cli/src"));
            let wrong = complaints(&text, is_cli);
            found.extend(
                wrong
                    .into_iter()
                    .map(|(line, what)| format!("{}:{line}: {what}", path.display())),
            );
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn little_and_missing_comments_are_found() {
    let text = "/// The level.\npub struct Level;\n\npub fn a() {}\n\n/// See [`a`].\n#[inline]\npub fn b() {}\n    /// Its name.\n";
    let lines = |is_cli| {
        complaints(text, is_cli)
            .into_iter()
            .map(|it| it.0)
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(false), [1, 4, 9]);
    assert_eq!(lines(true), [1, 4]);
}
