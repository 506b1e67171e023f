//! Adding a program that is on the disk, and trying whether an engine works.

use super::{Entry, Game, Id, Registry, Shelf, ShelfError};
use arena::{
    process::{Engine, Identity, Keeper, Language, Limits, Now, Program, Question, Setup, Trouble},
    thought::Thought,
};
use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// A program that the user wants as an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    pub name: String,
    pub path: PathBuf,
    /// `None` is found out by asking it.
    pub language: Option<Language>,
    /// `None` is what its description says, or none.
    pub args: Option<Vec<String>>,
}

/// Why a program was not added.
#[derive(Debug, thiserror::Error)]
pub enum AddError {
    #[error(transparent)]
    Shelf(#[from] ShelfError),
    #[error("{path} {trouble}")]
    Trouble { path: String, trouble: Trouble },
    #[error(
        "{path} speaks none of the protocols uci, gtp and nboard; it may need an argument, as in \
         --arg=-gtp. In UCI it {uci}; in GTP it {gtp}; in NBoard it {nboard}"
    )]
    NoLanguage {
        path: String,
        uci: Box<Trouble>,
        gtp: Box<Trouble>,
        nboard: Box<Trouble>,
    },
}

fn greet(
    program: &Program,
    language: Language,
    keeper: &Keeper,
    now: &Now,
) -> Result<Identity, Trouble> {
    let setup = Setup {
        keeper: keeper.clone(),
        ..Setup::new(program.clone(), language)
    };
    let mut engine = Engine::new(setup, Arc::clone(now));
    engine.start()?;
    let identity = engine.identity().clone();
    engine.stop();
    Ok(identity)
}

/// Adds a program after it has said who it is. It stays where it is; removing the engine later does
/// not touch it.
pub fn add(
    shelf: &Shelf,
    registry: &Registry,
    wish: &Wish,
    keeper: &Keeper,
    now: &Now,
) -> Result<(Id, Entry), AddError> {
    let id: Id = wish
        .name
        .parse()
        .map_err(|error| ShelfError::Name(wish.name.clone(), error))?;
    let path = std::path::absolute(&wish.path).unwrap_or_else(|_| wish.path.clone());
    let described = registry
        .get(&id)
        .map(|definition| (&id, definition))
        .or_else(|| registry.describe("", &path));
    let (described_as, definition) = described.unzip();
    // Arguments of the description belong to its protocol.
    let usual = definition.filter(|it| wish.language.is_none_or(|own| own == it.protocol));
    let args = wish
        .args
        .clone()
        .or_else(|| usual.map(|it| it.args.clone()));
    let program = Program {
        args: args.unwrap_or_default(),
        ..Program::new(&path)
    };
    let known = wish.language.or(definition.map(|it| it.protocol));
    let (language, identity) = match known {
        Some(language) => {
            let greeted = greet(&program, language, keeper, now);
            let identity = greeted.map_err(|trouble| AddError::Trouble {
                path: path.display().to_string(),
                trouble,
            })?;
            (language, identity)
        }
        None => probe(&program, keeper, now)?,
    };
    let entry = Entry {
        name: identity.name.unwrap_or_else(|| wish.name.clone()),
        version: identity.version.unwrap_or_default(),
        protocol: language.name().to_owned(),
        game: definition.map_or(Game::of(language), super::Definition::game),
        path,
        args: program.args,
        described_as: described_as.map(ToString::to_string),
        url: None,
        sha256: None,
    };
    shelf.add(&id, &entry)?;
    Ok((id, entry))
}

/// Tries one language after another.
fn probe(program: &Program, keeper: &Keeper, now: &Now) -> Result<(Language, Identity), AddError> {
    let mut troubles = Vec::new();
    for language in Language::ALL {
        match greet(program, language, keeper, now) {
            Ok(identity) => return Ok((language, identity)),
            Err(trouble @ Trouble::CannotStart { .. }) => {
                return Err(AddError::Trouble {
                    path: program.path.display().to_string(),
                    trouble,
                });
            }
            Err(trouble) => troubles.push(trouble),
        }
    }
    let path = program.path.display().to_string();
    match <[Trouble; 3]>::try_from(troubles) {
        Ok([uci, gtp, nboard]) => Err(AddError::NoLanguage {
            path,
            uci: Box::new(uci),
            gtp: Box::new(gtp),
            nboard: Box::new(nboard),
        }),
        Err(_) => Err(AddError::Trouble {
            path,
            trouble: Trouble::Cannot {
                reason: "no protocol was tried".to_owned(),
            },
        }),
    }
}

/// What a trial of an engine showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    pub identity: Identity,
    /// Until it was ready.
    pub start_ms: u64,
    /// What it says of the start position.
    pub thought: Thought,
    /// From the word to stop to its answer; `None` if its protocol has no such word.
    pub stop_ms: Option<u64>,
}

/// How long a trial's search may take.
const TRIAL_MS: u64 = 1_000;

/// Tries whether an engine does everything that it is needed for: it starts, finds a move, stops
/// when it is told to, and quits.
pub fn try_out(engine: &mut Engine, now: &Now) -> Result<Trial, Trouble> {
    let begin_ms = now();
    engine.start()?;
    let start_ms = now().saturating_sub(begin_ms);
    let timed = Question::default().with_limits(Limits {
        time_ms: Some(TRIAL_MS),
        ..Limits::default()
    });
    let never = AtomicBool::new(false);
    let thought = engine.think(&timed, &never, &mut |_| {})?;
    let stop_ms = match engine.setup().language {
        Language::Gtp => None,
        Language::Uci | Language::NBoard => Some(time_of_stop(engine, now)?),
    };
    let identity = engine.identity().clone();
    engine.stop();
    Ok(Trial {
        identity,
        start_ms,
        thought,
        stop_ms,
    })
}

/// Stops an endless search as soon as it says something.
fn time_of_stop(engine: &mut Engine, now: &Now) -> Result<u64, Trouble> {
    let (stop, mut stopped_ms) = (AtomicBool::new(false), now());
    engine.think(&Question::default(), &stop, &mut |_| {
        if !stop.swap(true, Ordering::Relaxed) {
            stopped_ms = now();
        }
    })?;
    Ok(now().saturating_sub(stopped_ms))
}
