//! The last lines of a text that may be endless.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is kept of a text: the last 64 kB.
const BYTES_MAX: usize = 64 << 10;

/// One line keeps no more than this.
const LINE_MAX: usize = 2 << 10;

/// The last lines of a text. Clones are the same text, so that one thread can show what another
/// adds.
#[derive(Debug, Clone, Default)]
pub struct Tail(Arc<Mutex<Kept>>);

/// The lines one behind the other, each with its end. Up to twice of what is kept is there, so that
/// a line costs a copy and no more: a quick engine is told thousands a second.
#[derive(Debug, Default)]
struct Kept(String);

impl Kept {
    /// What is shown: whole lines of the last bytes.
    fn last(&self) -> &str {
        let Some(over) = self.0.len().checked_sub(BYTES_MAX) else {
            return &self.0;
        };
        let cut = self.0.ceil_char_boundary(over);
        let is_whole = self.0[..cut].is_empty() || self.0[..cut].ends_with('\n');
        match self.0[cut..].split_once('\n') {
            Some((_, rest)) if !is_whole => rest,
            _ => &self.0[cut..],
        }
    }
}

impl Tail {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line; a long one is cut.
    pub fn push(&self, line: &str) {
        self.push_with("", line);
    }

    /// Adds a line behind some letters that say whose it is.
    pub(super) fn push_with(&self, whose: &str, line: &str) {
        let cut = line.floor_char_boundary(LINE_MAX);
        let mut kept = self.lock();
        kept.0.push_str(whose);
        kept.0.push_str(&line[..cut]);
        kept.0.push('\n');
        if kept.0.len() > 2 * BYTES_MAX {
            let old = kept.0.len() - kept.last().len();
            drop(kept.0.drain(..old));
        }
    }

    /// The lines that are kept, oldest first.
    pub fn lines(&self) -> Vec<String> {
        self.lock().last().lines().map(str::to_owned).collect()
    }

    /// The last line that is not blank.
    pub fn last(&self) -> Option<String> {
        let kept = self.lock();
        let mut lines = kept.last().lines().rev();
        let found = lines.find(|line| !line.trim().is_empty())?;
        Some(found.trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept_and_no_more() {
        let tail = Tail::default();
        for number in 0..100_000 {
            tail.push(&format!("line {number}"));
        }
        tail.push(&"é".repeat(3000));
        tail.push("  ");
        let lines = tail.lines();
        let n_bytes: usize = lines.iter().map(String::len).sum();
        assert!(n_bytes <= BYTES_MAX && lines.len() > 1000);
        assert_eq!(lines[lines.len() - 3], "line 99999");
        assert_eq!(tail.last().map(|line| line.len()), Some(LINE_MAX));
    }
}
