//! Foreign engines at the desk: they analyse games, play against a person, and are managed.

mod analysing;
mod fitting;
mod host;
mod judging;
mod managing;
mod playing;
mod valuing;

pub use fitting::EngineNetwork;
pub use judging::Judgement;
pub use managing::{
    EngineEntry, EngineOption, EngineOptions, EngineSource, EnginesView, KnownEngine,
};

pub(super) use analysing::Watch;
pub(super) use host::{Host, Leash, Task};
pub(super) use judging::Ear;

use super::{Shared, lock};
use crate::{
    config::EngineName,
    engines::{Entry, Id, Shelf, load_registry},
};
use arena::process::{Foreign, Keeper, Limits, Tail};
use std::{collections::HashMap, fmt, str::FromStr, sync::Arc};

/// Who analyses: one of our own searches, or a foreign engine.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Thinker {
    Own(EngineName),
    Foreign(Id),
}

impl Thinker {
    /// Whether its scores are values of Othello positions that the coach may speak of.
    pub(super) const fn gives_values(&self) -> bool {
        match self {
            Self::Own(own) => own.gives_values(),
            Self::Foreign(_) => false,
        }
    }
}

/// The name in addresses: `alphabeta`, `mcts`, or what the user calls the engine.
impl fmt::Display for Thinker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(own) => {
                let found = EngineName::NAMES.iter().find(|(_, it)| it == own);
                f.pad(found.map_or("alphabeta", |(name, _)| name))
            }
            Self::Foreign(id) => id.fmt(f),
        }
    }
}

impl FromStr for Thinker {
    type Err = crate::engines::IdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match EngineName::NAMES.iter().find(|(name, _)| *name == text) {
            Some((_, own)) => Ok(Self::Own(*own)),
            None => text.parse().map(Self::Foreign),
        }
    }
}

impl From<EngineName> for Thinker {
    fn from(name: EngineName) -> Self {
        Self::Own(name)
    }
}

/// What a process is for: an engine plays and analyses with different settings, and in each game on
/// its own.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Post {
    pub(super) session: String,
    pub(super) id: Id,
    pub(super) purpose: Purpose,
}

/// What an engine does for a session; each in a process of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Purpose {
    /// It looks at the position that is shown.
    Watching,
    Playing,
    /// It values a whole game.
    Valuing,
}

/// The processes of foreign engines, and what they said last.
#[derive(Debug, Default)]
pub(super) struct Hosts {
    posts: HashMap<Post, Host>,
    /// The latest conversation of each engine.
    logs: HashMap<Id, Tail>,
    /// What engines call themselves, once they have said it.
    names: HashMap<Id, String>,
    /// What went wrong with an engine last, until it works again.
    troubles: HashMap<Id, String>,
}

/// More processes than this serve nobody.
const POSTS_MAX: usize = 12;

/// The process that is missed least: one that does nothing, rather of those that only look than of
/// those that play; one that is thinking about its move comes last.
fn least_needed<'a>(posts: impl Iterator<Item = (&'a Post, bool)>) -> Option<&'a Post> {
    let rank = |(post, is_busy): &(&'a Post, bool)| {
        let is_playing = post.purpose == Purpose::Playing;
        (*is_busy, is_playing, post.session.clone(), post.id.clone())
    };
    posts.min_by_key(rank).map(|(post, _)| post)
}

