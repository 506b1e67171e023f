//! The names of a training's files, and a second attempt for what may fail once.

use super::{TrainingError, crew::message};
use crate::Disk;
use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
};

/// A file beside another one, with something put behind its name.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(suffix);
    path.with_file_name(name)
}

/// Tries something that may fail once more; the first failure is told. A panic is a failure: what
/// is saved is only read, so that it is whole afterwards.
pub(super) fn twice<T>(
    mut attempt: impl FnMut() -> io::Result<T>,
    told: impl FnOnce(&io::Error),
) -> io::Result<T> {
    let mut caught = || {
        catch_unwind(AssertUnwindSafe(&mut attempt)).unwrap_or_else(|panic| {
            let reason = message(panic.as_ref());
            Err(io::Error::other(format!("panic: {reason}")))
        })
    };
    caught().or_else(|error| {
        told(&error);
        caught()
    })
}

/// The files `PREFIX_NUMBER.EXTENSION` of a folder, by descending number. A folder that does not
/// exist has none.
pub(super) fn numbered_files(
    disk: &Disk,
    folder: &Path,
    prefix: &str,
    extension: &str,
) -> Result<Vec<(u64, PathBuf)>, TrainingError> {
    let names = match disk.names(folder) {
        Ok(names) => names,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => {
            return Err(TrainingError::File {
                what: "read",
                path: folder.to_owned(),
                source,
            });
        }
    };
    let number = |path: &Path| {
        let name = path.file_name()?.to_str()?;
        let rest = name.strip_prefix(prefix)?.strip_prefix('_')?;
        rest.strip_suffix(extension)?
            .strip_suffix('.')?
            .parse()
            .ok()
    };
    let mut files: Vec<(u64, PathBuf)> = names
        .into_iter()
        .map(|name| folder.join(name))
        .filter_map(|path| Some((number(&path)?, path)))
        .collect();
    files.sort_unstable_by(|a, b| b.cmp(a));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failure_is_forgiven_and_two_are_not() {
        let failing = |n_failures: usize| {
            let (mut n, mut told) = (0, 0);
            let result = twice(
                || {
                    n += 1;
                    if n > n_failures {
                        Ok(n)
                    } else {
                        Err(io::Error::other("no space"))
                    }
                },
                |_| told += 1,
            );
            (result.ok(), told)
        };
        assert_eq!(failing(0), (Some(1), 0));
        assert_eq!(failing(1), (Some(2), 1));
        assert_eq!(failing(2), (None, 1));
    }
}
