//! A record as PGN text.

use super::{BLACK_WINS, DRAWN, UNKNOWN, WHITE_WINS};
use crate::{ConvertError, Kind, Node, NodeId, Note, Outcome, Position, Record, Side, Stop, Tags};
use shakmaty::Position as _;

/// Tags that every game has, and what stands for an unknown value.
const ROSTER: [(&str, &str); 7] = [
    (Tags::EVENT, "?"),
    (Tags::SITE, "?"),
    (Tags::DATE, "????.??.??"),
    (Tags::ROUND, "?"),
    (Tags::WHITE, "?"),
    (Tags::BLACK, "?"),
    (Tags::RESULT, UNKNOWN),
];

/// Lines are broken before this column, except inside comments.
const COLUMNS: usize = 80;

/// A game of chess in the export format of the standard, with an empty line at its end.
pub fn write(record: &Record) -> Result<String, ConvertError> {
    if record.start().kind() != Kind::Chess {
        return Err(ConvertError::NotChess(record.start().kind()));
    }
    let result = result_text(record);
    let mut text = String::new();
    for (name, unknown) in ROSTER {
        let value = record.tags.get(name).unwrap_or(unknown);
        let value = if name == Tags::RESULT { result } else { value };
        push_tag(&mut text, name, value);
    }
    let in_roster = |name: &str| ROSTER.iter().any(|(known, _)| *known == name);
    let others = record.tags.iter();
    for (name, value) in others.filter(|(name, _)| !in_roster(name)) {
        push_tag(&mut text, name, value);
    }
    if *record.start() != Position::CHESS_START && record.tags.get(Tags::FEN).is_none() {
        push_tag(&mut text, Tags::SET_UP, "1");
        push_tag(&mut text, Tags::FEN, &record.start().to_string());
    }
    text.push('\n');
    let mut writing = Writing {
        record,
        text,
        column: 0,
        needs_number: true,
    };
    writing.note(record.root());
    for stop in record.tour() {
        match stop {
            Stop::Open => writing.bracket("("),
            Stop::Close => writing.bracket(")"),
            Stop::Move(id) => writing.step(id),
        }
    }
    writing.word(result);
    writing.text.push_str("\n\n");
    Ok(writing.text)
}

fn result_text(record: &Record) -> &'static str {
    match record.outcome {
        None => UNKNOWN,
        Some(Outcome { winner, .. }) => match winner {
            Some(Side::White) => WHITE_WINS,
            Some(Side::Black) => BLACK_WINS,
            None => DRAWN,
        },
    }
}

fn push_tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    let value = value.replace(['\n', '\r'], " ");
    text.extend(["[", name, " \"", &value, "\"]\n"]);
}

struct Writing<'a> {
    record: &'a Record,
    text: String,
    column: usize,
    /// Whether Black's next move is written with its number: the text was interrupted.
    needs_number: bool,
}

impl Writing<'_> {
    fn word(&mut self, word: &str) {
        let n = word.chars().count();
        let is_after_open = self.text.ends_with('(');
        if word == ")" {
            // It stays with the word before it.
        } else if self.column > 0 && self.column + 1 + n >= COLUMNS {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 && !is_after_open {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += n;
    }

    fn bracket(&mut self, bracket: &str) {
        self.word(bracket);
        self.needs_number = true;
    }

    fn step(&mut self, id: NodeId) {
        let Some(node) = self.record.node(id) else {
            return;
        };
        if let Some(before) = &node.note.before {
            self.comment(before);
        }
        let parent = node.parent().and_then(|it| self.record.position(it));
        let (Some(position), Some(action)) = (parent, node.action()) else {
            return;
        };
        if let Position::Chess(chess) = position {
            let number = chess.0.fullmoves();
            if chess.0.turn().is_white() {
                self.word(&format!("{number}."));
            } else if self.needs_number {
                self.word(&format!("{number}..."));
            }
        }
        self.needs_number = false;
        self.word(&position.san(action));
        self.note(id);
    }

    fn note(&mut self, id: NodeId) {
        let Some(Note {
            comment,
            glyphs,
            eval,
            time,
            ..
        }) = self.record.node(id).map(note_of)
        else {
            return;
        };
        for glyph in glyphs {
            self.word(&format!("${}", glyph.0));
        }
        let spoken = [("[%eval ", eval), ("[%emt ", time)];
        for (tag, value) in spoken {
            if let Some(value) = value {
                self.comment(&format!("{tag}{value}]"));
            }
        }
        if let Some(comment) = comment {
            self.comment(comment);
        }
    }

    /// A comment, each paragraph in braces of its own.
    fn comment(&mut self, text: &str) {
        for paragraph in text.split("\n\n").map(str::trim) {
            if paragraph.is_empty() {
                continue;
            }
            self.needs_number = true;
            if !paragraph.contains('}') {
                self.word(&format!("{{{paragraph}}}"));
                // A broken line inside the comment begins a new column.
                let last = paragraph
                    .rsplit('\n')
                    .next()
                    .map_or(0, |it| it.chars().count());
                self.column = if paragraph.contains('\n') {
                    last + 1
                } else {
                    self.column
                };
            } else if paragraph.contains('\n') {
                self.word(&format!("{{{}}}", paragraph.replace('}', ")")));
            } else {
                // Braces cannot hold a brace; the rest of a line can.
                self.word(&format!("; {paragraph}"));
                self.text.push('\n');
                self.column = 0;
            }
        }
    }
}

const fn note_of(node: &Node) -> &Note {
    &node.note
}
