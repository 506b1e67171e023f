//! Numbered pieces of work on several threads, told in the order of their numbers.

use std::{
    collections::BTreeMap,
    ops::{ControlFlow, Range},
    sync::{
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
};

/// Deals numbers out to the workers, each on a thread of its own, and gives what they make of them
/// to `take`, in order. `work` ends a worker by `None`, `take` ends everything by a break: nothing
/// new is begun then, and what is under way is dropped.
pub(crate) fn in_order<W: Send, T: Send>(
    workers: Vec<W>,
    numbers: Range<u64>,
    work: impl Fn(&mut W, u64) -> Option<T> + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) {
    let (next, work) = (AtomicU64::new(numbers.start), &work);
    thread::scope(|scope| {
        // Bounded, so that nobody works far ahead of what has been told.
        let (sender, receiver) = mpsc::sync_channel(workers.len());
        for mut worker in workers {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= numbers.end {
                        break;
                    }
                    let Some(made) = work(&mut worker, number) else {
                        break;
                    };
                    // Nobody receives any more after a break.
                    if sender.send((number, made)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut due = numbers.start;
        for (number, made) in receiver {
            early.insert(number, made);
            while let Some(made) = early.remove(&due) {
                due += 1;
                if take(made).is_break() {
                    return;
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_comes_once_and_in_order() {
        for n_workers in [1, 2, 5] {
            let mut found = Vec::new();
            let work = |worker: &mut u64, number: u64| {
                *worker += 1;
                Some(number * number)
            };
            in_order(vec![0; n_workers], 3..40, work, |square| {
                found.push(square);
                ControlFlow::Continue(())
            });
            assert_eq!(found, (3..40).map(|n| n * n).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn either_side_can_end_it() {
        let mut found = Vec::new();
        let numbers = |_: &mut (), number| Some(number);
        in_order(vec![(); 3], 0..1000, numbers, |number| {
            found.push(number);
            if number == 7 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert_eq!(found, (0..=7).collect::<Vec<u64>>());
        let mut n_found = 0;
        let few = |_: &mut (), number| (number < 5).then_some(number);
        in_order(vec![(); 3], 0..1000, few, |_| {
            n_found += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(n_found, 5);
    }
}
