//! The last lines of a text that may be endless.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// What is kept of a text: the last 64 kB.
const BYTES_MAX: usize = 64 << 10;

/// One line keeps no more than this.
const LINE_MAX: usize = 2 << 10;

/// The last lines of a text. Clones are the same text, so that one thread can show what another
/// adds.
#[derive(Debug, Clone, Default)]
pub struct Tail(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    lines: VecDeque<String>,
    n_bytes: usize,
}

impl Tail {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line; a long one is cut.
    pub fn push(&self, line: &str) {
        let cut = line.floor_char_boundary(LINE_MAX);
        let mut kept = self.lock();
        kept.n_bytes += cut + 1;
        kept.lines.push_back(line[..cut].to_owned());
        while kept.n_bytes > BYTES_MAX {
            let Some(oldest) = kept.lines.pop_front() else {
                break;
            };
            kept.n_bytes -= oldest.len() + 1;
        }
    }

    /// The lines that are kept, oldest first.
    pub fn lines(&self) -> Vec<String> {
        self.lock().lines.iter().cloned().collect()
    }

    /// The last line that is not blank.
    pub fn last(&self) -> Option<String> {
        let kept = self.lock();
        let mut lines = kept.lines.iter().rev();
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
