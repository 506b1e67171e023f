//! The log of a tournament: a line for every finished pair and for everything else worth telling,
//! each with a checksum. A crash can tear the last line only, which is cut off. A line that something
//! else has damaged costs its own pair and no other: it is put aside, and the rest counts.

use super::TournamentError;
use crate::Disk;
use arena::{
    process::plain,
    referee::{Played, Reason, Step},
    tournament::{Pairing, Points},
};
use engine::checksum::checksum;
use game::{Kind, Move, Outcome, Position, Record, Score, Side};
use std::{
    io::{BufRead as _, BufReader, Read, Seek as _, SeekFrom, Write},
    ops::Range,
    path::{Path, PathBuf},
};

/// What a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogLine {
    Pair(PairLine),
    /// Something that happened, at a time in seconds since 1970.
    Note {
        seconds: u64,
        text: String,
    },
}

/// A pair whose games are all finished, with its place in the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairLine {
    pub pairing: Pairing,
    /// When it was finished, in seconds since 1970.
    pub seconds: u64,
    /// Which of the file's openings it began with, if there are any.
    pub opening: Option<usize>,
    pub games: Vec<GameLine>,
}

/// A finished game as far as it is kept: moves as text, and what the players thought of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameLine {
    /// The colour of the pair's first player.
    pub first: Side,
    pub outcome: Outcome,
    pub reason: Reason,
    /// How a player failed, in words; empty if none did.
    pub detail: String,
    /// Where the game began; `None` is the usual start.
    pub start: Option<String>,
    pub opening_plies: usize,
    /// All moves, the opening's included, in coordinates with blanks between them.
    pub moves: String,
    pub steps: Vec<Step>,
}

impl GameLine {
    /// What is kept of a game. `first` is the colour of the pair's first player.
    pub fn of(played: &Played, first: Side) -> Self {
        let record = &played.record;
        let start = record.start();
        let moves: Vec<String> = record.main_moves().map(|it| it.to_string()).collect();
        let is_usual = *start == start.kind().start();
        Self {
            first,
            outcome: played.outcome,
            reason: played.reason,
            detail: played
                .failure
                .as_ref()
                .map_or_else(String::new, |(_, failure)| failure.to_string()),
            start: (!is_usual).then(|| start.to_string()),
            opening_plies: played.opening_plies,
            moves: moves.join(" "),
            steps: played.steps.clone(),
        }
    }

    /// The game as a record, with its outcome; `None` if a move is not legal, which only a log
    /// that somebody edited can have.
    pub fn record(&self, kind: Kind) -> Option<Record> {
        let start = match &self.start {
            None => kind.start(),
            Some(text) => kind.parse_position(text).ok()?,
        };
        let mut record = Record::new(start);
        let mut at = record.root();
        for text in self.moves.split_whitespace() {
            let position: &Position = record.position(at)?;
            let action: Move = position.parse_move(text).ok()?;
            at = record.add(at, action).ok()?;
        }
        record.outcome = Some(self.outcome);
        Some(record)
    }

    /// Half points of the pair's first player.
    pub fn half_points(&self) -> u32 {
        match self.outcome.winner {
            None => 1,
            Some(winner) if winner == self.first => 2,
            Some(_) => 0,
        }
    }

    pub fn n_plies(&self) -> usize {
        self.moves.split_whitespace().count()
    }
}

impl PairLine {
    /// A number that pairs of the same games by the same players have in common, whoever began.
    pub fn games_sum(&self) -> u64 {
        let [a, b] = self.pairing.players;
        let sum = |game: &GameLine| {
            let black = if game.first == Side::Black { a } else { b };
            checksum(format!("{black} {} {}", game.reason, game.moves).as_bytes())
        };
        self.games.iter().map(sum).fold(0, u64::wrapping_add)
    }

    /// What both players won.
    pub fn points(&self) -> Points {
        let first: u32 = self.games.iter().map(GameLine::half_points).sum();
        Points([first, 2 * self.games.len() as u32 - first])
    }
}

const HEADER: &str = "kibitz tournament log 1";
const PAIR: &str = "pair";
const NOTE: &str = "note";

