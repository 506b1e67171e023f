//! Games and positions of chess from one notation to another.

use super::Log;
use anyhow::bail;
use app::output::Output;
use game::{
    Record,
    epd::Epd,
    pgn::{self, GAME_BYTES_MAX, Splitter},
};
use std::{
    fmt,
    io::{self, BufRead, Write as _},
    path::Path,
    str::FromStr,
};

/// The notations of chess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChessFormat {
    /// Games with everything that was said about them.
    Pgn,
    /// A position a line, with what is said about it. Of a game the last position is written.
    Epd,
    /// The same with counters of moves and without words.
    Fen,
}

impl ChessFormat {
    pub(super) const ALL: [Self; 3] = [Self::Pgn, Self::Epd, Self::Fen];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Pgn => "pgn",
            Self::Epd => "epd",
            Self::Fen => "fen",
        }
    }

    /// What a file name says.
    pub(super) fn from_file_name(path: &Path) -> Option<Self> {
        path.extension()?.to_str()?.parse().ok()
    }

    /// What the beginning of a text looks like; `None` if it is no chess.
    pub(super) fn detect(bytes: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(bytes);
        let first = text.lines().map(str::trim).find(|it| !it.is_empty())?;
        let first = first.trim_start_matches('\u{feff}');
        let is_tag = first.starts_with('[') && first.ends_with("\"]");
        let is_game = is_tag || pgn_begins(first);
        if is_game {
            return Some(Self::Pgn);
        }
        Epd::is_likely(first).then_some(Self::Epd)
    }
}

/// Whether a line begins with the number of a first move and a legal one behind it.
fn pgn_begins(line: &str) -> bool {
    let rest = line.strip_prefix("1.").map(str::trim_start);
    let word = rest.and_then(|it| it.split_whitespace().next());
    let start = game::Position::CHESS_START;
    word.is_some_and(|it| start.parse_move(it).is_ok())
}

impl FromStr for ChessFormat {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let is_it = |it: &Self| it.name().eq_ignore_ascii_case(text);
        Self::ALL.into_iter().find(is_it).ok_or(())
    }
}

impl fmt::Display for ChessFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

pub(super) fn convert(
    from: ChessFormat,
    to: ChessFormat,
    reader: Box<dyn BufRead>,
    output: &mut Output,
    log: &mut Log,
) -> io::Result<()> {
    match from {
        ChessFormat::Pgn => from_pgn(to, reader, output, log),
        ChessFormat::Epd | ChessFormat::Fen => from_lines(to, reader, output, log),
    }
}

fn from_pgn(
    to: ChessFormat,
    reader: Box<dyn BufRead>,
    output: &mut Output,
    log: &mut Log,
) -> io::Result<()> {
    let mut splitter = Splitter::new(reader);
    let mut text = Vec::new();
    loop {
        text.clear();
        let Some(slice) = splitter.next_into(&mut text)? else {
            return Ok(());
        };
        log.met += 1;
        let place = format!("game {}", log.met);
        if slice.is_cut {
            let message = format!("it is longer than {} MB", GAME_BYTES_MAX >> 20);
            log.complain(format!("{place}, line {}", slice.line), message);
            continue;
        }
        let read = pgn::read(&text[slice.range], slice.line)
            .map_err(|error| error.to_string())
            .and_then(|it| it.into_record().map_err(|error| error.to_string()));
        match read {
            Ok(record) => {
                log.read += 1;
                write(&record, to, output, log)?;
            }
            Err(message) => log.complain(place, message),
        }
    }
}

fn from_lines(
    to: ChessFormat,
    reader: Box<dyn BufRead>,
    output: &mut Output,
    log: &mut Log,
) -> io::Result<()> {
    for (number, line) in (1..).zip(reader.split(b'\n')) {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        log.met += 1;
        match line.parse::<Epd>() {
            Ok(epd) => {
                log.read += 1;
                match to {
                    ChessFormat::Pgn => write(&epd.to_record(), to, output, log)?,
                    ChessFormat::Epd => writeln!(output, "{epd}")?,
                    ChessFormat::Fen => writeln!(output, "{}", epd.position)?,
                }
                log.written += u64::from(to != ChessFormat::Pgn);
            }
            Err(error) => log.complain(format!("line {number}"), error.to_string()),
        }
    }
    Ok(())
}

fn write(record: &Record, to: ChessFormat, output: &mut Output, log: &mut Log) -> io::Result<()> {
    let end = Epd::of_end(record);
    let text = match (to, end) {
        (ChessFormat::Pgn, _) => pgn::write(record).map_err(|error| error.to_string()),
        (ChessFormat::Epd, Some(end)) => Ok(format!("{end}\n")),
        (ChessFormat::Fen, Some(end)) => Ok(format!("{}\n", end.position)),
        (_, None) => Err("it is no game of chess".to_owned()),
    };
    match text {
        Ok(text) => {
            output.write_all(text.as_bytes())?;
            log.written += 1;
        }
        Err(message) => log.complain(format!("game {}", log.met), message),
    }
    Ok(())
}

/// The notations of one game cannot become those of another.
pub(super) fn refuse(from: impl fmt::Display, to: impl fmt::Display) -> anyhow::Result<()> {
    bail!(
        "{from} and {to} are of different games; chess goes to pgn, epd or fen, Othello to board, \
         transcript, obf, ggf or wtb"
    )
}
