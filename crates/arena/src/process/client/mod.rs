//! Our end of a conversation with an engine, one file for each language.

mod gtp;
mod nboard;
mod uci;

use super::{Deadlines, Identity, Language, Question, Ready, Step, Trouble, link::Link};
use crate::thought::Thought;
use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// A running engine and how long it may take.
pub(super) struct Talk<'a> {
    pub(super) link: &'a mut Link,
    pub(super) deadlines: &'a Deadlines,
}

/// What was said so far, as far as the language must remember it.
#[derive(Debug)]
pub(super) enum Client {
    Uci(uci::Client),
    Gtp(gtp::Client),
    NBoard(nboard::Client),
}

impl Client {
    pub(super) fn new(language: Language) -> Self {
        match language {
            Language::Uci => Self::Uci(uci::Client::default()),
            Language::Gtp => Self::Gtp(gtp::Client::default()),
            Language::NBoard => Self::NBoard(nboard::Client::default()),
        }
    }

    /// Asks who it is.
    pub(super) fn greet(&mut self, talk: &mut Talk<'_>) -> Result<Identity, Trouble> {
        let (greeted, language, asked) = match self {
            Self::Uci(_) => (uci::greet(talk), Language::Uci, "uci"),
            Self::Gtp(client) => (client.greet(talk), Language::Gtp, "protocol_version"),
            Self::NBoard(client) => (client.greet(talk), Language::NBoard, "ping"),
        };
        greeted.map_err(|trouble| match trouble {
            Trouble::NoAnswer { time, .. } => Trouble::NoGreeting {
                language,
                asked,
                time,
            },
            other => other,
        })
    }

    /// Sends settings and waits until it is ready.
    pub(super) fn settle(
        &mut self,
        talk: &mut Talk<'_>,
        identity: &Identity,
        options: &[(String, String)],
    ) -> Result<Ready, Trouble> {
        match self {
            Self::Uci(client) => client.settle(talk, identity, options),
            // These languages have no settings; they come as arguments of the program.
            Self::Gtp(_) | Self::NBoard(_) => Ok(Ready {
                unknown: options.iter().map(|(name, _)| name.clone()).collect(),
                refused: Vec::new(),
            }),
        }
    }

    pub(super) fn new_game(&mut self, talk: &mut Talk<'_>) -> Result<(), Trouble> {
        match self {
            Self::Uci(client) => client.new_game(talk),
            Self::Gtp(client) => {
                client.forget();
                Ok(())
            }
            // Every question carries its whole game.
            Self::NBoard(_) => Ok(()),
        }
    }

    /// Waits until everything that it was told is done, so that the next question finds it
    /// listening.
    pub(super) fn prepare(
        &mut self,
        talk: &mut Talk<'_>,
        question: &Question,
    ) -> Result<(), Trouble> {
        match self {
            Self::Uci(client) => client.prepare(talk, question),
            // They answer every command, so that nothing is left to wait for.
            Self::Gtp(_) | Self::NBoard(_) => Ok(()),
        }
    }

    /// Asks now whether it will be ready for its next question; the answer is heard then.
    pub(super) fn ask_ready(&mut self, talk: &mut Talk<'_>) -> Result<(), Trouble> {
        match self {
            Self::Uci(client) => client.ask_ready(talk),
            Self::Gtp(_) | Self::NBoard(_) => Ok(()),
        }
    }

    /// Waits until everything that it was told is done.
    pub(super) fn wait_ready(&mut self, talk: &mut Talk<'_>) -> Result<(), Trouble> {
        match self {
            Self::Uci(client) => client.wait_ready(talk),
            // They answer every command, so that nothing is left to wait for.
            Self::Gtp(_) | Self::NBoard(_) => Ok(()),
        }
    }

    /// The reply to its last move that it expects, if its language can say so.
    pub(super) fn expected(&self) -> Option<&str> {
        match self {
            Self::Uci(client) => client.expected(),
            Self::Gtp(_) | Self::NBoard(_) => None,
        }
    }

