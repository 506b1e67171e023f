//! What a foreign engine says about a position, in its own words: moves are text, and everything it
//! does not say is absent. [`Thought::report`] reads it by the rules.

use game::{Bound, Chances, Line, Move, Position, Report, Score, Source, Statistics};

/// What an engine has told about a position so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Thought {
    /// The move that it chose in the end; `None` while it thinks, or if there is none.
    pub best: Option<String>,
    /// Best first, as the engine orders them.
    pub lines: Vec<ThoughtLine>,
    pub depth: Option<u32>,
    pub selective_depth: Option<u32>,
    pub nodes: Option<u64>,
    pub nodes_per_second: Option<u64>,
    pub time_ms: Option<u64>,
    /// How full its table of positions is.
    pub hash_permille: Option<u16>,
    pub tablebase_hits: Option<u64>,
    /// The last words that it had for a person.
    pub remark: Option<String>,
}

/// One of the moves that an engine looks at, and what follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThoughtLine {
    /// The value for the side to move; `None` if the engine does not tell values.
    pub score: Option<Score>,
    pub bound: Bound,
    pub chances: Option<Chances>,
    pub depth: Option<u32>,
    /// Whether the value is proven to the end of the game.
    pub is_solved: bool,
    /// As the engine wrote them.
    pub moves: Vec<String>,
}

impl Thought {
    /// The move that the engine would play, as text.
    pub fn choice(&self) -> Option<&str> {
        let first = || self.lines.first()?.moves.first();
        self.best.as_ref().or_else(first).map(String::as_str)
    }

    /// The same as a report about this position. Lines are followed as far as they are legal; one
    /// whose first move is not is left out. `None` if the engine told no value that could be
    /// understood.
    pub fn report(&self, position: &Position, source: Source) -> Option<Report> {
        let lines: Vec<(Line, &ThoughtLine)> = self
            .lines
            .iter()
            .filter_map(|line| Some((line.read(position)?, line)))
            .collect();
        let (first, told) = lines.first()?;
        let counted = self.hash_permille.map(|fill_permille| Statistics {
            fill_permille,
            ..Statistics::default()
        });
        Some(Report {
            score: first.score,
            bound: first.bound,
            depth: self.depth.or(told.depth).unwrap_or(0),
            selective_depth: self.selective_depth,
            solved: told.is_solved,
            chances: told.chances,
            nodes: self.nodes.unwrap_or(0),
            time_ms: self.time_ms.unwrap_or(0),
            statistics: counted,
            lines: lines.iter().map(|(line, _)| line.clone()).collect(),
            ..Report::new(position.clone(), source)
        })
    }
}

impl ThoughtLine {
    fn read(&self, position: &Position) -> Option<Line> {
        let moves = legal_part(position, &self.moves);
        (!moves.is_empty()).then_some(Line {
            score: self.score?,
            bound: self.bound,
            moves,
        })
    }
}

/// The moves up to the first that is no legal move. Passes that are due and left out are put in.
fn legal_part(position: &Position, texts: &[String]) -> Vec<Move> {
    let mut position = position.clone();
    let mut moves = Vec::new();
    for text in texts {
        let Ok(action) = position.parse_move(text) else {
            break;
        };
        if let Some(forced) = position.forced()
            && forced != action
            && let Ok(next) = position.play(forced)
        {
            position = next;
            moves.push(forced);
        }
        let Ok(next) = position.play(action) else {
            break;
        };
        position = next;
        moves.push(action);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(moves: &[&str], score: Option<i32>) -> ThoughtLine {
        ThoughtLine {
            score: score.map(Score::centi),
            bound: Bound::Exact,
            chances: None,
            depth: Some(7),
            is_solved: false,
            moves: moves.iter().map(|&it| it.to_owned()).collect(),
        }
    }

    fn source() -> Source {
        Source {
            engine: "Test".to_owned(),
            version: "1".to_owned(),
            weights: None,
        }
    }

    #[test]
    fn lines_are_followed_as_far_as_they_are_legal() {
        let thought = Thought {
            lines: vec![
                line(&["a1", "b2"], Some(900)),
                line(&["f5", "d6", "a1", "c3"], Some(150)),
                line(&["d3"], None),
            ],
            nodes: Some(12),
            ..Thought::default()
        };
        let report = thought.report(&Position::OTHELLO_START, source()).unwrap();
        assert_eq!(
            report.lines.len(),
            1,
            "an illegal move and one without a value"
        );
        let moves: Vec<String> = report.lines[0].moves.iter().map(Move::to_string).collect();
        assert_eq!(moves, ["f5", "d6"]);
        assert_eq!(
            (report.score, report.depth, report.nodes),
            (Score::centi(150), 7, 12)
        );
        assert_eq!(
            thought.choice(),
            Some("a1"),
            "what it would play, legal or not"
        );
    }

    #[test]
    fn an_engine_without_values_gives_no_report() {
        let thought = Thought {
            best: Some("f5".to_owned()),
            lines: vec![line(&["f5"], None)],
            ..Thought::default()
        };
        assert_eq!(thought.report(&Position::OTHELLO_START, source()), None);
        assert_eq!(thought.choice(), Some("f5"));
    }
}
