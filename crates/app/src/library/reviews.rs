//! Reviews as the database keeps them: the values and lines that a search found. What is said about
//! them (classes, sentences, accuracy) follows from these, and is made anew whenever a review is shown.

use crate::{
    explain::{Candidate, Certainty, Effort, Judgement, Openings, Severity},
    review::{JudgedMove, Phase, Voice, placements},
};
use game::{Bound, Line, Outcome, Packed, Reach, Report, Score, Side, Source};
use othello::{Game, Move, Position, Square};
use std::fmt::Write as _;
use store::{KeptMistake, LineKey, Review, ReviewPart};

/// How the data of a review begins; the number is the version of their shape.
const HEAD: &str = "review 1";

/// How a pass is written among squares.
const PASS: &str = "--";

/// A review of a game as it comes back from the database.
#[derive(Debug, Clone)]
pub struct KeptReview {
    /// Who made it, with what: [`maker`].
    pub maker: String,
    pub source: Source,
    /// Whether every move was looked at.
    pub is_done: bool,
    /// When it came this far; seconds since 1970.
    pub at: i64,
    /// In the order of the game. They come in from its end.
    pub moves: Vec<JudgedMove>,
    /// How the game ended, if it came to an end on the board.
    pub outcome: Option<Outcome>,
}

impl KeptReview {
    /// What can be said about the game.
    pub fn game(&self) -> crate::review::GameReview<'_> {
        crate::review::GameReview {
            moves: self.moves.iter().collect(),
            outcome: self.outcome,
        }
    }
}

/// Who makes a review, with what. Reviews of one maker go on where they were; another engine, other
/// weights or another effort begin anew.
pub fn maker(source: &Source, effort: Effort) -> String {
    format!("{source}, {}", limits(effort))
}

/// What ends the searches of a review.
pub(crate) fn limits(effort: Effort) -> String {
    let Effort {
        depth,
        solve_empties,
        nodes,
        solve_nodes,
        ..
    } = effort;
    format!("depth {depth}, {nodes} nodes, solving {solve_empties} empties, {solve_nodes} nodes")
}

/// The line of a game for which a review is kept.
pub fn line_key(game: &Game) -> LineKey {
    LineKey::of(&Packed::from(game))
}

/// What is kept of a review that has come so far. `judged` are the moves that were looked at, in any
/// order.
pub fn kept(
    game: &Game,
    source: &Source,
    effort: Effort,
    judged: &[JudgedMove],
    at: i64,
) -> Review {
    let mut moves: Vec<&JudgedMove> = judged.iter().collect();
    moves.sort_by_key(|it| it.number);
    Review {
        line: line_key(game),
        maker: maker(source, effort),
        is_done: moves.len() == placements(game).len(),
        at,
        opening: opening_of(game),
        parts: parts(&moves),
        mistakes: moves.iter().filter_map(|it| mistake(it)).collect(),
        data: data(source, &moves).into_bytes(),
    }
}

/// The name of a game's opening; empty if it has none.
pub(super) fn opening_of(game: &Game) -> String {
    let moves: Vec<Move> = game.moves().collect();
    let found = Openings::known().and_then(|it| it.recognise(game.start(), &moves));
    found.map_or_else(String::new, |it| it.opening.title())
}

fn parts(moves: &[&JudgedMove]) -> Vec<ReviewPart> {
    let mut parts = Vec::new();
    for side in Side::BOTH {
        for phase in Phase::ALL {
            let here = moves.iter();
            let here = here.filter(|it| it.side() == side && it.phase() == phase);
            let mut part = ReviewPart {
                side,
                phase: phase.name().to_owned(),
                moves: 0,
                choices: 0,
                loss: 0,
                accuracy: 0.0,
            };
            for it in here {
                part.moves += 1;
                part.loss += i64::from(it.judgement.loss.hundredths());
                if it.had_choice() {
                    part.choices += 1;
                    part.accuracy += it.accuracy();
                }
            }
            if part.moves > 0 {
                parts.push(part);
            }
        }
    }
    parts
}

