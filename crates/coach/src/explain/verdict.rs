//! Which of two moves is better, and how sure that is: the one policy behind explanations, hints,
//! alerts and reviews.
//!
//! Both moves are searched to the same depth, a ply deeper each time, until the analyst has proven
//! both, until their difference has stayed the same over two depths, or until the analyst has spent
//! what it may spend.

use super::{candidate::Candidate, explainer::ExplainError, why::Origin};
use crate::{Analyst, Question};
use game::{Reach, Report, Score};
use othello::{Position, Square};

/// Moves that differ by no more than this are equally good: searches are not more exact.
pub(super) const AS_GOOD: i32 = 25;

/// How far the first comparison looks. The second one decides whether the difference is stable, so
/// that no verdict rests on fewer plies unless the analyst may not look further.
pub const FIRST_DEPTH: u32 = 16;

/// Two differences are the same up to half a disc, or up to a fifth of the larger.
const STABLE: i32 = 50;
const STABLE_PART: i32 = 5;

/// A difference from which three depths have to agree.
const GRAVE: i32 = 250;

/// How sure a comparison is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// What the deepest search says, and no more.
    Open,
    /// Two depths running said the same about a large difference, which takes three to be stable.
    Repeated,
    /// Depths running said the same about the difference of the two moves: two of them, or three
    /// about a large one.
    Stable,
    /// Both values are proven to the end of the game.
    Proven,
}

impl Certainty {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Repeated => "repeated",
            Self::Stable => "stable",
            Self::Proven => "proven",
        }
    }

    /// The one with this name.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Open, Self::Repeated, Self::Stable, Self::Proven];
        all.into_iter().find(|it| it.name() == name)
    }

    /// In words, with how far the search looked: `at depth 18; not proven`.
    pub fn words(self, reach: Reach) -> String {
        match self {
            Self::Proven => "proven".to_owned(),
            Self::Stable => format!("at {reach}, steady; not proven"),
            Self::Repeated => format!("at {reach}, as a ply before; not proven"),
            Self::Open if reach.solved => "one move proven, the other not".to_owned(),
            Self::Open => format!("at {reach}; not proven"),
        }
    }
}

/// What is to be found out about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The best move, those as good, and one that is worse.
    Explanation,
    /// The best move and the one that was played.
    Judgement,
}

/// Lines that are asked for at first in an explanation; more if all of them are as good.
const FIRST_LINES: usize = 2;

/// The two moves that reasons are looked for between.
pub(super) struct Compared {
    pub(super) best: Candidate,
    pub(super) other: Option<Candidate>,
    pub(super) as_good: Vec<Square>,
    pub(super) origin: Origin,
    pub(super) certainty: Certainty,
    /// The moves of the opening book.
    pub(super) book: Vec<Square>,
}

impl Compared {
    fn difference(&self) -> i32 {
        let other = self.other.as_ref();
        other.map_or(0, |other| (self.best.score - other.score).hundredths())
    }

    /// Whether a comparison that looked a ply less far found the same.
    fn confirms(&self, before: &Self) -> bool {
        let squares = |it: &Self| (it.best.square, it.other.as_ref().map(|other| other.square));
        let (now, then) = (self.difference(), before.difference());
        let tolerance = STABLE.max(now.max(then) / STABLE_PART);
        squares(self) == squares(before) && (now - then).abs() <= tolerance
    }

    fn is_proven(&self) -> bool {
        let mut both = std::iter::once(&self.best).chain(&self.other);
        both.all(|candidate| candidate.solved)
    }
}

/// The better move, and the one it is compared with if there is another.
pub(super) fn compared<A: Analyst>(
    analyst: &mut A,
    position: Position,
    played: Option<Square>,
    wanted: Wanted,
) -> Result<Compared, ExplainError<A::Error>> {
    let mut asked = FIRST_DEPTH;
    let mut found = compared_at(analyst, position, played, wanted, asked)?;
    let mut agreed = 0;
    // An analyst that answers with another depth has done what it can, or knew more already.
    while !found.is_proven() && found.best.depth == asked {
        asked += 1;
        let mut deeper = compared_at(analyst, position, played, wanted, asked)?;
        if deeper.best.reach() <= found.best.reach() {
            break;
        }
        agreed = if deeper.confirms(&found) {
            agreed + 1
        } else {
            0
        };
        // What may be called a mistake is looked at once more: with odd and even depths apart by two
        // discs, two that agree are often a matter of luck. Of 25 moves that were called mistakes
        // after two, with 25 to 40 empty squares, two cost less than 1.5 discs.
        let wanted_times = if deeper.difference() >= GRAVE { 2 } else { 1 };
        let is_stable = agreed >= wanted_times;
        if is_stable {
            deeper.certainty = Certainty::Stable;
        } else if agreed > 0 {
            deeper.certainty = Certainty::Repeated;
        }
        found = deeper;
        if is_stable {
            break;
        }
    }
    found.best = extended(analyst, found.best)?;
    found.other = found
        .other
        .map(|other| extended(analyst, other))
        .transpose()?;
    if found.is_proven() {
        found.certainty = Certainty::Proven;
    }
    found.book = analyst.book_moves(position);
    Ok(found)
}