/// No line is longer: a game of 6,000 plies has some 100 kB.
const LINE_MAX: u64 = 4 << 20;

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\t', "\\t")
        .replace('\n', "\\n")
        .replace('\r', "\\r")
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('t') => plain.push('\t'),
                Some('n') => plain.push('\n'),
                Some('r') => plain.push('\r'),
                Some(other) => plain.push(other),
                None => {}
            },
            other => plain.push(other),
        }
    }
    plain
}

const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Black => "B",
        Side::White => "W",
    }
}

fn side_of(name: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| side_name(*side) == name)
}

/// `31` is hundredths, `m3` a mate in three, `m-2` being mated in two, `-` nothing.
fn score_text(score: Option<Score>) -> String {
    match score.map(|score| (score, score.mate())) {
        None => "-".to_owned(),
        Some((_, Some(moves))) => format!("m{moves}"),
        Some((score, None)) => score.hundredths().to_string(),
    }
}

fn score_of(text: &str) -> Option<Score> {
    match text.strip_prefix('m') {
        Some(moves) => {
            let moves: i32 = moves.parse().ok()?;
            let n_moves = moves.unsigned_abs();
            Some(if moves > 0 {
                Score::mate_in(n_moves)
            } else {
                Score::mated_in(n_moves)
            })
        }
        None => text.parse().ok().map(Score::centi),
    }
}

/// `B:520:0:31:12:8000` is Black, thinking, latency, score, depth, nodes.
fn step_text(step: &Step) -> String {
    let number = |it: Option<u64>| it.map_or_else(|| "-".to_owned(), |it| it.to_string());
    format!(
        "{}:{}:{}:{}:{}:{}",
        side_name(step.side),
        step.thinking_ms,
        step.latency_ms,
        score_text(step.score),
        number(step.depth.map(u64::from)),
        number(step.nodes),
    )
}

fn step_of(text: &str) -> Option<Step> {
    let parts: Vec<&str> = text.split(':').collect();
    let [side, thinking, latency, score, depth, nodes] = parts[..] else {
        return None;
    };
    Some(Step {
        side: side_of(side)?,
        thinking_ms: thinking.parse().ok()?,
        latency_ms: latency.parse().ok()?,
        score: score_of(score),
        depth: depth.parse().ok(),
        nodes: nodes.parse().ok(),
    })
}

fn game_fields(game: &GameLine) -> Vec<String> {
    let steps: Vec<String> = game.steps.iter().map(step_text).collect();
    vec![
        side_name(game.first).to_owned(),
        game.outcome.winner.map_or("D", side_name).to_owned(),
        game.outcome
            .black_centidiscs
            .map_or_else(String::new, |it| it.to_string()),
        game.reason.name().to_owned(),
        escaped(&game.detail),
        escaped(game.start.as_deref().unwrap_or_default()),
        game.opening_plies.to_string(),
        game.moves.clone(),
        steps.join(" "),
    ]
}

/// Fields of a game.
const GAME_FIELDS: usize = 9;

fn game_of(fields: &[&str]) -> Option<GameLine> {
    let [
        first,
        winner,
        discs,
        reason,
        detail,
        start,
        plies,
        moves,
        steps,
    ] = *fields
    else {
        return None;
    };
    let reason: Reason = reason.parse().ok()?;
    let steps: Option<Vec<Step>> = steps
        .split(' ')
        .filter(|it| !it.is_empty())
        .map(step_of)
        .collect();
    Some(GameLine {
        first: side_of(first)?,
        outcome: Outcome {
            winner: if winner == "D" {
                None
            } else {
                Some(side_of(winner)?)
            },
            black_centidiscs: if discs.is_empty() {
                None
            } else {
                Some(discs.parse().ok()?)
            },
            termination: reason.termination(),
        },
        reason,
        // Earlier versions kept what engines wrote as it was.
        detail: plain(&unescaped(detail)),
        start: Some(unescaped(start)).filter(|it| !it.is_empty()),
        opening_plies: plies.parse().ok()?,
        moves: moves.to_owned(),
        steps: steps?,
    })
}

