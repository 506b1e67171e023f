//! What the coach says about a position: overlays, reasons, and lines to look at.

use super::{
    Desk, DeskError, ReviewedMove,
    edits::{parse, position_at},
    error::othello_of,
    review::is_surer,
};
use crate::{
    Session,
    config::EngineConfig,
    explain::{Certainty, Effort, Origin, StoppedError, Witness, waited_for_threads},
    session::flips_of,
    worker::Priority,
};
use coach::explain::{ExplainError, Explainer, Explanation, Overlays};
use game::{Move, NodeId, Position, Report, Side};
use std::sync::Arc;

/// One position of a line that is not in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewStep {
    /// The move that led here.
    pub action: Move,
    /// As players write it.
    pub text: String,
    pub side: Side,
    /// The discs that it turned.
    pub flips: Vec<u8>,
    /// The position after it.
    pub position: Position,
}

/// No line is longer than a game with a pass after each move.
const PREVIEW_MAX: usize = 128;

/// What the coach says, and whether it speaks of the analysis that is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    pub explanation: Explanation,
    /// The analysis whose report was explained; `None` if the coach had to look for itself, or
    /// explained a hint.
    pub generation: Option<u64>,
    /// Whether it is a first look, which the full answer may contradict.
    pub is_provisional: bool,
}

/// How long to look for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Look {
    /// A tenth of a second or two: something to read until the full answer is there.
    First,
    /// Until the verdict holds.
    #[default]
    Full,
}

/// What the coach is asked about.
pub(super) struct Subject {
    pub(super) position: Position,
    pub(super) config: EngineConfig,
    /// The deepest report that was shown for it: a reason must not contradict it.
    pub(super) known: Option<Report>,
}

/// Everything that an answer needs.
pub(super) struct Desktop<'a, 'b> {
    pub(super) explainer: &'a mut Explainer,
    pub(super) witness: Witness<'b>,
    pub(super) position: othello::Position,
}

/// What the coach can be asked, and what went wrong.
type Asked<T> = Result<T, ExplainError<StoppedError>>;

impl Desk {
    /// What can be laid over the board of a node. Counted, not searched.
    pub fn overlays(&self, id: &str, node: u32) -> Result<Overlays, DeskError> {
        let snapshot = self.session(id)?;
        let position = position_at(&snapshot.session, node.into())?;
        Ok(Overlays::of(othello_of(position)?))
    }

    /// The position at a node.
    pub fn position(&self, id: &str, node: u32) -> Result<Position, DeskError> {
        position_at(&self.session(id)?.session, node.into()).cloned()
    }

    /// Why the best move of a node is best, or better than a given one.
    pub fn explain(
        &self,
        id: &str,
        node: u32,
        given: Option<&str>,
        look: Look,
    ) -> Result<Why, DeskError> {
        let (snapshot, config) = self.look(id)?;
        let session = &snapshot.session;
        let node = NodeId::from(node);
        let position = position_at(session, node)?.clone();
        let given = given.map(|text| parse(&position, text)).transpose()?;
        let given = given
            .and_then(Move::othello)
            .and_then(othello::Move::square);
        let (known, generation, reviewed) = {
            let state = self.shared.lock();
            let known = state.shown(session.id(), node);
            let generation = state.generation_of(session.id(), node, known.as_ref());
            let reviewed = state.reviewed_from(session.id(), node);
            let is_asked = |it: &&ReviewedMove| given == Some(it.judged.square());
            (known, generation, reviewed.filter(is_asked).cloned())
        };
        // What the review says of the move stands, unless an analysis that has looked further makes
        // for a surer verdict.
        let reach = known.as_ref().map(Report::reach);
        let is_further = |it: &ReviewedMove| reach > Some(it.judged.judgement.best.reach());
        let may_be_proven = reviewed.as_ref().is_some_and(|it| {
            let empties = it.judged.position.board.empties().len();
            let certainty = it.judged.judgement.certainty;
            certainty != Certainty::Proven && empties <= effort(config).solve_empties
        });
        if let Some(reviewed) = reviewed.as_ref().filter(|it| !is_further(it))
            && (look == Look::First || !may_be_proven)
        {
            return self.explain_reviewed(session, config, reviewed.clone(), may_be_proven);
        }
        let shown = known.as_ref().map(Origin::of);
        let subject = Subject {
            position,
            config,
            known,
        };
        let explanation = self.ask_coach(subject, look, move |at| {
            at.explainer.explain(&mut at.witness, at.position, given)
        })?;
        let explanation = explanation.spoken(session.voice());
        if let Some(judgement) = explanation.judgement() {
            match reviewed.filter(|it| !is_surer(&judgement, &it.judged.judgement)) {
                Some(stands) => return self.explain_reviewed(session, config, stands, false),
                None if look == Look::Full => {
                    self.shared.improve_review(session.id(), node, judgement);
                }
                None => {}
            }
        }
        let is_shown = shown.as_ref() == Some(&explanation.origin);
        Ok(Why {
            generation: generation.filter(|_| is_shown),
            is_provisional: look == Look::First
                && !is_shown
                && explanation.certainty != Certainty::Proven,
            explanation,
        })
    }

