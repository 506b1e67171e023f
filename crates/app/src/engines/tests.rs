//! Installations against a server that cuts, slows, lies and attacks, and the shelf of engines.

use super::{
    Id, Platform, Registry, Shelf,
    install::{self, Bounds, InstallError, Progress, World, inner_path},
};
use crate::{
    Home, Patience,
    disk::testing::{Call, Failure, Fault, Memory},
};
use arena::process::Keeper;
use sha2::{Digest as _, Sha256};
use std::{
    io::{BufRead as _, BufReader, Cursor, Write as _},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// An engine that is small enough to be read here.
const SCRIPT: &str = "#!/bin/sh\nwhile read -r word rest; do case $word in\n\
    uci) echo id name Script 1.0; echo uciok;;\nisready) echo readyok;;\nquit) exit 0;;\nesac; done\n";

/// What a server does with a request.
#[derive(Debug, Clone)]
enum Act {
    /// All that is asked for.
    Serve,
    /// So many bytes of what is asked for, then the connection ends.
    Cut(usize),
    /// The same, but the connection stays open and silent.
    Stall(usize),
    /// Everything, whatever part was asked for.
    ServeAll,
    /// A part that begins elsewhere than was asked for.
    WrongPart,
    /// A length that is not true.
    ClaimLength(usize),
    Status(&'static str),
    Redirect(String),
    /// Sends bytes until nobody listens.
    Endless,
    /// The connection ends without a word.
    Nothing,
}

struct Server {
    address: String,
    /// Where each request wanted to begin.
    starts: Arc<Mutex<Vec<usize>>>,
}

/// Serves these bytes; the acts are done one after the other, the last one for ever.
fn serve(body: Vec<u8>, acts: Vec<Act>) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("it has one"));
    let starts = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&starts);
    let body = Arc::new(body);
    let number = AtomicUsize::new(0);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(stream) = stream else { return };
            let n = number.fetch_add(1, Ordering::Relaxed).min(acts.len() - 1);
            let (act, body, seen) = (acts[n].clone(), Arc::clone(&body), Arc::clone(&seen));
            std::thread::spawn(move || drop(answer(stream, &body, &act, &seen)));
        }
    });
    Server { address, starts }
}

fn answer(
    stream: TcpStream,
    body: &[u8],
    act: &Act,
    seen: &Mutex<Vec<usize>>,
) -> std::io::Result<()> {
    let mut start = 0;
    let mut reader = BufReader::new(stream.try_clone()?);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? <= 2 {
            break;
        }
        if let Some(range) = line.to_ascii_lowercase().strip_prefix("range: bytes=") {
            start = range.trim().trim_end_matches('-').parse().unwrap_or(0);
        }
    }
    seen.lock().expect("no panic").push(start);
    let mut out = stream;
    let part = &body[start.min(body.len())..];
    let head = |status: &str, length: usize, more: &str| {
        format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{more}\r\n")
    };
    let usual = |start: usize, length: usize| match start {
        0 => head("200 OK", length, ""),
        _ => {
            let range = format!(
                "Content-Range: bytes {start}-{}/{}\r\n",
                body.len() - 1,
                body.len()
            );
            head("206 Partial Content", length, &range)
        }
    };
    match act {
        Act::Serve => {
            out.write_all(usual(start, part.len()).as_bytes())?;
            out.write_all(part)?;
        }
        Act::Cut(n) | Act::Stall(n) => {
            out.write_all(usual(start, part.len()).as_bytes())?;
            out.write_all(&part[..(*n).min(part.len())])?;
            out.flush()?;
            if matches!(act, Act::Stall(_)) {
                std::thread::park_timeout(Duration::from_secs(30));
            }
        }
        Act::ServeAll => {
            out.write_all(head("200 OK", body.len(), "").as_bytes())?;
            out.write_all(body)?;
        }
        Act::WrongPart => {
            out.write_all(usual(start + 1, part.len().saturating_sub(1)).as_bytes())?;
            out.write_all(&part[1.min(part.len())..])?;
        }
        Act::ClaimLength(length) => {
            out.write_all(usual(start, *length).as_bytes())?;
            out.write_all(&part[..(*length).min(part.len())])?;
        }
        Act::Status(status) => out.write_all(head(status, 0, "").as_bytes())?,
        Act::Redirect(to) => {
            let more = format!("Location: {to}\r\n");
            out.write_all(head("302 Found", 0, &more).as_bytes())?;
        }
        Act::Endless => {
            out.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")?;
            loop {
                out.write_all(&[7; 4096])?;
            }
        }
        Act::Nothing => {}
    }
    out.flush()
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A list with one engine `x`, for this computer.
fn registry(url: &str, body: &[u8], extract: &str, binary: &str) -> Registry {
    let key = Platform::here().keys().pop().expect("the plain one");
    let text = format!(
        "[engines.x]\nname = \"X\"\nhomepage = \"https://x.example\"\n[engines.x.builds.{key}]\n\
         url = \"{url}\"\nsha256 = \"{}\"\nbinary = \"{binary}\"\nextract = \"{extract}\"\n",
        hash(body)
    );
    Registry::parse(&text, "test").expect("a list of engines")
}

