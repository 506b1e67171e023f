//! The order of moves near the end, learned from games on all cores.

use crate::{
    AnalystError,
    ordered::in_order,
    output::{self, OutputError},
};
use engine::{Engine, eval::pattern::Pattern, ordering::Prover};
use learn::{
    label::Source,
    order::{
        MoveOrder, OrderCost, OrderPlan, OrderSettings, Sample, TooFewMoves, costs, sample_game,
    },
};
use std::{
    ops::ControlFlow,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Size of each worker's table. It is cleared for every game, which a larger one would make slow.
const HASH_MB: usize = 1;

/// What an order of moves is learned from, and how.
#[derive(Debug, Clone)]
pub struct OrderTask {
    pub games: Vec<Source>,
    pub plan: OrderPlan,
    pub settings: OrderSettings,
    pub workers: usize,
    /// Where the weights go.
    pub out: PathBuf,
}

/// How far the learning of an order is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderNews {
    /// So many games are done, with so many boards.
    Games { games: usize, boards: usize },
    /// So many steps of the fit are done.
    Steps(usize),
}

/// What came of it, measured with the weights as they were rounded.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderReport {
    /// Games that were looked at; fewer than all after an interruption.
    pub games: usize,
    /// Those of them that gave boards.
    pub taken: usize,
    /// What an odd quadrant adds by the fit.
    pub odd: f64,
    /// On the boards that were learned from, by empty squares.
    pub learned: Vec<OrderCost>,
    /// On those of games that were held out.
    pub held_out: Vec<OrderCost>,
}

/// Why there is no order.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    /// An engine could not be set up.
    #[error(transparent)]
    Analyst(#[from] AnalystError),
    #[error(transparent)]
    TooFewMoves(#[from] TooFewMoves),
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Learns an order of moves from games and writes its weights. Setting the stop flag ends the
/// looking at games; what they gave is learned from.
pub fn order(
    task: &OrderTask,
    stop: &AtomicBool,
    mut observe: impl FnMut(OrderNews),
) -> Result<OrderReport, OrderError> {
    let Sampled {
        games,
        taken,
        learned,
        held_out,
    } = sample(task, stop, &mut observe)?;
    let mut step = |number| observe(OrderNews::Steps(number));
    let order = MoveOrder::fit(&learned, task.settings, &mut step)?;
    output::write(&task.out, &order.to_bytes())?;
    Ok(OrderReport {
        games,
        taken,
        odd: order.odd,
        learned: costs(&learned, &order),
        held_out: costs(&held_out, &order),
    })
}

/// Boards with all their moves, those to measure on apart.
#[derive(Debug, Default, PartialEq)]
struct Sampled {
    games: usize,
    taken: usize,
    learned: Vec<Sample>,
    held_out: Vec<Sample>,
}

/// The samples of all games, in their order whatever the number of workers.
fn sample(
    task: &OrderTask,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(OrderNews),
) -> Result<Sampled, AnalystError> {
    let pattern = Arc::new(Pattern::shipped()?);
    let worker = |_| {
        let engine = Engine::new(Arc::clone(&pattern), HASH_MB, 1)?;
        Ok((engine, Prover::new()))
    };
    let workers = (0..task.workers.max(1))
        .map(worker)
        .collect::<Result<Vec<_>, AnalystError>>()?;
    let one = |(engine, prover): &mut (_, _), number: u64| {
        let source = &task.games[number as usize];
        let go_on = !stop.load(Ordering::Relaxed);
        go_on.then(|| {
            let samples = sample_game(engine, prover, source, number, &task.plan);
            (source.held_out, samples)
        })
    };
    let mut sampled = Sampled::default();
    let numbers = 0..task.games.len() as u64;
    in_order(workers, numbers, one, |(held_out, samples)| {
        sampled.games += 1;
        sampled.taken += usize::from(!samples.is_empty());
        if held_out {
            sampled.held_out.extend(samples);
        } else {
            sampled.learned.extend(samples);
        }
        observe(OrderNews::Games {
            games: sampled.games,
            boards: sampled.learned.len() + sampled.held_out.len(),
        });
        ControlFlow::Continue(())
    });
    Ok(sampled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::{Game, Move, sample::SplitMix64};

    fn task(workers: usize) -> OrderTask {
        let mut random = SplitMix64::new(7);
        let mut source = |number: u32| {
            let mut game = Game::new();
            while !game.is_over() {
                let legal = game.position().board.legal_moves();
                let at = random.below(legal.len().max(1)) as usize;
                let square = legal.into_iter().nth(at);
                game.play(square.map_or(Move::Pass, Move::Place)).unwrap();
            }
            Source {
                game,
                proven: None,
                held_out: number.is_multiple_of(4),
                values: Vec::new(),
            }
        };
        OrderTask {
            games: (0..12).map(&mut source).collect(),
            plan: OrderPlan {
                share: 1.0,
                walks: 1,
                seed: 3,
            },
            settings: OrderSettings {
                ridge: 10.0,
                iterations: 3,
            },
            workers,
            out: PathBuf::new(),
        }
    }

    #[test]
    fn samples_do_not_depend_on_the_workers() {
        let sampled = |workers| {
            let stop = AtomicBool::new(false);
            sample(&task(workers), &stop, &mut |_| {}).unwrap()
        };
        let one = sampled(1);
        assert_eq!(one.games, 12);
        assert!((1..=12).contains(&one.taken));
        assert!(!one.learned.is_empty() && !one.held_out.is_empty());
        assert_eq!(one, sampled(3));
    }

    #[test]
    fn an_interrupted_learning_has_what_was_done() {
        let stop = AtomicBool::new(false);
        let sampled = sample(&task(1), &stop, &mut |news| {
            if matches!(news, OrderNews::Games { games: 5, .. }) {
                stop.store(true, Ordering::Relaxed);
            }
        });
        // The worker is ahead by the game that it is at and those that wait to be told.
        let games = sampled.unwrap().games;
        assert!((5..=8).contains(&games), "{games}");
    }
}