    /// Why a move was a mistake, by the same look at it that the review's list comes from.
    fn explain_reviewed(
        &self,
        session: &Session,
        config: EngineConfig,
        reviewed: ReviewedMove,
        is_provisional: bool,
    ) -> Result<Why, DeskError> {
        let subject = Subject {
            position: reviewed.judged.position.into(),
            config,
            known: None,
        };
        let explanation = self.ask_coach(subject, Look::First, move |at| {
            let (witness, origin) = (&mut at.witness, reviewed.origin());
            let judgement = &reviewed.judged.judgement;
            Ok(at.explainer.explain_judged(witness, judgement, origin))
        })?;
        Ok(Why {
            generation: None,
            is_provisional,
            explanation: explanation.spoken(session.voice()),
        })
    }

    /// The positions along a line from a node on; passes may be left out.
    pub fn preview(
        &self,
        id: &str,
        node: u32,
        moves: &[String],
    ) -> Result<Vec<PreviewStep>, DeskError> {
        let snapshot = self.session(id)?;
        let mut position = position_at(&snapshot.session, NodeId::from(node))?.clone();
        if moves.len() > PREVIEW_MAX {
            let message = format!("a line has {PREVIEW_MAX} moves at most");
            return Err(DeskError::Invalid(message));
        }
        let mut steps = Vec::new();
        for text in moves {
            let action = parse(&position, text)?;
            if let Some(pass) = position.forced().filter(|&pass| pass != action) {
                position = step(&mut steps, &position, pass)?;
            }
            position = step(&mut steps, &position, action)?;
        }
        Ok(steps)
    }

    /// Has the coach answer a question. It is asked again if something more urgent came in between.
    pub(super) fn ask_coach<R: Send + 'static>(
        &self,
        subject: Subject,
        look: Look,
        mut question: impl FnMut(&mut Desktop<'_, '_>) -> Asked<R> + Send + 'static,
    ) -> Result<R, DeskError> {
        let now_ms = Arc::clone(&self.shared.outside.now_ms);
        let book = self.shared.brain.book();
        let position = othello_of(&subject.position)?;
        let about = subject.position.clone();
        let (effort, priority) = match look {
            Look::First => (Effort::FIRST_LOOK, Priority::FirstLook),
            Look::Full => (effort(subject.config), Priority::Ask),
        };
        let answer = self.ask(&about, priority, move |tools, stop| {
            let tools = tools.coach().map_err(|error| error.to_string())?;
            let (analyst, explainer) = tools;
            let now_ms = || now_ms();
            let mut witness = Witness::new(analyst, effort, &now_ms, stop)
                .reading(&book)
                .solving_on(waited_for_threads());
            if let Some(known) = &subject.known {
                witness = witness.knowing(known.clone());
            }
            Ok(question(&mut Desktop {
                explainer,
                witness,
                position,
            }))
        })?;
        answer.map_err(|error| match error {
            ExplainError::Illegal { error, .. } => DeskError::IllegalMove(error.to_string()),
            ExplainError::GameOver | ExplainError::MustPass(_) => {
                DeskError::Conflict(error.to_string())
            }
            ExplainError::Analyst(StoppedError) => DeskError::Closing,
            ExplainError::NoLine => DeskError::Engine(error.to_string()),
        })
    }
}

/// How hard to look at what is explained, hinted at or warned of.
pub(super) fn effort(config: EngineConfig) -> Effort {
    Effort::default().solving(config.endgame_exact_empties)
}

/// How hard to look at each move of a game that is reviewed.
pub(super) fn review_effort(config: EngineConfig) -> Effort {
    Effort::REVIEW.solving(config.endgame_exact_empties)
}

fn step(
    steps: &mut Vec<PreviewStep>,
    before: &Position,
    action: Move,
) -> Result<Position, DeskError> {
    let after = before
        .play(action)
        .map_err(|error| DeskError::IllegalMove(error.to_string()))?;
    steps.push(PreviewStep {
        action,
        text: before.san(action),
        side: before.side(),
        flips: flips_of(before, action),
        position: after.clone(),
    });
    Ok(after)
}
