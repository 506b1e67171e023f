//! Who plays in a tournament: set-ups of our own engine, programs, and engines that were added.

use super::{Opening, Settings};
use crate::{
    AnalystError, EngineChoice, Evaluation, EvaluatorChoice, Home, Limits, Pace, Profile,
    engines::{Game, Registry, Shelf, ShelfError, load_registry},
    matches::{Contender, ForeignContender, OwnContender},
};
use arena::process::{self, Keeper, Language, Now, Program, Ready, Setup};
use game::TimeControl;
use std::{path::PathBuf, sync::Arc};

/// Why somebody cannot take part.
#[derive(Debug, thiserror::Error)]
pub enum EntrantError {
    #[error("engine {name:?}: {problem}")]
    Wrong { name: String, problem: String },
    #[error("engine {name:?}: {source}")]
    Shelf { name: String, source: ShelfError },
    #[error("engine {name:?}: {source}")]
    Analyst { name: String, source: AnalystError },
}

/// Megabytes of the table of our own engine.
const HASH_MB: u32 = 16;

/// Weights that were read, so that several can share them.
pub(super) type Loaded = Vec<(EvaluatorChoice, Option<PathBuf>, Evaluation)>;

/// All who take part, in the order of the settings.
pub(super) fn contenders(
    settings: &Settings,
    home: &Home,
    now: &Now,
) -> Result<Vec<Contender>, EntrantError> {
    contenders_with(settings, home, now, &mut Loaded::new())
}

/// The same, for one who asks again and again.
pub(super) fn contenders_with(
    settings: &Settings,
    home: &Home,
    now: &Now,
    evaluations: &mut Loaded,
) -> Result<Vec<Contender>, EntrantError> {
    let (registry, _) = load_registry(home);
    let mut contenders = Vec::new();
    for at in 0..settings.engines.len() {
        let engine = &settings.engines[at];
        let contender = if engine.command.is_some() {
            Contender::Foreign(program(settings, at, now)?)
        } else if engine.engine.is_some() {
            Contender::Foreign(added(settings, at, home, &registry, now)?)
        } else {
            own(settings, at, evaluations)?
        };
        contenders.push(contender);
    }
    Ok(contenders)
}

fn wrong(settings: &Settings, at: usize, problem: impl Into<String>) -> EntrantError {
    EntrantError::Wrong {
        name: settings.engines[at].name.clone(),
        problem: problem.into(),
    }
}

fn limits(settings: &Settings, at: usize) -> process::Limits {
    let engine = &settings.engines[at];
    process::Limits {
        depth: engine.depth,
        nodes: engine.nodes,
        patience_ms: Some(settings.patience_ms),
        ..process::Limits::default()
    }
}

/// A search that nothing ends would never give a move, and one that cannot be asked for would lose
/// every game.
fn check_asked(settings: &Settings, at: usize, language: Language) -> Result<(), EntrantError> {
    if settings.game == Game::Chess && language != Language::Uci {
        let problem = format!("engines that play chess speak uci, and this one {language}");
        return Err(wrong(settings, at, problem));
    }
    if let Some(problem) = language.refusal(&limits(settings, at)) {
        return Err(wrong(settings, at, problem));
    }
    // What ends a search of GTP, the engine's own arguments can say as well.
    if language == Language::Gtp {
        let is_said = settings.engines[at].time.is_some() || settings.time.is_some();
        let problem = "nothing ends its searches; give a time, or time = \"-\" if its own \
                       arguments do";
        return is_said
            .then_some(())
            .ok_or_else(|| wrong(settings, at, problem));
    }
    check_limited(settings, at)
}

fn check_limited(settings: &Settings, at: usize) -> Result<(), EntrantError> {
    let engine = &settings.engines[at];
    let is_timed = settings
        .control(at)
        .is_ok_and(|it| it != TimeControl::Unlimited);
    if is_timed || engine.depth.is_some() || engine.nodes.is_some() {
        Ok(())
    } else {
        Err(wrong(
            settings,
            at,
            "nothing ends its searches; give a time, a depth or nodes",
        ))
    }
}

