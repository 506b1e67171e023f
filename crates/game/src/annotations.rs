//! What a record says beside its main line, as bytes: variations, comments, glyphs. The main line
//! itself is a [`Packed`].
//!
//! The bytes are the version, the number of places on the main line, then operations. Each is a
//! number `8 × steps + kind`: go so many moves on, then do this. Moves of the main line are known;
//! those of a variation stand behind the number. Numbers are in base 128, the lowest digit first,
//! with the eighth bit set in all but the last.

use crate::{Glyph, NodeId, Note, Packed, Record, UnpackError, packed, record::Stop};

const VERSION: u8 = 1;

/// More variations inside each other are refused, so that no bytes can exhaust the stack.
const DEPTH_MAX: usize = 1_000;

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    /// Text after the move.
    Comment = 0,
    Glyph = 1,
    /// Text before the move that comes next.
    Before = 2,
    Eval = 3,
    Time = 4,
    /// A variation that takes the place of the last move.
    Open = 5,
    Close = 6,
    /// The steps to a move alone, without anything to say about it.
    Go = 7,
}

impl Op {
    const ALL: [Self; 8] = [
        Self::Comment,
        Self::Glyph,
        Self::Before,
        Self::Eval,
        Self::Time,
        Self::Open,
        Self::Close,
        Self::Go,
    ];
}

/// Bytes that are no annotations of their game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnnotationError {
    /// Written by a newer program.
    #[error("the annotations have version {0}; this program knows {VERSION}")]
    Newer(u8),
    /// Something that no program writes.
    #[error("the annotations are damaged at byte {at}: expected {expected}")]
    Damaged { at: usize, expected: &'static str },
    /// The main line itself.
    #[error(transparent)]
    Line(#[from] UnpackError),
}

/// Writes annotations in the order in which a text has them.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    out: Vec<u8>,
    /// Moves of a variation since the last operation.
    pending: Vec<u8>,
    steps: usize,
    depth: usize,
    /// How many bytes there may be, for whoever knows.
    expected: usize,
}

