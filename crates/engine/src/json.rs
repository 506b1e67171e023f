//! JSON objects read entry by entry, so that one bad entry can be named and the others kept.

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// The entries of an object in their order, duplicates included. If the text is damaged, what
/// came before the damage is there, and the error says where it is.
pub(crate) fn entries(text: &str) -> (Vec<(String, Value)>, Option<serde_json::Error>) {
    let mut found = Vec::new();
    let mut reader = serde_json::Deserializer::from_str(text);
    let error = Collect(&mut found)
        .deserialize(&mut reader)
        .and_then(|()| reader.end())
        .err();
    (found, error)
}

/// What kind of value it is, in words for an error.
pub(crate) const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The beginning of a text that another program or the user wrote: as much as an error message should repeat.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

struct Collect<'a>(&'a mut Vec<(String, Value)>);

impl<'de> DeserializeSeed<'de> for Collect<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Collect<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            let value = map
                .next_value()
                .map_err(|error| A::Error::custom(format!("after {:?}: {error}", excerpt(&key))))?;
            self.0.push((key, value));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_before_the_damage_is_kept() {
        let keys = |text: &str| -> (Vec<String>, Option<String>) {
            let (found, error) = entries(text);
            let keys = found.into_iter().map(|(key, _)| key).collect();
            (keys, error.map(|error| error.to_string()))
        };
        assert_eq!(
            keys(r#"{"a": 1, "b": [2], "a": 3}"#).0,
            ["a", "b", "a"],
            "in order, twice if written twice"
        );
        let (kept, error) = keys(r#"{"a": 1, "b": 1e999, "c": 2}"#);
        assert_eq!(kept, ["a"]);
        assert!(error.unwrap().contains("after \"b\": number out of range"));
        assert_eq!(keys(r#"{"a": 1, "b"#).0, ["a"]);
        assert!(keys("{} x").1.unwrap().contains("trailing characters"));
        for broken in ["", "[1]", "7", "null", "{", "\u{0}"] {
            let (kept, error) = keys(broken);
            assert!(kept.is_empty() && error.is_some(), "{broken:?}");
        }
    }

    #[test]
    fn excerpts_are_short_and_whole_characters() {
        assert_eq!(excerpt("f5"), "f5");
        assert_eq!(excerpt(&"é".repeat(99)).chars().count(), 41);
    }
}
