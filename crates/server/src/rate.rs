//! How often something may happen: buckets for requests, rations for lines of the log, budgets for
//! bytes in memory.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

/// A bucket that fills with time; each request takes a drop.
#[derive(Debug)]
pub(crate) struct Bucket {
    per_second: f64,
    most: f64,
    level: Mutex<(f64, Option<Instant>)>,
}

impl Bucket {
    pub(crate) const fn new(per_second: f64, most: f64) -> Self {
        Self {
            per_second,
            most,
            level: Mutex::new((most, None)),
        }
    }

    /// Takes a drop if there is one.
    pub(crate) fn take(&self, now: Instant) -> bool {
        self.change(now, |drops| {
            let may = drops >= 1.0;
            (may, if may { drops - 1.0 } else { drops })
        })
    }

    /// Takes a drop in any case and says how long its taker has to wait until it is there.
    pub(crate) fn owe(&self, now: Instant) -> Duration {
        let per_second = self.per_second;
        self.change(now, |drops| {
            let missing = (1.0 - drops).max(0.0);
            (Duration::from_secs_f64(missing / per_second), drops - 1.0)
        })
    }

    fn change<T>(&self, now: Instant, change: impl FnOnce(f64) -> (T, f64)) -> T {
        let mut level = self.level.lock().unwrap_or_else(PoisonError::into_inner);
        let (drops, before) = *level;
        let elapsed = before.map_or(0.0, |before| (now - before).as_secs_f64());
        let drops = elapsed.mul_add(self.per_second, drops).min(self.most);
        let (answer, drops) = change(drops);
        *level = (drops, Some(now));
        answer
    }
}

/// Lines of the log about something that strangers can cause as often as they like.
#[derive(Debug)]
pub(crate) struct Ration {
    bucket: Bucket,
    /// How often nothing was written since the last line.
    silent: Mutex<u64>,
}

impl Ration {
    pub(crate) const fn new(per_second: f64, most: f64) -> Self {
        Self {
            bucket: Bucket::new(per_second, most),
            silent: Mutex::new(0),
        }
    }

    /// If a line may be written now: how many were left out since the last one.
    pub(crate) fn spend(&self, now: Instant) -> Option<u64> {
        let may = self.bucket.take(now);
        let mut silent = self.silent.lock().unwrap_or_else(PoisonError::into_inner);
        if may {
            return Some(std::mem::take(&mut silent));
        }
        *silent += 1;
        None
    }
}

/// Bytes that may be in memory at once, counted in whole kilobytes.
#[derive(Debug, Clone)]
pub(crate) struct Budget {
    kilobytes: Arc<Semaphore>,
    most: u32,
}

/// A share of a [`Budget`]; it is given back when this is dropped.
pub(crate) type Share = OwnedSemaphorePermit;

impl Budget {
    pub(crate) fn new(bytes: usize) -> Self {
        let most = u32::try_from(bytes >> 10).unwrap_or(u32::MAX);
        Self {
            kilobytes: Arc::new(Semaphore::new(most as usize)),
            most,
        }
    }

    /// A share for so many bytes, once others have given back enough. Whoever wants more than
    /// there is gets everything.
    pub(crate) async fn take(&self, bytes: usize, within: Duration) -> Option<Share> {
        let wanted = u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX);
        let share = Arc::clone(&self.kilobytes).acquire_many_owned(wanted.min(self.most));
        tokio::time::timeout(within, share).await.ok()?.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_empty_and_fill() {
        let bucket = Bucket::new(2.0, 3.0);
        let now = Instant::now();
        let taken = (0..5).filter(|_| bucket.take(now)).count();
        assert_eq!(taken, 3);
        let later = now + Duration::from_millis(1_000);
        let taken = (0..5).filter(|_| bucket.take(later)).count();
        assert_eq!(taken, 2);
    }

    #[test]
    fn who_owes_drops_waits_for_each() {
        let bucket = Bucket::new(10.0, 2.0);
        let now = Instant::now();
        let waits: Vec<u128> = (0..5).map(|_| bucket.owe(now).as_millis()).collect();
        assert_eq!(waits, [0, 0, 100, 200, 300]);
    }

    #[test]
    fn a_ration_says_what_it_left_out() {
        let ration = Ration::new(1.0, 2.0);
        let now = Instant::now();
        let told: Vec<Option<u64>> = (0..5).map(|_| ration.spend(now)).collect();
        assert_eq!(told, [Some(0), Some(0), None, None, None]);
        assert_eq!(ration.spend(now + Duration::from_secs(1)), Some(3));
    }

    #[tokio::test(start_paused = true)]
    async fn a_budget_is_given_back() {
        let budget = Budget::new(10 << 10);
        let within = Duration::from_secs(1);
        let first = budget.take(6 << 10, within).await;
        assert!(first.is_some());
        assert!(budget.take(5 << 10, within).await.is_none());
        drop(first);
        assert!(budget.take(1 << 30, within).await.is_some());
    }
}
