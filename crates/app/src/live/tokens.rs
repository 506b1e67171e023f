//! The user's tokens: in a file of their own that only the user may read, and in no log.

use crate::{Disk, Home};
use std::{fmt, io, path::PathBuf, str::FromStr};

/// No file of tokens has more bytes.
const BYTES_MAX: u64 = 16 << 10;

/// What a service takes for a proof of who asks.
#[derive(Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Token(String);

impl Token {
    pub(super) fn bearer(&self) -> String {
        format!("Bearer {}", self.0)
    }
}

/// A token is not for logs.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

impl From<Token> for String {
    fn from(token: Token) -> Self {
        token.0
    }
}

impl TryFrom<String> for Token {
    type Error = TokenError;

    fn try_from(text: String) -> Result<Self, TokenError> {
        text.parse()
    }
}

impl FromStr for Token {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<Self, TokenError> {
        let text = text.trim();
        let is_fit = (8..=500).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic());
        if !is_fit {
            return Err(TokenError::Odd);
        }
        Ok(Self(text.to_owned()))
    }
}

/// A token cannot be used or kept. No message has any part of it.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    #[error("this is no token: expected 8 to 500 letters, digits and signs without blanks")]
    Odd,
    #[error("cannot read {path}: {source}")]
    Read { path: String, source: io::Error },
    #[error("{path} is not a file of tokens; correct it, or delete it and give the token again")]
    Broken { path: String },
    #[error("cannot write {path}: {source}")]
    Write { path: String, source: io::Error },
}

#[derive(Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    #[serde(skip_serializing_if = "Option::is_none")]
    lichess: Option<Token>,
}

/// The file of tokens in the home.
#[derive(Debug, Clone)]
pub struct Tokens {
    disk: Disk,
    path: PathBuf,
}

impl Tokens {
    pub fn of(home: &Home) -> Self {
        Self {
            disk: home.disk().clone(),
            path: home.tokens(),
        }
    }

    /// The token for Lichess, if the user gave one.
    pub fn lichess(&self) -> Result<Option<Token>, TokenError> {
        let path = || self.path.display().to_string();
        let bytes = match self.disk.read(&self.path, BYTES_MAX) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => {
                return Err(TokenError::Read {
                    path: path(),
                    source,
                });
            }
        };
        // The reason would quote the file.
        let broken = || TokenError::Broken { path: path() };
        let text = std::str::from_utf8(&bytes).map_err(|_| broken())?;
        let contents: Contents = toml::from_str(text).map_err(|_| broken())?;
        Ok(contents.lichess)
    }

    /// Keeps the token for Lichess in a file that only the user may read, or forgets it.
    pub fn set_lichess(&self, token: Option<Token>) -> Result<(), TokenError> {
        let failed = |source| TokenError::Write {
            path: self.path.display().to_string(),
            source,
        };
        // A file that stood there before may have been readable for others, and would stay so.
        self.disk.remove(&self.path).map_err(failed)?;
        if token.is_none() {
            return Ok(());
        }
        let contents = Contents { lichess: token };
        let text = toml::to_string(&contents).map_err(|it| failed(io::Error::other(it)))?;
        let written = self.disk.replace_private(&self.path, text.as_bytes());
        written.map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_kept_for_its_owner_and_never_shown() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(Some(folder.path())).unwrap();
        let tokens = Tokens::of(&home);
        assert_eq!(tokens.lichess().unwrap(), None);
        let token: Token = " lip_secretsecret\n".parse().unwrap();
        assert!(!format!("{token:?}").contains("secret"));
        // Also where a careless file stands already.
        std::fs::write(home.tokens(), "").unwrap();
        tokens.set_lichess(Some(token.clone())).unwrap();
        assert_eq!(tokens.lichess().unwrap(), Some(token));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::metadata(home.tokens()).unwrap().permissions();
            assert_eq!(mode.mode() & 0o777, 0o600);
        }
        std::fs::write(home.tokens(), "lichess = \"lip_secret with blanks\"").unwrap();
        let error = tokens.lichess().unwrap_err().to_string();
        assert!(!error.contains("secret"), "{error}");
        tokens.set_lichess(None).unwrap();
        assert!(!home.tokens().exists());
        for text in ["", "short", "with blank", "ümlaut-token"] {
            text.parse::<Token>().unwrap_err();
        }
    }
}