impl LogLine {
    /// The line as it stands in the file, with its checksum and its end.
    pub fn to_text(&self) -> String {
        let fields = match self {
            Self::Note { seconds, text } => {
                vec![NOTE.to_owned(), seconds.to_string(), escaped(text)]
            }
            Self::Pair(pair) => {
                let Pairing {
                    number,
                    round,
                    players: [a, b],
                    opening,
                    is_double,
                } = pair.pairing;
                let mut fields = vec![
                    PAIR.to_owned(),
                    pair.seconds.to_string(),
                    number.to_string(),
                    round.to_string(),
                    a.to_string(),
                    b.to_string(),
                    opening.to_string(),
                    is_double.to_string(),
                    pair.opening.map_or_else(String::new, |it| it.to_string()),
                ];
                fields.extend(pair.games.iter().flat_map(game_fields));
                fields
            }
        };
        let body = fields.join("\t");
        format!("{:016x}\t{body}\n", checksum(body.as_bytes()))
    }

    /// Reads a line without its end; `None` if it is damaged.
    pub fn parse(line: &str) -> Option<Self> {
        let (sum, body) = line.split_once('\t')?;
        if u64::from_str_radix(sum, 16).ok()? != checksum(body.as_bytes()) {
            return None;
        }
        let fields: Vec<&str> = body.split('\t').collect();
        match fields[..] {
            [NOTE, seconds, text] => Some(Self::Note {
                seconds: seconds.parse().ok()?,
                text: unescaped(text),
            }),
            [
                PAIR,
                seconds,
                number,
                round,
                a,
                b,
                place,
                is_double,
                opening,
                ref games @ ..,
            ] => {
                let games: Option<Vec<GameLine>> = games.chunks(GAME_FIELDS).map(game_of).collect();
                Some(Self::Pair(PairLine {
                    pairing: Pairing {
                        number: number.parse().ok()?,
                        round: round.parse().ok()?,
                        players: [a.parse().ok()?, b.parse().ok()?],
                        opening: place.parse().ok()?,
                        is_double: is_double.parse().ok()?,
                    },
                    seconds: seconds.parse().ok()?,
                    opening: if opening.is_empty() {
                        None
                    } else {
                        Some(opening.parse().ok()?)
                    },
                    games: games?,
                }))
            }
            _ => None,
        }
    }
}

/// What of a log is good.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extent {
    /// Up to the end of the last good line. What is behind it and damaged was torn by a crash.
    pub good: u64,
    /// Bytes of damaged lines that a crash cannot explain.
    pub damaged: Vec<Range<u64>>,
}

impl Extent {
    fn damage(&mut self, bytes: Range<u64>) {
        match self.damaged.last_mut() {
            Some(last) if last.end == bytes.start => last.end = bytes.end,
            _ => self.damaged.push(bytes),
        }
    }

    /// How many bytes are damaged.
    pub fn n_damaged(&self) -> u64 {
        self.damaged.iter().map(|it| it.end - it.start).sum()
    }
}

/// Reads a log line by line, in little memory. Damaged lines are left out. A log that is not there
/// yet is empty.
pub fn read(
    disk: &Disk,
    path: &Path,
    mut take: impl FnMut(LogLine),
) -> Result<Extent, TournamentError> {
    let wrong = |source| TournamentError::File {
        path: path.to_owned(),
        source,
    };
    let mut extent = Extent::default();
    if !disk.exists(path).map_err(wrong)? {
        return Ok(extent);
    }
    let mut reader = BufReader::new(disk.open(path).map_err(wrong)?);
    let (mut at, mut line) = (0, Vec::new());
    loop {
        line.clear();
        let mut limited = Read::take(&mut reader, LINE_MAX);
        let n = limited.read_until(b'\n', &mut line).map_err(wrong)? as u64;
        let whole = line.strip_suffix(b"\n");
        if whole.is_none() && n < LINE_MAX {
            return Ok(extent);
        }
        let text = whole.and_then(|it| std::str::from_utf8(it).ok());
        if at == 0 {
            if text != Some(HEADER) {
                return Err(TournamentError::Log {
                    path: path.to_owned(),
                    problem: format!(
                        "expected a log that begins with {HEADER:?}; it is left alone"
                    ),
                });
            }
            extent.good = n;
        } else {
            match text.and_then(LogLine::parse) {
                Some(line) => {
                    take(line);
                    extent.good = at + n;
                }
                None => extent.damage(at..at + n),
            }
        }
        at += n;
    }
}

/// A log that grows.
pub struct Log {
    file: Box<dyn crate::disk::OpenFile>,
    /// Where the last whole line ends.
    good: u64,
    /// Whether a part of a line that could not be written stands behind it.
    is_torn: bool,
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Log").finish_non_exhaustive()
    }
}

