//! What an engine tells while it thinks.

use super::{looks_like_move, one_word};
use crate::protocol::one_line;
use game::{Bound, Chances, Score};
use std::{fmt, iter::Peekable, str::SplitWhitespace};

/// The fields of an `info` line; what the engine did not say is `None` or empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    pub depth: Option<u32>,
    pub selective_depth: Option<u32>,
    pub time_ms: Option<u64>,
    pub nodes: Option<u64>,
    pub nodes_per_second: Option<u64>,
    /// Which of several lines this is about, from 1; an engine that shows one line may leave it out.
    pub line: Option<u32>,
    pub value: Option<Value>,
    pub chances: Option<Chances>,
    /// The move and the best play after it.
    pub moves: Vec<String>,
    /// The move that is being looked at.
    pub current_move: Option<String>,
    /// Its place among the moves, from 1.
    pub current_number: Option<u32>,
    /// How full the table of positions is.
    pub hash_permille: Option<u16>,
    pub tablebase_hits: Option<u64>,
    /// How busy the processor is.
    pub load_permille: Option<u16>,
    /// A move and what refutes it.
    pub refutation: Vec<String>,
    /// The line that is being looked at.
    pub current_line: Vec<String>,
    /// Words for a person; always the last of a line.
    pub text: Option<String>,
}

/// What a position is worth for the side to move, and how to read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value {
    pub score: Score,
    pub bound: Bound,
}

/// More lines than any engine shows: the most moves of a position in chess are 218.
const LINES_MAX: u32 = 500;

/// A line has no more moves than this; longer ones are cut.
const MOVES_MAX: usize = 512;

type Words<'a> = Peekable<SplitWhitespace<'a>>;

impl Info {
    /// Reads what stands behind the word `info`. Everything is optional, in any order; words that
    /// mean nothing are skipped one by one, numbers out of range are left out or cut to it.
    pub(super) fn parse(rest: &str) -> Self {
        let rest = one_line(rest);
        let (fields, text) = split_text(&rest);
        let mut info = Self {
            text,
            ..Self::default()
        };
        let mut words = fields.split_whitespace().peekable();
        while let Some(word) = words.next() {
            info.read(word, &mut words);
        }
        info
    }

    fn read(&mut self, word: &str, words: &mut Words<'_>) {
        match word {
            "depth" => set(&mut self.depth, small(words)),
            "seldepth" => set(&mut self.selective_depth, small(words)),
            "time" => set(&mut self.time_ms, number(words)),
            "nodes" => set(&mut self.nodes, number(words)),
            "nps" => set(&mut self.nodes_per_second, number(words)),
            "multipv" => set(&mut self.line, small(words).map(|n| n.clamp(1, LINES_MAX))),
            "score" => self.read_score(words),
            "wdl" => set(&mut self.chances, chances(words)),
            "pv" => self.moves = moves(words),
            "refutation" => self.refutation = moves(words),
            "currline" => {
                // The number of a processor may stand in front.
                words.next_if(|word| word.parse::<u32>().is_ok() && !looks_like_move(word));
                self.current_line = moves(words);
            }
            "currmove" => {
                let action = words.next_if(|word| looks_like_move(word));
                set(&mut self.current_move, action.map(str::to_owned));
            }
            "currmovenumber" => set(&mut self.current_number, small(words)),
            "hashfull" => set(&mut self.hash_permille, permille(words)),
            "cpuload" => set(&mut self.load_permille, permille(words)),
            "tbhits" => set(&mut self.tablebase_hits, number(words)),
            _ => {}
        }
    }

    /// `cp 35`, `mate -3`, with `lowerbound`, `upperbound` and `wdl` before or behind.
    fn read_score(&mut self, words: &mut Words<'_>) {
        let (mut score, mut bound) = (None, Bound::Exact);
        while let Some(word) = words.next_if(|it| SCORE_WORDS.contains(it)) {
            match word {
                "cp" => set(&mut score, signed(words).map(Score::centi)),
                "mate" => set(&mut score, signed(words).map(mate)),
                "lowerbound" => bound = Bound::Lower,
                "upperbound" => bound = Bound::Upper,
                _ => set(&mut self.chances, chances(words)),
            }
        }
        set(&mut self.value, score.map(|score| Value { score, bound }));
    }
}

const SCORE_WORDS: [&str; 5] = ["cp", "mate", "lowerbound", "upperbound", "wdl"];

/// Takes `string …` off the end of a line.
fn split_text(rest: &str) -> (&str, Option<String>) {
    if let Some(text) = rest.strip_prefix("string ") {
        return ("", Some(text.trim().to_owned()));
    }
    match rest.split_once(" string ") {
        Some((fields, text)) => (fields, Some(text.trim().to_owned())),
        None => (rest, None),
    }
}

/// Keeps what is there if there is nothing new.
fn set<T>(field: &mut Option<T>, value: Option<T>) {
    if value.is_some() {
        *field = value;
    }
}

/// A number that is consumed only if it is one. What is below 0 counts as 0.
fn number(words: &mut Words<'_>) -> Option<u64> {
    let word = words.next_if(|word| word.parse::<i128>().is_ok())?;
    let value: i128 = word.parse().ok()?;
    Some(u64::try_from(value.max(0)).unwrap_or(u64::MAX))
}

fn small(words: &mut Words<'_>) -> Option<u32> {
    number(words).map(|value| u32::try_from(value).unwrap_or(u32::MAX))
}

fn permille(words: &mut Words<'_>) -> Option<u16> {
    number(words).map(|value| value.min(1000) as u16)
}

