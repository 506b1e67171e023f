//! What must hold for any bytes at all where `app` reads files of the user. The fuzz targets of
//! `fuzz/` and the seeded runs below share these functions.

use app::{
    ConfigFile, Session,
    disk::testing::Memory,
    engines::{
        Archive, Platform, Registry,
        install::{Bounds, unpack},
    },
    session::{Header, LoadError},
};
use std::{path::Path, sync::atomic::AtomicBool};

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

/// A text is a list of engines or is refused. What a list offers for download has a whole SHA-256,
/// an address that may be asked, and a name that stays in its folder.
pub(crate) fn registry(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(registry) = Registry::parse(&text, "a list") else {
        return;
    };
    let is_whole =
        |sha256: &str| sha256.len() == 64 && sha256.bytes().all(|b| b.is_ascii_hexdigit());
    // Addresses mean the same in any letters.
    let is_secure = |url: &str| {
        let url = url.to_ascii_lowercase();
        url.starts_with("https://") || url.starts_with("http://")
    };
    let stays =
        |name: &str| !name.starts_with('/') && !name.split(['/', '\\']).any(|it| it == "..");
    for (_, definition) in registry.iter() {
        for build in definition.builds.values() {
            assert!(is_whole(&build.sha256) && is_secure(&build.url) && stays(&build.binary));
        }
        for network in definition.networks.values() {
            assert!(is_whole(&network.sha256) && is_secure(&network.url) && stays(&network.file));
        }
        if let Some((key, build)) = definition.build(&Platform::here()) {
            assert_eq!(definition.builds.get(&key), Some(build));
        }
    }
}

/// Bytes are an archive or are refused, whatever kind they are taken for (the first byte says it).
/// What comes out is in its folder, and no more than there is room for.
pub(crate) fn archive(bytes: &[u8]) {
    let Some((first, contents)) = bytes.split_first() else {
        return;
    };
    let kinds = [
        Archive::Zip,
        Archive::Tar,
        Archive::TarGz,
        Archive::TarXz,
        Archive::TarZst,
    ];
    let kind = kinds[usize::from(*first) % kinds.len()];
    let memory = Memory::new();
    let disk = memory.disk();
    let folder = Path::new("/kibitz/files");
    disk.make_folder(folder).expect("no faults");
    let download = Path::new("/kibitz/download");
    memory.put(download, contents);
    let bounds = Bounds {
        download_max: 1 << 20,
        unpacked_max: 1 << 20,
        files_max: 50,
    };
    let never = AtomicBool::new(false);
    // A refusal leaves what came before it to whoever asked, who removes the folder.
    unpack(&disk, download, kind, folder, &bounds, &never).ok();
    let (mut n_files, mut n_bytes) = (0, 0);
    for path in memory.paths().iter().filter(|path| *path != download) {
        assert!(path.starts_with(folder), "{} is outside", path.display());
        n_files += 1;
        n_bytes += memory.contents(path).map_or(0, |it| it.len());
    }
    assert!(
        n_files <= 51 && n_bytes <= 2 << 20,
        "{n_files} files, {n_bytes} bytes"
    );
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
    fn lists_of_engines_are_read_or_refused() {
        hold(registry, "registry", 1_000);
    }

    #[test]
    fn archives_stay_in_their_folder() {
        hold(archive, "archive", 2_000);
    }

    #[test]
    fn configurations_are_understood_or_left_alone() {
        hold(config, "config", 500);
    }
}
