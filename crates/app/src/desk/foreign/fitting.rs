//! What is fitted to an engine that the user has: networks that are installed for it, and buttons
//! among its settings.

use super::{Host, Post, Purpose, Shared, Task, Thinker, title};
use crate::{
    desk::{Desk, DeskError, Event, Job, JobState, Subject, lock},
    engines::{
        Entry, Id, Registry, Shelf,
        install::{self, InstallError, is_in_use},
    },
    worker::Ticket,
};
use std::sync::{Arc, mpsc::channel};

/// A network that a list describes for an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineNetwork {
    pub name: String,
    pub description: String,
    pub n_bytes: Option<u64>,
    /// Whether it is there and the engine uses it.
    pub is_in_use: bool,
}

/// The networks that a list describes for an engine.
pub(super) fn networks_of(
    shelf: &Shelf,
    id: &Id,
    entry: &Entry,
    registry: &Registry,
) -> Vec<EngineNetwork> {
    let definition = crate::engines::definition_of(entry, id, registry);
    let networks = definition.map(|it| it.networks.iter());
    let networks = networks.into_iter().flatten();
    networks
        .map(|(name, network)| EngineNetwork {
            name: name.clone(),
            description: network.description.clone(),
            n_bytes: network.size,
            is_in_use: is_in_use(shelf, id, entry, network),
        })
        .collect()
}

impl Desk {
    /// Begins to install a network for an engine; the job tells how far it is.
    pub fn install_network(&self, id: &str, network: &str) -> Result<Job, DeskError> {
        let shared = &self.shared;
        let (id, entry, registry) = shared.asked(id)?.parts();
        let known = networks_of(&Shelf::new(&shared.home), &id, &entry, &registry);
        if !known.iter().any(|it| it.name == network) {
            let message = format!("no list describes a network {network:?} for {id}");
            return Err(DeskError::Invalid(message));
        }
        let name = format!("{network} for {}", title(&entry));
        let subject = Subject::Install {
            engine: id.to_string(),
            name: name.clone(),
        };
        let (job, ticket, may_download) = shared.list_install(subject, &name)?;
        let (its, number, network) = (Arc::clone(shared), job.id, network.to_owned());
        let spawned = std::thread::Builder::new()
            .name("kibitz-install".to_owned())
            .spawn(move || {
                its.fit_network(number, &id, &network, &registry, may_download, &ticket);
            });
        if let Err(error) = spawned {
            return Err(DeskError::Engine(format!("no thread: {error}")));
        }
        Ok(job)
    }

    /// Presses a button among the settings of an engine: in every process of it that runs, or in one
    /// that is started for it. Analyses go on afterwards.
    pub fn press_engine_button(&self, id: &str, button: &str) -> Result<(), DeskError> {
        let shared = &self.shared;
        let (id, entry, _) = shared.asked(id)?.parts();
        let told = |trouble: String| DeskError::Conflict(format!("{} {trouble}", title(&entry)));
        let answers = shared.press_in_hosts(&id, button);
        if answers.is_empty() {
            let seat = shared.make_engine(&id, Vec::new(), 1);
            let mut seat = seat.map_err(DeskError::Engine)?;
            let engine = seat.engine_mut();
            let pressed = engine.press(button);
            engine.stop();
            return pressed.map_err(|trouble| told(trouble.to_string()));
        }
        for answer in answers {
            // A task that another one replaced before it began drops its end.
            let pressed = answer.recv().map_err(|_| {
                told("was asked for something else meanwhile; press again".to_owned())
            });
            pressed?.map_err(told)?;
        }
        let mut state = shared.lock();
        shared.begin_anew(&mut state, &Thinker::Foreign(id));
        Ok(())
    }
}

type Pressed = std::sync::mpsc::Receiver<Result<(), String>>;

impl Shared {
    /// Has every process of an engine press a button in the place of what it does.
    fn press_in_hosts(&self, id: &Id, button: &str) -> Vec<Pressed> {
        let hosts = lock(&self.hosts);
        let its = hosts.posts.iter().filter(|(post, _)| post.id == *id);
        let its = its.filter(|(post, _): &(&Post, _)| post.purpose == Purpose::Watching);
        let press = |(_, host): (&Post, &Host)| {
            let (sender, answer) = channel();
            let button = button.to_owned();
            let task: Task = Box::new(move |seat, _| {
                let pressed = seat.engine_mut().press(&button);
                sender.send(pressed.map_err(|it| it.to_string())).ok();
            });
            host.submit(task).map(|_| answer)
        };
        its.filter_map(press).collect()
    }

    fn fit_network(
        self: &Arc<Self>,
        job: u64,
        id: &Id,
        network: &str,
        registry: &Registry,
        may_download: bool,
        ticket: &Ticket,
    ) {
        self.job_runs(job);
        let done = self.with_world(may_download, ticket, |world| {
            let mut observe = |progress| self.tell_install(job, &progress);
            let network = Some(network);
            install::install_network(
                &self.home,
                registry,
                id.as_str(),
                network,
                world,
                &mut observe,
            )
        });
        let (state, message) = match done {
            Ok(installed) => {
                self.restart(id);
                let name = installed.network;
                (JobState::Finished, format!("{name} is in use."))
            }
            Err(InstallError::Stopped) => (
                JobState::Cancelled,
                "Cancelled; nothing was installed.".to_owned(),
            ),
            Err(error) => (JobState::Failed, format!("Nothing was installed: {error}.")),
        };
        self.advance(job, state, None, message);
        self.tell(Event::Engines);
    }
}

impl super::managing::Asked {
    fn parts(self) -> (Id, Entry, Registry) {
        (self.id, self.entry, self.registry)
    }
}
