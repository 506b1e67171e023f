//! Which notation a file is in, and one door to read and write records in any of them.

use super::lines::{Lines, without_comment};
use super::{
    GgfGame, ObfLine, Problem, ProblemKind, Record, RecordError, WthorDirectory, WthorHeader,
    compact_transcript, read_ggf, read_obf, read_transcripts, read_wthor,
};
use crate::Position;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::str::FromStr;

/// The notations that files and texts can be read from and written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Board strings, one a line.
    Board,
    /// Transcripts, one a line.
    Transcript,
    /// Positions with scored moves.
    Obf,
    /// Games of GGS and NBoard.
    Ggf,
    /// WTHOR games, `.wtb`.
    Wthor,
    /// WTHOR players, `.jou`.
    WthorPlayers,
    /// WTHOR tournaments, `.trn`.
    WthorTournaments,
}

/// The name of no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a format; expected board, transcript, obf, ggf, wtb, jou or trn")]
pub struct ParseFormatError {
    /// What was read, shortened if long.
    pub text: String,
}

impl Format {
    pub const ALL: [Self; 7] = [
        Self::Board,
        Self::Transcript,
        Self::Obf,
        Self::Ggf,
        Self::Wthor,
        Self::WthorPlayers,
        Self::WthorTournaments,
    ];

    /// The name that [`FromStr`] reads.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Board => "board",
            Self::Transcript => "transcript",
            Self::Obf => "obf",
            Self::Ggf => "ggf",
            Self::Wthor => "wtb",
            Self::WthorPlayers => "jou",
            Self::WthorTournaments => "trn",
        }
    }

    /// The format that a file name's extension promises, if it promises one.
    pub fn from_file_name(file_name: &str) -> Option<Self> {
        let (_, extension) = file_name.rsplit_once('.')?;
        extension.parse().ok()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL
            .into_iter()
            .find(|format| text.eq_ignore_ascii_case(format.name()));
        known.ok_or_else(|| ParseFormatError {
            text: super::excerpt(text),
        })
    }
}

/// The format of a file, by its name if that tells, or else by its first bytes: a few thousand are
/// plenty. What is nothing else is taken for transcripts.
///
/// ```
/// use othello::notation::{Format, detect};
/// assert_eq!(detect(b"", Some("WTH_1977.wtb")), Format::Wthor);
/// assert_eq!(detect(b"1 (;GM[Othello]", None), Format::Ggf);
/// assert_eq!(detect(b"f5d6c3", Some("games.txt")), Format::Transcript);
/// ```
pub fn detect(bytes: &[u8], file_name: Option<&str>) -> Format {
    file_name
        .and_then(Format::from_file_name)
        .or_else(|| detect_wthor(bytes))
        .unwrap_or_else(|| detect_text(bytes))
}

/// A WTHOR header has zero bytes, a possible date, and one of its two counts.
fn detect_wthor(bytes: &[u8]) -> Option<Format> {
    let header = WthorHeader::from_bytes(bytes.first_chunk()?);
    let date = header.created;
    let dated = (1..=12).contains(&date.month) && (1..=31).contains(&date.day);
    let binary = bytes.iter().take(super::HEADER_BYTES).any(|&b| b == 0);
    if !(dated && binary) {
        return None;
    }
    let tournaments_length =
        super::HEADER_BYTES + usize::from(header.n_names) * super::TOURNAMENT_BYTES;
    match (header.n_games, header.n_names) {
        (1.., 0) => Some(Format::Wthor),
        (0, 1..) if bytes.len() == tournaments_length => Some(Format::WthorTournaments),
        (0, 1..) => Some(Format::WthorPlayers),
        _ => None,
    }
}

fn detect_text(bytes: &[u8]) -> Format {
    let first = bytes
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .find(|line| !line.is_empty() && !line.starts_with(b"#") && !line.starts_with(b"%"))
        .unwrap_or_default();
    let after_count = first.trim_ascii_start();
    let n_digits = after_count
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .count();
    if after_count[n_digits..]
        .trim_ascii_start()
        .starts_with(b"(;")
    {
        return Format::Ggf;
    }
    let n_board = first
        .iter()
        .take_while(|byte| b"XxOo*-.BbWw_0".contains(byte))
        .count();
    let rest = first[n_board..].trim_ascii_start();
    match (n_board >= 64, rest.len()) {
        (true, _) if first.contains(&b';') => Format::Obf,
        (true, 0 | 1) => Format::Board,
        _ => Format::Transcript,
    }
}

/// Board strings from a file, one a line; blank lines and what follows a `#` are skipped.
pub fn read_boards<R: BufRead>(reader: R) -> Boards<R> {
    Boards {
        lines: Lines::new(reader),
    }
}

/// Positions from lines; see [`read_boards`].
#[derive(Debug)]
pub struct Boards<R> {
    lines: Lines<R>,
}

impl<R: BufRead> Iterator for Boards<R> {
    type Item = Result<Position, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        self.lines.next_record(|line| {
            let text = without_comment(line);
            (!text.is_empty()).then(|| text.parse().map_err(ProblemKind::from))
        })
    }
}