fn compared_at<A: Analyst>(
    analyst: &mut A,
    position: Position,
    played: Option<Square>,
    wanted: Wanted,
    depth: u32,
) -> Result<Compared, ExplainError<A::Error>> {
    let question = |lines: usize| Question {
        depth_max: Some(depth),
        ..Question::about_root(lines)
    };
    let report = analyst
        .analyse(position, question(1))
        .map_err(ExplainError::Analyst)?;
    let best = candidates(position, &report).into_iter().next();
    let best = best.ok_or(ExplainError::NoLine)?;
    let origin = Origin::of(&report);
    if let Some(square) = played.filter(|&square| square != best.square) {
        // A report that has the move answers for it: what is explained is what was shown.
        let shown = candidates(position, &report)
            .into_iter()
            .find(|line| line.square == square && line.reach() == best.reach());
        let other = match shown {
            Some(line) => line,
            None => answer(analyst, position, square, &best)?,
        };
        return Ok(in_order(best, Some(other), Vec::new(), origin));
    }
    if wanted == Wanted::Judgement {
        return Ok(in_order(best, None, Vec::new(), origin));
    }
    let is_as_good = |line: &Candidate| (best.score - line.score).hundredths() <= AS_GOOD;
    let n_moves = position.board.legal_moves().len() as usize;
    let mut n_lines = FIRST_LINES.min(n_moves);
    let mut as_good = Vec::new();
    loop {
        let report = analyst
            .analyse(position, question(n_lines))
            .map_err(ExplainError::Analyst)?;
        for line in candidates(position, &report) {
            if line.square == best.square || as_good.contains(&line.square) {
                continue;
            }
            // A search of several lines may not come as far as one of one line.
            let line = if line.reach() == best.reach() {
                line
            } else {
                answer(analyst, position, line.square, &best)?
            };
            if !is_as_good(&line) || line.score > best.score {
                return Ok(in_order(best, Some(line), as_good, origin));
            }
            as_good.push(line.square);
        }
        if n_lines >= n_moves {
            return Ok(in_order(best, None, as_good, origin));
        }
        n_lines = (2 * n_lines).min(n_moves);
    }
}

fn candidates(position: Position, report: &Report) -> Vec<Candidate> {
    let lines = report.lines.iter();
    lines
        .filter_map(|line| Candidate::from_line(position, report, line))
        .collect()
}

/// The better score is the better move, whichever search found it.
fn in_order(
    best: Candidate,
    other: Option<Candidate>,
    as_good: Vec<Square>,
    origin: Origin,
) -> Compared {
    let (best, other, as_good) = match other {
        // A search that went further has looked at this move, too, and preferred another: it is no
        // better.
        Some(other) if other.score > best.score && other.reach() < best.reach() => {
            let score = best.score;
            (best, Some(other.worth(score)), as_good)
        }
        // Two searches of the same depth may disagree by a little.
        Some(other) if other.score > best.score => (other, Some(best), Vec::new()),
        other => (best, other, as_good),
    };
    Compared {
        best,
        other,
        as_good,
        origin,
        certainty: Certainty::Open,
        book: Vec::new(),
    }
}

/// A move by the analysis of the position after it, no deeper than the best one's.
fn answer<A: Analyst>(
    analyst: &mut A,
    position: Position,
    square: Square,
    best: &Candidate,
) -> Result<Candidate, ExplainError<A::Error>> {
    let after = position
        .play(square)
        .map_err(|error| ExplainError::Illegal { square, error })?;
    if after.board.is_game_over() {
        return Candidate::final_move(position, square).ok_or(ExplainError::NoLine);
    }
    let question = Question {
        lines: 1,
        plies_played: 1,
        // A solved position is solved after a move, too.
        depth_max: (!best.solved).then(|| best.depth.saturating_sub(1).max(1)),
    };
    let report = analyst
        .analyse(after, question)
        .map_err(ExplainError::Analyst)?;
    Candidate::from_reply(position, square, &report).ok_or(ExplainError::NoLine)
}

/// Analysts remember lines only in part. The rest is asked for, so that a line goes on to where the
/// search valued it, and a proven one to the end of the game. All these questions are shallower than
/// the first.
fn extended<A: Analyst>(
    analyst: &mut A,
    mut candidate: Candidate,
) -> Result<Candidate, ExplainError<A::Error>> {
    while candidate.missing_plies() > 0 {
        let question = Question {
            lines: 1,
            plies_played: candidate.placed(),
            // The rest of a proven line is proven, too.
            depth_max: (!candidate.solved).then(|| candidate.missing_plies()),
        };
        let report = analyst
            .analyse(candidate.end(), question)
            .map_err(ExplainError::Analyst)?;
        let more = report.lines.first().map_or(&[][..], |line| &line.moves[..]);
        let before = candidate.moves.len();
        candidate = candidate.extended(more.iter().filter_map(|action| action.othello()));
        if candidate.moves.len() == before {
            break;
        }
    }
    Ok(candidate)
}

/// What a move costs beside the best one.
pub(super) fn loss(best: &Candidate, other: &Candidate) -> Score {
    (best.score - other.score).max(Score::ZERO)
}
