//! What must hold for any bytes at all where `app` reads files of the user. The fuzz targets of
//! `fuzz/` and the seeded runs below share these functions.

use app::{
    ConfigFile, Session,
    disk::testing::Memory,
    session::{Header, LoadError},
};
use std::path::Path;

/// A text is a session or is refused with a reason. A session is written as a text that is the same
/// session, and the list of games shows of it what the session says of itself.
pub(crate) fn session(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let read = Session::from_text("s1", &text);
    let header = Header::read("s1", &text);
    match read {
        Ok(session) => {
            assert!(header.is_ok(), "a session has a header");
            let Ok(written) = session.to_text(0) else {
                return;
            };
            let again = Session::from_text("s1", &written).expect("own text");
            let twice = again.to_text(0).expect("as before");
            assert_eq!(without_revision(&twice), without_revision(&written));
            let listed = Header::read("s1", &written).expect("own text");
            let revision = listed.revision;
            assert_eq!(
                listed,
                Header {
                    revision,
                    ..again.header()
                }
            );
        }
        Err(LoadError::Newer(version)) => {
            assert!(version > 2, "what is newer is left alone");
            assert!(header.is_err());
        }
        Err(_) => {}
    }
}

/// Reading counts the revision up, so that the page notices.
fn without_revision(text: &str) -> Vec<&str> {
    let lines = text.lines();
    lines.filter(|it| !it.starts_with("revision = ")).collect()
}

/// A file is understood, or broken and left as it is. One that is understood gets what it lacks,
/// keeps what it has, and is not changed again by being opened or by a change of nothing.
pub(crate) fn config(bytes: &[u8]) {
    let memory = Memory::new();
    let disk = memory.disk();
    disk.make_folder(Path::new("/kibitz")).expect("no faults");
    let path = Path::new("/kibitz/config.toml");
    memory.put(path, bytes);
    let first = ConfigFile::open_on(disk.clone(), path.to_owned());
    let written = memory.contents(path).expect("it is never removed");
    let mut second = ConfigFile::open_on(disk, path.to_owned());
    assert_eq!(second.config(), first.config());
    let again = || memory.contents(path).expect("it is never removed");
    assert!(again() == written, "opened twice, changed once");
    match second.change(|_| {}) {
        Ok(()) => {}
        // Broken: not a byte is touched.
        Err(_) => assert!(written == bytes),
    }
    assert!(again() == written, "a change of nothing changes nothing");
    assert_eq!(memory.paths(), [path], "nothing is left behind");
}

#[cfg(test)]
#[path = "../../../fuzz/src/seeded.rs"]
mod seeded;

#[cfg(test)]
mod tests {
    use super::{seeded::hold, *};

    #[test]
    fn sessions_are_read_or_refused() {
        hold(session, "session", 2_000);
    }

    #[test]
    fn configurations_are_understood_or_left_alone() {
        hold(config, "config", 500);
    }
}