fn clock() -> arena::process::Now {
    #[expect(clippy::disallowed_methods, reason = "real processes take real time")]
    let start = Instant::now();
    Arc::new(move || start.elapsed().as_millis() as u64)
}

fn world<'a>(stop: &'a AtomicBool, pause: &'a (dyn Fn(u64) + Sync)) -> World<'a> {
    World {
        may_download: true,
        patience: Patience {
            connect: Duration::from_secs(20),
            read: Duration::from_millis(1_000),
            attempts: 3,
            pause,
        },
        bounds: Bounds {
            download_max: 4 << 20,
            unpacked_max: 2 << 20,
            files_max: 100,
        },
        stop,
        keeper: Keeper::Nobody,
        now: clock(),
    }
}

struct Trial {
    result: Result<Id, InstallError>,
    home: Home,
    progress: Vec<Progress>,
    /// Removes the home when the test ends.
    _folder: tempfile::TempDir,
}

fn trial_of(registry: &Registry, change: impl FnOnce(&mut World<'_>)) -> Trial {
    let folder = tempfile::tempdir().expect("a folder");
    let home = Home::open(Some(folder.path())).expect("it can be made");
    let stop = AtomicBool::new(false);
    let mut world = world(&stop, &|_| {});
    change(&mut world);
    let mut progress = Vec::new();
    let platform = Platform::here();
    let result = install::install(&home, registry, "x", &platform, &world, &mut |step| {
        progress.push(step);
    });
    Trial {
        result: result.map(|(id, _)| id),
        home,
        progress,
        _folder: folder,
    }
}

fn trial(body: &[u8], extract: &str, binary: &str, acts: Vec<Act>) -> (Trial, Vec<usize>) {
    let server = serve(body.to_vec(), acts);
    let url = format!("{}/x", server.address);
    let trial = trial_of(&registry(&url, body, extract, binary), |_| {});
    let starts = server.starts.lock().expect("no panic").clone();
    (trial, starts)
}

/// Everything below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        }
        found.push(entry.path());
    }
    found
}

/// The engine is there, and nothing else.
fn is_installed(trial: &Trial) {
    let id = trial
        .result
        .as_ref()
        .unwrap_or_else(|error| panic!("{error}"));
    let shelf = Shelf::new(&trial.home);
    let (_, entry) = shelf.find("x").expect("it was installed");
    assert_eq!(entry.name, "Script 1.0");
    let program = shelf.folder_of(id).join(&entry.path);
    assert_eq!(std::fs::read_to_string(program).unwrap_or_default(), SCRIPT);
    let names = trial
        .home
        .disk()
        .names(&trial.home.engines())
        .unwrap_or_default();
    assert_eq!(names, ["x"], "nothing is left beside it");
    assert_eq!(trial.progress.last(), Some(&Progress::Done));
    assert!(trial.progress.contains(&Progress::Trying));
    let nothing_else = !files(&trial.home.engines())
        .iter()
        .any(|path| path.ends_with("download"));
    assert!(nothing_else);
}

