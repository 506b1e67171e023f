//! Lichess: games of a player as lines of JSON, rounds of broadcasts and studies as PGN.

use super::{
    LiveError, Wish,
    asking::{Asker, Stream, Stumble},
};
use crate::library::Intake;
use engine::checksum::checksum;
use game::pgn::Splitter;
use std::{
    collections::HashSet,
    io::{BufRead as _, BufReader, Read as _},
};

/// A longer line is no game.
const LINE_MAX: usize = 4 << 20;

/// Games come in the order of their beginnings. One that went on when the last fetch ended may have
/// begun so long before it; games that take longer are found by a fetch of everything.
const OVERLAP_SECONDS: i64 = 14 * 86_400;

const NDJSON: &str = "application/x-ndjson";
const PGN: &str = "application/x-chess-pgn";

/// What we need of a line.
#[derive(serde::Deserialize)]
struct Line {
    id: String,
    #[serde(rename = "createdAt")]
    created_ms: u64,
    #[serde(default)]
    pgn: String,
}

/// Where a stream of games stands: the last game that came, and all that began in the same second.
#[derive(Default)]
struct Edge {
    ms: u64,
    ids: HashSet<String>,
}

impl Edge {
    /// Notes a game; whether it is new. A server that begins anew after a cut sends games again that
    /// lie before the edge.
    fn pass(&mut self, line: &Line, is_descending: bool) -> bool {
        let is_before = if is_descending {
            line.created_ms > self.ms
        } else {
            line.created_ms < self.ms
        };
        if self.ms > 0 && is_before {
            return false;
        }
        if line.created_ms / 1000 != self.ms / 1000 {
            self.ids.clear();
        }
        self.ms = line.created_ms;
        self.ids.insert(line.id.clone())
    }
}

/// Fetches the games of a player: from where the last fetch ended, oldest first, or so many of the
/// newest.
pub(super) fn player(
    asker: &Asker<'_>,
    intake: &mut Intake<'_>,
    wish: &Wish,
    name: &str,
    most: Option<u32>,
) -> Result<u64, LiveError> {
    let is_usual = wish.since.is_none() && most.is_none();
    let until = intake.fetched_until()?.filter(|_| is_usual && !wish.anew);
    let overlap = if intake.was_finished() {
        OVERLAP_SECONDS
    } else {
        0
    };
    let since = match wish.since {
        Some(since) => Some(since.seconds),
        None => until.map(|it| it - overlap),
    };
    let mut edge = Edge::default();
    let mut n_games = 0;
    asker.tell(
        intake,
        &format!("Asking {} for the games of {name}.", asker.host()),
    );
    asker.persist(intake, |intake| {
        let left = most.map(|most| u64::from(most) - n_games);
        let path = player_path(name, left, since, edge.ms);
        let mut reader = BufReader::new(asker.open(&path, NDJSON)?);
        loop {
            let Some(line) = next_line(asker, &mut reader)? else {
                return Ok(());
            };
            if !edge.pass(&line, most.is_some()) {
                continue;
            }
            asker.gain();
            intake.take(line.pgn.as_bytes());
            n_games += 1;
            if asker.store_now_and_then(intake)? {
                if is_usual {
                    intake.set_fetched_until((edge.ms / 1000) as i64)?;
                }
                asker.tell(intake, &format!("Games of {name} are coming in."));
            }
            if most.is_some_and(|most| n_games >= u64::from(most)) {
                return Ok(());
            }
        }
    })?;
    intake.store(false)?;
    if is_usual && edge.ms > 0 {
        intake.set_fetched_until((edge.ms / 1000) as i64)?;
    }
    Ok(0)
}

/// The address of a player's games: from a time on in the order in which they began, or so many of
/// the newest. After a cut the answer begins at the last game that came.
fn player_path(name: &str, left: Option<u64>, since: Option<i64>, edge_ms: u64) -> String {
    let from_ms = since.map(|it| 1000 * it.max(0) as u64);
    let came_ms = (edge_ms > 0).then_some(edge_ms);
    let (order, from_ms, until_ms) = match left {
        Some(left) => (format!("dateDesc&max={left}"), from_ms, came_ms),
        None => ("dateAsc".to_owned(), came_ms.or(from_ms), None),
    };
    let limit = |name: &str, ms: Option<u64>| match ms {
        Some(ms) => format!("&{name}={ms}"),
        None => String::new(),
    };
    let until = limit("until", until_ms);
    let since = limit("since", from_ms);
    format!(
        "/api/games/user/{name}?pgnInJson=true&clocks=true&evals=true&opening=true\
         &sort={order}{until}{since}"
    )
}

