//! A foreign engine that plays against a person.

use super::{Leash, Post, Purpose, Task};
use crate::{
    Control,
    desk::{Shared, moves::Reply},
};
use arena::{
    player::{Failure, Situation},
    process::{Foreign, Limits},
};
use game::Report;
use std::sync::Arc;

impl Shared {
    /// Has the session's foreign engine choose a move; gives the way to call it back.
    pub(in crate::desk) fn ask_opponent(self: &Arc<Self>, reply: &Reply) -> Option<Arc<Leash>> {
        let opponent = reply.opponent.as_ref()?;
        let post = Post {
            session: reply.session.clone(),
            id: opponent.id.clone(),
            purpose: Purpose::Playing,
        };
        let task = || -> Task {
            let reply = reply.clone();
            Box::new(move |seat, leash| reply.play(seat, leash))
        };
        let failed = reply.clone();
        let options = opponent.options.clone();
        self.engage(&post, options, task, move |reason| failed.fail_move(reason))
    }
}

impl Reply {
    fn play(&self, seat: &mut Foreign, leash: &Leash) {
        let (Some(shared), Some(opponent)) = (self.shared.upgrade(), &self.opponent) else {
            return;
        };
        let limits = Limits {
            depth: opponent.depth,
            nodes: opponent.nodes,
            time_ms: self.manner.move_ms,
            ..Limits::default()
        };
        // Without any limit it would think for ever.
        let usual = limits.is_endless().then_some(USUAL_MS);
        seat.set_limits(Limits {
            time_ms: limits.time_ms.or(usual),
            ..limits
        });
        seat.engine_mut().forgive();
        let now_ms = || shared.now_ms();
        let clock = shared.clock_of(&self.session);
        let mut tries = 0;
        loop {
            let mut observe = |report: &Report| self.tell_found(&shared, report);
            let control = Control {
                now_ms: &now_ms,
                stop: leash.stop(),
                observe: &mut observe,
            };
            let situation = Situation::at(&self.game, self.game.main_end(), &clock, control);
            let chosen = situation
                .ok_or(Failure::NoAnswer)
                .and_then(|it| it.ask(seat));
            match chosen {
                // Nobody waits for it any more.
                _ if leash.is_over() => return,
                Ok(choice) => {
                    shared.on_choice(self, &choice);
                    return;
                }
                Err(Failure::Resigned) => {
                    shared.on_resigned(self);
                    return;
                }
                // A crash is no reason to lose a game against a person: it may try again.
                Err(Failure::Crashed(reason)) if tries < TRIES => {
                    tracing::warn!(engine = %opponent.id, reason, "the opponent is started again");
                    tries += 1;
                    leash.pause(PAUSE_MS);
                    seat.engine_mut().forgive();
                }
                Err(failure) => {
                    self.fail_move(&failure.to_string());
                    return;
                }
            }
        }
    }
}

/// How often an opponent that crashed is started again for one move, and the pause before.
const TRIES: u32 = 2;
const PAUSE_MS: u64 = 500;

/// How long an engine thinks where nobody said it.
const USUAL_MS: u64 = 1_000;