/// Not every language can say where a game begins.
pub(super) fn check_openings(
    settings: &Settings,
    contenders: &[Contender],
    openings: &[Opening],
) -> Result<(), EntrantError> {
    let Some(number) = openings.iter().position(Opening::is_elsewhere) else {
        return Ok(());
    };
    let cannot = |it: &Contender| match it {
        Contender::Own(_) => false,
        Contender::Foreign(foreign) => !foreign.setup.language.has_positions(),
    };
    contenders.iter().position(cannot).map_or(Ok(()), |at| {
        let problem = format!(
            "GTP has no command for a position, and opening {} is one; give openings as moves from \
             the usual start",
            number + 1
        );
        Err(wrong(settings, at, problem))
    })
}

/// Which of the options that were asked for an engine does not have, or does not take, a sentence
/// each.
pub(super) fn option_problems(settings: &Settings, at: usize, ready: &Ready) -> Vec<String> {
    let engine = &settings.engines[at];
    let name = &engine.name;
    // Others were put there by us, and are left out where nobody knows them.
    let is_asked = |option: &&String| {
        let mut asked = engine.options.keys();
        asked.any(|it| it.eq_ignore_ascii_case(option))
    };
    let unknown = ready.unknown.iter().filter(is_asked);
    let unknown = unknown.map(|it| format!("{name} has no option {it:?}; it was left out."));
    let refused = ready
        .refused
        .iter()
        .map(|it| format!("{name}: {it}; it was left out."));
    unknown.chain(refused).collect()
}

/// UCI engines want to know beforehand that they will think on their opponent's time.
fn pondering(settings: &Settings) -> impl Iterator<Item = (String, String)> + use<> {
    let told = settings
        .ponder
        .then(|| ("Ponder".to_owned(), "true".to_owned()));
    told.into_iter()
}

fn program(settings: &Settings, at: usize, now: &Now) -> Result<ForeignContender, EntrantError> {
    let engine = &settings.engines[at];
    let usual = match settings.game {
        Game::Chess => Language::Uci,
        Game::Othello => Language::Gtp,
    };
    let language = match &engine.protocol {
        None => usual,
        Some(text) => text
            .parse()
            .map_err(|error| wrong(settings, at, format!("{error}")))?,
    };
    check_asked(settings, at, language)?;
    let program = Program {
        args: engine.args.clone(),
        folder: engine.folder.clone(),
        ..Program::new(engine.command.clone().unwrap_or_default())
    };
    if let Some(complaint) = program.complaint() {
        return Err(wrong(settings, at, complaint));
    }
    let options = engine.options.iter();
    let setup = Setup {
        options: pondering(settings)
            .chain(options.map(|(name, it)| (name.clone(), it.0.clone())))
            .collect(),
        ..Setup::new(program, language)
    };
    Ok(ForeignContender {
        name: engine.name.clone(),
        setup,
        limits: limits(settings, at),
        ponders: settings.ponder,
        now: Arc::clone(now),
    })
}

fn added(
    settings: &Settings,
    at: usize,
    home: &Home,
    registry: &Registry,
    now: &Now,
) -> Result<ForeignContender, EntrantError> {
    let engine = &settings.engines[at];
    let name = engine.engine.clone().unwrap_or_default();
    let shelf = Shelf::new(home);
    let shelf_error = |source| EntrantError::Shelf {
        name: engine.name.clone(),
        source,
    };
    let (id, entry) = shelf.find(&name).map_err(shelf_error)?;
    if entry.game != settings.game {
        let problem = format!(
            "{id} plays {}, and the tournament is in {}",
            entry.game, settings.game
        );
        return Err(wrong(settings, at, problem));
    }
    let mut options = shelf
        .options(&id, &entry, registry, 1)
        .map_err(shelf_error)?;
    options.extend(pondering(settings));
    options.extend(
        engine
            .options
            .iter()
            .map(|(name, it)| (name.clone(), it.0.clone())),
    );
    let made = shelf
        .engine(
            &id,
            &entry,
            options,
            Keeper::this_program(),
            Arc::clone(now),
        )
        .map_err(shelf_error)?;
    check_asked(settings, at, made.setup().language)?;
    Ok(ForeignContender {
        name: engine.name.clone(),
        setup: made.setup().clone(),
        limits: limits(settings, at),
        ponders: settings.ponder,
        now: Arc::clone(now),
    })
}

