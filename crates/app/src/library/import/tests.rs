use super::*;
use crate::library::{Filter, Order, Page};
use othello::notation::{WthorGame, WthorHeader, WthorNames, WthorWriter};
use std::{io::Write as _, time::Duration};
use tempfile::TempDir;

const QUIET: Importing<'static> = Importing {
    tell: &|_| {},
    is_stopped: &|| false,
    anew: false,
};

/// A database in a folder of its own.
struct Bench {
    folder: TempDir,
    store: Store,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("a.db")).unwrap();
        Self { folder, store }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn import(&mut self, files: &[PathBuf]) -> ImportReport {
        import(&mut self.store, files, QUIET).unwrap()
    }

    /// How many were stored, known, and bad.
    fn counts(&mut self, file: &Path) -> (u64, u64, u64) {
        let report = self.import(&[file.to_owned()]);
        (report.stored, report.duplicates, report.n_problems)
    }

    fn whites(&self) -> Vec<String> {
        let page = Page { skip: 0, most: 99 };
        let found = self.store.find(&Filter::default(), Order::Added, page);
        let games = found.unwrap().games;
        games.into_iter().map(|it| it.game.white).collect()
    }
}

#[test]
fn a_file_is_read_again_when_there_is_a_reason() {
    let mut bench = Bench::new();
    let file = bench.write("a.txt", "f5d6c3d3c4\nf5f6e6f4\n");
    assert_eq!(bench.counts(&file), (2, 0, 0));
    assert_eq!(bench.counts(&file), (0, 2, 0));
    // A game was deleted.
    bench.store.delete(&[1]).unwrap();
    assert_eq!(bench.counts(&file), (1, 1, 0));
    assert_eq!(bench.counts(&file), (0, 2, 0));
    // Somebody wishes it.
    let anew = Importing {
        anew: true,
        ..QUIET
    };
    let report = import(&mut bench.store, std::slice::from_ref(&file), anew).unwrap();
    assert_eq!((report.games, report.duplicates), (2, 2));
    // It was corrected far behind its beginning, without a change of length.
    let head = "# a remark\n".repeat(10_000);
    let long = bench.write("long.txt", format!("{head}f5d6c4\n"));
    assert_eq!(bench.counts(&long), (1, 0, 0));
    bench.write("long.txt", format!("{head}f5f4e3\n"));
    let later = std::time::SystemTime::now() + Duration::from_secs(5);
    let changed = File::options().append(true).open(&long).unwrap();
    changed.set_modified(later).unwrap();
    assert_eq!(bench.counts(&long), (1, 0, 0));
    // Its problems are told each time.
    let bad = bench.write("bad.txt", "f5d6c4d3\nf5f5\n");
    assert_eq!(bench.counts(&bad), (1, 0, 1));
    let report = bench.import(&[bad]);
    assert_eq!((report.duplicates, report.problems.len()), (1, 1));
    assert_eq!(report.problems[0].place.unwrap().record, 2);
}

/// A file that ends with an error is not finished: the same call goes on.
#[test]
fn a_file_that_could_not_be_read_to_its_end_is_not_done() {
    let mut bench = Bench::new();
    let games = "[White \"Ann\"]\n\n1. e4 e5 *\n\n[White \"Bob\"]\n\n1. d4 d5 *\n".repeat(3_000);
    let whole = zstd::encode_all(games.as_bytes(), 1).unwrap();
    let cut = bench.write("a.pgn.zst", &whole[..whole.len() - 8]);
    let report = bench.import(std::slice::from_ref(&cut));
    assert_eq!((report.files, report.unread), (1, 1), "{report:?}");
    let names = std::fs::read(&cut).unwrap();
    assert_eq!(names.len(), whole.len() - 8);
    // It is told again, and nothing is taken for known that was not read.
    let report = bench.import(&[cut]);
    assert_eq!(report.unread, 1, "{report:?}");
    // Othello, too; what cannot be read is no record.
    let lines = "f5d6c3d3c4\nf5f6e6f4\n";
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(lines.as_bytes()).unwrap();
    let whole = gz.finish().unwrap();
    let cut = bench.write("b.txt.gz", &whole[..whole.len() - 8]);
    let first = bench.import(std::slice::from_ref(&cut));
    let second = bench.import(&[cut]);
    assert_eq!(
        (first.unread, second.unread),
        (1, 1),
        "{first:?} {second:?}"
    );
}