fn put(out: &mut Vec<u8>, mut number: usize) {
    while number > 127 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

impl Writer {
    /// For so many bytes, which are reserved when the first of them comes: most games say nothing.
    pub(crate) fn expecting(bytes: usize) -> Self {
        Self {
            expected: bytes,
            ..Self::default()
        }
    }

    /// A step of the main line.
    pub(crate) const fn step(&mut self) {
        self.steps += 1;
    }

    /// A step of a variation: whoever makes it appends its bytes here.
    pub(crate) const fn variation_step(&mut self) -> &mut Vec<u8> {
        self.steps += 1;
        &mut self.pending
    }

    pub(crate) fn op(&mut self, op: Op) {
        if self.out.is_empty() {
            self.out.reserve(self.expected);
        }
        put(&mut self.out, 8 * self.steps + op as usize);
        self.out.append(&mut self.pending);
        self.steps = 0;
        match op {
            Op::Open => self.depth += 1,
            Op::Close => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    pub(crate) fn text(&mut self, op: Op, text: &str) {
        self.op(op);
        put(&mut self.out, text.len());
        self.out.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn glyph(&mut self, glyph: Glyph) {
        self.op(Op::Glyph);
        self.out.push(glyph.0);
    }

    pub(crate) const fn is_in_variation(&self) -> bool {
        self.depth > 0
    }

    pub(crate) const fn is_too_deep(&self) -> bool {
        self.depth >= DEPTH_MAX
    }

    /// The bytes for a main line of so many places; `None` if nothing was said.
    pub(crate) fn finish(self, n_main: usize) -> Option<Vec<u8>> {
        if self.out.is_empty() {
            return None;
        }
        let mut bytes = Vec::with_capacity(self.out.len() + 8);
        bytes.push(VERSION);
        put(&mut bytes, n_main);
        bytes.extend_from_slice(&self.out);
        Some(bytes)
    }
}

impl Record {
    /// What the record says beside its main line; `None` if nothing.
    pub fn annotations(&self) -> Option<Vec<u8>> {
        let mut writer = Writer::default();
        self.write_note(self.root(), &mut writer);
        for stop in self.tour() {
            match stop {
                Stop::Open => writer.op(Op::Open),
                Stop::Close => writer.op(Op::Close),
                Stop::Move(id) => self.write_move(id, &mut writer),
            }
        }
        writer.finish(self.main_line().count())
    }

    fn write_move(&self, id: NodeId, writer: &mut Writer) {
        let Some(node) = self.node(id) else { return };
        if let Some(before) = &node.note.before {
            writer.text(Op::Before, before);
        }
        let parent = node.parent().and_then(|it| self.position(it));
        match (parent, node.action()) {
            (Some(parent), Some(action)) if writer.is_in_variation() => {
                packed::pack_move(parent, action, writer.variation_step());
            }
            _ => writer.step(),
        }
        self.write_note(id, writer);
    }

    fn write_note(&self, id: NodeId, writer: &mut Writer) {
        let Some(node) = self.node(id) else { return };
        for glyph in &node.note.glyphs {
            writer.glyph(*glyph);
        }
        let texts = [
            (Op::Comment, &node.note.comment),
            (Op::Eval, &node.note.eval),
            (Op::Time, &node.note.time),
        ];
        for (op, text) in texts {
            if let Some(text) = text {
                writer.text(op, text);
            }
        }
    }
}

/// Appends a paragraph to what is there.
pub(crate) fn append(text: &mut Option<String>, more: &str) {
    match text {
        Some(text) => {
            text.push_str("\n\n");
            text.push_str(more);
        }
        None => *text = Some(more.to_owned()),
    }
}

/// A record that grows as operations are read.
struct Reading<'a> {
    record: Record,
    at: NodeId,
    /// Where the lines around the present variation stand.
    around: Vec<NodeId>,
    main: std::slice::Iter<'a, u8>,
    bytes: std::slice::Iter<'a, u8>,
    n_bytes: usize,
    before: Option<String>,
}

impl<'a> Reading<'a> {
    fn wrong(&self, expected: &'static str) -> AnnotationError {
        AnnotationError::Damaged {
            at: self.n_bytes - self.bytes.len(),
            expected,
        }
    }

    fn number(&mut self) -> Result<usize, AnnotationError> {
        let mut number = 0_usize;
        for digit in 0..5 {
            let Some(byte) = self.bytes.next() else { break };
            number |= usize::from(byte & 127) << (7 * digit);
            if byte & 128 == 0 {
                return Ok(number);
            }
        }
        Err(self.wrong("a number"))
    }

    fn text(&mut self) -> Result<&'a str, AnnotationError> {
        let n = self.number()?;
        let rest = self.bytes.as_slice();
        let text = rest.get(..n).and_then(|it| std::str::from_utf8(it).ok());
        let text = text.ok_or_else(|| self.wrong("a text"))?;
        self.bytes = rest[n..].iter();
        Ok(text)
    }

    fn step(&mut self) -> Result<(), AnnotationError> {
        let Some(position) = self.record.position(self.at) else {
            return Err(self.wrong("a place"));
        };
        let bytes = if self.around.is_empty() {
            &mut self.main
        } else {
            &mut self.bytes
        };
        let action = packed::unpack_move(position, bytes);
        // A variation may begin with the move that it takes the place of, or as another one does.
        let added = action.and_then(|action| self.record.add_new(self.at, action).ok());
        self.at = added.ok_or_else(|| self.wrong("a legal move"))?;
        if let Some(before) = self.before.take() {
            self.note(|note| append(&mut note.before, &before));
        }
        Ok(())
    }

    fn note(&mut self, change: impl FnOnce(&mut Note)) {
        if let Some(note) = self.record.note_mut(self.at) {
            change(note);
        }
    }

    fn operation(&mut self) -> Result<(), AnnotationError> {
        let number = self.number()?;
        for _ in 0..number / 8 {
            self.step()?;
        }
        match Op::ALL[number % 8] {
            Op::Comment => {
                let text = self.text()?;
                self.note(|note| append(&mut note.comment, text));
            }
            Op::Before => {
                let text = self.text()?;
                append(&mut self.before, text);
            }
            Op::Eval => {
                let text = self.text()?;
                self.note(|note| note.eval = Some(text.to_owned()));
            }
            Op::Time => {
                let text = self.text()?;
                self.note(|note| note.time = Some(text.to_owned()));
            }
            Op::Glyph => {
                let number = self.bytes.next().copied();
                let glyph = Glyph(number.ok_or_else(|| self.wrong("a glyph"))?);
                self.note(|note| {
                    if !note.glyphs.contains(&glyph) {
                        note.glyphs.push(glyph);
                    }
                });
            }
            Op::Open => {
                let parent = self.record.node(self.at).and_then(crate::Node::parent);
                let parent = parent.ok_or_else(|| self.wrong("a move before a variation"))?;
                if self.around.len() >= DEPTH_MAX {
                    return Err(self.wrong("fewer variations inside each other"));
                }
                self.around.push(self.at);
                self.at = parent;
            }
            Op::Close => {
                let back = self.around.pop();
                self.at = back.ok_or_else(|| self.wrong("a variation that was opened"))?;
                // What a variation without a move says is about the move that it stands beside.
                if let Some(text) = self.before.take() {
                    self.note(|note| append(&mut note.comment, &text));
                }
            }
            Op::Go => {}
        }
        Ok(())
    }
}

impl Packed {
    /// The record of the line with what [`Record::annotations`] gave for it. Its outcome is what
    /// the rules say.
    pub fn annotated(&self, annotations: &[u8]) -> Result<Record, AnnotationError> {
        let start = self.start.clone().unwrap_or_else(|| self.kind.start());
        let mut reading = Reading {
            record: Record::new(start),
            at: Record::ROOT,
            around: Vec::new(),
            main: self.moves.iter(),
            bytes: annotations.iter(),
            n_bytes: annotations.len(),
            before: None,
        };
        match reading.bytes.next() {
            Some(&VERSION) => {}
            Some(newer) => return Err(AnnotationError::Newer(*newer)),
            None => return Err(reading.wrong("a version")),
        }
        let n_main = reading.number()?;
        while !reading.bytes.as_slice().is_empty() {
            reading.operation()?;
        }
        if !reading.around.is_empty() {
            return Err(reading.wrong("the end of a variation"));
        }
        let n_done = reading.record.path(reading.at).len() - 1;
        for _ in n_done..n_main {
            reading.step()?;
        }
        if reading.main.len() > 0 {
            return Err(reading.wrong("every move of the main line"));
        }
        let mut record = reading.record;
        record.outcome = record.outcome_at(record.main_end());
        Ok(record)
    }
}

#[cfg(test)]
mod tests;