/// The constants of our own search that the options name; there is one.
fn own_constants(settings: &Settings, at: usize) -> Result<u32, EntrantError> {
    let mut aspiration = Limits::DEFAULT_ASPIRATION;
    for (name, value) in &settings.engines[at].options {
        let number = value.0.parse().ok();
        let number = number.filter(|it| Limits::ASPIRATION.contains(it));
        aspiration = match (name.as_str(), number) {
            ("aspiration", Some(number)) => number,
            ("aspiration", None) => {
                let problem = format!(
                    "aspiration cannot be {:?}; expected {} to {}",
                    value.0,
                    Limits::ASPIRATION.start(),
                    Limits::ASPIRATION.end()
                );
                return Err(wrong(settings, at, problem));
            }
            _ => {
                let problem = format!("our own search has no {name:?}; expected aspiration");
                return Err(wrong(settings, at, problem));
            }
        };
    }
    Ok(aspiration)
}

fn own(
    settings: &Settings,
    at: usize,
    evaluations: &mut Loaded,
) -> Result<Contender, EntrantError> {
    let engine = &settings.engines[at];
    if settings.game != Game::Othello {
        let problem =
            "our own engine plays Othello alone; give a command or an engine that was added";
        return Err(wrong(settings, at, problem));
    }
    let profile = match &engine.level {
        None => crate::STRONGEST,
        Some(name) => name
            .parse::<Profile>()
            .map_err(|error| wrong(settings, at, error.to_string()))?,
    };
    if engine.level.is_none() {
        check_limited(settings, at)?;
    }
    let named = engine.evaluator.as_deref().unwrap_or("pattern");
    let choice = EvaluatorChoice::NAMES
        .iter()
        .find(|(name, _)| *name == named);
    let choice = choice
        .map(|(_, choice)| *choice)
        .ok_or_else(|| wrong(settings, at, "evaluator is pattern or classic"))?;
    let known = evaluations
        .iter()
        .find(|(it, file, _)| *it == choice && *file == engine.weights);
    let evaluation = match known {
        Some((_, _, evaluation)) => evaluation.clone(),
        None => {
            let loaded = Evaluation::load(choice, engine.weights.as_deref());
            let loaded = loaded.map_err(|source| EntrantError::Analyst {
                name: engine.name.clone(),
                source,
            })?;
            evaluations.push((choice, engine.weights.clone(), loaded.clone()));
            loaded
        }
    };
    if engine.depth.is_none() && engine.nodes.is_none() && !engine.options.is_empty() {
        let problem = "options of our own search need a depth or nodes beside them";
        return Err(wrong(settings, at, problem));
    }
    let pace = if engine.depth.is_some() || engine.nodes.is_some() {
        let own_exact = engine.level.as_ref().map_or(0, |_| profile.exact_empties);
        Pace::Limits(Limits {
            depth: engine.depth,
            nodes: engine.nodes,
            exact_empties: engine.exact.unwrap_or(own_exact),
            aspiration: own_constants(settings, at)?,
            ..Limits::default()
        })
    } else {
        Pace::Untimed
    };
    Ok(Contender::Own(OwnContender {
        evaluation,
        engine: EngineChoice::AlphaBeta,
        hash_mb: engine.hash_mb.unwrap_or(HASH_MB) as usize,
        threads: 1,
        profile,
        pace,
    }))
}
