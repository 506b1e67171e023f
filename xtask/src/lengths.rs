//! How long files and functions may be, tests aside: what does not fit on a few screens is read by
//! nobody in one go.

use crate::{process::root, tidy::files_under};
use std::{fs, path::Path};

const FILE_LINES: usize = 600;
const FUNCTION_LINES: usize = 70;

/// What is longer today. The list may only shrink; what stays in it at the end says why.
const LONG_FILES: [&str; 0] = [];

/// Functions likewise, by file.
const LONG_FUNCTIONS: [(&str, &str); 1] = [
    // The inner loop: what it carries from step to step would be the arguments of its parts.
    ("crates/engine/src/search/tree.rs", "node"),
];

/// Whether a file is written by people for the product. Tests and what is generated are not looked
/// at.
fn counts(path: &Path) -> bool {
    let text = path.to_string_lossy().replace('\\', "/");
    let kind = [".rs", ".ts", ".svelte"]
        .iter()
        .any(|it| text.ends_with(it));
    let aside = [
        "/tests/",
        "/tests.rs",
        "/benches/",
        "/fuzz/",
        "/e2e/",
        "/bench/",
        ".test.ts",
        "/wire.ts",
        ".d.ts",
    ];
    kind && !aside.iter().any(|it| text.contains(it))
}

/// The lines before the unit tests at the end of a file.
fn product_lines(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let tests = lines
        .windows(2)
        .position(|pair| pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod "));
    lines[..tests.unwrap_or(lines.len())].to_vec()
}

/// Every function with its number of lines: from its `fn` to the brace that closes it, which in
/// formatted code stands in the same column.
fn functions(lines: &[&str]) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let Some((before, after)) = code.split_once("fn ") else {
            continue;
        };
        let is_head = before.split_whitespace().all(|word| {
            word.starts_with("pub") || ["const", "async", "unsafe", "extern"].contains(&word)
        });
        if !is_head || line.trim_end().ends_with(';') {
            continue;
        }
        let indent = &line[..line.len() - code.len()];
        let close = format!("{indent}}}");
        let name: String = after
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        if let Some(length) = lines[start..].iter().position(|line| *line == close) {
            found.push((name, length + 1));
        }
    }
    found
}

#[test]
fn files_and_functions_are_short() {
    let mut found = Vec::new();
    for path in files_under(&root()).into_iter().filter(|it| counts(it)) {
        let text = fs::read_to_string(&path).expect("a readable file");
        let lines = product_lines(&text);
        let known = LONG_FILES.iter().any(|file| path.ends_with(file));
        if lines.len() > FILE_LINES && !known {
            found.push(format!("{} has {} lines", path.display(), lines.len()));
        }
        if path.extension().is_none_or(|it| it != "rs") {
            continue;
        }
        for (name, length) in functions(&lines) {
            let excepted = LONG_FUNCTIONS
                .iter()
                .any(|(file, function)| path.ends_with(file) && name == *function);
            if length > FUNCTION_LINES && !excepted {
                found.push(format!("{}: {name} has {length} lines", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn known_exceptions_are_still_long() {
    let lines_of = |file: &str| fs::read_to_string(root().join(file)).expect("a listed file");
    for file in LONG_FILES {
        let text = lines_of(file);
        assert!(
            product_lines(&text).len() > FILE_LINES,
            "{file} is short by now: take it from the list"
        );
    }
    for (file, function) in LONG_FUNCTIONS {
        let text = lines_of(file);
        let long = functions(&product_lines(&text))
            .iter()
            .any(|(name, length)| name == function && *length > FUNCTION_LINES);
        assert!(
            long,
            "{file}: {function} is short by now: take it from the list"
        );
    }
}

/// A check that cannot fail proves nothing.
#[test]
fn lengths_are_counted() {
    let text = "impl A {\n    pub fn long(\n        a: u8,\n    ) {\n        b();\n    }\n}\n\n#[cfg(test)]\nmod tests {}\n";
    let lines = product_lines(text);
    assert_eq!(lines.len(), 8);
    assert_eq!(functions(&lines), [("long".to_owned(), 5)]);
    assert!(counts(Path::new("crates/a/src/b.rs")));
    assert!(!counts(Path::new("crates/a/tests/it/b.rs")));
}
