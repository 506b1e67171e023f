//! Driving a UCI engine.

use super::{Patience, Talk, limit_ms};
use crate::{
    process::{Identity, Language, Question, Ready, Trouble},
    protocol::uci::{Command, Domain, Go, Message, Start, Thinking},
    thought::Thought,
};
use std::{ops::ControlFlow, sync::atomic::AtomicBool};

/// More settings than any engine has; the rest of an endless list is not kept.
const OPTIONS_MAX: usize = 1_000;

/// What the engine was last told about its settings.
#[derive(Debug, Default)]
pub(crate) struct Client {
    lines: Option<u32>,
    is_chess960: bool,
    /// Whether it has said that it is ready since its last search.
    is_ready: bool,
}

pub(super) fn greet(talk: &mut Talk<'_>) -> Result<Identity, Trouble> {
    let mut identity = Identity::default();
    talk.link.say(&Command::Uci.to_string())?;
    talk.link.expect(talk.deadlines.greeting_ms, |line| {
        match line.parse().ok()? {
            Message::Name(name) => identity.name = Some(name),
            Message::Author(author) => identity.author = Some(author),
            Message::Option(option) if identity.options.len() < OPTIONS_MAX => {
                identity.options.push(option);
            }
            Message::UciOk => return Some(()),
            _ => {}
        }
        None
    })?;
    Ok(identity)
}

/// Waits until everything that was said is done.
fn sync(talk: &mut Talk<'_>) -> Result<(), Trouble> {
    talk.link.say(&Command::IsReady.to_string())?;
    talk.link.expect(talk.deadlines.ready_ms, |line| {
        matches!(line.parse(), Ok(Message::ReadyOk)).then_some(())
    })
}

pub(super) fn new_game(talk: &mut Talk<'_>) -> Result<(), Trouble> {
    talk.link.say(&Command::NewGame.to_string())?;
    sync(talk)
}

impl Client {
    pub(super) fn settle(
        &mut self,
        talk: &mut Talk<'_>,
        identity: &Identity,
        options: &[(String, String)],
    ) -> Result<Ready, Trouble> {
        let mut ready = Ready::default();
        for (name, value) in options {
            let Some(declaration) = identity.option(name) else {
                ready.unknown.push(name.clone());
                continue;
            };
            match declaration.accept(value) {
                Ok(value) => {
                    let name = declaration.name.clone();
                    talk.link
                        .say(&Command::SetOption { name, value }.to_string())?;
                }
                Err(error) => ready.refused.push(error.to_string()),
            }
        }
        sync(talk)?;
        Ok(ready)
    }

    /// Changes a setting that a question needs, if the engine has it and it is not so already.
    fn adjust(
        &mut self,
        talk: &mut Talk<'_>,
        identity: &Identity,
        question: &Question,
    ) -> Result<(), Trouble> {
        let lines = question.limits.lines.max(1);
        if self.lines.unwrap_or(1) != lines {
            self.lines = Some(lines);
            self.is_ready = false;
            set(talk, identity, "MultiPV", &lines.to_string())?;
        }
        if self.is_chess960 != question.is_chess960 {
            self.is_chess960 = question.is_chess960;
            self.is_ready = false;
            set(
                talk,
                identity,
                "UCI_Chess960",
                &question.is_chess960.to_string(),
            )?;
        }
        Ok(())
    }

    pub(super) fn prepare(&mut self, talk: &mut Talk<'_>) -> Result<(), Trouble> {
        sync(talk)?;
        self.is_ready = true;
        Ok(())
    }

    pub(super) fn think(
        &mut self,
        talk: &mut Talk<'_>,
        identity: &Identity,
        question: &Question,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&Thought),
    ) -> Result<Thought, Trouble> {
        self.adjust(talk, identity, question)?;
        let start = question.root.clone().map_or(Start::Usual, Start::Fen);
        let moves = question.moves.clone();
        let position = Command::Position { start, moves };
        let go = Command::Go(go(question));
        // A best move of an earlier search that comes late comes before this answer.
        if std::mem::take(&mut self.is_ready) {
            // Both at once, so that the engine wakes up once.
            talk.link.say(&format!("{position}\n{go}"))?;
        } else {
            talk.link.say(&position.to_string())?;
            sync(talk)?;
            talk.link.say(&go.to_string())?;
        }
        let mut thinking = Thinking::default();
        let best = talk.attend(
            &Patience {
                stop,
                limit_ms: limit_ms(question),
                word: Some("stop"),
                language: Language::Uci,
            },
            |line| {
                match line.parse() {
                    Ok(Message::Info(info)) if thinking.take(&info) => observe(thinking.thought()),
                    Ok(Message::BestMove { best, .. }) => return ControlFlow::Break(best),
                    _ => {}
                }
                ControlFlow::Continue(())
            },
        )?;
        Ok(thinking.finished(&best))
    }
}

/// Sets an option as near to a value as the engine allows, if it has it.
fn set(talk: &mut Talk<'_>, identity: &Identity, name: &str, value: &str) -> Result<(), Trouble> {
    let Some(declaration) = identity.option(name) else {
        return Ok(());
    };
    let accepted = declaration.accept(value).or_else(|error| {
        let Domain::Spin { max: most, .. } = declaration.domain else {
            return Err(error);
        };
        declaration.accept(&most.to_string())
    });
    let Ok(value) = accepted else {
        return Ok(());
    };
    let name = declaration.name.clone();
    talk.link
        .say(&Command::SetOption { name, value }.to_string())
}

fn go(question: &Question) -> Go {
    let limits = &question.limits;
    let mut go = Go {
        search_moves: question.only.clone(),
        depth: limits.depth,
        nodes: limits.nodes,
        move_ms: limits.time_ms,
        infinite: limits.is_endless(),
        ..Go::default()
    };
    if let Some(clocks) = limits.clocks {
        let [black, white] = clocks.left_ms;
        let [black_increment, white_increment] = clocks.increment_ms;
        (go.black_ms, go.white_ms) = (Some(black), Some(white));
        go.black_increment_ms = Some(black_increment);
        go.white_increment_ms = Some(white_increment);
        go.moves_to_go = clocks.moves_to_go;
    }
    go
}