/// It failed, in these words, and nothing is left.
fn is_refused(trial: &Trial, expected: &str) {
    let error = trial.result.as_ref().expect_err(expected).to_string();
    assert!(error.contains(expected), "{error}; expected {expected}");
    assert_eq!(
        files(&trial.home.engines()),
        Vec::<PathBuf>::new(),
        "{error}"
    );
    assert!(!trial.progress.contains(&Progress::Done));
}

fn tar_of(entries: &[(&str, tar::EntryType, &[u8], &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, kind, contents, link) in entries {
        let mut header = tar::Header::new_gnu();
        // Past the checks of the library.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.as_old_mut().linkname[..link.len()].copy_from_slice(link.as_bytes());
        header.set_entry_type(*kind);
        header.set_mode(0o755);
        header.set_size(contents.len() as u64);
        header.set_cksum();
        builder.append(&header, *contents).expect("into memory");
    }
    builder.into_inner().expect("into memory")
}

fn plain_tar() -> Vec<u8> {
    let file = tar::EntryType::Regular;
    let folder = tar::EntryType::Directory;
    tar_of(&[
        ("x/", folder, b"", ""),
        ("x/engine", file, SCRIPT.as_bytes(), ""),
        ("x/README.md", file, b"read me", ""),
    ])
}

fn zip_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, contents) in entries {
        writer.start_file(*name, options).expect("into memory");
        writer.write_all(contents).expect("into memory");
    }
    writer.finish().expect("into memory").into_inner()
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("into memory");
    encoder.finish().expect("into memory")
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(bytes).expect("into memory");
    encoder.finish().expect("into memory")
}

fn zst(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).expect("into memory")
}

#[cfg(unix)]
#[test]
fn every_kind_of_archive_is_installed() {
    let tar = plain_tar();
    let zip = zip_of(&[("x/engine", SCRIPT.as_bytes()), ("x/README.md", b"read me")]);
    for (kind, body, binary) in [
        ("tar", tar.clone(), "x/engine"),
        ("tar.gz", gz(&tar), "x/engine"),
        ("tar.xz", xz(&tar), "x/engine"),
        ("tar.zst", zst(&tar), "x/engine"),
        ("zip", zip, "x/engine"),
        ("none", SCRIPT.as_bytes().to_vec(), "engine"),
    ] {
        let (trial, starts) = trial(&body, kind, binary, vec![Act::Serve]);
        is_installed(&trial);
        assert_eq!(starts, [0], "{kind}");
    }
}

#[cfg(unix)]
#[test]
fn a_download_that_is_cut_goes_on_where_it_was() {
    let body = plain_tar();
    let third = body.len() / 3;
    // The SHA-256 shows that the pieces fit.
    let (trial_cut, starts) = trial(&body, "tar", "x/engine", vec![Act::Cut(third), Act::Serve]);
    is_installed(&trial_cut);
    assert_eq!(starts, [0, third]);
    let many: Vec<Act> = (0..8).map(|_| Act::Cut(100)).chain([Act::Serve]).collect();
    let (trial_many, starts) = trial(&body, "tar", "x/engine", many);
    is_installed(&trial_many);
    assert_eq!(starts, [0, 100, 200, 300, 400, 500, 600, 700, 800]);
    // Silence is a cut, too.
    let (trial_slow, starts) = trial(
        &body,
        "tar",
        "x/engine",
        vec![Act::Stall(third), Act::Serve],
    );
    is_installed(&trial_slow);
    assert_eq!(starts, [0, third]);
}

