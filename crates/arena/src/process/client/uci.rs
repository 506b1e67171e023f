//! Driving a UCI engine.

use super::{Patience, Talk, cannot, limit_ms};
use crate::{
    process::{Identity, Language, Question, Ready, Trouble},
    protocol::uci::{Command, Domain, Go, Message, Start, Thinking},
    thought::Thought,
};
use std::{fmt::Write as _, ops::ControlFlow, sync::atomic::AtomicBool};

/// A question about a game of some hundred plies has so many letters.
const WORDS_USUAL: usize = 1 << 10;

/// More settings than any engine has; the rest of an endless list is not kept.
const OPTIONS_MAX: usize = 1_000;

/// What the engine was last told about its settings.
#[derive(Debug, Default)]
pub(crate) struct Client {
    lines: Option<u32>,
    is_chess960: bool,
    /// Whether it is known to listen: it has said that it is ready since its last search, or not
    /// long before.
    is_ready: bool,
    /// When it last said so.
    ready_ms: Option<u64>,
    /// Whether it was asked so, and the answer is to come: asked at the end of a search, it answers
    /// while its opponent thinks.
    is_asked: bool,
    /// Whether it has answered where nobody asked. From then on its words count only behind its word
    /// that it is ready.
    is_loose: bool,
    /// The reply to its last move that it expects.
    expected: Option<String>,
    /// What it thinks about on its opponent's time.
    pondered: Option<Question>,
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

/// An engine that said so long ago that it is ready is asked again after its move. One that moves
/// quicker than this is asked now and then: the question costs both sides as much as the move.
const READY_EVERY_MS: u64 = 10;

impl Client {
    /// Waits until everything that was said is done.
    fn sync(&mut self, talk: &mut Talk<'_>) -> Result<(), Trouble> {
        talk.link.say(&Command::IsReady.to_string())?;
        self.expect_ready(talk)
    }

    fn expect_ready(&mut self, talk: &mut Talk<'_>) -> Result<(), Trouble> {
        talk.link.expect(talk.deadlines.ready_ms, |line| {
            matches!(line.parse(), Ok(Message::ReadyOk)).then_some(())
        })?;
        self.is_ready = true;
        self.ready_ms = Some(talk.link.now_ms());
        Ok(())
    }

    /// Whether it said a moment ago that it is ready, and can be taken at its word.
    fn is_fresh(&self, talk: &Talk<'_>) -> bool {
        let now_ms = talk.link.now_ms();
        let is_recent = |since_ms: u64| now_ms.saturating_sub(since_ms) < READY_EVERY_MS;
        !self.is_loose && self.ready_ms.is_some_and(is_recent)
    }

    pub(super) fn new_game(&mut self, talk: &mut Talk<'_>) -> Result<(), Trouble> {
        self.stop_pondering(talk)?;
        self.take_readiness(talk)?;
        self.expected = None;
        talk.link.say(&Command::NewGame.to_string())?;
        self.sync(talk)
    }

    /// The reply to its last move that it expects, if it said so.
    pub(super) fn expected(&self) -> Option<&str> {
        self.expected.as_deref()
    }

    /// Hears that it is ready, if it was asked.
    fn take_readiness(&mut self, talk: &mut Talk<'_>) -> Result<(), Trouble> {
        if std::mem::take(&mut self.is_asked) {
            talk.link.glance();
            self.expect_ready(talk)?;
        }
        Ok(())
    }

    /// Lets it think about a position in which its opponent is to move; it is not waited for.
    pub(super) fn ponder(
        &mut self,
        talk: &mut Talk<'_>,
        question: Question,
    ) -> Result<(), Trouble> {
        self.take_readiness(talk)?;
        self.is_ready = false;
        let go = Go {
            ponder: true,
            infinite: false,
            ..go(&question)
        };
        let position = position_of(&question);
        talk.link.say(&format!("{position}\n{}", Command::Go(go)))?;
        self.pondered = Some(question);
        Ok(())
    }

