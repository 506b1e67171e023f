//! What values positions: an evaluator, its weights, and where these came from.

use crate::{AnalystError, disk::Disk, input::WEIGHTS_MAX};
use engine::eval::{classic::Classic, pattern::Pattern, weights};
use std::{
    fmt,
    fs::{self, Metadata},
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    time::SystemTime,
};

/// Which evaluation values the leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EvaluatorChoice {
    #[default]
    Pattern,
    /// Six features that players count by hand.
    Classic,
}

impl EvaluatorChoice {
    /// All, with their names on command lines, in files and in reports.
    pub const NAMES: [(&str, Self); 2] = [("pattern", Self::Pattern), ("classic", Self::Classic)];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Pattern => "pattern",
            Self::Classic => "classic",
        }
    }
}

/// A file of weights that is in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightsFile {
    /// Where it was read.
    pub path: PathBuf,
    /// Eight digits that tell its contents from others'.
    pub checksum: String,
}

/// Where weights came from. It prints as reports name it: `pattern:shipped`, or
/// `classic:mine.json#0123abcd`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// What they are for.
    pub evaluator: EvaluatorChoice,
    /// Their file; `None` for those that the program comes with.
    pub file: Option<WeightsFile>,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let evaluator = self.evaluator.name();
        match &self.file {
            None => write!(f, "{evaluator}:shipped"),
            Some(WeightsFile { path, checksum }) => {
                // The folder is nobody's business in a report that may be passed on.
                let name = path.file_name().unwrap_or(path.as_os_str());
                write!(f, "{evaluator}:{}#{checksum}", name.to_string_lossy())
            }
        }
    }
}

/// An evaluator with its weights. Clones share them.
#[derive(Debug, Clone)]
pub struct Evaluation {
    pub(crate) weights: Weights,
    origin: Arc<Origin>,
    stamp: Option<Stamp>,
}

/// What a file looks like from outside: when it was changed and how long it is; `None` if it is not
/// there. Another stamp is another file, or the same with other contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp(Option<(SystemTime, u64)>);

impl Stamp {
    pub(crate) fn of(path: &Path) -> Self {
        let seen = |file: Metadata| Some((file.modified().ok()?, file.len()));
        Self(fs::metadata(path).ok().and_then(seen))
    }
}

#[derive(Debug, Clone)]
pub(crate) enum Weights {
    Pattern(Arc<Pattern>),
    Classic(Classic),
}

impl Evaluation {
    /// The evaluator with the weights that the program comes with.
    pub fn shipped(choice: EvaluatorChoice) -> Result<Self, AnalystError> {
        let weights = match choice {
            EvaluatorChoice::Pattern => Weights::Pattern(shipped_pattern()?),
            EvaluatorChoice::Classic => Weights::Classic(Classic::default()),
        };
        let origin = Arc::new(Origin {
            evaluator: choice,
            file: None,
        });
        Ok(Self {
            weights,
            origin,
            stamp: None,
        })
    }

    /// The evaluator with the weights of a file's contents; `path` is how reports name them.
    pub fn from_bytes(
        choice: EvaluatorChoice,
        path: &Path,
        bytes: &[u8],
    ) -> Result<Self, AnalystError> {
        let weights = match choice {
            EvaluatorChoice::Pattern => Weights::Pattern(Arc::new(Pattern::from_bytes(bytes)?)),
            // What is not text is not JSON either, and the parser says where.
            EvaluatorChoice::Classic => {
                Weights::Classic(Classic::from_json(&String::from_utf8_lossy(bytes))?)
            }
        };
        let file = WeightsFile {
            path: path.to_owned(),
            checksum: short_checksum(bytes),
        };
        let origin = Arc::new(Origin {
            evaluator: choice,
            file: Some(file),
        });
        Ok(Self {
            weights,
            origin,
            stamp: None,
        })
    }

    /// Reads the evaluator's weights from a file, or takes the shipped ones.
    pub fn load(choice: EvaluatorChoice, file: Option<&Path>) -> Result<Self, AnalystError> {
        let Some(path) = file else {
            return Self::shipped(choice);
        };
        // Before the file is read: a change in between is noticed later.
        let stamp = Stamp::of(path);
        let read = Disk::real().read(path, WEIGHTS_MAX);
        let bytes = read.map_err(|source| AnalystError::Read {
            path: path.display().to_string(),
            source,
        })?;
        let read = Self::from_bytes(choice, path, &bytes);
        let evaluation = read.map_err(|source| AnalystError::Use {
            path: path.display().to_string(),
            source: Box::new(source),
        })?;
        Ok(Self {
            stamp: Some(stamp),
            ..evaluation
        })
    }

    /// What the file looked like when it was read, if there is one.
    pub(crate) const fn stamp(&self) -> Option<Stamp> {
        self.stamp
    }

    /// Whether both share the same weights.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.origin, &other.origin)
    }

    /// Where the weights came from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }
}

/// The upper and lower half of the checksum mixed: short enough to be read aloud.
fn short_checksum(bytes: &[u8]) -> String {
    let sum = engine::checksum::checksum(bytes);
    format!("{:08x}", (sum >> 32) as u32 ^ sum as u32)
}

/// Unpacked once, however many engines there are.
fn shipped_pattern() -> Result<Arc<Pattern>, weights::WeightsError> {
    static SHIPPED: OnceLock<Arc<Pattern>> = OnceLock::new();
    if let Some(pattern) = SHIPPED.get() {
        return Ok(Arc::clone(pattern));
    }
    let pattern = Arc::new(Pattern::shipped()?);
    Ok(Arc::clone(SHIPPED.get_or_init(|| pattern)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEIGHTS: &str = r#"{"mobility": 1, "psqt": 0, "frontier": 0, "parity": 0, "corners": 0,
        "corner_closeness": 0}"#;

    #[test]
    fn origins_name_the_file_and_its_contents() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.json");
        let load = |text: &str| {
            fs::write(&path, text).unwrap();
            Evaluation::load(EvaluatorChoice::Classic, Some(&path)).unwrap()
        };
        let name = load(WEIGHTS).origin().to_string();
        assert_eq!(name.len(), "classic:mine.json#01234567".len(), "{name}");
        assert!(name.starts_with("classic:mine.json#"), "{name}");
        assert_eq!(load(WEIGHTS).origin().to_string(), name);
        let other = load(&WEIGHTS.replace('1', "2"));
        assert_ne!(other.origin().to_string(), name);
        let shipped = Evaluation::load(EvaluatorChoice::Pattern, None).unwrap();
        assert_eq!(shipped.origin().to_string(), "pattern:shipped");
    }

    #[test]
    fn what_is_no_weights_file_is_refused_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.json");
        let error = |path: &Path| {
            let error = Evaluation::load(EvaluatorChoice::Classic, Some(path)).unwrap_err();
            error.to_string()
        };
        assert!(error(&path).starts_with("cannot read "), "{}", error(&path));
        fs::write(&path, "[]").unwrap();
        assert!(error(&path).starts_with("cannot use "), "{}", error(&path));
        assert!(error(&path).contains("mine.json: "), "{}", error(&path));
        assert!(error(folder.path()).starts_with("cannot read "));
        fs::File::create(&path)
            .unwrap()
            .set_len(WEIGHTS_MAX + 1)
            .unwrap();
        assert!(error(&path).contains("it has more than "));
        #[cfg(unix)]
        assert!(error(Path::new("/dev/zero")).contains("it has more than "));
    }
}
