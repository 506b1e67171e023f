//! Taking out what is nobody else's business.

use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, Item, Value};

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

/// Keys whose values are secrets, wherever they stand.
const SECRETS: [&str; 4] = ["token", "dsn", "password", "secret"];

impl Private {
    /// The text without paths into the user's folders, the user's name, and secrets.
    pub(super) fn taken_out_of(&self, text: &str, home: &Path) -> String {
        let mut text = text.to_owned();
        let home = home.to_string_lossy();
        // The longer path first: the home is usually in the user's folder.
        if is_path(&home) {
            text = text.replace(&*home, "~/.kibitz");
        }
        if let Some(folder) = &self.user_folder {
            let folder = folder.to_string_lossy();
            if is_path(&folder) {
                text = text.replace(&*folder, "~");
            }
        }
        if let Some(name) = self.user_name.as_deref().filter(|name| name.len() >= 2) {
            text = words_replaced(&text, |word| (word == name).then_some("(user)"));
        }
        words_replaced(&text, |word| is_secret(word).then_some(TAKEN_OUT))
    }
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

/// The settings without secrets; of a broken file, every line that may have one is left out.
pub(super) fn config(source: &str) -> String {
    let Ok(mut document) = source.parse::<DocumentMut>() else {
        let is_harmless = |line: &&str| {
            let line = line.to_lowercase();
            !SECRETS.iter().any(|secret| line.contains(secret))
        };
        let lines: Vec<&str> = source.lines().filter(is_harmless).collect();
        return lines.join("\n") + "\n";
    };
    for (_, section) in document.iter_mut() {
        let Some(table) = section.as_table_like_mut() else {
            continue;
        };
        for (name, item) in table.iter_mut() {
            let is_secret = SECRETS.contains(&name.get());
            if is_secret && item.as_str().is_none_or(|value| !value.is_empty()) {
                let mut value = Value::from(TAKEN_OUT);
                if let Some(old) = item.as_value() {
                    *value.decor_mut() = old.decor().clone();
                }
                *item = Item::Value(value);
            }
        }
    }
    document.to_string()
}
