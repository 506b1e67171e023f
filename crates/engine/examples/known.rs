//! Positions of the middle game whose value is known, and how near to it a search comes:
//!
//! ```text
//! cargo run --release -p engine --example known -- make FILE.obf FROM-TO COUNT SEED
//! cargo run --release -p engine --example known -- check FILE.obf DEPTH
//! ```
//!
//! `make` plays eight random moves and then the best of depth 8 on both sides until as many squares
//! are empty as it takes, and solves the position. A position follows from the seed and its number;
//! called again, it goes on where it stopped. With 28 empty squares one takes a core half a minute.
//!
//! `check` searches every position of such a file to a depth with an empty table. A move that the
//! file does not know is solved and added to it, so that later checks need not.

#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use engine::{Control, Engine, Limits, Report, eval::pattern::Pattern};
use othello::{
    Board, Move, Position, Side,
    notation::{DiscsText, ObfEntry, ObfLine, ScoredMove, read_obf},
    sample::SplitMix64,
};
use std::{
    error::Error,
    fs::{self, File, OpenOptions},
    io::{BufReader, Write as _},
    ops::RangeInclusive,
    sync::atomic::AtomicBool,
};

const USAGE: &str = "usage: known make FILE.obf FROM-TO COUNT SEED | known check FILE.obf DEPTH";

/// Random moves at the beginning, and how deep both sides search after them.
const RANDOM_PLIES: usize = 8;
const PLAY_DEPTH: u32 = 8;

const HASH_MB: usize = 1024;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut engine = Engine::new(Pattern::shipped()?, HASH_MB, 1)?;
    match words.as_slice() {
        ["make", path, empties, count, seed] => {
            let (from, to) = empties.split_once('-').ok_or(USAGE)?;
            let empties = from.parse()?..=to.parse()?;
            make(&mut engine, path, &empties, count.parse()?, seed.parse()?)
        }
        ["check", path, depth] => check(&mut engine, path, depth.parse()?),
        _ => Err(USAGE.into()),
    }
}

fn make(
    engine: &mut Engine<Pattern>,
    path: &str,
    empties: &RangeInclusive<u32>,
    count: u64,
    seed: u64,
) -> Result<(), Box<dyn Error>> {
    let n_done = if fs::exists(path)? {
        read(path)?.len() as u64
    } else {
        0
    };
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let n_sizes = u64::from(empties.end() + 1 - empties.start());
    for number in n_done..count {
        let n_empties = empties.start() + (number % n_sizes) as u32;
        let mut random = SplitMix64::new(seed.wrapping_add(number << 32));
        let board = std::iter::repeat_with(|| played_to(engine, n_empties, &mut random))
            .flatten()
            .next()
            .ok_or("no game got so far")?;
        let report = searched(engine, board, n_empties);
        let entry = ObfEntry {
            position: Position {
                board,
                side: Side::Black,
            },
            moves: scored(report.best(), report.score / 100)
                .into_iter()
                .collect(),
            comment: None,
        };
        writeln!(file, "{entry}")?;
        println!("{} of {count}: {entry} {} nodes", number + 1, report.nodes);
    }
    Ok(())
}

fn scored(action: Option<Move>, discs: i32) -> Option<ScoredMove> {
    Some(ScoredMove {
        action: action?,
        score: Some(DiscsText::from(discs)),
    })
}

/// A game until so many squares are empty; nothing if it was over before or a pass is all there is.
fn played_to(
    engine: &mut Engine<Pattern>,
    n_empties: u32,
    random: &mut SplitMix64,
) -> Option<Board> {
    let mut board = Board::START;
    for ply in 0.. {
        let legal = board.legal_moves();
        if board.empties().len() == n_empties {
            return (!legal.is_empty()).then_some(board);
        }
        if legal.is_empty() {
            board = board.swapped();
            if board.legal_moves().is_empty() {
                return None;
            }
            continue;
        }
        let square = if ply < RANDOM_PLIES {
            legal.into_iter().nth(random.below(legal.len()) as usize)
        } else {
            searched(engine, board, PLAY_DEPTH)
                .best()
                .and_then(Move::square)
        };
        board = board.play(square?).ok()?;
    }
    None
}

fn check(engine: &mut Engine<Pattern>, path: &str, depth: u32) -> Result<(), Box<dyn Error>> {
    let mut entries = read(path)?;
    let (mut error, mut squares, mut n_best) = (0.0, 0.0, 0);
    for at in 0..entries.len() {
        let board = entries[at].position.board;
        let report = searched(engine, board, depth);
        let action = report.best().ok_or("a search without a move")?;
        let best = entries[at]
            .moves
            .first()
            .and_then(|best| best.score.clone())
            .ok_or("a position without a value")?
            .centidiscs();
        let missed = f64::from((report.score - best).abs()) / 100.0;
        error += missed;
        squares += missed * missed;
        let known = entries[at].moves.iter().find(|m| m.action == action);
        let value = match known.and_then(|known| known.score.as_ref()) {
            Some(score) => score.centidiscs(),
            None => {
                let square = action.square().ok_or("a pass in place of a move")?;
                let next = board.play(square)?;
                let value = -searched(engine, next, next.empties().len()).score;
                entries[at].moves.extend(scored(Some(action), value / 100));
                write(path, &entries)?;
                value
            }
        };
        n_best += usize::from(value == best);
    }
    let n = entries.len().max(1) as f64;
    let mean = error / n;
    println!(
        "{} positions to depth {depth}: wrong by {mean:.2} ± {:.2} discs, best move {:.1} %",
        entries.len(),
        1.96 * ((squares / n - mean * mean) / n).sqrt(),
        100.0 * n_best as f64 / n
    );
    Ok(())
}

fn read(path: &str) -> Result<Vec<ObfEntry>, Box<dyn Error>> {
    let mut entries = Vec::new();
    for line in read_obf(BufReader::new(File::open(path)?)) {
        if let ObfLine::Entry(entry) = line? {
            entries.push(entry);
        }
    }
    Ok(entries)
}

/// The whole file, by way of another one: an interruption leaves the old or the new one.
fn write(path: &str, entries: &[ObfEntry]) -> Result<(), Box<dyn Error>> {
    let lines: Vec<String> = entries.iter().map(|entry| format!("{entry}\n")).collect();
    let fresh = format!("{path}.new");
    fs::write(&fresh, lines.concat())?;
    Ok(fs::rename(fresh, path)?)
}

/// A search from an empty table, so that no position depends on those before it.
fn searched(engine: &mut Engine<Pattern>, board: Board, depth: u32) -> Report {
    engine.clear();
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let control = Control {
        now_ms: &|| 0,
        stop: &AtomicBool::new(false),
        observe: &mut |_| {},
    };
    engine.search(board, &limits, control)
}
