//! From the text of a configuration file to a configuration and what is odd about the text.

use super::{
    Config,
    keys::{KEYS, RESERVED},
    nearest::nearest,
};
use std::{ops::Range, path::Path};
use toml_edit::{DocumentMut, Item};

/// A file's text, understood.
pub(super) struct Read {
    pub(super) document: DocumentMut,
    pub(super) config: Config,
    pub(super) warnings: Vec<String>,
}

/// Understands a text. What is not TOML at all is told with its line and column.
pub(super) fn read(path: &Path, source: &str) -> Result<Read, String> {
    let shown = path.display();
    let document = source.parse::<DocumentMut>().map_err(|error| {
        let place = error.span().map_or_else(String::new, |span| {
            let (line, column) = place(source, span.start);
            format!(":{line}:{column}")
        });
        format!("{shown}{place}: {}", error.message().trim())
    })?;
    let mut reader = Reader {
        shown: shown.to_string(),
        source,
        // Values keep their places only in the immutable twin.
        spanned: toml_edit::Document::parse(source.to_owned()).ok(),
        config: Config::default(),
        warnings: Vec::new(),
    };
    reader.read_keys(&document);
    reader.read_letters(&document);
    for (section, item) in document.iter() {
        reader.check_section(section, item);
    }
    let Reader {
        config, warnings, ..
    } = reader;
    Ok(Read {
        document,
        config,
        warnings,
    })
}

struct Reader<'a> {
    shown: String,
    source: &'a str,
    spanned: Option<toml_edit::Document<String>>,
    config: Config,
    warnings: Vec<String>,
}

impl Reader<'_> {
    fn warn(&mut self, span: Option<Range<usize>>, what: &str) {
        let place = span.map_or_else(String::new, |span| {
            let (line, column) = place(self.source, span.start);
            format!(":{line}:{column}")
        });
        self.warnings.push(format!("{}{place}: {what}", self.shown));
    }

    fn span_of_section(&self, section: &str) -> Option<Range<usize>> {
        self.spanned.as_ref()?.get(section)?.span()
    }

    fn span_of(&self, section: &str, name: &str) -> Option<Range<usize>> {
        self.spanned.as_ref()?.get(section)?.get(name)?.span()
    }

    fn read_keys(&mut self, document: &DocumentMut) {
        for key in KEYS {
            let Some(item) = document.get(key.section).and_then(|it| it.get(key.name)) else {
                continue;
            };
            let read = match item.as_value() {
                Some(value) => (key.read)(value, &mut self.config),
                None => Err("expected a value".to_owned()),
            };
            if let Err(expected) = read {
                let what = format!(
                    "{}.{} is {}, but {expected}; the default is used",
                    key.section,
                    key.name,
                    excerpt(item)
                );
                self.warn(self.span_of(key.section, key.name), &what);
            }
        }
    }

    fn read_letters(&mut self, document: &DocumentMut) {
        let letters = document.get("ui").and_then(|ui| ui.get("keys"));
        let Some(letters) = letters.and_then(Item::as_table_like) else {
            return;
        };
        for (name, item) in letters.iter() {
            if let Some(letter) = item.as_str() {
                let keys = &mut self.config.ui.keys;
                keys.insert(name.to_owned(), letter.to_owned());
            }
        }
    }

    /// Warns about what means nothing here, or nothing yet.
    fn check_section(&mut self, section: &str, item: &Item) {
        let span = self.span_of_section(section);
        if RESERVED.contains(&section) {
            let what = format!("section [{section}] is reserved; it does nothing yet and is kept");
            self.warn(span, &what);
            return;
        }
        if !KEYS.iter().any(|key| key.section == section) {
            let sections = KEYS.iter().map(|key| key.section);
            let hint = match nearest(section, sections) {
                Some(near) => format!("did you mean [{near}]?"),
                None => format!("the sections are {}", sections_list()),
            };
            let what = format!("there is no section [{section}], so it does nothing; {hint}");
            self.warn(span, &what);
            return;
        }
        let Some(table) = item.as_table_like() else {
            let what = format!(
                "{section} is {}, but expected a section [{section}]; it is kept",
                excerpt(item)
            );
            self.warn(span, &what);
            return;
        };
        for (name, item) in table.iter() {
            self.check_key(section, name, item);
        }
    }

    fn check_key(&mut self, section: &str, name: &str, item: &Item) {
        let names = || {
            let ours = KEYS.iter().filter(|key| key.section == section);
            ours.map(|key| key.name)
        };
        if names().any(|known| known == name) || (section, name) == ("ui", "keys") {
            return;
        }
        let full = format!("{section}.{name}");
        let found = excerpt(item);
        let span = self.span_of(section, name);
        if RESERVED.contains(&&full[..]) {
            let what = format!("{full} = {found} is reserved; it does nothing yet and is kept");
            self.warn(span, &what);
            return;
        }
        // A key may have been put into the wrong section.
        let elsewhere = KEYS.iter().find(|key| key.name == name);
        let hint = match (nearest(name, names()), elsewhere) {
            (Some(near), _) => format!("did you mean {section}.{near}?"),
            (None, Some(key)) => format!("did you mean {}.{}?", key.section, key.name),
            (None, None) => {
                let names: Vec<&str> = names().collect();
                format!("[{section}] knows {}", names.join(", "))
            }
        };
        let what = format!("there is no setting {full}, so {full} = {found} does nothing; {hint}");
        self.warn(span, &what);
    }
}

fn sections_list() -> String {
    let mut names: Vec<String> = KEYS
        .iter()
        .map(|key| format!("[{}]", key.section))
        .collect();
    names.dedup();
    names.join(", ")
}

/// A value as it may stand in a message: one line, never long.
fn excerpt(item: &Item) -> String {
    let text = item.to_string();
    let line = text.trim().lines().next().unwrap_or_default();
    line.chars().take(40).collect()
}

/// Line and column of a byte, both counted from 1.
fn place(source: &str, byte: usize) -> (usize, usize) {
    let before = source.get(..byte).unwrap_or(source);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (line, before[start..].chars().count() + 1)
}
