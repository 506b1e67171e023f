//! Who is connected. When all seats are taken, the newcomer gets the seat of whoever needs it
//! least: first clients who are not logged in and say nothing, the one who was silent longest
//! before all others. So nobody can keep the owner out by holding connections.

use crate::rate::Bucket;
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::{sync::Notify, time::Instant};

/// How long to wait for a seat that was asked for before the next one is asked for.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Requests a second on one connection of a client who is not logged in, and how many may come at
/// once: a page with all its files is fewer.
const STRANGERS_PACE: (f64, f64) = (10.0, 40.0);

/// How much a client needs its seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    /// Not logged in, and no request under way.
    Silent,
    /// Not logged in, with a request under way.
    Asking,
    /// Logged in, and no request under way.
    Resting,
    /// Logged in, with a request or an event stream. Such a seat is never taken away.
    Working,
}

/// A connection as its owner sees it: telling what it is doing decides whom a newcomer may replace.
#[derive(Debug)]
pub(crate) struct Seat {
    /// Whether a request on it carried the token or a cookie.
    trusted: AtomicBool,
    /// Requests and streams under way.
    busy: AtomicUsize,
    /// When it was last heard of, in requests and connections of the whole server.
    heard: AtomicU64,
    pace: Bucket,
    leave: Notify,
    /// Whether the seat is wanted even though a request is under way.
    at_once: AtomicBool,
}

/// A request or a stream under way; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Busy(Arc<Seat>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Relaxed);
    }
}

impl Seat {
    fn new(heard: u64) -> Self {
        Self {
            trusted: AtomicBool::new(false),
            busy: AtomicUsize::new(0),
            heard: AtomicU64::new(heard),
            pace: Bucket::new(STRANGERS_PACE.0, STRANGERS_PACE.1),
            leave: Notify::new(),
            at_once: AtomicBool::new(false),
        }
    }

    /// From now on this is a client who is logged in.
    pub(crate) fn trust(&self) {
        self.trusted.store(true, Relaxed);
    }

    /// Something is under way until the answer is dropped.
    pub(crate) fn busy(self: &Arc<Self>) -> Busy {
        self.busy.fetch_add(1, Relaxed);
        Busy(Arc::clone(self))
    }

    /// How long the next request has to wait: a client who is not logged in cannot flood.
    pub(crate) fn wait(&self, now: Instant) -> Duration {
        if self.trusted.load(Relaxed) {
            Duration::ZERO
        } else {
            self.pace.owe(now)
        }
    }

    fn need(&self) -> Need {
        let is_busy = self.busy.load(Relaxed) > 0;
        match (self.trusted.load(Relaxed), is_busy) {
            (false, false) => Need::Silent,
            (false, true) => Need::Asking,
            (true, false) => Need::Resting,
            (true, true) => Need::Working,
        }
    }
}

#[derive(Debug, Default)]
struct Taken {
    next: u64,
    seats: BTreeMap<u64, Arc<Seat>>,
}

/// Every connection that the server holds open, up to the limit.
#[derive(Debug)]
pub(crate) struct Seats {
    most: usize,
    heard: AtomicU64,
    taken: Mutex<Taken>,
    /// A seat was given back, or its client has spoken after all.
    changed: Notify,
}

/// The right to a connection; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Ticket {
    number: u64,
    pub(crate) seat: Arc<Seat>,
    seats: Arc<Seats>,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.seats.lock().seats.remove(&self.number);
        self.seats.changed.notify_one();
    }
}

impl Seats {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            most,
            heard: AtomicU64::new(0),
            taken: Mutex::default(),
            changed: Notify::new(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A seat: a free one, or that of whoever needs it least, once that client has left.
    pub(crate) async fn take(self: &Arc<Self>) -> Ticket {
        loop {
            if let Some(ticket) = self.try_take() {
                return ticket;
            }
            self.ask_one_to_leave();
            // Whoever was asked may have begun to speak: then another one is asked.
            let _changed = tokio::time::timeout(LOOK_AGAIN, self.changed.notified()).await;
        }
    }

    fn try_take(self: &Arc<Self>) -> Option<Ticket> {
        let mut taken = self.lock();
        if taken.seats.len() >= self.most {
            return None;
        }
        let number = taken.next;
        taken.next += 1;
        let seat = Arc::new(Seat::new(self.heard.fetch_add(1, Relaxed)));
        taken.seats.insert(number, Arc::clone(&seat));
        Some(Ticket {
            number,
            seat,
            seats: Arc::clone(self),
        })
    }

    /// Asks whoever needs the seat least; also when there are no file handles left.
    pub(crate) fn ask_one_to_leave(&self) {
        let taken = self.lock();
        let rank = |seat: &Arc<Seat>| (seat.need(), seat.heard.load(Relaxed));
        let least = taken.seats.values().min_by_key(|seat| rank(seat));
        if let Some(seat) = least.filter(|seat| seat.need() < Need::Working) {
            seat.at_once.store(seat.need() != Need::Silent, Relaxed);
            seat.leave.notify_one();
        }
    }
}

impl Ticket {
    /// A request has come.
    pub(crate) fn hear(&self) {
        let heard = self.seats.heard.fetch_add(1, Relaxed);
        self.seat.heard.store(heard, Relaxed);
    }

    /// Returns when somebody else needs the seat more. The caller looks at its socket before it
    /// looks here: a client whose request has arrived meanwhile stays.
    pub(crate) async fn wanted(&self) {
        loop {
            self.seat.leave.notified().await;
            let need = self.seat.need();
            if need == Need::Silent || (self.seat.at_once.load(Relaxed) && need < Need::Working) {
                return;
            }
            self.seats.changed.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn is_asked(ticket: &Ticket) -> bool {
        let wanted = tokio::time::timeout(Duration::from_millis(1), ticket.wanted());
        wanted.await.is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn the_one_who_needs_it_least_is_asked_first() {
        let seats = Seats::new(5);
        let mut tickets = Vec::new();
        for _ in 0..5 {
            tickets.push(seats.take().await);
        }
        let [working, resting, asking, old, young] = &tickets[..] else {
            unreachable!("five were taken");
        };
        working.seat.trust();
        resting.seat.trust();
        let _streams = working.seat.busy();
        let _asks = asking.seat.busy();
        for (asked, others) in [
            (old, [young, asking, resting, working]),
            (young, [old, asking, resting, working]),
        ] {
            seats.ask_one_to_leave();
            for other in others {
                assert!(!is_asked(other).await);
            }
            assert!(is_asked(asked).await);
            // It has spoken: now it is the youngest.
            asked.hear();
        }
        old.seat.trust();
        young.seat.trust();
        old.hear();
        young.hear();
        seats.ask_one_to_leave();
        assert!(is_asked(asking).await);
        asking.seat.trust();
        seats.ask_one_to_leave();
        assert!(is_asked(resting).await);
        let all_work: Vec<Busy> = tickets.iter().map(|it| it.seat.busy()).collect();
        seats.ask_one_to_leave();
        for ticket in &tickets {
            assert!(!is_asked(ticket).await);
        }
        drop(all_work);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_speaks_in_the_last_moment_stays() {
        let seats = Seats::new(1);
        let ticket = seats.take().await;
        seats.ask_one_to_leave();
        let busy = ticket.seat.busy();
        assert!(!is_asked(&ticket).await);
        drop(busy);
        seats.ask_one_to_leave();
        assert!(is_asked(&ticket).await);
    }
}