fn mistake(it: &JudgedMove) -> Option<KeptMistake> {
    let severity = it.judgement.severity();
    let class = it.judgement.mistakes.first();
    (severity > Severity::Fine).then(|| KeptMistake {
        number: it.number,
        side: it.side(),
        phase: it.phase().name().to_owned(),
        severity: severity.name().to_owned(),
        class: class.map(|it| it.class.name().to_owned()),
        loss: i64::from(it.judgement.loss.hundredths()),
    })
}

/// A line a move: its number, how sure it is, the best move and, if it is another, the played one;
/// each with value, depth, whether it is proven, and its line.
fn data(source: &Source, moves: &[&JudgedMove]) -> String {
    let Source {
        engine,
        version,
        weights,
    } = source;
    let weights = weights.as_deref().unwrap_or_default();
    let mut text = format!("{HEAD}\t{engine}\t{version}\t{weights}\n");
    for it in moves {
        let Judgement {
            best,
            played,
            certainty,
            book,
            ..
        } = &it.judgement;
        let (number, certainty) = (it.number, certainty.name());
        let book: String = book.iter().map(Square::to_string).collect();
        // Writing into a text cannot fail.
        let _ = write!(text, "{number}\t{certainty} {book}\t{}", candidate(best));
        if played.square != best.square {
            let _ = write!(text, "\t{}", candidate(played));
        }
        text.push('\n');
    }
    text
}

fn candidate(it: &Candidate) -> String {
    let solved = if it.solved { "solved" } else { "open" };
    let mut text = format!("{} {} {solved} ", it.score.hundredths(), it.depth);
    for action in &it.moves {
        match action {
            Move::Place(square) => text.push_str(&square.to_string()),
            Move::Pass => text.push_str(PASS),
        }
    }
    text
}

/// A review that the database has, of a game with these moves; `None` if it cannot be read, which
/// is as if there were none. Moves of it that do not fit are left out.
pub fn recalled(review: &Review, game: &Game, voice: Voice) -> Option<KeptReview> {
    let text = std::str::from_utf8(&review.data).ok()?;
    let mut lines = text.lines();
    let mut head = lines.next()?.split('\t');
    if head.next() != Some(HEAD) {
        return None;
    }
    let mut word = || head.next().map(str::to_owned);
    let (engine, version, weights) = (word()?, word()?, word()?);
    let placed = placements(game);
    let moves: Vec<JudgedMove> = lines
        .filter_map(|line| judged(line, &placed, voice))
        .collect();
    let outcome = Outcome::of(&game.position().into());
    Some(KeptReview {
        maker: review.maker.clone(),
        source: Source {
            engine,
            version,
            weights: Some(weights).filter(|it| !it.is_empty()),
        },
        is_done: moves.len() == placed.len(),
        at: review.at,
        moves,
        outcome,
    })
}

fn judged(line: &str, placed: &[(Position, Square)], voice: Voice) -> Option<JudgedMove> {
    let mut cells = line.split('\t');
    let number: u32 = cells.next()?.parse().ok()?;
    let (position, square) = *placed.get((number as usize).checked_sub(1)?)?;
    let (certainty, book) = cells.next()?.split_once(' ')?;
    let certainty = Certainty::named(certainty)?;
    let book: Option<Vec<Square>> = (0..book.len() / 2)
        .map(|at| book.get(2 * at..2 * at + 2)?.parse().ok())
        .collect();
    let best = read_candidate(cells.next()?, position)?;
    let played = match cells.next() {
        Some(cell) => read_candidate(cell, position)?,
        None => best.clone(),
    };
    let book = book?;
    (played.square == square).then(|| JudgedMove {
        number,
        position,
        judgement: Judgement::recalled(best, played, certainty, book, voice),
    })
}

fn read_candidate(cell: &str, position: Position) -> Option<Candidate> {
    let mut words = cell.split(' ');
    let score = Score::centi(words.next()?.parse().ok()?);
    let depth = words.next()?.parse().ok()?;
    let solved = match words.next()? {
        "solved" => true,
        "open" => false,
        _ => return None,
    };
    let text = words.next()?;
    let action = |at: usize| match text.get(2 * at..2 * at + 2)? {
        PASS => Some(Move::Pass),
        square => square.parse().ok().map(Move::Place),
    };
    let moves: Option<Vec<Move>> = (0..text.len() / 2).map(action).collect();
    Candidate::recalled(position, &moves?, score, Reach { solved, depth })
}

