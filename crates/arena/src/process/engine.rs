//! The life of a foreign engine: none, starting, ready, thinking, idle, stopped, or in error.

use super::{
    Keeper, Now, Program, Question, Restarts, Step, Tail, Trouble,
    client::{Client, Talk},
    link::Link,
    restarts::Leave,
};
use crate::{
    protocol::uci::{Command, Declaration, Domain},
    thought::Thought,
};
use game::Source;
use std::{fmt, str::FromStr, sync::atomic::AtomicBool};

/// What an engine speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    Uci,
    Gtp,
    NBoard,
}

impl Language {
    pub const ALL: [Self; 3] = [Self::Uci, Self::Gtp, Self::NBoard];

    /// The name on command lines and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Gtp => "gtp",
            Self::NBoard => "nboard",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Uci => "UCI",
            Self::Gtp => "GTP",
            Self::NBoard => "NBoard",
        })
    }
}

/// The text is not the name of a language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a protocol; expected uci, gtp or nboard")]
pub struct ParseLanguageError(String);

impl FromStr for Language {
    type Err = ParseLanguageError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_it = |language: &Self| language.name().eq_ignore_ascii_case(text);
        let found = Self::ALL.into_iter().find(is_it);
        found.ok_or_else(|| ParseLanguageError(text.chars().take(40).collect()))
    }
}

/// How long each step may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// To say who it is.
    pub greeting_ms: u64,
    /// To be ready with its settings: tables are cleared and networks read.
    pub ready_ms: u64,
    /// To end its thinking when it is told to.
    pub stop_ms: u64,
    /// To end when it is told to quit.
    pub quit_ms: u64,
    /// To end when the system asks it to; then it is killed.
    pub terminate_ms: u64,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            greeting_ms: 10_000,
            ready_ms: 30_000,
            stop_ms: 1_000,
            quit_ms: 1_000,
            terminate_ms: 1_000,
        }
    }
}

/// Everything that is needed to start an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    pub program: Program,
    pub language: Language,
    /// Names and values of settings, sent in this order. Names that the engine does not declare are
    /// left out; see [`Ready::unknown`].
    pub options: Vec<(String, String)>,
    pub deadlines: Deadlines,
    pub keeper: Keeper,
}

impl Setup {
    /// A program with usual deadlines and no settings, kept by this program itself.
    pub fn new(program: Program, language: Language) -> Self {
        Self {
            program,
            language,
            options: Vec::new(),
            deadlines: Deadlines::default(),
            keeper: Keeper::this_program(),
        }
    }
}

/// Where an engine is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// It was never started.
    None,
    Starting,
    /// It said who it is, and has not thought yet.
    Ready,
    Thinking,
    /// It has thought and waits.
    Idle,
    /// Ended as it was asked to.
    Stopped,
    /// It ended because of some trouble.
    Error,
}

/// Who an engine says it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Identity {
    pub name: Option<String>,
    pub author: Option<String>,
    pub version: Option<String>,
    /// The settings that it declares, in its order; only UCI engines declare any.
    pub options: Vec<Declaration>,
}

impl Identity {
    /// Who made a report. A version is the last word of a name if it begins with a digit.
    pub fn source(&self, fallback: &str) -> Source {
        let name = self.name.as_deref().unwrap_or(fallback).trim();
        let (engine, version) = match (&self.version, name.rsplit_once(' ')) {
            (Some(version), _) => (name, version.as_str()),
            (None, Some((engine, last))) if last.starts_with(|c: char| c.is_ascii_digit()) => {
                (engine, last)
            }
            (None, _) => (name, ""),
        };
        Source {
            engine: engine.to_owned(),
            version: version.to_owned(),
            weights: None,
        }
    }

    /// A setting by its name, in any letters.
    pub fn option(&self, name: &str) -> Option<&Declaration> {
        let is_it = |it: &&Declaration| it.name.eq_ignore_ascii_case(name);
        self.options.iter().find(is_it)
    }
}

/// What was noticed when an engine became ready.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ready {
    /// Settings that were asked for and that the engine does not declare.
    pub unknown: Vec<String>,
    /// Settings whose value the engine does not allow, and what it would allow.
    pub refused: Vec<String>,
}

type Listener = Box<dyn Fn(State) + Send>;

/// A foreign engine. One that failed is started again when it is next asked something, up to three
/// times with growing pauses. Dropped, it is killed with all that it started.
pub struct Engine {
    setup: Setup,
    now: Now,
    state: State,
    link: Option<Link>,
    client: Client,
    identity: Identity,
    ready: Ready,
    restarts: Restarts,
    trouble: Option<Trouble>,
    conversation: Tail,
    errors: Tail,
    listener: Option<Listener>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("setup", &self.setup)
            .field("state", &self.state)
            .field("trouble", &self.trouble)
            .finish_non_exhaustive()
    }
}

