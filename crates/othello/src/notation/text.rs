//! Text of an unknown encoding, kept byte for byte.

use std::{borrow::Cow, fmt};

/// Bytes that are meant as text: old files have Latin-1 names, new ones UTF-8.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct RawText(Vec<u8>);

impl RawText {
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// As people read it: UTF-8 if it is, Latin-1 otherwise.
    pub fn to_str(&self) -> Cow<'_, str> {
        decode(&self.0)
    }
}

impl From<&[u8]> for RawText {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

impl From<&str> for RawText {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl From<String> for RawText {
    fn from(text: String) -> Self {
        Self(text.into_bytes())
    }
}

impl fmt::Debug for RawText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_str(), f)
    }
}

/// UTF-8, or else one character a byte.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// Latin-1 where all characters have it, with `?` for the others.
pub(super) fn encode_latin1(text: &str) -> impl Iterator<Item = u8> {
    text.chars().map(|c| u8::try_from(c).unwrap_or(b'?'))
}