#[cfg(unix)]
#[test]
fn servers_that_cannot_resume_begin_anew() {
    let body = plain_tar();
    for odd in [
        Act::ServeAll,
        Act::WrongPart,
        Act::Status("416 Range Not Satisfiable"),
    ] {
        let acts = vec![Act::Cut(500), odd.clone(), Act::Serve];
        let (trial, starts) = trial(&body, "tar", "x/engine", acts);
        is_installed(&trial);
        assert_eq!(starts[..2], [0, 500], "{odd:?}");
    }
    // A server that is busy is asked again.
    let busy = vec![
        Act::Status("503 Service Unavailable"),
        Act::Nothing,
        Act::Serve,
    ];
    is_installed(&trial(&body, "tar", "x/engine", busy).0);
}

#[cfg(unix)]
#[test]
fn addresses_that_lead_on_are_followed_if_they_are_secure() {
    let body = plain_tar();
    let (trial_moved, _) = trial(
        &body,
        "tar",
        "x/engine",
        vec![Act::Redirect("/elsewhere".to_owned()), Act::Serve],
    );
    is_installed(&trial_moved);
    for (to, expected) in [
        ("/again", "leads to address after address"),
        ("http://x.example/x", "is not a secure address"),
        ("file:///etc/passwd", "is not a secure address"),
        ("", "is not a secure address"),
    ] {
        let (trial, _) = trial(&body, "tar", "x/engine", vec![Act::Redirect(to.to_owned())]);
        is_refused(&trial, expected);
    }
}

#[test]
fn servers_that_fail_or_lie_are_told() {
    let body = plain_tar();
    let longer = body.len() + 100;
    for (act, expected) in [
        (Act::Cut(0), "was cut off after 0 bytes"),
        (Act::Nothing, "does not answer"),
        (Act::Stall(0), "cut off after 0 bytes"),
        (Act::Status("404 Not Found"), "127.0.0.1 answered 404"),
        (Act::Status("500 Oops"), "127.0.0.1 answered 500"),
        (Act::ClaimLength(longer), "was cut off"),
        (
            Act::ClaimLength(1000),
            "is not what the list describes (SHA-256",
        ),
        (Act::ClaimLength(5 << 20), "is larger than 4 MB"),
        (Act::Endless, "is larger than 4 MB"),
    ] {
        let (trial, _) = trial(&body, "tar", "x/engine", vec![act]);
        is_refused(&trial, expected);
    }
    // Nobody listens there any more.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/x", listener.local_addr().unwrap());
    drop(listener);
    let trial = trial_of(&registry(&url, &body, "tar", "x/engine"), |_| {});
    is_refused(&trial, "does not answer");
}

#[test]
fn wrong_bytes_are_thrown_away() {
    let body = plain_tar();
    let mut other = body.clone();
    other[700] ^= 1;
    let server = serve(other, vec![Act::Serve]);
    let list = registry(&format!("{}/x", server.address), &body, "tar", "x/engine");
    is_refused(&trial_of(&list, |_| {}), "is not what the list describes");
}

