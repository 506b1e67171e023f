//! `kibitz convert`: games and positions from one notation to another, record by record.
//!
//! A bad record is reported and left out; the others are converted. What a format has no place
//! for is lost (see `othello::notation::Record`), but from GGF to GGF, OBF to OBF and WTHOR to
//! WTHOR everything stays. The output appears under its name only when it is complete.

use anyhow::{Context as _, bail, ensure};
use othello::notation::{
    Format, GgfWriter, ObfLine, Problem, ProblemKind, WriteRecordError, WthorDate, WthorDirectory,
    WthorHeader, WthorNames, WthorWriter, detect, read_ggf, read_obf, read_records, read_wthor,
};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Cursor, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

const EXAMPLES: &str = "\
Examples:
  kibitz convert WTH_2022.wtb games.ggf
  kibitz convert games.ggf - --to transcript
  kibitz convert - base.wtb --from transcript --players WTH.JOU

Formats: board, transcript, obf, ggf, wtb. Without --from and --to the file name's extension
decides, or else the content; .txt out means transcript.";

/// Problems that are printed one by one; of the others only the number is told.
const PRINTED_MAX: usize = 20;
/// Problems that `--json` lists, so that a wholly wrong file cannot fill the memory.
const LISTED_MAX: usize = 1000;
/// How much of the input is looked at to tell its format.
const BUFFER_BYTES: usize = 1 << 16;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// File to read, - for the standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// File to write, - for the standard output
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Format of IN
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Format of OUT
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Names of WTHOR players; WTH.JOU beside the games otherwise
    #[arg(long, value_name = "FILE.jou")]
    players: Option<PathBuf>,
    /// Names of WTHOR tournaments; WTH.TRN beside the games otherwise
    #[arg(long, value_name = "FILE.trn")]
    tournaments: Option<PathBuf>,
    /// Print a summary as one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let to_stdout = is_stream(&args.output);
    ensure!(
        !(args.json && to_stdout),
        "--json and the output - both want the standard output; give OUT a file name"
    );
    let to = output_format(args)?;
    let mut reader = open_input(&args.input)?;
    let from = input_format(args, reader.as_mut())?;
    let directory = directory(args, from, to)?;
    let mut output = Output::create(&args.output, to)?;
    let mut log = Log::default();
    convert(from, to, reader, &mut output, &directory, &mut log)
        .with_context(|| format!("writing {}", args.output.display()))?;
    log.print_problems();
    log.check(&args.input)?;
    output
        .finish()
        .with_context(|| format!("writing {}", args.output.display()))?;
    print_summary(args, &log)
}

/// What happened so far.
#[derive(Debug, Default, serde::Serialize)]
struct Log {
    read: u64,
    written: u64,
    n_problems: u64,
    problems: Vec<Complaint>,
    /// Records met, good and bad: the number of the current one.
    #[serde(skip)]
    met: u64,
    #[serde(skip)]
    input_failed: bool,
}

/// A record that was left out, and why.
#[derive(Debug, serde::Serialize)]
struct Complaint {
    place: String,
    message: String,
}

impl Log {
    fn complain(&mut self, place: String, message: String) {
        self.n_problems += 1;
        if self.problems.len() < LISTED_MAX {
            self.problems.push(Complaint { place, message });
        }
    }

    /// Takes what was read; a problem is noted.
    fn take<T>(&mut self, item: Result<T, Problem>) -> Option<T> {
        self.met += 1;
        match item {
            Ok(record) => {
                self.read += 1;
                Some(record)
            }
            Err(Problem { place, kind }) => {
                self.input_failed |= matches!(kind, ProblemKind::Io { .. });
                self.complain(place.to_string(), kind.to_string());
                None
            }
        }
    }

    /// Takes what became of a record; only a failing output ends the conversion.
    fn took(&mut self, written: Result<(), WriteRecordError>) -> io::Result<()> {
        match written {
            Ok(()) => self.written += 1,
            Err(WriteRecordError::Io(error)) => return Err(error),
            Err(error) => {
                self.complain(format!("record {}", self.met), error.to_string());
            }
        }
        Ok(())
    }

    fn print_problems(&self) {
        let mut stderr = io::stderr().lock();
        // There is nobody left to tell when the standard error is closed.
        for Complaint { place, message } in self.problems.iter().take(PRINTED_MAX) {
            writeln!(stderr, "{place}: {message}").ok();
        }
        let more = self.n_problems.saturating_sub(PRINTED_MAX as u64);
        if more > 0 {
            writeln!(stderr, "… and {more} more problems").ok();
        }
    }