impl Engine {
    /// An engine that is not started yet.
    pub fn new(setup: Setup, now: Now) -> Self {
        Self {
            client: Client::new(setup.language),
            setup,
            now,
            state: State::None,
            link: None,
            identity: Identity::default(),
            ready: Ready::default(),
            restarts: Restarts::default(),
            trouble: None,
            conversation: Tail::default(),
            errors: Tail::default(),
            listener: None,
        }
    }

    /// Has a function told of every change of state, on the thread that caused it.
    pub fn listen(&mut self, listener: impl Fn(State) + Send + 'static) {
        self.listener = Some(Box::new(listener));
    }

    pub const fn state(&self) -> State {
        self.state
    }

    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Who it says it is; empty before it was started.
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// What was noticed when it became ready.
    pub const fn ready(&self) -> &Ready {
        &self.ready
    }

    /// What ended it, while it is in error.
    pub const fn trouble(&self) -> Option<&Trouble> {
        self.trouble.as_ref()
    }

    /// The last lines of the conversation, `> ` told and `< ` heard. The text goes on growing.
    pub fn conversation(&self) -> Tail {
        self.conversation.clone()
    }

    /// The last lines that it wrote on its standard error. The text goes on growing.
    pub fn errors(&self) -> Tail {
        self.errors.clone()
    }

    fn become_(&mut self, state: State) {
        if self.state != state {
            self.state = state;
            if let Some(listener) = &self.listener {
                listener(state);
            }
        }
    }

    /// Forgets failures: a person wants it to be started again.
    pub fn forgive(&mut self) {
        self.restarts.succeeded();
    }

    /// Starts it if it does not run: it says who it is and takes its settings.
    pub fn start(&mut self) -> Result<(), Trouble> {
        if self.link.is_some() {
            return Ok(());
        }
        self.may_start()?;
        self.become_(State::Starting);
        self.trouble = None;
        match self.greet() {
            Ok(()) => {
                self.become_(State::Ready);
                Ok(())
            }
            Err(trouble) => Err(self.fail(trouble)),
        }
    }

    fn may_start(&self) -> Result<(), Trouble> {
        let last = || {
            self.trouble
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default()
        };
        match self.restarts.leave((self.now)()) {
            Leave::Now => Ok(()),
            Leave::Later(wait_ms) => Err(Trouble::Pausing {
                wait_ms,
                last: last(),
            }),
            Leave::No => Err(Trouble::GaveUp {
                failures: self.restarts.failures(),
                last: last(),
            }),
        }
    }

    fn greet(&mut self) -> Result<(), Trouble> {
        let Setup {
            program,
            keeper,
            language,
            deadlines,
            ..
        } = &self.setup;
        let link = Link::open(program, keeper, &self.now, &self.conversation, &self.errors)?;
        self.client = Client::new(*language);
        let mut talk = Talk {
            link: self.link.insert(link),
            deadlines,
        };
        self.identity = self.client.greet(&mut talk)?;
        talk.link.step = Step::Ready;
        self.ready = self
            .client
            .settle(&mut talk, &self.identity, &self.setup.options)?;
        talk.link.step = Step::Waiting;
        Ok(())
    }

