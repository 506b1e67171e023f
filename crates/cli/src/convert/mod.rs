//! `kibitz convert`: games and positions from one notation to another, record by record.
//!
//! A bad record is reported and left out; the others are converted. What a format has no place
//! for is lost (see `othello::notation::Record`), but from GGF to GGF, OBF to OBF and WTHOR to
//! WTHOR everything stays; so it does from PGN to PGN. A file appears under its name only when it is complete.

mod chess;
mod records;

use anyhow::{Context as _, bail, ensure};
use app::{
    Disk,
    output::{self, Order, Output},
};
use chess::ChessFormat;
use othello::notation::{
    Format, ParseFormatError, Problem, ProblemKind, WriteRecordError, WthorDirectory, WthorNames,
    detect,
};
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Write as _},
    path::{Path, PathBuf},
    str::FromStr,
};

const EXAMPLES: &str = "\
Examples:
  kibitz convert WTH_2022.wtb games.ggf
  kibitz convert games.ggf - --to transcript
  kibitz convert - base.wtb --from transcript --players WTH.JOU
  kibitz convert games.pgn openings.epd

Formats of Othello: board, transcript, obf, ggf, wtb. Formats of chess: pgn, epd, fen; of a game,
epd and fen have the last position. Without --from and --to the file name's extension decides, or
else the content; .txt out means transcript.";

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
    from: Option<Notation>,
    /// Format of OUT
    #[arg(long, value_name = "FORMAT")]
    to: Option<Notation>,
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

/// A notation of one of the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Notation {
    Othello(Format),
    Chess(ChessFormat),
}

impl FromStr for Notation {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(format) => Ok(Self::Chess(format)),
            Err(()) => text.parse().map(Self::Othello),
        }
    }
}

impl std::fmt::Display for Notation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Othello(format) => format.fmt(f),
            Self::Chess(format) => format.fmt(f),
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let to_stdout = output::is_stdout(&args.output);
    ensure!(
        !(args.json && to_stdout),
        "--json and the output - both want the standard output; give OUT a file name"
    );
    let to = output_format(args)?;
    let mut reader = open_input(&args.input)?;
    let from = input_format(args, reader.as_mut())?;
    let order = match to {
        // WTHOR counts its games in front.
        Notation::Othello(Format::Wthor) => Order::Seeking,
        _ => Order::Forward,
    };
    let create = || Output::create(&Disk::real(), &args.output, order);
    let mut log = Log::default();
    let (output, converted) = match (from, to) {
        (Notation::Othello(from), Notation::Othello(to)) => {
            let directory = directory(args, from, to)?;
            let mut output = create()?;
            let done = records::convert(from, to, reader, &mut output, &directory, &mut log);
            (output, done)
        }
        (Notation::Chess(from), Notation::Chess(to)) => {
            let mut output = create()?;
            let done = chess::convert(from, to, reader, &mut output, &mut log);
            (output, done)
        }
        (from, to) => return chess::refuse(from, to),
    };
    converted.with_context(|| format!("writing {}", args.output.display()))?;
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
        // The problems are lost when the standard error is closed.
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
    } else if !output::is_stdout(&args.output) {
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

/// Whether a name stands for the standard input or output.
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

fn input_format(args: &Args, reader: &mut dyn BufRead) -> anyhow::Result<Notation> {
    let bytes = reader
        .fill_buf()
        .with_context(|| format!("reading {}", args.input.display()))?;
    let detected = || {
        let chess = ChessFormat::from_file_name(&args.input);
        let chess = chess.or_else(|| ChessFormat::detect(bytes));
        let othello = || Notation::Othello(detect(bytes, args.input.to_str()));
        chess.map_or_else(othello, Notation::Chess)
    };
    let format = args.from.unwrap_or_else(detected);
    refuse_names(format, &args.input)?;
    Ok(format)
}

fn output_format(args: &Args) -> anyhow::Result<Notation> {
    let by_name = || {
        if let Some(chess) = ChessFormat::from_file_name(&args.output) {
            return Some(Notation::Chess(chess));
        }
        let name = args.output.to_str()?;
        let text = args
            .output
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("txt"));
        let format = Format::from_file_name(name);
        let format = format.or_else(|| text.then_some(Format::Transcript));
        format.map(Notation::Othello)
    };
    let Some(format) = args.to.or_else(by_name) else {
        let output = args.output.display();
        bail!(
            "the name {output} does not tell a format; give --to board, transcript, obf, ggf or \
             wtb, or for chess pgn, epd or fen"
        );
    };
    refuse_names(format, &args.output)?;
    Ok(format)
}

fn refuse_names(format: Notation, path: &Path) -> anyhow::Result<()> {
    let names = matches!(
        format,
        Notation::Othello(Format::WthorPlayers | Format::WthorTournaments)
    );
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

#[cfg(test)]
mod tests {
    use super::{Args, run};
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
}