impl Log {
    /// Opens a log behind what is good of it. What a crash tore is cut off, and other damage is put
    /// aside, into a file beside the log.
    pub fn open(disk: &Disk, path: &Path, extent: &Extent) -> std::io::Result<Self> {
        let good = if extent.damaged.is_empty() {
            extent.good
        } else {
            put_aside(disk, path, extent)?
        };
        let mut file = disk.grow(path)?;
        file.truncate(good)?;
        file.seek(SeekFrom::Start(good))?;
        let mut log = Self {
            file,
            good,
            is_torn: false,
        };
        if good == 0 {
            log.write(&format!("{HEADER}\n"))?;
        }
        Ok(log)
    }

    /// Adds a line. When this returns, it is on the device. If it fails, nothing of the line stays to
    /// spoil the next one.
    pub fn add(&mut self, line: &LogLine) -> std::io::Result<()> {
        self.write(&line.to_text())
    }

    fn write(&mut self, text: &str) -> std::io::Result<()> {
        if self.is_torn {
            self.cut_off()?;
        }
        let written = self.file.write_all(text.as_bytes());
        match written.and_then(|()| self.file.sync()) {
            Ok(()) => self.good += text.len() as u64,
            Err(error) => {
                self.is_torn = true;
                // If that fails, too, the next line tries again.
                self.cut_off().ok();
                return Err(error);
            }
        }
        Ok(())
    }

    fn cut_off(&mut self) -> std::io::Result<()> {
        self.file.truncate(self.good)?;
        self.file.seek(SeekFrom::Start(self.good))?;
        self.is_torn = false;
        Ok(())
    }
}

/// Where damaged lines of a log are kept.
pub fn damaged_file(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".damaged");
    name.into()
}

/// Cuts a log behind what is good of it. Whole lines that go are kept beside it; a torn one is nothing.
pub(super) fn cut(disk: &Disk, path: &Path, good: u64) -> std::io::Result<()> {
    let mut log = disk.grow(path)?;
    log.seek(SeekFrom::Start(good))?;
    let mut rest = Vec::new();
    log.read_to_end(&mut rest)?;
    if rest.contains(&b'\n') {
        let mut aside = disk.grow(&damaged_file(path))?;
        aside.seek(SeekFrom::End(0))?;
        aside.write_all(&rest)?;
        aside.sync()?;
    }
    log.truncate(good)
}