fn wthor_games() -> Vec<u8> {
    let mut writer = WthorWriter::new(io::Cursor::new(Vec::new()), WthorHeader::default()).unwrap();
    for (moves, black) in [("f5d6c3d3c4", 0), ("f5f6e6f4", 1)] {
        let game = othello::notation::parse_transcript(moves).unwrap();
        let mut game = WthorGame::from_game(&game).unwrap();
        (game.black, game.white) = (black, 2);
        writer.write(&game).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn names_that_come_later_are_taken() {
    let mut bench = Bench::new();
    let games = bench.write("WTH_1977.wtb", wthor_games());
    assert_eq!(bench.counts(&games), (2, 0, 0));
    assert_eq!(bench.whites(), ["", ""]);
    let mut players = Vec::new();
    let names = ["Ann", "Bob", "Cid"].map(Into::into).to_vec();
    let names = WthorNames::<20> {
        names,
        ..WthorNames::default()
    };
    names.write_to(&mut players).unwrap();
    let players = bench.write("WTH.JOU", players);
    // Names are no games, and do not keep those from being read.
    let report = bench.import(&[players.clone(), games]);
    assert_eq!((report.stored, report.n_problems), (2, 0), "{report:?}");
    assert_eq!(bench.whites(), ["Cid", "Cid"]);
    let report = bench.import(&[players]);
    assert_eq!((report.files, report.unread), (1, 1));
    assert!(report.problems[0].to_string().contains("names of players"));
}

#[test]
fn one_bad_file_does_not_keep_the_others_out() {
    let mut bench = Bench::new();
    let files = [
        bench.write("a.pgn", "1. e4 e5 *\n"),
        bench.path("missing.pgn"),
        bench.write("b.zip", b"PK\x03\x04 and nothing else"),
        bench.write("c.pgn.zst", b"\x28\xb5\x2f\xfdnothing"),
        bench.write("d.pgn", "1. d4 d5 *\n\n1. d4 d5 2. Ke3 *\n"),
    ];
    let report = bench.import(&files);
    assert_eq!((report.stored, report.files), (2, 2), "{report:?}");
    assert_eq!((report.unread, report.n_problems), (3, 4));
    let told: Vec<String> = report.problems.iter().map(ToString::to_string).collect();
    assert!(told[0].starts_with("cannot be read: "), "{told:?}");
    assert!(told[1].starts_with("cannot be unpacked: "), "{told:?}");
    assert!(
        told[3].starts_with("record 2, line 3, column 13: "),
        "{told:?}"
    );
    assert_eq!(report.problems[0].file, files[1]);
}

#[test]
fn archives_tell_what_is_wrong_inside() {
    let mut bench = Bench::new();
    let options = zip::write::SimpleFileOptions::default();
    let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    for (name, bytes) in [
        ("one.pgn", &b"1. e4 e5 *\n\n1. e4 Ke3 *\n"[..]),
        ("locked.pgn", b"1. c4 c5 *\n"),
        ("two.pgn", b"1. d4 Ke3 *\n\n1. d4 d5 *\n"),
        ("three.pgn.gz", b"\x1f\x8b\x08 and so on"),
    ] {
        zip.start_file(name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    let mut bytes = zip.finish().unwrap().into_inner();
    // The second member's mark of encryption, in both of its headers.
    for (header, flags, name) in [(b"PK\x03\x04", 6, 30), (b"PK\x01\x02", 8, 46)] {
        let at = (0..bytes.len())
            .find(|&at| {
                bytes[at..].starts_with(header) && bytes[at + name..].starts_with(b"locked")
            })
            .unwrap();
        bytes[at + flags] |= 1;
    }
    let path = bench.write("all.zip", bytes);
    let report = bench.import(std::slice::from_ref(&path));
    assert_eq!((report.stored, report.n_problems), (2, 4), "{report:?}");
    let told: Vec<String> = report
        .problems
        .iter()
        .map(|it| format!("{}: {it}", it.file.display()))
        .collect();
    let begin = format!("{}: ", path.display());
    let told: Vec<&str> = told
        .iter()
        .map(|it| it.strip_prefix(&begin).unwrap())
        .collect();
    assert!(told[0].starts_with("one.pgn: record 2, line 3"), "{told:?}");
    assert!(
        told[1].starts_with("locked.pgn: cannot be unpacked"),
        "{told:?}"
    );
    assert!(told[2].starts_with("two.pgn: record 1, line 1"), "{told:?}");
    assert!(told[3].contains("gzip once more"), "{told:?}");
    for (name, bytes, what) in [
        ("a.pgn.xz", &b"\xfd7zXZ\0\0\0"[..], "xz"),
        ("a.7z", b"7z\xbc\xaf\x27\x1c\0\0", "7z"),
    ] {
        let file = bench.write(name, bytes);
        let report = bench.import(&[file]);
        let told = report.problems[0].to_string();
        assert!(
            told.contains(what) && told.contains("unpack it first"),
            "{told}"
        );
    }
}

#[test]
fn large_tags_make_small_chunks() {
    let value = "x".repeat(400_000);
    let game = |n: u32| format!("[White \"{n}\"]\n[Remark \"{value}\"]\n\n1. e4 *\n\n");
    let text: String = (0..100).map(game).collect();
    let (sender, chunks) = sync_channel::<Chunk>(WAITING);
    std::thread::scope(|scope| {
        scope.spawn(move || read_pgn(text.as_bytes(), "a.pgn", 0, &sender));
        let sizes: Vec<usize> = chunks.iter().map(|it| it.games.len()).collect();
        assert_eq!(sizes.iter().sum::<usize>(), 100);
        assert!(sizes.iter().all(|it| *it <= 40), "{sizes:?}");
    });
}

#[test]
fn ggf_comes_out_as_it_went_in() {
    let text = "(;GM[Othello]PC[GGS/os]DT[2003-12-15 13:24:03.GMT]PB[Ann]PW[Bob]RB[2197.01]\
                RW[2683.2]TI[05:00//02:00]TY[8r18]RE[-64.000:r]CO[a header comment]\
                BO[8 ---------------------------O*------*O--------------------------- *]\
                B[F5/-1.25/3.2]W[D6//1.01]C[a move comment]B[C3];)\n";
    let mut bench = Bench::new();
    let file = bench.write("a.ggf", text);
    assert_eq!(bench.counts(&file), (1, 0, 0));
    let game = bench.store.game(1).unwrap();
    assert_eq!((game.date, game.black_elo), (20_031_215, 2197));
    let mut out = Vec::new();
    let format = crate::library::ExportFormat::Ggf;
    crate::library::export(&bench.store, &[1], format, &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), text);
}