/// What a judged move says about positions: the one before it, and those after the best move and
/// after the played one.
pub fn reports_of(it: &JudgedMove, source: &Source) -> Vec<Report> {
    let Judgement { best, played, .. } = &it.judgement;
    let line = |candidate: &Candidate| Line {
        score: candidate.score,
        bound: Bound::Exact,
        moves: candidate.moves.iter().copied().map(Into::into).collect(),
    };
    let mut candidates = vec![best];
    if played.square != best.square {
        candidates.push(played);
    }
    let mut reports = vec![Report {
        lines: candidates.iter().map(|it| line(it)).collect(),
        score: best.score,
        depth: best.depth,
        solved: best.solved,
        ..Report::new(it.position.into(), source.clone())
    }];
    for candidate in candidates {
        // The position right after the move is the opponent's, even where all it can do is pass.
        let Ok(after) = it.position.play(candidate.square) else {
            continue;
        };
        reports.push(Report {
            score: -candidate.score,
            depth: candidate.depth.saturating_sub(1),
            solved: candidate.solved,
            ..Report::new(after.into(), source.clone())
        });
    }
    reports
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Analyst, EngineChoice, EvaluatorChoice, Settings, explain::Witness, review};
    use othello::notation::parse_transcript;
    use std::sync::atomic::AtomicBool;

    const EFFORT: Effort = Effort {
        depth: 4,
        solve_empties: 8,
        ..Effort::REVIEW
    };

    #[test]
    fn a_review_comes_back_as_it_was_in_whole_and_in_part() {
        let game = parse_transcript("f5d6c3d3c4f4f6f3e6e7d7g6g5").unwrap();
        let settings = Settings {
            evaluator: EvaluatorChoice::Pattern,
            engine: EngineChoice::AlphaBeta,
            weights: None,
            hash_mb: 4,
            threads: 1,
        };
        let mut analyst = Analyst::new(&settings).unwrap();
        let source = analyst.source().clone();
        let stop = AtomicBool::new(false);
        let mut witness = Witness::new(&mut analyst, EFFORT, &|| 0, &stop);
        let moves = review::judge_game(&game, &mut witness, &mut |_| {}).unwrap();
        let whole = kept(&game, &source, EFFORT, &moves, 7);
        assert!(whole.is_done);
        let back = recalled(&whole, &game, Voice::Colours).unwrap();
        assert_eq!(back.moves, moves);
        assert_eq!((&back.source, back.is_done), (&source, true));
        let tally = back.game_tally();
        assert_eq!(tally, whole.parts.iter().map(|it| it.moves).sum::<u32>());
        // From the end, as reviews come in.
        let part = kept(&game, &source, EFFORT, &moves[9..], 7);
        assert!(!part.is_done);
        let back = recalled(&part, &game, Voice::Colours).unwrap();
        assert_eq!(back.moves, &moves[9..]);
        assert!(!back.is_done);
        // Of another game nothing fits from where the moves differ.
        let other = parse_transcript("f5d6c3d3c4f4f6f3e6e7d7g6d2").unwrap();
        let back = recalled(&whole, &other, Voice::Colours).unwrap();
        assert!(!back.is_done && back.moves.len() < moves.len());
        // Damaged data is no review, or less of it.
        for cut in 0..whole.data.len() {
            let mut damaged = whole.clone();
            damaged.data[cut] ^= 0x15;
            drop(recalled(&damaged, &game, Voice::Colours));
            damaged.data.truncate(cut);
            drop(recalled(&damaged, &game, Voice::Colours));
        }
    }

    impl KeptReview {
        fn game_tally(&self) -> u32 {
            let game = self.game();
            Side::BOTH.map(|side| game.side(side).moves).iter().sum()
        }
    }
}