impl Shared {
    /// Has a foreign engine do something, in the place of what it did for this session before. The
    /// process is started if there is none. Never waits.
    pub(super) fn engage(
        self: &Arc<Self>,
        post: &Post,
        options: Vec<(String, String)>,
        task: impl Fn() -> Task,
        fail: impl FnOnce(&str) + Send + 'static,
    ) -> Option<Arc<Leash>> {
        let mut hosts = lock(&self.hosts);
        if let Some(leash) = hosts.posts.get(post).and_then(|host| host.submit(task())) {
            return Some(leash);
        }
        while hosts.posts.len() >= POSTS_MAX {
            let posts = hosts
                .posts
                .iter()
                .map(|(post, host)| (post, host.is_busy()));
            let Some(other) = least_needed(posts).cloned() else {
                break;
            };
            hosts.posts.remove(&other);
        }
        let n_analysts = hosts
            .posts
            .keys()
            .filter(|it| it.purpose == Purpose::Watching)
            .count()
            + 1;
        let (weak, id) = (self.weak(), post.id.clone());
        let make = move || {
            let shared = weak.upgrade()?;
            match shared.make_engine(&id, options, n_analysts) {
                Ok(engine) => Some(engine),
                Err(reason) => {
                    fail(&reason);
                    None
                }
            }
        };
        let host = match Host::start(post.id.as_str(), Box::new(make)) {
            Ok(host) => host,
            Err(error) => {
                tracing::error!(%error, engine = %post.id, "no thread for an engine");
                return None;
            }
        };
        let leash = host.submit(task());
        hosts.posts.insert(post.clone(), host);
        leash
    }

    /// An engine with its settings, not started yet.
    fn make_engine(
        &self,
        id: &Id,
        more: Vec<(String, String)>,
        n_engines: usize,
    ) -> Result<Foreign, String> {
        let shelf = Shelf::new(&self.home);
        let (id, entry) = shelf.find(id.as_str()).map_err(|it| it.to_string())?;
        let (registry, _) = load_registry(&self.home);
        let threads = super::tools::n_threads(0) / n_engines.max(1);
        let mut options = shelf
            .options(&id, &entry, &registry, threads.max(1) as u32)
            .map_err(|it| it.to_string())?;
        for (name, value) in more {
            options.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
            options.push((name, value));
        }
        let engine = shelf
            .engine(
                &id,
                &entry,
                options,
                self.keeper_program(),
                self.process_clock(),
            )
            .map_err(|it| it.to_string())?;
        let mut hosts = lock(&self.hosts);
        hosts.logs.insert(id.clone(), engine.conversation());
        hosts.names.insert(id, title(&entry));
        Ok(Foreign::new(engine, title(&entry), Limits::default()))
    }

    /// Ends the engines of a session, or all.
    pub(super) fn dismiss(&self, session: Option<&str>) -> Vec<Host> {
        let mut hosts = lock(&self.hosts);
        let gone: Vec<Post> = hosts
            .posts
            .keys()
            .filter(|post| session.is_none_or(|it| it == post.session))
            .cloned()
            .collect();
        gone.iter()
            .filter_map(|post| hosts.posts.remove(post))
            .collect()
    }

    /// What an engine is called.
    pub(super) fn engine_title(&self, thinker: &Thinker) -> String {
        match thinker {
            Thinker::Own(EngineName::AlphaBeta) => "Kibitz".to_owned(),
            Thinker::Own(EngineName::Mcts) => "Kibitz Monte Carlo".to_owned(),
            Thinker::Foreign(id) => {
                let known = lock(&self.hosts).names.get(id).cloned();
                known.unwrap_or_else(|| id.to_string())
            }
        }
    }

    fn keeper_program(&self) -> Keeper {
        self.outside.keeper.clone()
    }

    pub(in crate::desk) fn process_clock(&self) -> arena::process::Now {
        Arc::clone(&self.outside.now_ms)
    }
}

fn title(entry: &Entry) -> String {
    match entry.version.as_str() {
        "" => entry.name.clone(),
        version if entry.name.contains(version) => entry.name.clone(),
        version => format!("{} {version}", entry.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opponent_that_thinks_is_the_last_to_go() {
        let post = |session: &str, purpose| Post {
            session: session.to_owned(),
            id: "some".parse().unwrap(),
            purpose,
        };
        let playing = post("a", Purpose::Playing);
        let idle = post("b", Purpose::Playing);
        let watching = post("c", Purpose::Watching);
        let unused = post("d", Purpose::Watching);
        let mut posts = vec![
            (&playing, true),
            (&idle, false),
            (&watching, true),
            (&unused, false),
        ];
        for expected in [&unused, &idle, &watching, &playing] {
            let found = least_needed(posts.iter().copied());
            assert_eq!(found, Some(expected));
            posts.retain(|it| it.0 != expected);
        }
        assert_eq!(least_needed(posts.into_iter()), None);
    }
}
