//! What must hold for the body of any request: it is one of our types or refused, what was read is
//! written and read as the same, and nothing unknown is swallowed. The fuzz target of `fuzz/` and
//! the seeded run below share this function.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use server::wire;

/// The body of a request, read as each type that a route takes.
pub(crate) fn body(bytes: &[u8]) {
    keeps::<wire::AnalysisWish>(bytes);
    keeps::<wire::CommentWish>(bytes);
    keeps::<wire::GlyphsWish>(bytes);
    keeps::<wire::GotoWish>(bytes);
    keeps::<wire::Login>(bytes);
    keeps::<wire::MoveWish>(bytes);
    keeps::<wire::NewGame>(bytes);
    keeps::<wire::PreviewWish>(bytes);
    keeps::<wire::PromoteWish>(bytes);
    keeps::<wire::ReviewWish>(bytes);
    keeps::<wire::SessionChange>(bytes);
    keeps::<wire::SettingsChange>(bytes);
}

fn keeps<T: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug>(bytes: &[u8]) {
    let Ok(wish) = serde_json::from_slice::<T>(bytes) else {
        return;
    };
    let written = serde_json::to_vec(&wish).expect("a wish is plain data");
    let again: T = serde_json::from_slice(&written).expect("own text");
    assert_eq!(again, wish);
    // A misspelt key is told, and not taken for one that was left out.
    if let Ok(Value::Object(mut object)) = serde_json::from_slice(bytes) {
        object.insert("unknown key".to_owned(), Value::Null);
        let with_unknown = Value::Object(object);
        assert!(serde_json::from_value::<T>(with_unknown).is_err());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeded::hold;

    #[test]
    fn bodies_are_read_or_refused() {
        hold(body, "body", 5_000);
    }

    /// A law that is never put to the test proves nothing: each seed is a wish of some kind.
    #[test]
    fn the_seeds_are_wishes() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/body");
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let bytes = std::fs::read(&path).unwrap();
            let is_wish = [
                serde_json::from_slice::<wire::AnalysisWish>(&bytes).is_ok(),
                serde_json::from_slice::<wire::CommentWish>(&bytes).is_ok(),
                serde_json::from_slice::<wire::GlyphsWish>(&bytes).is_ok(),
                serde_json::from_slice::<wire::GotoWish>(&bytes).is_ok(),
                serde_json::from_slice::<wire::MoveWish>(&bytes).is_ok(),
                serde_json::from_slice::<wire::NewGame>(&bytes).is_ok(),
                serde_json::from_slice::<wire::SessionChange>(&bytes).is_ok(),
                serde_json::from_slice::<wire::SettingsChange>(&bytes).is_ok(),
            ];
            assert!(is_wish.contains(&true), "{}", path.display());
        }
    }
}
