//! A match between two set-ups of our own engine, or foreign ones: which is better?
//!
//! Every opening is played twice with colours swapped. Pairs are dealt out to workers that have
//! engines of their own, and counted in the order of their numbers: with limits in plies or nodes
//! the result depends on the openings and the seed, not on the number of workers or on who was
//! faster, also if a sequential test ends the match early.

use crate::{
    Analyst, AnalystError, EngineChoice, Evaluation, Pace, Player, Profile, Seat, ordered::in_order,
};
use arena::{
    player::Failure,
    process::{self, Engine, Foreign, Now, Setup, Trouble},
    referee::{self, Conditions, World},
    stats::{Decision, Estimate, GameResult, Pentanomial, Sprt, Verdict},
    tournament::shuffled,
};
use engine::book::Book;
use game::Record;
use othello::{Game, Side, sample::SplitMix64};
use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// One of the two.
#[derive(Debug, Clone)]
pub enum Contender {
    Own(OwnContender),
    Foreign(ForeignContender),
}

/// A foreign engine that was added.
#[derive(Clone)]
pub struct ForeignContender {
    pub name: String,
    pub setup: Setup,
    /// What ends its searches.
    pub limits: process::Limits,
    /// Whether it thinks on its opponent's time.
    pub ponders: bool,
    /// The time that its deadlines are kept by.
    pub now: Now,
}

impl std::fmt::Debug for ForeignContender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ForeignContender")
            .field("name", &self.name)
            .field("setup", &self.setup)
            .finish_non_exhaustive()
    }
}

/// A set-up of our own engine.
#[derive(Debug, Clone)]
pub struct OwnContender {
    pub evaluation: Evaluation,
    pub engine: EngineChoice,
    /// Size of its table in megabytes.
    pub hash_mb: usize,
    /// Threads of each of its searches; with more than one nothing replays.
    pub threads: usize,
    /// How it chooses among what it found.
    pub profile: Profile,
    /// What ends its searches.
    pub pace: Pace,
}

impl Contender {
    /// The contender at a board. A foreign engine starts when it is first asked for a move.
    pub(crate) fn seat(&self) -> Result<AtBoard, AnalystError> {
        Ok(match self {
            Self::Own(own) => AtBoard::Own(Box::new(own.seat()?)),
            Self::Foreign(foreign) => {
                let engine = Engine::new(foreign.setup.clone(), Arc::clone(&foreign.now));
                let player = Foreign::new(engine, foreign.name.clone(), foreign.limits)
                    .pondering(foreign.ponders);
                AtBoard::Foreign(Box::new(player))
            }
        })
    }

    /// A foreign engine is started here, so that one that cannot be used ends the match before its
    /// first game.
    fn sit_down(&self) -> Result<AtBoard, MatchError> {
        let mut seat = self.seat()?;
        if let (AtBoard::Foreign(player), Self::Foreign(foreign)) = (&mut seat, self) {
            player.start().map_err(|trouble| MatchError::Foreign {
                name: foreign.name.clone(),
                trouble,
            })?;
        }
        Ok(seat)
    }
}

impl OwnContender {
    fn seat(&self) -> Result<Seat, AnalystError> {
        let analyst =
            Analyst::with_evaluation(&self.evaluation, self.engine, self.hash_mb, self.threads)?;
        Ok(Seat {
            player: Player::new(analyst, self.profile, Book::new(), 0),
            pace: self.pace,
        })
    }
}

/// Who plays the games of one worker.
#[derive(Debug)]
pub(crate) enum AtBoard {
    Own(Box<Seat>),
    Foreign(Box<Foreign>),
}

impl AtBoard {
    pub(crate) fn player(&mut self) -> &mut dyn arena::player::Player {
        match self {
            Self::Own(seat) => &mut **seat,
            Self::Foreign(foreign) => &mut **foreign,
        }
    }

    /// What was noticed when a foreign engine became ready.
    pub(crate) fn ready(&self) -> Option<&process::Ready> {
        match self {
            Self::Own(_) => None,
            Self::Foreign(foreign) => Some(foreign.engine().ready()),
        }
    }

    /// A foreign engine has its own chance.
    pub(crate) fn reseed(&mut self, seed: u64) {
        match self {
            Self::Own(seat) => seat.player.reseed(seed),
            Self::Foreign(_) => {}
        }
    }
}