    /// Whether the output is worth keeping.
    fn check(&self, input: &Path) -> anyhow::Result<()> {
        let input = input.display();
        ensure!(!self.input_failed, "{input} could not be read to its end");
        ensure!(self.read > 0, "{input} has no record that could be read");
        ensure!(self.written > 0, "no record of {input} could be written");
        Ok(())
    }
}

fn print_summary(args: &Args, log: &Log) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(log)?)?;
    } else if !is_stream(&args.output) {
        let Log {
            read,
            written,
            n_problems,
            ..
        } = log;
        writeln!(out, "{read} read, {written} written, {n_problems} problems")?;
    }
    Ok(())
}

fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

fn open_input(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if is_stream(path) {
        return Ok(Box::new(BufReader::with_capacity(
            BUFFER_BYTES,
            io::stdin(),
        )));
    }
    let file = File::open(path).with_context(|| format!("reading {}", path.display()))?;
    Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, file)))
}

fn input_format(args: &Args, reader: &mut dyn BufRead) -> anyhow::Result<Format> {
    let bytes = reader
        .fill_buf()
        .with_context(|| format!("reading {}", args.input.display()))?;
    let detected = || detect(bytes, args.input.to_str());
    let format = args.from.unwrap_or_else(detected);
    refuse_names(format, &args.input)?;
    Ok(format)
}

fn output_format(args: &Args) -> anyhow::Result<Format> {
    let by_name = || {
        let name = args.output.to_str()?;
        let text = args
            .output
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("txt"));
        Format::from_file_name(name).or_else(|| text.then_some(Format::Transcript))
    };
    let Some(format) = args.to.or_else(by_name) else {
        let output = args.output.display();
        bail!(
            "the name {output} does not tell a format; give --to board, transcript, obf, ggf or wtb"
        );
    };
    refuse_names(format, &args.output)?;
    Ok(format)
}

fn refuse_names(format: Format, path: &Path) -> anyhow::Result<()> {
    let names = matches!(format, Format::WthorPlayers | Format::WthorTournaments);
    ensure!(
        !names,
        "{} holds names, not games (format {format})",
        path.display()
    );
    Ok(())
}

/// The names for WTHOR numbers: the files that were given, or those beside the games.
fn directory(args: &Args, from: Format, to: Format) -> anyhow::Result<WthorDirectory> {
    let games = match (from, to) {
        (Format::Wthor, _) => Some(&args.input),
        (_, Format::Wthor) => Some(&args.output),
        _ => None,
    };
    let sibling = |name: &str| {
        let path = games?.parent()?.join(name);
        [path.clone(), path.with_file_name(name.to_lowercase())]
            .into_iter()
            .find(|path| path.is_file())
    };
    let players = args.players.clone().or_else(|| sibling("WTH.JOU"));
    let tournaments = args.tournaments.clone().or_else(|| sibling("WTH.TRN"));
    Ok(WthorDirectory {
        players: read_names(players.as_deref())?,
        tournaments: read_names(tournaments.as_deref())?,
    })
}

fn read_names<const WIDTH: usize>(path: Option<&Path>) -> anyhow::Result<WthorNames<WIDTH>> {
    let Some(path) = path else {
        return Ok(WthorNames::default());
    };
    let reading = || format!("reading {}", path.display());
    let file = File::open(path).with_context(reading)?;
    let (names, problem) = WthorNames::read(BufReader::new(file)).with_context(reading)?;
    if let Some(problem) = problem {
        writeln!(io::stderr(), "{}: {problem}", path.display()).ok();
    }
    Ok(names)
}

fn convert(
    from: Format,
    to: Format,
    reader: Box<dyn BufRead>,
    output: &mut Output,
    directory: &WthorDirectory,
    log: &mut Log,
) -> io::Result<()> {
    match (from, to) {
        (Format::Ggf, Format::Ggf) => copy_ggf(reader, output, log),
        (Format::Obf, Format::Obf) => copy_obf(reader, output, log),
        (Format::Wthor, Format::Wthor) => copy_wthor(reader, output, log),
        (_, Format::Wthor) => into_wthor(from, reader, output, directory, log),
        _ => into_text(from, to, reader, output, directory, log),
    }
}

fn into_text(
    from: Format,
    to: Format,
    reader: Box<dyn BufRead>,
    output: &mut Output,
    directory: &WthorDirectory,
    log: &mut Log,
) -> io::Result<()> {
    for item in read_records(from, reader, directory) {
        if let Some(record) = log.take(item) {
            log.took(record.write_text(to, output))?;
        }
    }
    Ok(())
}