/// Reads the records of a file in any format, one by one. Files of WTHOR names have none.
pub fn read_records<'a, R: BufRead + 'a>(
    format: Format,
    reader: R,
    directory: &'a WthorDirectory,
) -> Box<dyn Iterator<Item = Result<Record, Problem>> + 'a> {
    match format {
        Format::Board => Box::new(read_boards(reader).map(|item| item.map(Record::from))),
        Format::Transcript => Box::new(read_transcripts(reader).map(|item| item.map(Record::from))),
        Format::Obf => Box::new(read_obf(reader).filter_map(obf_record)),
        Format::Ggf => Box::new(GgfRecords {
            reader: read_ggf(reader),
        }),
        Format::Wthor => match read_wthor(reader) {
            Ok(reader) => Box::new(WthorRecords { reader, directory }),
            Err(problem) => Box::new(std::iter::once(Err(problem))),
        },
        Format::WthorPlayers | Format::WthorTournaments => Box::new(std::iter::empty()),
    }
}

fn obf_record(item: Result<ObfLine, Problem>) -> Option<Result<Record, Problem>> {
    match item {
        Ok(ObfLine::Entry(entry)) => Some(Ok(entry.into())),
        Ok(ObfLine::Comment(_)) => None,
        Err(problem) => Some(Err(problem)),
    }
}

struct GgfRecords<R> {
    reader: super::GgfReader<R>,
}

impl<R: BufRead> Iterator for GgfRecords<R> {
    type Item = Result<Record, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        let game = self.reader.next()?;
        let place = self.reader.place();
        Some(game.and_then(|game: GgfGame| {
            Record::try_from(&game).map_err(|error| Problem {
                place,
                kind: error.into(),
            })
        }))
    }
}

struct WthorRecords<'a, R> {
    reader: super::WthorReader<R>,
    directory: &'a WthorDirectory,
}

impl<R: io::Read> Iterator for WthorRecords<'_, R> {
    type Item = Result<Record, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        let game = self.reader.next()?;
        let year = self.reader.header().year;
        let place = self.reader.place();
        Some(game.and_then(|game| {
            Record::from_wthor(&game, year, self.directory).map_err(|error| Problem {
                place,
                kind: error.into(),
            })
        }))
    }
}

/// Why a record was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteRecordError {
    /// The format cannot hold it; others may still be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A format whose files are not a row of records.
    #[error("{0} is not written record by record; expected board, transcript, obf or ggf")]
    NotText(Format),
}

impl Record {
    /// Writes the record in a text format, with its line end.
    pub fn write_text(&self, format: Format, out: &mut impl Write) -> Result<(), WriteRecordError> {
        match format {
            Format::Board => writeln!(out, "{}", self.game.position())?,
            Format::Transcript => writeln!(out, "{}", compact_transcript(&self.game))?,
            Format::Obf => writeln!(out, "{}", self.to_obf())?,
            Format::Ggf => {
                self.to_ggf()?.write_to(out)?;
                out.write_all(b"\n")?;
            }
            Format::Wthor | Format::WthorPlayers | Format::WthorTournaments => {
                return Err(WriteRecordError::NotText(format));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn names_and_contents_tell_the_format() {
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
            let file_name = format!("dir.d/X.{}", format.name().to_uppercase());
            assert_eq!(detect(b"", Some(&file_name)), format);
        }
        let mut header = [20, 26, 11, 15, 1, 0, 0, 0, 0, 0, 0, 0, 8, 0, 24, 0];
        assert_eq!(detect(&header, None), Format::Wthor);
        header[4] = 0;
        header[8] = 1;
        assert_eq!(detect(&header, None), Format::WthorPlayers);
        let tournaments = [&header[..], &[b'x'; 26]].concat();
        assert_eq!(detect(&tournaments, None), Format::WthorTournaments);
        for (text, format) in [
            (format!("# comment\n{START}\n"), Format::Board),
            (format!("{START}; F5:+0;"), Format::Obf),
            (format!("{START} f5d6"), Format::Transcript),
            ("\n 2 (;GM[Othello];)".to_owned(), Format::Ggf),
            ("(;GM[Othello];)".to_owned(), Format::Ggf),
            ("f5d6".to_owned(), Format::Transcript),
            (String::new(), Format::Transcript),
        ] {
            assert_eq!(detect(text.as_bytes(), Some("x.txt")), format, "{text}");
        }
        assert!("png".parse::<Format>().is_err());
    }

    #[test]
    fn every_text_format_is_read_through_the_same_door() {
        let directory = WthorDirectory::default();
        let record = Record::from(Position::START);
        for format in [Format::Board, Format::Obf, Format::Ggf, Format::Transcript] {
            let mut bytes = Vec::new();
            record.write_text(format, &mut bytes).unwrap();
            if format == Format::Transcript {
                continue; // a game without moves is a blank line
            }
            let again: Vec<_> = read_records(format, &bytes[..], &directory).collect();
            assert_eq!(again, [Ok(record.clone())], "{format}");
        }
    }
}