/// The two set-ups of a match, its openings, and when it ends.
#[derive(Debug, Clone)]
pub struct Match<'a> {
    pub contenders: [Contender; 2],
    /// Where games begin: after these moves. No game is over.
    pub openings: &'a [Game],
    /// How many pairs at most.
    pub pairs: usize,
    /// How many games are played at the same time.
    pub workers: usize,
    /// In which order openings come, and the players' chance.
    pub seed: u64,
    /// Ends the match when it has decided.
    pub sprt: Option<Sprt>,
}

/// One game of a match with its place in the order of pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// The opening and what followed.
    pub game: Game,
    pub side_of_a: Side,
    /// The final disc difference for A. A game that a player lost by failing counts as lost by all
    /// discs.
    pub discs: i32,
    /// Who failed and how, if that ended the game.
    pub failure: Option<(Side, Failure)>,
}

impl Played {
    const fn result(&self) -> GameResult {
        match self.discs {
            1.. => GameResult::Win,
            0 => GameResult::Draw,
            ..0 => GameResult::Loss,
        }
    }
}

/// The two games of an opening; A has Black in the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// Counted from 0, in the order of the match.
    pub number: usize,
    /// Which of the openings.
    pub opening: usize,
    pub games: [Played; 2],
}

/// How it stands, from A's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Standing {
    /// All pairs counted so far.
    pub results: Pentanomial,
    /// The sum of disc differences.
    pub discs: i64,
}

impl Standing {
    fn count(&mut self, pair: &Pair) {
        let [first, second] = &pair.games;
        self.results.record(first.result(), second.result());
        self.discs += i64::from(first.discs + second.discs);
    }

    pub fn estimate(&self) -> Estimate {
        Estimate::of(self.results)
    }

    /// The mean disc difference of a game; `None` without games.
    pub fn mean_discs(&self) -> Option<f64> {
        let n_games = self.results.trinomial().games();
        (n_games > 0).then(|| self.discs as f64 / n_games as f64)
    }
}

/// Why a match or a tournament is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All pairs were played.
    Finished,
    /// The sequential test has decided.
    Decided,
    /// Somebody wanted it to stop; a tournament can be resumed.
    Stopped,
}

/// What a match came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    pub standing: Standing,
    /// Where the sequential test stands, if there is one.
    pub verdict: Option<Verdict>,
    /// Why it is over.
    pub end: End,
}

/// Why there is no match, or not the rest of it.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// A player could not be set up.
    #[error(transparent)]
    Analyst(#[from] AnalystError),
    /// A foreign engine cannot be used.
    #[error("{name} {trouble}")]
    Foreign { name: String, trouble: Trouble },
    /// Openings played twice by players without chance would be the same games again.
    #[error("expected an opening for each of the {pairs} pairs, found {found}")]
    TooFewOpenings {
        pairs: usize,
        /// Openings to play them from.
        found: usize,
    },
    /// A game without moves to make.
    #[error("opening {number} leaves nothing to play: the game is over")]
    FinishedOpening {
        /// Which one, counted from 1.
        number: usize,
    },
}