/// A file has one year: that of the first game.
fn into_wthor(
    from: Format,
    reader: Box<dyn BufRead>,
    output: &mut Output,
    directory: &WthorDirectory,
    log: &mut Log,
) -> io::Result<()> {
    let mut writer = WthorWriter::new(output, new_header())?;
    for item in read_records(from, reader, directory) {
        let Some(record) = log.take(item) else {
            continue;
        };
        if log.read == 1 {
            writer.header_mut().year = year_of(record.date.as_deref());
        }
        let written = match record.to_wthor(directory) {
            Ok(game) => writer.write(&game).map_err(Into::into),
            Err(error) => Err(error.into()),
        };
        log.took(written)?;
    }
    writer.finish()?;
    Ok(())
}

fn copy_ggf(reader: Box<dyn BufRead>, output: &mut Output, log: &mut Log) -> io::Result<()> {
    let mut writer = GgfWriter::new(output);
    for item in read_ggf(reader) {
        if let Some(game) = log.take(item) {
            log.took(writer.write(&game).map_err(Into::into))?;
        }
    }
    writer.finish()?;
    Ok(())
}

fn copy_obf(reader: Box<dyn BufRead>, output: &mut Output, log: &mut Log) -> io::Result<()> {
    for item in read_obf(reader) {
        // Comments are kept, but are no records.
        if let Ok(ObfLine::Comment(comment)) = &item {
            writeln!(output, "{comment}")?;
        } else if let Some(line) = log.take(item) {
            log.took(writeln!(output, "{line}").map_err(Into::into))?;
        }
    }
    Ok(())
}

fn copy_wthor(reader: Box<dyn BufRead>, output: &mut Output, log: &mut Log) -> io::Result<()> {
    let reader = match read_wthor(reader) {
        Ok(reader) => reader,
        Err(problem) => {
            log.take::<()>(Err(problem));
            return Ok(());
        }
    };
    let mut writer = WthorWriter::new(output, reader.header())?;
    for item in reader {
        if let Some(game) = log.take(item) {
            log.took(writer.write(&game).map_err(Into::into))?;
        }
    }
    writer.finish()?;
    Ok(())
}

/// The header of a file made today.
fn new_header() -> WthorHeader {
    WthorHeader {
        created: today(),
        board_size: 8,
        ..WthorHeader::default()
    }
}

/// The year that a date begins with, or 0.
fn year_of(date: Option<&str>) -> u16 {
    let year = date.and_then(|date| date.get(..4)?.parse().ok());
    year.unwrap_or(0)
}

fn today() -> WthorDate {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let days = since_1970.map_or(0, |time| time.as_secs() / 86_400);
    date_of_day(days)
}

/// The date of a day counted from 1 January 1970.
fn date_of_day(days: u64) -> WthorDate {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut day) = (1970, days);
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    WthorDate {
        century: (year / 100) as u8,
        year: (year % 100) as u8,
        month,
        day: day as u8 + 1,
    }
}

/// Where the result goes.
#[derive(Debug)]
enum Output {
    /// A file beside its final name, which it gets when it is complete.
    File {
        out: BufWriter<File>,
        temporary: Temporary,
        path: PathBuf,
    },
    Stdout(BufWriter<io::Stdout>),
    /// For the standard output, but complete only at the end: WTHOR counts its games in front.
    Held(Cursor<Vec<u8>>),
}

/// A file that is removed unless it was renamed.
#[derive(Debug)]
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // Gone already after the rename, and not worth a message otherwise.
        fs::remove_file(&self.0).ok();
    }
}

impl Output {
    fn create(path: &Path, format: Format) -> anyhow::Result<Self> {
        if is_stream(path) {
            return Ok(match format {
                Format::Wthor => Self::Held(Cursor::default()),
                _ => Self::Stdout(BufWriter::new(io::stdout())),
            });
        }
        let mut name = path
            .file_name()
            .with_context(|| format!("{} is not a file name", path.display()))?
            .to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let temporary = path.with_file_name(name);
        let file = File::create_new(&temporary)
            .with_context(|| format!("creating {}", temporary.display()))?;
        Ok(Self::File {
            out: BufWriter::new(file),
            temporary: Temporary(temporary),
            path: path.to_owned(),
        })
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::File {
                mut out,
                temporary,
                path,
            } => {
                out.flush()?;
                drop(out);
                fs::rename(&temporary.0, path)
            }
            Self::Stdout(mut out) => out.flush(),
            Self::Held(bytes) => io::stdout().lock().write_all(bytes.get_ref()),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File { out, .. } => out.write(bytes),
            Self::Stdout(out) => out.write(bytes),
            Self::Held(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File { out, .. } => out.flush(),
            Self::Stdout(out) => out.flush(),
            Self::Held(out) => out.flush(),
        }
    }
}