fn signed(words: &mut Words<'_>) -> Option<i32> {
    let word = words.next_if(|word| word.parse::<i128>().is_ok())?;
    let value: i128 = word.parse().ok()?;
    Some(value.clamp(i128::from(-i32::MAX), i128::from(i32::MAX)) as i32)
}

/// `mate 0` is said by the side that is mated.
const fn mate(moves: i32) -> Score {
    if moves > 0 {
        Score::mate_in(moves.unsigned_abs())
    } else {
        Score::mated_in(moves.unsigned_abs())
    }
}

/// Three shares of a thousand. Shares that do not make one say nothing.
fn chances(words: &mut Words<'_>) -> Option<Chances> {
    let [win, draw, loss] = [number(words)?, number(words)?, number(words)?];
    let sum = win.checked_add(draw)?.checked_add(loss)?;
    (sum == 1000).then_some(Chances {
        win_permille: win as u16,
        draw_permille: draw as u16,
        loss_permille: loss as u16,
    })
}

fn moves(words: &mut Words<'_>) -> Vec<String> {
    let mut moves = Vec::new();
    while let Some(word) = words.next_if(|word| looks_like_move(word)) {
        if moves.len() < MOVES_MAX {
            moves.push(word.to_owned());
        }
    }
    moves
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        let write_number = |f: &mut fmt::Formatter<'_>, name: &str, value: Option<u64>| {
            value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
        };
        write_number(f, "depth", self.depth.map(u64::from))?;
        write_number(f, "seldepth", self.selective_depth.map(u64::from))?;
        write_number(f, "multipv", self.line.map(u64::from))?;
        if let Some(value) = self.value {
            write!(f, " score {value}")?;
        }
        if let Some(it) = self.chances {
            let (win, draw, loss) = (it.win_permille, it.draw_permille, it.loss_permille);
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        write_number(f, "nodes", self.nodes)?;
        write_number(f, "nps", self.nodes_per_second)?;
        write_number(f, "hashfull", self.hash_permille.map(u64::from))?;
        write_number(f, "tbhits", self.tablebase_hits)?;
        write_number(f, "cpuload", self.load_permille.map(u64::from))?;
        write_number(f, "time", self.time_ms)?;
        if let Some(action) = &self.current_move {
            write!(f, " currmove {}", one_word(action))?;
        }
        write_number(f, "currmovenumber", self.current_number.map(u64::from))?;
        for (name, moves) in [
            ("refutation", &self.refutation),
            ("currline", &self.current_line),
            ("pv", &self.moves),
        ] {
            if !moves.is_empty() {
                write!(f, " {name}")?;
                moves
                    .iter()
                    .try_for_each(|it| write!(f, " {}", one_word(it)))?;
            }
        }
        match &self.text {
            Some(text) => write!(f, " string {}", one_line(text)),
            None => Ok(()),
        }
    }
}

/// `cp 35`, `mate -3 upperbound`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score.mate() {
            Some(moves) => write!(f, "mate {moves}")?,
            None => write!(f, "cp {}", self.score.hundredths())?,
        }
        match self.bound {
            Bound::Exact => Ok(()),
            Bound::Lower => f.write_str(" lowerbound"),
            Bound::Upper => f.write_str(" upperbound"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_strong_engine() {
        let info = Info::parse(
            "depth 24 seldepth 33 multipv 2 score cp -17 upperbound wdl 31 899 70 nodes 2091823 \
             nps 1394548 hashfull 671 tbhits 12 time 1500 pv d2d4 g8f6 c2c4 e7e6",
        );
        assert_eq!(info.depth, Some(24));
        assert_eq!(info.line, Some(2));
        assert_eq!(info.value.unwrap().score, Score::centi(-17));
        assert_eq!(info.value.unwrap().bound, Bound::Upper);
        assert_eq!(info.chances.unwrap().draw_permille, 899);
        assert_eq!(info.hash_permille, Some(671));
        assert_eq!(info.tablebase_hits, Some(12));
        assert_eq!(info.moves.len(), 4);
        assert_eq!(
            Info::parse(info.to_string().strip_prefix("info ").unwrap()),
            info
        );
    }

    #[test]
    fn odd_lines_give_what_can_be_understood() {
        for (line, expected) in [
            ("depth x score cp 5 pv e2e4", "info score cp 5 pv e2e4"),
            ("score lowerbound cp 9", "info score cp 9 lowerbound"),
            ("score mate 0", "info score mate 0"),
            ("score mate -0 pv", "info score mate 0"),
            (
                "score cp 99999999999999 nodes -3",
                "info score cp 999999999 nodes 0",
            ),
            ("wdl 9999 0 0 hashfull 5000", "info hashfull 1000"),
            ("multipv 0 depth 3", "info depth 3 multipv 1"),
            ("ebf 1.7 movesleft 40 depth 7", "info depth 7"),
            ("pv e2e4 nonsense e7e5 nps 4", "info nps 4 pv e2e4"),
            (
                "pv e1h1 e8a8 e7e8q 0000 N@f3",
                "info pv e1h1 e8a8 e7e8q 0000 N@f3",
            ),
            (
                "currmove e2e4 currmovenumber 1",
                "info currmove e2e4 currmovenumber 1",
            ),
            ("currline 1 e2e4 e7e5", "info currline e2e4 e7e5"),
            ("refutation d1h5 g6h5", "info refutation d1h5 g6h5"),
            ("string depth 3 pv e2e4", "info string depth 3 pv e2e4"),
            (
                "depth 2 string NNUE evaluation using x",
                "info depth 2 string NNUE evaluation using x",
            ),
            ("", "info"),
        ] {
            assert_eq!(Info::parse(line).to_string(), expected, "{line}");
        }
    }
}