    /// Ends its thinking on its opponent's time, and forgets what it found.
    pub(super) fn stop_pondering(&mut self, talk: &mut Talk<'_>) -> Result<(), Trouble> {
        if self.pondered.take().is_none() {
            return Ok(());
        }
        talk.link.say("stop")?;
        let limit_ms = talk.deadlines.stop_ms;
        talk.link.expect(limit_ms, |line| {
            matches!(line.parse(), Ok(Message::BestMove { .. })).then_some(())
        })
    }

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
        self.sync(talk)?;
        // The first question waits once more: an engine that cannot read positions is found out
        // before its search, which may have no limit.
        self.is_ready = false;
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

    /// Gets it ready for a question. What it thinks about on its opponent's time goes on if it is
    /// that question.
    pub(super) fn prepare(
        &mut self,
        talk: &mut Talk<'_>,
        question: &Question,
    ) -> Result<(), Trouble> {
        match &self.pondered {
            Some(pondered) if pondered.is_about(question) => return Ok(()),
            Some(_) => self.stop_pondering(talk)?,
            None => self.take_readiness(talk)?,
        }
        self.drop_strays(talk)?;
        if !self.is_ready {
            self.sync(talk)?;
        }
        Ok(())
    }

    /// Hears what it said without having been asked. A best move among it would be taken for the
    /// answer to the next question.
    fn drop_strays(&mut self, talk: &mut Talk<'_>) -> Result<(), Trouble> {
        talk.link.glance();
        while let Some(line) = talk.link.heard()? {
            if matches!(line.parse(), Ok(Message::BestMove { .. })) {
                self.is_loose = true;
                self.is_ready = false;
            }
        }
        Ok(())
    }

    /// Waits until everything that it was told is done.
    pub(super) fn wait_ready(&mut self, talk: &mut Talk<'_>) -> Result<(), Trouble> {
        self.stop_pondering(talk)?;
        self.take_readiness(talk)?;
        self.sync(talk)
    }

    /// Asks now whether it will be ready for its next question, unless it said so a moment ago.
    pub(super) fn ask_ready(&mut self, talk: &mut Talk<'_>) -> Result<(), Trouble> {
        if self.is_fresh(talk) {
            self.is_ready = true;
        } else if !self.is_asked && self.pondered.is_none() {
            talk.link.say(&Command::IsReady.to_string())?;
            self.is_asked = true;
        }
        Ok(())
    }

    /// Says the question, unless it is what the engine thinks about already.
    fn put(
        &mut self,
        talk: &mut Talk<'_>,
        identity: &Identity,
        question: &Question,
    ) -> Result<(), Trouble> {
        if self
            .pondered
            .as_ref()
            .is_some_and(|it| it.is_about(question))
        {
            self.pondered = None;
            return talk.link.say(&Command::PonderHit.to_string());
        }
        self.stop_pondering(talk)?;
        self.take_readiness(talk)?;
        self.adjust(talk, identity, question)?;
        let position = position_of(question);
        let go = Command::Go(go(question));
        // A best move of an earlier search that comes late comes before this answer.
        if std::mem::take(&mut self.is_ready) {
            // Both at once, so that the engine wakes up once.
            let mut words = String::with_capacity(WORDS_USUAL);
            write!(words, "{position}\n{go}")
                .map_err(|_| cannot("its question cannot be written"))?;
            talk.link.say(&words)
        } else {
            talk.link.say(&position.to_string())?;
            self.sync(talk)?;
            self.is_ready = false;
            talk.link.say(&go.to_string())
        }
    }

    pub(super) fn think(
        &mut self,
        talk: &mut Talk<'_>,
        identity: &Identity,
        question: &Question,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&Thought),
    ) -> Result<Thought, Trouble> {
        self.put(talk, identity, question)?;
        let mut thinking = Thinking::default();
        let (best, ponder) = talk.attend(
            &Patience {
                stop,
                limit_ms: limit_ms(question),
                word: Some("stop"),
                language: Language::Uci,
            },
            |line| {
                match line.parse() {
                    Ok(Message::Info(info)) if thinking.take(&info) => observe(thinking.thought()),
                    Ok(Message::BestMove { best, ponder }) => {
                        return ControlFlow::Break((best, ponder));
                    }
                    _ => {}
                }
                ControlFlow::Continue(())
            },
        )?;
        self.expected = ponder;
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

fn position_of(question: &Question) -> Command {
    Command::Position {
        start: question.root.clone().map_or(Start::Usual, Start::Fen),
        moves: question.moves.clone(),
    }
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
