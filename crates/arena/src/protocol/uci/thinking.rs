//! What a search has told so far, put together from its lines.

use super::Info;
use crate::thought::{Thought, ThoughtLine};
use game::Bound;

/// The picture that `info` lines give of a search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Thinking {
    thought: Thought,
}

impl Thinking {
    /// Adds what a line says. Returns whether it changed what is known about the moves.
    pub fn take(&mut self, info: &Info) -> bool {
        let thought = &mut self.thought;
        let newer = |new: Option<u64>, old: Option<u64>| new.or(old);
        thought.nodes = newer(info.nodes, thought.nodes);
        thought.time_ms = newer(info.time_ms, thought.time_ms);
        thought.nodes_per_second = newer(info.nodes_per_second, thought.nodes_per_second);
        thought.tablebase_hits = newer(info.tablebase_hits, thought.tablebase_hits);
        thought.hash_permille = info.hash_permille.or(thought.hash_permille);
        if let Some(text) = &info.text {
            thought.remark = Some(text.clone());
        }
        if info.moves.is_empty() {
            return false;
        }
        let index = info.line.unwrap_or(1) as usize - 1;
        if index == 0 {
            thought.depth = info.depth.or(thought.depth);
            thought.selective_depth = info.selective_depth.or(thought.selective_depth);
        }
        let line = ThoughtLine {
            score: info.value.map(|value| value.score),
            bound: info.value.map_or(Bound::Exact, |value| value.bound),
            chances: info.chances,
            depth: info.depth,
            is_solved: false,
            moves: info.moves.clone(),
        };
        match thought.lines.get_mut(index) {
            Some(place) => *place = line,
            // Also one whose better ones were never told is the next that is known.
            None => thought.lines.push(line),
        }
        true
    }

    /// What is known now.
    pub const fn thought(&self) -> &Thought {
        &self.thought
    }

    /// What is known, with the move that ended the search.
    #[must_use]
    pub fn finished(self, best: &str) -> Thought {
        let mut thought = self.thought;
        if !super::Message::is_no_move(best) {
            thought.best = Some(best.to_owned());
        }
        thought
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Score;

    fn told(lines: &[&str]) -> Thought {
        let mut thinking = Thinking::default();
        for line in lines {
            thinking.take(&Info::parse(line));
        }
        thinking.thought().clone()
    }

    #[test]
    fn later_lines_replace_earlier_ones_of_the_same_place() {
        let thought = told(&[
            "depth 1 multipv 1 score cp 10 pv e2e4",
            "depth 1 multipv 2 score cp 5 pv d2d4",
            "depth 2 multipv 1 score cp 20 nodes 99 pv d2d4 d7d5",
            "nodes 100 hashfull 7",
            "string all is well",
        ]);
        assert_eq!(thought.depth, Some(2));
        assert_eq!(thought.nodes, Some(100));
        assert_eq!(thought.hash_permille, Some(7));
        assert_eq!(thought.remark.as_deref(), Some("all is well"));
        let firsts: Vec<&str> = thought
            .lines
            .iter()
            .map(|it| it.moves[0].as_str())
            .collect();
        assert_eq!(firsts, ["d2d4", "d2d4"]);
        assert_eq!(thought.lines[0].score, Some(Score::centi(20)));
        assert_eq!(thought.lines[1].depth, Some(1));
    }

    #[test]
    fn lines_without_moves_change_no_line() {
        let mut thinking = Thinking::default();
        assert!(thinking.take(&Info::parse("depth 3 score cp 7 pv e2e4")));
        assert!(!thinking.take(&Info::parse("depth 4 currmove e2e4 currmovenumber 1")));
        assert_eq!(
            thinking.thought().depth,
            Some(3),
            "of the last finished work"
        );
        assert_eq!(thinking.clone().finished("(none)").best, None);
        assert_eq!(thinking.finished("e2e4").best.as_deref(), Some("e2e4"));
    }
}