#[test]
fn archives_that_attack_are_refused() {
    let file = tar::EntryType::Regular;
    let script = SCRIPT.as_bytes();
    let zeros = vec![0; 3 << 20];
    let tar = |name: &str| tar_of(&[(name, file, script, "")]);
    let linked = |kind, to| tar_of(&[("x/engine", file, script, ""), ("x/link", kind, b"", to)]);
    let bomb = tar_of(&[
        ("x/engine", file, script, ""),
        ("x/zeros", file, &zeros, ""),
    ]);
    let long_name = tar_of(&[("././@LongLink", tar::EntryType::GNULongName, &zeros, "")]);
    let many: Vec<(String, &[u8])> = (0..200).map(|n| (format!("x/{n}"), script)).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|(name, it)| (name.as_str(), *it)).collect();
    let mut linked_zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    linked_zip
        .add_symlink("x/engine", "/bin/sh", options)
        .unwrap();
    let linked_zip = linked_zip.finish().unwrap().into_inner();
    let whole = gz(&plain_tar());
    for (kind, body, expected) in [
        ("tar", tar("../engine"), "leads out of its folder"),
        ("tar", tar("/tmp/engine"), "leads out of its folder"),
        ("tar", tar("x/../../engine"), "leads out of its folder"),
        ("tar", tar("..\\engine"), "leads out of its folder"),
        ("tar", tar("c:\\engine"), "characters that no file needs"),
        (
            "zip",
            zip_of(&[("../engine", script)]),
            "leads out of its folder",
        ),
        (
            "zip",
            zip_of(&[("/engine", script)]),
            "leads out of its folder",
        ),
        (
            "tar",
            linked(tar::EntryType::Symlink, "/etc/passwd"),
            "is a link or a device",
        ),
        (
            "tar",
            linked(tar::EntryType::Link, "x/engine"),
            "is a link or a device",
        ),
        (
            "tar",
            linked(tar::EntryType::Fifo, ""),
            "is a link or a device",
        ),
        (
            "tar",
            linked(tar::EntryType::Char, ""),
            "is a link or a device",
        ),
        ("zip", linked_zip, "is a link or a device"),
        ("tar.gz", gz(&bomb), "more than 2 MB when unpacked"),
        ("tar.xz", xz(&bomb), "more than 2 MB when unpacked"),
        ("tar.zst", zst(&bomb), "more than 2 MB when unpacked"),
        (
            "zip",
            zip_of(&[("x/engine", script), ("x/zeros", &zeros)]),
            "more than 2 MB when unpacked",
        ),
        ("tar.gz", gz(&long_name), "a name in it has no end"),
        ("zip", zip_of(&many), "more than 100 files"),
        (
            "tar",
            tar_of(&[
                ("x/engine", file, script, ""),
                ("x/ENGINE", file, script, ""),
            ]),
            "is there twice",
        ),
        ("tar.gz", whole[..whole.len() / 2].to_vec(), "it is damaged"),
        ("zip", plain_tar(), "it is damaged"),
        ("tar.xz", plain_tar(), "it is damaged"),
        ("tar.zst", plain_tar(), "it is damaged"),
        (
            "tar",
            tar_of(&[("x/README", file, script, "")]),
            "has no file x/engine",
        ),
    ] {
        let (trial, _) = trial(&body, kind, "x/engine", vec![Act::Serve]);
        is_refused(&trial, expected);
    }
}

#[cfg(unix)]
#[test]
fn programs_that_are_no_engines_are_removed_again() {
    for (program, expected) in [
        (
            "#!/bin/sh\necho hello\nexit 3\n",
            "ended by itself while it started (exit code 3)",
        ),
        ("\u{7f}ELF nonsense", "cannot be started"),
    ] {
        let (trial, _) = trial(program.as_bytes(), "none", "engine", vec![Act::Serve]);
        is_refused(&trial, expected);
    }
}

#[cfg(unix)]
#[test]
fn without_consent_or_a_build_nothing_is_fetched() {
    let body = plain_tar();
    let server = serve(body.clone(), vec![Act::Serve]);
    let url = format!("{}/x", server.address);
    let list = registry(&url, &body, "tar", "x/engine");
    is_refused(
        &trial_of(&list, |world| world.may_download = false),
        "needs your consent",
    );
    let none = Registry::parse("[engines.x]\nname = \"X\"\n", "test").unwrap();
    is_refused(
        &trial_of(&none, |_| {}),
        "add it with kibitz engines add x --path FILE",
    );
    let stopped = AtomicBool::new(true);
    let trial = {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(Some(folder.path())).unwrap();
        let world = world(&stopped, &|_| {});
        let result = install::install(&home, &list, "x", &Platform::here(), &world, &mut |_| {});
        assert_eq!(files(&home.engines()), Vec::<PathBuf>::new());
        result
    };
    assert!(matches!(trial, Err(InstallError::Stopped)));
    // What is there is not replaced.
    let installed = trial_of(&list, |_| {});
    is_installed(&installed);
    let stop = AtomicBool::new(false);
    let world = world(&stop, &|_| {});
    let again = install::install(
        &installed.home,
        &list,
        "x",
        &Platform::here(),
        &world,
        &mut |_| {},
    );
    assert!(
        again
            .unwrap_err()
            .to_string()
            .contains("there is an engine x already")
    );
    let shelf = Shelf::new(&installed.home);
    shelf.remove(&"x".parse().unwrap()).unwrap();
    assert_eq!(files(&installed.home.engines()), Vec::<PathBuf>::new());
}

