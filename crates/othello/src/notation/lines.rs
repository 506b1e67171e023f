//! Lines of a text of any size, in bounded memory.

use super::{At, Place, Problem, ProblemKind, RECORD_BYTES_MAX};
use std::io::BufRead;

/// Hands out one line after another from one reused buffer.
#[derive(Debug)]
pub(super) struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
    line: u64,
    record: u64,
    done: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) const fn new(reader: R) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            line: 0,
            record: 0,
            done: false,
        }
    }

    /// The next line that `parse` finds worth reporting (`None` is a line to skip), as a record.
    pub(super) fn next_record<T>(
        &mut self,
        parse: impl Fn(&str) -> Option<Result<T, ProblemKind>>,
    ) -> Option<Result<T, Problem>> {
        loop {
            let result = match self.next_line()? {
                Ok(()) => match str::from_utf8(&self.buffer) {
                    Ok(text) => match parse(text.trim_ascii()) {
                        Some(result) => result,
                        None => continue,
                    },
                    Err(error) => Err(ProblemKind::NotText {
                        valid_up_to: error.valid_up_to(),
                    }),
                },
                Err(kind) => Err(kind),
            };
            self.record += 1;
            return Some(result.map_err(|kind| self.problem(kind)));
        }
    }

    fn problem(&self, kind: ProblemKind) -> Problem {
        let place = Place {
            record: self.record,
            at: At::Line(self.line),
        };
        Problem { place, kind }
    }

    /// Fills the buffer with a line, without its end. A line over the limit is read past.
    fn next_line(&mut self) -> Option<Result<(), ProblemKind>> {
        if self.done {
            return None;
        }
        self.buffer.clear();
        self.line += 1;
        let (mut read_any, mut too_long) = (false, false);
        loop {
            let chunk = match self.reader.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.done = true;
                    return Some(Err(error.into()));
                }
            };
            if chunk.is_empty() {
                self.done = true;
                break;
            }
            read_any = true;
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            too_long |= self.buffer.len() + part.len() > RECORD_BYTES_MAX;
            if !too_long {
                self.buffer.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                break;
            }
        }
        match (read_any, too_long) {
            (false, _) => None,
            (true, true) => Some(Err(ProblemKind::TooLong)),
            (true, false) => Some(Ok(())),
        }
    }
}

/// What stands before a `#`.
pub(super) fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim_ascii_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_over_the_limit_costs_only_itself() {
        let mut text = b"one\r\n".to_vec();
        text.extend(std::iter::repeat_n(b'x', RECORD_BYTES_MAX + 1));
        text.extend_from_slice(b"\n\xff\n\nlast");
        let mut lines = Lines::new(&text[..]);
        let mut next = || lines.next_record(|line| (!line.is_empty()).then(|| Ok(line.to_owned())));
        assert_eq!(next(), Some(Ok("one".to_owned())));
        assert_eq!(
            next().unwrap().unwrap_err().to_string(),
            "record 2, line 2: longer than 1048576 bytes; expected one record, skipped"
        );
        assert_eq!(
            next().unwrap().unwrap_err().to_string(),
            "record 3, line 3: not UTF-8 text from byte 0 of the line on; expected ASCII"
        );
        assert_eq!(next(), Some(Ok("last".to_owned())));
        assert_eq!(next(), None);
    }
}