/// Moves damaged lines out of a log; gives the length of what is left. A crash in between leaves the
/// log as it was.
fn put_aside(disk: &Disk, path: &Path, extent: &Extent) -> std::io::Result<u64> {
    let mut file = disk.open(path)?;
    let mut part = |bytes: &Range<u64>, out: &mut dyn Write| {
        file.seek(SeekFrom::Start(bytes.start))?;
        std::io::copy(&mut Read::take(&mut file, bytes.end - bytes.start), out)
    };
    let mut aside = disk.grow(&damaged_file(path))?;
    aside.seek(SeekFrom::End(0))?;
    let mut log = disk.replacement(path)?;
    let (mut at, mut good) = (0, 0);
    for damaged in &extent.damaged {
        part(damaged, &mut aside)?;
        good += part(&(at..damaged.start), &mut log)?;
        at = damaged.end;
    }
    good += part(&(at..extent.good.max(at)), &mut log)?;
    aside.sync()?;
    log.finish()?;
    Ok(good)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(number: u64) -> LogLine {
        let step = Step {
            side: Side::White,
            thinking_ms: 12,
            latency_ms: 1,
            score: Some(Score::mated_in(2)),
            depth: Some(9),
            nodes: None,
        };
        LogLine::Pair(PairLine {
            pairing: Pairing {
                number,
                round: 3,
                players: [4, 1],
                opening: 7,
                is_double: true,
            },
            seconds: 1_794_789_015,
            opening: Some(11),
            games: vec![
                GameLine {
                    first: Side::Black,
                    outcome: Outcome::lost_by(Side::White, Reason::Crash.termination()),
                    reason: Reason::Crash,
                    detail: "said: \"no\\n\"".to_owned(),
                    start: None,
                    opening_plies: 1,
                    moves: "f5 d6".to_owned(),
                    steps: vec![step],
                },
                GameLine {
                    first: Side::White,
                    outcome: Outcome::counted(600, Reason::Counted.termination()),
                    reason: Reason::Counted,
                    detail: String::new(),
                    start: None,
                    opening_plies: 0,
                    moves: String::new(),
                    steps: Vec::new(),
                },
            ],
        })
    }

    #[test]
    fn lines_are_read_as_they_are_written() {
        let note = LogLine::Note {
            seconds: 5,
            text: "went on\tat pair 3".to_owned(),
        };
        for line in [pair(0), pair(99), note] {
            let text = line.to_text();
            let text = text.strip_suffix('\n').unwrap();
            assert!(!text.contains('\n'));
            assert_eq!(LogLine::parse(text), Some(line));
            for at in 0..text.len() {
                let mut bytes = text.as_bytes().to_vec();
                bytes[at] ^= 1;
                let damaged = String::from_utf8(bytes).unwrap_or_default();
                assert_eq!(LogLine::parse(&damaged), None, "byte {at}");
            }
        }
    }

    /// A log of three pairs, and its bytes.
    fn three_pairs(disk: &Disk, folder: &Path) -> (PathBuf, Vec<u8>) {
        let path = folder.join("pairs.log");
        let mut log = Log::open(disk, &path, &Extent::default()).unwrap();
        for number in 0..3 {
            log.add(&pair(number)).unwrap();
        }
        drop(log);
        let whole = std::fs::read(&path).unwrap();
        (path, whole)
    }

    /// The pairs that can be read, and how far the log is good.
    fn numbers_in(disk: &Disk, path: &Path) -> (Vec<u64>, Extent) {
        let mut found = Vec::new();
        let extent = read(disk, path, |line| {
            if let LogLine::Pair(pair) = line {
                found.push(pair.pairing.number);
            }
        });
        (found, extent.unwrap())
    }

    #[test]
    fn a_torn_end_is_cut_off_and_written_again() {
        let (folder, disk) = (tempfile::tempdir().unwrap(), Disk::real());
        let (path, whole) = three_pairs(&disk, folder.path());
        let numbers = || numbers_in(&disk, &path);
        for length in HEADER.len() + 1..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let (found, good) = numbers();
            assert!(found.len() < 3 && good.good <= length as u64);
            assert_eq!(good.damaged, []);
            assert_eq!(found, (0..found.len() as u64).collect::<Vec<_>>());
            if length % 97 == 0 {
                let mut log = Log::open(&disk, &path, &good).unwrap();
                log.add(&pair(77)).unwrap();
                let (again, _) = numbers();
                assert_eq!(again.len(), found.len() + 1);
                assert_eq!(again.last(), Some(&77));
            }
        }
        std::fs::write(&path, "something else\n").unwrap();
        assert!(read(&disk, &path, |_| {}).is_err());
    }

    #[test]
    fn a_damaged_byte_costs_its_line_and_no_other() {
        let (folder, disk) = (tempfile::tempdir().unwrap(), Disk::real());
        let (path, whole) = three_pairs(&disk, folder.path());
        let numbers = || numbers_in(&disk, &path);
        for at in HEADER.len() + 1..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            std::fs::write(&path, &bytes).unwrap();
            let (found, extent) = numbers();
            let n_cut = if bytes.last() == Some(&b'\n') { 0 } else { 1 };
            // The end of a line is part of both neighbours.
            let n_lost = if whole[at] == b'\n' && n_cut == 0 {
                2
            } else {
                1
            };
            assert_eq!(found.len(), 3 - n_lost, "byte {at}");
            assert_eq!(extent.damaged.len(), 1 - n_cut, "byte {at}");
            if at % 61 == 0 {
                let aside = damaged_file(&path);
                let mut log = Log::open(&disk, &path, &extent).unwrap();
                log.add(&pair(77)).unwrap();
                let (again, extent) = numbers();
                assert_eq!(again, [found, vec![77]].concat());
                assert_eq!(extent.damaged, []);
                let kept = std::fs::read(&aside).unwrap_or_default();
                let n_kept = kept.iter().filter(|it| **it == b'\n').count();
                assert_eq!(n_kept, 1 - n_cut, "byte {at}");
                std::fs::remove_file(&aside).ok();
            }
        }
    }
}