#[test]
fn a_disk_that_fails_at_any_call_leaves_no_engine() {
    let body = plain_tar();
    let server = serve(body.clone(), vec![Act::Serve]);
    let list = registry(&format!("{}/x", server.address), &body, "tar", "x/engine");
    for after in 0.. {
        let memory = Memory::new();
        let home = Home::open_on(memory.disk(), "/kibitz".into()).unwrap();
        memory.fail(Fault::nth(Call::Any, after, Failure::NoSpace));
        let stop = AtomicBool::new(false);
        let world = world(&stop, &|_| {});
        let result = install::install(&home, &list, "x", &Platform::here(), &world, &mut |_| {});
        // A program in memory cannot be started, so that every way ends here.
        let error = result.unwrap_err();
        let left = memory.paths();
        assert!(left.is_empty(), "{error}: {left:?}");
        if memory.n_faults() == 0 {
            assert!(error.to_string().contains("cannot be started"), "{error}");
            break;
        }
    }
}

#[test]
fn lists_are_fetched_and_kept_only_if_they_can_be_used() {
    let good = "[engines.y]\nname = \"Y\"\nfind = [\"y\"]\n";
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open(Some(folder.path())).unwrap();
    let stop = AtomicBool::new(false);
    let fetch = |text: &str, act: Act, may_download: bool| {
        let server = serve(text.as_bytes().to_vec(), vec![act]);
        let mut world = world(&stop, &|_| {});
        world.may_download = may_download;
        install::fetch_registry(&home, &format!("{}/engines.toml", server.address), &world)
    };
    assert!(matches!(
        fetch(good, Act::Serve, false),
        Err(InstallError::NoConsent { .. })
    ));
    assert_eq!(fetch(good, Act::Serve, true).unwrap(), 1);
    let (registry, errors) = super::load_registry(&home);
    assert!(errors.is_empty());
    assert!(registry.get(&"y".parse().unwrap()).is_some());
    assert!(registry.get(&"stockfish".parse().unwrap()).is_some());
    for (text, act, expected) in [
        ("engines = 3", Act::Serve, "is not a list of engines"),
        (good, Act::Status("404 Not Found"), "answered 404"),
        (good, Act::Cut(5), "cut off"),
        (good, Act::Endless, "larger than 4 MB"),
    ] {
        let error = fetch(text, act, true).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        let kept = std::fs::read_to_string(home.registry_cache()).unwrap();
        assert_eq!(kept, good, "the old list stays");
    }
}

#[test]
fn names_inside_archives_are_checked() {
    for (name, expected) in [
        ("a/./b//c", Ok("a/b/c")),
        ("a\\b", Ok("a/b")),
        ("", Err(())),
        (".", Err(())),
        ("..", Err(())),
        ("a/..", Err(())),
        ("a/nul", Err(())),
        ("COM1.txt", Err(())),
        ("a.", Err(())),
        ("a\nb", Err(())),
        ("c:", Err(())),
    ] {
        let found = inner_path(name).map_err(|_| ());
        assert_eq!(found, expected.map(PathBuf::from), "{name:?}");
    }
    assert!(inner_path(&"a/".repeat(17)).is_err());
    assert!(inner_path(&"a".repeat(300)).is_err());
}

/// An engine that thinks only with a network that begins with the word good.
#[cfg(unix)]
const NET_SCRIPT: &str = "#!/bin/sh\nnet=$2\nwhile read -r word rest; do case $word in\n\
    uci) echo id name Net 1.0; echo option name EvalFile type string default x; echo uciok;;\n\
    setoption) net=${rest#name EvalFile value };;\n\
    isready) echo readyok;;\n\
    go) case $(cat \"$net\" 2>/dev/null) in good*) ;; *) exit 1;; esac\n\
    echo info depth 1 score cp 1 pv e2e4; case $rest in infinite) ;; *) echo bestmove e2e4;; esac;;\n\
    stop) echo bestmove e2e4;;\nquit) exit 0;;\nesac; done\n";