    /// Asks it about a position, starting it if need be, and waits for the end of its search. Set
    /// the stop flag to end it earlier; it then has its time to answer, and what it said by then is
    /// the answer. `observe` is told whenever it said something new about its moves.
    pub fn think(
        &mut self,
        question: &Question,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&Thought),
    ) -> Result<Thought, Trouble> {
        self.start()?;
        let Some(link) = self.link.as_mut() else {
            return Err(Trouble::CannotStart {
                reason: "it was ended".to_owned(),
            });
        };
        let before = self.state;
        let mut talk = Talk {
            link,
            deadlines: &self.setup.deadlines,
        };
        self.state = State::Thinking;
        if let Some(listener) = &self.listener {
            listener(State::Thinking);
        }
        let thought = self
            .client
            .think(&mut talk, &self.identity, question, stop, observe);
        talk.link.step = Step::Waiting;
        match thought {
            Ok(thought) => {
                self.restarts.succeeded();
                self.become_(State::Idle);
                Ok(thought)
            }
            Err(trouble) if trouble.is_fatal() => Err(self.fail(trouble)),
            Err(trouble) => {
                self.become_(before);
                Err(trouble)
            }
        }
    }

    /// Waits until it has done everything that it was told, starting it if need be: the question
    /// then costs no time but its own.
    pub fn prepare(&mut self, question: &Question) -> Result<(), Trouble> {
        self.start()?;
        self.tell(|client, talk| client.prepare(talk, question))
    }

    /// Asks now whether it will be ready for its next question. It answers while others do
    /// something; [`Self::prepare`] hears it.
    pub fn ask_ready(&mut self) -> Result<(), Trouble> {
        self.tell(Client::ask_ready)
    }

    /// The reply to its last move that it expects, if it said so.
    pub fn expected(&self) -> Option<&str> {
        self.client.expected()
    }

    /// Lets it think about a position while its opponent does. It is not waited for: the next
    /// question ends that, or goes on with it if it is the same.
    pub fn ponder(&mut self, question: Question) -> Result<(), Trouble> {
        self.tell(|client, talk| client.ponder(talk, question))
    }

    /// Ends its thinking on its opponent's time.
    pub fn stop_pondering(&mut self) -> Result<(), Trouble> {
        self.tell(Client::stop_pondering)
    }

    /// Tells it something between two questions, if it runs.
    fn tell(
        &mut self,
        told: impl FnOnce(&mut Client, &mut Talk<'_>) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        let Some(link) = self.link.as_mut() else {
            return Ok(());
        };
        link.step = Step::Ready;
        let mut talk = Talk {
            link,
            deadlines: &self.setup.deadlines,
        };
        let told = told(&mut self.client, &mut talk);
        talk.link.step = Step::Waiting;
        match told {
            Err(trouble) if trouble.is_fatal() => Err(self.fail(trouble)),
            other => other,
        }
    }

    /// Presses a button among its settings, starting it if need be, and waits until it has done what
    /// the button is for.
    pub fn press(&mut self, name: &str) -> Result<(), Trouble> {
        self.start()?;
        let button = self.identity.option(name);
        let is_button = button.is_some_and(|it| it.domain == Domain::Button);
        let Some(link) = self.link.as_mut().filter(|_| is_button) else {
            return Err(Trouble::Cannot {
                reason: format!("has no button {name:?}"),
            });
        };
        let pressed = button.map_or_else(|| name.to_owned(), |it| it.name.clone());
        let command = Command::SetOption {
            name: pressed,
            value: None,
        };
        match link.say(&command.to_string()) {
            Ok(()) => self.tell(Client::wait_ready),
            Err(trouble) if trouble.is_fatal() => Err(self.fail(trouble)),
            Err(trouble) => Err(trouble),
        }
    }

    /// Changes its settings; one that runs is told at once, and waited for.
    pub fn set_options(&mut self, options: Vec<(String, String)>) -> Result<(), Trouble> {
        self.setup.options = options;
        let (identity, options) = (self.identity.clone(), self.setup.options.clone());
        let mut ready = None;
        let told = self.tell(|client, talk| {
            ready = Some(client.settle(talk, &identity, &options)?);
            Ok(())
        });
        self.ready = ready.unwrap_or_default();
        told
    }

    /// Tells it that the next question is of another game, if it runs.
    pub fn new_game(&mut self) -> Result<(), Trouble> {
        self.tell(Client::new_game)
    }

    /// Ends it: a word to quit, then a request to the group, then a kill. It can be started again.
    pub fn stop(&mut self) {
        if let Some(link) = self.link.take() {
            let Deadlines {
                quit_ms,
                terminate_ms,
                ..
            } = self.setup.deadlines;
            link.end(Some("quit"), quit_ms, terminate_ms);
        }
        self.become_(State::Stopped);
    }

    fn fail(&mut self, trouble: Trouble) -> Trouble {
        if let Some(link) = self.link.take() {
            link.end(None, 0, self.setup.deadlines.terminate_ms);
        }
        if trouble.is_failure() {
            self.restarts.failed((self.now)());
        }
        self.trouble = Some(trouble.clone());
        self.become_(State::Error);
        trouble
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_versions() {
        let source = |name: Option<&str>, version: Option<&str>| {
            let identity = Identity {
                name: name.map(str::to_owned),
                version: version.map(str::to_owned),
                ..Identity::default()
            };
            let Source {
                engine, version, ..
            } = identity.source("edax");
            (engine, version)
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            source(Some("Stockfish 17.1"), None),
            pair("Stockfish", "17.1")
        );
        assert_eq!(source(Some("Fairy Tale"), None), pair("Fairy Tale", ""));
        assert_eq!(source(Some("Kibitz"), Some("0.1")), pair("Kibitz", "0.1"));
        assert_eq!(source(None, None), pair("edax", ""));
    }

    #[test]
    fn languages_are_read() {
        assert_eq!("NBoard".parse(), Ok(Language::NBoard));
        let error = "xboard".parse::<Language>().unwrap_err().to_string();
        assert_eq!(
            error,
            "\"xboard\" is not a protocol; expected uci, gtp or nboard"
        );
    }
}