/// The next game of a stream; empty lines keep a connection alive.
fn next_line(
    asker: &Asker<'_>,
    reader: &mut BufReader<Stream<'_>>,
) -> Result<Option<Line>, Stumble> {
    let mut text = Vec::new();
    loop {
        text.clear();
        let mut limited = reader.by_ref().take(LINE_MAX as u64);
        let n = limited.read_until(b'\n', &mut text);
        let n = n.map_err(|_| asker.cut())?;
        if n == 0 {
            return Ok(None);
        }
        let is_whole = text.ends_with(b"\n");
        if text.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        return match serde_json::from_slice(&text) {
            Ok(line) => Ok(Some(line)),
            Err(_) if !is_whole && n < LINE_MAX => Err(asker.cut()),
            Err(error) => Err(asker
                .odd(format!("a line of its answer is no game ({error})"))
                .into()),
        };
    }
}

/// Fetches the games of a round that have a result. Whoever follows it waits for the others.
pub(super) fn round(
    asker: &Asker<'_>,
    intake: &mut Intake<'_>,
    id: &str,
    follows: bool,
) -> Result<u64, LiveError> {
    let path = if follows {
        format!("/api/stream/broadcast/round/{id}.pgn")
    } else {
        format!("/api/broadcast/round/{id}.pgn")
    };
    asker.tell(intake, &format!("Asking {} for round {id}.", asker.host()));
    // A game is sent again with every move: only its last version counts.
    let mut seen = HashSet::new();
    let mut playing = HashSet::new();
    asker.persist(intake, |intake| {
        games(asker, intake, &path, |intake, text| {
            let is_new = seen.insert(checksum(text));
            if is_new {
                asker.gain();
            }
            let key = players(text);
            if has_no_result(text) {
                playing.insert(key);
                let n = playing.len();
                asker.tell(intake, &format!("Round {id}: {n} games are being played."));
                return;
            }
            playing.remove(&key);
            if is_new {
                intake.take(text);
            }
        })?;
        if follows && !playing.is_empty() {
            // The stream ended although games go on.
            return Err(asker.cut());
        }
        Ok(())
    })?;
    Ok(playing.len() as u64)
}

/// Fetches all chapters of a study, or one.
pub(super) fn study(
    asker: &Asker<'_>,
    intake: &mut Intake<'_>,
    id: &str,
) -> Result<u64, LiveError> {
    let path = format!("/api/study/{id}.pgn?clocks=true&comments=true&variations=true");
    asker.tell(intake, &format!("Asking {} for study {id}.", asker.host()));
    let mut seen = HashSet::new();
    asker.persist(intake, |intake| {
        games(asker, intake, &path, |intake, text| {
            if seen.insert(checksum(text)) {
                asker.gain();
                intake.take(text);
            }
        })
    })?;
    Ok(0)
}

/// Reads an answer of PGN, game by game.
pub(super) fn games(
    asker: &Asker<'_>,
    intake: &mut Intake<'_>,
    path: &str,
    mut each: impl FnMut(&mut Intake<'_>, &[u8]),
) -> Result<(), Stumble> {
    let mut splitter = Splitter::new(BufReader::new(asker.open(path, PGN)?));
    let mut text = Vec::new();
    loop {
        text.clear();
        match splitter.next_into(&mut text) {
            Ok(None) => return Ok(()),
            // What is there of it might be taken for a whole game.
            Ok(Some(slice)) if slice.is_cut => intake.refuse(),
            Ok(Some(slice)) => each(intake, &text[slice.range]),
            Err(_) => return Err(asker.cut()),
        }
        if asker.store_now_and_then(intake)? {
            asker.tell(intake, "Games are coming in.");
        }
    }
}

/// Whether a game goes on.
fn has_no_result(game: &[u8]) -> bool {
    let mut lines = game.split(|byte| *byte == b'\n');
    lines.any(|line| line.trim_ascii() == br#"[Result "*"]"#)
}

/// What stays the same while a game goes on.
fn players(game: &[u8]) -> Vec<u8> {
    let tags: [&[u8]; 4] = [b"[White \"", b"[Black \"", b"[Round \"", b"[Board \""];
    let lines = game.split(|byte| *byte == b'\n');
    let lines = lines.filter(|line| tags.iter().any(|tag| line.starts_with(tag)));
    lines.collect::<Vec<_>>().join(&b'\n')
}