#[cfg(unix)]
struct NetTrial {
    home: Home,
    registry: Registry,
    _folder: tempfile::TempDir,
}

/// An engine on the shelf, added by its path, whose network is to be had at an address.
#[cfg(unix)]
fn with_network(url: &str, sha256: &str, how: &str) -> NetTrial {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open(Some(folder.path())).unwrap();
    let program = folder.path().join("net.sh");
    std::fs::write(&program, NET_SCRIPT).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let text = format!(
        "[engines.net]\nname = \"Net\"\n[engines.net.networks.small]\nurl = {url:?}\n\
         sha256 = {sha256:?}\nfile = \"small.nnue\"\n{how}\n"
    );
    let registry = Registry::parse(&text, "test").unwrap();
    let entry = super::Entry {
        name: "Net".to_owned(),
        version: String::new(),
        protocol: "uci".to_owned(),
        game: super::Game::Chess,
        path: program,
        args: Vec::new(),
        described_as: Some("net".to_owned()),
        url: None,
        sha256: None,
    };
    Shelf::new(&home)
        .add(&"net".parse().unwrap(), &entry)
        .unwrap();
    NetTrial {
        home,
        registry,
        _folder: folder,
    }
}

#[cfg(unix)]
fn bring_network(trial: &NetTrial, may_download: bool) -> Result<PathBuf, InstallError> {
    let stop = AtomicBool::new(false);
    let world = World {
        may_download,
        ..world(&stop, &|_| {})
    };
    let (home, registry) = (&trial.home, &trial.registry);
    install::install_network(home, registry, "net", None, &world, &mut |_| {}).map(|it| it.path)
}

#[cfg(unix)]
#[test]
fn a_network_is_downloaded_tried_and_named_to_its_engine() {
    let body = b"good network".to_vec();
    for how in ["option = \"EvalFile\"", "arg = \"--net\""] {
        let server = serve(body.clone(), vec![Act::Cut(5), Act::Serve]);
        let trial = with_network(&format!("{}/n", server.address), &hash(&body), how);
        let shelf = Shelf::new(&trial.home);
        let refused = bring_network(&trial, false).unwrap_err().to_string();
        assert!(refused.contains("needs your consent"), "{refused}");
        let path = bring_network(&trial, true).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), body);
        let (id, entry) = shelf.find("net").unwrap();
        let network = &trial.registry.get(&id).unwrap().networks["small"];
        assert!(install::is_in_use(&shelf, &id, &entry, network), "{how}");
        // Again in the place of the one before: it is named once.
        bring_network(&trial, true).unwrap();
        let (_, entry) = shelf.find("net").unwrap();
        assert!(entry.args.len() <= 2, "{:?}", entry.args);
        let names = trial.home.disk().names(&shelf.folder_of(&id)).unwrap();
        assert!(!names.iter().any(|it| it == ".new-network"), "{names:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_network_that_is_wrong_or_does_not_work_leaves_nothing() {
    let bad = b"bad network".to_vec();
    let option = "option = \"EvalFile\"";
    for (body, sha256, acts, expected) in [
        (
            bad.clone(),
            hash(&bad),
            vec![Act::Serve],
            "with it the engine",
        ),
        (
            bad.clone(),
            hash(b"other"),
            vec![Act::Serve],
            "is not what the list describes",
        ),
        (
            bad.clone(),
            hash(&bad),
            vec![Act::Status("404 Not Found")],
            "answered 404",
        ),
        (
            bad.clone(),
            hash(&bad),
            vec![Act::Endless],
            "is larger than",
        ),
    ] {
        let server = serve(body, acts);
        let trial = with_network(&format!("{}/n", server.address), &sha256, option);
        let error = bring_network(&trial, true).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        let folder = trial.home.engines().join("net");
        let left = trial.home.disk().names(&folder).unwrap();
        assert_eq!(left, ["engine.toml"], "{error}");
    }
    let refuse = |how: &str, file: &str| {
        let text = format!(
            "[engines.net]\nname = \"Net\"\n[engines.net.networks.n]\n\
             url = \"https://n.example/n\"\nsha256 = \"{}\"\nfile = {file:?}\n{how}\n",
            hash(b"")
        );
        Registry::parse(&text, "test").unwrap_err().to_string()
    };
    assert!(refuse(option, "../n").contains("leads out"));
    assert!(refuse(option, "a/n").contains("lies in a folder"));
    assert!(refuse("", "n").contains("expected an option or an arg"));
}