/// Plays a match. `observe` is told of each pair, in order, with the standing after it. Setting
/// the stop flag ends the match; games that are not finished then do not count.
pub fn play(
    plan: &Match<'_>,
    now_ms: &(dyn Fn() -> u64 + Sync),
    stop: &AtomicBool,
    mut observe: impl FnMut(&Pair, &Standing, Option<Verdict>),
) -> Result<Outcome, MatchError> {
    check(plan)?;
    let order = shuffled(plan.openings.len(), plan.seed);
    let n_workers = plan.workers.clamp(1, plan.pairs.max(1));
    let teams = (0..n_workers)
        .map(|_| {
            let [a, b] = &plan.contenders;
            Ok([a.sit_down()?, b.sit_down()?])
        })
        .collect::<Result<Vec<_>, MatchError>>()?;
    let is_decided = AtomicBool::new(false);
    let world = World {
        now_ms,
        stop,
        is_wanted: &|| !is_decided.load(Ordering::Relaxed),
        watch: &|_| {},
        wants_thoughts: &|| false,
    };
    let mut standing = Standing::default();
    let mut verdict = plan.sprt.map(|sprt| sprt.judge(standing.results));
    let play_number = |team: &mut [AtBoard; 2], number: u64| {
        let opening = order[number as usize] as usize;
        play_pair(plan, number as usize, opening, team, &world)
    };
    in_order(teams, 0..plan.pairs as u64, play_number, |pair| {
        standing.count(&pair);
        verdict = plan.sprt.map(|sprt| sprt.judge(standing.results));
        observe(&pair, &standing, verdict);
        if verdict.is_some_and(|verdict| verdict.decision != Decision::Continue) {
            // Games under way end at their next move.
            is_decided.store(true, Ordering::Relaxed);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    let end = if is_decided.into_inner() {
        End::Decided
    } else if standing.results.pairs() as usize == plan.pairs {
        End::Finished
    } else {
        End::Stopped
    };
    Ok(Outcome {
        standing,
        verdict,
        end,
    })
}

fn check(plan: &Match<'_>) -> Result<(), MatchError> {
    if plan.pairs > plan.openings.len() {
        return Err(MatchError::TooFewOpenings {
            pairs: plan.pairs,
            found: plan.openings.len(),
        });
    }
    match plan.openings.iter().position(Game::is_over) {
        Some(at) => Err(MatchError::FinishedOpening { number: at + 1 }),
        None => Ok(()),
    }
}

/// Plays both games of an opening; `None` if the match was ended before.
fn play_pair(
    plan: &Match<'_>,
    number: usize,
    opening: usize,
    team: &mut [AtBoard; 2],
    world: &World<'_>,
) -> Option<Pair> {
    let mut games = Vec::with_capacity(2);
    for side_of_a in Side::BOTH {
        for (index, seat) in team.iter_mut().enumerate() {
            // Each player of each game has chance of its own.
            let game = (number as u64) << 2 | (side_of_a.index() as u64) << 1 | index as u64;
            seat.reseed(SplitMix64::new(plan.seed ^ game.rotate_right(16)).next_u64());
        }
        let start = &plan.openings[opening];
        games.push(play_game(start, side_of_a, team, world)?);
    }
    games.try_into().ok().map(|games| Pair {
        number,
        opening,
        games,
    })
}

/// A game that is lost by a failure counts as lost by all discs.
const ALL_DISCS: i32 = 64;

fn play_game(
    opening: &Game,
    side_of_a: Side,
    team: &mut [AtBoard; 2],
    world: &World<'_>,
) -> Option<Played> {
    let [a, b] = team;
    let seats: [&mut dyn arena::player::Player; 2] = match side_of_a {
        Side::Black => [a.player(), b.player()],
        Side::White => [b.player(), a.player()],
    };
    // What ends a search is the contender's pace; there is no clock.
    let conditions = Conditions::default();
    let played = referee::play(&Record::from(opening), seats, &conditions, world)?;
    let outcome = played.record.outcome?;
    let for_black = match (outcome.black_centidiscs, outcome.winner) {
        (Some(centidiscs), _) => centidiscs / 100,
        (None, Some(Side::Black)) => ALL_DISCS,
        (None, Some(Side::White)) => -ALL_DISCS,
        (None, None) => 0,
    };
    Some(Played {
        game: played.record.to_othello_game()?,
        side_of_a,
        discs: match side_of_a {
            Side::Black => for_black,
            Side::White => -for_black,
        },
        failure: played.failure,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EvaluatorChoice, Limits};
    use arena::stats::EloModel;
    use othello::notation::parse_transcript;

    fn openings() -> Vec<Game> {
        ["f5d6c3", "f5f6e6", "f5d6c5", "f5f4e3", "f5d6c4", "f5f6d3"]
            .map(|moves| parse_transcript(moves).unwrap())
            .to_vec()
    }

    fn contender(depth: u32) -> Contender {
        Contender::Own(OwnContender {
            evaluation: Evaluation::shipped(EvaluatorChoice::Classic).unwrap(),
            engine: EngineChoice::AlphaBeta,
            hash_mb: 1,
            threads: 1,
            profile: "max".parse().unwrap(),
            pace: Pace::Limits(Limits {
                depth: Some(depth),
                exact_empties: 6,
                ..Limits::default()
            }),
        })
    }

    fn run(plan: &Match<'_>) -> (Vec<Pair>, Outcome) {
        let mut pairs = Vec::new();
        let stop = AtomicBool::new(false);
        let outcome = play(plan, &|| 0, &stop, |pair, _, _| pairs.push(pair.clone()));
        (pairs, outcome.unwrap())
    }

    fn plan(openings: &[Game], workers: usize, sprt: Option<Sprt>) -> Match<'_> {
        Match {
            contenders: [contender(4), contender(1)],
            openings,
            pairs: openings.len(),
            workers,
            seed: 5,
            sprt,
        }
    }

    #[test]
    fn the_result_does_not_depend_on_the_number_of_workers() {
        let openings = openings();
        let one = run(&plan(&openings, 1, None));
        let three = run(&plan(&openings, 3, None));
        assert_eq!(one, three);
        let (pairs, outcome) = one;
        assert_eq!(outcome.end, End::Finished);
        assert_eq!(outcome.standing.results.pairs(), 6);
        let mut used: Vec<usize> = pairs.iter().map(|pair| pair.opening).collect();
        assert_ne!(used, [0, 1, 2, 3, 4, 5], "the seed shuffles");
        used.sort_unstable();
        assert_eq!(used, [0, 1, 2, 3, 4, 5], "each opening once");
        for pair in &pairs {
            let opening = openings[pair.opening].transcript();
            for (played, side) in pair.games.iter().zip(Side::BOTH) {
                assert!(played.game.transcript().starts_with(&opening));
                let outcome = played.game.outcome().unwrap();
                assert_eq!(played.side_of_a, side);
                assert_eq!(played.discs, outcome.score_for(side));
            }
        }
        let discs: i32 = pairs
            .iter()
            .flat_map(|pair| &pair.games)
            .map(|it| it.discs)
            .sum();
        assert_eq!(outcome.standing.discs, i64::from(discs));
        assert!(discs > 0, "four plies beat one");
    }

    #[test]
    fn equal_contenders_are_equal() {
        let openings = openings();
        let mut plan = plan(&openings, 2, None);
        plan.contenders = [contender(2), contender(2)];
        let (_, outcome) = run(&plan);
        // Colours swapped, the same game is played again with the other winner.
        let results = outcome.standing.results;
        assert_eq!(results.win_loss + results.draw_draw, 6);
        assert_eq!(outcome.standing.mean_discs(), Some(0.0));
    }

    #[test]
    fn a_decided_test_ends_the_match_at_the_same_pair_whatever_the_workers() {
        let openings = openings();
        let sprt = Sprt::new(EloModel::Logistic, -150.0, 150.0, 0.45, 0.45).unwrap();
        let one = run(&plan(&openings, 1, Some(sprt)));
        assert_eq!(one.1.end, End::Decided);
        assert!(one.0.len() < 6, "{} pairs", one.0.len());
        assert_eq!(one, run(&plan(&openings, 3, Some(sprt))));
    }

    #[test]
    fn a_stopped_match_has_what_was_finished() {
        let openings = openings();
        let stop = AtomicBool::new(false);
        let plan = plan(&openings, 1, None);
        let stop_after_two = |pair: &Pair, _: &Standing, _| {
            stop.fetch_or(pair.number == 1, Ordering::Relaxed);
        };
        let outcome = play(&plan, &|| 0, &stop, stop_after_two).unwrap();
        assert_eq!(outcome.end, End::Stopped);
        // The worker may be done with two more when it hears of it.
        assert!((2..6).contains(&outcome.standing.results.pairs()));
        let stopped = AtomicBool::new(true);
        let outcome = play(&plan, &|| 0, &stopped, |_, _, _| {}).unwrap();
        assert_eq!(outcome.standing, Standing::default());
        assert_eq!(outcome.standing.mean_discs(), None);
    }

    #[test]
    fn impossible_matches_are_refused() {
        let mut openings = openings();
        let message = |plan: &Match<'_>| {
            let error = play(plan, &|| 0, &AtomicBool::new(false), |_, _, _| {});
            error.unwrap_err().to_string()
        };
        let mut many = plan(&openings, 1, None);
        many.pairs = 7;
        assert_eq!(
            message(&many),
            "expected an opening for each of the 7 pairs, found 6"
        );
        openings[2] = parse_transcript("e6f4e3f6g5d6e7f5c5").unwrap();
        assert_eq!(
            message(&plan(&openings, 1, None)),
            "opening 3 leaves nothing to play: the game is over"
        );
    }
}
