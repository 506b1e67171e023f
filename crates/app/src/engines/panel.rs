//! Several engines about one position, each on a thread of its own. Nothing is averaged.

use arena::{
    process::{Engine, Language, Limits, Question, State, Trouble},
    thought::Thought,
};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

/// Somebody who is asked.
#[derive(Debug)]
pub struct Member<'a> {
    /// What it is called in this round.
    pub name: String,
    pub mind: Mind<'a>,
}

/// An engine of ours, behind a function.
pub type Own<'a> = dyn FnMut(&Question, &AtomicBool, &mut dyn FnMut(&Thought)) -> Result<Thought, Trouble>
    + Send
    + 'a;

/// One of those who are asked: our own engine or a foreign one.
pub enum Mind<'a> {
    Foreign(Box<Engine>),
    Own(Box<Own<'a>>),
}

impl std::fmt::Debug for Mind<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Foreign(engine) => engine.fmt(f),
            Self::Own(_) => f.write_str("Own"),
        }
    }
}

impl Member<'_> {
    fn think(
        &mut self,
        question: &Question,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&Thought),
    ) -> Result<Thought, Trouble> {
        match &mut self.mind {
            Mind::Foreign(engine) => engine.think(question, stop, observe),
            Mind::Own(own) => own(question, stop, observe),
        }
    }

    /// Where a foreign engine is in its life.
    pub fn state(&self) -> Option<State> {
        match &self.mind {
            Mind::Foreign(engine) => Some(engine.state()),
            Mind::Own(_) => None,
        }
    }
}

/// What one member says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opinion {
    pub name: String,
    pub said: Result<Thought, Trouble>,
}

/// What one member thinks of a move that another chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    pub judge: String,
    /// The move, as its finder wrote it.
    pub action: String,
    /// With the value of the move as its first line.
    pub said: Result<Thought, Trouble>,
}

/// Asks all members the same at the same time, and waits for all. `observe` is told of what each
/// finds on its way, from its own thread. One that fails does not disturb the others.
pub fn ask(
    members: &mut [Member<'_>],
    question: &Question,
    stop: &AtomicBool,
    observe: &(dyn Fn(&str, &Thought) + Sync),
) -> Vec<Opinion> {
    thread::scope(|scope| {
        let asked: Vec<_> = members
            .iter_mut()
            .map(|member| {
                let name = member.name.clone();
                let thread = scope.spawn(move || {
                    let name = member.name.clone();
                    member.think(question, stop, &mut |thought| observe(&name, thought))
                });
                (name, thread)
            })
            .collect();
        let heard = asked.into_iter().map(|(name, thread)| {
            let said = thread.join().unwrap_or_else(|_| {
                Err(Trouble::Cannot {
                    reason: "asking it failed; this is a bug".to_owned(),
                })
            });
            Opinion { name, said }
        });
        heard.collect()
    })
}

/// Asks each member about the others' choices that it has not spoken of itself. A member whose
/// protocol tells no values is not asked.
pub fn ask_about_others(
    members: &mut [Member<'_>],
    opinions: &[Opinion],
    question: &Question,
    stop: &AtomicBool,
) -> Vec<Judgement> {
    let choices: Vec<&str> = opinions
        .iter()
        .filter_map(|opinion| opinion.said.as_ref().ok()?.choice())
        .collect();
    let mut judgements = Vec::new();
    for (member, own) in members.iter_mut().zip(opinions) {
        let Ok(thought) = &own.said else { continue };
        let mut told: Vec<&str> = thought
            .lines
            .iter()
            .filter(|line| line.score.is_some())
            .filter_map(|line| line.moves.first().map(String::as_str))
            .collect();
        if told.is_empty() {
            continue;
        }
        for &action in &choices {
            if stop.load(Ordering::Relaxed) {
                return judgements;
            }
            if told.contains(&action) {
                continue;
            }
            told.push(action);
            judgements.push(Judgement {
                judge: member.name.clone(),
                action: action.to_owned(),
                said: member.judge(question, action, stop),
            });
        }
    }
    judgements
}

impl Member<'_> {
    /// What it thinks of one move.
    fn judge(
        &mut self,
        question: &Question,
        action: &str,
        stop: &AtomicBool,
    ) -> Result<Thought, Trouble> {
        let limits = Limits {
            lines: 1,
            ..question.limits
        };
        if self.language() == Some(Language::Uci) {
            let only = Question {
                only: vec![action.to_owned()],
                limits,
                ..question.clone()
            };
            return self.think(&only, stop, &mut |_| {});
        }
        // Other languages cannot look at some moves only, so they are asked about what follows.
        let (behind, actions, turns) = after(question, action)?;
        let mut thought = self.think(&behind.with_limits(limits), stop, &mut |_| {})?;
        for line in &mut thought.lines {
            *line = line.behind(&actions, turns);
        }
        thought.best = Some(action.to_owned());
        Ok(thought)
    }

    fn language(&self) -> Option<Language> {
        match &self.mind {
            Mind::Foreign(engine) => Some(engine.setup().language),
            Mind::Own(_) => None,
        }
    }
}

/// The question about what follows a move of Othello, what was played to get there, and whether the
/// other side is to move.
fn after(question: &Question, action: &str) -> Result<(Question, Vec<String>, bool), Trouble> {
    let cannot = |reason: String| Trouble::Cannot { reason };
    let mut game = question.othello_game()?;
    let side = game.position().side;
    let action: othello::Move = action.parse().map_err(|error| cannot(format!("{error}")))?;
    let mut actions = vec![action.to_string()];
    game.play(action)
        .map_err(|error| cannot(error.to_string()))?;
    if game.is_over() {
        return Err(cannot(format!("{action} ends the game")));
    }
    if game.position().board.must_pass() && game.play(othello::Move::Pass).is_ok() {
        actions.push(othello::Move::Pass.to_string());
    }
    let mut behind = question.clone();
    behind.moves.extend(&actions);
    Ok((behind, actions, game.position().side != side))
}