#[cfg(unix)]
#[test]
fn an_engine_that_needs_a_network_is_installed_with_it() {
    let script = NET_SCRIPT.replace("uci) echo", "uci) [ -s \"$net\" ] || exit 1; echo");
    let network = b"good network".to_vec();
    let (program_server, network_server) = (
        serve(script.clone().into_bytes(), vec![Act::Serve]),
        serve(network.clone(), vec![Act::Serve]),
    );
    let key = Platform::here().keys().pop().expect("the plain one");
    let text = format!(
        "[engines.x]\nname = \"X\"\nrequires_network = true\n[engines.x.builds.{key}]\n\
         url = \"{}/x\"\nsha256 = \"{}\"\nbinary = \"engine\"\nextract = \"none\"\n\
         [engines.x.networks.n]\nurl = \"{}/n\"\nsha256 = \"{}\"\nfile = \"n.dat\"\n\
         arg = \"--net\"\n",
        program_server.address,
        hash(script.as_bytes()),
        network_server.address,
        hash(&network)
    );
    let registry = Registry::parse(&text, "test").unwrap();
    let trial = trial_of(&registry, |_| {});
    let id = trial.result.as_ref().unwrap();
    let shelf = Shelf::new(&trial.home);
    let (_, entry) = shelf.find("x").unwrap();
    let path = shelf.folder_of(id).join("networks/n.dat");
    assert_eq!(entry.args, ["--net".to_owned(), path.display().to_string()]);
    assert_eq!(std::fs::read(&path).unwrap(), network);
}

/// A home with files in the folder of one engine.
fn home_with(id: &str, files: &[(&str, &str)]) -> (tempfile::TempDir, Home) {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open(Some(folder.path())).unwrap();
    let own = folder.path().join("engines").join(id);
    std::fs::create_dir_all(&own).unwrap();
    for (name, text) in files {
        std::fs::write(own.join(name), text).unwrap();
    }
    (folder, home)
}

#[test]
fn auto_is_a_number_of_threads_and_a_word_elsewhere() {
    let entry = "name = 'Some'\nprotocol = 'uci'\ngame = 'chess'\npath = '/some'\n";
    let settings = "[options]\nthreads = 'auto'\n'Debug Log File' = 'auto'\n";
    let files = [("engine.toml", entry), ("config.toml", settings)];
    let (_folder, home) = home_with("some", &files);
    let shelf = Shelf::new(&home);
    let (id, entry) = shelf.find("some").unwrap();
    let registry = Registry::default();
    let options = shelf.options(&id, &entry, &registry, 3).unwrap();
    let expected = [("Debug Log File", "auto"), ("threads", "3")];
    let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(options, expected);
}

#[test]
fn an_engine_with_a_damaged_description_can_be_removed() {
    let (_folder, home) = home_with("bad", &[("engine.toml", "no [ toml")]);
    let shelf = Shelf::new(&home);
    assert!(shelf.find("bad").is_err());
    let (id, entry) = shelf.find_any("bad").unwrap();
    assert!(entry.is_err());
    shelf.remove(&id).unwrap();
    assert!(shelf.list().is_empty());
}