impl Seek for Output {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File { out, .. } => out.seek(to),
            Self::Stdout(_) => Err(io::ErrorKind::NotSeekable.into()),
            Self::Held(out) => out.seek(to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Args, date_of_day, run};
    use std::fs;
    use std::path::{Path, PathBuf};

    /// A folder of its own for a test, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let unique = format!("kibitz-convert-{}-{name}", std::process::id());
            let folder = std::env::temp_dir().join(unique);
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }

        fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
            let path = self.0.join(name);
            fs::write(&path, bytes).unwrap();
            path
        }

        fn convert(&self, from: &Path, to: &str) -> anyhow::Result<PathBuf> {
            let output = self.0.join(to);
            run(&Args {
                input: from.to_owned(),
                output: output.clone(),
                from: None,
                to: None,
                players: None,
                tournaments: None,
                json: false,
            })?;
            Ok(output)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
            let mut names: Vec<_> = entries.map(|entry| name(entry.unwrap())).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).ok();
        }
    }

    #[test]
    fn a_game_survives_a_tour_of_all_formats_that_hold_games() {
        let folder = Folder::new("tour");
        let transcripts = "f5d6c3d3c4\ne6f4e3f6g5d6e7f5c5\n";
        let start = folder.write("games.txt", transcripts);
        let ggf = folder.convert(&start, "games.ggf").unwrap();
        let wthor = folder.convert(&ggf, "games.wtb").unwrap();
        let copy = folder.convert(&wthor, "copy.wtb").unwrap();
        assert_eq!(fs::read(&copy).unwrap(), fs::read(&wthor).unwrap());
        let end = folder.convert(&copy, "end.txt").unwrap();
        assert_eq!(fs::read_to_string(end).unwrap(), transcripts);
        let names = ["copy.wtb", "end.txt", "games.ggf", "games.txt", "games.wtb"];
        assert_eq!(folder.names(), names);
    }

    #[test]
    fn wthor_numbers_get_their_names_from_the_files_beside() {
        let folder = Folder::new("names");
        let header = |n_names| [20, 26, 11, 15, 0, 0, 0, 0, n_names, 0, 0, 0, 0, 0, 0, 0];
        let mut players = header(2).to_vec();
        players.extend_from_slice(b"Ann\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
        players.extend_from_slice(b"Bob\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
        folder.write("WTH.JOU", players);
        let ggf = folder.write("in.ggf", "(;GM[Othello]DT[1999.01.02]PB[Bob]PW[Ann]B[f5];)");
        let wthor = folder.convert(&ggf, "games.wtb").unwrap();
        let again = folder.convert(&wthor, "again.ggf").unwrap();
        let text = fs::read_to_string(again).unwrap();
        assert!(text.contains("DT[1999]PB[Bob]PW[Ann]"), "{text}");
    }

    #[test]
    fn bad_records_are_left_out_and_nothing_is_written_without_a_good_one() {
        let folder = Folder::new("bad");
        let mixed = folder.write("mixed.txt", "f5d6\nrubbish\nf5f6\n");
        let written = folder.convert(&mixed, "out.txt").unwrap();
        assert_eq!(fs::read_to_string(written).unwrap(), "f5d6\nf5f6\n");
        let rubbish = folder.write("rubbish.txt", "rubbish\n");
        let error = folder
            .convert(&rubbish, "none.ggf")
            .unwrap_err()
            .to_string();
        assert!(
            error.ends_with("has no record that could be read"),
            "{error}"
        );
        let other_start = folder.write("start.txt", format!("XO{} O c1\n", "-".repeat(62)));
        let error = folder
            .convert(&other_start, "none.wtb")
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("no record of"), "{error}");
        assert!(folder.convert(&mixed, "unknown").is_err());
        assert!(folder.convert(Path::new("no such file"), "x.ggf").is_err());
        let names = ["mixed.txt", "out.txt", "rubbish.txt", "start.txt"];
        assert_eq!(folder.names(), names);
    }

    #[test]
    fn days_become_dates() {
        let date = |days| {
            let date = date_of_day(days);
            let year = u32::from(date.century) * 100 + u32::from(date.year);
            (year, date.month, date.day)
        };
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(58), (1970, 2, 28));
        assert_eq!(date(59), (1970, 3, 1));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_772), (2026, 11, 15));
        assert_eq!(date(20_818), (2026, 12, 31));
    }
}
