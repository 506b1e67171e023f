//! Taking out what is nobody else's business.

use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, Item, TableLike, Value};

/// What must not get out, besides what looks like a secret.
#[derive(Debug, Clone, Default)]
pub struct Private {
    /// The user's own folder.
    pub user_folder: Option<PathBuf>,
    pub user_name: Option<String>,
}

impl Private {
    /// Of whoever runs this process, as far as the system tells.
    pub fn of_this_user() -> Self {
        let user_folder = std::env::home_dir();
        let named = |name| {
            std::env::var(name)
                .ok()
                .filter(|it: &String| !it.is_empty())
        };
        Self {
            user_name: named("USER").or_else(|| named("USERNAME")),
            user_folder,
        }
    }
}

const TAKEN_OUT: &str = "(taken out)";

/// A key that has one of these in its name has a secret, wherever it stands.
const SECRETS: [&str; 8] = [
    "token",
    "dsn",
    "password",
    "passwd",
    "secret",
    "api_key",
    "apikey",
    "credential",
];

fn names_a_secret(text: &str) -> bool {
    let text = text.to_lowercase();
    SECRETS.iter().any(|secret| text.contains(secret))
}

/// Shorter values are in too many words to be taken out of a text.
const SECRET_MIN: usize = 6;

impl Private {
    /// The text without paths into the user's folders, the user's name, and secrets: the given
    /// ones, and what looks like one.
    pub(super) fn taken_out_of(&self, text: &str, home: &Path, secrets: &[String]) -> String {
        let mut text = text.to_owned();
        for secret in secrets.iter().filter(|it| it.len() >= SECRET_MIN) {
            text = text.replace(secret.as_str(), TAKEN_OUT);
        }
        // The longer path first: the home is usually in the user's folder.
        for path in spellings(home) {
            text = text.replace(&path, "~/.kibitz");
        }
        for path in self.user_folder.iter().flat_map(|it| spellings(it)) {
            text = text.replace(&path, "~");
        }
        if let Some(name) = self.user_name.as_deref().filter(|name| name.len() >= 2) {
            text = name_replaced(&text, name, "(user)");
        }
        words_replaced(&text, |word| is_secret(word).then_some(TAKEN_OUT))
    }
}

/// How a path may stand in a text: as given, without links, and as JSON writes it.
fn spellings(path: &Path) -> Vec<String> {
    let resolved = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut found = Vec::new();
    for path in [path, &resolved] {
        let plain = path.to_string_lossy().into_owned();
        let escaped = plain.replace('\\', "\\\\");
        found.extend([escaped, plain]);
    }
    found.retain(|it| is_path(it));
    // A path in another one goes last.
    found.sort_by_key(|it| std::cmp::Reverse(it.len()));
    found.dedup();
    found
}

/// The text with a name replaced where it stands for itself. A name may have a dot or a hyphen.
fn name_replaced(text: &str, name: &str, replacement: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, found) = rest.split_at(at);
        let after = &found[name.len()..];
        let is_whole = !before.ends_with(is_part) && !after.starts_with(is_part);
        out.push_str(before);
        out.push_str(if is_whole { replacement } else { name });
        rest = after;
    }
    out + rest
}

/// `/` alone is no private path, and replacing it would leave nothing readable.
fn is_path(text: &str) -> bool {
    text.len() > 1
}

/// A token: 32 or more hexadecimal digits. Hashes of positions have 16.
fn is_secret(word: &str) -> bool {
    word.len() >= 32 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The text with some of its words, runs of letters and digits, replaced.
fn words_replaced(text: &str, replacement: impl Fn(&str) -> Option<&'static str>) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        out.push_str(replacement(word).unwrap_or(word));
        let next = after.find(is_part).unwrap_or(after.len());
        out.push_str(&after[..next]);
        rest = &after[next..];
    }
    out
}

/// The settings without secrets. A line that speaks of one and that TOML does not understand, in
/// a comment or in a broken file, is left out.
pub(super) fn config(source: &str) -> String {
    let text = match source.parse::<DocumentMut>() {
        Ok(mut document) => {
            visit_secrets(document.as_table_mut(), &mut |item| {
                let mut value = Value::from(TAKEN_OUT);
                if let Some(old) = item.as_value() {
                    *value.decor_mut() = old.decor().clone();
                }
                *item = Item::Value(value);
            });
            let lines = document.to_string();
            let lines = lines.lines().map(without_telling_comment);
            lines.collect::<Vec<_>>().join("\n")
        }
        Err(_) => {
            let harmless = source.lines().filter(|line| !names_a_secret(line));
            harmless.collect::<Vec<_>>().join("\n")
        }
    };
    text + "\n"
}

/// A line without its comment, if the user may have written a secret there.
fn without_telling_comment(line: &str) -> &str {
    match line.split_once('#') {
        Some((before, comment)) if names_a_secret(comment) => before,
        _ => line,
    }
}

/// The values of all secrets in the settings, so that they can be taken out of other texts. Of
/// comments and of a broken file, everything in quotes on a line that speaks of a secret.
pub(super) fn secrets(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    if let Ok(mut document) = source.parse::<DocumentMut>() {
        visit_secrets(document.as_table_mut(), &mut |item| {
            let plain = item.as_str().map(str::to_owned);
            let text = plain.unwrap_or_else(|| item.to_string().trim().to_owned());
            found.push(text);
        });
    }
    for line in source.lines().filter(|line| names_a_secret(line)) {
        let quoted = line.split(['"', '\'']).skip(1).step_by(2);
        found.extend(quoted.map(str::to_owned));
    }
    found
}

/// Hands out every value of a key that names a secret and is not empty, however deep it stands.
fn visit_secrets(table: &mut dyn TableLike, visit: &mut dyn FnMut(&mut Item)) {
    for (name, item) in table.iter_mut() {
        if let Some(inner) = item.as_table_like_mut() {
            visit_secrets(inner, visit);
        } else if let Some(tables) = item.as_array_of_tables_mut() {
            for inner in tables.iter_mut() {
                visit_secrets(inner, visit);
            }
        } else if names_a_secret(name.get()) && item.as_str().is_none_or(|value| !value.is_empty())
        {
            visit(item);
        }
    }
}