    /// Lets it think on its opponent's time, if its language can say so.
    pub(super) fn ponder(
        &mut self,
        talk: &mut Talk<'_>,
        question: Question,
    ) -> Result<(), Trouble> {
        match self {
            Self::Uci(client) => client.ponder(talk, question),
            Self::Gtp(_) | Self::NBoard(_) => Ok(()),
        }
    }

    /// Ends its thinking on its opponent's time.
    pub(super) fn stop_pondering(&mut self, talk: &mut Talk<'_>) -> Result<(), Trouble> {
        match self {
            Self::Uci(client) => client.stop_pondering(talk),
            Self::Gtp(_) | Self::NBoard(_) => Ok(()),
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
        match self {
            Self::Uci(client) => client.think(talk, identity, question, stop, observe),
            Self::Gtp(client) => client.think(talk, question, stop),
            Self::NBoard(client) => client.think(talk, question, stop, observe),
        }
    }
}

/// How a search is brought to its end.
struct Patience<'a> {
    stop: &'a AtomicBool,
    /// After so long the engine is told to stop, as if somebody had set the flag.
    limit_ms: Option<u64>,
    /// What tells it to stop; `None` if the language has no word for it.
    word: Option<&'a str>,
    language: Language,
}

impl Talk<'_> {
    /// Listens to a search until `take` has its result.
    fn attend<T>(
        &mut self,
        patience: &Patience<'_>,
        mut take: impl FnMut(&str) -> ControlFlow<T>,
    ) -> Result<T, Trouble> {
        let stop_ms = self.deadlines.stop_ms;
        let start_ms = self.link.now_ms();
        let mut stopped_ms = None;
        self.link.step = Step::Thinking;
        loop {
            if let Some(line) = self.link.listen()?
                && let ControlFlow::Break(found) = take(&line)
            {
                return Ok(found);
            }
            let now_ms = self.link.now_ms();
            let is_over = |limit_ms: u64| now_ms.saturating_sub(start_ms) >= limit_ms;
            let is_wanted = !patience.stop.load(Ordering::Relaxed);
            match stopped_ms {
                None if !is_wanted || patience.limit_ms.is_some_and(is_over) => {
                    if let Some(word) = patience.word {
                        self.link.say(word)?;
                    }
                    self.link.step = Step::Stopping;
                    stopped_ms = Some(now_ms);
                }
                Some(since_ms) if now_ms.saturating_sub(since_ms) >= stop_ms => {
                    return Err(match patience.word {
                        Some(_) => Trouble::IgnoredStop {
                            time: Duration::from_millis(stop_ms),
                        },
                        None if is_wanted => Trouble::NoAnswer {
                            step: Step::Thinking,
                            time: Duration::from_millis(now_ms.saturating_sub(start_ms)),
                        },
                        None => Trouble::Interrupted {
                            language: patience.language,
                        },
                    });
                }
                _ => {}
            }
        }
    }
}

/// Time beyond what an engine was given, before it is told to stop: its own clock starts later than
/// ours, and it answers after its time.
const LATE_MS: u64 = 500;

/// When an engine that finds its own time is told to stop. Patience is for one that was given none:
/// a clock ends by itself.
fn limit_ms(question: &Question) -> Option<u64> {
    let limits = &question.limits;
    let own_ms = limits.clocks.map(|clocks| clocks.own_ms());
    let shorter = [limits.time_ms, own_ms].into_iter().flatten().min();
    let late_ms = LATE_MS.max(limits.margin_ms);
    let given = shorter.map(|ms| ms.saturating_add(late_ms));
    given.or(limits.patience_ms)
}

fn cannot(reason: impl Into<String>) -> Trouble {
    Trouble::Cannot {
        reason: reason.into(),
    }
}

/// The game of a question about Othello, which these languages can only ask as a whole.
fn othello_game(question: &Question) -> Result<othello::Game, Trouble> {
    if !question.only.is_empty() {
        return Err(cannot("its protocol has no way to look at some moves only"));
    }
    question.othello_game()
}
